#include "tape/packing.h"

#include "interp/instruction_sets.h"

#include <algorithm>

namespace ADOLC::detail {
namespace {

/// One loop for any instruction set; it is inlined where it may use a wide one.
ADOLC_ALWAYS_INLINE Packed pack(NarrowLoc *out, const LocCell *locs, std::size_t count,
                                LocCell base) {
  LocCell highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const LocCell relative = locs[i] - base; // below base: wraps around and does not fit
    highest = std::max(highest, relative);
    out[i] = static_cast<NarrowLoc>(relative);
  }
  return {highest <= UINT16_MAX, highest};
}

#if defined(ADOLC_X86_KERNELS)
__attribute__((target("avx2"))) Packed packAvx2(NarrowLoc *out, const LocCell *locs,
                                                std::size_t count, LocCell base) {
  return pack(out, locs, count, base);
}
#endif

} // namespace

Packed packNarrow(NarrowLoc *out, const LocCell *locs, std::size_t count, LocCell base) noexcept {
#if defined(ADOLC_X86_KERNELS)
  if (instructionSet() != InstructionSet::baseline)
    return packAvx2(out, locs, count, base);
#endif
  return pack(out, locs, count, base);
}

} // namespace ADOLC::detail
