#include "interp/sweep.h"

#include "tape/debuginfo.h"

#include <adolc/diagnostics.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace ADOLC::detail {

void SegmentWalk::pinSegment(int direction) {
  if (context_.tape().isLost()) // a hook of this sweep has forked
    context_.tape().requireUsableHere(context_.caller());
  const Segment &s = recording_.segments[segment_];
  ops_ = recording_.ops.pin(s.op, direction);
  locs_ = recording_.locs.pin(s.loc, direction);
  vals_ = recording_.vals.pin(s.val, direction);
}

Place SegmentWalk::enterForward() {
  pinSegment(1);
  const Segment &s = recording_.segments[segment_];
  Place c{ops_ + 1, locs_, vals_, nullptr, s.base, s.wide};
  if (taylorWidth_ != 0) {
    c.tay = taylors_.data.reserve(s.numTays * taylorWidth_);
    taylors_.segments.push_back(taylors_.data.position());
    taylors_.data.commit(s.numTays * taylorWidth_);
  }
  return c;
}

Place SegmentWalk::enterReverse() {
  pinSegment(-1);
  const Segment &s = recording_.segments[segment_];
  if (taylorWidth_ != 0)
    tays_ = taylors_.data.pin(taylors_.segments[segment_], -1);
  return {ops_ + s.numOps,
          locs_ + s.locUnits(),
          vals_ + s.numVals,
          taylorWidth_ != 0 ? tays_ + s.numTays * taylorWidth_ : nullptr,
          s.base,
          s.wide};
}

Place SegmentWalk::forwardBegin(const TaylorShape &kept) {
  segment_ = 0;
  if (kept.keep > 0) {
    context_.claimTaylors();
    taylors_.rewind(); // and invalid until the sweep is complete
    taylors_.everWritten = true;
    taylorWidth_ = kept.width();
    kept_ = kept;
  }
  return enterForward();
}

void SegmentWalk::tellProgress(std::size_t segments) const {
  if (progressHook != nullptr) [[unlikely]]
    (*progressHook)(static_cast<double>(segments) /
                    static_cast<double>(recording_.segments.size()));
}

Place SegmentWalk::forwardNext() {
  leave();
  ++segment_;
  tellProgress(segment_);
  return enterForward();
}

void SegmentWalk::saveFinals(const double *values, const double *derivatives, std::size_t pitch) {
  taylors_.finals.resize(recording_.finals.size() * taylorWidth_);
  double *to = taylors_.finals.data();
  const std::size_t width = taylorWidth_ - 1;
  for (const LocCell loc : recording_.finals) {
    *to++ = values[loc];
    const double *const row = derivatives + loc * pitch;
    if (width == 1)
      *to = *row;
    else if (width != 0)
      std::memcpy(to, row, width * sizeof(double));
    to += width;
  }
  taylors_.shape = kept_;
}

Place SegmentWalk::reverseBegin() {
  segment_ = recording_.segments.size() - 1;
  taylorWidth_ = taylors_.shape.width();
  return enterReverse();
}

Place SegmentWalk::structureBegin() {
  segment_ = recording_.segments.size() - 1;
  return enterReverse();
}

Place SegmentWalk::reverseNext() {
  leave();
  tellProgress(recording_.segments.size() - segment_);
  --segment_;
  return enterReverse();
}

std::size_t SegmentWalk::operationNumber(const OpCell *op) const {
  std::size_t number = 0;
  for (std::size_t i = 0; i < segment_; ++i)
    number += recording_.segments[i].numOps;
  return number + static_cast<std::size_t>(op - ops_);
}

void SegmentWalk::leave() noexcept {
  const Segment *const s = ops_ != nullptr ? &recording_.segments[segment_] : nullptr;
  if (std::exchange(ops_, nullptr) != nullptr)
    recording_.ops.unpin(s->op);
  if (std::exchange(locs_, nullptr) != nullptr)
    recording_.locs.unpin(s->loc);
  if (std::exchange(vals_, nullptr) != nullptr)
    recording_.vals.unpin(s->val);
  if (std::exchange(tays_, nullptr) != nullptr)
    taylors_.data.unpin(taylors_.segments[segment_]);
}

