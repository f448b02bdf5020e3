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

/// What operations of a segment have, or those of its first ones.
struct Counts {
  std::size_t locs = 0, vals = 0, tays = 0;
  std::size_t independents = 0, dependents = 0, switches = 0;

  Counts &operator+=(const Counts &more) {
    locs += more.locs, vals += more.vals, tays += more.tays;
    independents += more.independents, dependents += more.dependents, switches += more.switches;
    return *this;
  }
};

/// The counts of one operation by its cell, all of them in one number: of so many operations the
/// sum of these numbers has the sums of the counts. Thus most operations cost one look at this
/// table and one addition.
class BriefCounts {
public:
  static constexpr std::size_t kAtOnce = 127;

  static const BriefCounts &table() {
    static const BriefCounts instance;
    return instance;
  }

  /// The sum of so many operations. Precondition: all cells are less than kCells, not more than
  /// kAtOnce of them.
  std::uint64_t sum(const OpCell *cells, std::size_t count) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < count; ++i)
      all += numbers_[cells[i]];
    return all;
  }
  std::uint64_t operator[](OpCell cell) const { return numbers_[cell]; }
  /// Whether some operations are not fine by being counted.
  static bool hasOthers(std::uint64_t sum) { return sum >> kOthers != 0; }
  /// How many have the index of a parameter as their first constant.
  static std::size_t indices(std::uint64_t sum) { return field(sum, kIndices, kOthers); }
  static std::size_t vals(std::uint64_t sum) { return field(sum, kVals, kTays); }
  static Counts counts(std::uint64_t sum) {
    return {.locs = field(sum, kLocs, kVals),
            .vals = vals(sum),
            .tays = field(sum, kTays, kIndependents),
            .independents = field(sum, kIndependents, kDependents),
            .dependents = field(sum, kDependents, kSwitches),
            .switches = field(sum, kSwitches, kIndices)};
  }

  static constexpr std::size_t kCells = kNumOpcodes << kOpShift;

private:
  /// The first bits of the counts.
  static constexpr int kLocs = 0, kVals = 9, kTays = 17, kIndependents = 24, kDependents = 31,
                       kSwitches = 38, kIndices = 45, kOthers = 52;
  static_assert(ops::kMaxLocsPerOp * kAtOnce < std::size_t{1} << (kVals - kLocs));
  static_assert(ops::kMaxValsPerOp * kAtOnce < std::size_t{1} << (kTays - kVals));
  static_assert(kAtOnce < std::size_t{1} << (kIndependents - kTays));
  static_assert(kAtOnce < std::size_t{1} << (64 - kOthers));

  static std::size_t field(std::uint64_t sum, int first, int end) {
    return static_cast<std::size_t>(sum >> first & ((std::uint64_t{1} << (end - first)) - 1));
  }

  BriefCounts() {
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      const auto op = opcodeOf(static_cast<OpCell>(cell));
      const OperationShape &shape = operationShapes[op];
      const bool counted = shape.recorded && !shape.mark && op != take_stock_op && op != ldexp_op &&
                           (cell & ~std::size_t{opCell(op)} & ~std::size_t{shape.bits}) == 0;
      const auto one = [](bool counts, int first) { return std::uint64_t{counts} << first; };
      numbers_[cell] =
          !counted ? one(true, kOthers)
                   : std::uint64_t{shape.numLocs} << kLocs | std::uint64_t{shape.numVals} << kVals |
                         one((cell & kSaveBit) != 0, kTays) | one(op == assign_ind, kIndependents) |
                         one(op == assign_dep, kDependents) | one(op == abs_val, kSwitches) |
                         one(shape.operands[0].slot == ops::Slot::Param, kIndices);
    }
  }

  std::array<std::uint64_t, kCells> numbers_;
};

[[maybe_unused]] const BriefCounts &atLoad =
    BriefCounts::table(); // a forked child must not find it half made

template <class T> T highest(const T *numbers, std::size_t count) {
  T most = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::max(most, numbers[i]);
  return most;
}

