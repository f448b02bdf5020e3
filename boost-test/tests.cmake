# SPDX-License-Identifier: MIT
# All tests, one call each; CMakeLists.txt explains the functions:
#   adolc_add_test(<name> SOURCES <file>... [LABELS <label>...] [WHITEBOX] [TIMEOUT <seconds>])
#   adolc_add_compile_fail_test(<name> SOURCE <file> EXPECT <regex>)

adolc_add_test(ops
  SOURCES ops/advanced_branching.cpp ops/aliasing.cpp ops/op_rows.cpp ops/op_sweeps.cpp
    ops/recording.cpp ops/rules.cpp interp/all_sweeps.cpp)
adolc_add_test(life_cycle SOURCES tape/life_cycle.cpp)
adolc_add_test(nested_recordings SOURCES tape/nested_recordings.cpp)
adolc_add_test(statistics SOURCES tape/statistics.cpp)
adolc_add_test(parameters SOURCES adouble/parameters.cpp)
