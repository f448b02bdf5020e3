// SPDX-License-Identifier: MIT
//
// Minimisation by Newton's method with exact Hessians. Each objective is
// recorded once; gradient and Hessian at every iterate come from that tape
// through the drivers `gradient` and `hessian`. Three problems:
//
//   - Wood's function from its standard starting point (More, Garbow,
//     Hillstrom, Testing Unconstrained Optimization Software, 1981);
//   - Rosenbrock's function, chained over 50 variables;
//   - maximum likelihood: the probability that a booster seal of the Space
//     Shuttle is damaged, as a logistic function of the temperature at launch,
//     from the 23 flights before the Challenger's last (Dalal, Fowlkes,
//     Hoadley, Journal of the American Statistical Association 84, 1989). The
//     inverse of the Hessian gives the standard errors.
//
// Far from the minimum the Hessian may be indefinite. A multiple of the
// identity is added then until it has a Cholesky factor, and steps are halved
// until they descend. Close to it neither happens, and the number of correct
// digits doubles with every iteration. Steepest descent shows the difference.

#include <adolc/adolc.h>

#include "check.h"

namespace {

using Vector = std::vector<double>;
using example::Matrix;

struct Flight {
  double temperature; // degrees Fahrenheit
  int damaged;
};
constexpr Flight flights[] = {{66, 0}, {70, 1}, {69, 0}, {68, 0}, {67, 0}, {72, 0},
                              {73, 0}, {70, 0}, {57, 1}, {63, 1}, {70, 1}, {78, 0},
                              {67, 0}, {53, 1}, {67, 0}, {75, 0}, {70, 0}, {81, 0},
                              {76, 0}, {79, 0}, {75, 1}, {76, 0}, {58, 1}};

adouble wood(const std::vector<adouble> &x) {
  const adouble a = x[1] - x[0] * x[0], b = 1.0 - x[0], c = x[3] - x[2] * x[2], d = 1.0 - x[2];
  const adouble e = x[1] + x[3] - 2.0, f = x[1] - x[3];
  return 100.0 * (a * a) + b * b + 90.0 * (c * c) + d * d + 10.0 * (e * e) + 0.1 * (f * f);
}

adouble chained_rosenbrock(const std::vector<adouble> &x) {
  adouble sum = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const adouble valley = x[i + 1] - x[i] * x[i], distance = 1.0 - x[i];
    sum += 100.0 * (valley * valley) + distance * distance;
  }
  return sum;
}

// The negative logarithm of the likelihood: sum of log(1 + exp(z)) - damaged z.
adouble seals(const std::vector<adouble> &b) {
  adouble sum = 0.0;
  for (const Flight &flight : flights) {
    const adouble z = b[0] + b[1] * flight.temperature;
    sum += log(1.0 + exp(z));
    if (flight.damaged)
      sum -= z;
  }
  return sum;
}

// An objective on a tape.
class Objective {
public:
  Objective(short tag, adouble (*f)(const std::vector<adouble> &), const Vector &at)
      : tag_(tag), size_(static_cast<int>(at.size())) {
    trace_on(tag_);
    {
      std::vector<adouble> x(at.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] <<= at[i];
      double ignored = 0.0;
      adouble y = f(x);
      y >>= ignored;
    }
    trace_off();
  }

  [[nodiscard]] double value(const Vector &x) const {
    Vector point = x;
    double y = 0.0;
    return function(tag_, 1, size_, point.data(), &y) < 0 ? std::nan("") : y;
  }
  bool gradient(const Vector &x, Vector &g) const {
    return ::gradient(tag_, size_, x.data(), g.data()) >= 0;
  }
  // Only the lower triangle is written.
  bool hessian(const Vector &x, Matrix &h) const {
    Vector point = x;
    return ::hessian(tag_, size_, point.data(), h.rows()) >= 0;
  }
  // The product of the Hessian and a vector, at the cost of a few gradients.
  bool hessian_times(const Vector &x, const Vector &v, Vector &w) const {
    Vector point = x, direction = v;
    return hess_vec(tag_, size_, point.data(), direction.data(), w.data()) >= 0;
  }

private:
  short tag_;
  int size_;
};

