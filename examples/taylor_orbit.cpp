// SPDX-License-Identifier: MIT
//
// Integration of an ordinary differential equation by its Taylor series: the
// periodic orbit of Arenstorf in the plane restricted problem of three bodies
// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section
// II.0). A light body flies around the earth in large loops and comes very
// close to the moon, where it starts; in coordinates that rotate with both
//
//     x'' = x + 2 y' - (1 - mu) (x + mu) / r1^3 - mu (x - (1 - mu)) / r2^3
//     y'' = y - 2 x' - (1 - mu)  y       / r1^3 - mu  y             / r2^3
//
// with the distances r1 from the earth and r2 from the moon.
//
// The right-hand side is recorded once. From then on `forode` gives as many
// Taylor coefficients of the solution as are asked for, at any point, and goes
// on from those that are there. Steps and degrees follow Jorba and Zou (A
// software package for the numerical integration of ODEs by means of
// high-order Taylor methods, Experimental Mathematics 14, 2005): a step is so
// long that the last two coefficients contribute no more than the tolerance;
// the degree grows as long as that pays.
//
// usage: taylor_orbit [picture.svg]

#include <adolc/adolc.h>
#include <adolc/drivers/odedrivers.h>

#include "check.h"

#include <limits>
#include <utility>

namespace {

constexpr short tag = 1;
constexpr int unknowns = 4; // x, y, x', y'
constexpr double mu = 0.012277471;
constexpr double start[unknowns] = {0.994, 0.0, 0.0, -2.00158510637908252240537862224};
constexpr double period = 17.0652165601579625588917206249;

void record() {
  trace_on(tag);
  {
    adouble x, y, vx, vy;
    x <<= start[0], y <<= start[1], vx <<= start[2], vy <<= start[3];
    const adouble earth = (x + mu) * (x + mu) + y * y;
    const adouble moon = (x - (1.0 - mu)) * (x - (1.0 - mu)) + y * y;
    const adouble pull1 = (1.0 - mu) / (earth * sqrt(earth));
    const adouble pull2 = mu / (moon * sqrt(moon));
    adouble slopes[unknowns] = {vx, vy, x + 2.0 * vy - pull1 * (x + mu) - pull2 * (x - (1.0 - mu)),
                                y - 2.0 * vx - pull1 * y - pull2 * y};
    for (adouble &slope : slopes) {
      double ignored = 0.0;
      slope >>= ignored;
    }
  }
  trace_off();
}

// A polynomial per unknown, in the time since the step began.
class Expansion {
public:
  static constexpr int highest = 40; // degree

  explicit Expansion(const double *at) : coefficients_(unknowns, highest + 1) {
    for (std::size_t i = 0; i < unknowns; ++i)
      coefficients_(i, 0) = at[i];
  }

  [[nodiscard]] int degree() const { return degree_; }

  // Goes on from the coefficients that are known.
  bool extend(int degree) {
    const int code = forode(tag, unknowns, 1.0, degree_, degree, coefficients_.rows());
    degree_ = degree;
    return code >= 0;
  }

  // How long the last two terms stay below the tolerance, which is relative to
  // the largest unknown if that is above one.
  [[nodiscard]] double step(double tolerance) const {
    const double limit = tolerance * std::max(1.0, norm(0));
    double result = std::numeric_limits<double>::infinity();
    for (const int k : {degree_ - 1, degree_})
      result = std::min(result, std::pow(limit / norm(k), 1.0 / k));
    return result;
  }

  // Horner's rule.
  void evaluate(double time, double *values) const {
    for (std::size_t i = 0; i < unknowns; ++i) {
      values[i] = 0.0;
      for (int k = degree_; k >= 0; --k)
        values[i] = values[i] * time + coefficients_(i, static_cast<std::size_t>(k));
    }
  }

private:
  [[nodiscard]] double norm(int k) const {
    double result = 0.0;
    for (std::size_t i = 0; i < unknowns; ++i)
      result = example::worse(result, std::abs(coefficients_(i, static_cast<std::size_t>(k))));
    return result;
  }