void ForwardSweep::seedPart(std::size_t i, double *row, std::size_t width) const {
  const double *const given = seed(i);
  for (std::size_t l = 0; l < width; ++l)
    row[l] = l >= lanes ? 0.0 : given != nullptr ? given[l] : i == seedColumn + l ? 1.0 : 0.0;
}

void poisonResults(const ForwardSweep &sweep) {
  for (std::size_t i = 0; i < sweep.context.recording().numDeps; ++i)
    if (double *const result = sweep.result(i); result != nullptr)
      std::fill_n(result, sweep.lanes, std::numeric_limits<double>::quiet_NaN());
}
void abandon(const ForwardSweep &sweep) noexcept {
  std::fill_n(sweep.y, sweep.context.recording().numDeps, std::numeric_limits<double>::quiet_NaN());
  if (sweep.lanes != 0)
    poisonResults(sweep);
}
void abandon(const ReverseSweep &sweep) noexcept {
  for (std::size_t l = 0; l < sweep.lanes; ++l)
    std::fill_n(sweep.results[l], sweep.context.recording().numInds,
                std::numeric_limits<double>::quiet_NaN());
}

void abandon(const TaylorForward &sweep) noexcept {
  const std::size_t m = sweep.context.recording().numDeps;
  std::fill_n(sweep.y, m, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < sweep.directions; ++l)
      if (double *const result = sweep.result(i, l); result != nullptr)
        std::fill_n(result, sweep.degree, std::numeric_limits<double>::quiet_NaN());
}
void abandon(const TaylorReverse &sweep) noexcept {
  for (std::size_t l = 0; l < sweep.lanes; ++l)
    for (std::size_t i = 0; i < sweep.context.recording().numInds; ++i)
      std::fill_n(sweep.result(l, i), sweep.degree + 1, std::numeric_limits<double>::quiet_NaN());
}

namespace {
std::string text(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", number);
  return digits;
}
std::string text(const ValueTape::BranchSwitch &at) {
  const std::string first = text(at.operands[0]), second = text(at.operands[1]);
  if (at.opcode == gen_quad)
    return "the quadrature is known at " + second + " only, not at " + first;
  return "the comparison of " + first + " with " + second +
         " has another outcome than at recording";
}
/// Where an operation was recorded, if that was noted.
std::string sourceOf(const ValueTape &tape, std::size_t operation) {
  if (tape.callSites() == nullptr)
    return {};
  SourceLocations locations(*tape.callSites());
  const SourceLocation *const found = locations.find(operation);
  return found != nullptr ? ", " + shortText(*found) : std::string();
}
} // namespace

constinit thread_local ValueTape::BranchSwitch branchSwitchHere{};

namespace {
void noteBranch(ValueTape &tape, const SegmentWalk &walk, const StopAt &at) {
  const ValueTape::BranchSwitch found{
      walk.operationNumber(at.op), opcodeOf(*at.op), {at.operands[0], at.operands[1]}};
  branchSwitchHere = found;
  tape.noteBranchSwitch(found);
  if (tape.branchSwitchWarnings())
    diagnose("ADOL-C: tape " + std::to_string(tape.tapeId()) + ", operation " +
             std::to_string(found.operation) + sourceOf(tape, found.operation) + ": " +
             text(found));
}
} // namespace

void leaveBranch(const ForwardSweep &sweep, const SegmentWalk &walk, const StopAt &at) {
  abandon(sweep);
  noteBranch(sweep.context.tape(), walk, at);
}
void leaveBranch(const TaylorForward &sweep, const SegmentWalk &walk, const StopAt &at) {
  abandon(sweep);
  noteBranch(sweep.context.tape(), walk, at);
}

void unknownOperation(const TapeEvaluationContext &context, const StopAt &at) {
  ADOLCError::fail(
      ADOLCError::ErrorType::NO_SUCH_OP, {__FILE__, context.caller(), __LINE__},
      {.info1 = context.tape().tapeId(), .info7 = static_cast<unsigned char>(opcodeOf(*at.op))});
}

} // namespace ADOLC::detail
