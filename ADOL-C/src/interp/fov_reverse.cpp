#include "interp/fov_reverse_kernel.h"
#include "interp/sweeps.h"

namespace ADOLC::detail {
namespace {

int strip(ReverseSweep &sweep, std::size_t width) {
  if (width == 1)
    return fosReverse(sweep);
  double *const lanes =
      sweep.context.workspace().lanes.require(sweep.context.recording().numLocations * width);
  switch (instructionSet(width)) {
#define ADOLC_ROW(name)                                                                            \
  case InstructionSet::name:                                                                       \
    return name::fovReverseKernel(sweep, width, lanes);
    ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW
  }
  return baseline::fovReverseKernel(sweep, width, lanes);
}

} // namespace

int fovReverse(const ReverseSweep &sweep) {
  return orAbandon(sweep, [&] {
    return inStrips(sweep.lanes, [&](std::size_t first, std::size_t lanes, std::size_t width) {
      ReverseSweep part = sweep;
      part.lanes = lanes;
      if (part.weights != nullptr)
        part.weights += first;
      part.firstUnit += first;
      part.results += first;
      return strip(part, width);
    });
  });
}

} // namespace ADOLC::detail
