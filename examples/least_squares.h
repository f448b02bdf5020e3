// SPDX-License-Identifier: MIT
//
// Non-linear least squares, minimise |r(b)|^2, for nist_regression.cpp:
// Levenberg-Marquardt steps until the iterate is close to the solution, then
// undamped Gauss-Newton steps until the *step* is at rounding level. Stopping
// on the sum of squares would lose half of the digits, because near its minimum
// the sum of squares changes only with the square of the distance.
//
// All linear least squares problems are solved by Householder QR of the
// column-scaled Jacobian; J^T J, which squares the condition number, is never
// formed.
#ifndef ADOLC_EXAMPLES_LEAST_SQUARES_H
#define ADOLC_EXAMPLES_LEAST_SQUARES_H

#include "check.h"

#include <limits>

namespace example {

inline double sum_of_squares(const std::vector<double> &v) {
  double sum = 0.0;
  for (double x : v)
    sum += x * x;
  return sum;
}

// Reduces (A | c) to (R | Q^T c) by Householder reflections. R is left in the
// upper triangle of A; what is below the diagonal afterwards is meaningless.
inline void triangularise(Matrix &a, std::vector<double> &c) {
  const std::size_t m = a.row_count(), n = a.col_count();
  for (std::size_t k = 0; k < n; ++k) {
    double norm = 0.0;
    for (std::size_t i = k; i < m; ++i)
      norm += a(i, k) * a(i, k);
    if (norm == 0.0)
      continue;
    // The sign of the new diagonal entry avoids cancellation in v = a_k -
    // alpha e_k; the reflection is I + v v^T / (alpha v_k).
    const double alpha = a(k, k) > 0.0 ? -std::sqrt(norm) : std::sqrt(norm);
    a(k, k) -= alpha;
    const double scale = alpha * a(k, k);
    for (std::size_t j = k + 1; j <= n; ++j) { // j == n stands for c
      double dot = 0.0;
      for (std::size_t i = k; i < m; ++i)
        dot += a(i, k) * (j < n ? a(i, j) : c[i]);
      for (std::size_t i = k; i < m; ++i)
        (j < n ? a(i, j) : c[i]) += dot / scale * a(i, k);
    }
    a(k, k) = alpha;
  }
}

// Writes J D^-1 into the first rows of a.
inline void copy_scaled(const Matrix &jac, const std::vector<double> &scale, Matrix &a) {
  for (std::size_t i = 0; i < jac.row_count(); ++i)
    for (std::size_t j = 0; j < jac.col_count(); ++j)
      a(i, j) = jac(i, j) / scale[j];
}

// The step p that minimises |J p + r|^2 + mu |D p|^2, D diagonal.
// mu = 0 gives the Gauss-Newton step.
inline std::vector<double> damped_step(const Matrix &jac, const std::vector<double> &r,
                                       const std::vector<double> &scale, double mu) {
  const std::size_t m = jac.row_count(), n = jac.col_count();
  Matrix a(m + n, n); // J D^-1 on top of sqrt(mu) I
  std::vector<double> p(m + n);
  copy_scaled(jac, scale, a);
  for (std::size_t i = 0; i < m; ++i)
    p[i] = -r[i];
  for (std::size_t j = 0; j < n; ++j)
    a(m + j, j) = std::sqrt(mu);
  triangularise(a, p);
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j)
      p[k] -= a(k, j) * p[j];
    p[k] /= a(k, k);
  }
  p.resize(n);
  for (std::size_t j = 0; j < n; ++j)
    p[j] /= scale[j];
  return p;
}

// Euclidean norms of the columns of J, the natural scale of each parameter.
inline std::vector<double> column_norms(const Matrix &jac) {
  std::vector<double> norms(jac.col_count());
  for (std::size_t j = 0; j < norms.size(); ++j) {
    for (std::size_t i = 0; i < jac.row_count(); ++i)
      norms[j] += jac(i, j) * jac(i, j);
    norms[j] = norms[j] > 0.0 ? std::sqrt(norms[j]) : 1.0;
  }
  return norms;
}

// Square roots of the diagonal of (J^T J)^-1. With J = Q R D the diagonal
// entry j is |R^-T e_j|^2 / D_j^2.
inline std::vector<double> unit_deviations(const Matrix &jac) {
  const std::size_t m = jac.row_count(), n = jac.col_count();
  const std::vector<double> scale = column_norms(jac);
  Matrix a(m, n);
  copy_scaled(jac, scale, a);
  std::vector<double> unused(m), result(n);
  triangularise(a, unused);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> w(n);
    w[j] = 1.0;
    for (std::size_t k = j; k < n; ++k) {
      for (std::size_t i = j; i < k; ++i)
        w[k] -= a(i, k) * w[i];
      w[k] /= a(k, k);
    }
    result[j] = std::sqrt(sum_of_squares(w)) / scale[j];
  }
  return result;
}

struct Fit {
  std::vector<double> parameters, standard_errors;
  double residual_sum_of_squares = 0.0, residual_deviation = 0.0;
  double last_step = 0.0; // relative, see LeastSquares::relative_size
  int damped_steps = 0, undamped_steps = 0;
  bool converged = false;
};

