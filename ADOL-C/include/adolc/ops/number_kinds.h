/// @file ops/number_kinds.h
/// What the coefficients of a rule's differential relation are evaluated with: numbers, or the set
/// of names that a formula mentions. `Uses` has no product of two operands, so a relation that is
/// not affine in its operands and its result does not compile.
#pragma once

namespace ADOLC::ops {

/// A set of operands, one bit each; kResult stands for the result.
using Operands = unsigned;
inline constexpr Operands kResult = 1u << 7;
constexpr Operands operand(int i) { return 1u << i; }

constexpr double one(double) { return 1.0; }
constexpr double zero(double) { return 0.0; }

/// The operands that a formula mentions.
struct Uses {
  Operands bits;
};
constexpr Uses one(Uses) { return {0}; }
constexpr Uses zero(Uses) { return {0}; }
constexpr Uses operator+(Uses a, Uses b) { return {a.bits | b.bits}; }
constexpr Uses operator-(Uses a, Uses b) { return {a.bits | b.bits}; }
constexpr Uses operator+(double, Uses a) { return a; }
constexpr Uses operator*(double, Uses a) { return a; }
constexpr Uses operator-(Uses a) { return a; }

} // namespace ADOLC::ops
