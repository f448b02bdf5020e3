// SPDX-License-Identifier: MIT
// The section of doc/special-points.md on Taylor polynomials, line by line: a test case per line,
// same names, same order.
#include "../interp/all_taylor_sweeps.h"
#include "special_point.h"

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

using namespace special;

namespace {

/// A function along a curve. Adjoints are those of constant weights 1.
struct Along {
  Numbers at;
  sweeps::Matrix curve;    ///< coefficients 1 … d by independent
  Numbers coefficients;    ///< 1 … d
  sweeps::Matrix adjoints; ///< 0 … d by independent, or none: nothing is expected
  int code = 3;
  int reverseCode = 3;
};

void expectAll(const Numbers &given, const Numbers &expected, const std::string &what) {
  bool equal = given.size() == expected.size();
  for (std::size_t k = 0; k < given.size() && equal; ++k)
    equal = close(given[k], expected[k], 16.0) ||
            (expected[k] == 0.0 && std::fabs(given[k]) < 1e-15); // cancelled
  BOOST_TEST(equal, what << " " << sweeps::text(given) << ", not " << sweeps::text(expected));
}
void expectAll(const sweeps::Matrix &given, const sweeps::Matrix &expected,
               const std::string &what) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    expectAll(given[i], expected[i], what + " of independent " + std::to_string(i));
}

/// Adjoint 0 contributes nothing; others are scaled.
void checkReverse(const sweeps::Shape &s, int d, const Along &e) {
  const sweeps::TaylorReverse one = sweeps::hosReverse(s, d, {1.0});
  expectAll(one.z[0], e.adjoints, "adjoints");
  expectCode(one.code, e.reverseCode, "hos_reverse");
  const sweeps::TaylorReverse none = sweeps::hosReverse(s, d, {0.0});
  const sweeps::TaylorReverse scaled = sweeps::hosReverse(s, d, {-0.5});
  const sweeps::TaylorReverse all = sweeps::hovReverse(s, d, {{0.0}, {-0.5}, {1.0}});
  BOOST_TEST(sweeps::same(all.z, sweeps::Cube{none.z[0], scaled.z[0], one.z[0]}));
  for (std::size_t i = 0; i < e.adjoints.size(); ++i) {
    BOOST_TEST(none.z[0][i] == Numbers(e.adjoints[i].size(), 0.0));
    Numbers half = one.z[0][i];
    for (double &z : half)
      z *= -0.5;
    expectAll(scaled.z[0][i], half, "adjoints for the weight -½");
  }
}

void check(const Function &f, const Along &e) {
  const auto n = static_cast<int>(e.at.size()), d = static_cast<int>(e.curve[0].size());
  const sweeps::Shape s{kTag, 1, n};
  record(f, e.at);
  const sweeps::TaylorForward forward = sweeps::hos(s, d + 1, e.at, e.curve, d);
  expectAll(forward.dy[0], e.coefficients, "coefficients along " + sweeps::text(e.curve[0]));
  expectCode(forward.code, e.code, "hos_forward");
  if (!e.adjoints.empty())
    checkReverse(s, d, e);
  // The same beside other curves.
  sweeps::Cube curves(3, e.curve);
  for (auto &row : curves[0])
    row.assign(row.size(), 0.0);
  const sweeps::TaylorLanes lanes = sweeps::hovKeep(s, d + 1, e.at, curves, d);
  expectAll(lanes.dy[0][0], Numbers(e.curve[0].size(), 0.0), "coefficients at rest");
  BOOST_TEST(sweeps::same(lanes.dy[1], forward.dy));
  BOOST_TEST(sweeps::same(lanes.dy[2], forward.dy));
  if (!e.adjoints.empty()) {
    const sweeps::TaylorReverse each =
        sweeps::hosOvReverse(s, d, 3, sweeps::asPolynomials({1.0}, static_cast<std::size_t>(d)));
    expectAll(each.z[1], e.adjoints, "adjoints (hos_ov_reverse)");
    expectAll(each.z[2], e.adjoints, "adjoints (hos_ov_reverse)");
  }
}
void check(const Unary &f, const Along &e) {
  check(Function([&](Vars &x) { return f(x[0]); }), e);
}

