/// @file interp/fov_reverse_kernel.h
/// The fov_reverse interpreters of one instruction set: included once for each of them.
#pragma once

#include "fo_rev.h"
#include "interp/instruction_sets.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

int fovReverseKernel(ReverseSweep &sweep, [[maybe_unused]] std::size_t width, double *lanes) {
#ifndef ADOLC_WIDE_ONLY
  if (width == 4)
    return firstOrderReverse<4>(sweep, lanes);
#endif
  ADOLC_ASSERT(width == 8);
  return firstOrderReverse<8>(sweep, lanes);
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
