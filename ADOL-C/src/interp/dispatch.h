/// @file interp/dispatch.h
/// The four names that the interpreter loops are written in. By default each operation jumps to the
/// next one through a table of labels; ADOLC_PORTABLE_SWITCH makes a switch of the same cases.
///
///   ADOLC_LOOP_BEGIN … ADOLC_LOOP_END   around the cases
///   ADOLC_CASE(op, save)                begins a case: opcode and save bit
///   ADOLC_NEXT                          ends it: on to the next operation
///
/// ADOLC_FETCH yields the next cell, ADOLC_CELL the one that was fetched last: it is read again
/// where it matters, so that it takes no register where it does not.
#pragma once

#if defined(ADOLC_PORTABLE_SWITCH) || !defined(__GNUC__)

#define ADOLC_LOOP_BEGIN                                                                           \
  for (;;) {                                                                                       \
    switch (ADOLC_FETCH & ~(kPieceBit | kUnorderedBit)) {
#define ADOLC_CASE(op, save) case (op << kOpShift | save):
#define ADOLC_UNKNOWN_CASE default:
#define ADOLC_NEXT continue
#define ADOLC_LOOP_END                                                                             \
  }                                                                                                \
  }

#else

// Labels as values are an extension that both supported compilers have.
#pragma GCC diagnostic ignored "-Wpedantic"

// The table holds distances from a label, not addresses, which the loader would have to relocate,
// a page of them for each loop.
#define ADOLC_DISTANCE(label)                                                                      \
  static_cast<std::int32_t>(static_cast<const char *>(&&label) -                                   \
                            static_cast<const char *>(&&label_unknown))
// For a code without and with save bit; the other two bits of a cell do not matter.
#define ADOLC_LABELS(plain, saving)                                                                \
  ADOLC_DISTANCE(plain), ADOLC_DISTANCE(saving), ADOLC_DISTANCE(plain), ADOLC_DISTANCE(saving),    \
      ADOLC_DISTANCE(plain), ADOLC_DISTANCE(saving), ADOLC_DISTANCE(plain),                        \
      ADOLC_DISTANCE(saving),

#define ADOLC_LOOP_BEGIN                                                                           \
  const char *const origin = static_cast<const char *>(&&label_unknown);                           \
  ADOLC_NEXT;
#define ADOLC_CASE(op, save) label_##op##_##save:
#define ADOLC_UNKNOWN_CASE                                                                         \
  label_unknown:
#define ADOLC_NEXT                                                                                 \
  do {                                                                                             \
    goto *(origin + labels[ADOLC_FETCH]);                                                          \
  } while (false)
#define ADOLC_LOOP_END
#define ADOLC_LABEL_TABLE 1

#endif