double dot(const Vector &a, const Vector &b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

// Replaces the lower triangle of H by that of L, H + shift I = L L^T. False if
// that is not positive definite.
bool factorise(Matrix &h, double shift) {
  for (std::size_t j = 0; j < h.row_count(); ++j) {
    double pivot = h(j, j) + shift;
    for (std::size_t k = 0; k < j; ++k)
      pivot -= h(j, k) * h(j, k);
    if (!(pivot > 0.0))
      return false;
    h(j, j) = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < h.row_count(); ++i) {
      for (std::size_t k = 0; k < j; ++k)
        h(i, j) -= h(i, k) * h(j, k);
      h(i, j) /= h(j, j);
    }
  }
  return true;
}

// Solves L L^T x = b in place.
void solve(const Matrix &l, Vector &b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      b[i] -= l(i, k) * b[k];
    b[i] /= l(i, i);
  }
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k)
      b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
}

// Moves x along p, by 1, 1/2, 1/4 ... of it, until the value descends by a
// part of what the slope promises. Returns the part of p, 0 if none is found.
double descend(const Objective &objective, Vector &x, const Vector &p, double slope) {
  const double before = objective.value(x);
  for (double part = 1.0; part > 1e-18; part *= 0.5) {
    Vector trial = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      trial[i] += part * p[i];
    // Close to the minimum the value changes by less than its rounding error.
    const double noise = 1e-15 * std::abs(before);
    if (objective.value(trial) <= before + 1e-4 * part * slope + noise) {
      x = trial;
      return part;
    }
  }
  return 0.0;
}

struct Minimum {
  Vector x;
  std::vector<double> sizes; // of the gradient at every iterate
  int shifted = 0, shortened = 0;
  bool converged = false;
};

// The Newton step, which it leaves in p, and whether H had to be shifted.
bool newton_step(const Objective &objective, const Vector &x, Vector &p, bool &shifted) {
  Matrix h(x.size(), x.size());
  for (double shift = 0.0; shift < 1e100; shift = std::max(1e-2, 4.0 * shift)) {
    if (!objective.hessian(x, h))
      return false;
    if (factorise(h, shift)) {
      solve(h, p);
      shifted = shift > 0.0;
      return true;
    }
  }
  return false;
}

Minimum minimise(const Objective &objective, const Vector &start, double tolerance) {
  Minimum result;
  result.x = start;
  Vector g(start.size());
  for (int step = 0; step < 1000; ++step) {
    if (!objective.gradient(result.x, g))
      return result;
    result.sizes.push_back(std::sqrt(dot(g, g)));
    if (result.sizes.back() <= tolerance) {
      result.converged = true;
      return result;
    }
    Vector p(g.size());
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = -g[i];
    bool shifted = false;
    if (!newton_step(objective, result.x, p, shifted))
      return result;
    const double part = descend(objective, result.x, p, dot(g, p));
    if (part == 0.0)
      return result;
    result.shifted += shifted;
    result.shortened += part < 1.0;
  }
  return result;
}

// The same with the gradient alone: how many steps, at most `limit`.
int steepest_descent(const Objective &objective, Vector x, double tolerance, int limit) {
  Vector g(x.size()), p(x.size());
  for (int step = 0; step < limit; ++step) {
    if (!objective.gradient(x, g) || std::sqrt(dot(g, g)) <= tolerance)
      return step;
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = -g[i];
    if (descend(objective, x, p, dot(g, p)) == 0.0)
      return step;
  }
  return limit;
}

// The Hessian against hess_vec along one direction.
double product_error(const Objective &objective, const Vector &x) {
  const std::size_t n = x.size();
  Matrix h(n, n);
  Vector v(n), w(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = std::cos(static_cast<double>(i));
  if (!objective.hessian(x, h) || !objective.hessian_times(x, v, w))
    return std::nan("");
  double result = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0, scale = 1.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double term = (j <= i ? h(i, j) : h(j, i)) * v[j];
      sum += term;
      scale += std::abs(term);
    }
    result = example::worse(result, std::abs(w[i] - sum) / scale);
  }
  return result;
}

