#include "interp/fov_forward_kernel.h"
#include "interp/sweeps.h"

namespace ADOLC::detail {
namespace {

int strip(ForwardSweep &sweep, std::size_t width, int keep) {
  if (width == 1)
    return fosForward(sweep, 0);
  double *const lanes =
      sweep.context.workspace().lanes.require(sweep.context.recording().numLocations * width);
  switch (instructionSet(width)) {
#define ADOLC_ROW(name)                                                                            \
  case InstructionSet::name:                                                                       \
    return name::fovForwardKernel(sweep, width, keep, lanes);
    ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW
  }
  return baseline::fovForwardKernel(sweep, width, keep, lanes);
}

} // namespace

int fovForward(const ForwardSweep &sweep) {
  const int code = orAbandon(sweep, [&] {
    return inStrips(sweep.lanes, [&](std::size_t first, std::size_t lanes, std::size_t width) {
      ForwardSweep part = sweep;
      part.lanes = lanes;
      part.seedColumn += first;
      part.resultColumn += first;
      return strip(part, width, 0);
    });
  });
  if (code < 0)
    poisonResults(sweep);
  return code;
}

int fovForwardKeeping(ForwardSweep &sweep, int keep) {
  ADOLC_ASSERT(sweep.lanes <= kWidestStrip);
  return orAbandon(sweep, [&] { return strip(sweep, kWidestStrip, keep); });
}

} // namespace ADOLC::detail
