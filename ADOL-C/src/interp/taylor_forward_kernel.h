/// @file interp/taylor_forward_kernel.h
/// The forward interpreters of higher order of one instruction set: included once for each of them.
#pragma once

#include "interp/extents.h"
#include "interp/instruction_sets.h"
#include "interp/taylor_rows.h"
#include "uni5_for.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

template <int W> int forwardOf(const TaylorForward &sweep, std::size_t curves, std::size_t keep) {
  SweepMemory &memory = sweep.context.workspace();
  const std::size_t d = sweep.degree, pitch = TaylorRows<W>::pitch(d, curves);
  double *const rows =
      memory.lanes.require(detail::product({sweep.context.recording().numLocations, pitch}));
  const TaylorRows<W> lanes(rows, d, curves, keep, memory.series.require(scratchSize(d) + pitch));
  return forwardLoop<TaylorRows<W>, 2>(
      sweep, lanes, {.keep = keep, .directions = sweep.directions, .lanes = curves});
}

int taylorForwardKernel(const TaylorForward &sweep, std::size_t curves, std::size_t keep) {
  return curves == 1 ? forwardOf<1>(sweep, curves, keep) : forwardOf<kWide>(sweep, curves, keep);
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