void report(const char *name, const Objective &objective, const Vector &start,
            const Minimum &minimum, example::Checks &checks) {
  constexpr int limit = 10'000;
  const std::size_t shown = std::min<std::size_t>(minimum.sizes.size(), 6);
  std::printf("%s\n  %zu Newton steps, %d with a shifted Hessian, %d shortened\n  |gradient| ends",
              name, minimum.sizes.size() - 1, minimum.shifted, minimum.shortened);
  for (std::size_t k = minimum.sizes.size() - shown; k < minimum.sizes.size(); ++k)
    std::printf(" %.0e", minimum.sizes[k]);
  const int steps = steepest_descent(objective, start, 1e-4, limit);
  std::printf("\n  steepest descent to 1e-4: %s%d steps\n", steps == limit ? "more than " : "",
              steps);
  checks.require("Newton's method converges", minimum.converged);
  checks.below("Hessian times vector against hess_vec", product_error(objective, start), 1e-14);
}

// The largest |g_next| / |g|^2 of the last steps, without those at the level of
// rounding. If convergence were linear, this would grow as 1 / |g|.
double quadratic_constant(const std::vector<double> &sizes) {
  double result = 0.0;
  for (std::size_t k = sizes.size(); k-- > 1;)
    if (sizes[k] > 1e-10 && sizes[k - 1] < 1e-1)
      result = std::max(result, sizes[k] / (sizes[k - 1] * sizes[k - 1]));
  return result;
}

double distance_from_ones(const Vector &x) {
  double result = 0.0;
  for (const double xi : x)
    result = example::worse(result, std::abs(xi - 1.0));
  return result;
}

void problem_with_minimum_at_ones(short tag, const char *name,
                                  adouble (*f)(const std::vector<adouble> &), const Vector &start,
                                  example::Checks &checks) {
  const Objective objective(tag, f, start);
  const Minimum minimum = minimise(objective, start, 1e-11);
  report(name, objective, start, minimum, checks);
  checks.below("quadratic convergence: constant", quadratic_constant(minimum.sizes), 1e3);
  checks.below("distance from the minimum (1, ..., 1)", distance_from_ones(minimum.x), 1e-12);
}

void seals_problem(example::Checks &checks) {
  // What every statistics program gives for these data, to four decimals.
  constexpr double published[] = {15.0429, -0.2322}, published_errors[] = {7.3786, 0.1082};
  constexpr double published_deviance = 20.315;
  const Vector start{0.0, 0.0};
  const Objective objective(3, seals, start);
  const Minimum minimum = minimise(objective, start, 1e-9);
  report("Damage of seals, maximum likelihood", objective, start, minimum, checks);

  Matrix h(2, 2);
  checks.require("Hessian", objective.hessian(minimum.x, h) && factorise(h, 0.0));
  double worst = 0.0, worst_error = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    Vector unit(2);
    unit[i] = 1.0;
    solve(h, unit);
    const double error = std::sqrt(unit[i]);
    std::printf("  %-11s %8.4f, standard error %.4f\n", i ? "temperature" : "constant",
                minimum.x[i], error);
    worst = example::worse(worst, std::abs(minimum.x[i] - published[i]));
    worst_error = example::worse(worst_error, std::abs(error - published_errors[i]));
  }
  const double cold = 31.0, risk = 1.0 / (1.0 + std::exp(-minimum.x[0] - cold * minimum.x[1]));
  std::printf("  at %.0f F, the Challenger's last launch: probability of damage %.4f\n", cold,
              risk);
  checks.below("parameters against published ones", worst, 5e-5);
  checks.below("standard errors against published ones", worst_error, 5e-5);
  checks.below("deviance against the published one",
               std::abs(2.0 * objective.value(minimum.x) - published_deviance), 5e-4);
}

} // namespace

int main() {
  example::Checks checks;
  problem_with_minimum_at_ones(1, "Wood's function", wood, {-3.0, -1.0, -3.0, -1.0}, checks);
  problem_with_minimum_at_ones(2, "Rosenbrock's function of 50 variables", chained_rosenbrock,
                               Vector(50, 0.0), checks);
  seals_problem(checks);
  return checks.exit_code();
}
