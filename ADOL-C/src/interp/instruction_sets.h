/// @file interp/instruction_sets.h
/// The vector sweeps exist once per instruction set; the processor decides at run time. Contraction
/// is off in all of them, so they compute the same bits.
#pragma once

#include "interp/sweep.h"

namespace ADOLC::detail {

#if defined(ADOLC_X86_KERNELS)
#define ADOLC_FOR_EACH_INSTRUCTION_SET(X) X(baseline) X(avx2) X(avx512)
#else
#define ADOLC_FOR_EACH_INSTRUCTION_SET(X) X(baseline)
#endif

enum class InstructionSet {
#define ADOLC_ROW(name) name,
  ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW
};

#define ADOLC_ROW(name)                                                                            \
  namespace name {                                                                                 \
  int fovForwardKernel(ForwardSweep &sweep, std::size_t width, int keep, double *lanes);           \
  int fovReverseKernel(ReverseSweep &sweep, std::size_t width, double *lanes);                     \
  }
ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW

/// The best one that this processor has, unless a test has asked for another.
InstructionSet instructionSet() noexcept;
/// The one that strips of this width use: for narrow ones half a wide register is enough.
InstructionSet instructionSet(std::size_t width) noexcept;
/// Test hook: use at most this one. Returns the one in use before.
InstructionSet limitInstructionSet(InstructionSet limit) noexcept;

// Those of higher order exist for two of the sets only: chunks of more than four numbers gain
// nothing where memory is the limit, or the degree is.
#define ADOLC_ROW(name)                                                                            \
  namespace name {                                                                                 \
  int taylorForwardKernel(const TaylorForward &sweep, std::size_t curves, std::size_t keep);       \
  int taylorReverseKernel(const TaylorReverse &sweep, std::size_t width);                          \
  }
ADOLC_ROW(baseline)
#if defined(ADOLC_X86_KERNELS)
ADOLC_ROW(avx2)
#define ADOLC_TAYLOR_KERNEL(name)                                                                  \
  (instructionSet() == InstructionSet::baseline ? baseline::name : avx2::name)
#else
#define ADOLC_TAYLOR_KERNEL(name) baseline::name
#endif
#undef ADOLC_ROW

} // namespace ADOLC::detail
