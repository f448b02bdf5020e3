/// @file convolut.h
/// Products and quotients of truncated power series: arrays of dim coefficients, the lowest order
/// first. (a∗b)_i = Σ_{j=0..i} a_{i-j} b_j. The result must be another array than the operands.
/// NEGATIVE_NUMBER: dim < 0; NULL_ARGUMENT.
#pragma once

#include <adolc/internal/common.h>

BEGIN_C_DECLS

/// c = a∗b.
ADOLC_API void conv(int dim, const revreal *a, const revreal *b, revreal *c);
/// c = a∗b, then a = 0.
ADOLC_API void conv0(int dim, revreal *a, const revreal *b, revreal *c);
/// c += a∗b.
ADOLC_API void inconv(int dim, const revreal *a, const revreal *b, revreal *c);
/// c += a∗b, then a = 0.
ADOLC_API void inconv0(int dim, revreal *a, const revreal *b, revreal *c);
/// The same as inconv.
ADOLC_API void inconv1(int dim, const revreal *a, const revreal *b, revreal *c);
/// c -= a∗b.
ADOLC_API void deconv(int dim, const revreal *a, const revreal *b, revreal *c);
/// c -= a∗b, then a = 0.
ADOLC_API void deconv0(int dim, revreal *a, const revreal *b, revreal *c);
/// The same as deconv.
ADOLC_API void deconv1(int dim, const revreal *a, const revreal *b, revreal *c);

/// c = a/b, b_0 not 0: c∗b = a.
ADOLC_API void divide(int dim, const revreal *a, const revreal *b, revreal *c);
/// c = a/b with a number a.
ADOLC_API void recipr(int dim, double a, const revreal *b, revreal *c);

/// a = 0.
ADOLC_API void zeroset(int dim, double *a);
/// tmp = a, a = 0.
ADOLC_API void copyAndZeroset(int dim, revreal *a, revreal *tmp);

END_C_DECLS
