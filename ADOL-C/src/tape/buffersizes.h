/// @file tape/buffersizes.h
/// Which capacities of buffers there can be.
#pragma once

#include <adolc/valuetape/taperecordingcontext.h>

#include <cstddef>
#include <cstdint>

namespace ADOLC::detail {

/// A buffer must hold one operation and the marks around it: operations, locations, constants,
/// Taylor entries.
inline constexpr BufferSizes kLeastBufferSizes{2, 12, 6, 1};
/// No array has more elements (of at most eight bytes).
inline constexpr std::size_t kMostBufferSize = static_cast<std::size_t>(PTRDIFF_MAX) / 8;

/// A capacity that a program asks for, or the nearest one that is possible; 0 stays and stands for
/// that of the tape. The diagnostics hook is told of every one that is impossible.
std::size_t possibleBufferSize(short tapeId, std::size_t stream, std::size_t asked);

} // namespace ADOLC::detail
