/// @file drivers/drivers.h
/// Drivers for optimisation and nonlinear equations: values, gradients, Jacobians and their
/// products with vectors. Arguments, return codes and exceptions as in interfaces.h; a driver that
/// pairs a forward with a reverse sweep holds the tape across both. With a negative code and after
/// an exception all outputs are NaN.
#pragma once

#include <adolc/internal/common.h>

#ifdef __cplusplus
#include <adolc/drivers/span_drivers.h>
#endif

BEGIN_C_DECLS

/// y = F(x). x[n], y[m].
ADOLC_API int function(short tag, int m, int n, const double *x, double *y);
/// g = F'(x) of a function with one dependent (else WRONG_DEPENDENT_COUNT). x[n], g[n].
ADOLC_API int gradient(short tag, int n, const double *x, double *g);
/// J = F'(x). x[n], J[m][n]. In forward mode if n/2 < m, else in reverse mode.
ADOLC_API int jacobian(short tag, int m, int n, const double *x, double **J);
/// J = F'(x) and y = F(x) in forward mode. k was the number of runs that share the columns; it has
/// no effect: every sweep takes as many columns as the interpreters have lanes. y must not be x.
ADOLC_API int large_jacobian(short tag, int m, int n, int k, double *x, double *y, double **J);
/// z = uᵀF'(x). x[n], u[m], z[n]. repeat != 0: at the point of the last evaluation with keep; x is
/// not read.
ADOLC_API int vec_jac(short tag, int m, int n, int repeat, const double *x, const double *u,
                      double *z);
/// w = F'(x)·v. x[n], v[n], w[m].
ADOLC_API int jac_vec(short tag, int m, int n, const double *x, const double *v, double *w);
/// Square systems F'(x)·w = b. x[n], b[n]. mode 0: evaluates F'(x); mode 1: and factorises it; mode
/// 2: and solves in place, using what is there if x is the same. -3 if F'(x) is singular, b is left
/// alone then. Recording again or new parameters drop what is there.
ADOLC_API int jac_solv(unsigned short tag, int n, const double *x, double *b, unsigned short mode);

// Second derivatives, of functions with one dependent (else WRONG_DEPENDENT_COUNT) where no m is
// given: a pair of sweeps for some directions at a time. The Taylor stack is of no use afterwards.
/// H = F''(x), the lower triangle with the diagonal: H[i][j] for j <= i, of row pointers H[n]. The
/// other entries are left alone and need not be there.
ADOLC_API int hessian(short tag, int n, const double *x, double **H);
/// The same.
ADOLC_API int hessian2(short tag, int n, double *x, double **H);
/// w = F''(x)·v. x[n], v[n], w[n].
ADOLC_API int hess_vec(short tag, int n, const double *x, const double *v, double *w);
/// W = F''(x)·V. x[n], V[n][q], W[n][q].
ADOLC_API int hess_mat(short tag, int n, int q, const double *x, const double *const *V,
                       double **W);
/// w = (Σ u_i F_i''(x))·v. x[n], v[n], u[m], w[n].
ADOLC_API int lagra_hess_vec(short tag, int m, int n, const double *x, const double *v,
                             const double *u, double *w);

// Fortran-callable forms: all arguments by reference, matrices column-major; errors are returned as
// -100 - ErrorType (the text: adolc_last_error).
ADOLC_API fint function_(const fint *tag, const fint *m, const fint *n, const fdouble *x,
                         fdouble *y);
ADOLC_API fint gradient_(const fint *tag, const fint *n, const fdouble *x, fdouble *g);
ADOLC_API fint jacobian_(const fint *tag, const fint *m, const fint *n, const fdouble *x,
                         fdouble *J);
ADOLC_API fint large_jacobian_(const fint *tag, const fint *m, const fint *n, const fint *k,
                               fdouble *x, fdouble *y, fdouble *J);
ADOLC_API fint vec_jac_(const fint *tag, const fint *m, const fint *n, const fint *repeat,
                        const fdouble *x, const fdouble *u, fdouble *z);
ADOLC_API fint jac_vec_(const fint *tag, const fint *m, const fint *n, const fdouble *x,
                        const fdouble *v, fdouble *w);
ADOLC_API fint jac_solv_(const fint *tag, const fint *n, const fdouble *x, fdouble *b,
                         const fint *mode);
/// H[n·n], of which the lower triangle is written.
ADOLC_API fint hessian_(const fint *tag, const fint *n, const fdouble *x, fdouble *H);
ADOLC_API fint hessian2_(const fint *tag, const fint *n, fdouble *x, fdouble *H);
ADOLC_API fint hess_vec_(const fint *tag, const fint *n, const fdouble *x, const fdouble *v,
                         fdouble *w);
ADOLC_API fint hess_mat_(const fint *tag, const fint *n, const fint *q, const fdouble *x,
                         const fdouble *V, fdouble *W);
ADOLC_API fint lagra_hess_vec_(const fint *tag, const fint *m, const fint *n, const fdouble *x,
                               const fdouble *v, const fdouble *u, fdouble *w);

END_C_DECLS
