#include <adolc/valuetape/valuetape.h>

#include "tape/drivercache.h"
#include "tape/packing.h"

#include <adolc/storemanager.h>
#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <cstring>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;
using namespace ADOLC::detail;

namespace {

/// A segment is not opened where fewer operations than this fit; it ends after at most kMaxOps, so
/// that what closing it reads is still in the first-level cache.
constexpr std::size_t kMinOps = 128;
constexpr std::size_t kMaxOps = std::size_t{1} << 11;
static_assert(kMaxOps <= 0xffff); // countSaves
constexpr std::size_t kLocsPerOp = ADOLC::ops::kMaxLocsPerOp;
constexpr std::size_t kValsPerOp = ADOLC::ops::kMaxValsPerOp;
/// Constants of one take_stock_op.
constexpr std::size_t kStockPerOp = std::size_t{1} << 14;

std::uint32_t countSaves(const OpCell *ops, std::size_t count) {
  OpCell saves = 0;
  for (std::size_t i = 0; i < count; ++i)
    saves = static_cast<OpCell>(saves + (ops[i] & kSaveBit));
  return saves;
}

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
    stage_ = stagedLocs_.reserve(kMaxOps * kLocsPerOp);
    narrowBase_ = 0;
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

/// Values of the variables that live already are initial data of the recording. The count stands
/// before and behind them, for both directions of reading.
void ValueTape::takeStock() {
  store_->forEachLiveRun([&](std::size_t first, std::size_t end) {
    for (std::size_t from = first; from < end; from += kStockPerOp) {
      const std::size_t count = std::min(kStockPerOp, end - from);
      double *const cells = appendLarge(take_stock_op, static_cast<LocCell>(from), count + 2);
      cells[0] = cells[count + 1] = static_cast<double>(count);
      std::memcpy(cells + 1, store_->values + from, count * sizeof(double));
      // The cell names the first location only.
      recording_.numLocations = std::max(recording_.numLocations, from + count);
    }
  });
}

void ValueTape::openSegment(OPCODES mark) {
  // The first segments are as short as small tapes need. Later ones have room in all streams, also
  // in one that has been hardly used and whose block is small therefore.
  const std::size_t last = recording_.segments.empty() ? 0 : recording_.segments.back().numOps;
  const std::size_t least = std::clamp(4 * last, kMinOps, kMaxOps / 4);
  // Marks stand before and behind the operations.
  open_.ops = recording_.ops.reserve(least + 2);
  open_.vals = recording_.vals.reserve(least * kValsPerOp);
  open_.opRoom = std::min(recording_.ops.remaining() - 2, kMaxOps);
  open_.valRoom = recording_.vals.remaining();
  if (keep_) {
    open_.tays = recording_.taylors.data.reserve(least);
    open_.tayRoom = recording_.taylors.data.remaining();
    recording_.taylors.segments.push_back(recording_.taylors.data.position());
  }
  recording_.segments.push_back(
      {.op = recording_.ops.position(), .loc = {}, .val = recording_.vals.position()});
  *open_.ops = opCell(mark);
  recorder = {open_.ops + 1, nullptr, stage_, open_.vals, keep_ ? open_.tays : nullptr, keep_};
  updateLimits();
}

/// One limit stands for the room in all streams. (The stage holds the locations of kMaxOps
/// operations.)
void ValueTape::updateLimits() {
  Recorder &r = recorder;
  std::size_t room = open_.opRoom - static_cast<std::size_t>(r.op - open_.ops - 1);
  room =
      std::min(room, (open_.valRoom - static_cast<std::size_t>(r.val - open_.vals)) / kValsPerOp);
  if (keep_)
    room = std::min(room, open_.tayRoom - static_cast<std::size_t>(r.tay - open_.tays));
  r.opLimit = r.op + room;
}

void ValueTape::closeSegment(OPCODES mark) {
  Recorder &r = recorder;
  *r.op = opCell(mark);
  Segment &segment = recording_.segments.back();
  segment.numOps = static_cast<std::uint32_t>(r.op - open_.ops - 1);
  segment.numVals = static_cast<std::uint32_t>(r.val - open_.vals);
  segment.numTays = countSaves(open_.ops + 1, segment.numOps);
  packLocations(segment, static_cast<std::size_t>(r.loc - stage_));
  recording_.ops.commit(segment.numOps + std::size_t{2});
  recording_.vals.commit(segment.numVals);
  if (keep_)
    recording_.taylors.data.commit(segment.numTays);
  recorder = {};
}

void ValueTape::packLocations(Segment &segment, std::size_t count) {
  segment.numLocs = static_cast<std::uint32_t>(count);
  // Room for 32 bits; the spare unit lets the area begin at an even one.
  NarrowLoc *const area = recording_.locs.reserve(2 * count + 1);
  segment.base = narrowBase_;
  Packed packed = packNarrow(area, stage_, count, segment.base);
  if (!packed.fits) {
    const auto [low, high] = std::minmax_element(stage_, stage_ + count);
    segment.base = *low;
    packed.highest = *high - *low;
    segment.wide = packed.highest > UINT16_MAX;
    if (!segment.wide) {
      packNarrow(area, stage_, count, segment.base);
      narrowBase_ = segment.base;
    }
  }
  if (count != 0)
    recording_.numLocations =
        std::max(recording_.numLocations, std::size_t{segment.base} + packed.highest + 1);
  if (segment.wide) {
    recording_.locs.commit(recording_.locs.position().offset % 2);
    segment.base = 0;
    segment.loc = recording_.locs.position();
    std::memcpy(recording_.locs.pin(segment.loc), stage_, count * sizeof(WideLoc));
  } else {
    segment.loc = recording_.locs.position();
  }
  recording_.locs.commit(segment.locUnits());
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
  try {
    closeSegment(end_of_op);
    openSegment(end_of_op);
  } catch (const std::bad_alloc &) {
    broken_ = true;
    recorder = {};
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  }
}

double *ValueTape::appendLarge(OPCODES op, LocCell loc, std::size_t numVals) {
  Recorder &r = recorder;
  const bool fits =
      r.op != r.opLimit && open_.valRoom - static_cast<std::size_t>(r.val - open_.vals) >= numVals;
  if (!fits) {
    closeSegment(end_of_op);
    static_cast<void>(recording_.vals.reserve(numVals + kMinOps * kValsPerOp));
    openSegment(end_of_op);
  }
  *r.op++ = opCell(op);
  *r.loc++ = loc;
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
  stagedLocs_.clear();
  store_->endRecording();
  resumeOuter();
  updateStatistics();
}

/// Every location that still holds a value needed in reverse, freed ones too.
void ValueTape::finalValues() {
  const bool *const needed = store_->needed;
  const std::size_t count = store_->handedOut();
  const auto total = static_cast<std::size_t>(std::count(needed, needed + count, true));
  auto &finals = recording_.finals;
  finals.resize(total + 1); // each location is written, but only a flagged one stays
  LocCell *next = finals.data();
  // Flags are few and far between: look at eight of them at a time.
  constexpr std::size_t atOnce = sizeof(std::uint64_t);
  for (std::size_t first = 0; first < count; first += atOnce) {
    std::uint64_t any = 1;
    const std::size_t end = std::min(count, first + atOnce);
    if (end - first == atOnce)
      std::memcpy(&any, needed + first, sizeof any);
    if (any != 0)
      for (std::size_t loc = first; loc < end; ++loc) {
        *next = static_cast<LocCell>(loc);
        next += needed[loc];
      }
  }
  finals.resize(total);
  if (keep_) {
    auto &values = recording_.taylors.finals;
    values.resize(total);
    for (std::size_t i = 0; i < total; ++i)
      values[i] = store_->values[finals[i]];
  }
}

void ValueTape::discardStreams() noexcept {
  recorder = {};
  recording_.rewind();
  stagedLocs_.clear();
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
  setStoreManagerControl(kGcTriggerRatio, kGcTriggerMaxSize);
  storeManagerType_ = StoreManager::ADOLC_LOCATION_BLOCKS;
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

static_assert(StoreManager::ADOLC_LOCATION_BLOCKS == 0);
static_assert(ValueTape::get_initialSize() == StoreManager::get_initialSize());

void ValueTape::setStoreManagerType(unsigned char type) {
  constexpr int last = StoreManager::ADOLC_LOCATION_SINGLETONS;
  if (type > last)
    fail(ErrorType::ARGUMENT_OUT_OF_RANGE, CURRENT_LOCATION,
         {.info1 = tapeId(), .info3 = type, .info4 = last});
  if (const std::size_t lives = numLives(); lives != 0)
    fail(ErrorType::SM_ACTIVE_VARS, CURRENT_LOCATION, {.info1 = tapeId(), .info5 = lives});
  if (type == storeManagerType_)
    fail(ErrorType::SM_SAME_TYPE, CURRENT_LOCATION, {.info1 = tapeId()});
  storeManagerType_ = type;
}

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
    totals.locBytes += s.locUnits() * sizeof(NarrowLoc);
    totals.vals += s.numVals;
    totals.tays += s.numTays;
  }
  if (!recording.segments.empty())
    totals.ops += 2; // start and end of tape
  return totals;
}

} // namespace ADOLC::detail
