/// @file interp/taylor_reverse_kernel.h
/// The reverse interpreters of higher order of one instruction set: included once for each of them.
#pragma once

#include "ho_rev.h"
#include "interp/extents.h"
#include "interp/instruction_sets.h"

namespace ADOLC::detail::ADOLC_INSTRUCTION_SET {

template <int A, int D> int reverseOf(const TaylorReverse &sweep) {
  using Adjoints = TaylorAdjoints<A, D>;
  SweepMemory &memory = sweep.context.workspace();
  const TaylorShape &shape = sweep.context.taylors().shape;
  const std::size_t d = sweep.degree, locations = sweep.context.recording().numLocations;
  double *const adjoints =
      memory.lanes.require(detail::product({locations, Adjoints::pitchOfAdjoints(d)}));
  const std::size_t rows = detail::product({locations, Adjoints::pitchOfCurves(d)});
  double *const curves = memory.series.require(detail::sum(rows, Adjoints::scratchDoubles(d)));
  return reverseLoop(sweep, Adjoints({.degree = d,
                                      .entryWidth = shape.width(),
                                      .entryStride = shape.lanes,
                                      .entryLane = sweep.byDirection ? sweep.firstLane : 0,
                                      .sameCurve = !sweep.byDirection},
                                     curves, adjoints, curves + rows));
}

int taylorReverseKernel(const TaylorReverse &sweep, std::size_t width) {
  constexpr int A = kCurves;
  if (sweep.degree == 1)
    return width == 1 ? reverseOf<1, 1>(sweep) : reverseOf<A, 1>(sweep);
  return width == 1 ? reverseOf<1, 0>(sweep) : reverseOf<A, 0>(sweep);
}

} // namespace ADOLC::detail::ADOLC_INSTRUCTION_SET
