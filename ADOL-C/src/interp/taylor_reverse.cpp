#include "interp/sweeps.h"
#include "interp/taylor_reverse_kernel.h"

#include <algorithm>

namespace ADOLC::detail {

int taylorReverse(const TaylorReverse &sweep) {
  return orAbandon(sweep, [&] {
    const auto kernel = ADOLC_TAYLOR_KERNEL(taylorReverseKernel);
    int code = 3;
    TaylorReverse part = sweep;
    for (std::size_t first = 0; first < sweep.lanes; first += kWidestStrip) {
      part.firstLane = sweep.firstLane + first;
      part.lanes = std::min(kWidestStrip, sweep.lanes - first);
      const bool single = sweep.lanes == 1 && sweep.context.taylors().shape.lanes == 1;
      code = std::min(code, kernel(part, single ? 1 : kWidestStrip));
    }
    return code;
  });
}

} // namespace ADOLC::detail
