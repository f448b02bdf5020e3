/// @file interp/fov_forward_kernel.h
/// The fov_forward interpreters of one instruction set: included once for each of them.
#pragma once

#include "interp/instruction_sets.h"
#include "uni5_for.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

int fovForwardKernel(ForwardSweep &sweep, [[maybe_unused]] std::size_t width, int keep,
                     double *lanes) {
#ifndef ADOLC_WIDE_ONLY
  if (width == 4)
    return forwardLoop<Lanes<4>, 0>(sweep, {lanes});
#endif
  ADOLC_ASSERT(width == 8);
  if (keep != 0) {
    const TaylorShape kept{.keep = static_cast<std::size_t>(keep),
                           .directions = sweep.lanes,
                           .lanes = keep == 1 ? 1 : width};
    return keep == 1 ? forwardLoop<Lanes<8>, 1>(sweep, {lanes}, kept)
                     : forwardLoop<Lanes<8>, 2>(sweep, {lanes}, kept);
  }
  return forwardLoop<Lanes<8>, 0>(sweep, {lanes});
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