// The problem must offer
//   bool residuals(const std::vector<double> &b, std::vector<double> &r)
//   bool jacobian(const std::vector<double> &b, Matrix &jac)
// which return false where the function cannot be evaluated.
template <class Problem> class LeastSquares {
public:
  LeastSquares(Problem &problem, std::size_t residuals, const std::vector<double> &start)
      : problem_(problem), r_(residuals), jac_(residuals, start.size()) {
    fit_.parameters = start;
  }

  Fit solve() {
    fit_.converged = levenberg_marquardt() && gauss_newton() && statistics();
    return fit_;
  }

private:
  // Damping after Nielsen: mu shrinks smoothly while the gain ratio (actual
  // over predicted reduction) is good and grows ever faster while steps fail.
  // Columns are scaled by the largest norm they have had so far, after More.
  bool levenberg_marquardt() {
    constexpr int max_steps = 1000;
    constexpr double close_enough = 1e-6;
    if (!problem_.residuals(fit_.parameters, r_) || !problem_.jacobian(fit_.parameters, jac_))
      return false;
    double rss = sum_of_squares(r_), mu = 1e-3, growth = 2.0;
    std::vector<double> scale = column_norms(jac_), trial_r(r_.size());
    while (fit_.damped_steps < max_steps) {
      const std::vector<double> p = damped_step(jac_, r_, scale, mu);
      if (relative_size(p) <= close_enough)
        return true;
      ++fit_.damped_steps;
      const std::vector<double> trial = moved(p);
      const bool evaluated = problem_.residuals(trial, trial_r);
      const double trial_rss = evaluated ? sum_of_squares(trial_r) : rss;
      const double gain = (rss - trial_rss) / predicted(p, scale, mu);
      if (trial_rss < rss && gain > 1e-4) {
        fit_.parameters = trial;
        r_.swap(trial_r);
        rss = trial_rss;
        if (!problem_.jacobian(fit_.parameters, jac_))
          return false;
        const std::vector<double> norms = column_norms(jac_);
        for (std::size_t j = 0; j < scale.size(); ++j)
          scale[j] = std::max(scale[j], norms[j]);
        mu *= std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * gain - 1.0, 3));
        growth = 2.0;
      } else {
        mu *= growth;
        growth *= 2.0;
      }
    }
    return false;
  }

  // Steps shrink by a constant factor until rounding errors take over: then
  // they stop shrinking, and that is where this loop stops.
  bool gauss_newton() {
    constexpr int max_steps = 500;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    fit_.last_step = std::numeric_limits<double>::infinity();
    while (fit_.undamped_steps < max_steps) {
      if (!problem_.residuals(fit_.parameters, r_) || !problem_.jacobian(fit_.parameters, jac_))
        return false;
      const std::vector<double> p = damped_step(jac_, r_, column_norms(jac_), 0.0);
      const double previous = fit_.last_step;
      fit_.last_step = relative_size(p);
      fit_.parameters = moved(p);
      ++fit_.undamped_steps;
      if (fit_.last_step <= 4.0 * eps || (fit_.last_step < 1e-9 && fit_.last_step >= previous))
        return true;
    }
    return false;
  }

  bool statistics() {
    if (!problem_.residuals(fit_.parameters, r_) || !problem_.jacobian(fit_.parameters, jac_))
      return false;
    const auto freedom = static_cast<double>(r_.size() - fit_.parameters.size());
    fit_.residual_sum_of_squares = sum_of_squares(r_);
    fit_.residual_deviation = std::sqrt(fit_.residual_sum_of_squares / freedom);
    fit_.standard_errors = unit_deviations(jac_);
    for (double &s : fit_.standard_errors)
      s *= fit_.residual_deviation;
    return true;
  }

  // Reduction of |r|^2 promised by the linear model for the damped step p:
  // |r|^2 - |r + J p|^2 = |J p|^2 + 2 mu |D p|^2.
  [[nodiscard]] double predicted(const std::vector<double> &p, const std::vector<double> &scale,
                                 double mu) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < p.size(); ++j)
      sum += 2.0 * mu * scale[j] * p[j] * scale[j] * p[j];
    for (std::size_t i = 0; i < r_.size(); ++i) {
      double row = 0.0;
      for (std::size_t j = 0; j < p.size(); ++j)
        row += jac_(i, j) * p[j];
      sum += row * row;
    }
    return sum;
  }

  [[nodiscard]] std::vector<double> moved(const std::vector<double> &p) const {
    std::vector<double> b = fit_.parameters;
    for (std::size_t j = 0; j < b.size(); ++j)
      b[j] += p[j];
    return b;
  }

  // Largest relative change of a parameter.
  [[nodiscard]] double relative_size(const std::vector<double> &p) const {
    double size = 0.0;
    for (std::size_t j = 0; j < p.size(); ++j)
      size = worse(size, std::abs(p[j]) / std::max(std::abs(fit_.parameters[j]), 1e-100));
    return size;
  }

  Problem &problem_;
  std::vector<double> r_;
  Matrix jac_;
  Fit fit_;
};

} // namespace example

#endif
