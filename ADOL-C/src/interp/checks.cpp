#include "interp/sweeps.h"

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC::detail {
namespace {
ADOLCError::source_location at(const TapeEvaluationContext &context) {
  return {__FILE__, context.caller(), __LINE__};
}
} // namespace

void checkCounts(const TapeEvaluationContext &context, int m, int n, bool reverse) {
  const TapeRecordingContext &recording = context.recording();
  const bool match = m >= 0 && n >= 0 && static_cast<std::size_t>(m) == recording.numDeps &&
                     static_cast<std::size_t>(n) == recording.numInds;
  // A tape that was never recorded has no operations to sweep over.
  if (!match || recording.segments.empty())
    fail(reverse ? ErrorType::REVERSE_COUNTS_MISMATCH : ErrorType::FWD_COUNTS_MISMATCH, at(context),
         {.info1 = context.tape().tapeId(),
          .info3 = m,
          .info4 = n,
          .info5 = recording.numDeps,
          .info6 = recording.numInds});
}

void checkPointer(const TapeEvaluationContext &context, const void *pointer, std::size_t count) {
  if (pointer == nullptr && count != 0)
    fail(ErrorType::NULL_ARGUMENT, at(context), {.info1 = context.tape().tapeId()});
}

void checkRange(const TapeEvaluationContext &context, int value, int most) {
  if (value < 0 || value > most)
    fail(ErrorType::ARGUMENT_OUT_OF_RANGE, at(context),
         {.info1 = context.tape().tapeId(), .info3 = value, .info4 = most});
}

void checkTaylors(const TapeEvaluationContext &context, std::size_t needed) {
  const TaylorStack &taylors = context.taylors();
  if (taylors.shape.keep >= needed && context.hasTaylors())
    return;
  fail(taylors.everWritten ? ErrorType::REVERSE_NO_FOWARD : ErrorType::REVERSE_NO_TAYLOR_STACK,
       at(context),
       {.info1 = context.tape().tapeId(),
        .info5 = context.hasTaylors() ? taylors.shape.keep : 0,
        .info6 = needed});
}

} // namespace ADOLC::detail
