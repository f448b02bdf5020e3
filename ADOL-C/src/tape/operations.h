/// @file tape/operations.h
/// Recordings for everything that is not an interpreter: what an operation of each code consists
/// of, and a reader that yields one operation after the other.
#pragma once

#include <adolc/oplate.h>
#include <adolc/ops/layout.h>
#include <adolc/valuetape/taperecordingcontext.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

class ValueTape;

namespace ADOLC::detail {

/// No rule of the table has more operands.
inline constexpr std::size_t kMaxOperands = 4;

/// Where an operand of a rule comes from; `cell` counts in the stream that the slot belongs to.
struct OperandSource {
  ops::Slot slot = ops::Slot::Zero;
  unsigned char cell = 0;
};

/// What an operation of one code consists of, from the operation table.
struct OperationShape {
  bool recorded = false; ///< false: the code is reserved
  bool mark = false;     ///< stands before or behind the operations of a segment
  bool writes = false;   ///< the last of its locations is the result's
  OpCell bits = 0;       ///< that its cell may have besides the code
  unsigned char numLocs = 0;
  unsigned char numVals = 0; ///< take_stock_op: has any number
  unsigned char arity = 0;
  std::array<OperandSource, kMaxOperands> operands{};
};
extern const std::array<OperationShape, kNumOpcodes> operationShapes;

/// One operation of a recording. The spans are those of the reader and last until it goes on.
struct Operation {
  std::size_t number = 0; ///< running number; start_of_tape is 0
  OpCell cell = 0;
  std::span<const LocCell> locs; ///< of operands in the order of the rule, then of the result
  std::span<const double> vals;  ///< constants; of take_stock_op: the values, without the counts

  OPCODES opcode() const { return opcodeOf(cell); }
  bool saves() const { return (cell & kSaveBit) != 0; }
  bool piece() const { return (cell & kPieceBit) != 0; }
  bool unordered() const { return (cell & kUnorderedBit) != 0; }
  const OperationShape &shape() const { return operationShapes[opcode()]; }
  std::span<const OperandSource> operands() const {
    return std::span(shape().operands).first(shape().arity);
  }
  /// Whether an operand has a location, and which.
  bool located(OperandSource operand) const {
    return operand.slot == ops::Slot::Active || operand.slot == ops::Slot::Result;
  }
  LocCell location(OperandSource operand) const {
    return operand.slot == ops::Slot::Result ? locs.back() : locs[operand.cell];
  }
  /// The locations that it writes are consecutive: the first one, and how many.
  LocCell firstWritten() const { return locs.back(); }
  std::size_t numWritten() const {
    return opcode() == take_stock_op ? vals.size() : shape().writes ? 1 : 0;
  }
};

/// Reads the operations of a recording in their order, start_of_tape and end_of_tape included; the
/// marks between segments are no operations. Of a tape that is being recorded it reads the segments
/// that are complete. The caller has access to the tape as long as the reader lives; the blocks of
/// the present segment are pinned.
class OperationReader {
public:
  /// Begins at the operation with number `first`, without reading the segments before. `caller` is
  /// for messages.
  OperationReader(const ValueTape &tape, const char *caller, std::size_t first = 0);
  OperationReader(const OperationReader &) = delete;
  OperationReader &operator=(const OperationReader &) = delete;

  /// Goes on to the next operation; false at the end. Throws NO_SUCH_OP for a code that the table
  /// does not have.
  bool next();
  const Operation &operation() const { return operation_; }

private:
  /// An area of a stream, pinned for the time of a scope.
  template <class T> class Pinned {
  public:
    Pinned(const BlockChain<T> &chain, StreamPosition at)
        : chain_(chain), at_(at), data_(chain.pin(at)) {}
    ~Pinned() { chain_.unpin(at_); }
    Pinned(const Pinned &) = delete;
    Pinned &operator=(const Pinned &) = delete;
    const T *data() const { return data_; }

  private:
    const BlockChain<T> &chain_;
    StreamPosition at_;
    const T *data_;
  };
  struct Streams {
    Streams(const TapeRecordingContext &recording, const Segment &segment)
        : ops(recording.ops, segment.op), locs(recording.locs, segment.loc),
          vals(recording.vals, segment.val) {}
    Pinned<OpCell> ops;
    Pinned<NarrowLoc> locs;
    Pinned<double> vals;
  };

  bool enterSegment();
  bool isMark() const;
  void decode();

  const ValueTape &tape_;
  const TapeRecordingContext &recording_;
  const char *caller_;
  std::size_t first_;
  std::size_t numSegments_;   // that are complete
  std::size_t segment_ = 0;   // the one after the present one
  std::size_t numBefore_ = 0; // operations before the present segment
  const Segment *present_ = nullptr;
  std::optional<Streams> streams_;
  std::size_t op_ = 0, loc_ = 0, val_ = 0; // next cells of the present segment
  std::array<LocCell, ops::kMaxLocsPerOp> locs_{};
  Operation operation_;
};

} // namespace ADOLC::detail
