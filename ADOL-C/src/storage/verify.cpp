// What the interpreters take for granted, checked operation by operation. They have no checks of
// their own, so each of their assumptions about a recording stands here.
#include "storage/format.h"
#include "storage/savedtape.h"
#include "tape/operations.h"

#include <algorithm>
#include <limits>
#include <string>

using ADOLCError::ErrorType;

namespace ADOLC::detail {
namespace {

/// Where a stream goes on.
struct Front {
  const std::vector<std::size_t> &sizes;
  std::size_t block = 0, offset = 0; // behind what was read last

  /// Whether `count` elements at a position follow what was read last, in the same block or at the
  /// begin of a later one; then they are what was read last. `gap` elements may be left out.
  bool take(StreamPosition at, std::size_t count, std::size_t gap) {
    const bool follows = at.block == block ? at.offset >= offset && at.offset - offset <= gap
                                           : at.block > block && at.offset <= gap && complete();
    if (!follows || at.block >= sizes.size() || at.offset > sizes[at.block] ||
        sizes[at.block] - at.offset < count)
      return false;
    // Blocks that are passed over have nothing.
    for (std::size_t between = block + 1; between < at.block; ++between)
      if (sizes[between] != 0)
        return false;
    block = at.block;
    offset = at.offset + count;
    return true;
  }
  /// Nothing of the present block is left.
  bool complete() const { return block < sizes.size() ? offset == sizes[block] : offset == 0; }
  /// Nothing is left at all, and no block is too many.
  bool atEnd() const { return complete() && block + 1 >= sizes.size(); }
};

/// What most operations are asked: in 8 bytes by opcode, and without saying where something is
/// wrong.
struct Brief {
  std::uint8_t numLocs, numVals;
  bool special;     ///< its constants are asked more
  OpCell forbidden; ///< bits that a cell must not have
};
constexpr OpCell kAllBits = 0xffff;
std::array<Brief, kNumOpcodes> makeBriefs() {
  std::array<Brief, kNumOpcodes> table{};
  for (std::size_t op = 0; op < kNumOpcodes; ++op) {
    const OperationShape &shape = operationShapes[op];
    const bool special = !shape.recorded || shape.mark || op == take_stock_op || op == ldexp_op ||
                         shape.operands[0].slot == ops::Slot::Param;
    const auto allowed = static_cast<OpCell>(opCell(static_cast<OPCODES>(op)) | shape.bits);
    table[op] = {shape.numLocs, shape.numVals, special,
                 static_cast<OpCell>(kAllBits & ~static_cast<unsigned>(allowed))};
  }
  return table;
}

class Verifier {
public:
  Verifier(const TapeRecordingContext &recording, const ChainSizes &sizes)
      : recording_(recording), fronts_{Front{sizes[0]}, Front{sizes[1]}, Front{sizes[2]}} {}

  void run() {
    require(!recording_.segments.empty(), ErrorType::INTEGER_TAPE_FREAD_FAILED,
            "there are no segments");
    checkParameters();
    for (; segment_ < recording_.segments.size(); ++segment_)
      checkSegment(recording_.segments[segment_]);
    for (std::size_t stream = 0; stream < kNumStreams; ++stream)
      require(fronts_[stream].atEnd(), kStreamErrors[stream],
              "the " + std::string(kStreamNames[stream]) + " are more than the segments use");
    checkCounts();
  }

private:
  static void require(bool fine, ErrorType type, const std::string &text) {
    if (!fine)
      throw Fault{type, text};
  }
  /// A text with the place, made in case of failure only.
  template <class Text> void requireHere(bool fine, ErrorType type, const Text &text) const {
    if (!fine) [[unlikely]]
      throw Fault{type, "segment " + std::to_string(segment_) + ", operation " +
                            std::to_string(operation_) + ": " + text()};
  }

  void checkParameters() const {
    const auto &indices = recording_.parameters;
    for (std::size_t i = 0; i < indices.size(); ++i)
      require(indices[i] < recording_.paramstore.size() && (i == 0 || indices[i - 1] < indices[i]),
              ErrorType::VALUE_TAPE_FREAD_FAILED,
              "parameter " + std::to_string(i) + " has index " + std::to_string(indices[i]) +
                  ", expected ascending ones below " +
                  std::to_string(recording_.paramstore.size()));
  }

