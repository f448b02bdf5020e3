# SPDX-License-Identifier: MIT
# cmake -P check_lists.cmake
# Finds what a compiler does not tell.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)

# check_listed(<folder> <pattern> <list file>...), all paths relative to the repository.
# A file on disk that no list names is a header that does not get installed, a source that is not
# compiled, a test that never runs.
function(check_listed folder pattern)
  set(lists "")
  foreach(list_file IN LISTS ARGN)
    file(READ "${root}/${list_file}" text)
    string(APPEND lists "${text}")
  endforeach()
  file(GLOB_RECURSE files RELATIVE "${root}/${folder}" "${root}/${folder}/${pattern}")
  list(FILTER files EXCLUDE REGEX "^consumer/")
  foreach(file IN LISTS files)
    string(REPLACE "." "\\." regex "${file}")
    if(NOT lists MATCHES "[ (\n]${regex}[ )\n]")
      message(SEND_ERROR "${folder}/${file} is not listed in ${ARGN}")
    endif()
  endforeach()
endfunction()

check_listed(ADOL-C/include *.h ADOL-C/sources.cmake)
check_listed(ADOL-C/include *.def ADOL-C/sources.cmake)
check_listed(ADOL-C/src *.cpp ADOL-C/sources.cmake)
check_listed(boost-test *.cpp boost-test/tests.cmake boost-test/CMakeLists.txt)
check_listed(examples *.cpp examples/CMakeLists.txt)

# An <adolc/...> that this library does not have is taken from another ADOL-C, if the machine has one.
# (The benchmarks do that on purpose.)
file(GLOB_RECURSE files RELATIVE "${root}" "${root}/ADOL-C/include/*" "${root}/ADOL-C/src/*"
  "${root}/boost-test/*" "${root}/examples/*")
foreach(file IN LISTS files)
  file(STRINGS "${root}/${file}" lines REGEX "^ *# *include *[<\"]adolc/")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "adolc/[^>\"]+" header "${line}")
    if(NOT EXISTS "${root}/ADOL-C/include/${header}" AND NOT header STREQUAL adolc/adolc_version.h)
      message(SEND_ERROR "${file} includes <${header}>, which does not exist")
    endif()
  endforeach()
endforeach()

# Every line of the tables of special points is a test case, with the same name and in the same order.
file(STRINGS "${root}/doc/special-points.md" documented REGEX "^[|] `[a-z0-9_]+` [|]")
list(TRANSFORM documented REPLACE "^[|] `([a-z0-9_]+)`.*" "\\1")
set(tested "")
foreach(file special_points special_points_taylor)
  file(STRINGS "${root}/boost-test/ops/${file}.cpp" cases REGEX "^BOOST_AUTO_TEST_CASE")
  list(TRANSFORM cases REPLACE "^BOOST_AUTO_TEST_CASE[(]([a-z0-9_]+)[)].*" "\\1")
  list(APPEND tested ${cases})
endforeach()
list(LENGTH documented number)
if(number EQUAL 0 OR NOT "${documented}" STREQUAL "${tested}")
  message(SEND_ERROR "doc/special-points.md and boost-test/ops/special_points*.cpp differ:\n"
    "  ${documented}\n  ${tested}")
endif()
