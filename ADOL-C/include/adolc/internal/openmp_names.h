/// @file internal/openmp_names.h
/// The declarations of adolc_openmp.h, for the library as well, which is compiled without OpenMP.
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
