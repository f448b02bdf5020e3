/// @file ops/number_kinds.h
/// What the coefficients of a rule's differential relation are evaluated with: numbers, Taylor
/// coefficients, or the set of names that a formula mentions. Neither of the latter has a product
/// of two operands, so a relation that is not affine in its operands and its result does not
/// compile.
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

/// A Taylor coefficient of order 1 or higher, of one curve or of several (N: a number or a vector
/// of numbers). The coefficients of a constant are 0.
template <class N> struct Later { N c; };
template <class N> constexpr Later<N> one(Later<N>) { return {N{}}; }
template <class N> constexpr Later<N> zero(Later<N>) { return {N{}}; }
template <class N> constexpr Later<N> operator+(Later<N> a, Later<N> b) { return {a.c + b.c}; }
template <class N> constexpr Later<N> operator-(Later<N> a, Later<N> b) { return {a.c - b.c}; }
template <class N> constexpr Later<N> operator*(double f, Later<N> a) { return {f * a.c}; }
template <class N> constexpr Later<N> operator-(Later<N> a) { return {-a.c}; }

} // namespace ADOLC::ops
