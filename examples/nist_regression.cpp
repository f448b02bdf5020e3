// SPDX-License-Identifier: MIT
//
// Non-linear regression against certified results: Misra1a, Thurber and MGH09
// of the NIST Statistical Reference Datasets (see nist_data.h), each from both
// of the published starting points.
//
// What it shows about the library: the residuals of a problem are recorded
// *once*. After that, every residual vector and every Jacobian that the solver
// asks for, at whatever parameters, comes from that tape through the drivers
// `function` and `jacobian`. The Jacobian is exact up to rounding, which is why
// practically all certified digits are reached.

#include <adolc/adolc.h>

#include "check.h"
#include "least_squares.h"
#include "nist_data.h"

#include <utility>

namespace {

using Parameters = std::vector<adouble>;
using Model = adouble (*)(const Parameters &b, double x);

adouble misra1a_model(const Parameters &b, double x) { return b[0] * (1.0 - exp(-b[1] * x)); }

adouble thurber_model(const Parameters &b, double x) {
  return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1.0 + x * (b[4] + x * (b[5] + x * b[6])));
}

adouble mgh09_model(const Parameters &b, double x) {
  return b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]);
}

// The residuals of one data set on a tape, in the form that LeastSquares wants.
class TapedProblem {
public:
  TapedProblem(short tag, nist::Dataset data, Model model) : tag_(tag), data_(std::move(data)) {
    trace_on(tag_);
    {
      // The point of the recording is arbitrary: nothing in the models depends
      // on the parameters in a way that would change the operations executed.
      Parameters b(data_.certified.size());
      for (std::size_t j = 0; j < b.size(); ++j)
        b[j] <<= data_.start[0][j];
      for (std::size_t i = 0; i < data_.x.size(); ++i) {
        double value = 0.0;
        adouble residual = model(b, data_.x[i]) - data_.y[i];
        residual >>= value;
      }
    }
    trace_off();
  }

  bool residuals(const std::vector<double> &b, std::vector<double> &r) {
    ++function_calls_;
    std::vector<double> point = b;
    const int code = function(tag_, static_cast<int>(r.size()), static_cast<int>(b.size()),
                              point.data(), r.data());
    // A negative code would mean that the tape is not valid at b.
    return code >= 0 && std::isfinite(example::sum_of_squares(r));
  }

  bool jacobian(const std::vector<double> &b, example::Matrix &jac) {
    ++jacobian_calls_;
    const int code = ::jacobian(tag_, static_cast<int>(jac.row_count()), static_cast<int>(b.size()),
                                b.data(), jac.rows());
    return code >= 0;
  }

  [[nodiscard]] short tag() const { return tag_; }
  [[nodiscard]] const nist::Dataset &data() const { return data_; }
  [[nodiscard]] int function_calls() const { return function_calls_; }
  [[nodiscard]] int jacobian_calls() const { return jacobian_calls_; }

private:
  short tag_;
  nist::Dataset data_;
  int function_calls_ = 0, jacobian_calls_ = 0;
};

// Log relative error: the number of correct digits. Certified values have
// eleven digits, so more than that cannot be verified.
double digits(double value, double certified) {
  constexpr double cap = 11.0;
  if (value == certified)
    return cap;
  const double lre = -std::log10(std::abs(value - certified) / certified);
  return lre > 0.0 ? std::min(lre, cap) : 0.0; // 0 for NaN, too
}

// Prints one estimate with its certified value and returns its digits.
double print_value(double value, double certified) {
  const double d = digits(value, certified);
  std::printf("  %16.10E  %16.10E  %4.1f", value, certified, d);
  return d;
}

// One problem from one start; returns the smallest number of digits.
double run(TapedProblem &problem, int start) {
  const nist::Dataset &data = problem.data();
  const int functions = problem.function_calls();
  const int jacobians = problem.jacobian_calls();
  const std::vector<double> &b0 = data.start[static_cast<std::size_t>(start)];
  example::LeastSquares solver(problem, data.x.size(), b0);
  const example::Fit fit = solver.solve();

  std::printf("\n  start %d: (", start + 1);
  for (std::size_t j = 0; j < b0.size(); ++j)
    std::printf("%s%g", j == 0 ? "" : ", ", b0[j]);
  std::printf(")\n  %d Levenberg-Marquardt steps, %d Gauss-Newton steps, the "
              "last one %.0e relative\n  %d function and %d Jacobian "
              "evaluations of the tape\n",
              fit.damped_steps, fit.undamped_steps, fit.last_step,
              problem.function_calls() - functions, problem.jacobian_calls() - jacobians);
  if (!fit.converged) {
    std::printf("  no convergence\n");
    return 0.0;
  }
  std::printf("  %3s  %16s  %16s  %4s  %16s  %16s  %4s\n", "", "estimate", "certified", "dig.",
              "standard error", "certified", "dig.");
  double least = 11.0;
  for (std::size_t j = 0; j < b0.size(); ++j) {
    std::printf("  b%-2zu", j + 1);
    least = std::min(least, print_value(fit.parameters[j], data.certified[j]));
    least = std::min(least, print_value(fit.standard_errors[j], data.standard_error[j]));
    std::printf("\n");
  }
  std::printf("  RSS"); // and the residual standard deviation beside it
  least = std::min(least, print_value(fit.residual_sum_of_squares, data.residual_sum_of_squares));
  least = std::min(least, print_value(fit.residual_deviation, data.residual_deviation));
  std::printf("\n");
  return least;
}

} // namespace

int main() {
  constexpr double required_digits = 9.0;
  std::vector<TapedProblem> problems;
  problems.emplace_back(short{1}, nist::misra1a(), misra1a_model);
  problems.emplace_back(short{2}, nist::thurber(), thurber_model);
  problems.emplace_back(short{3}, nist::mgh09(), mgh09_model);

  double least = 11.0;
  for (TapedProblem &problem : problems) {
    const nist::Dataset &data = problem.data();
    std::printf("%s: y = %s\n%zu observations, %zu parameters\n", data.name, data.formula,
                data.x.size(), data.certified.size());
    for (int start : {0, 1})
      least = std::min(least, run(problem, start));
    std::printf("\n");
  }

  std::printf("recorded once per problem:\n"
              "  %-8s %10s %10s %10s %9s %11s %12s\n",
              "", "operations", "locations", "constants", "bytes/op", "f evaluated", "J evaluated");
  for (const TapedProblem &problem : problems) {
    const example::TapeSize size = example::tape_size(problem.tag());
    std::printf("  %-8s %10zu %10zu %10zu %9.1f %11d %12d\n", problem.data().name, size.operations,
                size.locations, size.constants, size.bytes_per_operation, problem.function_calls(),
                problem.jacobian_calls());
  }

  const bool passed = least >= required_digits;
  std::printf("\nminimum digits reached: %.1f (required %.1f): %s\n", least, required_digits,
              passed ? "PASS" : "FAIL");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
