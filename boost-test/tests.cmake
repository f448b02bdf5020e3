# SPDX-License-Identifier: MIT
# All tests, one call each; CMakeLists.txt explains the functions:
#   adolc_add_test(<name> SOURCES <file>... [LABELS <label>...] [WHITEBOX] [TIMEOUT <seconds>])
#   adolc_add_compile_fail_test(<name> SOURCE <file> EXPECT <regex>)

adolc_add_test(ops
  SOURCES ops/advanced_branching.cpp ops/aliasing.cpp ops/op_rows.cpp ops/op_sweeps.cpp
    ops/recording.cpp ops/rules.cpp interp/all_sweeps.cpp)

set(program_sources interp/all_sweeps.cpp interp/program_check.cpp interp/random_program.cpp)
adolc_add_test(random_programs WHITEBOX
  SOURCES interp/random_programs.cpp ${program_sources})
adolc_add_test(random_programs_soak WHITEBOX LABELS soak TIMEOUT 3600
  SOURCES interp/random_programs_soak.cpp ${program_sources})
