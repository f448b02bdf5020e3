#include "interp/sweeps.h"
#include "uni5_for.h"

namespace ADOLC::detail {

using namespace ADOLC_INSTRUCTION_SET;

int zosForward(ForwardSweep &sweep, int keep) {
  sweep.lanes = 0;
  return orAbandon(sweep, [&] {
    return keep == 0 ? forwardLoop<NoLanes, 0>(sweep, {})
                     : forwardLoop<NoLanes, 1>(sweep, {}, {.keep = 1});
  });
}

} // namespace ADOLC::detail