/// Adjoints 0 … d for a polynomial as weight, after `check` along the curve.
void checkWeights(const Unary &f, double at, const Numbers &curve, const Numbers &weights,
                  const Numbers &adjoints) {
  const auto d = static_cast<int>(curve.size());
  const sweeps::Shape s{kTag, 1, 1};
  record([&](Vars &x) { return f(x[0]); }, {at});
  sweeps::hos(s, d + 1, {at}, {curve}, d);
  expectAll(sweeps::hosTiReverse(s, d, {weights}).z[0][0], adjoints,
            "adjoints for the weights " + sweeps::text(weights));
}

} // namespace

// ── kinks: the curve begins at t = 0 ────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(fabs_along_a_curve_from_0) {
  check(F(fabs(x)), {{0.0}, {{0, -2, 1}}, {0, 2, -1}, {{-1, 0, 0, 0}}, 1, 1});
  check(F(fabs(x)), {{0.0}, {{3, -2, 1}}, {3, -2, 1}, {{1, 0, 0, 0}}, 1, 1});
  check(F(fabs(x)), {{-0.0}, {{0, 0, 1}}, {0, 0, 1}, {{1, 0, 0, 0}}, 1, 1});
  check(F(fabs(x)), {{0.0}, {{0, 0, 0}}, {0, 0, 0}, {{0, 0, 0, 0}}, 3, 1});
  check(F(fabs(x)), {{-2.0}, {{3, -2, 1}}, {-3, 2, -1}, {{-1, 0, 0, 0}}, 3, 3});
}
BOOST_AUTO_TEST_CASE(fmin_and_fmax_along_curves_from_a_tie) {
  const sweeps::Matrix curve{{1, 3, 0}, {1, 2, 7}};
  check(F2(fmin(x, y)), {{2, 2}, curve, {1, 2, 7}, {{0, 0, 0, 0}, {1, 0, 0, 0}}, 1, 1});
  check(F2(fmax(x, y)), {{2, 2}, curve, {1, 3, 0}, {{1, 0, 0, 0}, {0, 0, 0, 0}}, 1, 1});
  const sweeps::Matrix equal{{1, 3, 5}, {1, 3, 5}};
  const sweeps::Matrix halves{{0.5, 0, 0, 0}, {0.5, 0, 0, 0}};
  check(F2(fmin(x, y)), {{2, 2}, equal, {1, 3, 5}, halves, 1, 1});
  check(F2(fmax(x, y)), {{2, 2}, equal, {1, 3, 5}, halves, 1, 1});
}
BOOST_AUTO_TEST_CASE(fmin_of_a_curve_and_an_equal_number) {
  check(F(fmin(x, 2.0)), {{2.0}, {{0, -1, 4}}, {0, -1, 4}, {{1, 0, 0, 0}}, 1, 1});
  check(F(fmin(x, 2.0)), {{2.0}, {{0, 1, 4}}, {0, 0, 0}, {{0, 0, 0, 0}}, 1, 1});
  check(F(fmax(x, 2.0)), {{2.0}, {{0, 1, 4}}, {0, 1, 4}, {{1, 0, 0, 0}}, 1, 1});
  check(F(fmax(x, 2.0)), {{2.0}, {{0, 0, 0}}, {0, 0, 0}, {{0.5, 0, 0, 0}}, 1, 1});
}
BOOST_AUTO_TEST_CASE(fdim_along_curves_from_a_tie) {
  check(F2(fdim(x, y)), {{3, 3}, {{1, 2}, {1, -1}}, {0, 3}, {{1, 0, 0}, {-1, 0, 0}}, 1, 1});
  check(F2(fdim(x, y)), {{3, 3}, {{1, 2}, {1, 5}}, {0, 0}, {{0, 0, 0}, {0, 0, 0}}, 1, 1});
  check(F2(fdim(x, y)), {{3, 3}, {{0, 0}, {0, 0}}, {0, 0}, {{0.5, 0, 0}, {-0.5, 0, 0}}, 3, 1});
}
BOOST_AUTO_TEST_CASE(copysign_along_a_curve_from_0) {
  check(F(copysign(x, 3.0)), {{0.0}, {{0, -2, 1}}, {0, 2, -1}, {{-1, 0, 0, 0}}, 1, 1});
  check(F(copysign(x, -3.0)), {{0.0}, {{0, -2, 1}}, {0, -2, 1}, {{1, 0, 0, 0}}, 1, 1});
  check(F(copysign(x, 3.0)), {{0.0}, {{0, 0, 0}}, {0, 0, 0}, {{0, 0, 0, 0}}, 3, 1});
}
BOOST_AUTO_TEST_CASE(condassign_along_a_curve_from_0) {
  const Function strict = [](Vars &x) {
    adouble r;
    condassign(r, x[0], x[1], x[2]);
    return r;
  };
  const Function weak = [](Vars &x) {
    adouble r;
    condeqassign(r, x[0], x[1], x[2]);
    return r;
  };
  const sweeps::Matrix curve{{1, 0}, {2, 3}, {4, 5}};
  check(strict, {{0, 2, 3}, curve, {4, 5}, {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 0, 0});
  check(weak, {{0, 2, 3}, {{-1, 0}, {2, 3}, {4, 5}}, {2, 3}, {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}});
}
BOOST_AUTO_TEST_CASE(step_functions_along_a_curve) {
  for (const Unary &f : {Unary(F(ceil(x))), Unary(F(floor(x))), Unary(F(trunc(x))),
                         Unary(F(rint(x))), Unary(F(round(x)))})
    check(f, {{2.0}, {{-1, 2, 3}}, {0, 0, 0}, {{0, 0, 0, 0}}});
}
BOOST_AUTO_TEST_CASE(fmod_along_curves) {
  check(F2(fmod(x, y)),
        {{5.5, 2.0}, {{1, 0, 3}, {0, 1, 1}}, {1, -2, 1}, {{1, 0, 0, 0}, {-2, 0, 0, 0}}});
  check(F2(fmod(x, y)), // exactly 3 · 2: the quotient stays
        {{6.0, 2.0}, {{-1, 0, 3}, {0, 1, 1}}, {-1, -3, 0}, {{1, 0, 0, 0}, {-3, 0, 0, 0}}});
}

// ── powers of 0 ─────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(integer_powers_along_a_curve_from_0) {
  check(F(pow(x, 3.0)), {{0.0}, {{1, 1, 0, 0, 0}}, {0, 0, 1, 3, 3}, {{0, 0, 3, 6, 3, 0}}});
  check(F(x * x * x), {{0.0}, {{1, 1, 0, 0, 0}}, {0, 0, 1, 3, 3}, {{0, 0, 3, 6, 3, 0}}});
  check(F(pow(x, 2.0)), {{0.0}, {{-1, 1, 0}}, {0, 1, -2}, {{0, -2, 2, 0}}});
  check(F(pow(x, 5.0)), {{0.0}, {{0, 1, 0, 0}}, {0, 0, 0, 0}, {{0, 0, 0, 0, 0}}});
  check(F(pow(x, 1.0)), {{0.0}, {{1, 2, 3}}, {1, 2, 3}, {{1, 0, 0, 0}}});
  check(F(pow(x, 0.0)), {{0.0}, {{1, 2, 3}}, {0, 0, 0}, {{0, 0, 0, 0}}});
  check(F(pow(x, 2.0)), {{0.0}, {{0, 0, 0}}, {0, 0, 0}, {{0, 0, 0, 0}}});
}
// There is no singularity to come close to.
BOOST_AUTO_TEST_CASE(integer_powers_along_a_curve_from_close_to_0) {
  const sweeps::Matrix curve = sweeps::usualCurves({1.0}, 10)[sweeps::dense];
  const sweeps::Shape s{kTag, 1, 1};
  const auto degree = static_cast<int>(curve[0].size());
  const auto sweep = [&](const Unary &f, double at) {
    record([&](Vars &x) { return f(x[0]); }, {at});
    Numbers all = sweeps::hos(s, degree + 1, {at}, curve, degree).dy[0];
    const Numbers z = sweeps::hosReverse(s, degree, {1.0}).z[0][0];
    all.insert(all.end(), z.begin(), z.end());
    return all;
  };
  for (const double at : {0.1, -1e-3, 1e-5, 1e-70, -1e-70, 1e-100, 1e-200, 5e-324})
    for (const int n : {1, 2, 3, 4, 5, 7}) {
      const Numbers given = sweep([n](const adouble &x) { return pow(x, double(n)); }, at);
      const Numbers products = sweep(
          [n](const adouble &x) {
            adouble p = x;
            for (int i = 1; i < n; ++i)
              p *= x;
            return p;
          },
          at);
      double error = 0.0;
      for (std::size_t k = 0; k < given.size(); ++k)
        error = given[k] == given[k] ? std::max(error, std::fabs(given[k] - products[k])) : Inf;
      BOOST_TEST(error < 1e-13, "pow(x, " << n << ") at " << at << " has " << sweeps::text(given)
                                          << ", products " << sweeps::text(products));
    }
}
BOOST_AUTO_TEST_CASE(sqrt_along_a_curve_from_0) {
  check(F(sqrt(x)), {{0.0}, {{1, 0, 0}}, {Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  check(F(sqrt(x)), {{0.0}, {{-1, 0, 0}}, {NaN, NaN, NaN}, {}});
  check(F(sqrt(x)), {{0.0}, {{0, 1}}, {1, NaN}, {{Inf, NaN, NaN}}, 1, 1});
  // (t + t²)²: what depends on coefficient 5 of x is not known.
  check(F(sqrt(x)), {{0.0}, {{0, 1, 2, 1}}, {1, 1, 0, NaN}, {}, 1, 1});
  check(F(sqrt(x)), {{0.0}, {{0, 0, 0, 4, 0, 0}}, {0, 2, 0, 0, NaN, NaN}, {}, 3, 3});
  check(F(sqrt(x)), {{0.0}, {{0, -1, 0}}, {NaN, NaN, NaN}, {}});
  check(F(sqrt(x)), {{0.0}, {{0, 0, 1, 0}}, {0, Inf, NaN, NaN}, {}});
  check(F(sqrt(x)), {{0.0}, {{0, 0, 0}}, {0, 0, 0}, {}});
  // The zero of the weights cancels the pole of 1/(2t).
  checkWeights(F(sqrt(x)), 0.0, {0, 1, 0, 0}, {0, 1, 0, 0, 0}, {0.5, 0, 0, NaN, NaN});
  checkWeights(F(sqrt(x)), 0.0, {0, 1, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0});
}
BOOST_AUTO_TEST_CASE(cbrt_along_a_curve_from_0) {
  check(F(cbrt(x)), {{0.0}, {{1, 0, 0}}, {Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  check(F(cbrt(x)), {{0.0}, {{-1, 0, 0}}, {-Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  check(F(cbrt(x)), {{0.0}, {{0, 0, 8}}, {2, NaN, NaN}, {}});
  check(F(cbrt(x)), {{0.0}, {{0, 0, -8, 0}}, {-2, 0, NaN, NaN}, {}});
  check(F(cbrt(x)), {{0.0}, {{0, -1, 0}}, {-Inf, NaN, NaN}, {}});
}
BOOST_AUTO_TEST_CASE(real_powers_along_a_curve_from_0) {
  check(F(pow(x, 1.5)), {{0.0}, {{0, 1, 0, 0}}, {0, 0, 1, 0}, {{0, 1.5, 0, 0, NaN}}, 1, 1});
  check(F(pow(x, 1.5)), {{0.0}, {{1, 0, 0}}, {0, Inf, NaN}, {{0, Inf, NaN, NaN}}});
  check(F(pow(x, 2.5)), {{0.0}, {{1, 0, 0, 0}}, {0, 0, Inf, NaN}, {}});
  check(F(pow(x, 0.5)), {{0.0}, {{0, 4, 0}}, {2, 0, NaN}, {}, 1, 1});
  check(F(pow(x, 1.5)), {{0.0}, {{-1, 0, 0}}, {0, NaN, NaN}, {}});
  check(F(pow(x, 1.5)), {{0.0}, {{0, 0, 0}}, {0, 0, 0}, {{0, 0, 0, 0}}});
}
BOOST_AUTO_TEST_CASE(negative_powers_along_a_curve_from_0) {
  check(F(pow(x, -1.0)), {{0.0}, {{1, 0, 0}}, {-Inf, NaN, NaN}, {{-Inf, NaN, NaN, NaN}}});
  check(F(pow(x, -1.0)), {{0.0}, {{0, 1, 0}}, {0, -Inf, NaN}, {}});
  check(F(pow(x, -0.5)), {{0.0}, {{-1, 0, 0}}, {NaN, NaN, NaN}, {}});
}
BOOST_AUTO_TEST_CASE(power_of_a_negative_base_along_a_curve) {
  check(F(pow(x, 3.0)), {{-2.0}, {{1, 0, 0}}, {12, -6, 1}, {{12, -12, 3, 0}}});
  check(F(pow(x, 2.5)), {{-2.0}, {{1, 0, 0}}, {NaN, NaN, NaN}, {{NaN, NaN, NaN, NaN}}});
  // An active exponent must not move; at rest it does no harm.
  check(F2(pow(x, y)), {{-2.0, 3.0}, {{1, 0, 0}, {0, 0, 0}}, {12, -6, 1}, {{12, -12, 3, 0}}});
}

// ── other borders of domains ────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(logarithms_along_a_curve_from_0) {
  for (const Unary &f : {Unary(F(log(x))), Unary(F(log2(x))), Unary(F(log10(x)))}) {
    check(f, {{0.0}, {{1, 0, 0}}, {Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
    check(f, {{0.0}, {{0, 1, 0}}, {0, Inf, NaN}, {}});
    check(f, {{0.0}, {{0, -1, 0}}, {0, NaN, NaN}, {}});
    check(f, {{-1.0}, {{0, 1, 0}}, {0, NaN, NaN}, {{NaN, NaN, NaN, NaN}}});
  }
  check(F(log1p(x)), {{-1.0}, {{0, 1, 0}}, {0, Inf, NaN}, {}});
}
BOOST_AUTO_TEST_CASE(inverse_functions_along_a_curve_from_1) {
  const double third = 1.0 / 3.0;
  check(F(asin(x)), {{1.0}, {{-1, 0, 0}}, {-Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  check(F(asin(x)), {{1.0}, {{1, 0, 0}}, {NaN, NaN, NaN}, {}});
  check(F(acos(x)), {{1.0}, {{-1, 0, 0}}, {Inf, NaN, NaN}, {{-Inf, NaN, NaN, NaN}}});
  check(F(acosh(x)), {{1.0}, {{1, 0, 0}}, {Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  // asin(1 - 2t²) = π/2 - 2 asin(t), and so on.
  check(F(asin(x)), {{1.0}, {{0, -2, 0, 0}}, {-2, 0, -third, NaN}, {}, 1, 1});
  check(F(asin(x)), {{-1.0}, {{0, 2, 0, 0}}, {2, 0, third, NaN}, {}, 1, 1});
  check(F(acos(x)), {{1.0}, {{0, -2, 0, 0}}, {2, 0, third, NaN}, {}, 1, 1});
  check(F(acos(x)), {{-1.0}, {{0, 2, 0, 0}}, {-2, 0, -third, NaN}, {}, 1, 1});
  check(F(acosh(x)), {{1.0}, {{0, 2, 0, 0}}, {2, 0, -third, NaN}, {}, 1, 1});
  checkWeights(F(asin(x)), 1.0, {0, -2, 0, 0}, {0, 1, 0, 0, 0}, {0.5, 0, 0.25, NaN, NaN});
}
BOOST_AUTO_TEST_CASE(atanh_along_a_curve_from_1) {
  check(F(atanh(x)), {{1.0}, {{-1, 0, 0}}, {-Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  check(F(atanh(x)), {{1.0}, {{0, -1, 0}}, {0, -Inf, NaN}, {}});
  check(F(atanh(x)), {{-1.0}, {{0, 1, 0}}, {0, Inf, NaN}, {}});
}
BOOST_AUTO_TEST_CASE(division_by_0_along_a_curve) {
  check(F(1.0 / x), {{0.0}, {{1, 0, 0}}, {-Inf, NaN, NaN}, {{-Inf, NaN, NaN, NaN}}});
  check(F(1.0 / x), {{0.0}, {{0, 1, 0}}, {0, -Inf, NaN}, {}});
  check(F(1.0 / x), {{0.0}, {{0, 0, 0}}, {0, 0, 0}, {}});
}
BOOST_AUTO_TEST_CASE(hypot_and_atan2_along_curves_from_the_origin) {
  check(F2(hypot(x, y)), {{0, 0}, {{0, 3, 0}, {0, 4, 0}}, {0, NaN, NaN}, {}});
  check(F2(atan2(x, y)), {{0, 0}, {{0, 3, 0}, {0, 4, 0}}, {0, NaN, NaN}, {}});
}

// ── infinity, NaN and zero ──────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(functions_at_infinity_along_a_curve) {
  check(F(exp(x)), {{-Inf}, {{1, 2, 3}}, {0, 0, 0}, {{0, 0, 0, 0}}});
  check(F(atan(x)), {{Inf}, {{1, 2, 3}}, {0, 0, 0}, {{0, 0, 0, 0}}});
  check(F(tanh(x)), {{Inf}, {{1, 2, 3}}, {0, 0, 0}, {{0, 0, 0, 0}}});
  check(F(exp(x)), {{Inf}, {{1, 2, 3}}, {Inf, NaN, NaN}, {{Inf, NaN, NaN, NaN}}});
  check(F(sin(x)), {{Inf}, {{0, 2, 3}}, {0, NaN, NaN}, {{NaN, NaN, NaN, NaN}}});
}
BOOST_AUTO_TEST_CASE(nan_along_a_curve) {
#define ADOLC_OP(op, rule, layout, depend, text)
#define ADOLC_FN(op, name, rule, layout, depend, text)                                             \
  if constexpr (!ADOLC::ops::isNonSmooth<ADOLC::ops::rule>)                                        \
    check(F(name(x)), {{NaN}, {{0, 1, 0}}, {0, NaN, NaN}, {{NaN, NaN, NaN, NaN}}});
#include <adolc/internal/oplist_expand.h>
}
BOOST_AUTO_TEST_CASE(unused_value_at_a_pole) {
  check(
      [](Vars &x) {
        adouble unused = log(x[0]) + sqrt(x[0]);
        unused *= 2.0;
        return x[0] * x[0];
      },
      {{0.0}, {{1, 2, 0}}, {0, 1, 4}, {{0, 2, 4, 0}}});
}
BOOST_AUTO_TEST_CASE(smooth_functions_along_a_curve_from_0) {
  const double third = 1.0 / 3.0, sixth = 1.0 / 6.0;
  const auto along = [](const Unary &f, const Numbers &c) {
    // The derivative: coefficients (k + 1) c_{k+1}.
    check(f, {{0.0}, {{1, 0, 0, 0}}, c, {}});
    // In t² half of them are 0.
    check(f, {{0.0}, {{0, 1, 0, 0}}, {0, c[0], 0, c[1]}, {{c[0], 0, 2.0 * c[1], 0, 3.0 * c[2]}}});
  };
  along(F(sin(x)), {1, 0, -sixth, 0});
  along(F(cos(x)), {0, -0.5, 0, 1.0 / 24.0});
  along(F(tan(x)), {1, 0, third, 0});
  along(F(asin(x)), {1, 0, sixth, 0});
  along(F(acos(x)), {-1, 0, -sixth, 0});
  along(F(atan(x)), {1, 0, -third, 0});
  along(F(sinh(x)), {1, 0, sixth, 0});
  along(F(cosh(x)), {0, 0.5, 0, 1.0 / 24.0});
  along(F(tanh(x)), {1, 0, -third, 0});
  along(F(asinh(x)), {1, 0, -sixth, 0});
  along(F(atanh(x)), {1, 0, third, 0});
  along(F(exp(x)), {1, 0.5, sixth, 1.0 / 24.0});
  along(F(expm1(x)), {1, 0.5, sixth, 1.0 / 24.0});
  along(F(log1p(x)), {1, -0.5, third, -0.25});
  const double e = 2.0 / std::sqrt(std::acos(-1.0));
  along(F(erf(x)), {e, 0, -e / 3.0, 0});
  along(F(erfc(x)), {-e, 0, e / 3.0, 0});
  along(F(hypot(x, 1.0)), {0, 0.5, 0, -0.125});
  along(F(atan2(x, 1.0)), {1, 0, -third, 0});
  along(F(x / (1.0 + x)), {1, -1, 1, -1});
  along(F(x * x), {0, 1, 0, 0});
  along(F(pow(2.0, x)), {std::log(2.0), std::pow(std::log(2.0), 2) / 2.0,
                         std::pow(std::log(2.0), 3) / 6.0, std::pow(std::log(2.0), 4) / 24.0});
  along(F(fma(x, x, x)), {1, 1, 0, 0});
  along(F(sqrt(1.0 + x)), {0.5, -0.125, 0.0625, -5.0 / 128.0});
}

// ── compositions ────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(cube_of_2_plus_t) {
  for (const Unary &f : {Unary(F(x * x * x)), Unary(F(pow(x, 3.0)))}) {
    check(f, {{2.0}, {{1, 0}}, {12, 6}, {{12, 12, 3}}});
    check(f, {{2.0}, {{1, 0, 0}}, {12, 6, 1}, {{12, 12, 3, 0}}});
  }
}
BOOST_AUTO_TEST_CASE(derivatives_of_derivatives) {
  // ∂/∂x (x ∂/∂y (x + y)) = ∂²/∂x∂y x(x + y) = 1.
  check(F2(x * (x + y)), {{3.0, 5.0}, {{1}, {0}}, {11}, {{11, 2}, {3, 1}}});
  check(F2(x * (x + y)), {{3.0, 5.0}, {{0}, {1}}, {3}, {{11, 1}, {3, 0}}});
  // With the inner derivative from a tape of its own.
  constexpr short inner = kTag + 1;
  const Unary nested = [](const adouble &x) {
    double value = 0.0, derivative = 0.0;
    const double weight = 1.0;
    trace_on(inner, 1);
    {
      adouble y;
      y <<= 5.0;
      adouble sum = x.value() + y;
      sum >>= value;
    }
    trace_off();
    fos_reverse(inner, 1, 1, &weight, &derivative);
    return x * derivative;
  };
  check(nested, {{3.0}, {{1, 0}}, {1, 0}, {{1, 0, 0}}});
}
BOOST_AUTO_TEST_CASE(reciprocal_in_place_along_a_curve) {
  const Function f = [](Vars &x) {
    x[0] = 1.0 / x[0];
    x[0] = 1.0 / x[0];
    return x[0];
  };
  check(f, {{2.0}, {{1, -3, 5}}, {1, -3, 5}, {{1, 0, 0, 0}}});
}
