/// @file interp/sweeps.h
/// The generated interpreters under the names of their sweeps, on a tape that is held already. The
/// public functions of interfaces.h check their arguments, take the tape and call these; drivers
/// that pair several sweeps hold one context across them.
#pragma once

#include "interp/sweep.h"

#include <limits>
#include <new>

namespace ADOLC::detail {

int zosForward(ForwardSweep &sweep, int keep);
int fosForward(ForwardSweep &sweep, int keep);
/// sweep.lanes directions.
int fovForward(const ForwardSweep &sweep);
/// The same for kWidestStrip directions at most, with keep 1 or 2.
int fovForwardKeeping(ForwardSweep &sweep, int keep);
int fosReverse(ReverseSweep &sweep);
/// sweep.lanes weights.
int fovReverse(const ReverseSweep &sweep);

/// Taylor polynomials of any degree >= 0 in any number of directions; keep <= degree + 1. After a
/// negative code or an exception all results are NaN.
int taylorForward(const TaylorForward &sweep, int keep);
/// Needs a Taylor stack with more than `degree` coefficients (checkTaylors), and of as many
/// directions as there are lanes, or of one.
int taylorReverse(const TaylorReverse &sweep);

/// Arguments are checked once, here.
void checkCounts(const TapeEvaluationContext &context, int m, int n, bool reverse);
void checkPointer(const TapeEvaluationContext &context, const void *pointer, std::size_t count);
/// A count or a mode from 0 to `most`.
void checkRange(const TapeEvaluationContext &context, int value, int most);
/// A Taylor stack with at least `needed` coefficients must exist.
void checkTaylors(const TapeEvaluationContext &context, std::size_t needed);

/// Runs a sweep; running out of memory becomes an ADOLCError and invalidates the Taylor stack.
template <class Function>
int guarded(TapeEvaluationContext &context, bool writesTaylors, Function &&f) {
  try {
    return f();
  } catch (const std::bad_alloc &) {
    if (writesTaylors)
      context.taylors().rewind();
    ADOLCError::fail(ADOLCError::ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED,
                     {__FILE__, context.caller(), __LINE__}, {.info1 = context.tape().tapeId()});
  }
}

/// Results that are not there are NaN: of sweeps that leave the recorded branch, and of calls that
/// end with an exception. For results that the sweep itself does not know.
template <class Function, class Poison> int orPoison(Function &&f, Poison &&poisonAll) {
  int code = -1;
  try {
    code = f();
  } catch (...) {
    poisonAll();
    throw;
  }
  if (code < 0)
    poisonAll();
  return code;
}
inline constexpr double kPoisonedOutput = std::numeric_limits<double>::quiet_NaN();
inline void poison(double *const *rows, std::size_t count, std::size_t width) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    std::fill_n(rows[i], width, kPoisonedOutput);
}

} // namespace ADOLC::detail
