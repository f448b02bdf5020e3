/// @file interfaces.h
/// The sweeps: what interprets a recording at new inputs.
///
/// Common to all of them. `tag` is the tape, `m` and `n` are the numbers of dependents and
/// independents and must be those of the recording. Inputs are never modified; outputs must not
/// alias them. Matrices are arrays of row pointers. Sweeps on one tape take turns.
///
/// Return value (drivers return the minimum over their sweeps):
///
///   3   function and derivatives are analytic at the point, same pieces as recorded
///   2   a minimum, absolute value, step function, modulus or conditional assignment took another
///       piece than at recording; results are valid (of steps and quotients only forward sweeps
///       tell)
///   1   a kink was hit (absolute value at 0, tie of a minimum), a directional convention applied
///   0   a recorded comparison was on its boundary, or a strict conditional assignment had the
///       condition value 0; results are those of the selected branch
///  -1   a recorded comparison has another outcome than at recording: the sweep stopped, all
///       outputs are NaN; the tape tells which one (ValueTape::lastBranchSwitch)
///  -2   a quadrature was asked for another argument than the recorded one; all outputs are NaN
///
/// Exceptions: NO_TAPE_ID, TAPING_TAPE_STILL_IN_USE (the calling thread records the tape, or is
/// within a sweep on it: see diagnostics.h), FWD_COUNTS_MISMATCH / REVERSE_COUNTS_MISMATCH (m, n),
/// NULL_ARGUMENT, FWD_ZO_KEEP / FWD_FO_KEEP / FWD_HO_KEEP (keep), REVERSE_NO_TAYLOR_STACK /
/// REVERSE_NO_FOWARD / REVERSE_DIRECTIONS_MISMATCH (no valid forward sweep with keep before),
/// TAPING_TBUFFER_ALLOCATION_FAILED (out of memory), reading or writing blocks on disk. All outputs
/// are NaN then, too, except with an unknown tape, wrong numbers (m, n, p, q, d, lengths of blocks)
/// or a missing array: then nobody knows where the outputs are, and they are left alone. (The span
/// forms know it in any case.) After an exception or a negative code of a sweep with keep the
/// Taylor stack is invalid; a refused argument leaves it.
#pragma once

#include <adolc/internal/common.h>

BEGIN_C_DECLS

/// Values. x[n], y[m]. keep = 1 saves what first-order reverse sweeps need.
ADOLC_API int zos_forward(short tag, int m, int n, int keep, const double *x, double *y);
/// The same with keep = 0.
ADOLC_API int zos_forward_nk(short tag, int m, int n, const double *x, double *y);

/// Values and one directional derivative Y = F'(x)·X. x[n], X[n], y[m], Y[m]. keep = 1 saves
/// values, keep = 2 also first coefficients.
ADOLC_API int fos_forward(short tag, int m, int n, int keep, const double *x, const double *X,
                          double *y, double *Y);
/// The same with keep = 0.
ADOLC_API int fos_forward_nk(short tag, int m, int n, const double *x, const double *X, double *y,
                             double *Y);

/// Values and p directional derivatives Y = F'(x)·X. x[n], X[n][p], y[m], Y[m][p].
ADOLC_API int fov_forward(short tag, int m, int n, int p, const double *x, const double *const *X,
                          double *y, double **Y);
/// As fov_forward on the columns offset … offset+p-1 of X and Y.
ADOLC_API int fov_offset_forward(short tag, int m, int n, int p, int offset, const double *x,
                                 const double *const *X, double *y, double **Y);

/// z = uᵀF'(x) at the point of the last forward sweep with keep (or of the recording with keep).
/// u[m], z[n].
ADOLC_API int fos_reverse(short tag, int m, int n, const double *u, double *z);
/// q weight vectors at once. U[q][m], Z[q][n].
ADOLC_API int fov_reverse(short tag, int m, int n, int q, const double *const *U, double **Z);

// Higher order. A curve x(t) = x + Σ X_k t^k, k = 1 … d, is mapped to y(t) = F(x(t)); coefficients
// are scaled: coefficient k is the k-th derivative divided by k!. Degree d >= 0.
/// Coefficients 1 … d of y(t): column k-1 holds coefficient k. x[n], X[n][d], y[m], Y[m][d].
/// 0 <= keep <= d+1 coefficients of every value (the value included) are saved for reverse sweeps;
/// else FWD_HO_KEEP.
ADOLC_API int hos_forward(short tag, int m, int n, int d, int keep, const double *x,
                          const double *const *X, double *y, double **Y);
