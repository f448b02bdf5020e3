# SPDX-License-Identifier: MIT
# cmake -DNM=<program> "-DOBJECTS=<files>" -P check_symbols.cmake
# Kernels of instruction sets that not every machine has define nothing that other files may define,
# too: of functions with one name the linker keeps any, also for machines that cannot run it.
set(checked 0)
foreach(object IN LISTS OBJECTS)
  if(NOT object MATCHES "_(avx[0-9]+)\\.cpp")
    continue()
  endif()
  set(own "::${CMAKE_MATCH_1}::")
  execute_process(COMMAND "${NM}" -C --defined-only "${object}"
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+ [WVu] [^\n]+" shared "${symbols}")
  list(FILTER shared EXCLUDE REGEX "${own}| DW\\.ref\\.")
  foreach(symbol IN LISTS shared)
    message(SEND_ERROR "${object} defines ${symbol}")
  endforeach()
  math(EXPR checked "${checked} + 1")
endforeach()
if(checked EQUAL 0)
  message(FATAL_ERROR "no kernels to check")
endif()
