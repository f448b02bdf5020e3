/// @file interp/singularity.h
/// Taylor series of operations where the fast rules (propagation.h) do not hold: where the value or
/// a partial derivative is infinite or NaN, and at zeros of powers and roots. doc/special-points.md
/// says what the results are.
///
/// Curves x(t) count for t > 0. A coefficient that follows from coefficients beyond degree d is
/// unknown: NaN, never a number that might be wrong.
#pragma once

#include <adolc/oplate.h>
#include <adolc/ops/number_kinds.h>

#include <cstddef>

namespace ADOLC::detail {

/// An operation along several curves. Rows hold the coefficients of an order of all curves
/// together.
struct SingularCurves {
  OPCODES op;
  std::size_t degree, curves, arity;
  const double *x0; ///< by operand, at order 0
  double v0;
  const double *const *x; ///< rows of coefficients 1 … degree by operand; zeros of numbers
};

/// Writes the coefficients 1 … degree of the result, whose row may be one of x. Returns the code of
/// the operation: 1 on a kink, else 3.
int seriesAtSingularity(const SingularCurves &operation, double *result);

/// Adds to the adjoint polynomials of the operands that are wanted (null: not) their shares of that
/// of the result, `weights`; rows of degree+1 coefficients. `result` are the coefficients of the
/// result, if the first partials read it. Returns the code.
int adjointsAtSingularity(const SingularCurves &operation, const double *result,
                          const double *weights, double *const *adjoints);

} // namespace ADOLC::detail
