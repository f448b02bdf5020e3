/// @file adalloc.h
/// Zero-initialised vectors, matrices and tensors of doubles with row pointers. Matrices and
/// tensors are one block; data are contiguous and row-major. An extent of 0 gives nullptr. What
/// myallocK returns is freed by myfreeK, which accepts nullptr. A size that does not fit throws
/// MYALLOCK.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>

BEGIN_C_DECLS

ADOLC_API double *myalloc1(std::size_t size);
ADOLC_API double **myalloc2(std::size_t m, std::size_t n);
ADOLC_API double ***myalloc3(std::size_t m, std::size_t n, std::size_t p);
ADOLC_API void myfree1(double *a);
ADOLC_API void myfree2(double **a);
ADOLC_API void myfree3(double ***a);

/// The n×n identity; its rows share one array of 2n-1 numbers and must not be written to.
ADOLC_API double **myallocI2(std::size_t n);
ADOLC_API void myfreeI2(std::size_t n, double **a);

ADOLC_API unsigned int *myalloc1_uint(std::size_t size);
ADOLC_API std::size_t *myalloc1_ulong(std::size_t size);
ADOLC_API std::size_t **myalloc2_ulong(std::size_t m, std::size_t n);
ADOLC_API void myfree1_uint(unsigned int *a);
ADOLC_API void myfree1_ulong(std::size_t *a);
ADOLC_API void myfree2_ulong(std::size_t **a);

/// Lays out an n×m matrix with row pointers in `memory` (pointers first, then data); *p is the
/// matrix. Returns one past the end.
ADOLC_API char *populate_dpp(double ***p, char *memory, std::size_t n, std::size_t m);
/// The same for an n×m×k tensor.
ADOLC_API char *populate_dppp(double ****p, char *memory, std::size_t n, std::size_t m,
                              std::size_t k);
/// Only the two levels of pointers of an n×m×· tensor; the innermost ones are left unset.
ADOLC_API char *populate_dppp_nodata(double ****p, char *memory, std::size_t n, std::size_t m);

END_C_DECLS

inline double *myalloc(std::size_t n) { return myalloc1(n); }
inline double **myalloc(std::size_t m, std::size_t n) { return myalloc2(m, n); }
inline double ***myalloc(std::size_t m, std::size_t n, std::size_t p) { return myalloc3(m, n, p); }
inline void myfree(double *a) { myfree1(a); }
inline void myfree(double **a) { myfree2(a); }
inline void myfree(double ***a) { myfree3(a); }
