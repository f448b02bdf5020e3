#include <adolc/tape_interface.h>

#include "tape/buffersizes.h"
#include "tape/operations.h"

#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <new>
#include <sstream>
#include <stdexcept>
#include <vector>

using ADOLCError::ErrorType;
using ADOLCError::fail;
using namespace ADOLC::detail;

namespace {

/// enableMinMaxUsingAbs without a selected tape, as programs for 2.7 call it: holds for the tapes
/// that such programs record.
thread_local bool threadMinMaxUsingAbs = false;

/// Again with a new tape if another thread removes it while this one waits.
ValueTape &beginRecordingOn(short id) {
  for (;;) {
    ValueTape &tape = findOrCreateTape(id);
    if (tape.tryBeginRecording())
      return tape;
  }
}

/// Capacities of 0 are those of the tape.
int traceOn(short id, int keepTaylors, const BufferSizes &sizes = {}, bool keepsFile = false) {
  ValueTape &tape = beginRecordingOn(id);
  try {
    tape.keepsFile(keepsFile);
    if (!tape.ownsStore())
      tape.bindStore(Store::threadDefault());
    tape.startStreams(keepTaylors, !tape.ownsStore() && threadMinMaxUsingAbs, sizes);
  } catch (...) {
    tape.endRecording();
    throw;
  }
  return 0;
}

/// Gives up the innermost recording of the thread.
void discardInnermost() noexcept {
  ValueTape *const tape = recordingFrames().back().current;
  tape->discardStreams();
  tape->endRecording();
}

} // namespace

int trace_on(short id, int keepTaylors) { return traceOn(id, keepTaylors); }

int trace_on(short id, int keepTaylors, std::size_t obs, std::size_t lbs, std::size_t vbs,
             std::size_t tbs, int skipFileCleanup) {
  BufferSizes sizes{obs, lbs, vbs, tbs};
  for (std::size_t stream = 0; stream < sizes.size(); ++stream)
    sizes[stream] = possibleBufferSize(id, stream, sizes[stream]);
  return traceOn(id, keepTaylors, sizes, skipFileCleanup != 0);
}

void trace_off(int flag) {
  ValueTape *const tape = currentTapeSlot;
  if (tape == nullptr || !tape->isRecording())
    fail(ErrorType::TAPING_NOT_ACTUALLY_TAPING, CURRENT_LOCATION,
         {.info1 = tape == nullptr ? short{-1} : tape->tapeId()});
  try {
    tape->finishStreams();
  } catch (const std::bad_alloc &) {
    discardInnermost();
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tape->tapeId()});
  } catch (...) { // the disk
    discardInnermost();
    throw;
  }
  try {
    if (flag != 0)
      tape->writeFile();
  } catch (const std::bad_alloc &) {
    tape->endRecording();
    fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = tape->tapeId()});
  } catch (...) {
    tape->endRecording();
    throw;
  }
  tape->endRecording();
}

bool isTaping() { return recordingFrames().size() > 1; }

std::array<std::size_t, TapeInfos::STAT_SIZE> tapestats(short id) {
  return findTape(id).tapestats();
}
void tapestats(short id, std::size_t *stats) {
  const ValueTape &tape = findTape(id);
  if (stats == nullptr)
    fail(ErrorType::NULL_ARGUMENT, CURRENT_LOCATION, {.info1 = id});
  tape.tapestats(stats);
}

std::size_t get_num_param(short id) { return findTape(id).tapestats()[TapeInfos::NUM_PARAM]; }

std::size_t get_num_switches(short id) {
  const auto stats = findTape(id).tapestats();
  if (stats[TapeInfos::NO_MIN_MAX] == 0)
    fail(ErrorType::NO_MINMAX, CURRENT_LOCATION, {.info1 = id});
  return stats[TapeInfos::NUM_SWITCHES];
}

void nestedReverseEval(short id, bool on) { findTape(id).nestedReverseEval(on); }
bool nestedReverseEval(short id) { return findTape(id).nestedReverseEval(); }

void set_param_vec(short tag, std::size_t np, const double *p) {
  findTape(tag).set_param_vec(tag, np, p);
}
void ensureContiguousLocations(std::size_t n) {
  ValueTape *const tape = currentTapeSlot;
  (tape != nullptr ? tape->activeStore() : Store::threadDefault()).ensureContiguous(n);
}
void enableMinMaxUsingAbs() {
  if (ValueTape *const tape = currentTapeSlot)
    tape->enableMinMaxUsingAbs();
  else
    threadMinMaxUsingAbs = true;
}
void disableMinMaxUsingAbs() {
  if (ValueTape *const tape = currentTapeSlot)
    tape->disableMinMaxUsingAbs();
  else
    threadMinMaxUsingAbs = false;
}

