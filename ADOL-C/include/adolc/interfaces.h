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
/// NULL_ARGUMENT, FWD_ZO_KEEP / FWD_FO_KEEP (keep), REVERSE_NO_TAYLOR_STACK / REVERSE_NO_FOWARD (no
/// valid forward sweep with keep before), TAPING_TBUFFER_ALLOCATION_FAILED (out of memory), reading
/// or writing blocks on disk. All outputs are NaN then, too, except with an unknown tape, wrong
/// numbers (m, n, p, q, d, lengths of blocks) or a missing array: then nobody knows where the
/// outputs are, and they are left alone. (The span forms know it in any case.) After an exception
/// or a negative code of a sweep with keep the Taylor stack is invalid; a refused argument leaves
/// it.
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

/// Text of the last error that a Fortran form of this thread returned as a code.
ADOLC_API const char *adolc_last_error(void);

END_C_DECLS

// ── C++ front ends ──────────────────────────────────────────────────────────────────────────────
// The sweep follows from the degree d and from what is a vector, what a matrix. Sweeps of higher
// degree than those named throw NOT_IMPLEMENTED.
/// X[n][d+1], Y[m][d+1], column 0 are the values. d = 0: zos_forward, d = 1: fos_forward.
ADOLC_API int forward(short tag, int m, int n, int d, int keep, double **X, double **Y);
/// The same with m = 1 and Y[d+1]; WRONG_DIM_Y.
ADOLC_API int forward(short tag, int m, int n, int d, int keep, double **X, double *Y);
/// zos_forward, d = 0; WRONG_DIM_XY.
ADOLC_API int forward(short tag, int m, int n, int d, int keep, const double *X, double *Y);
/// zos_forward.
ADOLC_API int forward(short tag, int m, int n, int keep, const double *X, double *Y);
/// fov_forward.
ADOLC_API int forward(short tag, int m, int n, int p, const double *x, const double *const *X,
                      double *y, double **Y);
/// fos_reverse, d = 0, with a result Z[n][1].
ADOLC_API int reverse(short tag, int m, int n, int d, const double *u, double **Z);
/// The same with m = 1; WRONG_DIM_u.
ADOLC_API int reverse(short tag, int m, int n, int d, double u, double **Z);
/// fos_reverse, d = 0; WRONG_DIM_Z.
ADOLC_API int reverse(short tag, int m, int n, int d, const double *u, double *Z);
/// fos_reverse, m = 1, d = 0; WRONG_DIM_uZ.
ADOLC_API int reverse(short tag, int m, int n, int d, double u, double *Z);
/// fov_reverse, d = 0; WRONG_DIM_D.
ADOLC_API int reverse(short tag, int m, int n, int d, int q, const double *const *U, double **Z);
/// fov_reverse.
ADOLC_API int reverse(short tag, int m, int n, int q, const double *const *U, double **Z);
/// fov_reverse, m = 1, d = 0, with weights U[q]; WRONG_DIM_U, WRONG_DIM_D.
ADOLC_API int reverse(short tag, int m, int n, int d, int q, double *U, double **Z);