/// The same with keep = 0.
ADOLC_API int hos_forward_nk(short tag, int m, int n, int d, const double *x,
                             const double *const *X, double *y, double **Y);
/// The same along p curves. x[n], X[n][p][d], y[m], Y[m][p][d].
ADOLC_API int hov_forward(short tag, int m, int n, int d, int p, const double *x,
                          const double *const *const *X, double *y, double ***Y);
/// The same, saving 0 <= keep <= d+1 coefficients of all curves for hos_ov_reverse.
ADOLC_API int hov_wk_forward(short tag, int m, int n, int d, int keep, int p, const double *x,
                             const double *const *const *X, double *y, double ***Y);

// Reverse sweeps of degree d need a forward sweep that has kept d+1 coefficients, or more. Adjoint
// polynomials: coefficient k of a result is the coefficient k of z(t) = u(t)ᵀF'(x(t)), which is the
// derivative of coefficient d of uᵀy(t) with respect to coefficient d-k of the independent. The
// results of all of them are added to what is there while nestedReverseEval holds.
/// Constant weights u[m]; Z[n][d+1], after a forward sweep along one curve.
ADOLC_API int hos_reverse(short tag, int m, int n, int d, const double *u, double **Z);
/// Weights that are polynomials: U[m][d+1]; Z[n][d+1].
ADOLC_API int hos_ti_reverse(short tag, int m, int n, int d, const double *const *U, double **Z);
/// Weights U[m][d+1], all p curves of the last hov_wk_forward; Z[p][n][d+1].
/// REVERSE_DIRECTIONS_MISMATCH if it had another p.
ADOLC_API int hos_ov_reverse(short tag, int m, int n, int d, int p, const double *const *U,
                             double ***Z);
/// q vectors of constant weights U[q][m]; Z[q][n][d+1]. nz[q][n], or nullptr: how dependent
/// combination i of the dependents depends on independent j, by the kinds of the operations on the
/// way: 0 not at all, 1 linear, 2 polynomial, 3 rational, 4 transcendental, 5 non-smooth; an upper
/// bound.
ADOLC_API int hov_reverse(short tag, int m, int n, int d, int q, const double *const *U,
                          double ***Z, short **nz);
/// q vectors of polynomials U[q][m][d+1]; Z[q][n][d+1], nz as above.
ADOLC_API int hov_ti_reverse(short tag, int m, int n, int d, int q, const double *const *const *U,
                             double ***Z, short **nz);

// Independents in n blocks of lengths ndim[i].
/// x[n][ndim[i]], y[m].
ADOLC_API int zos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *x,
                                double *y);
/// x[n][ndim[i]][2] and y[m][2]: value and derivative.
ADOLC_API int fos_forward_partx(short tag, int m, int n, const int *ndim,
                                const double *const *const *x, double **y);
/// x[n][ndim[i]], X[n][ndim[i]][p], y[m], Y[m][p].
ADOLC_API int fov_forward_partx(short tag, int m, int n, const int *ndim, int p,
                                const double *const *x, const double *const *const *X, double *y,
                                double **Y);
/// X[n][ndim[i]][d+1], Y[m][d+1]: coefficients 0 … d.
ADOLC_API int hos_forward_partx(short tag, int m, int n, const int *ndim, int d,
                                const double *const *const *X, double **Y);
/// x[n][ndim[i]], X[n][ndim[i]][p][d], y[m], Y[m][p][d].
ADOLC_API int hov_forward_partx(short tag, int m, int n, const int *ndim, int d, int p,
                                const double *const *x, const double *const *const *const *X,
                                double *y, double ***Y);

// Fortran-callable forms: matrices are column-major, errors are returned as -100 - ErrorType
// (the text: adolc_last_error).
ADOLC_API fint zos_forward_(const fint *tag, const fint *m, const fint *n, const fint *keep,
                            const fdouble *x, fdouble *y);
ADOLC_API fint fos_forward_(const fint *tag, const fint *m, const fint *n, const fint *keep,
                            const fdouble *x, const fdouble *X, fdouble *y, fdouble *Y);
ADOLC_API fint fov_forward_(const fint *tag, const fint *m, const fint *n, const fint *p,
                            const fdouble *x, const fdouble *X, fdouble *y, fdouble *Y);
