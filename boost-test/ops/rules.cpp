// SPDX-License-Identifier: MIT
// What follows from a rule: the derived partials against those that override them, and what the
// to-be-recorded analysis keeps.
#include "recording.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string_view>

using namespace rows;
using namespace ADOLC::ops;
using sweeps::Checks;

namespace {

template <OPCODES Op> constexpr Operands needsOf() {
  using Traits = ADOLC::detail::OpTraits<Op>;
  return needs<typename Traits::Rule, typename Traits::L>();
}
constexpr Operands x = operand(0), y = operand(1), z = operand(2), v = kResult;

// Linear operations need nothing, whatever is overwritten.
static_assert(needsOf<assign_a>() == 0 && needsOf<assign_d>() == 0 && needsOf<assign_p>() == 0);
static_assert(needsOf<plus_a_a>() == 0 && needsOf<min_a_a>() == 0 && needsOf<neg_sign_a>() == 0);
static_assert(needsOf<eq_plus_a>() == 0 && needsOf<eq_min_d>() == 0 && needsOf<incr_a>() == 0);
// Constants stand on the tape.
static_assert(needsOf<mult_d_a>() == 0 && needsOf<eq_mult_d>() == 0 && needsOf<div_a_d>() == 0);
static_assert(needsOf<eq_plus_prod_d>() == 0);
static_assert(needsOf<ldexp_op>() == 0 && needsOf<eq_div_d>() == 0);
// Products need their factors, quotients divisor and result, also where the result replaces one.
static_assert(needsOf<mult_a_a>() == (x | y) && needsOf<eq_mult_a>() == (x | y));
static_assert(needsOf<eq_plus_prod>() == (x | y) && needsOf<eq_min_prod>() == (x | y));
static_assert(needsOf<fma_op>() == (x | y));
static_assert(needsOf<div_a_a>() == (y | v) && needsOf<eq_div_a>() == (y | v));
static_assert(needsOf<div_d_a>() == (y | v));
// Functions need their argument or their result, not both where one is enough.
static_assert(needsOf<exp_op>() == v && needsOf<sqrt_op>() == v);
static_assert(needsOf<tan_op>() == v);
static_assert(needsOf<cbrt_op>() == (x | v)); // for the sake of accuracy
static_assert(needsOf<sin_op>() == x && needsOf<log_op>() == x && needsOf<erf_op>() == x);
static_assert(needsOf<tanh_op>() == x && needsOf<expm1_op>() == x && needsOf<atanh_op>() == x);
static_assert(needsOf<atan2_op>() == (x | y) && needsOf<hypot_op>() == (x | y | v));
static_assert(needsOf<pow_op>() == (x | v) && needsOf<pow_a_a>() == (x | y | v));
static_assert(needsOf<pow_d_a>() == v);
// Kinks need what tells the piece; selections their condition, not what is selected.
static_assert(needsOf<abs_val>() == x && needsOf<min_op>() == (x | y) && needsOf<max_op_d>() == x);
static_assert(needsOf<cond_assign>() == x && needsOf<cond_eq_assign_s>() == x);
static_assert(needsOf<ceil_op>() == 0 && needsOf<rint_op>() == 0 && needsOf<eq_a_a>() == 0);
static_assert(needsOf<frac_op>() == 0);
static_assert(needsOf<fmod_op>() == (x | y) && needsOf<copysign_op>() == (x | y));
static_assert(needsOf<hypot3_op>() == (x | y | z | v));
static_assert(needsOf<gen_quad>() == y);

/// A smooth rule of one operand that states partials besides its relation.
struct Override {
  std::string_view name;
  std::array<double, 1> (*partials)(double x, double v);
  std::array<double, 1> (*derived)(double x, double v);
};
template <OPCODES Op> void addOverride(std::vector<Override> &all, std::string_view name) {
  using Rule = typename ADOLC::detail::OpTraits<Op>::Rule;
  if constexpr (
      requires { Rule::reads; } && !requires { Rule::nonSmooth; } && Rule::arity == 1)
    all.push_back({name, [](double a, double b) { return partials<Rule>(std::array{a}, b); },
                   [](double a, double b) { return relationPartials<Rule>(std::array{a}, b); }});
}
std::vector<Override> overrides() {
  std::vector<Override> all;
#define ADOLC_OP(op, rule, layout, depend, text) addOverride<op>(all, #op);
#include <adolc/internal/oplist_expand.h>
  return all;
}

} // namespace

// The relation is the oracle of every partial that overrides it.
BOOST_AUTO_TEST_CASE(overridden_partials_agree_with_the_relation) {
  Checks checks;
  std::size_t found = 0;
  for (const Override &o : overrides())
    for (const OpRow &row : allRows()) {
      if (row.name != o.name)
        continue;
      ++found;
      for (const Kind kind : {Kind::interior, Kind::near})
        for (const Point &at : row.points(kind)) {
          const double value = row.plain(at);
          const double given = o.partials(at.x[0], value)[0],
                       derived = o.derived(at.x[0], value)[0];
          const double distance = ulps(given, Wide(derived));
          checks.check(distance <= 3.0, [&] {
            return describe(row, at, at) + "overridden partial " + sweeps::text(given) +
                   ", the relation gives " + sweeps::text(derived);
          });
        }
    }
  BOOST_TEST(found == 7); // log, log2, log10, log1p, sqrt, cbrt, atan
  BOOST_TEST(checks.count() > 30);
  BOOST_TEST(checks.failures() == 0);
}

// Each operation saves what it overwrites exactly if an operation before needs that.
BOOST_AUTO_TEST_CASE(only_needed_values_are_saved) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    if (row.comparison || row.numActive() == 0)
      continue;
    for (std::size_t k = 0; k < row.numActive(); ++k) {
      if (row.resultOperand == static_cast<int>(k))
        continue;
      const Point at = row.points()[0];
      const std::vector<double> x0 = independents(row, at);
      const auto saved = [&](bool overwrite) {
        trace_on(kTag);
        {
          std::vector<adouble> vars(x0.size());
          Actives actives;
          double out = 0.0;
          for (std::size_t i = 0; i < vars.size(); ++i) {
            vars[i] <<= x0[i];
            actives.push_back(&vars[i]);
          }
          adouble result = row.record(actives, at);
          if (overwrite)
            vars[k] += 1.0;
          result >>= out;
        }
        trace_off();
        std::size_t taylors = 0;
        const auto &recording = findTape(kTag).recording();
        for (const auto &segment : recording.segments)
          taylors += segment.numTays;
        return taylors;
      };
      Operands needed = 0;
#define ADOLC_OP(code, rule, layout, depend, text)                                                 \
  if (row.op == code)                                                                              \
    needed = needsOf<code>();
#include <adolc/internal/oplist_expand.h>
      const std::size_t expected =
          saved(false) + ((needed & operand(static_cast<int>(row.active[k]))) != 0 ? 1 : 0);
      checks.check(saved(true) == expected, [&] {
        return std::string(row.name) + ": overwriting operand " + std::to_string(k) + " saves " +
               std::to_string(saved(true)) + " values, not " + std::to_string(expected);
      });
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 80);
}
