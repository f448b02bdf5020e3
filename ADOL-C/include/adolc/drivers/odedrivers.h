/// @file drivers/odedrivers.h
/// Taylor series of solutions of autonomous ordinary differential equations x' = F(x), m = n, and
/// their derivatives with respect to the initial values. Time is scaled: X holds the coefficients
/// of x(tau t), so that x(tau) is their sum.
///
/// Return codes and exceptions as in interfaces.h; ARGUMENT_OUT_OF_RANGE unless 0 <= dold <= dnew,
/// NEGATIVE_NUMBER from accodec. With a negative code and after an exception the
/// coefficients asked for are NaN, unless the arguments do not tell where they are.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <span>
#include <vector>

BEGIN_C_DECLS

/// From the coefficients 0 … dold of x those up to dnew, x_{j+1} = tau/(1+j)·y_j with y(t) =
/// F(x(t)): a forward sweep of degree j for each. The last one keeps dnew coefficients, so that
/// reverse sweeps of degree dnew-1 may follow. X[n][dnew+1]. Nothing is swept, and nothing kept, if
/// dold = dnew.
ADOLC_API int forodec(short tag, int n, double tau, int dold, int dnew, double **X);

/// Total derivatives B_k = ∂x_{k+1}/∂x_0 from partial ones A_k = ∂y_k/∂x_0, which hov_reverse gives
/// with unit vectors as weights after forodec:
///
///   B_k = tau/(k+1)·(A_k + Σ_{j=1..k} A_{j-1}·B_{k-j}),  k = 0 … d
///
/// A[n][n][d+1], B[n][n][d+1], not the same. nz[n][n], or nullptr: the labels of hov_reverse; where
/// one is not positive A is taken to be 0 and not read. On return there is -k at these places: B
/// is 0 below coefficient k, d+1 standing for all of them.
ADOLC_API void accodec(int n, double tau, int d, double ***A, double ***B, short **nz);

// Fortran-callable forms, see drivers.h. X(n, dnew+1), A(n, n, d+1), B(n, n, d+1).
ADOLC_API fint forodec_(const fint *tag, const fint *n, const fdouble *tau, const fint *dold,
                        const fint *dnew, fdouble *X);
ADOLC_API fint accodec_(const fint *n, const fdouble *tau, const fint *d, const fdouble *A,
                        fdouble *B);

END_C_DECLS

// Careful: an integer literal for tau selects the form without it.
inline int forode(short tag, int n, double tau, int dold, int dnew, double **X) {
  return forodec(tag, n, tau, dold, dnew, X);
}
/// tau = 1.
inline int forode(short tag, int n, int dold, int dnew, double **X) {
  return forodec(tag, n, 1.0, dold, dnew, X);
}
/// dold = 0.
inline int forode(short tag, int n, double tau, int deg, double **X) {
  return forodec(tag, n, tau, 0, deg, X);
}
/// tau = 1, dold = 0.
inline int forode(short tag, int n, int deg, double **X) { return forodec(tag, n, 1.0, 0, deg, X); }
inline void accode(int n, double tau, int deg, double ***A, double ***B, short **nz = nullptr) {
  accodec(n, tau, deg, A, B, nz);
}
/// tau = 1.
inline void accode(int n, int deg, double ***A, double ***B, short **nz = nullptr) {
  accodec(n, 1.0, deg, A, B, nz);
}

namespace ADOLC {

struct OdeOptions {
  double tau = 1.0;
  int known = 0; ///< coefficients 0 … known are there already
};
/// forodec on a row-major matrix X[n·(degree+1)]; sizes come from the tape, SIZE_MISMATCH. After an
/// exception, whatever it is, all of X but column 0 is NaN.
ADOLC_API int forode(short tag, int degree, std::span<double> X, const OdeOptions &options = {});
/// The series from its beginning x0[n]; throws BRANCH_SWITCH or QUADRATURE_ELSEWHERE.
ADOLC_API std::vector<double> forode(short tag, int degree, std::span<const double> x0,
                                     double tau = 1.0);

} // namespace ADOLC