class Verifier {
public:
  Verifier(const TapeRecordingContext &recording, const ChainSizes &sizes)
      : recording_(recording), fronts_{Front{sizes[0]}, Front{sizes[1]}, Front{sizes[2]}} {}

  void run() {
    require(!recording_.segments.empty(), ErrorType::INTEGER_TAPE_FREAD_FAILED,
            [] { return "there are no segments"; });
    checkParameters();
    for (; segment_ < recording_.segments.size(); ++segment_)
      checkSegment(recording_.segments[segment_]);
    for (std::size_t stream = 0; stream < kNumStreams; ++stream)
      require(fronts_[stream].atEnd(), kStreamErrors[stream], [stream] {
        return "the " + std::string(kStreamNames[stream]) + " are more than the segments use";
      });
    checkCounts();
  }

private:
  /// Texts are made in case of failure only.
  template <class Text> static void require(bool fine, ErrorType type, const Text &text) {
    if (!fine) [[unlikely]]
      throw Fault{type, text()};
  }
  /// The same with the place.
  template <class Text> void requireHere(bool fine, ErrorType type, const Text &text) const {
    if (!fine) [[unlikely]]
      throw Fault{type, "segment " + std::to_string(segment_) + ", operation " +
                            std::to_string(operation_) + ": " + text()};
  }

  void checkParameters() const {
    const auto &indices = recording_.parameters;
    for (std::size_t i = 0; i < indices.size(); ++i)
      require(indices[i] < recording_.paramstore.size() && (i == 0 || indices[i - 1] < indices[i]),
              ErrorType::VALUE_TAPE_FREAD_FAILED, [this, i, &indices] {
                return "parameter " + std::to_string(i) + " has index " +
                       std::to_string(indices[i]) + ", expected ascending ones below " +
                       std::to_string(recording_.paramstore.size());
              });
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

  template <class Loc>
  void checkOperations(const Segment &s, const OpCell *ops, const Loc *locs, const double *vals) {
    // All locations and codes first: then most operations need be counted only.
    const std::uint64_t end =
        s.numLocs != 0 ? std::uint64_t{s.base} + highest(locs, s.numLocs) + 1 : 0;
    const bool fine =
        end <= recording_.numLocations && highest(ops + 1, s.numOps) < BriefCounts::kCells;
    if (fine)
      end_ = std::max(end_, end);
    Counts counts;
    for (operation_ = 0; operation_ < s.numOps;) {
      const std::size_t count = std::min<std::size_t>(BriefCounts::kAtOnce, s.numOps - operation_);
      const OpCell *const cells = ops + 1 + operation_;
      if (fine && countOperations(s, cells, count, vals, counts))
        operation_ += count;
      else // some need more, or one is wrong: which and how
        for (std::size_t i = 0; i < count; ++i, ++operation_)
          checkOperation(s, cells[i], locs, vals, counts);
    }
    requireHere(counts.locs == s.numLocs, EVAL_LOC, [] { return "locations are left"; });
    requireHere(counts.vals == s.numVals, EVAL_VAL, [] { return "constants are left"; });
    requireHere(counts.tays == s.numTays, EVAL_OP, [&] {
      return std::to_string(counts.tays) + " of its operations save a value, " +
             std::to_string(s.numTays) + " were expected";
    });
    independents_ += counts.independents;
    dependents_ += counts.dependents;
    switches_ += counts.switches;
  }

  /// Counts operations behind those that were counted, if nothing else is to be asked and all is
  /// fine.
  bool countOperations(const Segment &s, const OpCell *cells, std::size_t count, const double *vals,
                       Counts &counts) const {
    const std::uint64_t sum = brief_.sum(cells, count);
    if (BriefCounts::hasOthers(sum))
      return false;
    Counts behind = counts;
    behind += BriefCounts::counts(sum);
    if (behind.locs > s.numLocs || behind.vals > s.numVals)
      return false;
    if (BriefCounts::indices(sum) != 0) {
      const double *next = vals + counts.vals;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t one = brief_[cells[i]];
        if (BriefCounts::indices(one) != 0 && !isIndex(*next))
          return false;
        next += BriefCounts::vals(one);
      }
    }
    counts = behind;
    return true;
  }

