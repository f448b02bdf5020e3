// The build compiles this file for AVX2 (ADOL-C/CMakeLists.txt).
#define ADOLC_INSTRUCTION_SET avx2
#include "interp/taylor_reverse_kernel.h"
