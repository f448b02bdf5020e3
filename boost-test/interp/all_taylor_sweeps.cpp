// SPDX-License-Identifier: MIT
#include "all_taylor_sweeps.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <cmath>

namespace sweeps {
namespace {

/// What no sweep returns; outputs are filled with it before.
constexpr double kUntouched = 4.0e77;

/// A cube as the array of arrays of rows that the sweeps take; T is double or const double.
template <class T> class Rows {
public:
  /// [a][b][…] as it is, or with the first two indices exchanged.
  template <class C> Rows(C &cube, bool transposed = false) {
    const std::size_t a = cube.size(), b = a == 0 ? 0 : cube[0].size();
    const std::size_t outer = transposed ? b : a, inner = transposed ? a : b;
    for (std::size_t i = 0; i < outer; ++i)
      for (std::size_t j = 0; j < inner; ++j)
        rows_.push_back(transposed ? cube[j][i].data() : cube[i][j].data());
    for (std::size_t i = 0; i < outer; ++i)
      pages_.push_back(rows_.data() + i * inner);
  }
  T *const *const *cube() const { return pages_.data(); }
  T ***cube() { return pages_.data(); }
  T *const *matrix() const { return rows_.data(); }
  T **matrix() { return rows_.data(); }

private:
  std::vector<T *> rows_;
  std::vector<T **> pages_;
};

Matrix matrix(int rows, int columns, double value) {
  return Matrix(static_cast<std::size_t>(rows),
                std::vector<double>(static_cast<std::size_t>(columns), value));
}
Cube cube(std::size_t pages, int rows, int columns, double value) {
  return Cube(pages, matrix(rows, columns, value));
}
std::vector<const double *> pointers(const Matrix &rows) {
  std::vector<const double *> p;
  for (const auto &row : rows)
    p.push_back(row.data());
  return p;
}
std::vector<double *> pointers(Matrix &rows) {
  std::vector<double *> p;
  for (auto &row : rows)
    p.push_back(row.data());
  return p;
}
std::vector<double> filled(int n) {
  return std::vector<double>(static_cast<std::size_t>(n), kUntouched);
}

template <class Sweep>
TaylorLanes lanes(const Shape &s, const Cube &curves, int degree, const Sweep &sweep) {
  TaylorLanes f;
  f.y = filled(s.m);
  f.dy = cube(curves.size(), s.m, degree, kUntouched);
  Rows<const double> in(curves, true);
  Rows<double> out(f.dy, true);
  f.code = sweep(static_cast<int>(curves.size()), in.cube(), f.y.data(), out.cube());
  return f;
}

template <class Sweep>
TaylorReverse reverse(const Shape &s, std::size_t lanes, int degree, double before,
                      const Sweep &sweep) {
  TaylorReverse r;
  r.z = cube(lanes, s.n, degree + 1, before);
  Rows<double> out(r.z);
  r.code = sweep(out);
  return r;
}

} // namespace

bool same(const Cube &a, const Cube &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Matrix &x, const Matrix &y) { return same(x, y); });
}
Matrix columns(const Matrix &rows, std::size_t degree) {
  Matrix cut = rows;
  for (auto &row : cut)
    row.resize(degree);
  return cut;
}
Matrix asPolynomials(const std::vector<double> &weights, std::size_t degree) {
  Matrix u;
  for (const double w : weights) {
    u.emplace_back(degree + 1, 0.0);
    u.back()[0] = w;
  }
  return u;
}

