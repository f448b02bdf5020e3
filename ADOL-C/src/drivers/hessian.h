/// @file drivers/hessian.h
/// How Hessians are computed: some directions at a time, by a forward sweep to first order and a
/// reverse sweep for all of them together.
#pragma once

#include "interp/sweeps.h"

namespace ADOLC::detail {

/// Directions that one pair of sweeps takes.
inline constexpr std::size_t kHessianColumns = kWidestStrip;

/// The columns first … first + count - 1 of the Hessian of the only dependent: H[i][j] for these j
/// and all i >= j. count <= kHessianColumns; 0: only the return code of the function.
int hessianColumns(TapeEvaluationContext &context, const double *x, std::size_t first,
                   std::size_t count, double *const *H);

/// Copies the lower triangle of a Hessian to the upper one.
inline void mirror(double *const *H, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      H[j][i] = H[i][j];
}

} // namespace ADOLC::detail
