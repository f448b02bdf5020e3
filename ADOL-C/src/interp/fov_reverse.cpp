#include "interp/fov_reverse_kernel.h"
#include "interp/sweeps.h"

namespace ADOLC::detail {

int fovReverse(ReverseSweep &sweep) {
  if (sweep.lanes == 1)
    return fosReverse(sweep);
  double *const lanes = sweep.context.workspace().lanes.require(
      checkedProduct(sweep.context.recording().numLocations, sweep.lanes));
  switch (sweep.lanes < kWideLanes ? InstructionSet::baseline : instructionSet()) {
#define ADOLC_ROW(name)                                                                            \
  case InstructionSet::name:                                                                       \
    return name::fovReverseKernel(sweep, lanes);
    ADOLC_FOR_EACH_INSTRUCTION_SET(ADOLC_ROW)
#undef ADOLC_ROW
  }
  return baseline::fovReverseKernel(sweep, lanes);
}

} // namespace ADOLC::detail
