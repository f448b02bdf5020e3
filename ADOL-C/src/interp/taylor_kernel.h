/// @file interp/taylor_kernel.h
/// The interpreters of higher order of one instruction set: included once for each of them.
#pragma once

#include "ho_rev.h"
#include "interp/instruction_sets.h"
#include "interp/taylor_rows.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

template <int W>
int forwardOf(const TaylorForward &sweep, std::size_t curves, std::size_t keep) {
  SweepMemory &memory = sweep.context.workspace();
  const std::size_t d = sweep.degree, pitch = TaylorRows<W>::pitch(d, curves);
  double *const rows = memory.lanes.require(sweep.context.recording().numLocations * pitch);
  const TaylorRows<W> lanes(rows, d, curves, keep == 0 ? 0 : keep - 1,
                            memory.series.require(scratchSize(d) + pitch));
  if (keep == 0)
    return forwardLoop<TaylorRows<W>, 0>(sweep, lanes);
  return forwardLoop<TaylorRows<W>, 2>(
      sweep, lanes, {.keep = keep, .directions = sweep.directions, .lanes = curves});
}

int taylorForwardKernel(const TaylorForward &sweep, std::size_t curves, std::size_t keep) {
  return curves == 1 ? forwardOf<1>(sweep, curves, keep) : forwardOf<kWide>(sweep, curves, keep);
}

template <int T, int A, int D> int reverseOf(const TaylorReverse &sweep) {
  using Adjoints = TaylorAdjoints<T, A, D>;
  SweepMemory &memory = sweep.context.workspace();
  const TaylorShape &shape = sweep.context.taylors().shape;
  const std::size_t d = sweep.degree, locations = sweep.context.recording().numLocations;
  double *const adjoints = memory.lanes.require(locations * Adjoints::pitchOfAdjoints(d));
  double *const curves = memory.series.require(locations * Adjoints::pitchOfCurves(d) +
                                               Adjoints::scratchDoubles(d));
  return reverseLoop(
      sweep, Adjoints({.degree = d,
                       .entryWidth = shape.width(),
                       .entryStride = shape.lanes,
                       .entryLane = sweep.byDirection ? sweep.firstLane : 0},
                      curves, adjoints, curves + locations * Adjoints::pitchOfCurves(d)));
}

template <int D> int reverseOf(const TaylorReverse &sweep, std::size_t width) {
  constexpr int A = kCurves;
  return width == 1          ? reverseOf<1, 1, D>(sweep)
         : sweep.byDirection ? reverseOf<A, A, D>(sweep)
                             : reverseOf<1, A, D>(sweep);
}

int taylorReverseKernel(const TaylorReverse &sweep, std::size_t width) {
  return sweep.degree == 1 ? reverseOf<1>(sweep, width) : reverseOf<0>(sweep, width);
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
