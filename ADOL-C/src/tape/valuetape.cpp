#include <adolc/valuetape/valuetape.h>

#include "storage/recordingfile.h"
#include "storage/savedtape.h"
#include "tape/buffersizes.h"
#include "tape/callsites.h"
#include "tape/drivercache.h"
#include "tape/operations.h"
#include "tape/packing.h"
#include "tape/settings.h"

#include <adolc/internal/recorder.h>
#include <adolc/storemanager.h>
#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
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

/// Another one for each recording of the process.
std::uint64_t nextStamp() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

} // namespace

ValueTape::ValueTape(short id) : store_(Store::createConfigured()), infos_(id) { configure(); }

void ValueTape::configure() {
  const TapeDefaults defaults = tapeDefaults();
  bufferSizes_ = defaults.bufferSizes;
  buffersLimited_ = defaults.buffersLimited;
}

ValueTape::~ValueTape() { store_->removeOwner(); }

void ValueTape::bindStore(Store &store) noexcept {
  if (store_ == &store)
    return;
  store.addOwner();
  std::exchange(store_, &store)->removeOwner();
}

// ── recording ───────────────────────────────────────────────────────────────────────────────────

ValueTape *ValueTape::openOn(const Store &store) {
  const auto stack = recordingFrames();
  const auto frame = std::find_if(stack.rbegin(), stack.rend(), [&store](const RecordingFrame &f) {
    return f.current != nullptr && f.current->store_ == &store && f.current->streamsOpen_;
  });
  return frame != stack.rend() ? frame->current : nullptr;
}

/// The streams of the next recording keep to a budget, or all stay in memory.
void ValueTape::applyBudget() {
  std::size_t bytes = memoryBudget_;
  if (bytes == 0 && recordingLimited_) {
    constexpr std::size_t cell[4] = {sizeof(OpCell), sizeof(WideLoc), sizeof(double),
                                     sizeof(double)};
    for (std::size_t i = 0; i < 4; ++i)
      bytes = recordingSizes_[i] > (SIZE_MAX - bytes) / cell[i]
                  ? SIZE_MAX
                  : bytes + recordingSizes_[i] * cell[i];
  }
  if (bytes == 0)
    bytes = SpillGroup::tapeBudget();
  if (bytes == SIZE_MAX && SpillGroup::processBudget() == SIZE_MAX) {
    recording_.attach(nullptr);
    spill_.reset();
    return;
  }
  if (spill_ == nullptr)
    spill_ = std::make_unique<SpillGroup>(tapeId());
  else if (bytes < spill_->budget() || spill_->resident() > SpillGroup::processBudget())
    recording_.attach(nullptr); // blocks of another size, and memory beyond the budget
  spill_->budget(bytes);
  recording_.attach(spill_.get());
}

ValueTape::SpillStatistics ValueTape::spillStatistics() const {
  const auto access = readAccess();
  if (spill_ == nullptr)
    return {};
  return {recording_.bytesOnDisk(), spill_->written(), spill_->read()};
}

void ValueTape::setBufferSize(std::size_t stream, std::size_t n) {
  const std::size_t size = possibleBufferSize(tapeId(), stream, n);
  if (size == 0)
    return;
  bufferSizes_[stream] = size;
  buffersLimited_ = true;
}

void ValueTape::startStreams(int keep, bool minMaxAsAbs, const BufferSizes &sizes) {
  recordingSizes_ = bufferSizes_;
  recordingLimited_ = buffersLimited_;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 0) {
      recordingSizes_[i] = sizes[i];
      recordingLimited_ = true;
    }
  recording_.rewind();
  recording_.stamp = nextStamp();
  file_.reset();
  infos_.stats.fill(0);
  driverCache.reset();
  nestedReverseEval_ = false;
  keep_ = keep != 0;
  recording_.minMaxAsAbs = minMaxUsingAbs_ || minMaxAsAbs;
  foreignParameters_.clear();
  callSites_.reset();
  freeWorkspaces(); // the next recording may be a small one
  try {
    if (notesSources_)
      callSites_ = std::make_unique<CallSites>();
    opsBefore_ = 0;
    applyBudget();
    store_->adoptParameters(this);
    rememberOuter();
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
  } catch (...) { // the disk
    discardStreams();
    throw;
  }
}

/// Before the recording is open.
void ValueTape::rememberOuter() {
  lostTrack_ = false;
  written_.clear();
  outerValues_.clear();
  if (openOn(*store_) != nullptr)
    outerValues_.assign(store_->values, store_->values + store_->handedOut());
}

