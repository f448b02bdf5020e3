/// @file interp/fov_forward_kernel.h
/// The fov_forward interpreters of one instruction set: included once for each of them.
#pragma once

#include "interp/instruction_sets.h"
#include "uni5_for.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

int fovForwardKernel(ForwardSweep &sweep, double *lanes) {
  const std::size_t p = sweep.lanes;
  switch (p) {
#ifndef ADOLC_WIDE_ONLY
  case 4:
    return forwardLoop<Lanes<4>, 0>(sweep, {lanes, p});
#endif
  case 8:
    return forwardLoop<Lanes<8>, 0>(sweep, {lanes, p});
  default:
    return forwardLoop<Lanes<0>, 0>(sweep, {lanes, p});
  }
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
