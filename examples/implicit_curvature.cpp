// SPDX-License-Identifier: MIT
//
// Curvature of surfaces that are given by an equation F(x, y, z) = 0, through
// the derivatives of an inverse function.
//
// F with two of the coordinates, for example G(x, y, z) = (F(x, y, z), x, y),
// has an inverse wherever the surface is not perpendicular to the plane of
// those two. Along the directions e_2 and e_3, where F stays as it is, the
// inverse is a parametrisation of the surface, p(s, t), and
// `inverse_tensor_eval` gives its derivatives p_s, p_t, p_ss, p_st, p_tt
// without that anybody solves the equation. From these follow, with the normal
// N, the two fundamental forms
//
//     e = p_s.p_s   f = p_s.p_t   g = p_t.p_t
//     l = p_ss.N    m = p_st.N    n = p_tt.N
//
// Gaussian curvature (l n - m^2) / (e g - f^2), mean curvature
// (l g - 2 m f + n e) / (2 (e g - f^2)), and the principal curvatures. Normals
// point inward, so that a sphere has positive curvatures.
//
// Checked on a torus and on an ellipsoid, whose curvatures are known.

#include <adolc/adolc.h>
#include <adolc/drivers/taylor.h>

#include "check.h"

#include <array>
#include <numbers>

