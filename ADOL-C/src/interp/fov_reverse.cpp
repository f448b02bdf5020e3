#include "interp/fov_reverse_kernel.h"
#include "interp/sweeps.h"

#include <algorithm>

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
  int code = 3;
  for (std::size_t first = 0; first < sweep.lanes;) {
    const std::size_t width = stripWidth(sweep.lanes - first);
    ReverseSweep part = sweep;
    part.lanes = std::min(width, sweep.lanes - first);
    if (part.weights != nullptr)
      part.weights += first;
    part.firstUnit += first;
    part.results += first;
    code = std::min(code, strip(part, width));
    first += width;
  }
  return code;
}

} // namespace ADOLC::detail
