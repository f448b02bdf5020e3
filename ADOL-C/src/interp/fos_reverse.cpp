#include "fo_rev.h"
#include "interp/sweeps.h"

namespace ADOLC::detail {

using namespace ADOLC_INSTRUCTION_SET;

int fosReverse(ReverseSweep &sweep) {
  return orAbandon(sweep, [&] {
    return firstOrderReverse<1>(
        sweep, sweep.context.workspace().lanes.require(sweep.context.recording().numLocations));
  });
}

} // namespace ADOLC::detail
