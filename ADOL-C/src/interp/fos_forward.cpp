#include "interp/sweeps.h"
#include "uni5_for.h"

namespace ADOLC::detail {

using namespace ADOLC_INSTRUCTION_SET;

int fosForward(ForwardSweep &sweep, int keep) {
  sweep.lanes = 1;
  return orAbandon(sweep, [&] {
    const Lanes<1> lanes{
        sweep.context.workspace().lanes.require(sweep.context.recording().numLocations)};
    switch (keep) {
    case 0:
      return forwardLoop<Lanes<1>, 0>(sweep, lanes);
    case 1:
      return forwardLoop<Lanes<1>, 1>(sweep, lanes, {.keep = 1});
    default:
      return forwardLoop<Lanes<1>, 2>(sweep, lanes, {.keep = 2});
    }
  });
}

} // namespace ADOLC::detail
