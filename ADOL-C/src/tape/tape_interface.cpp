#include <adolc/tape_interface.h>

#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>

using ADOLCError::ErrorType;
using ADOLCError::fail;
using namespace ADOLC::detail;

int trace_on(short id, int keepTaylors) {
  ValueTape &tape = findOrCreateTape(id);
  tape.beginRecording();
  try {
    if (!tape.ownsStore())
      tape.bindStore(Store::threadDefault());
    tape.startStreams(keepTaylors);
  } catch (...) {
    tape.endRecording();
    throw;
  }
  return 0;
}

int trace_on(short id, int keepTaylors, std::size_t obs, std::size_t lbs, std::size_t vbs,
             std::size_t tbs, int) {
  ValueTape &tape = findOrCreateTape(id);
  tape.operationBufferSize(obs);
  tape.locationBufferSize(lbs);
  tape.valueBufferSize(vbs);
  tape.taylorBufferSize(tbs);
  return trace_on(id, keepTaylors);
}

void trace_off(int) {
  ValueTape *const tape = currentTapePtr();
  if (tape == nullptr || !tape->isRecording())
    fail(ErrorType::TAPING_NOT_ACTUALLY_TAPING, CURRENT_LOCATION,
         {.info1 = tape == nullptr ? short{-1} : tape->tapeId()});
  try {
    tape->finishStreams();
  } catch (...) {
    tape->discardStreams();
    tape->endRecording();
    throw;
  }
  tape->endRecording();
}

bool isTaping() { return currentTapeStack().size() > 1; }

std::array<std::size_t, TapeInfos::STAT_SIZE> tapestats(short id) { return findTape(id).tapestats(); }
void tapestats(short id, std::size_t *stats) { findTape(id).tapestats(stats); }

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
  ValueTape *const tape = currentTapePtr();
  (tape != nullptr ? tape->activeStore() : Store::threadDefault()).ensureContiguous(n);
}
void enableMinMaxUsingAbs() { currentTape().enableMinMaxUsingAbs(); }
void disableMinMaxUsingAbs() { currentTape().disableMinMaxUsingAbs(); }

int removeTape(short id, short) { return ADOLC::tryRemoveTape(id) ? 0 : -1; }

void printTapeStats(short id) {
  const auto stats = findTape(id).tapestats();
  const ADOLC::TapeBytes bytes = ADOLC::tapeBytes(id);
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
  std::ostream &out = std::cout;
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
  const auto precision = out.precision();
  const auto flags = out.flags();
  out << std::fixed << std::setprecision(2);
  line("bytes per operation", perOp(bytes.total() - bytes.taylors));
  line("bytes per operation with Taylor", perOp(bytes.total()));
  out.flags(flags);
  out.precision(precision);
}

namespace ADOLC {

Recording::Recording(short id, int keepTaylors) : exceptions_(std::uncaught_exceptions()) {
  trace_on(id, keepTaylors);
  tape_ = currentTapePtr();
}

Recording::~Recording() {
  auto &stack = currentTapeStack();
  const auto records = [this](const RecordingFrame &frame) { return frame.current == tape_; };
  if (tape_ == nullptr || std::none_of(stack.begin(), stack.end(), records))
    return; // ended already
  if (std::uncaught_exceptions() == exceptions_) {
    setCurrentTape(tape_);
    try {
      trace_off();
    } catch (const std::exception &) {
      // The recording is gone; using it throws.
    }
    return;
  }
  for (bool done = false; !done;) {
    ValueTape *const innermost = stack.back().current;
    innermost->discardStreams();
    innermost->endRecording();
    done = innermost == tape_;
  }
}

void Recording::finish() {
  tape_ = nullptr;
  trace_off();
}

TapeBytes tapeBytes(short id) {
  const TapeRecordingContext &recording = findTape(id).recording();
  const StreamTotals totals = streamTotals(recording);
  return {totals.ops * sizeof(OpCell), totals.locBytes, totals.vals * sizeof(double),
          (totals.tays + recording.finals.size()) * sizeof(double)};
}

std::array<std::size_t, kNumOpcodes> opcodeHistogram(short id) {
  std::array<std::size_t, kNumOpcodes> counts{};
  const TapeRecordingContext &recording = findTape(id).recording();
  for (const Segment &segment : recording.segments) {
    const OpCell *const ops = recording.ops.pin(segment.op);
    for (std::size_t i = 1; i <= segment.numOps; ++i)
      ++counts[opcodeOf(ops[i])];
    recording.ops.unpin(segment.op);
  }
  if (!recording.segments.empty()) {
    ++counts[start_of_tape];
    ++counts[end_of_tape];
  }
  return counts;
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
