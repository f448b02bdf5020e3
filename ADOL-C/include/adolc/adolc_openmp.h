/// @file adolc_openmp.h
/// Names that programs with OpenMP use around parallel regions. The library needs none of it: each
/// thread of a region records, selects and evaluates tapes as any other thread, and tapes in shared
/// mode are swept by all of them. So the clauses copy an empty object, and nothing else happens; no
/// tape is copied.
///
///     #pragma omp parallel ADOLC_OPENMP
///
/// Only for code that is compiled with OpenMP.
#pragma once

#ifndef _OPENMP
#error "adolc_openmp.h is for code that is compiled with OpenMP"
#endif

#include <adolc/internal/openmp_names.h>

#define ADOLC_OPENMP firstprivate(ADOLC_OpenMP_Handler)
#define ADOLC_OPENMP_NC firstprivate(ADOLC_OpenMP_Handler_NC)
