#include "interp/sweeps.h"
#include "uni5_for.h"

namespace ADOLC::detail {

int fovForward(ForwardSweep &sweep) {
  const std::size_t p = sweep.lanes;
  double *const data = sweep.context.workspace().lanes.require(
      checkedProduct(sweep.context.recording().numLocations, p));
  switch (p) {
  case 1: return forwardLoop<Lanes<1>, 0>(sweep, {data, p});
  case 2: return forwardLoop<Lanes<2>, 0>(sweep, {data, p});
  case 4: return forwardLoop<Lanes<4>, 0>(sweep, {data, p});
  case 8: return forwardLoop<Lanes<8>, 0>(sweep, {data, p});
  case 16: return forwardLoop<Lanes<16>, 0>(sweep, {data, p});
  default: return forwardLoop<Lanes<0>, 0>(sweep, {data, p});
  }
}

} // namespace ADOLC::detail