ADOLC_API fint fos_reverse_(const fint *tag, const fint *m, const fint *n, const fdouble *u,
                            fdouble *z);
ADOLC_API fint fov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *q,
                            const fdouble *U, fdouble *Z);
ADOLC_API fint hos_forward_(const fint *tag, const fint *m, const fint *n, const fint *d,
                            const fint *keep, const fdouble *x, const fdouble *X, fdouble *y,
                            fdouble *Y);
ADOLC_API fint hov_forward_(const fint *tag, const fint *m, const fint *n, const fint *d,
                            const fint *p, const fdouble *x, const fdouble *X, fdouble *y,
                            fdouble *Y);
ADOLC_API fint hov_wk_forward_(const fint *tag, const fint *m, const fint *n, const fint *d,
                               const fint *keep, const fint *p, const fdouble *x, const fdouble *X,
                               fdouble *y, fdouble *Y);
ADOLC_API fint hos_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d,
                            const fdouble *u, fdouble *Z);
ADOLC_API fint hos_ti_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d,
                               const fdouble *U, fdouble *Z);
ADOLC_API fint hos_ov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d,
                               const fint *p, const fdouble *U, fdouble *Z);
ADOLC_API fint hov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d,
                            const fint *q, const fdouble *U, fdouble *Z);
ADOLC_API fint hov_ti_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d,
                               const fint *q, const fdouble *U, fdouble *Z);

/// Text of the last error that a Fortran form of this thread returned as a code.
ADOLC_API const char *adolc_last_error(void);

END_C_DECLS

// ── C++ front ends ──────────────────────────────────────────────────────────────────────────────
// The sweep follows from the degree d and from what is a vector, what a matrix.
/// X[n][d+1], Y[m][d+1], column 0 are the values. d = 0: zos_forward, 1: fos_forward, else
/// hos_forward.
ADOLC_API int forward(short tag, int m, int n, int d, int keep, double **X, double **Y);
/// The same with m = 1 and Y[d+1]; WRONG_DIM_Y.
ADOLC_API int forward(short tag, int m, int n, int d, int keep, double **X, double *Y);
/// zos_forward, d = 0; WRONG_DIM_XY.
ADOLC_API int forward(short tag, int m, int n, int d, int keep, const double *X, double *Y);
/// zos_forward.
ADOLC_API int forward(short tag, int m, int n, int keep, const double *X, double *Y);
/// hov_forward.
ADOLC_API int forward(short tag, int m, int n, int d, int p, const double *x,
                      const double *const *const *X, double *y, double ***Y);
/// fov_forward.
ADOLC_API int forward(short tag, int m, int n, int p, const double *x, const double *const *X,
                      double *y, double **Y);
/// hos_reverse.
ADOLC_API int reverse(short tag, int m, int n, int d, const double *u, double **Z);
/// The same with m = 1; WRONG_DIM_u.
ADOLC_API int reverse(short tag, int m, int n, int d, double u, double **Z);
/// fos_reverse, d = 0; WRONG_DIM_Z.
ADOLC_API int reverse(short tag, int m, int n, int d, const double *u, double *Z);
/// fos_reverse, m = 1, d = 0; WRONG_DIM_uZ.
ADOLC_API int reverse(short tag, int m, int n, int d, double u, double *Z);
/// hov_reverse.
ADOLC_API int reverse(short tag, int m, int n, int d, int q, const double *const *U, double ***Z,
                      short **nz = nullptr);
/// The same with m = 1 and weights U[q]; WRONG_DIM_U.
ADOLC_API int reverse(short tag, int m, int n, int d, int q, double *U, double ***Z,
                      short **nz = nullptr);
/// hov_reverse with the unit vectors as weights, q = m.
ADOLC_API int reverse(short tag, int m, int n, int d, double ***Z, short **nz = nullptr);
/// fov_reverse, d = 0; WRONG_DIM_D.
ADOLC_API int reverse(short tag, int m, int n, int d, int q, const double *const *U, double **Z);
/// fov_reverse.
ADOLC_API int reverse(short tag, int m, int n, int q, const double *const *U, double **Z);
/// fov_reverse, m = 1, d = 0, with weights U[q]; WRONG_DIM_U, WRONG_DIM_D.
ADOLC_API int reverse(short tag, int m, int n, int d, int q, double *U, double **Z);