  void checkSegment(const Segment &s) {
    operation_ = 0;
    checkPlaces(s);
    const OpCell *const ops = recording_.ops.pin(s.op);
    const bool first = segment_ == 0, last = segment_ + 1 == recording_.segments.size();
    requireHere(ops[0] == opCell(first ? start_of_tape : end_of_op), EVAL_OP,
                [] { return "the mark before it is wrong"; });
    requireHere(ops[s.numOps + std::size_t{1}] == opCell(last ? end_of_tape : end_of_op), EVAL_OP,
                [] { return "the mark behind the last operation is wrong"; });
    const NarrowLoc *const locs = recording_.locs.pin(s.loc);
    const double *const vals = recording_.vals.pin(s.val);
    if (s.wide)
      checkOperations(s, ops, reinterpret_cast<const WideLoc *>(locs), vals);
    else
      checkOperations(s, ops, locs, vals);
    recording_.vals.unpin(s.val);
    recording_.locs.unpin(s.loc);
    recording_.ops.unpin(s.op);
  }

  /// That there is a place for all it says to have.
  void checkPlaces(const Segment &s) {
    requireHere(s.numOps <= kMaxSegmentOps, EVAL_OP, [&s] {
      return std::to_string(s.numOps) + " operations, at most " + std::to_string(kMaxSegmentOps) +
             " are possible";
    });
    requireHere(!s.wide || (s.loc.offset % 2 == 0 && s.base == 0), EVAL_LOC,
                [] { return "wide locations with a base, or not aligned"; });
    const std::size_t locGap = s.wide ? 1 : 0;
    requireHere(fronts_[0].take(s.op, s.numOps + std::size_t{2}, 0), EVAL_OP,
                [] { return "its operations do not continue the stream"; });
    requireHere(fronts_[1].take(s.loc, s.locUnits(), locGap), EVAL_LOC,
                [] { return "its locations do not continue the stream"; });
    requireHere(fronts_[2].take(s.val, s.numVals, 0), EVAL_VAL,
                [] { return "its constants do not continue the stream"; });
  }

  /// Whether a segment is fine, as most are; nothing is noted otherwise.
  template <class Loc> bool isFine(const Segment &s, const OpCell *ops, const Loc *loc) {
    Loc highest = 0;
    for (std::size_t i = 0; i < s.numLocs; ++i)
      highest = std::max(highest, loc[i]);
    const std::uint64_t end = s.numLocs != 0 ? std::uint64_t{s.base} + highest + 1 : 0;
    std::size_t locs = 0, vals = 0, tays = 0;
    std::size_t independents = 0, dependents = 0, switches = 0;
    for (std::size_t i = 1; i <= s.numOps; ++i) {
      const unsigned cell = ops[i], op = cell >> kOpShift;
      if (op >= kNumOpcodes)
        return false;
      const Brief &brief = briefs_[op];
      if (brief.special || (cell & brief.forbidden) != 0)
        return false;
      locs += brief.numLocs;
      vals += brief.numVals;
      tays += cell & kSaveBit;
      independents += op == assign_ind;
      dependents += op == assign_dep;
      switches += op == abs_val;
    }
    if (locs != s.numLocs || vals != s.numVals || tays != s.numTays ||
        end > recording_.numLocations)
      return false;
    end_ = std::max(end_, end);
    independents_ += independents;
    dependents_ += dependents;
    switches_ += switches;
    return true;
  }

  template <class Loc>
  void checkOperations(const Segment &s, const OpCell *ops, const Loc *loc, const double *vals) {
    if (isFine(s, ops, loc))
      return;
    std::size_t locs = 0, numVals = 0, tays = 0;
    for (std::size_t i = 1; i <= s.numOps; ++i, ++operation_) {
      const OpCell cell = ops[i];
      const OPCODES op = opcodeOf(cell);
      requireHere(op < kNumOpcodes && operationShapes[op].recorded && !operationShapes[op].mark,
                  ErrorType::NO_SUCH_OP,
                  [op] { return "operation code " + std::to_string(op) + " is not known"; });
      const OperationShape &shape = operationShapes[op];
      requireHere((cell & ~opCell(op) & ~shape.bits) == 0, EVAL_OP,
                  [] { return "bits that an operation of this code does not have"; });
      requireHere(s.numLocs - locs >= shape.numLocs, EVAL_LOC,
                  [] { return "the segment has no more locations"; });
      for (std::size_t k = 0; k < shape.numLocs; ++k)
        use(std::uint64_t{s.base} + loc[locs + k]);
      requireHere(s.numVals - numVals >= shape.numVals, EVAL_VAL,
                  [] { return "the segment has no more constants"; });
      std::size_t count = shape.numVals;
      if (op == take_stock_op)
        count = checkStock(vals + numVals, s.numVals - numVals, std::uint64_t{s.base} + loc[locs]);
      else if (shape.operands[0].slot == ops::Slot::Param)
        checkIndex(vals[numVals]);
      else if (op == ldexp_op)
        requireHere(isInteger(vals[numVals], std::numeric_limits<int>::min(),
                              std::numeric_limits<int>::max()),
                    EVAL_VAL, [] { return "an exponent of two that is no int"; });
      locs += shape.numLocs;
      numVals += count;
      tays += (cell & kSaveBit) != 0;
      independents_ += op == assign_ind;
      dependents_ += op == assign_dep;
      switches_ += op == abs_val;
    }
    requireHere(locs == s.numLocs, EVAL_LOC, [] { return "locations are left"; });
    requireHere(numVals == s.numVals, EVAL_VAL, [] { return "constants are left"; });
    requireHere(tays == s.numTays, EVAL_OP, [&s, tays] {
      return std::to_string(tays) + " of its operations save a value, " +
             std::to_string(s.numTays) + " were expected";
    });
  }

