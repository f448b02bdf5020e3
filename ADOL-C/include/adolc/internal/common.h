/// @file internal/common.h
/// Names, types and tuning constants that every public header shares.
#pragma once

#include <adolc/adolc_version.h>
#include <adolc/internal/export.h>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>

/// Location index in the public interface. Tape cells hold 32 bits of it.
using locint = std::size_t;
/// Adjoint type.
using revreal = double;
using uint = unsigned int;

// Argument types of the Fortran-callable forms.
#define fint long
#define fdouble double

#ifndef ADOLC_BITWORD_BITS
#define ADOLC_BITWORD_BITS 32
#endif
#if ADOLC_BITWORD_BITS == 64
using bitword_t = std::uint64_t;
#else
using bitword_t = std::uint32_t;
#endif

#ifdef __cplusplus
#define BEGIN_C_DECLS extern "C" {
#define END_C_DECLS }
#else
#define BEGIN_C_DECLS
#define END_C_DECLS
#endif

/// A default-constructed adouble holds 0 and records it. Define ADOLC_NO_ADOUBLE_STDCZERO before
/// including the library to leave it unspecified (fewer operations for large uninitialised arrays).
#ifndef ADOLC_NO_ADOUBLE_STDCZERO
#define ADOLC_ADOUBLE_STDCZERO 1
#endif

// Without optimisation nothing is inlined by force: the interpreters are then many small functions,
// which compile in seconds, also with sanitizers, and are easier to debug.
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define ADOLC_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ADOLC_ALWAYS_INLINE inline
#endif
#if defined(__GNUC__)
#define ADOLC_COLD __attribute__((cold, noinline))
#define ADOLC_NOINLINE __attribute__((noinline))
#else
#define ADOLC_COLD
#define ADOLC_NOINLINE
#endif
/// Of thread-local variables: reached with one instruction and not by a call.
#if defined(__GNUC__) && !defined(_WIN32)
#define ADOLC_INITIAL_EXEC __attribute__((tls_model("initial-exec")))
#else
#define ADOLC_INITIAL_EXEC
#endif

/// Invariants of the library itself; arguments of callers are checked with exceptions instead.
#define ADOLC_ASSERT(condition) assert(condition)

// Historical tuning constants; buffer sizes count elements. Those of buffers and the directory of
// tape files are defaults, see configuration.h.
#define OBUFSIZE 524288
#define LBUFSIZE 524288
#define VBUFSIZE 524288
#define TBUFSIZE 524288
#define TAPE_DIR "."
#define TBUFNUM 32
#define ADOLC_EPS 10E-20
#define inf_num 1.0
#define inf_den 0.0
#define non_num 0.0
#define non_den 0.0
#define ADOLC_MATH_NSP std
/// Where programs print their own diagnostics; the library prints nothing, see diagnostics.h.
#define DIAG_OUT stderr

#define MAXDEC(a, b) ((a) = (a) > (b) ? (a) : (b))
#define MAXDECI(a, b) ((a) = (a) > (b) ? (a) : (b))
#define MINDEC(a, b) ((a) = (a) < (b) ? (a) : (b))
#define MINDECR(a, b) ((a) = (a) < (b) ? (a) : (b))
#define MAX_ADOLC(a, b) ((a) < (b) ? (b) : (a))
#define MIN_ADOLC(a, b) ((a) > (b) ? (b) : (a))

/// Converts a non-negative integer to std::size_t.
template <std::integral T>
requires(!std::same_as<std::remove_cv_t<T>, bool>) constexpr std::size_t to_size_t(T value) {
  if constexpr (std::is_signed_v<T>)
    assert(value >= 0);
  return static_cast<std::size_t>(value);
}

/// Converts an integer to double.
template <std::integral T>
requires(!std::same_as<std::remove_cv_t<T>, bool>) constexpr double to_double(T value) {
  return static_cast<double>(value);
}

/// Always false, but only known to be when a template is instantiated.
template <auto> inline constexpr bool is_dependent_v = false;
