# SPDX-License-Identifier: MIT
# How our targets are compiled. One function per concern; all flags of the project stand here.
# The flags are those of gcc and clang. Another compiler gets its defaults.

set(adolc_gnu_like "$<CXX_COMPILER_ID:GNU,Clang,AppleClang>")

# Code whose numbers must be the same bits on every machine: the library, and tests that compile
# templates of the library themselves.
function(adolc_compile_numerics target)
  target_compile_options(${target} PRIVATE
    # A compiler that may contract a*b+c gives other bits wherever the machine has fused
    # multiply-add. Equality of sparse and dense, of recorded and replayed values relies on this.
    $<${adolc_gnu_like}:-ffp-contract=off>
    # A parent project may define Release as -O2; the interpreters gain from -O3.
    $<$<AND:${adolc_gnu_like},$<CONFIG:Release>>:-O3>)
  target_compile_options(${target} PRIVATE
    # Nobody replaces functions inside the library: calls within it need no detour.
    $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  if(ADOLC_NATIVE)
    target_compile_options(${target} PRIVATE $<${adolc_gnu_like}:-march=native>)
  endif()
endfunction()

# adolc_set_warnings(<target> [STRICT])
# STRICT adds what matters in the library and its headers and is noise elsewhere: there an implicit
# conversion may cut a location to 32 bits without a word.
function(adolc_set_warnings target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT" "" "")
  set(flags -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual
            -Wformat=2 -Wundef)
  if(arg_STRICT)
    list(APPEND flags -Wshadow -Wconversion -Wold-style-cast -Wextra-semi)
  endif()
  target_compile_options(${target} PRIVATE "$<${adolc_gnu_like}:${flags}>")
  set_target_properties(${target} PROPERTIES
    COMPILE_WARNING_AS_ERROR ${ADOLC_WARNINGS_AS_ERRORS})
endfunction()

# Instruments everything that is defined afterwards: a sanitizer that sees only part of a program
# reports what is not there and misses what is.
macro(adolc_enable_sanitizers)
  if(ADOLC_SANITIZE)
    list(JOIN ADOLC_SANITIZE "," sanitizers)
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${sanitizers})
  endif()
endmacro()
