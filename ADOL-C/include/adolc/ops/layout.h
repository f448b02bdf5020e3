/// @file ops/layout.h
/// Where the operands of an operation come from and in which order its cells stand on the tape.
///
/// An operation writes, in this order: one cell in the operation stream; the locations of its
/// active operands in the order of the rule, then the location of its result, in the location
/// stream; its constants and the indices of its parameters in the order of the rule in the value
/// stream.
#pragma once

#include <cstddef>

namespace ADOLC::ops {

enum class Slot {
  Active,   ///< an active location of its own
  Result,   ///< the result's location, read before it is overwritten (x += …)
  Constant, ///< a constant in the value stream
  Param,    ///< a parameter, by index
  Zero,     ///< the number 0, not stored
  One,      ///< the number 1, not stored
};

/// `slots` are the operands of the rule; `recordsStep` adds the step of the recording (the result
/// of a step function, the quotient of a modulus) to the value stream, so that a replay can tell
/// that it takes another one.
template <bool RecordsStep, Slot... Slots> struct Layout {
  static constexpr int arity = sizeof...(Slots);
  static constexpr Slot slots[arity] = {Slots...};
  static constexpr bool recordsStep = RecordsStep;

  static constexpr bool active(int operand) {
    return slots[operand] == Slot::Active || slots[operand] == Slot::Result;
  }
  static constexpr int count(Slot slot) { return (0 + ... + (Slots == slot ? 1 : 0)); }

  /// Cells of operands in the location stream (without the result).
  static constexpr int numLocs = count(Slot::Active);
  /// Cells in the value stream.
  static constexpr int numVals = count(Slot::Constant) + count(Slot::Param) + (RecordsStep ? 1 : 0);

  /// Position of an operand among the cells of its stream (meaningless for Result, Zero, One).
  static constexpr int cell(int operand) {
    int position = 0;
    for (int i = 0; i < operand; ++i)
      position += stream(slots[i]) == stream(slots[operand]);
    return position;
  }

private:
  static constexpr int stream(Slot s) {
    return s == Slot::Active ? 1 : s == Slot::Constant || s == Slot::Param ? 2 : 0;
  }
};

/// The layouts that the operation table names: A active, R result, D constant, P parameter,
/// S records its step.
namespace layouts {
using A = Layout<false, Slot::Active>;
using D = Layout<false, Slot::Constant>;
using P = Layout<false, Slot::Param>;
using ZERO = Layout<false, Slot::Zero>;
using ONE = Layout<false, Slot::One>;
using AS = Layout<true, Slot::Active>;
using AA = Layout<false, Slot::Active, Slot::Active>;
using AAS = Layout<true, Slot::Active, Slot::Active>;
using AD = Layout<false, Slot::Active, Slot::Constant>;
using DA = Layout<false, Slot::Constant, Slot::Active>;
using RA = Layout<false, Slot::Result, Slot::Active>;
using RD = Layout<false, Slot::Result, Slot::Constant>;
using RONE = Layout<false, Slot::Result, Slot::One>;
using AZERO = Layout<false, Slot::Active, Slot::Zero>;
using AAA = Layout<false, Slot::Active, Slot::Active, Slot::Active>;
using AAR = Layout<false, Slot::Active, Slot::Active, Slot::Result>;
using ADR = Layout<false, Slot::Active, Slot::Constant, Slot::Result>;
using AADD = Layout<false, Slot::Active, Slot::Active, Slot::Constant, Slot::Constant>;
} // namespace layouts

/// No operation of the table has more cells than this per stream.
inline constexpr std::size_t kMaxLocsPerOp = 4;
inline constexpr std::size_t kMaxValsPerOp = 2;

} // namespace ADOLC::ops