int removeTape(short id, short) { return ADOLC::tryRemoveTape(id) ? 0 : -1; }

void printTapeStats(short id) {
  const auto stats = findTape(id).tapestats();
  const ADOLC::TapeStatistics more = ADOLC::tapeStatistics(id);
  const ADOLC::TapeBytes &bytes = more.bytes;
  static constexpr const char *labels[] = {
      "independents",
      "dependents",
      "capacity of the active store",
      "values saved by a keep sweep",
      "operation buffer (elements)",
      "operations",
      "operations on disk",
      "locations",
      "locations on disk",
      "constants",
      "constants on disk",
      "location buffer (elements)",
      "value buffer (elements)",
      "Taylor buffer (elements)",
      "fused products",
      "min and max as absolute values",
      "switches (absolute values)",
      "parameters",
  };
  static_assert(std::size(labels) == TapeInfos::STAT_SIZE);
  std::ostringstream out; // the user's formats of std::cout are neither used nor changed
  out.imbue(std::locale::classic());
  const auto line = [&out](const char *label, auto value) {
    out << "  " << std::left << std::setw(34) << label << std::right << std::setw(14) << value
        << '\n';
  };
  const auto perOp = [&](std::size_t n) {
    const std::size_t ops = std::max<std::size_t>(1, stats[TapeInfos::NUM_OPERATIONS]);
    return static_cast<double>(n) / static_cast<double>(ops);
  };
  out << "Tape " << id << '\n';
  for (std::size_t i = 0; i < TapeInfos::STAT_SIZE; ++i)
    line(labels[i], stats[i]);
  line("bytes of one operation code", sizeof(OpCell));
  line("bytes of one location", "2 or 4");
  line("bytes of one constant", sizeof(double));
  line("bytes of one Taylor entry", sizeof(double));
  line("bytes of the recording", bytes.total() - bytes.taylors);
  line("bytes of the Taylor stack", bytes.taylors);
  out << std::fixed << std::setprecision(2);
  line("bytes per operation", perOp(bytes.total() - bytes.taylors));
  line("bytes per operation with Taylor", perOp(bytes.total()));
  line("values that need not be saved", more.taylorsAvoided);
  line("peak of locations in use", more.peakLocations);
  line("bytes on disk", more.spilledBytes);
  out << "  by operation code:\n";
  for (std::size_t op = 0; op < more.histogram.size(); ++op)
    if (more.histogram[op] != 0)
      line(ADOLC::opcodeName(static_cast<OPCODES>(op)), more.histogram[op]);
  std::cout << out.str();
}

namespace ADOLC {

Recording::Recording(short id, int keepTaylors) : exceptions_(std::uncaught_exceptions()) {
  trace_on(id, keepTaylors);
  tape_ = currentTapeSlot;
}

Recording::~Recording() {
  const auto records = [this](const RecordingFrame &frame) { return frame.current == tape_; };
  const auto frames = recordingFrames();
  if (tape_ == nullptr || std::none_of(frames.begin(), frames.end(), records))
    return; // ended already
  while (recordingFrames().back().current != tape_)
    discardInnermost();
  if (std::uncaught_exceptions() != exceptions_) {
    discardInnermost();
    return;
  }
  setCurrentTape(tape_);
  try {
    trace_off();
  } catch (const std::exception &) {
    // The recording is gone; using it throws.
  }
}

void Recording::finish() {
  ValueTape *const selected = currentTapeSlot;
  if (tape_ == nullptr || tape_ != selected)
    fail(ErrorType::TAPING_NOT_ACTUALLY_TAPING, CURRENT_LOCATION,
         {.info1 = selected == nullptr ? short{-1} : selected->tapeId()});
  trace_off();
  tape_ = nullptr;
}

namespace {

TapeBytes bytesOf(const TapeRecordingContext &recording) {
  const StreamTotals totals = streamTotals(recording);
  return {totals.ops * sizeof(OpCell), totals.locBytes, totals.vals * sizeof(double),
          (totals.tays + recording.finals.size()) * sizeof(double)};
}

/// Counts the locations that live at one time, from the numbers of the operations that use each one
/// first and last.
class LiveLocations {
public:
  explicit LiveLocations(std::size_t numLocations)
      : first_(numLocations, kNever), last_(numLocations, kNever) {}

