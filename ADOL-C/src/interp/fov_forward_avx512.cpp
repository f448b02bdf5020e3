// The build compiles this file for AVX-512 (ADOL-C/CMakeLists.txt). Narrow strips do not gain from
// it.
#define ADOLC_INSTRUCTION_SET avx512
#define ADOLC_WIDE_ONLY
#include "interp/fov_forward_kernel.h"
