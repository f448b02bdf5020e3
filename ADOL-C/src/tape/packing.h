/// @file tape/packing.h
/// What closing a segment does with its staged locations.
#pragma once

#include <adolc/valuetape/taperecordingcontext.h>

#include <cstddef>

namespace ADOLC::detail {

struct Packed {
  bool fits = false;   ///< every location minus base has 16 bits
  LocCell highest = 0; ///< largest difference to base, if all fit
};

/// Stores locations relative to base in 16 bits.
Packed packNarrow(NarrowLoc *out, const LocCell *locs, std::size_t count, LocCell base) noexcept;

} // namespace ADOLC::detail