  void use(std::size_t loc, std::size_t operation) {
    if (first_[loc] == kNever)
      first_[loc] = operation;
    last_[loc] = operation;
  }
  /// The most; nothing can be counted afterwards.
  std::size_t peak() {
    std::sort(first_.begin(), first_.end());
    std::sort(last_.begin(), last_.end());
    std::size_t most = 0, ended = 0;
    for (std::size_t begun = 0; begun < first_.size() && first_[begun] != kNever; ++begun) {
      while (last_[ended] < first_[begun])
        ++ended;
      most = std::max(most, begun + 1 - ended);
    }
    return most;
  }
  /// How many live at each of `samples` operations, evenly spread over `operations` of them;
  /// nothing can be counted afterwards.
  std::vector<std::uint64_t> profile(std::size_t operations, std::size_t samples) {
    std::sort(first_.begin(), first_.end());
    std::sort(last_.begin(), last_.end());
    std::vector<std::uint64_t> counts;
    counts.reserve(samples);
    std::size_t begun = 0, ended = 0;
    for (std::size_t i = 0; i < samples; ++i) {
      const auto at = static_cast<std::size_t>(
          static_cast<double>(operations) * static_cast<double>(i) / static_cast<double>(samples));
      while (begun < first_.size() && first_[begun] <= at)
        ++begun;
      while (ended < last_.size() && last_[ended] < at)
        ++ended;
      counts.push_back(begun - ended);
    }
    return counts;
  }

private:
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first_, last_; // by location
};

void useAll(LiveLocations &live, const Operation &operation) {
  if (operation.opcode() == take_stock_op) {
    for (std::size_t i = 0; i < operation.numWritten(); ++i) {
      live.use(operation.firstWritten() + i, 0); // lives when the recording begins
      live.use(operation.firstWritten() + i, operation.number);
    }
  } else {
    for (const LocCell loc : operation.locs)
      live.use(loc, operation.number);
  }
}
[[noreturn]] void noMemoryToCount(short id, const TapeRecordingContext &recording) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION,
       {.info1 = id, .info5 = 2 * recording.numLocations * sizeof(std::size_t)});
}

} // namespace

TapeBytes tapeBytes(short id) {
  const ValueTape &tape = findTape(id);
  const auto access = tape.readAccess();
  return bytesOf(tape.recording());
}

std::array<std::size_t, kNumOpcodes> opcodeHistogram(short id) {
  std::array<std::size_t, kNumOpcodes> counts{};
  const ValueTape &tape = findTape(id);
  const auto access = tape.fullAccess();
  for (OperationReader reader(tape, __func__); reader.next();)
    ++counts[reader.operation().opcode()];
  return counts;
}

TapeStatistics tapeStatistics(short id) {
  const ValueTape &tape = findTape(id);
  const auto access = tape.fullAccess();
  const TapeRecordingContext &recording = tape.recording();
  TapeStatistics result;
  result.bytes = bytesOf(recording);
  result.spilledBytes = recording.bytesOnDisk();
  result.taylorsSaved = recording.finals.size();
  try {
    LiveLocations live(recording.numLocations);
    for (OperationReader reader(tape, __func__); reader.next();) {
      const Operation &operation = reader.operation();
      ++result.operations;
      ++result.histogram[operation.opcode()];
      if (operation.saves())
        ++result.taylorsSaved;
      else if (operation.shape().writes)
        ++result.taylorsAvoided;
      useAll(live, operation);
    }
    result.peakLocations = live.peak();
  } catch (const std::bad_alloc &) {
    noMemoryToCount(id, recording);
  }
  return result;
}

std::vector<std::uint64_t> liveProfile(short id, std::size_t samples) {
  const ValueTape &tape = findTape(id);
  const auto access = tape.fullAccess();
  const TapeRecordingContext &recording = tape.recording();
  try {
    LiveLocations live(recording.numLocations);
    std::size_t operations = 0;
    for (OperationReader reader(tape, __func__); reader.next(); ++operations)
      useAll(live, reader.operation());
    return live.profile(operations, samples);
  } catch (const std::bad_alloc &) {
    noMemoryToCount(id, recording);
  } catch (const std::length_error &) { // more samples than any vector has
    noMemoryToCount(id, recording);
  }
}

namespace {
struct OpcodeInfo {
  const char *name;
  const char *text;
};
constexpr OpcodeInfo opcodeInfos[] = {
#define ADOLC_OP(op, rule, layout, depend, text) {#op, text},
#define ADOLC_BRANCH(op, relation, layout, text) {#op, text},
#define ADOLC_STRUCT(op, text) {#op, text},
#define ADOLC_RESERVED(op) {#op, ""},
#include <adolc/internal/oplist_expand.h>
};
} // namespace

const char *opcodeName(OPCODES op) { return op < kNumOpcodes ? opcodeInfos[op].name : "unknown"; }
const char *opcodeText(OPCODES op) { return op < kNumOpcodes ? opcodeInfos[op].text : ""; }

} // namespace ADOLC
