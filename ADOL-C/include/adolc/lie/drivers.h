/// @file lie/drivers.h
/// Lie derivatives along a vector field f: R^n -> R^n, recorded on Tape_F, at a point x0, of orders
/// k = 0 … d. They are derivatives, not Taylor coefficients: nothing is divided by factorials. Not
/// a part of the umbrella header.
///
/// They come from the series of the flow of f through x0, and for all but lie_scalar of its
/// derivative, by sweeps up to degree d; gradients, covectors and brackets sweep over Tape_F with
/// n weights in reverse.
///
/// Return value: the lowest code of all sweeps (interfaces.h); -3 if d < 0 or the tapes have not
/// the numbers of independents and dependents that are given or needed; then results are left
/// alone. With another negative code and after an exception results are NaN, except with an unknown
/// tape or a missing array. Exceptions as in interfaces.h.
#pragma once

#include <adolc/internal/common.h>

#include <span>
#include <vector>

BEGIN_C_DECLS

/// L_f^k h(x0) of h: R^n -> R: L_f h = h' f. x0[n], result[d+1].
ADOLC_API int lie_scalarc(short Tape_F, short Tape_H, short n, const double *x0, short d,
                          double *result);
/// The same for the m components of h: R^n -> R^m. result[m][d+1].
ADOLC_API int lie_scalarcv(short Tape_F, short Tape_H, short n, short m, const double *x0, short d,
                           double **result);

/// The gradients of L_f^k h at x0, h: R^n -> R. result[n][d+1].
ADOLC_API int lie_gradientc(short Tape_F, short Tape_H, short n, const double *x0, short d,
                            double **result);
/// The same for h: R^n -> R^m. result[m][n][d+1].
ADOLC_API int lie_gradientcv(short Tape_F, short Tape_H, short n, short m, const double *x0,
                             short d, double ***result);

/// L_f^k w(x0) of a covector field w: R^n -> R^n: L_f w = w f' + (w' f)ᵀ. result[n][d+1].
ADOLC_API int lie_covector(short Tape_F, short Tape_W, short n, const double *x0, short d,
                           double **result);
/// Iterated brackets ad_f^k g(x0) with a vector field g: ad_f g = g' f - f' g. result[n][d+1].
ADOLC_API int lie_bracket(short Tape_F, short Tape_G, short n, const double *x0, short d,
                          double **result);

END_C_DECLS

inline int lie_scalar(short Tape_F, short Tape_H, short n, const double *x0, short d,
                      double *result) {
  return lie_scalarc(Tape_F, Tape_H, n, x0, d, result);
}
inline int lie_scalar(short Tape_F, short Tape_H, short n, short m, const double *x0, short d,
                      double **result) {
  return lie_scalarcv(Tape_F, Tape_H, n, m, x0, d, result);
}
inline int lie_gradient(short Tape_F, short Tape_H, short n, const double *x0, short d,
                        double **result) {
  return lie_gradientc(Tape_F, Tape_H, n, x0, d, result);
}
inline int lie_gradient(short Tape_F, short Tape_H, short n, short m, const double *x0, short d,
                        double ***result) {
  return lie_gradientcv(Tape_F, Tape_H, n, m, x0, d, result);
}

namespace ADOLC {

// On spans: sizes come from the tapes. SIZE_MISMATCH, ARGUMENT_OUT_OF_RANGE (d < 0); after an
// exception, whatever it is, results are NaN.
/// x0[n], result[m·(d+1)].
ADOLC_API int lie_scalar(short tapeF, short tapeH, int d, std::span<const double> x0,
                         std::span<double> result);
/// x0[n], result[m·n·(d+1)].
ADOLC_API int lie_gradient(short tapeF, short tapeH, int d, std::span<const double> x0,
                           std::span<double> result);
/// x0[n], result[n·(d+1)].
ADOLC_API int lie_covector(short tapeF, short tapeW, int d, std::span<const double> x0,
                           std::span<double> result);
ADOLC_API int lie_bracket(short tapeF, short tapeG, int d, std::span<const double> x0,
                          std::span<double> result);

} // namespace ADOLC
