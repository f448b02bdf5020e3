/// @file adolc_openmp.h
/// Names that programs for 2.7 use around parallel regions of OpenMP. The library needs none of it:
/// each thread of a region records, selects and evaluates tapes as any other thread, and tapes in
/// shared mode are swept by all of them. So the clauses copy an empty object, and nothing else
/// happens; no tape is copied.
///
///     #pragma omp parallel ADOLC_OPENMP
#pragma once

#include <adolc/internal/common.h>

ADOLC_API void beginParallel();
ADOLC_API void endParallel();
/// Without effect.
extern ADOLC_API int ADOLC_parallel_doCopy;

class ADOLC_OpenMP {};
class ADOLC_OpenMP_NC {};
extern ADOLC_API ADOLC_OpenMP ADOLC_OpenMP_Handler;
extern ADOLC_API ADOLC_OpenMP_NC ADOLC_OpenMP_Handler_NC;

#define ADOLC_OPENMP firstprivate(ADOLC_OpenMP_Handler)
#define ADOLC_OPENMP_NC firstprivate(ADOLC_OpenMP_Handler_NC)
