# SPDX-License-Identifier: MIT
# All tests, one call each; CMakeLists.txt explains the functions:
#   adolc_add_test(<name> SOURCES <file>... [LABELS <label>...] [WHITEBOX] [TIMEOUT <seconds>])
#   adolc_add_compile_fail_test(<name> SOURCE <file> EXPECT <regex>)

adolc_add_test(ops
  SOURCES ops/advanced_branching.cpp ops/aliasing.cpp ops/op_rows.cpp ops/op_sweeps.cpp
    ops/recording.cpp ops/rules.cpp ops/special_points.cpp interp/all_sweeps.cpp)

set(program_sources interp/all_sweeps.cpp interp/program_check.cpp interp/random_program.cpp)
adolc_add_test(random_programs WHITEBOX
  SOURCES interp/random_programs.cpp ${program_sources})
adolc_add_test(random_programs_soak WHITEBOX LABELS soak TIMEOUT 3600
  SOURCES interp/random_programs_soak.cpp ${program_sources})
adolc_add_test(live_variables SOURCES interp/live_variables.cpp)

# Fused multiply-add, where this machine has it.
adolc_add_test(contraction SOURCES ops/contraction.cpp)
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-O2 -mfma -ffp-contract=fast")
check_cxx_source_runs("
  int main(int argc, char **) {
    if (!__builtin_cpu_supports(\"fma\"))
      return 1;
    volatile double x = 1.0 + argc * 0x1p-30, square = x * x;
    return x * x - square == 0.0;
  }" ADOLC_CONTRACTS)
unset(CMAKE_REQUIRED_FLAGS)
if(ADOLC_CONTRACTS)
  target_compile_options(test_contraction PRIVATE -O2 -mfma -ffp-contract=fast)
  target_compile_definitions(test_contraction PRIVATE CONTRACTS)
endif()
