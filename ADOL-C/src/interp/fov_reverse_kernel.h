/// @file interp/fov_reverse_kernel.h
/// The fov_reverse interpreters of one instruction set: included once for each of them.
#pragma once

#include "fo_rev.h"
#include "interp/instruction_sets.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

int fovReverseKernel(ReverseSweep &sweep, double *lanes) {
  const std::size_t q = sweep.lanes;
  switch (q) {
#ifndef ADOLC_WIDE_ONLY
  case 4:
    return reverseLoop<4>(sweep, {lanes, q});
#endif
  case 8:
    return reverseLoop<8>(sweep, {lanes, q});
  default:
    return reverseLoop<0>(sweep, {lanes, q});
  }
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