TaylorForward hos(const Shape &s, int keep, const std::vector<double> &x, const Matrix &curve,
                  int degree) {
  TaylorForward f;
  f.y = filled(s.m);
  f.dy = matrix(s.m, degree, kUntouched);
  f.code = hos_forward(s.tag, s.m, s.n, degree, keep, x.data(), pointers(curve).data(), f.y.data(),
                       pointers(f.dy).data());
  return f;
}
TaylorLanes hov(const Shape &s, const std::vector<double> &x, const Cube &curves, int degree) {
  return lanes(s, curves, degree, [&](int p, const auto *in, double *y, double ***out) {
    return hov_forward(s.tag, s.m, s.n, degree, p, x.data(), in, y, out);
  });
}
TaylorLanes hovKeep(const Shape &s, int keep, const std::vector<double> &x, const Cube &curves,
                    int degree) {
  return lanes(s, curves, degree, [&](int p, const auto *in, double *y, double ***out) {
    return hov_wk_forward(s.tag, s.m, s.n, degree, keep, p, x.data(), in, y, out);
  });
}
TaylorReverse hosReverse(const Shape &s, int degree, const std::vector<double> &weights,
                         double before) {
  return reverse(s, 1, degree, before, [&](Rows<double> &out) {
    return hos_reverse(s.tag, s.m, s.n, degree, weights.data(), out.matrix());
  });
}
TaylorReverse hosTiReverse(const Shape &s, int degree, const Matrix &weights, double before) {
  return reverse(s, 1, degree, before, [&](Rows<double> &out) {
    return hos_ti_reverse(s.tag, s.m, s.n, degree, pointers(weights).data(), out.matrix());
  });
}
TaylorReverse hosOvReverse(const Shape &s, int degree, int curves, const Matrix &weights,
                           double before) {
  return reverse(s, static_cast<std::size_t>(curves), degree, before, [&](Rows<double> &out) {
    return hos_ov_reverse(s.tag, s.m, s.n, degree, curves, pointers(weights).data(), out.cube());
  });
}
TaylorReverse hovReverse(const Shape &s, int degree, const Matrix &weights, double before) {
  return reverse(s, weights.size(), degree, before, [&](Rows<double> &out) {
    return hov_reverse(s.tag, s.m, s.n, degree, static_cast<int>(weights.size()),
                       pointers(weights).data(), out.cube(), nullptr);
  });
}
TaylorReverse hovTiReverse(const Shape &s, int degree, const Cube &weights, double before) {
  const Rows<const double> in(weights);
  return reverse(s, weights.size(), degree, before, [&](Rows<double> &out) {
    return hov_ti_reverse(s.tag, s.m, s.n, degree, static_cast<int>(weights.size()), in.cube(),
                          out.cube(), nullptr);
  });
}

namespace {

std::string text(const Matrix &rows) {
  std::string all;
  for (const auto &row : rows)
    all += (all.empty() ? "" : ", ") + sweeps::text(row);
  return all;
}

/// Up to rounding and to the sign of 0: sweeps of first order compute partial derivatives, those of
/// Taylor polynomials may do otherwise.
bool close(const std::vector<double> &a, const std::vector<double> &b, double size) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [size](double x, double y) {
    return x == y || (x != x && y != y) || std::fabs(x - y) <= 1e-12 * (std::fabs(y) + size);
  });
}

/// Numbers of curves and of weights: one, some, as many as interpreters take at once, and more.
constexpr std::size_t laneCounts[] = {1, 3, 8, 11};
/// The first `count` ones, over and over.
template <class T> std::vector<T> cycled(const std::vector<T> &all, std::size_t count) {
  std::vector<T> some;
  for (std::size_t l = 0; l < count; ++l)
    some.push_back(all[l % all.size()]);
  return some;
}
int minimum(const std::vector<int> &codes) { return *std::min_element(codes.begin(), codes.end()); }

/// Runs the sweeps at one point.
class TaylorCheck {
public:
  TaylorCheck(const Shape &s, const std::vector<double> &x, const Cube &curves,
              const Matrix &weights, const Cube &polynomials, const Expectations &expected,
              const std::string &where, Checks &checks)
      : s_(s), x_(x), curves_(curves), weights_(weights), polynomials_(polynomials),
        expected_(expected), where_(where), checks_(checks),
        degree_(static_cast<int>(curves[0][0].size())) {}

  TaylorResult run() {
    for (std::size_t l = 0; l < curves_.size(); ++l)
      forward(l);
    for (const std::size_t p : laneCounts)
      vectorForward(p);
    if (minimum(r_.forwardCodes) < 0)
      return std::move(r_);
    for (std::size_t l = 0; l < curves_.size(); ++l)
      reverse(l);
    for (const std::size_t p : laneCounts)
      vectorReverse(p);
    return std::move(r_);
  }

private:
  template <class Message> void check(bool ok, const Message &message) {
    checks_.check(ok, [&] { return where_ + message(); });
  }
  bool like(const std::vector<double> &given, const std::vector<double> &firstOrder) const {
    return !expected_.likeFirstOrder || close(given, firstOrder, expected_.size);
  }
  std::string along(std::size_t l) const { return " along " + text(curves_[l % curves_.size()]); }
  void compare(const Matrix &given, const Matrix &expected, const std::string &sweep,
               const std::string &other) {
    check(same(given, expected),
          [&] { return sweep + " has " + text(given) + ", " + other + ' ' + text(expected); });
  }
  void compareCodes(int given, int expected, const std::string &sweep) {
    check(given == expected, [&] {
      return sweep + " returns " + std::to_string(given) + ", not " + std::to_string(expected);
    });
  }

