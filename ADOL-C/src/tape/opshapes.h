/// @file tape/opshapes.h
/// How an operation stands on the tape, by opcode: for whoever walks over a recording without
/// interpreting it.
#pragma once

#include <adolc/internal/recorder.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ADOLC::detail {

struct OpShape {
  bool onTapes = false;     ///< an operation between the marks of a segment
  std::uint8_t numLocs = 0; ///< the last of which it may write
  std::uint8_t numVals = 0; ///< of take_stock_op: as many as it says
  bool writes = false;
  bool parameter = false; ///< its constant is the index of a parameter
  OpCell bits = 0;        ///< that its cell may have besides the code
};

inline constexpr std::array<OpShape, kNumOpcodes> opShapes = [] {
  std::array<OpShape, kNumOpcodes> table{};
  table[assign_ind] = {true, 1, 0, true, false, kSaveBit};
  table[assign_dep] = {true, 1, 0, false, false, 0};
  table[take_stock_op] = {true, 1, 0, false, false, 0}; // what lives already: it overwrites nothing
  table[death_not] = table[ignore_me] = {true, 0, 0, false, false, 0};
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  table[op] = {true,                                                                               \
               OpTraits<op>::L::numLocs + 1,                                                       \
               OpTraits<op>::L::numVals,                                                           \
               true,                                                                               \
               OpTraits<op>::L::count(ADOLC::ops::Slot::Param) != 0,                               \
               kSaveBit | (ADOLC::ops::hasPiece<OpTraits<op>::Rule> ? kPieceBit : 0)};
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  table[op] = {true,                                                                               \
               ADOLC::ops::layouts::layout::numLocs,                                               \
               ADOLC::ops::layouts::layout::numVals,                                               \
               false,                                                                              \
               false,                                                                              \
               kPieceBit | kUnorderedBit};
#include <adolc/internal/oplist_expand.h>
  return table;
}();

} // namespace ADOLC::detail
