// SPDX-License-Identifier: MIT
#include "recording.h"

#include <algorithm>
#include <cmath>

namespace rows {

std::vector<double> independents(const OpRow &row, const Point &at) {
  std::vector<double> x;
  for (const std::size_t i : row.active)
    x.push_back(at.x[i]);
  if (x.empty())
    x.push_back(1.5);
  return x;
}

sweeps::Shape shapeOf(const OpRow &row) {
  return {kTag, 1, static_cast<int>(std::max<std::size_t>(1, row.numActive()))};
}

double recordRow(const OpRow &row, const Point &at, int keep) {
  double value = 0.0;
  const std::vector<double> x0 = independents(row, at);
  trace_on(kTag, keep);
  {
    std::vector<adouble> x(x0.size());
    Actives actives;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] <<= x0[i];
      actives.push_back(&x[i]);
    }
    if (row.comparison) {
      adouble y = row.compare(actives, at) ? x[0] : -x[0];
      y >>= value;
    } else {
      adouble y = row.record(actives, at);
      y >>= value;
    }
  }
  trace_off();
  return value;
}

namespace {

/// The number of the piece that a point lies in; 0 for functions of one piece.
int pieceOf(const OpRow &row, const Point &at) {
  const double x = at.x.empty() ? 0.0 : at.x[0], y = at.x.size() > 1 ? at.x[1] : 0.0;
  switch (row.op) {
  case abs_val:
    return x < 0.0;
  case min_op:
  case min_op_d:
    return !(x <= y || y != y);
  case max_op:
  case max_op_d:
    return !(x >= y || y != y);
  case cond_assign:
  case cond_assign_s:
    return x > 0.0;
  case cond_eq_assign:
  case cond_eq_assign_s:
    return x >= 0.0;
  case copysign_op:
    return std::signbit(x) == std::signbit(y);
  case fdim_op:
    return x > y;
  case eq_a_a:
    return x == y;
  case neq_a_a:
    return x != y;
  case le_a_a:
    return x <= y;
  case gt_a_a:
    return x > y;
  case ge_a_a:
    return x >= y;
  case lt_a_a:
    return x < y;
  default:
    return 0;
  }
}

/// The quotient that a modulus freezes; NaN where it has none.
double quotientOf(const OpRow &row, const Point &at) {
  const double v = row.plain(at);
  if (v != v || std::isinf(at.x[1]))
    return v != v ? NaN : 0.0;
  return ((Wide(at.x[0]) - Wide(v)) / Wide(at.x[1])).convert_to<double>();
}

bool isModulus(const OpRow &row) { return row.op == fmod_op || row.op == remainder_op; }
bool isStep(const OpRow &row) {
  return row.op == ceil_op || row.op == floor_op || row.op == trunc_op || row.op == round_op ||
         row.op == rint_op;
}
bool isIndicator(const OpRow &row) {
  return row.op == eq_a_a || row.op == neq_a_a || row.op == le_a_a || row.op == gt_a_a ||
         row.op == ge_a_a || row.op == lt_a_a;
}
bool isStrictCondition(const OpRow &row) {
  return row.op == cond_assign || row.op == cond_assign_s;
}

/// Whether the opposite of a comparison with 0 holds.
bool oppositeHolds(const OpRow &row, const Point &at) {
  const bool ordered = at.x[0] == at.x[0];
  return row.plain(at) == 0.0 && (ordered || row.op == eq_zero);
}

} // namespace

bool recordsItself(const OpRow &row, const Point &at) {
  return !row.comparison || row.sources.size() > 1 || !oppositeHolds(row, at);
}

bool isTie(const OpRow &row, const Point &at) {
  switch (row.op) {
  case abs_val:
    return at.x[0] == 0.0;
  case min_op:
  case min_op_d:
  case max_op:
  case max_op_d:
  case fdim_op:
    return at.x[0] == at.x[1];
  case copysign_op:
    return at.x[0] == 0.0;
  default:
    return false;
  }
}

int expectedForwardCode(const OpRow &row, const Point &taped, const Point &at, bool moves) {
  // A comparison must have the outcome again that it had, also with NaN.
  if (row.comparison) {
    const double other = row.sources.size() > 1 ? at.x[1] : 0.0;
    return row.plain(taped) != row.plain(at) ? -1 : at.x[0] == other ? 0 : 3;
  }
  if (row.op == gen_quad)
    return taped.x[0] == at.x[0] ? 3 : -2;
  if (isStrictCondition(row) && at.x[0] == 0.0)
    return 0;
  const bool tieCountsAtRest = row.op != abs_val && row.op != copysign_op && row.op != fdim_op;
  if (isTie(row, at) && (tieCountsAtRest || moves))
    return 1;
  if (isStep(row))
    return sweeps::same(row.plain(taped), row.plain(at)) || row.plain(taped) == row.plain(at) ? 3
                                                                                              : 2;
  if (isModulus(row)) {
    const double recorded = quotientOf(row, taped), now = quotientOf(row, at);
    return recorded == now || (recorded != recorded && now != now) ? 3 : 2;
  }
  return pieceOf(row, taped) != pieceOf(row, at) ? 2 : 3;
}

int expectedReverseCode(const OpRow &row, const Point &taped, const Point &at, bool moves) {
  if (row.comparison)
    return expectedForwardCode(row, taped, at, moves);
  // What a reverse sweep does not need it does not look at.
  if (!moves || isStep(row) || isModulus(row) || isIndicator(row))
    return 3;
  return expectedForwardCode(row, taped, at, true);
}

double ulps(double number, const Wide &exact) {
  if (number != number)
    return Inf;
  const double nearest = exact.convert_to<double>();
  if (std::isinf(nearest) || std::isinf(number))
    return nearest == number ? 0.0 : Inf;
  const double size = std::fabs(nearest);
  const double unit =
      size < std::numeric_limits<double>::min() ? Tiny : std::ldexp(1.0, std::ilogb(size) - 52);
  const Wide distance = abs(Wide(number) - exact) / Wide(unit);
  return distance.convert_to<double>();
}

std::string describe(const OpRow &row, const Point &taped, const Point &at) {
  return std::string(row.name) + " recorded at " + text(taped) + ", at " + text(at) + ": ";
}

} // namespace rows
