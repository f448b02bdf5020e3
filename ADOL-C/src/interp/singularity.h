/// @file interp/singularity.h
/// Taylor series of operations where the fast rules (propagation.h) do not hold: where the value or
/// a partial derivative is infinite or NaN, and at zeros of powers and roots. One curve at a time;
/// doc/special-points.md says what the results are.
///
/// Curves x(t) count for t > 0. A coefficient that follows from coefficients beyond degree d is
/// unknown: NaN, never a number that might be wrong.
#pragma once

#include <adolc/oplate.h>
#include <adolc/ops/number_kinds.h>

#include <cstddef>

namespace ADOLC::detail {

struct SingularOperation {
  OPCODES op;
  std::size_t degree;
  const double *x0; ///< by operand, at order 0
  double v0;
  const double *const *x; ///< coefficients 1 … degree by operand; zeros of numbers
  const double *v;        ///< those of the result, in reverse, if the first partials read it
};

/// Writes the coefficients 1 … degree of the result. Returns the code of the operation: 1 on a
/// kink, else 3.
int seriesAtSingularity(const SingularOperation &operation, double *v);

/// Adds to the adjoint polynomials of the operands that are wanted (null: not) their shares of that
/// of the result, w; all of degree+1 coefficients. Returns the code.
int adjointsAtSingularity(const SingularOperation &operation, const double *w,
                          double *const *adjoints);

} // namespace ADOLC::detail
