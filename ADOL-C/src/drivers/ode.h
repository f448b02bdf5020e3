/// @file drivers/ode.h
/// Series of solutions of ordinary differential equations, on a tape that is held already.
#pragma once

#include "interp/sweeps.h"

namespace ADOLC::detail {

/// The coefficients known + 1 … degree of x(tau t), x' = F(x), from those before. X[n][degree+1].
/// keeps: the last sweep keeps `degree` coefficients.
int solveOde(TapeEvaluationContext &context, double tau, std::size_t known, std::size_t degree,
             double *const *X, bool keeps);

/// See accodec.
void accumulateOde(std::size_t n, double tau, std::size_t degree, const double *const *const *A,
                   double *const *const *B, short *const *nz);

} // namespace ADOLC::detail
