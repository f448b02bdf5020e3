#include "interp/instruction_sets.h"

#include <algorithm>
#include <atomic>

namespace ADOLC::detail {
namespace {

InstructionSet best() noexcept {
#if defined(ADOLC_X86_KERNELS)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2"))
    return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

std::atomic<InstructionSet> &inUse() noexcept {
  static std::atomic<InstructionSet> set{best()};
  return set;
}
[[maybe_unused]] const auto &atLoad = inUse(); // a forked child must not find it half made

} // namespace

InstructionSet instructionSet() noexcept { return inUse().load(std::memory_order_relaxed); }

InstructionSet instructionSet(std::size_t width) noexcept {
#if defined(ADOLC_X86_KERNELS)
  if (width < 8)
    return std::min(instructionSet(), InstructionSet::avx2);
#endif
  static_cast<void>(width);
  return instructionSet();
}

InstructionSet limitInstructionSet(InstructionSet limit) noexcept {
  return inUse().exchange(std::min(limit, best()));
}

} // namespace ADOLC::detail
