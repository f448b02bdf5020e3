#include "fo_rev.h"
#include "interp/sweeps.h"

namespace ADOLC::detail {

int fovReverse(ReverseSweep &sweep) {
  const std::size_t q = sweep.lanes;
  double *const data = sweep.context.workspace().lanes.require(
      checkedProduct(sweep.context.recording().numLocations, q));
  switch (q) {
  case 1: return reverseLoop<1>(sweep, {data, q});
  case 2: return reverseLoop<2>(sweep, {data, q});
  case 4: return reverseLoop<4>(sweep, {data, q});
  case 8: return reverseLoop<8>(sweep, {data, q});
  case 16: return reverseLoop<16>(sweep, {data, q});
  default: return reverseLoop<0>(sweep, {data, q});
  }
}

} // namespace ADOLC::detail
