// SPDX-License-Identifier: MIT
#include "taylor_reference.h"

#include "op_rows.h"
#include "support/series.h"

#include <algorithm>
#include <cmath>

namespace rows {

Series seriesOf(const std::function<Wide(const Wide &t)> &f, std::size_t degree) {
  constexpr int points = 17;
  const Wide step = ldexp(Wide(1), -36);
  std::vector<Wide> values;
  for (int j = 1; j <= points; ++j)
    values.push_back(f(step * j));
  Series c = test::seriesOf(std::move(values), step);
  c.resize(degree + 1);
  return c;
}

Series product(const Series &a, const Series &b) {
  Series c(std::min(a.size(), b.size()), Wide(0));
  for (std::size_t k = 0; k < c.size(); ++k)
    for (std::size_t j = 0; j <= k; ++j)
      c[k] += a[j] * b[k - j];
  return c;
}

std::vector<Wide> at(const Curve &curve, const Wide &t) {
  std::vector<Wide> x;
  for (const auto &coefficients : curve) {
    Wide sum = 0;
    for (std::size_t k = coefficients.size(); k-- > 0;)
      sum = sum * t + coefficients[k];
    x.push_back(sum);
  }
  return x;
}

namespace {

bool keepsQuotient(OPCODES op) {
  return op == fmod_op || op == remainder_op || op == frac_op || op == ceil_op || op == floor_op ||
         op == trunc_op || op == round_op || op == rint_op;
}
bool keepsCondition(OPCODES op) {
  return op == cond_assign || op == cond_assign_s || op == cond_eq_assign || op == cond_eq_assign_s;
}
/// What stays as it is at the point, whatever the coefficients say.
Curve effective(const OpRow &row, Curve curve) {
  if (keepsCondition(row.op))
    curve[0].resize(1);
  if (row.op == gen_quad)
    curve[0].resize(1), curve[3].resize(1);
  return curve;
}

using Function = std::function<Wide(const std::vector<Wide> &)>;
template <OPCODES Op> Function functionOf() {
  using L = typename ADOLC::detail::OpTraits<Op>::L;
  if constexpr (numActive<L>() == 0 || Op == gen_quad)
    return {};
  else if constexpr (Op == erf_op)
    return [](const std::vector<Wide> &x) { return test::errorFunction(x[0]); };
  else if constexpr (Op == erfc_op)
    return [](const std::vector<Wide> &x) { return Wide(1 - test::errorFunction(x[0])); };
  else
    return [](const std::vector<Wide> &x) { return Wide(callPlain<L>(RowOf<Op>::f, x)); };
}

const Function &functionOf(OPCODES op) {
  static const std::vector<std::pair<OPCODES, Function>> table{
#define ADOLC_OP(op, rule, layout, depend, text) {op, functionOf<op>()},
#include <adolc/internal/oplist_expand.h>
  };
  static const Function none;
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto &entry) { return entry.first == op; });
  return found == table.end() ? none : found->second;
}

double distanceToSingularity(const OpRow &row, const Point &p, std::size_t operand) {
  const double x = p.x[0], y = p.x.size() > 1 ? p.x[1] : 0.0, own = p.x[operand];
  switch (row.op) {
  case exp_op:
  case exp2_op:
  case expm1_op:
  case sinh_op:
  case cosh_op:
    return std::fabs(x) > 700.0 ? 1e-3 : 2.0; // no overflow
  case sin_op:
  case cos_op:
  case tanh_op:
    return 1.5;
  case tan_op:
    return std::fabs(std::cos(x));
  case log1p_op:
    return std::fabs(1.0 + x);
  case asin_op:
  case acos_op:
  case atanh_op:
    return std::min(1.0 - x, 1.0 + x);
  case acosh_op:
    return x - 1.0;
  case atan_op:
  case asinh_op:
    return std::hypot(1.0, x);
  case erf_op:
  case erfc_op:
    return 1.0 / (1.0 + std::fabs(x));
  case pow_a_a:
  case pow_d_a:
    return operand == 0 ? std::fabs(x) : 2.0 / (1.0 + std::fabs(std::log(x)));
  case atan2_op:
  case hypot_op:
    return std::hypot(x / 2.0, y / 2.0);
  case hypot3_op:
    return std::hypot(x / 2.0, y / 2.0, p.x[2] / 2.0);
  case min_op:
  case max_op:
  case min_op_d:
  case max_op_d:
  case fdim_op:
    return std::fabs(x - y) / 2.0;
  default:
    return own == 0.0 ? 2.0 : std::fabs(own);
  }
}

} // namespace

double reach(const OpRow &row, const Point &p, std::size_t operand) {
  const double s = distanceToSingularity(row, p, operand) / 2.0;
  return s > 1e-302 ? s : 0.0;
}

bool hasValueSeries(const OpRow &row, const Point &p) {
  // Of erf(x) near 1 nothing is left with 160 digits.
  const bool flat = (row.op == erf_op || row.op == erfc_op) && std::fabs(p.x[0]) > 6.0;
  return functionOf(row.op) && !keepsQuotient(row.op) && !flat;
}

Series valueSeries(const OpRow &row, const Curve &curve, std::size_t degree) {
  const Function &f = functionOf(row.op);
  const Curve used = effective(row, curve);
  return seriesOf([&](const Wide &t) { return f(at(used, t)); }, degree);
}

std::vector<Series> partialSeries(const OpRow &row, const Curve &curve, std::size_t degree) {
  const std::size_t n = curve.size();
  std::vector<Series> all;
  if (keepsQuotient(row.op)) {
    for (const Wide &p : row.reference(at(curve, Wide(0)))) {
      all.emplace_back(degree + 1, Wide(0));
      all.back()[0] = p;
    }
    return all;
  }
  // All partials of a point at once: they share the curve, and are what takes the time.
  const Curve used = effective(row, curve);
  std::vector<std::vector<Wide>> points;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back(seriesOf(
        [&, next = std::size_t{0}](const Wide &t) mutable {
          if (i == 0)
            points.push_back(row.reference(at(used, t)));
          return points[next++][i];
        },
        degree));
  return all;
}

Series integrated(const std::vector<Series> &partials, const Curve &curve, std::size_t degree) {
  Series y(degree + 1, Wide(0));
  for (std::size_t i = 0; i < curve.size(); ++i)
    for (std::size_t k = 1; k <= degree; ++k)
      for (std::size_t j = 1; j <= k && j < curve[i].size(); ++j)
        y[k] += partials[i][k - j] * Wide(curve[i][j]) * static_cast<int>(j) / static_cast<int>(k);
  return y;
}

} // namespace rows
