/// @file interp/dispatch.h
/// The four names that the interpreter loops are written in. By default each operation jumps to the
/// next one through a table of labels; ADOLC_PORTABLE_SWITCH makes a switch of the same cases.
///
///   ADOLC_LOOP_BEGIN … ADOLC_LOOP_END   around the cases
///   ADOLC_CASE(op, save)                begins a case: opcode and save bit
///   ADOLC_NEXT                          ends it: on to the next operation
///
/// The cell of the operation at hand is in the local variable `cell`; ADOLC_FETCH yields the next.
#pragma once

#if defined(ADOLC_PORTABLE_SWITCH) || !defined(__GNUC__)

#define ADOLC_LOOP_BEGIN                                                                           \
  for (;;) {                                                                                       \
    cell = ADOLC_FETCH;                                                                            \
    switch (cell & kDispatchMask) {
#define ADOLC_CASE(op, save) case (op << kOpShift | save):
#define ADOLC_UNKNOWN_CASE default:
#define ADOLC_NEXT continue
#define ADOLC_LOOP_END                                                                             \
  }                                                                                                \
  }

#else

// Labels as values are an extension that both supported compilers have.
#pragma GCC diagnostic ignored "-Wpedantic"

#define ADOLC_LOOP_BEGIN ADOLC_NEXT;
#define ADOLC_CASE(op, save) label_##op##_##save:
#define ADOLC_UNKNOWN_CASE                                                                         \
  label_unknown:
#define ADOLC_NEXT                                                                                 \
  do {                                                                                             \
    cell = ADOLC_FETCH;                                                                            \
    goto *labels[cell & kDispatchMask];                                                            \
  } while (false)
#define ADOLC_LOOP_END
#define ADOLC_LABEL_TABLE 1

#endif
