/// @file oplate.h
/// Operation codes, in the numbering of ops/oplist.def, and the cell that stores one.
#pragma once

#include <adolc/internal/common.h>

enum OPCODES : unsigned short {
#define ADOLC_FN(op, name, rule, layout, depend, text) op,
#define ADOLC_OP(op, rule, layout, depend, text) op,
#define ADOLC_BRANCH(op, relation, layout, text) op,
#define ADOLC_STRUCT(op, text) op,
#define ADOLC_RESERVED(op) op,
#include <adolc/internal/oplist_expand.h>
};

namespace ADOLC::detail {

/// A cell of the operation stream: the opcode above three bits. Bit 0 tells that the operation
/// overwrites a value that a reverse sweep needs (to-be-recorded analysis), bit 1 that a comparison
/// was recorded as its opposite, which holds with NaN as little as the comparison itself, bit 2 is
/// the piece or the outcome at recording. A cell is the index of the code that interprets it. 16
/// bits, not a character type: a store through a character type may alias everything and makes the
/// compiler reload every cursor after each operation.
using OpCell = std::uint16_t;
inline constexpr OpCell kSaveBit = 1u << 0;
inline constexpr OpCell kUnorderedBit = 1u << 1;
inline constexpr OpCell kPieceBit = 1u << 2;
inline constexpr int kOpShift = 3;

constexpr OpCell opCell(OPCODES op, unsigned save = 0, bool piece = false) {
  return static_cast<OpCell>((static_cast<unsigned>(op) << kOpShift) | save |
                             (piece ? kPieceBit : 0u));
}
constexpr OPCODES opcodeOf(OpCell cell) { return static_cast<OPCODES>(cell >> kOpShift); }

/// One more than the largest opcode.
inline constexpr std::size_t kNumOpcodes = 0
#define ADOLC_FN(op, name, rule, layout, depend, text) +1
#define ADOLC_OP(op, rule, layout, depend, text) +1
#define ADOLC_BRANCH(op, relation, layout, text) +1
#define ADOLC_STRUCT(op, text) +1
#define ADOLC_RESERVED(op) +1
#include <adolc/internal/oplist_expand.h>
    ;
static_assert(kNumOpcodes <= (0xffffu >> kOpShift) + 1);

/// A cell of the location stream: 2³² locations.
using LocCell = std::uint32_t;

} // namespace ADOLC::detail
