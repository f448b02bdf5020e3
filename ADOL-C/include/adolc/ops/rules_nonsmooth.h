/// @file ops/rules_nonsmooth.h
/// Rules with pieces. Within a piece the partials are constants; a partial of exactly 0 means that
/// the operand does not take part, so nothing (not even a NaN) flows from it or to it.
///
/// `piece(x…)` numbers the piece that is active, the recording keeps it, and a sweep that meets
/// another one returns 2. Where there are many pieces, `step(x…, v)` is the recorded number
/// instead. `tie(x…)` tells that the point lies on a kink; there a forward sweep takes the
/// one-sided derivative, which for these positively homogeneous functions is the function of the
/// tangents (unless `oneSided(tangents…, x…)` says otherwise), and a reverse sweep the symmetric
/// weights that `partials` returns.
#pragma once

#include <adolc/ops/rules_elementary.h>

#include <array>
#include <cmath>

namespace ADOLC::ops {

struct Kinked {
  static constexpr bool nonSmooth = true;
};

struct Abs : Kinked {
  static constexpr int arity = 1;
  static double value(double x) { return std::fabs(x); }
  static bool tie(double x) { return x == 0.0; }
  static constexpr bool tieCountsWithoutTangents = false;
  static bool piece(double x) { return !(x < 0.0); }
  static constexpr std::array<Operands, 1> reads = {operand(0)};
  static std::array<double, 1> partials(double x, double) {
    return {x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x == 0.0 ? 0.0 : kNaN};
  }
};
/// A NaN operand loses, as in std::fmin and std::fmax. Of equal operands the value is the first
/// one: the library functions may return either of 0 and -0, now this one and then that one.
template <bool Maximum> struct Extremum : Kinked {
  static constexpr int arity = 2;
  static double value(double x, double y) { return piece(x, y) ? x : y; }
  static bool tie(double x, double y) { return x == y; }
  static constexpr bool tieCountsWithoutTangents = true;
  static bool piece(double x, double y) { return y != y || (Maximum ? x >= y : x <= y); }
  static constexpr std::array<Operands, 2> reads = {operand(0) | operand(1),
                                                    operand(0) | operand(1)};
  static std::array<double, 2> partials(double x, double y, double) {
    if (tie(x, y))
      return {0.5, 0.5};
    const bool first = piece(x, y);
    return {first ? 1.0 : 0.0, first ? 0.0 : 1.0};
  }
};
using Min = Extremum<false>;
using Max = Extremum<true>;

/// Selection by the sign of the condition; the condition itself has no derivative.
template <bool AtZero> struct Conditional : Kinked {
  static constexpr int arity = 3;
  static bool piece(double c, double, double) { return AtZero ? c >= 0.0 : c > 0.0; }
  /// On the boundary of the strict form a sweep returns 0: the value jumps there.
  static bool boundary(double c, double, double) { return !AtZero && c == 0.0; }
  static double value(double c, double x, double y) { return piece(c, x, y) ? x : y; }
  static constexpr std::array<Operands, 3> reads = {0, operand(0), operand(0)};
  static std::array<double, 3> partials(double c, double x, double y, double) {
    const bool first = piece(c, x, y);
    return {0.0, first ? 1.0 : 0.0, first ? 0.0 : 1.0};
  }
};
using CondAssign = Conditional<false>;
using CondEqAssign = Conditional<true>;

/// Piecewise constant: derivative 0, also where it jumps.
struct Step : Kinked {
  static constexpr int arity = 1;
  static constexpr std::array<Operands, 1> reads = {0};
  static std::array<double, 1> partials(double, double) { return {0.0}; }
};
struct Ceil : Step {
  static double value(double x) { return std::ceil(x); }
};
struct Floor : Step {
  static double value(double x) { return std::floor(x); }
};
struct Trunc : Step {
  static double value(double x) { return std::trunc(x); }
};
struct Round : Step {
  static double value(double x) { return std::round(x); }
};
struct Rint : Step {
  static double value(double x) { return std::rint(x); }
};

struct Copysign : Kinked { // dv = ±dx
  static constexpr int arity = 2;
  static double value(double x, double y) { return std::copysign(x, y); }
  static bool tie(double x, double) { return x == 0.0; }
  static constexpr bool tieCountsWithoutTangents = false;
  static double oneSided(double dx, double, double, double y) { return std::copysign(dx, y); }
  static bool piece(double x, double y) { return std::signbit(x) == std::signbit(y); }
  static constexpr std::array<Operands, 2> reads = {operand(0) | operand(1), 0};
  static std::array<double, 2> partials(double x, double y, double) {
    return {x == 0.0 ? 0.0 : piece(x, y) ? 1.0 : -1.0, 0.0};
  }
};
struct Fdim : Kinked { // x > y: dv = dx - dy, x < y: 0
  static constexpr int arity = 2;
  static double value(double x, double y) { return std::fdim(x, y); }
  static bool tie(double x, double y) { return x == y; }
  static constexpr bool tieCountsWithoutTangents = false;
  static bool piece(double x, double y) { return x > y; }
  static constexpr std::array<Operands, 2> reads = {operand(0) | operand(1),
                                                    operand(0) | operand(1)};
  static std::array<double, 2> partials(double x, double y, double) {
    if (x != x || y != y)
      return {kNaN, kNaN};
    const double weight = tie(x, y) ? 0.5 : piece(x, y) ? 1.0 : 0.0;
    return {weight, -weight};
  }
};
/// The fractional part, which has the sign of x also where it is 0.
struct Fraction : Unary { // dv = dx
  static constexpr bool nonSmooth = true;
  static double value(double x) {
    double integral;
    return std::modf(x, &integral);
  }
  template <class R> static constexpr std::array<R, 1> num(R x, R) { return {one(x)}; }
};
/// v = x - q y with the integer q frozen: dv = dx - q dy.
template <class Derived> struct Modulus : Kinked {
  static constexpr int arity = 2;
  static constexpr std::array<Operands, 2> reads = {operand(0) | operand(1),
                                                    operand(0) | operand(1)};
  static double step(double x, double y, double v) {
    return std::rint(x / y - v / y); // x - v may overflow
  }
  static std::array<double, 2> partials(double x, double y, double) {
    const double v = Derived::value(x, y);
    if (v != v)
      return {kNaN, kNaN};
    return {1.0, -step(x, y, v)};
  }
};
struct Fmod : Modulus<Fmod> {
  static double value(double x, double y) { return std::fmod(x, y); }
};
struct Remainder : Modulus<Remainder> {
  static double value(double x, double y) { return std::remainder(x, y); }
};

// ── relations: recorded comparisons, and their 0/1 indicator ────────────────────────────────────
struct Equal {
  static bool holds(double x, double y) { return x == y; }
};
struct NotEqual {
  static bool holds(double x, double y) { return x != y; }
};
struct Less {
  static bool holds(double x, double y) { return x < y; }
};
struct LessEqual {
  static bool holds(double x, double y) { return x <= y; }
};
struct Greater {
  static bool holds(double x, double y) { return x > y; }
};
struct GreaterEqual {
  static bool holds(double x, double y) { return x >= y; }
};

template <class Relation> struct Indicator : Kinked {
  static constexpr int arity = 2;
  static double value(double x, double y) { return Relation::holds(x, y) ? 1.0 : 0.0; }
  static bool piece(double x, double y) { return Relation::holds(x, y); }
  static constexpr std::array<Operands, 2> reads = {0, 0};
  static std::array<double, 2> partials(double, double, double) { return {0.0, 0.0}; }
};

} // namespace ADOLC::ops