  void use(std::uint64_t loc) {
    requireHere(loc < recording_.numLocations, EVAL_LOC, [this, loc] {
      return "location " + std::to_string(loc) + " of " + std::to_string(recording_.numLocations);
    });
    end_ = std::max(end_, loc + 1);
  }

  static bool isInteger(double number, double least, double most) {
    return number >= least && number <= most &&
           number == static_cast<double>(static_cast<std::int64_t>(number));
  }

  /// The count, that many values, the count again; all of them are locations. Returns the number
  /// of constants.
  std::size_t checkStock(const double *vals, std::size_t left, std::uint64_t first) {
    const bool fits = left >= 2 && isInteger(vals[0], 1.0, static_cast<double>(left - 2));
    requireHere(fits, EVAL_VAL, [] { return "values of live locations do not fit their count"; });
    const auto count = static_cast<std::size_t>(vals[0]);
    requireHere(vals[count + 1] == vals[0], EVAL_VAL,
                [] { return "the counts before and behind the values of locations differ"; });
    use(first + count - 1);
    return count + 2;
  }

  void checkIndex(double index) const {
    const std::size_t number = recording_.paramstore.size();
    requireHere(number != 0 && isInteger(index, 0.0, static_cast<double>(number - 1)),
                ErrorType::VALUE_TAPE_FREAD_FAILED, [number] {
                  return "the index of a parameter is none of " + std::to_string(number);
                });
  }

  void checkCounts() const {
    const auto equal = [](const char *what, std::size_t found, std::size_t expected) {
      require(found == expected, ErrorType::INTEGER_TAPE_FREAD_FAILED,
              std::string(what) + ": " + std::to_string(found) + " found, " +
                  std::to_string(expected) + " expected");
    };
    equal("independents", independents_, recording_.numInds);
    equal("dependents", dependents_, recording_.numDeps);
    equal("switches", switches_, recording_.numSwitches);
    equal("locations in use", end_, recording_.numLocations);
    const auto &finals = recording_.finals;
    for (std::size_t i = 0; i < finals.size(); ++i)
      require(finals[i] < recording_.numLocations && (i == 0 || finals[i - 1] < finals[i]),
              ErrorType::INTEGER_TAPE_FREAD_FAILED,
              "final value " + std::to_string(i) + " is that of location " +
                  std::to_string(finals[i]) + ", expected ascending ones below " +
                  std::to_string(recording_.numLocations));
  }

  static constexpr ErrorType EVAL_OP = kStreamErrors[0], EVAL_LOC = kStreamErrors[1],
                             EVAL_VAL = kStreamErrors[2];

  const TapeRecordingContext &recording_;
  const std::array<Brief, kNumOpcodes> briefs_ = makeBriefs();
  std::array<Front, kNumStreams> fronts_;
  std::size_t segment_ = 0, operation_ = 0; // where the walk is
  std::size_t independents_ = 0, dependents_ = 0, switches_ = 0;
  std::uint64_t end_ = 0; // one more than the highest location
};

} // namespace

ChainSizes usedElements(const TapeRecordingContext &recording) {
  ChainSizes sizes;
  const auto use = [&sizes](Stream stream, StreamPosition at, std::size_t count) {
    auto &blocks = sizes[static_cast<std::size_t>(stream)];
    if (blocks.size() <= at.block)
      blocks.resize(std::size_t{at.block} + 1);
    blocks[at.block] = at.offset + count; // segments stand in the order of the stream
  };
  for (const Segment &s : recording.segments) {
    use(Stream::operations, s.op, s.numOps + std::size_t{2});
    use(Stream::locations, s.loc, s.locUnits());
    use(Stream::constants, s.val, s.numVals);
  }
  return sizes;
}

void verify(const TapeRecordingContext &recording, const ChainSizes &sizes) {
  Verifier(recording, sizes).run();
}

} // namespace ADOLC::detail
