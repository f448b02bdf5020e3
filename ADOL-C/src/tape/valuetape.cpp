#include <adolc/valuetape/valuetape.h>

#include "tape/drivercache.h"

#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <cstring>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;
using namespace ADOLC::detail;

namespace {

/// A segment is not opened where fewer operations than this fit; it ends after at most kMaxOps.
constexpr std::size_t kMinOps = 256;
constexpr std::size_t kMaxOps = std::size_t{1} << 14;
constexpr std::size_t kLocsPerOp = ADOLC::ops::kMaxLocsPerOp;
constexpr std::size_t kValsPerOp = ADOLC::ops::kMaxValsPerOp;

} // namespace

ValueTape::ValueTape(short id) : store_(Store::create()), infos_(id) {}

ValueTape::~ValueTape() { store_->removeOwner(); }

void ValueTape::bindStore(Store &store) noexcept {
  if (store_ == &store)
    return;
  store.addOwner();
  std::exchange(store_, &store)->removeOwner();
}

// ── recording ───────────────────────────────────────────────────────────────────────────────────

bool ValueTape::isRecording() const noexcept { return currentTapeStack().back().current == this; }

void ValueTape::beginRecording() {
  auto &stack = currentTapeStack();
  for (const RecordingFrame &frame : stack)
    if (frame.current == this)
      fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION,
           {.info1 = tapeId(), .info5 = numLives()});
  stack.reserve(stack.size() + 1);
  recordingLock_ = std::unique_lock(accessMutex_);
  stack.push_back({currentTapePtr(), this});
  setCurrentTape(this);
}

void ValueTape::endRecording() noexcept {
  auto &stack = currentTapeStack();
  setCurrentTape(stack.back().prev);
  stack.pop_back();
  recordingLock_.unlock();
}

void ValueTape::startStreams(int keep, bool minMaxAsAbs) {
  recording_.rewind();
  infos_.stats.fill(0);
  driverCache.reset();
  nestedReverseEval_ = false;
  keep_ = keep != 0;
  recording_.minMaxAsAbs = minMaxUsingAbs_ || minMaxAsAbs;
  try {
    store_->beginRecording();
  } catch (const std::bad_alloc &) {
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  }
  suspendOuter();
  try {
    openSegment(start_of_tape);
    streamsOpen_ = true;
    takeStock();
  } catch (const std::bad_alloc &) {
    discardStreams();
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  }
}

/// The needed-flags of a store are those of the innermost recording on it. Going on with an outer
/// one would set its flags in the wrong place, so it is refused until the inner one has ended.
void ValueTape::suspendOuter() noexcept {
  const auto &stack = currentTapeStack();
  const auto outer =
      std::find_if(stack.rbegin(), stack.rend(), [this](const RecordingFrame &frame) {
        return frame.current != nullptr && frame.current != this &&
               frame.current->store_ == store_ && frame.current->streamsOpen_;
      });
  if (outer == stack.rend())
    return;
  outerTape_ = outer->current;
  outerTape_->suspendedRecorder_ = std::exchange(outerTape_->recorder, {});
  outerTape_->suspended_ = true;
}

void ValueTape::resumeOuter() noexcept {
  if (ValueTape *const outer = std::exchange(outerTape_, nullptr)) {
    outer->recorder = outer->suspendedRecorder_;
    outer->suspended_ = false;
  }
}

/// Values of the variables that live already are initial data of the recording.
void ValueTape::takeStock() {
  constexpr std::size_t most = kMaxOps; // per operation
  store_->forEachLiveRun([&](std::size_t first, std::size_t end) {
    for (std::size_t from = first; from < end; from += most) {
      const std::size_t count = std::min(most, end - from);
      const LocCell cells[] = {static_cast<LocCell>(count), static_cast<LocCell>(from)};
      std::memcpy(appendLarge(take_stock_op, cells, count), store_->values + from,
                  count * sizeof(double));
    }
  });
}

void ValueTape::openSegment(OPCODES mark) {
  // Marks stand before and behind the operations.
  open_.ops = recording_.ops.reserve(kMinOps + 2);
  open_.locs = recording_.locs.reserve(kMinOps * kLocsPerOp);
  open_.vals = recording_.vals.reserve(kMinOps * kValsPerOp);
  open_.opRoom = std::min(recording_.ops.remaining() - 2, kMaxOps);
  open_.locRoom = recording_.locs.remaining();
  open_.valRoom = recording_.vals.remaining();
  if (keep_) {
    open_.tays = recording_.taylors.data.reserve(kMinOps);
    open_.tayRoom = recording_.taylors.data.remaining();
    recording_.taylors.segments.push_back(recording_.taylors.data.position());
  }
  recording_.segments.push_back({recording_.ops.position(), recording_.locs.position(),
                                 recording_.vals.position(), 0, 0, 0, 0});
  *open_.ops = opCell(mark);
  recorder = {open_.ops + 1, nullptr, open_.locs, open_.vals, keep_ ? open_.tays : nullptr};
  updateLimits();
}

