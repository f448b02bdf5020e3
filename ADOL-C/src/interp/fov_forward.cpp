#include "interp/fov_forward_kernel.h"
#include "interp/sweeps.h"

namespace ADOLC::detail {

int fovForward(ForwardSweep &sweep) {
  if (sweep.lanes == 1)
    return fosForward(sweep, 0);
  double *const lanes = sweep.context.workspace().lanes.require(
      checkedProduct(sweep.context.recording().numLocations, sweep.lanes));
  switch (sweep.lanes < kWideLanes ? InstructionSet::baseline : instructionSet()) {
#define ADOLC_ROW(name)                                                                            \
  case InstructionSet::name:                                                                       \
    return name::fovForwardKernel(sweep, lanes);
    ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW
  }
  return baseline::fovForwardKernel(sweep, lanes);
}

} // namespace ADOLC::detail
