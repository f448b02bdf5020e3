/// @file fortutils.h
/// Conversion between the flat column-major arrays of Fortran (first index fastest) and arrays with
/// row pointers. spreadK fills the array with row pointers, packK the flat one.
#pragma once

#include <adolc/internal/common.h>

BEGIN_C_DECLS

ADOLC_API void spread1(int m, const fdouble *x, double *X);
ADOLC_API void pack1(int m, const double *X, fdouble *x);
ADOLC_API void spread2(int m, int n, const fdouble *x, double **X);
ADOLC_API void pack2(int m, int n, const double *const *X, fdouble *x);
ADOLC_API void spread3(int m, int n, int p, const fdouble *x, double ***X);
ADOLC_API void pack3(int m, int n, int p, const double *const *const *X, fdouble *x);

END_C_DECLS
