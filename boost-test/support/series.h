// SPDX-License-Identifier: MIT
// Taylor coefficients from values with many digits.
#pragma once

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace test {

template <unsigned Digits>
using Number = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>,
                                             boost::multiprecision::et_off>;

/// Coefficients of polynomials through the points step, 2 step, …: those of f at 0, which is
/// analytic there from the right. With more points than coefficients that are wanted the error of
/// coefficient k is about that of coefficient points.size(), times step^(points.size() - k). The
/// digits that differences lose (step^k of them) Wide must have.
template <class Wide> std::vector<Wide> seriesOf(std::vector<Wide> points, const Wide &step) {
  std::vector<Wide> &c = points;
  const std::size_t n = c.size();
  // Newton's form in units of the step.
  for (std::size_t order = 1; order < n; ++order)
    for (std::size_t j = n; j-- > order;)
      c[j] = (c[j] - c[j - 1]) / order;
  // Σ c_j (t - 1)…(t - j): multiplied out from within.
  for (std::size_t j = n - 1; j-- > 0;)
    for (std::size_t k = j; k + 1 < n; ++k)
      c[k] -= c[k + 1] * (j + 1);
  Wide power = 1;
  for (Wide &ck : c) {
    ck /= power;
    power *= step;
  }
  return points;
}

/// erf by its series with positive terms.
template <class Wide> Wide errorFunction(const Wide &x) {
  Wide sum = 0, term = x;
  for (int n = 1; abs(term) > abs(sum) * std::numeric_limits<Wide>::epsilon() && n < 10000; ++n) {
    sum += term;
    term *= 2 * x * x / (2 * n + 1);
  }
  return 2 / sqrt(boost::math::constants::pi<Wide>()) * exp(-x * x) * sum;
}

} // namespace test
