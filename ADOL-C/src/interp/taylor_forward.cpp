#include "interp/sweeps.h"
#include "interp/taylor_forward_kernel.h"

#include <algorithm>

namespace ADOLC::detail {
namespace {

/// Tangents only: the interpreters of first order.
int tangentSweep(const TaylorForward &sweep, int keep) {
  ForwardSweep first{.context = sweep.context,
                     .x = sweep.x,
                     .y = sweep.y,
                     .lanes = sweep.directions,
                     .seedRows = sweep.seedRows,
                     .resultRows = sweep.resultRows,
                     .seedColumn = sweep.seedRows != nullptr ? sweep.seedColumn : sweep.firstUnit,
                     .resultColumn = sweep.resultColumn};
  if (sweep.directions == 1)
    return fosForward(first, keep);
  return keep == 0 ? fovForward(first) : fovForwardKeeping(first, keep);
}

int forwardSweeps(const TaylorForward &sweep, int keep) {
  const std::size_t p = sweep.directions;
  if (sweep.degree == 0 || p == 0) {
    ForwardSweep values{.context = sweep.context, .x = sweep.x, .y = sweep.y};
    return zosForward(values, std::min(keep, 1));
  }
  if (sweep.degree == 1 && sweep.seedCubes == nullptr && sweep.resultCubes == nullptr &&
      (p <= kWidestStrip || keep == 0))
    return tangentSweep(sweep, keep);
  const auto kernel = ADOLC_TAYLOR_KERNEL(taylorForwardKernel);
  const auto padded = [](std::size_t curves) {
    return curves == 1 ? 1 : (curves + kWidestStrip - 1) / kWidestStrip * kWidestStrip;
  };
  if (keep > 0) // they belong together on the Taylor stack
    return kernel(sweep, padded(p), static_cast<std::size_t>(keep));
  int code = 3;
  TaylorForward part = sweep;
  for (std::size_t first = 0; first < p && code >= 0; first += kWidestStrip) {
    part.firstDirection = sweep.firstDirection + first;
    part.firstUnit = sweep.firstUnit + first;
    part.directions = std::min(kWidestStrip, p - first);
    code = std::min(code, kernel(part, padded(part.directions), 0));
  }
  return code;
}

} // namespace

int taylorForward(const TaylorForward &sweep, int keep) {
  const int code = orAbandon(sweep, [&] { return forwardSweeps(sweep, keep); });
  if (code < 0)
    abandon(sweep); // all directions, not only those of the last strip
  return code;
}

} // namespace ADOLC::detail
