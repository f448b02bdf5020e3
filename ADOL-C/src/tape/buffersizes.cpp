#include "tape/buffersizes.h"

#include <adolc/diagnostics.h>

#include <algorithm>
#include <new>
#include <string>

namespace ADOLC::detail {

std::size_t possibleBufferSize(short tapeId, std::size_t stream, std::size_t asked) {
  static constexpr const char *names[] = {"operations", "locations", "constants", "Taylor entries"};
  const std::size_t possible =
      asked == 0 ? 0 : std::clamp(asked, kLeastBufferSizes[stream], kMostBufferSize);
  if (possible == asked && asked != 0)
    return possible;
  std::string text;
  try {
    text = "ADOL-C: tape " + std::to_string(tapeId) + ": a buffer for " + std::to_string(asked) +
           ' ' + names[stream] + " is impossible, expected " +
           std::to_string(kLeastBufferSizes[stream]) + " to " + std::to_string(kMostBufferSize) +
           "; taken instead: " + (asked == 0 ? "what the tape has" : std::to_string(possible));
  } catch (const std::bad_alloc &) {
    return possible; // it merely remains untold
  }
  diagnose(text);
  return possible;
}

} // namespace ADOLC::detail