/// The needed-flags of a store are those of the innermost recording on it. Going on with an outer
/// one would set its flags in the wrong place, so it is refused until the inner one has ended.
void ValueTape::suspendOuter() noexcept {
  outerTape_ = openOn(*store_);
  if (outerTape_ == nullptr)
    return;
  outerTape_->suspendedRecorder_ = std::exchange(outerTape_->recorder, {});
  outerTape_->suspended_ = true;
}

void ValueTape::resumeOuter() noexcept {
  if (ValueTape *const outer = std::exchange(outerTape_, nullptr)) {
    outer->recorder = outer->suspendedRecorder_;
    outer->suspended_ = false;
    outer->continueAfter(*this);
  }
}

/// For the outer recording: which locations the operations of the open segment write.
void ValueTape::noteResults() noexcept {
  try {
    written_.resize(std::max(written_.size(), store_->handedOut()));
  } catch (const std::bad_alloc &) {
    lostTrack_ = true;
    return;
  }
  const LocCell *loc = stage_;
  for (const OpCell *op = open_.ops + 1; op != recorder.op; ++op) {
    const OperationShape &shape = operationShapes[opcodeOf(*op)];
    loc += shape.numLocs;
    if (shape.writes)
      written_[loc[-1]] = true;
  }
}

/// For this recording the variables that an inner one has written are constants: their values come
/// from elsewhere. If this cannot be recorded, the recording is lost, as with any other operation.
void ValueTape::continueAfter(const ValueTape &inner) noexcept {
  if (broken_) {
    lostTrack_ = true; // of what a recording further out would have to be told
    return;
  }
  try {
    if (inner.lostTrack_)
      throw std::bad_alloc();
    std::vector<bool> written = inner.written_;
    written.resize(store_->handedOut());
    const std::vector<double> &before = inner.outerValues_;
    // This recording may still need the value of a location that was written and then freed.
    store_->forEachFree([&](std::uint32_t loc) {
      if (written[loc] && loc < before.size())
        store_->values[loc] = before[loc];
      written[loc] = false;
    });
    for (std::size_t loc = 0; loc < written.size(); ++loc)
      if (written[loc]) {
        if (recorder.op == recorder.opLimit)
          nextSegment();
        const double value = store_->values[loc];
        if (loc < before.size()) // what this recording overwrites and may save
          store_->values[loc] = before[loc];
        append<assign_d>(*this, *store_, std::array<LocCell, 0>{}, std::array{value},
                         static_cast<LocCell>(loc));
      }
  } catch (const std::exception &) {
    broken_ = true;
    lostTrack_ = true;
    recorder = {};
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

/// How many operations fit in all streams. (The stage holds the locations of kMaxOps operations.)
std::size_t ValueTape::segmentRoom() const {
  const Recorder &r = recorder;
  std::size_t room = open_.opRoom - static_cast<std::size_t>(r.op - open_.ops - 1);
  room =
      std::min(room, (open_.valRoom - static_cast<std::size_t>(r.val - open_.vals)) / kValsPerOp);
  if (keep_)
    room = std::min(room, open_.tayRoom - static_cast<std::size_t>(r.tay - open_.tays));
  return room;
}

/// One limit stands for the room in all streams. Where call sites are noted it leaves no room: each
/// operation has to ask nextSegment for it.
void ValueTape::updateLimits() {
  recorder.opLimit = recorder.op + (callSites_ != nullptr ? 0 : segmentRoom());
}

/// For the next operation, which gets room.
void ValueTape::noteSource() {
  const std::size_t inSegment = static_cast<std::size_t>(recorder.op - open_.ops);
  callSites_->note(opsBefore_ + inSegment);
  recorder.opLimit = recorder.op + 1;
}

void ValueTape::closeSegment(OPCODES mark) {
  if (outerTape_ != nullptr)
    noteResults();
  Recorder &r = recorder;
  *r.op = opCell(mark);
  Segment &segment = recording_.segments.back();
  segment.numOps = static_cast<std::uint32_t>(r.op - open_.ops - 1);
  segment.numVals = static_cast<std::uint32_t>(r.val - open_.vals);
  segment.numTays = countSaves(open_.ops + 1, segment.numOps);
  opsBefore_ += segment.numOps;
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
    std::memcpy(recording_.locs.reserve(2 * count), stage_, count * sizeof(WideLoc));
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
  // If there is no memory for another segment, the recording is lost: the operation that asked for
  // it could not be recorded. trace_off then discards it.
  try {
    // An operation of variable length may have left more room than the limit told.
    if (segmentRoom() == 0) {
      closeSegment(end_of_op);
      openSegment(end_of_op);
    }
    updateLimits();
    if (callSites_ != nullptr)
      noteSource();
  } catch (const std::bad_alloc &) {
    broken_ = true;
    recorder = {};
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  } catch (...) { // the disk
    broken_ = true;
    recorder = {};
    throw;
  }
}

double *ValueTape::appendLarge(OPCODES op, LocCell loc, std::size_t numVals) {
  Recorder &r = recorder;
  const bool fits =
      segmentRoom() != 0 && open_.valRoom - static_cast<std::size_t>(r.val - open_.vals) >= numVals;
  if (!fits) {
    closeSegment(end_of_op);
    static_cast<void>(recording_.vals.reserve(numVals + kMinOps * kValsPerOp));
    openSegment(end_of_op);
  }
  if (callSites_ != nullptr)
    noteSource();
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
  for (std::size_t i = 0; i < recording_.paramstore.size(); ++i)
    if (store_->ownsParameter(this, i) || foreignParameters_.count(i) != 0)
      recording_.parameters.push_back(i);
  recording_.storeCapacity = store_->capacity();
  if (keep_) {
    recording_.taylors.shape = {.keep = 1};
    recording_.taylors.everWritten = true;
  }
  streamsOpen_ = false;
  stagedLocs_.clear();
  store_->endRecording();
  resumeOuter();
  infos_.stats = statistics(recording_, recordingSizes_);
  noteFiles();
}

/// Every location that still holds a value needed in reverse, freed ones too.
void ValueTape::finalValues() {
  const Needed *const needed = store_->needed;
  const std::size_t count = store_->handedOut();
  const auto total = static_cast<std::size_t>(std::count(needed, needed + count, Needed::yes));
  auto &finals = recording_.finals;
  finals.resize(total + 1); // each location is written, but only a flagged one stays
  LocCell *next = finals.data();
  // Flags are few and far between, or all set: look at eight of them at a time.
  constexpr std::size_t atOnce = sizeof(std::uint64_t);
  constexpr std::uint64_t none = 0, all = 0x0101010101010101;
  for (std::size_t first = 0; first < count; first += atOnce) {
    std::uint64_t flags = 1; // some
    const std::size_t end = std::min(count, first + atOnce);
    if (end - first == atOnce)
      std::memcpy(&flags, needed + first, sizeof flags);
    if (flags == none)
      continue;
    if (flags == all) {
      for (std::size_t i = 0; i < atOnce; ++i)
        next[i] = static_cast<LocCell>(first + i);
      next += atOnce;
      continue;
    }
    for (std::size_t loc = first; loc < end; ++loc) {
      *next = static_cast<LocCell>(loc);
      next += static_cast<unsigned>(needed[loc]);
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
  if (outerTape_ != nullptr && recorder.op != nullptr)
    noteResults();
  recorder = {};
  recording_.rewind();
  callSites_.reset();
  stagedLocs_.clear();
  streamsOpen_ = false;
  broken_ = false;
  keep_ = false;
  store_->endRecording();
  resumeOuter();
}

void ValueTape::writeFile() {
  if (recording_.segments.empty())
    return; // it was lost: the operation that lost it has said so
  auto file = std::make_unique<RecordingFile>(tapeId());
  writeTape(recording_, recordingSizes_, keepsFile_,
            FileErrors("trace_off", file->name(), tapeId()));
  file_ = std::move(file);
  if (keepsFile_)
    file_->keep();
  for (const auto entry :
       {TapeInfos::OP_FILE_ACCESS, TapeInfos::LOC_FILE_ACCESS, TapeInfos::VAL_FILE_ACCESS})
    infos_.stats[entry] = 1;
}

void ValueTape::adopt(SavedTape &&saved) noexcept {
  spill_ = std::move(saved.group);
  if (spill_ != nullptr)
    spill_->tapeId(tapeId());
  recording_ = std::move(saved.recording);
  recording_.stamp = nextStamp();
  recordingSizes_ = saved.bufferSizes;
  infos_.stats = statistics(recording_, recordingSizes_);
  noteFiles();
}

/// In the statistics: which streams are on disk.
void ValueTape::noteFiles() noexcept {
  infos_.stats[TapeInfos::OP_FILE_ACCESS] = recording_.ops.bytesOnDisk() != 0;
  infos_.stats[TapeInfos::LOC_FILE_ACCESS] = recording_.locs.bytesOnDisk() != 0;
  infos_.stats[TapeInfos::VAL_FILE_ACCESS] = recording_.vals.bytesOnDisk() != 0;
}

TapeInfos::StatArray ValueTape::tapestats() const {
  const auto access = readAccess();
  return infos_.stats;
}
void ValueTape::tapestats(std::size_t *stats) const {
  const TapeInfos::StatArray all = tapestats();
  std::copy(all.begin(), all.end(), stats);
}

void ValueTape::reset() noexcept {
  recording_ = {};
  spill_.reset();
  memoryBudget_ = 0;
  workspace_ = {};
  driverCache.reset();
  infos_.stats.fill(0);
  minMaxUsingAbs_ = false;
  branchSwitchWarnings_ = true;
  nestedReverseEval_ = false;
  noteBranchSwitch({});
  access_ = DataAccess::Exclusive;
  freeWorkspaces();
  outerValues_ = {};
  written_ = {};
  foreignParameters_.clear();
  notesSources_ = false;
  callSites_.reset();
  file_.reset();
  keepsFile_ = false;
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

void ValueTape::notesSources(bool on) {
  const TapeEvaluationContext context(*this, "recordSourceLocations", TapeUse::alone);
  notesSources_ = on;
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
  const TapeEvaluationContext context(*this, __func__, TapeUse::alone);
  if (np != recording_.parameters.size())
    fail(ErrorType::PARAM_COUNTS_MISMATCH, CURRENT_LOCATION,
         {.info1 = tag, .info5 = recording_.parameters.size(), .info6 = np});
  if (np != 0 && p == nullptr)
    fail(ErrorType::NULL_ARGUMENT, CURRENT_LOCATION, {.info1 = tag});
  for (std::size_t i = 0; i < np; ++i)
    recording_.paramstore[recording_.parameters[i]] = p[i];
  recording_.taylors.invalidate();
  recording_.stamp = nextStamp(); // Taylor stacks of workspaces are invalid, too
  driverCache.reset();
}
void ValueTape::setParamVec(std::span<const double> p) {
  set_param_vec(tapeId(), p.size(), p.data());
}
void ValueTape::getParamVec(std::span<double> p) const {
  const auto access = readAccess();
  if (!access.owns_lock())
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION,
         {.info1 = tapeId(), .info5 = numLives()});
  if (p.size() != recording_.parameters.size())
    fail(ErrorType::PARAM_COUNTS_MISMATCH, CURRENT_LOCATION,
         {.info1 = tapeId(), .info5 = recording_.parameters.size(), .info6 = p.size()});
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = recording_.paramstore[recording_.parameters[i]];
}

namespace ADOLC::detail {

void TapeRecordingContext::attach(SpillGroup *group) noexcept {
  ops.attach(group, ErrorType::EVAL_OP_TAPE_READ_FAILED);
  locs.attach(group, ErrorType::EVAL_LOC_TAPE_READ_FAILED);
  vals.attach(group, ErrorType::EVAL_VAL_TAPE_READ_FAILED);
  taylors.data.attach(group, ErrorType::EVAL_TAY_TAPE_READ_FAILED);
}

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

std::size_t TapeRecordingContext::bytesOnDisk() const {
  return ops.bytesOnDisk() + locs.bytesOnDisk() + vals.bytesOnDisk() + taylors.data.bytesOnDisk();
}

TapeInfos::StatArray statistics(const TapeRecordingContext &recording, const BufferSizes &sizes) {
  const StreamTotals totals = streamTotals(recording);
  TapeInfos::StatArray s{};
  s[TapeInfos::NUM_INDEPENDENTS] = recording.numInds;
  s[TapeInfos::NUM_DEPENDENTS] = recording.numDeps;
  s[TapeInfos::NUM_MAX_LIVES] = recording.storeCapacity;
  s[TapeInfos::NUM_TAYS] = totals.tays + recording.finals.size();
  s[TapeInfos::OP_BUFFER_SIZE] = sizes[0];
  s[TapeInfos::NUM_OPERATIONS] = totals.ops;
  s[TapeInfos::NUM_LOCATIONS] = totals.locs;
  s[TapeInfos::NUM_VALUES] = totals.vals;
  s[TapeInfos::LOC_BUFFER_SIZE] = sizes[1];
  s[TapeInfos::VAL_BUFFER_SIZE] = sizes[2];
  s[TapeInfos::TAY_BUFFER_SIZE] = sizes[3];
  s[TapeInfos::NUM_EQ_PROD] = recording.num_eq_prod;
  s[TapeInfos::NO_MIN_MAX] = recording.minMaxAsAbs ? 1 : 0;
  s[TapeInfos::NUM_SWITCHES] = recording.numSwitches;
  s[TapeInfos::NUM_PARAM] = recording.parameters.size();
  return s;
}

} // namespace ADOLC::detail
