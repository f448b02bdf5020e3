# SPDX-License-Identifier: MIT
# cmake -DFAILS=<bool> -DEXPECT=<regex> -P expect.cmake -- <command> [<argument>...]
# See adolc_expect_command() in testing.cmake.
set(command "")
set(in_command FALSE)
foreach(i RANGE ${CMAKE_ARGC})
  if(in_command AND i LESS CMAKE_ARGC)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(in_command TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text
  ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE)

if(FAILS AND result EQUAL 0)
  message(FATAL_ERROR "succeeded, but should fail")
elseif(NOT FAILS AND NOT result EQUAL 0)
  message(FATAL_ERROR "failed: ${result}")
elseif(NOT text MATCHES "${EXPECT}")
  message(FATAL_ERROR "the output does not match: ${EXPECT}")
endif()