/// One limit stands for the room in all streams.
void ValueTape::updateLimits() {
  Recorder &r = recorder;
  std::size_t room = open_.opRoom - static_cast<std::size_t>(r.op - open_.ops - 1);
  const auto roomFor = [&](std::size_t total, std::ptrdiff_t used, std::size_t perOp) {
    room = std::min(room, (total - static_cast<std::size_t>(used)) / perOp);
  };
  roomFor(open_.locRoom, r.loc - open_.locs, kLocsPerOp);
  roomFor(open_.valRoom, r.val - open_.vals, kValsPerOp);
  if (keep_)
    roomFor(open_.tayRoom, r.tay - open_.tays, 1);
  r.opLimit = r.op + room;
}

void ValueTape::closeSegment(OPCODES mark) {
  Recorder &r = recorder;
  *r.op = opCell(mark);
  Segment &segment = recording_.segments.back();
  segment.numOps = static_cast<std::uint32_t>(r.op - open_.ops - 1);
  segment.numLocs = static_cast<std::uint32_t>(r.loc - open_.locs);
  segment.numVals = static_cast<std::uint32_t>(r.val - open_.vals);
  // Simple loops over what is still in the cache; they cost less than counting per operation.
  std::uint32_t saves = 0;
  for (const OpCell *op = open_.ops + 1; op != r.op; ++op)
    saves += *op & kSaveBit;
  segment.numTays = saves;
  LocCell highest = 0;
  for (const LocCell *loc = open_.locs; loc != r.loc; ++loc)
    highest = std::max(highest, *loc);
  if (r.loc != open_.locs)
    recording_.numLocations = std::max(recording_.numLocations, std::size_t{highest} + 1);

  recording_.ops.commit(segment.numOps + std::size_t{2});
  recording_.locs.commit(segment.numLocs);
  recording_.vals.commit(segment.numVals);
  if (keep_)
    recording_.taylors.data.commit(saves);
  recorder = {};
}

void ValueTape::nextSegment() {
  if (suspended_)
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION,
         {.info1 = tapeId(), .info5 = numLives()});
  if (broken_)
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  updateLimits();
  if (recorder.op != recorder.opLimit)
    return; // an operation of variable length had left more room than the limit told
  // If there is no memory for another segment, the recording is lost: the operation that asked for
  // it could not be recorded. trace_off then discards it.
  closeSegment(end_of_op);
  try {
    openSegment(end_of_op);
  } catch (const std::bad_alloc &) {
    broken_ = true;
    recorder = {};
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  }
}

double *ValueTape::appendLarge(OPCODES op, std::span<const LocCell> locs, std::size_t numVals) {
  Recorder &r = recorder;
  const auto fits = [&] {
    return r.op != r.opLimit &&
           open_.locRoom - static_cast<std::size_t>(r.loc - open_.locs) >= locs.size() &&
           open_.valRoom - static_cast<std::size_t>(r.val - open_.vals) >= numVals;
  };
  if (!fits()) {
    closeSegment(end_of_op);
    static_cast<void>(recording_.locs.reserve(locs.size() + kMinOps * kLocsPerOp));
    static_cast<void>(recording_.vals.reserve(numVals + kMinOps * kValsPerOp));
    openSegment(end_of_op);
  }
  *r.op++ = opCell(op);
  r.loc = std::copy(locs.begin(), locs.end(), r.loc);
  double *const vals = r.val;
  r.val += numVals;
  updateLimits();
  return vals;
}

void ValueTape::finishStreams() {
  if (broken_) {
    discardStreams();
    return;
  }
  finalValues();
  closeSegment(end_of_tape);
  recording_.paramstore = store_->parameterValues;
  recording_.storeCapacity = store_->capacity();
  if (keep_) {
    recording_.taylors.keep = 1;
    recording_.taylors.directions = 1;
    recording_.taylors.everWritten = true;
  }
  streamsOpen_ = false;
  store_->endRecording();
  resumeOuter();
  updateStatistics();
}

/// Every location that still holds a value needed in reverse, freed ones too.
void ValueTape::finalValues() {
  const std::size_t count = store_->capacity();
  for (std::size_t loc = 0; loc < count; ++loc)
    if (store_->needed[loc] != 0)
      recording_.finals.push_back(static_cast<LocCell>(loc));
  if (keep_) {
    recording_.taylors.finals.clear();
    for (const LocCell loc : recording_.finals)
      recording_.taylors.finals.push_back(store_->values[loc]);
  }
}

