# SPDX-License-Identifier: MIT
# Prints what this build is, on one screen.

# Writes into <variable> the names of those <name>=<flag> whose flag is true (or false).
function(adolc_names_where variable truth)
  set(names "")
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "(.+)=(.+)" pair "${pair}")
    if((truth AND ${CMAKE_MATCH_2}) OR NOT (truth OR ${CMAKE_MATCH_2}))
      string(APPEND names " ${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${variable} "${names}" PARENT_SCOPE)
endfunction()

list(JOIN ADOLC_SANITIZE "," sanitizers)
adolc_names_where(settings TRUE native=ADOLC_NATIVE tbr-poison=ADOLC_TBR_POISON
  warnings-as-errors=ADOLC_WARNINGS_AS_ERRORS sanitize:${sanitizers}=ADOLC_SANITIZE)
adolc_names_where(parts TRUE shared-library=BUILD_SHARED_LIBS tests=ADOLC_BUILD_TESTS
  tool=adolc_has_tool
  examples=ADOLC_BUILD_EXAMPLES benchmarks=ADOLC_BUILD_BENCHMARKS install=ADOLC_INSTALL)
set(packages xxHash=ADOLC_XXHASH_INCLUDE_DIR libdw=ADOLC_LIBDW_INCLUDE_DIR
  program-options=Boost_program_options_FOUND
  nlohmann-json=nlohmann_json_FOUND clang-format=ADOLC_CLANG_FORMAT clang++=ADOLC_CLANGXX
  pkg-config=PKG_CONFIG_EXECUTABLE OpenMP=OpenMP_CXX_FOUND Eigen=Eigen3_FOUND
  pdflatex=ADOLC_PDFLATEX dot=ADOLC_DOT)
adolc_names_where(found TRUE ${packages})
adolc_names_where(missing FALSE ${packages})
set(dispatch "computed goto")
if(ADOLC_PORTABLE_SWITCH OR NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(dispatch "switch")
endif()

message(STATUS "ADOL-C ${PROJECT_VERSION}")
message(STATUS
  "  compiler   ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}")
message(STATUS "  dispatch   ${dispatch}")
message(STATUS "  parts     ${parts}")
message(STATUS "  settings  ${settings}")
message(STATUS "  found     ${found}")
message(STATUS "  not found ${missing}")
message(STATUS "  prefix     ${CMAKE_INSTALL_PREFIX}")
