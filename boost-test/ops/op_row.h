// SPDX-License-Identifier: MIT
// What a test knows about one opcode, whatever its operands: how to compute it in double, how to
// record it, what its partial derivatives are, and the points at which it is interesting.
// The rows themselves stand in op_rows.h.
#pragma once

#include "support/series.h"

#include <adolc/adolc.h>

#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace rows {

inline constexpr double Inf = std::numeric_limits<double>::infinity();
inline constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double Huge = std::numeric_limits<double>::max();
inline constexpr double Tiny = std::numeric_limits<double>::denorm_min();

/// What references are computed with: digits enough for Taylor coefficients from differences
/// (taylor_reference.h), and exponents that do not overflow.
using Wide = test::Number<160>;

template <class... Parts> std::vector<Wide> partials(const Parts &...parts) {
  return {Wide(parts)...};
}

/// The operands of an operation in the order of its rule, without those that are not stored.
struct Point {
  std::vector<double> x;
  Point(double only) : x{only} {}
  Point(std::initializer_list<double> all) : x(all) {}
  explicit Point(std::vector<double> all) : x(std::move(all)) {}
};
std::string text(const Point &point);

/// `interior`: the reference and a difference quotient check the derivative. `near`: only the
/// reference does. `special`: what holds without a reference is checked.
enum class Kind { interior, near, special };
struct Points {
  Kind kind;
  std::vector<Point> points;
};
inline Points interior(std::initializer_list<Point> p) { return {Kind::interior, p}; }
inline Points near(std::initializer_list<Point> p) { return {Kind::near, p}; }
inline Points special(std::initializer_list<Point> p) { return {Kind::special, p}; }

/// Where an operand of a point comes from when the operation is recorded.
enum class Source { active, constant, parameter };

/// Operands that are active variables, in the order of the rule.
using Actives = std::vector<const adouble *>;

struct OpRow {
  OPCODES op;
  const char *name;
  std::vector<Source> sources;
  std::vector<std::size_t> active; ///< indices into the point
  bool comparison;                 ///< the result is a truth value
  std::vector<Points> groups;

  std::function<double(const Point &)> plain;
  std::function<adouble(const Actives &, const Point &)> record;
  std::function<bool(const Actives &, const Point &)> compare; ///< of a comparison
  std::function<std::vector<Wide>(const std::vector<Wide> &)> reference;
  /// Records the operation with its result in the location of `target`.
  std::function<void(const Actives &, const Point &, adouble &target)> recordInto;
  /// The operand whose location the operation always overwrites, or -1.
  int resultOperand;

  std::size_t numActive() const { return active.size(); }
  std::vector<Point> points() const;
  std::vector<Point> points(Kind kind) const;
  /// Whether a recording at `a` can be evaluated at `b`: the constants are the same.
  bool sameConstants(const Point &a, const Point &b) const;
};

/// One row per elemental and comparison of the operation table.
const std::vector<OpRow> &allRows();

// Comparisons as numbers: the operators as they are under ADOLC_ADVANCED_BRANCHING.
#define ROWS_INDICATORS(X)                                                                         \
  X(isEqual, ==)                                                                                   \
  X(isNotEqual, !=)                                                                                \
  X(isLessEqual, <=)                                                                               \
  X(isGreater, >)                                                                                  \
  X(isGreaterEqual, >=)                                                                            \
  X(isLess, <)
#define ROWS_INDICATOR(name, symbol)                                                               \
  adouble name(const adouble &a, const adouble &b);                                                \
  inline double name(double a, double b) { return a symbol b ? 1.0 : 0.0; }
ROWS_INDICATORS(ROWS_INDICATOR)
#undef ROWS_INDICATOR

} // namespace rows
