# SPDX-License-Identifier: MIT
# cmake -DPKG_CONFIG=<program> -DCXX=<compiler> -DSTANDARD=<flag> -DLIB_DIR=<dir>
#       -DKIND=shared|static -P pkg_config.cmake
# Compiles, links and runs gradient.cpp as one would by hand.
set(ENV{PKG_CONFIG_LIBDIR} "${LIB_DIR}/pkgconfig") # the only place to look in
set(flags --cflags --libs)
if(KIND STREQUAL "static")
  list(APPEND flags --static)
endif()
execute_process(COMMAND "${PKG_CONFIG}" ${flags} adolc
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "${flags}")
separate_arguments(flags UNIX_COMMAND "${flags}")

execute_process(
  COMMAND "${CXX}" ${STANDARD} "${CMAKE_CURRENT_LIST_DIR}/gradient.cpp" -o gradient_${KIND} ${flags}
  COMMAND_ERROR_IS_FATAL ANY)
set(ENV{LD_LIBRARY_PATH} "${LIB_DIR}")
execute_process(COMMAND ./gradient_${KIND} COMMAND_ERROR_IS_FATAL ANY)