namespace {

using Point = std::array<double, 3>;
using Surface = adouble (*)(const adouble *);

constexpr double big = 2.0, small = 0.75; // radii of the torus
constexpr Point axes{1.5, 1.0, 0.6};      // of the ellipsoid
constexpr int axis_count = 3;

adouble torus(const adouble *p) {
  const adouble ring = sqrt(p[0] * p[0] + p[1] * p[1]) - big;
  return ring * ring + p[2] * p[2] - small * small;
}

adouble ellipsoid(const adouble *p) {
  adouble sum = -1.0;
  for (std::size_t i = 0; i < axis_count; ++i)
    sum += p[i] * p[i] / (axes[i] * axes[i]);
  return sum;
}

struct Curvature {
  double gauss, mean;
  // The larger one first. The root vanishes at umbilic points, where rounding
  // may make what is below it negative.
  [[nodiscard]] double principal(int k) const {
    const double half = std::sqrt(std::max(0.0, mean * mean - gauss));
    return mean + (k == 0 ? half : -half);
  }
};

double dot(const Point &a, const Point &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Three maps on the tapes 1 to 3: F and the coordinates that follow the axis.
void record(Surface surface, const Point &at) {
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    trace_on(static_cast<short>(axis + 1));
    {
      adouble p[axis_count];
      for (std::size_t i = 0; i < axis_count; ++i)
        p[i] <<= at[i];
      double ignored = 0.0;
      adouble f = surface(p);
      f >>= ignored;
      for (const std::size_t other : {(axis + 1) % 3, (axis + 2) % 3}) {
        adouble coordinate = p[other];
        coordinate >>= ignored;
      }
    }
    trace_off();
  }
}

// At a point of the surface, which need not be the one of the recording.
Curvature curvature(Point at, example::Checks &checks) {
  // The map that belongs to the largest component of the gradient of F has an
  // inverse, and among those that have one it is the best conditioned.
  Point weight{1.0, 0.0, 0.0}, normal{};
  checks.require("gradient", vec_jac(1, 3, 3, 0, at.data(), weight.data(), normal.data()) >= 0);
  std::size_t axis = 0;
  for (std::size_t i = 1; i < axis_count; ++i)
    if (std::abs(normal[i]) > std::abs(normal[axis]))
      axis = i;
  const double length = std::sqrt(dot(normal, normal));
  for (double &component : normal)
    component /= -length; // inward

  constexpr int order = 2, directions = 2;
  const auto entries = static_cast<std::size_t>(binomi(directions + order, order));
  example::Matrix tensor(3, entries), along(3, directions);
  along(1, 0) = along(2, 1) = 1.0;
  const int code = inverse_tensor_eval(static_cast<short>(axis + 1), 3, order, directions,
                                       at.data(), tensor.rows(), along.rows());
  checks.require("inverse function", code >= 0);
  // The derivatives with respect to the parameters j and k, 0: none.
  const auto derivative = [&tensor](int j, int k) {
    int index[] = {j, k};
    const auto entry = static_cast<std::size_t>(tensor_address(order, index));
    return Point{tensor(0, entry), tensor(1, entry), tensor(2, entry)};
  };
  const Point s = derivative(1, 0), t = derivative(2, 0);
  const double e = dot(s, s), f = dot(s, t), g = dot(t, t);
  const double l = dot(derivative(1, 1), normal), m = dot(derivative(2, 1), normal),
               n = dot(derivative(2, 2), normal);
  const double area = e * g - f * f;
  return {(l * n - m * m) / area, (l * g - 2.0 * m * f + n * e) / (2.0 * area)};
}

// The closed forms, with the point that belongs to two angles.
Point torus_point(double around, double tube) {
  const double ring = big + small * std::cos(tube);
  return {ring * std::cos(around), ring * std::sin(around), small * std::sin(tube)};
}
Curvature torus_curvature(double, double tube) {
  const double k1 = 1.0 / small, k2 = std::cos(tube) / (big + small * std::cos(tube));
  return {k1 * k2, 0.5 * (k1 + k2)};
}

Point ellipsoid_point(double around, double tube) {
  return {axes[0] * std::cos(around) * std::cos(tube), axes[1] * std::sin(around) * std::cos(tube),
          axes[2] * std::sin(tube)};
}
Curvature ellipsoid_curvature(double around, double tube) {
  const Point p = ellipsoid_point(around, tube);
  double h = 0.0, squares = 0.0, product = 1.0;
  for (std::size_t i = 0; i < axis_count; ++i) {
    const double square = axes[i] * axes[i];
    h += p[i] * p[i] / (square * square);
    squares += square;
    product *= square;
  }
  return {1.0 / (product * h * h), (squares - dot(p, p)) / (2.0 * product * h * std::sqrt(h))};
}

// Points all over the surface.
void check(const char *name, Surface surface, Point (*point)(double, double),
           Curvature (*expected)(double, double), example::Checks &checks) {
  record(surface, point(0.3, 0.4));
  std::printf("%s\n       x       y       z     Gauss    mean    principal\n", name);
  double worst_gauss = 0.0, worst_mean = 0.0, worst_principal = 0.0;
  constexpr int points = 400;
  for (int k = 0; k < points; ++k) {
    // Angles that do not repeat: steps of a golden section.
    const double around = 2.0 * std::numbers::pi * std::fmod(k * std::numbers::phi, 1.0);
    const double tube = 2.0 * std::numbers::pi * (k + 0.5) / points;
    const Point p = point(around, tube);
    const Curvature c = curvature(p, checks), known = expected(around, tube);
    if (k % (points / 4) == points / 8)
      std::printf("  %6.3f  %6.3f  %6.3f  %8.4f  %6.4f  %8.4f %8.4f\n", p[0], p[1], p[2], c.gauss,
                  c.mean, c.principal(0), c.principal(1));
    worst_gauss = example::worse(worst_gauss, example::error(c.gauss, known.gauss));
    worst_mean = example::worse(worst_mean, example::error(c.mean, known.mean));
    for (const int i : {0, 1})
      worst_principal =
          example::worse(worst_principal, example::error(c.principal(i), known.principal(i)));
  }
  checks.below("Gaussian curvature at 400 points: error", worst_gauss, 1e-12);
  checks.below("mean curvature: error", worst_mean, 1e-12);
  checks.below("principal curvatures: error", worst_principal, 1e-12);
}

} // namespace

int main() {
  example::Checks checks;
  check("torus, radii 2 and 0.75", torus, torus_point, torus_curvature, checks);
  check("ellipsoid, half axes 1.5, 1 and 0.6", ellipsoid, ellipsoid_point, ellipsoid_curvature,
        checks);
  return checks.exit_code();
}