  example::Matrix coefficients_;
  int degree_ = 0;
};

struct Orbit {
  double closure = 0.0;                    // largest difference of an unknown after one period
  double energy = 0.0;                     // largest change of Jacobi's integral
  double crossing = 0.0;                   // y and x' after half a period: both are 0 there
  double shortest = period, longest = 0.0; // steps
  int steps = 0, low = Expansion::highest, high = 0; // degrees
  std::vector<std::pair<double, double>> path;
};

// Constant along every solution: twice the energy in rotating coordinates.
double jacobi_integral(const double *s) {
  const double r1 = std::hypot(s[0] + mu, s[1]), r2 = std::hypot(s[0] - (1.0 - mu), s[1]);
  return s[0] * s[0] + s[1] * s[1] + 2.0 * (1.0 - mu) / r1 + 2.0 * mu / r2 - s[2] * s[2] -
         s[3] * s[3];
}

// Degrees grow by two while that gains time per work: forode sweeps once per
// degree, and a sweep of degree d takes a time that grows as d^2.
bool expand(Expansion &expansion, double tolerance) {
  constexpr int lowest = 6;
  const auto progress = [&] { return expansion.step(tolerance) / std::pow(expansion.degree(), 3); };
  if (!expansion.extend(lowest))
    return false;
  double before = 0.0, now = progress();
  while (now > before && expansion.degree() + 2 <= Expansion::highest) {
    if (!expansion.extend(expansion.degree() + 2))
      return false;
    before = std::exchange(now, progress());
  }
  return true;
}

Orbit integrate(double tolerance, bool draw, example::Checks &checks) {
  Orbit orbit;
  double state[unknowns];
  std::copy(std::begin(start), std::end(start), state);
  const double constant = jacobi_integral(start);
  for (double time = 0.0; time < period; ++orbit.steps) {
    Expansion expansion(state);
    if (orbit.steps == 100'000 || !expand(expansion, tolerance)) {
      checks.require("integration", false);
      break;
    }
    const double left = period - time, wanted = expansion.step(tolerance);
    const double step = std::min(left, wanted);
    // The expansion is the solution everywhere within the step.
    const double half = 0.5 * period - time;
    if (half >= 0.0 && half < step) {
      expansion.evaluate(half, state);
      orbit.crossing = std::max(std::abs(state[1]), std::abs(state[2]));
    }
    constexpr int pieces = 16;
    for (int k = 0; draw && k < pieces; ++k) {
      expansion.evaluate(step * k / pieces, state);
      orbit.path.emplace_back(state[0], state[1]);
    }
    expansion.evaluate(step, state);
    time = step == left ? period : time + step;
    orbit.energy = example::worse(orbit.energy, std::abs(jacobi_integral(state) - constant));
    orbit.shortest = std::min(orbit.shortest, wanted);
    orbit.longest = std::max(orbit.longest, wanted);
    orbit.low = std::min(orbit.low, expansion.degree());
    orbit.high = std::max(orbit.high, expansion.degree());
  }
  for (std::size_t i = 0; i < unknowns; ++i)
    orbit.closure = example::worse(orbit.closure, std::abs(state[i] - start[i]));
  return orbit;
}

bool write_picture(const char *name, const Orbit &orbit) {
  std::FILE *const file = std::fopen(name, "w");
  if (!file)
    return false;
  std::fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\" height=\"600\" "
                     "viewBox=\"-1.4 -1.4 2.8 2.8\">\n"
                     "<rect x=\"-1.4\" y=\"-1.4\" width=\"2.8\" height=\"2.8\" fill=\"white\"/>\n"
                     "<path fill=\"none\" stroke=\"black\" stroke-width=\"0.006\" d=\"");
  for (std::size_t k = 0; k < orbit.path.size(); ++k)
    std::fprintf(file, "%c%.5f %.5f", k ? 'L' : 'M', orbit.path[k].first, -orbit.path[k].second);
  std::fprintf(file, "Z\"/>\n<circle cx=\"%g\" cy=\"0\" r=\"0.03\"/>\n", -mu);
  std::fprintf(file, "<circle cx=\"%g\" cy=\"0\" r=\"0.012\"/>\n</svg>\n", 1.0 - mu);
  return std::fclose(file) == 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 2) {
    std::fprintf(stderr, "usage: %s [picture.svg]\n", argv[0]);
    return 2;
  }
  example::Checks checks;
  record();
  std::printf("Arenstorf's orbit by Taylor series, %zu operations recorded\n\n",
              example::tape_size(tag).operations);
  std::printf("  tolerance  steps     shortest  longest  degrees  closure  energy\n");
  Orbit finest;
  for (const double tolerance : {1e-6, 1e-10, 1e-13, 1e-16}) {
    finest = integrate(tolerance, argc == 2 && tolerance == 1e-16, checks);
    std::printf("  %9.0e  %5d  %11.2e  %7.3f  %2d to %2d  %7.1e  %6.0e\n", tolerance, finest.steps,
                finest.shortest, finest.longest, finest.low, finest.high, finest.closure,
                finest.energy);
  }
  std::printf("\n");
  checks.below("after one period: distance from the start", finest.closure, 1e-9);
  checks.below("after half a period: y and x', which vanish", finest.crossing, 1e-9);
  checks.below("change of Jacobi's integral", finest.energy, 1e-11);
  if (argc == 2)
    checks.require("picture", write_picture(argv[1], finest));
  return checks.exit_code();
}