  void forward(std::size_t l) {
    const Matrix &curve = curves_[l];
    const TaylorForward f = hos(s_, 0, x_, curve, degree_);
    r_.forwardCodes.push_back(f.code);
    r_.dy.push_back(f.dy);
    const Forward zos = sweeps::zos(s_, 0, x_);
    r_.y = zos.y;
    check(same(f.y, zos.y), [&] { return "hos_forward has the values " + sweeps::text(f.y); });
    const Forward fos = sweeps::fos(s_, 0, x_, column(curve, 0));
    const TaylorForward one = hos(s_, 0, x_, curve, 1);
    check(like(column(one.dy, 0), column(fos.dy, 0)), [&] {
      return "hos_forward of degree 1" + along(l) + " has " + text(one.dy) + ", fos_forward " +
             text(fos.dy);
    });
    compareCodes(one.code, fos.code, "hos_forward of degree 1" + along(l));
    const TaylorForward zero = hos(s_, 0, x_, curve, 0);
    check(same(zero.y, zos.y), [&] { return "hos_forward of degree 0 has other values"; });
    compareCodes(zero.code, zos.code, "hos_forward of degree 0");
    for (int keep : {1, degree_ / 2 + 1, degree_ + 1}) {
      const std::string sweep = "hos_forward keep " + std::to_string(keep) + along(l);
      const TaylorForward kept = hos(s_, keep, x_, curve, degree_);
      compare(kept.dy, f.dy, sweep, "without keep");
      compareCodes(kept.code, f.code, sweep);
    }
    if (!expected_.smooth || f.code < 0)
      return;
    for (int d = 2; d < degree_; ++d)
      compare(hos(s_, 0, x_, curve, d).dy, columns(f.dy, static_cast<std::size_t>(d)),
              "hos_forward of degree " + std::to_string(d) + along(l),
              "of degree " + std::to_string(degree_));
  }

  void vectorForward(std::size_t p) {
    const Cube some = cycled(curves_, p), expected = cycled(r_.dy, p);
    const int code = minimum(cycled(r_.forwardCodes, p));
    const auto agrees = [&](const TaylorLanes &f, const std::string &sweep) {
      compareCodes(f.code, code, sweep);
      check(same(f.y, r_.y), [&] { return sweep + " has the values " + sweeps::text(f.y); });
      for (std::size_t l = 0; l < p; ++l)
        compare(f.dy[l], expected[l], sweep + along(l), "hos_forward");
    };
    const std::string number = " p = " + std::to_string(p);
    agrees(hov(s_, x_, some, degree_), "hov_forward" + number);
    for (int keep : {0, degree_ / 2, degree_ + 1})
      agrees(hovKeep(s_, keep, x_, some, degree_),
             "hov_wk_forward keep " + std::to_string(keep) + number);
    const Forward fov = sweeps::fov(s_, static_cast<int>(p), x_, firstCoefficients(some));
    const TaylorLanes one = hov(s_, x_, some, 1);
    compareCodes(one.code, fov.code, "hov_forward of degree 1" + number);
    for (std::size_t l = 0; l < p; ++l)
      check(like(column(one.dy[l], 0), column(fov.dy, l)), [&] {
        return "hov_forward of degree 1" + number + along(l) + " has " + text(one.dy[l]) +
               ", fov_forward " + sweeps::text(column(fov.dy, l));
      });
  }
  Matrix firstCoefficients(const Cube &some) const {
    Matrix seeds(static_cast<std::size_t>(s_.n));
    for (std::size_t i = 0; i < seeds.size(); ++i)
      for (const Matrix &curve : some)
        seeds[i].push_back(curve[i][0]);
    return seeds;
  }

