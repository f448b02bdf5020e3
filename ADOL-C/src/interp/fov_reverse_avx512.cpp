// The build compiles this file for AVX-512 (ADOL-C/sources.cmake).
#define ADOLC_INSTRUCTION_SET avx512
#include "interp/fov_reverse_kernel.h"
