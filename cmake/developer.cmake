# SPDX-License-Identifier: MIT
# Targets for people who work on the library: check, format, format-check.
find_program(ADOLC_CLANG_FORMAT clang-format)
mark_as_advanced(ADOLC_CLANG_FORMAT)

cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
add_custom_target(check
  COMMAND "${CMAKE_CTEST_COMMAND}" --output-on-failure -j ${cores}
  COMMENT "Running the tests" USES_TERMINAL VERBATIM)
get_property(targets GLOBAL PROPERTY ADOLC_CHECK_TARGETS)
if(targets)
  add_dependencies(check ${targets})
endif()

if(ADOLC_CLANG_FORMAT)
  foreach(target IN ITEMS format format-check)
    add_custom_target(${target}
      COMMAND "${CMAKE_COMMAND}" -DMODE=${target} "-DCLANG_FORMAT=${ADOLC_CLANG_FORMAT}"
        -P "${PROJECT_SOURCE_DIR}/cmake/format.cmake"
      VERBATIM)
  endforeach()
  add_dependencies(check format-check)
endif()
