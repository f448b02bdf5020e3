#include "higher_order.h"

#include "numbers.h"
#include "timing.h"

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

constexpr int degrees[] = {5, 10, 20};
constexpr int highestDegree = 20;

// One measurement per member function; they share the tape.
class HigherOrderMeasurement {
public:
  HigherOrderMeasurement(const Program &program, const HigherOrderOptions &options)
      : program_(program),
        repeats_(options.repeats), points_{program.point(), neighbour(program.point())},
        size_(points_[0].size()),
        tape_(program, Tape::buffersFor(program, options.defaultBuffers, highestDegree + 1)) {
    tape_.record(points_[0], 1);
    figures_.independents = size_;
    figures_.tape = tape_.facts();
    figures_.tapeBytes = tape_.bytes();
  }

  // The call is virtual and compiled elsewhere, so no optimiser moves it out of the loop.
  void plain() {
    time("plain", [this] { value_ = program_.evaluate(otherPoint()); });
  }

  void taylor(int degree) {
    const auto columns = static_cast<std::size_t>(degree);
    const std::string suffix = std::to_string(degree);
    Matrix curve(size_, columns), coefficients(1, columns), adjoints(size_, columns + 1);
    fill(curve, columns);
    time("hos_forward" + suffix,
         [&] { tape_.forward(otherPoint(), 0, degree, curve, coefficients); });
    tape_.forward(points_[1], degree + 1, degree, curve, coefficients);
    time("hos_reverse" + suffix, [&] { tape_.reverse(degree, adjoints); });
    checkTaylor(suffix, degree, curve, coefficients, adjoints);
  }

  void secondDerivatives() {
    std::vector<double> direction(size_), product(size_);
    for (std::size_t i = 0; i < size_; ++i)
      direction[i] = points_[0][i] * spread(3 * i + 2);
    time("hess_vec", [&] { tape_.hessianTimes(otherPoint(), direction, product); });
    Matrix hessian(size_, size_);
    time("hessian", [&] { tape_.hessian(otherPoint(), hessian); });

    tape_.hessianTimes(points_[1], direction, product);
    tape_.hessian(points_[1], hessian);
    checkHessian(direction, product, hessian);
    checkAgainstDifferences(direction, product);
  }

  const HigherOrderFigures &figures() const { return figures_; }

private:
  template <class Action> void time(const std::string &name, Action &&action) {
    if (repeats_ == 0)
      action();
    else
      figures_.seconds.emplace_back(name, medianSeconds(repeats_, action));
  }

  const std::vector<double> &otherPoint() { return points_[++calls_ % 2]; }

  // Coefficients that shrink, so that those of the result do not grow without bounds.
  void fill(Matrix &curve, std::size_t degree) const {
    for (std::size_t i = 0; i < size_; ++i) {
      double factor = points_[0][i];
      for (std::size_t k = 0; k < degree; ++k)
        curve[i][k] = (factor *= 0.1) * spread(i * (k + 1) + k);
    }
  }

  // y'(t) = z(t)' x'(t) ties the adjoints z to the coefficients of the result:
  //
  //   k y_k = sum over j = 1 ... k and i of j x_ij z_i,k-j
  void checkTaylor(const std::string &suffix, int degree, Matrix &curve, Matrix &coefficients,
                   Matrix &adjoints) {
    std::vector<CheckedNumber> forward, reverse;
    for (std::size_t k = 0; k <= static_cast<std::size_t>(degree); ++k) {
      CheckedNumber sum;
      for (std::size_t i = 0; i < size_; ++i) {
        sum.number += adjoints[i][k] * (1.0 + 0.5 * spread(i));
        sum.scale += std::abs(adjoints[i][k]);
      }
      reverse.push_back(sum);
      if (k == 0)
        continue;
      CheckedNumber derived;
      for (std::size_t j = 1; j <= k; ++j)
        for (std::size_t i = 0; i < size_; ++i) {
          const double term = static_cast<double>(j) * curve[i][j - 1] * adjoints[i][k - j] /
                              static_cast<double>(k);
          derived.number += term;
          derived.scale += std::abs(term);
        }
      expectClose(coefficients[0][k - 1], derived.number, derived.scale,
                  "coefficient " + std::to_string(k) + " of degree " + suffix);
      forward.push_back({coefficients[0][k - 1], derived.scale});
    }
    figures_.checked.emplace_back("hos_forward" + suffix, forward);
    figures_.checked.emplace_back("hos_reverse" + suffix, reverse);
  }

  // The product with the Hessian, whose lower triangle is known; and the product against the
  // adjoints of degree one, which it is a coefficient of.
  void checkHessian(const std::vector<double> &direction, const std::vector<double> &product,
                    Matrix &hessian) {
    Matrix curve(size_, 1), derivative(1, 1), adjoints(size_, 2);
    for (std::size_t i = 0; i < size_; ++i)
      curve[i][0] = direction[i];
    tape_.forward(points_[1], 2, 1, curve, derivative);
    tape_.reverse(1, adjoints);
    std::vector<double> gradient(size_);
    tape_.gradient(points_[1], gradient);
    CheckedNumber products, entries;
    for (std::size_t i = 0; i < size_; ++i) {
      CheckedNumber row;
      for (std::size_t j = 0; j < size_; ++j) {
        const double entry = j <= i ? hessian[i][j] : hessian[j][i];
        row.number += entry * direction[j];
        row.scale += std::abs(entry * direction[j]);
        entries.number += entry * (1.0 + 0.5 * spread(i + j));
        entries.scale += std::abs(entry);
      }
      expectClose(row.number, product[i], row.scale, "row of the Hessian times direction");
      expectClose(adjoints[i][0], gradient[i], std::abs(gradient[i]), "adjoint of degree zero");
      expectClose(adjoints[i][1], product[i], row.scale, "adjoint of degree one");
      products.number += product[i] * (1.0 + 0.5 * spread(i));
      products.scale += row.scale;
    }
    figures_.checked.push_back({"hess_vec", {products}});
    figures_.checked.push_back({"hessian", {entries}});
  }

  // (g(x + h d) - g(x - h d)) / 2 h, which is as far from the product as the cube of h tells and
  // the rounding errors of the gradients.
  void checkAgainstDifferences(const std::vector<double> &direction,
                               const std::vector<double> &product) {
    constexpr double step = 1e-5;
    std::vector<double> ahead = points_[1], behind = points_[1], above(size_), below(size_);
    double scale = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
      ahead[i] += step * direction[i];
      behind[i] -= step * direction[i];
      scale = std::max(scale, std::abs(product[i]));
    }
    tape_.gradient(ahead, above);
    tape_.gradient(behind, below);
    for (std::size_t i = 0; i < size_; ++i)
      expectClose((above[i] - below[i]) / (2.0 * step), product[i], scale,
                  "difference of gradients", 1e-5);
  }

  const Program &program_;
  int repeats_;
  std::vector<double> points_[2];
  std::size_t size_;
  Tape tape_;
  HigherOrderFigures figures_;
  std::size_t calls_ = 0;
  double value_ = 0.0;
};

} // namespace

HigherOrderFigures measureHigherOrder(const Program &program, const HigherOrderOptions &options) {
  HigherOrderMeasurement measurement(program, options);
  measurement.plain();
  for (const int degree : degrees)
    measurement.taylor(degree);
  measurement.secondDerivatives();
  return measurement.figures();
}

} // namespace bench