  void reverse(std::size_t l) {
    const std::size_t q = weights_.size();
    hos(s_, degree_ + 1, x_, curves_[l], degree_);
    r_.z.emplace_back();
    r_.zTi.emplace_back();
    r_.reverseCodes.emplace_back();
    std::vector<int> tiCodes;
    for (std::size_t w = 0; w < q; ++w) {
      const std::string forWeights = along(l) + " for weights " + sweeps::text(weights_[w]);
      const TaylorReverse one = hosReverse(s_, degree_, weights_[w]);
      r_.z[l].push_back(one.z[0]);
      r_.reverseCodes[l].push_back(one.code);
      const TaylorReverse constant =
          hosTiReverse(s_, degree_, asPolynomials(weights_[w], static_cast<std::size_t>(degree_)));
      compare(constant.z[0], one.z[0], "hos_ti_reverse, constant weights" + forWeights,
              "hos_reverse");
      compareCodes(constant.code, one.code, "hos_ti_reverse, constant weights" + forWeights);
      const Reverse fos = sweeps::fos(s_, weights_[w]);
      const TaylorReverse zero = hosReverse(s_, 0, weights_[w]);
      check(like(column(zero.z[0], 0), fos.z[0]), [&] {
        return "hos_reverse of degree 0" + forWeights + " has " + text(zero.z[0]) +
               ", fos_reverse " + sweeps::text(fos.z[0]);
      });
      compareCodes(zero.code, fos.code, "hos_reverse of degree 0" + forWeights);
      const TaylorReverse ti = hosTiReverse(s_, degree_, polynomials_[w]);
      r_.zTi[l].push_back(ti.z[0]);
      tiCodes.push_back(ti.code);
      for (const int d : {1, degree_ / 2, degree_ - 1})
        if (expected_.smooth && d > 0 && d < degree_)
          compare(hosReverse(s_, d, weights_[w]).z[0],
                  columns(one.z[0], static_cast<std::size_t>(d) + 1),
                  "hos_reverse of degree " + std::to_string(d) + forWeights,
                  "of degree " + std::to_string(degree_));
      if (expected_.series)
        duality(l, w, forWeights);
    }
    nested(l);
    for (const std::size_t count : laneCounts) {
      const std::string number = " q = " + std::to_string(count) + along(l);
      const TaylorReverse all = hovReverse(s_, degree_, cycled(weights_, count));
      const TaylorReverse allTi = hovTiReverse(s_, degree_, cycled(polynomials_, count));
      for (std::size_t w = 0; w < count; ++w) {
        compare(all.z[w], r_.z[l][w % q], "hov_reverse" + number, "hos_reverse");
        compare(allTi.z[w], r_.zTi[l][w % q], "hov_ti_reverse" + number, "hos_ti_reverse");
      }
      compareCodes(all.code, minimum(cycled(r_.reverseCodes[l], count)), "hov_reverse" + number);
      compareCodes(allTi.code, minimum(cycled(tiCodes, count)), "hov_ti_reverse" + number);
    }
  }

  /// Results are added to what is there.
  template <class Sweep>
  void added(const Cube &plain, const Sweep &sweep, const std::string &name) {
    nestedReverseEval(s_.tag, true);
    const Cube z = sweep(1.0).z;
    nestedReverseEval(s_.tag, false);
    bool right = true;
    for (std::size_t w = 0; w < z.size(); ++w)
      for (std::size_t i = 0; i < z[w].size(); ++i)
        for (std::size_t k = 0; k < z[w][i].size(); ++k) {
          const double given = z[w][i][k], expected = plain[w][i][k] + 1.0;
          right = right && (given == expected || (given != given && expected != expected));
        }
    check(right, [&] {
      return "nested " + name + " makes " + text(z[0]) + " of ones and " + text(plain[0]);
    });
  }
  void nested(std::size_t l) {
    const std::vector<double> &u = weights_[0];
    added(
        {r_.z[l][0]}, [&](double z) { return hosReverse(s_, degree_, u, z); },
        "hos_reverse" + along(l));
    added(
        {r_.zTi[l][0]}, [&](double z) { return hosTiReverse(s_, degree_, polynomials_[0], z); },
        "hos_ti_reverse" + along(l));
    added(
        r_.z[l], [&](double z) { return hovReverse(s_, degree_, weights_, z); },
        "hov_reverse" + along(l));
    added(
        r_.zTi[l], [&](double z) { return hovTiReverse(s_, degree_, polynomials_, z); },
        "hov_ti_reverse" + along(l));
  }

