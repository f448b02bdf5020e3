/// @file interp/fov_forward_kernel.h
/// The fov_forward interpreters of one instruction set: included once for each of them.
#pragma once

#include "interp/instruction_sets.h"
#include "uni5_for.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

int fovForwardKernel(ForwardSweep &sweep, [[maybe_unused]] std::size_t width, double *lanes) {
#ifndef ADOLC_WIDE_ONLY
  if (width == 4)
    return forwardLoop<Lanes<4>, 0>(sweep, {lanes});
#endif
  ADOLC_ASSERT(width == 8);
  return forwardLoop<Lanes<8>, 0>(sweep, {lanes});
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