void ValueTape::discardStreams() noexcept {
  recorder = {};
  recording_.rewind();
  streamsOpen_ = false;
  broken_ = false;
  keep_ = false;
  store_->endRecording();
  resumeOuter();
}

void ValueTape::updateStatistics() {
  const StreamTotals totals = streamTotals(recording_);
  auto &s = infos_.stats;
  s[TapeInfos::NUM_INDEPENDENTS] = recording_.numInds;
  s[TapeInfos::NUM_DEPENDENTS] = recording_.numDeps;
  s[TapeInfos::NUM_MAX_LIVES] = recording_.storeCapacity;
  s[TapeInfos::NUM_TAYS] = totals.tays + recording_.finals.size();
  s[TapeInfos::OP_BUFFER_SIZE] = bufferSizes_[0];
  s[TapeInfos::NUM_OPERATIONS] = totals.ops;
  s[TapeInfos::NUM_LOCATIONS] = totals.locs;
  s[TapeInfos::NUM_VALUES] = totals.vals;
  s[TapeInfos::LOC_BUFFER_SIZE] = bufferSizes_[1];
  s[TapeInfos::VAL_BUFFER_SIZE] = bufferSizes_[2];
  s[TapeInfos::TAY_BUFFER_SIZE] = bufferSizes_[3];
  s[TapeInfos::NUM_EQ_PROD] = recording_.num_eq_prod;
  s[TapeInfos::NO_MIN_MAX] = recording_.minMaxAsAbs ? 1 : 0;
  s[TapeInfos::NUM_SWITCHES] = recording_.numSwitches;
  s[TapeInfos::NUM_PARAM] = recording_.paramstore.size();
}

void ValueTape::tapestats(std::size_t *stats) const {
  std::copy(infos_.stats.begin(), infos_.stats.end(), stats);
}

void ValueTape::reset() noexcept {
  recording_ = {};
  workspace_ = {};
  driverCache.reset();
  infos_.stats.fill(0);
  minMaxUsingAbs_ = false;
  branchSwitchWarnings_ = true;
  nestedReverseEval_ = false;
  std::fill(std::begin(bufferSizes_), std::end(bufferSizes_), std::size_t{OBUFSIZE});
}

// ── properties ──────────────────────────────────────────────────────────────────────────────────

void ValueTape::enableMinMaxUsingAbs() {
  if (streamsOpen_)
    fail(ErrorType::ENABLE_MINMAX_USING_ABS, CURRENT_LOCATION, {.info1 = tapeId()});
  minMaxUsingAbs_ = true;
}
void ValueTape::disableMinMaxUsingAbs() {
  if (streamsOpen_)
    fail(ErrorType::DISABLE_MINMAX_USING_ABS, CURRENT_LOCATION, {.info1 = tapeId()});
  minMaxUsingAbs_ = false;
}

void ValueTape::ensureContiguousLocations(std::size_t n) { store_->ensureContiguous(n); }

void ValueTape::set_param_vec(short tag, std::size_t np, const double *p) {
  if (streamsOpen_)
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION,
         {.info1 = tag, .info5 = numLives()});
  if (np != recording_.paramstore.size())
    fail(ErrorType::PARAM_COUNTS_MISMATCH, CURRENT_LOCATION,
         {.info1 = tag, .info5 = recording_.paramstore.size(), .info6 = np});
  if (np != 0 && p == nullptr)
    fail(ErrorType::NULL_ARGUMENT, CURRENT_LOCATION, {.info1 = tag});
  const std::lock_guard lock(accessMutex_);
  std::copy_n(p, np, recording_.paramstore.begin());
  recording_.taylors.invalidate();
  driverCache.reset();
}
void ValueTape::setParamVec(std::span<const double> p) {
  set_param_vec(tapeId(), p.size(), p.data());
}
void ValueTape::getParamVec(std::span<double> p) const {
  if (p.size() != recording_.paramstore.size())
    fail(ErrorType::PARAM_COUNTS_MISMATCH, CURRENT_LOCATION,
         {.info1 = tapeId(), .info5 = recording_.paramstore.size(), .info6 = p.size()});
  std::copy(recording_.paramstore.begin(), recording_.paramstore.end(), p.begin());
}

namespace ADOLC::detail {

StreamTotals streamTotals(const TapeRecordingContext &recording) {
  StreamTotals totals;
  for (const Segment &s : recording.segments) {
    totals.ops += s.numOps;
    totals.locs += s.numLocs;
    totals.vals += s.numVals;
    totals.tays += s.numTays;
  }
  if (!recording.segments.empty())
    totals.ops += 2; // start and end of tape
  return totals;
}

} // namespace ADOLC::detail