  /// The derivative of uᵀy(t) is z(t)ᵀ times that of x(t), for polynomials u, too: there z is the
  /// product of u and the adjoints of constant weights.
  void duality(std::size_t l, std::size_t w, const std::string &forWeights) {
    const Matrix &x = curves_[l], &dy = r_.dy[l], &z = r_.z[l][w];
    double largest = expected_.size;
    for (std::size_t k = 1; k <= static_cast<std::size_t>(degree_); ++k) {
      double forward = 0.0, backward = 0.0, terms = 0.0;
      const auto add = [&](double &sum, double term) {
        sum += term;
        terms += std::fabs(term);
      };
      for (std::size_t j = 0; j < dy.size(); ++j)
        if (weights_[w][j] != 0.0)
          add(forward, static_cast<double>(k) * weights_[w][j] * dy[j][k - 1]);
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 1; j <= k; ++j)
          if (x[i][j - 1] != 0.0)
            add(backward, static_cast<double>(j) * x[i][j - 1] * z[i][k - j]);
      largest = std::max(largest, terms);
      if (!std::isfinite(terms))
        return; // an overflow
      check(std::fabs(forward - backward) <= expected_.tolerance * largest, [&] {
        return "coefficient " + std::to_string(k) + forWeights + ": forward " +
               sweeps::text(forward) + ", in reverse " + sweeps::text(backward) + ", terms " +
               sweeps::text(largest);
      });
    }
  }

  void vectorReverse(std::size_t p) {
    const Cube some = cycled(curves_, p);
    hovKeep(s_, degree_ + 1, x_, some, degree_);
    for (std::size_t w = 0; w < weights_.size(); ++w) {
      const TaylorReverse constant =
          hosOvReverse(s_, degree_, static_cast<int>(p),
                       asPolynomials(weights_[w], static_cast<std::size_t>(degree_)));
      const TaylorReverse ti = hosOvReverse(s_, degree_, static_cast<int>(p), polynomials_[w]);
      int code = 3;
      for (std::size_t l = 0; l < p; ++l) {
        const std::string sweep = "hos_ov_reverse p = " + std::to_string(p) + along(l);
        const std::size_t curve = l % curves_.size();
        compare(constant.z[l], r_.z[curve][w], sweep, "hos_reverse");
        compare(ti.z[l], r_.zTi[curve][w], sweep, "hos_ti_reverse");
        code = std::min(code, r_.reverseCodes[curve][w]);
      }
      compareCodes(constant.code, code, "hos_ov_reverse p = " + std::to_string(p));
      added(
          ti.z,
          [&](double z) {
            return hosOvReverse(s_, degree_, static_cast<int>(p), polynomials_[w], z);
          },
          "hos_ov_reverse p = " + std::to_string(p));
    }
  }

  const Shape &s_;
  const std::vector<double> &x_;
  const Cube &curves_;
  const Matrix &weights_;
  const Cube &polynomials_;
  const Expectations &expected_;
  const std::string &where_;
  Checks &checks_;
  const int degree_;
  TaylorResult r_;
};

} // namespace

TaylorResult runAllTaylor(const Shape &s, const std::vector<double> &x, const Cube &curves,
                          const Matrix &weights, const Cube &polynomials,
                          const Expectations &expected, const std::string &where, Checks &checks) {
  return TaylorCheck(s, x, curves, weights, polynomials, expected, where, checks).run();
}

namespace {

/// Fixed numbers in ±[¼, 1], other ones for other places.
double coefficient(std::size_t i, std::size_t k, std::size_t curve) {
  const std::size_t mixed = (i * 7919 + k * 104729 + curve * 1299709 + 12345) * 2654435761u;
  const double size = 0.25 + 0.75 * static_cast<double>(mixed >> 9 & 1023) / 1023.0;
  return (mixed >> 20 & 1) != 0 ? -size : size;
}

double usualCoefficient(std::size_t curve, std::size_t i, std::size_t n, std::size_t k) {
  const double c = std::ldexp(coefficient(i, k, curve), 1 - static_cast<int>(k));
  switch (curve) {
  case line:
    return k == 1 ? c : 0.0;
  case secondOrder:
    return k == 1 ? 0.0 : c;
  case first:
    return i == 0 ? c : 0.0;
  case last:
    return i + 1 == n ? c : 0.0;
  case rest:
    return 0.0;
  case odd:
    return k % 2 == 0 ? 0.0 : c;
  default:
    return c;
  }
}

} // namespace

Cube usualCurves(const std::vector<double> &scales, std::size_t degree) {
  Cube curves(kUsualCurves, Matrix(scales.size()));
  for (std::size_t l = 0; l < kUsualCurves; ++l)
    for (std::size_t i = 0; i < scales.size(); ++i)
      for (std::size_t k = 1; k <= degree; ++k)
        curves[l][i].push_back(scales[i] * usualCoefficient(l, i, scales.size(), k));
  return curves;
}

Cube usualPolynomials(std::size_t q, int m, int degree) {
  Cube u = cube(q, m, degree + 1, 0.0);
  for (std::size_t w = 0; w < q; ++w)
    for (std::size_t j = 0; j < u[w].size(); ++j)
      for (std::size_t k = w == 1 ? 2 : 0; k < u[w][j].size(); ++k)
        u[w][j][k] = coefficient(j + 17, k, w);
  return u;
}

} // namespace sweeps
