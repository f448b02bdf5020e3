/// @file drivers/lu.h
/// Square systems of linear equations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace ADOLC::detail {

/// Row-wise LU factors with partial pivoting; false if the matrix is singular.
inline bool luFactor(std::vector<double> &a, std::vector<std::size_t> &pivots, std::size_t n) {
  pivots.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[best * n + k]))
        best = i;
    const double pivot = a[best * n + k];
    if (!(std::fabs(pivot) > 0.0) || !std::isfinite(pivot))
      return false;
    pivots[k] = best;
    if (best != k)
      std::swap_ranges(a.begin() + static_cast<std::ptrdiff_t>(k * n),
                       a.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                       a.begin() + static_cast<std::ptrdiff_t>(best * n));
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= pivot;
      for (std::size_t j = k + 1; j < n; ++j)
        a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return true;
}

/// Solves in place.
inline void luSolve(const std::vector<double> &a, const std::vector<std::size_t> &pivots,
                    std::size_t n, double *b) {
  for (std::size_t k = 0; k < n; ++k)
    std::swap(b[k], b[pivots[k]]);
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      b[i] -= a[i * n + j] * b[j];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j)
      b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}

} // namespace ADOLC::detail