  /// One operation, behind those that were counted.
  template <class Loc>
  void checkOperation(const Segment &s, OpCell cell, const Loc *locs, const double *vals,
                      Counts &counts) {
    const OPCODES op = opcodeOf(cell);
    requireHere(op < kNumOpcodes && operationShapes[op].recorded && !operationShapes[op].mark,
                ErrorType::NO_SUCH_OP,
                [op] { return "operation code " + std::to_string(op) + " is not known"; });
    const OperationShape &shape = operationShapes[op];
    requireHere((cell & ~opCell(op) & ~shape.bits) == 0, EVAL_OP,
                [] { return "bits that an operation of this code does not have"; });
    requireHere(s.numLocs - counts.locs >= shape.numLocs, EVAL_LOC,
                [] { return "the segment has no more locations"; });
    locs += counts.locs;
    for (std::size_t k = 0; k < shape.numLocs; ++k)
      use(std::uint64_t{s.base} + locs[k]);
    const std::size_t left = s.numVals - counts.vals;
    requireHere(left >= shape.numVals, EVAL_VAL,
                [] { return "the segment has no more constants"; });
    vals += counts.vals;
    std::size_t numVals = shape.numVals;
    if (op == take_stock_op)
      numVals = checkStock(vals, left, std::uint64_t{s.base} + locs[0]);
    else if (shape.operands[0].slot == ops::Slot::Param)
      checkIndex(vals[0]);
    else if (op == ldexp_op)
      requireHere(
          isInteger(vals[0], std::numeric_limits<int>::min(), std::numeric_limits<int>::max()),
          EVAL_VAL, [] { return "an exponent of two that is no int"; });
    counts.locs += shape.numLocs;
    counts.vals += numVals;
    counts.tays += (cell & kSaveBit) != 0;
    counts.independents += op == assign_ind;
    counts.dependents += op == assign_dep;
    counts.switches += op == abs_val;
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

  bool isIndex(double number) const {
    const std::size_t count = recording_.paramstore.size();
    return count != 0 && isInteger(number, 0.0, static_cast<double>(count - 1));
  }
  void checkIndex(double index) const {
    requireHere(isIndex(index), ErrorType::VALUE_TAPE_FREAD_FAILED, [this] {
      return "the index of a parameter is none of " + std::to_string(recording_.paramstore.size());
    });
  }

  void checkCounts() const {
    const auto equal = [](const char *what, std::size_t found, std::size_t expected) {
      require(found == expected, ErrorType::INTEGER_TAPE_FREAD_FAILED, [=] {
        return std::string(what) + ": " + std::to_string(found) + " found, " +
               std::to_string(expected) + " expected";
      });
    };
    equal("independents", independents_, recording_.numInds);
    equal("dependents", dependents_, recording_.numDeps);
    equal("switches", switches_, recording_.numSwitches);
    equal("locations in use", end_, recording_.numLocations);
    const auto &finals = recording_.finals;
    for (std::size_t i = 0; i < finals.size(); ++i)
      require(finals[i] < recording_.numLocations && (i == 0 || finals[i - 1] < finals[i]),
              ErrorType::INTEGER_TAPE_FREAD_FAILED, [this, i, &finals] {
                return "final value " + std::to_string(i) + " is that of location " +
                       std::to_string(finals[i]) + ", expected ascending ones below " +
                       std::to_string(recording_.numLocations);
              });
  }

  static constexpr ErrorType EVAL_OP = kStreamErrors[0], EVAL_LOC = kStreamErrors[1],
                             EVAL_VAL = kStreamErrors[2];

  const TapeRecordingContext &recording_;
  const BriefCounts &brief_ = BriefCounts::table();
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
