#include "tape/operations.h"

#include <adolc/ops/derive.h>
#include <adolc/valuetape/valuetape.h>

namespace ADOLC::detail {
namespace {

template <class L> constexpr OperationShape shapeOf(bool writes, OpCell bits = 0) {
  static_assert(L::arity <= kMaxOperands);
  OperationShape shape{.recorded = true,
                       .writes = writes,
                       .bits = bits,
                       .numLocs = static_cast<unsigned char>(L::numLocs + (writes ? 1 : 0)),
                       .numVals = static_cast<unsigned char>(L::numVals),
                       .arity = static_cast<unsigned char>(L::arity)};
  for (int i = 0; i < L::arity; ++i)
    shape.operands[static_cast<std::size_t>(i)] = {L::slots[i],
                                                   static_cast<unsigned char>(L::cell(i))};
  return shape;
}

} // namespace

constexpr std::array<OperationShape, kNumOpcodes> operationShapes = [] {
  using namespace ADOLC::ops;
  std::array<OperationShape, kNumOpcodes> table{};
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  table[op] = shapeOf<layouts::layout>(                                                            \
      true, static_cast<OpCell>(kSaveBit | (hasPiece<rule> ? kPieceBit : 0)));
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  table[op] = shapeOf<layouts::layout>(false, kPieceBit | kUnorderedBit);
#define ADOLC_STRUCT(op, text) table[op] = {.recorded = true};
#include <adolc/internal/oplist_expand.h>
  // Not functions of numbers, so without a layout.
  table[assign_ind].numLocs = 1;
  table[assign_ind].writes = true;
  table[assign_ind].bits = kSaveBit;
  table[assign_dep] = shapeOf<layouts::A>(false);
  table[take_stock_op].numLocs = 1; // the first one; what it writes lives already
  for (const OPCODES op : {start_of_tape, end_of_tape, end_of_op})
    table[op].mark = true;
  return table;
}();

OperationReader::OperationReader(const ValueTape &tape, const char *caller, std::size_t first)
    : tape_(tape), recording_(tape.recording()), caller_(caller), first_(first),
      numSegments_(recording_.segments.size() - (tape.streamsOpen() ? 1 : 0)) {}

bool OperationReader::next() {
  do {
    while (present_ != nullptr && op_ < present_->numOps + std::size_t{2}) {
      if (isMark()) {
        ++op_;
        continue;
      }
      decode();
      if (operation_.number >= first_)
        return true;
    }
  } while (enterSegment());
  return false;
}

bool OperationReader::enterSegment() {
  streams_.reset();
  if (present_ != nullptr)
    numBefore_ += present_->numOps;
  present_ = nullptr;
  while (segment_ < numSegments_) {
    const Segment &segment = recording_.segments[segment_++];
    // The number behind the last segment's operations is that of end_of_tape.
    if (first_ > numBefore_ + segment.numOps && segment_ < numSegments_) {
      numBefore_ += segment.numOps;
      continue;
    }
    streams_.emplace(recording_, segment);
    present_ = &segment;
    op_ = loc_ = val_ = 0;
    return true;
  }
  return false;
}

/// Whether the next cell is a mark between two segments.
bool OperationReader::isMark() const {
  return (op_ == 0 || op_ > present_->numOps) && opcodeOf(streams_->ops.data()[op_]) == end_of_op;
}

void OperationReader::decode() {
  const OpCell cell = streams_->ops.data()[op_];
  const OPCODES opcode = opcodeOf(cell);
  if (opcode >= kNumOpcodes || !operationShapes[opcode].recorded)
    ADOLCError::fail(ADOLCError::ErrorType::NO_SUCH_OP, {__FILE__, caller_, __LINE__},
                     {.info1 = tape_.tapeId(), .info7 = static_cast<unsigned char>(opcode)});
  operation_.number = numBefore_ + op_++;
  operation_.cell = cell;

  const OperationShape &shape = operationShapes[opcode];
  ADOLC_ASSERT(loc_ + shape.numLocs <= present_->numLocs);
  const NarrowLoc *const narrow = streams_->locs.data();
  for (std::size_t i = 0; i < shape.numLocs; ++i, ++loc_)
    locs_[i] = present_->base +
               (present_->wide ? reinterpret_cast<const WideLoc *>(narrow)[loc_] : narrow[loc_]);
  operation_.locs = std::span(locs_).first(shape.numLocs);

  const double *const vals = streams_->vals.data() + val_;
  std::size_t numVals = shape.numVals;
  if (opcode == take_stock_op) {
    const auto count = static_cast<std::size_t>(vals[0]);
    operation_.vals = {vals + 1, count};
    numVals = count + 2;
  } else {
    operation_.vals = {vals, numVals};
  }
  val_ += numVals;
  ADOLC_ASSERT(val_ <= present_->numVals);
}

} // namespace ADOLC::detail
