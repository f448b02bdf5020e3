# SPDX-License-Identifier: MIT
# Shared by the tests, the examples and the benchmarks.
enable_testing()

# Optional: a test or example that needs one of these is added only where it is found. The summary
# names them.
if(ADOLC_BUILD_TESTS OR ADOLC_BUILD_EXAMPLES)
  find_package(Eigen3 CONFIG QUIET)
  find_package(OpenMP QUIET COMPONENTS CXX)
  find_package(PkgConfig QUIET)
  find_program(ADOLC_CLANGXX clang++)
  find_program(ADOLC_PDFLATEX pdflatex)
  find_program(ADOLC_DOT dot)
  mark_as_advanced(ADOLC_CLANGXX ADOLC_PDFLATEX ADOLC_DOT)
endif()

# The command line with which CTest runs <command> [<argument>...] and wants more than exit code 0:
# EXPECT <regex> must match what it prints (CTest's own PASS_REGULAR_EXPRESSION would ignore the
# exit code), and with FAILS the command must fail.
function(adolc_expect_command variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAILS" "EXPECT" "COMMAND")
  set(${variable} "${CMAKE_COMMAND}" "-DFAILS=${arg_FAILS}" "-DEXPECT=${arg_EXPECT}"
    -P "${PROJECT_SOURCE_DIR}/cmake/expect.cmake" -- ${arg_COMMAND} PARENT_SCOPE)
endfunction()

# Makes the target `check` (cmake/developer.cmake) build <target> before it runs the tests.
function(adolc_built_by_check target)
  set_property(GLOBAL APPEND PROPERTY ADOLC_CHECK_TARGETS ${target})
endfunction()
