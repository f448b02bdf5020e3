#include "interp/fov_forward_kernel.h"
#include "interp/sweeps.h"

#include <algorithm>

namespace ADOLC::detail {
namespace {

int strip(ForwardSweep &sweep, std::size_t width) {
  if (width == 1)
    return fosForward(sweep, 0);
  double *const lanes =
      sweep.context.workspace().lanes.require(sweep.context.recording().numLocations * width);
  switch (instructionSet(width)) {
#define ADOLC_ROW(name)                                                                            \
  case InstructionSet::name:                                                                       \
    return name::fovForwardKernel(sweep, width, lanes);
    ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW
  }
  return baseline::fovForwardKernel(sweep, width, lanes);
}

} // namespace

int fovForward(const ForwardSweep &sweep) {
  int code = 3;
  for (std::size_t first = 0; first < sweep.lanes;) {
    const std::size_t width = stripWidth(sweep.lanes - first);
    ForwardSweep part = sweep;
    part.lanes = std::min(width, sweep.lanes - first);
    part.seedColumn += first;
    part.resultColumn += first;
    code = std::min(code, strip(part, width));
    if (code < 0) {
      poisonResults(sweep);
      break;
    }
    first += width;
  }
  return code;
}

} // namespace ADOLC::detail
