// SPDX-License-Identifier: MIT
// doc/special-points.md, line by line: a test case per line, same names, same order.
#include "special_point.h"

#include <cfenv>
#include <cmath>
#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

using namespace special;

// ── kinks ───────────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(fabs_at_0) {
  check(F(fabs(x)), {.x = 0.0,
                     .value = 0.0,
                     .plus = 1,
                     .zero = 0,
                     .minus = 1,
                     .reverse = 0,
                     .derivativeCode = 1});
}
BOOST_AUTO_TEST_CASE(fabs_recorded_on_the_other_side) {
  check(F(fabs(x)),
        {.x = -3.0,
         .value = 3.0,
         .plus = -1,
         .zero = 0,
         .minus = 1,
         .reverse = -1,
         .code = 2,
         .derivativeCode = 2},
        2.0);
}
BOOST_AUTO_TEST_CASE(fmin_of_equal_operands) {
  record(F2(fmin(x, y)), {2.0, 2.0});
  const sweeps::Shape shape{kTag, 1, 2};
  expectCode(sweeps::zos(shape, 1, {2.0, 2.0}).code, 1, "zos_forward");
  for (const auto &[seed, tangent] : std::vector<std::pair<Numbers, double>>{
           {{1, 3}, 1}, {{3, 1}, 1}, {{-1, 0}, -1}, {{1, 0}, 0}, {{0, 0}, 0}})
    expect(sweeps::fos(shape, 1, {2.0, 2.0}, seed).dy[0][0], tangent, "tangent");
  const sweeps::Reverse r = sweeps::fos(shape, {1.0});
  expectCode(r.code, 1, "fos_reverse");
  BOOST_TEST(r.z[0] == (Numbers{0.5, 0.5}));
}
BOOST_AUTO_TEST_CASE(fmax_of_equal_operands) {
  record(F2(fmax(x, y)), {2.0, 2.0});
  const sweeps::Shape shape{kTag, 1, 2};
  expectCode(sweeps::zos(shape, 1, {2.0, 2.0}).code, 1, "zos_forward");
  for (const auto &[seed, tangent] : std::vector<std::pair<Numbers, double>>{
           {{1, 3}, 3}, {{3, 1}, 3}, {{-1, 0}, 0}, {{1, 0}, 1}, {{0, 0}, 0}})
    expect(sweeps::fos(shape, 1, {2.0, 2.0}, seed).dy[0][0], tangent, "tangent");
  const sweeps::Reverse r = sweeps::fos(shape, {1.0});
  expectCode(r.code, 1, "fos_reverse");
  BOOST_TEST(r.z[0] == (Numbers{0.5, 0.5}));
}
BOOST_AUTO_TEST_CASE(fmin_of_a_variable_and_an_equal_number) {
  check(F(fmin(x, 2.0)), {.x = 2.0,
                          .value = 2.0,
                          .plus = 0,
                          .zero = 0,
                          .minus = -1,
                          .reverse = 0.5,
                          .code = 1,
                          .derivativeCode = 1});
}
BOOST_AUTO_TEST_CASE(fmax_of_a_variable_with_itself) {
  check(F(fmax(x, x)), {.x = 2.0,
                        .value = 2.0,
                        .plus = 1,
                        .zero = 0,
                        .minus = -1,
                        .reverse = 1,
                        .code = 1,
                        .derivativeCode = 1});
}
BOOST_AUTO_TEST_CASE(fmax_of_different_operands) {
  check(F2(fmax(x, y)), {2.0, 5.0}, 5.0, {0, 1});
  check(F2(fmax(x, y)), {2.0, 5.0}, 5.0, {0, 1}, 0.0, 2, Numbers{5.0, 2.0});
}
BOOST_AUTO_TEST_CASE(fmin_and_fmax_with_nan) {
  check(F2(fmin(x, y)), {NaN, 1.0}, 1.0, {0, 1});
  check(F2(fmax(x, y)), {1.0, NaN}, 1.0, {1, 0});
}
BOOST_AUTO_TEST_CASE(fmin_and_fmax_of_0_and_minus_0) {
  const auto isNegative = [](const Function &f, const Numbers &at) {
    const double recorded = record(f, at);
    const sweeps::Shape shape{kTag, 1, 2};
    const sweeps::Forward fos = sweeps::fos(shape, 1, at, {1.0, 1.0});
    BOOST_TEST(sweeps::same(fos.y[0], recorded));
    expectCode(fos.code, 1, "fos_forward");
    BOOST_TEST(sweeps::fos(shape, {1.0}).z[0] == (Numbers{0.5, 0.5}));
    return std::signbit(recorded);
  };
  BOOST_TEST(isNegative(F2(fmin(x, y)), {-0.0, 0.0}));
  BOOST_TEST(!isNegative(F2(fmin(x, y)), {0.0, -0.0}));
  BOOST_TEST(isNegative(F2(fmax(x, y)), {-0.0, 0.0}));
  BOOST_TEST(!isNegative(F2(fmax(x, y)), {0.0, -0.0}));
}
BOOST_AUTO_TEST_CASE(running_maximum_of_negative_numbers) {
  const Function f = [](Vars &x) {
    adouble most = -Inf;
    for (const adouble &xi : x)
      most = fmax(most, xi);
    return most;
  };
  check(f, {-3.0, -1.0, -2.0}, -1.0, {0, 1, 0});
}
BOOST_AUTO_TEST_CASE(fmin_through_absolute_values) {
  enableMinMaxUsingAbs();
  check(F2(fmin(x, y)), {2.0, 5.0}, 2.0, {1, 0});
  check(F2(fmin(x, y)), {1e17, 1.0}, 0.0, {0, 1}); // ½(1e17 + 1 - |1e17 - 1|)
  disableMinMaxUsingAbs();
}
BOOST_AUTO_TEST_CASE(condassign_at_0) {
  const Function f = [](Vars &x) {
    adouble r;
    condassign(r, x[0], x[1], x[2]);
    return r;
  };
  check(f, {0.0, 2.0, 3.0}, 3.0, {0, 0, 1}, 0.0, 0);
  check(f, {0.0, 2.0, 3.0}, 3.0, {0, 0, 1}, 0.0, 0, Numbers{1.0, 2.0, 3.0});
}
BOOST_AUTO_TEST_CASE(condeqassign_at_0) {
  const Function f = [](Vars &x) {
    adouble r;
    condeqassign(r, x[0], x[1], x[2]);
    return r;
  };
  check(f, {0.0, 2.0, 3.0}, 2.0, {0, 1, 0});
  check(f, {0.0, 2.0, 3.0}, 2.0, {0, 1, 0}, 0.0, 2, Numbers{-1.0, 2.0, 3.0});
}
BOOST_AUTO_TEST_CASE(condassign_without_alternative) {
  const Function f = [](Vars &x) {
    adouble r = x[2];
    condassign(r, x[0], x[1]);
    return r;
  };
  check(f, {1.0, 2.0, 3.0}, 2.0, {0, 1, 0});
  check(f, {-1.0, 2.0, 3.0}, 3.0, {0, 0, 1}, 0.0, 2, Numbers{1.0, 2.0, 3.0});
  check(f, {0.0, 2.0, 3.0}, 3.0, {0, 0, 1}, 0.0, 0);
}
BOOST_AUTO_TEST_CASE(condassign_with_nan) {
  const Function f = [](Vars &x) {
    adouble r;
    condassign(r, x[0], x[1], x[2]);
    return r;
  };
  check(f, {NaN, 2.0, 3.0}, 3.0, {0, 0, 1});
  check(f, {1.0, 2.0, NaN}, 2.0, {0, 1, 0});
}
BOOST_AUTO_TEST_CASE(condassign_guards_a_division) {
  const Function f = [](Vars &x) {
    adouble r;
    condassign(r, x[1], x[0] / x[1], adouble(0.0));
    return r;
  };
  check(f, {1.0, 0.0}, 0.0, {0, 0}, 0.0, 0);
  check(f, {1.0, 0.0}, 0.0, {0, 0}, 0.0, 0, Numbers{1.0, 2.0});
  check(f, {1.0, 2.0}, 0.5, {0.5, -0.25});
}
BOOST_AUTO_TEST_CASE(step_functions) {
  for (const Unary &f : {Unary(F(ceil(x))), Unary(F(floor(x))), Unary(F(trunc(x))),
                         Unary(F(rint(x))), Unary(F(round(x)))})
    check(f, {.x = 2.0, .value = 2.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0}, 2.0);
}
BOOST_AUTO_TEST_CASE(step_function_recorded_on_another_step) {
  record([](Vars &x) { return floor(x[0]); }, {2.5});
  const sweeps::Shape shape{kTag, 1, 1};
  const sweeps::Forward fos = sweeps::fos(shape, 1, {3.5}, {1.0});
  expectCode(fos.code, 2, "fos_forward");
  expect(fos.y[0], 3.0, "value");
  expect(fos.dy[0][0], 0.0, "tangent");
  expectCode(sweeps::fos(shape, {1.0}).code, 3, "fos_reverse");
  expectCode(sweeps::zos(shape, 0, {2.75}).code, 3, "zos_forward on the recorded step");
}
BOOST_AUTO_TEST_CASE(fmod_of_numbers) {
  check(F2(fmod(x, y)), {5.5, 2.0}, 1.5, {1, -2});
  check(F2(fmod(x, y)), {-19.0, 3.0}, -1.0, {1, 6});
}
BOOST_AUTO_TEST_CASE(modulus_recorded_with_another_quotient) {
  for (const auto &[f, at, value] : std::vector<std::tuple<Function, double, double>>{
           {F2(fmod(x, y)), 7.5, 1.5}, {F2(remainder(x, y)), 6.5, 0.5}}) {
    record(f, {4.5, 2.0});
    const sweeps::Shape shape{kTag, 1, 2};
    const sweeps::Forward fos = sweeps::fos(shape, 1, {at, 2.0}, {0.0, 1.0});
    expectCode(fos.code, 2, "fos_forward");
    expect(fos.y[0], value, "value");
    expect(fos.dy[0][0], -3.0, "tangent");
    const sweeps::Reverse reverse = sweeps::fos(shape, {1.0});
    expectCode(reverse.code, 3, "fos_reverse");
    BOOST_TEST(reverse.z[0] == (Numbers{1.0, -3.0}));
    expectCode(sweeps::zos(shape, 0, {at, 2.0}).code, 2, "zos_forward");
    expectCode(sweeps::zos(shape, 0, {4.25, 2.0}).code, 3, "zos_forward, the recorded quotient");
  }
}
BOOST_AUTO_TEST_CASE(fmod_by_0) { check(F2(fmod(x, y)), {5.5, 0.0}, NaN, {NaN, NaN}); }
BOOST_AUTO_TEST_CASE(remainder_half_way) {
  check(F2(remainder(x, y)), {3.0, 2.0}, -1.0, {1, -2});
  check(F2(remainder(x, y)), {1.0, 2.0}, 1.0, {1, 0});
}
BOOST_AUTO_TEST_CASE(remainder_of_huge_numbers) {
  check(F2(remainder(x, y)), {1.7e308, 0.95e308}, std::remainder(1.7e308, 0.95e308), {1, -2});
}
BOOST_AUTO_TEST_CASE(modf_of_numbers) {
  adouble whole;
  const Unary fraction = [&](const adouble &x) { return modf(x, &whole); };
  for (const double at : {2.75, -2.75, -3.0, 0.0, -0.0, Inf, -Inf}) {
    double integral = 0.0;
    const double value = std::modf(at, &integral);
    check(fraction, {.x = at, .value = value, .plus = 1, .zero = 0, .minus = -1, .reverse = 1}, at);
    const sweeps::Forward zos = sweeps::zos({kTag, 1, 1}, 0, {at});
    BOOST_TEST(sweeps::same(zos.y[0], value)); // the sign of 0, too
    BOOST_TEST(sweeps::same(modf(adouble(at), &whole).value(), value));
    BOOST_TEST(sweeps::same(whole.value(), integral));
  }
  record([&](Vars &x) { return fraction(x[0]); }, {2.5});
  const sweeps::Shape shape{kTag, 1, 1};
  const sweeps::Forward fos = sweeps::fos(shape, 1, {3.75}, {1.0});
  expectCode(fos.code, 2, "fos_forward on another step");
  expect(fos.y[0], 0.75, "value on another step");
  expect(fos.dy[0][0], 1.0, "tangent on another step");
  expectCode(sweeps::fos(shape, {1.0}).code, 3, "fos_reverse on another step");
}
BOOST_AUTO_TEST_CASE(modf_in_place) {
  check(
      [](Vars &x) {
        adouble fraction = modf(x[0], &x[0]);
        return fraction + 10.0 * x[0];
      },
      {2.75}, 20.75, {1});
}
BOOST_AUTO_TEST_CASE(copysign_of_numbers) {
  check(F2(copysign(x, y)), {-5.0, 3.0}, 5.0, {-1, 0});
  check(F2(copysign(x, y)), {-5.0, 3.0}, 5.0, {-1, 0}, 0.0, 2, Numbers{5.0, 3.0});
}
BOOST_AUTO_TEST_CASE(copysign_at_0) {
  for (const double zero : {0.0, -0.0}) {
    check(F(copysign(x, 3.0)),
          {.x = zero,
           .value = 0,
           .plus = 1,
           .zero = 0,
           .minus = 1,
           .reverse = 0,
           .derivativeCode = 1},
          zero);
    check(F(copysign(x, -3.0)),
          {.x = zero,
           .value = 0,
           .plus = -1,
           .zero = 0,
           .minus = -1,
           .reverse = 0,
           .derivativeCode = 1},
          zero);
  }
}
BOOST_AUTO_TEST_CASE(fdim_of_equal_operands) {
  record(F2(fdim(x, y)), {3.0, 3.0});
  const sweeps::Shape shape{kTag, 1, 2};
  expectCode(sweeps::zos(shape, 1, {3.0, 3.0}).code, 3, "zos_forward");
  for (const auto &[seed, tangent] : std::vector<std::pair<Numbers, double>>{
           {{1, 0}, 1}, {{-1, 0}, 0}, {{0, 1}, 0}, {{0, -1}, 1}, {{3, 1}, 2}, {{0, 0}, 0}}) {
    const sweeps::Forward fos = sweeps::fos(shape, 1, {3.0, 3.0}, seed);
    expect(fos.dy[0][0], tangent, "tangent");
    expectCode(fos.code, seed == Numbers{0, 0} ? 3 : 1, "fos_forward");
  }
  const sweeps::Reverse r = sweeps::fos(shape, {1.0});
  expectCode(r.code, 1, "fos_reverse");
  BOOST_TEST(r.z[0] == (Numbers{0.5, -0.5}));
}

// ── borders of domains ──────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(sqrt_at_0) {
  check(F(sqrt(x)), {.x = 0.0, .value = 0.0, .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(sqrt_below_0) {
  check(F(sqrt(x)),
        {.x = -1.0, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
}
BOOST_AUTO_TEST_CASE(sqrt_times_sqrt_at_0) {
  // The tangent is a sum of 0·inf; the adjoint of either factor is 0 and goes no further.
  check(F(sqrt(x) * sqrt(x)),
        {.x = 0.0, .value = 0.0, .plus = NaN, .zero = 0, .minus = NaN, .reverse = 0});
}
BOOST_AUTO_TEST_CASE(cbrt_at_0) {
  check(F(cbrt(x)),
        {.x = 0.0, .value = 0.0, .plus = Inf, .zero = 0, .minus = -Inf, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(log_at_0) {
  for (const Unary &f : {Unary(F(log(x))), Unary(F(log2(x))), Unary(F(log10(x)))})
    for (const double zero : {0.0, -0.0})
      check(f, {.x = zero, .value = -Inf, .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(log_below_0) {
  check(F(log(x)), {.x = -1.0, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
}
BOOST_AUTO_TEST_CASE(log1p_at_minus_1) {
  check(F(log1p(x)),
        {.x = -1.0, .value = -Inf, .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(asin_at_1) {
  check(F(asin(x)),
        {.x = 1.0, .value = std::asin(1.0), .plus = NaN, .zero = 0, .minus = -Inf, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(asin_at_minus_1) {
  check(
      F(asin(x)),
      {.x = -1.0, .value = std::asin(-1.0), .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(acos_at_1) {
  check(F(acos(x)),
        {.x = 1.0, .value = 0.0, .plus = NaN, .zero = 0, .minus = Inf, .reverse = -Inf});
}
BOOST_AUTO_TEST_CASE(acos_at_minus_1) {
  check(F(acos(x)), {.x = -1.0,
                     .value = std::acos(-1.0),
                     .plus = -Inf,
                     .zero = 0,
                     .minus = NaN,
                     .reverse = -Inf});
}
BOOST_AUTO_TEST_CASE(atanh_at_1) {
  check(F(atanh(x)),
        {.x = 1.0, .value = Inf, .plus = NaN, .zero = 0, .minus = -Inf, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(atanh_at_minus_1) {
  check(F(atanh(x)),
        {.x = -1.0, .value = -Inf, .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(acosh_at_1) {
  check(F(acosh(x)),
        {.x = 1.0, .value = 0.0, .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(inverse_functions_out_of_domain) {
  for (const Unary &f : {Unary(F(asin(x))), Unary(F(acos(x))), Unary(F(atanh(x)))})
    for (const double outside : {1.5, -1.5, Inf, -Inf})
      check(f, {.x = outside, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
  check(F(acosh(x)),
        {.x = 0.5, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
}
BOOST_AUTO_TEST_CASE(overflow_inside_the_domain) {
  for (const auto &[f, at, value] :
       std::vector<std::tuple<Unary, double, double>>{{F(log(x)), 4e-310, std::log(4e-310)},
                                                      {F(log2(x)), 4e-310, std::log2(4e-310)},
                                                      {F(log10(x)), 1e-310, std::log10(1e-310)},
                                                      {F(pow(x, 1.5)), Inf, Inf}})
    check(f, {.x = at, .value = value, .plus = Inf, .zero = 0, .minus = -Inf, .reverse = Inf});
  check(F(pow(x, -0.5)), {.x = 1e-250,
                          .value = std::pow(1e-250, -0.5),
                          .plus = -Inf,
                          .zero = 0,
                          .minus = Inf,
                          .reverse = -Inf});
}
BOOST_AUTO_TEST_CASE(division_by_0) {
  check(F(1.0 / x),
        {.x = 0.0, .value = Inf, .plus = -Inf, .zero = 0, .minus = Inf, .reverse = -Inf});
  check(F2(x / y), {0.0, 0.0}, NaN, {Inf, NaN});
}
BOOST_AUTO_TEST_CASE(hypot_at_0) { check(F2(hypot(x, y)), {0.0, 0.0}, 0.0, {NaN, NaN}); }
BOOST_AUTO_TEST_CASE(hypot_that_overflows) {
  const double half = std::sqrt(0.5), third = std::sqrt(1.0 / 3.0);
  check(F2(hypot(x, y)), {1.5e308, 1.5e308}, Inf, {half, half}, 4.0);
  check([](Vars &x) { return hypot(x[0], x[1], x[2]); }, {1.5e308, -1.5e308, 1.5e308}, Inf,
        {third, -third, third}, 4.0);
}
BOOST_AUTO_TEST_CASE(euclidean_norm_with_zeros) {
  const Function f = [](Vars &x) {
    adouble s = 0.0;
    for (const adouble &xi : x)
      s += xi * xi;
    return sqrt(s);
  };
  check(f, {1.0, 0.0, 0.0}, 1.0, {1, 0, 0});
}
BOOST_AUTO_TEST_CASE(unused_value_out_of_domain) {
  const Function f = [](Vars &x) {
    const adouble t = acos(x[1]);
    return 2.0 * x[0] * x[0] * x[1];
  };
  check(f, {5.0, 3.0}, 150.0, {60, 50});
}
BOOST_AUTO_TEST_CASE(unused_infinity_raises_nothing_invalid) {
  record(
      [](Vars &x) {
        const adouble dead = 1.0 / x[0];
        return 3.0 * x[0];
      },
      {1.0});
  const sweeps::Shape shape{kTag, 1, 1};
  std::feclearexcept(FE_ALL_EXCEPT);
  const sweeps::Forward fos = sweeps::fos(shape, 1, {0.0}, {1.0});
  const sweeps::Reverse reverse = sweeps::fos(shape, {1.0});
  const sweeps::Reverse several = sweeps::fov(shape, {{1.0}, {0.0}, {-2.0}});
  BOOST_TEST(std::fetestexcept(FE_INVALID) == 0);
  expect(fos.dy[0][0], 3.0, "tangent");
  expect(reverse.z[0][0], 3.0, "adjoint");
  expect(several.z[2][0], -6.0, "adjoint for -2");
}

// ── powers ──────────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(square_at_0) {
  check(F(pow(x, 2.0)), {.x = 0.0, .value = 0.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(x * x), {.x = 0.0, .value = 0.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
}
BOOST_AUTO_TEST_CASE(power_above_1_at_0) {
  check(F(pow(x, 1.875)), {.x = 0.0, .value = 0.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
}
BOOST_AUTO_TEST_CASE(power_1_at_0) {
  check(F(pow(x, 1.0)), {.x = 0.0, .value = 0.0, .plus = 1, .zero = 0, .minus = -1, .reverse = 1});
}
BOOST_AUTO_TEST_CASE(power_below_1_at_0) {
  check(F(pow(x, 0.5)),
        {.x = 0.0, .value = 0.0, .plus = Inf, .zero = 0, .minus = NaN, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(power_0) {
  for (const double at : {0.0, -0.0, -2.0, Inf, NaN})
    check(F(pow(x, 0.0)), {.x = at, .value = 1.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
}
BOOST_AUTO_TEST_CASE(negative_power_at_0) {
  check(F(pow(x, -1.0)),
        {.x = 0.0, .value = Inf, .plus = -Inf, .zero = 0, .minus = Inf, .reverse = -Inf});
  check(F(pow(x, -0.5)),
        {.x = 0.0, .value = Inf, .plus = -Inf, .zero = 0, .minus = NaN, .reverse = -Inf});
}
BOOST_AUTO_TEST_CASE(power_of_a_negative_base) {
  check(F(pow(x, 3.0)),
        {.x = -2.0, .value = -8.0, .plus = 12, .zero = 0, .minus = -12, .reverse = 12});
  check(F(pow(x, 2.5)),
        {.x = -2.0, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
}
BOOST_AUTO_TEST_CASE(active_exponent_of_a_negative_base) {
  check(F2(pow(x, y)), {-2.0, 3.0}, -8.0, {12, NaN});
}
BOOST_AUTO_TEST_CASE(active_exponent_of_0) {
  check(F2(pow(x, y)), {0.0, 0.0}, 1.0, {0, -Inf});
  check(F2(pow(x, y)), {0.0, 2.0}, 0.0, {0, 0});
  check(F2(pow(x, y)), {0.0, -1.0}, Inf, {-Inf, -Inf});
}
BOOST_AUTO_TEST_CASE(power_of_a_constant_base) {
  check(F(pow(0.0, x)), {.x = 2.0, .value = 0.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(pow(1.0, x)), {.x = 2.0, .value = 1.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  BOOST_CHECK_THROW(pow(-2.0, adouble(2.0)), ADOLCError::ADOLCError);
}

// ── atan2 ───────────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(atan2_in_all_quadrants) {
  const double pi = std::acos(-1.0);
  check(F2(atan2(x, y)), {1.0, 1.0}, 0.25 * pi, {0.5, -0.5}, 4.0);
  check(F2(atan2(x, y)), {1.0, -1.0}, 0.75 * pi, {-0.5, -0.5}, 4.0);
  check(F2(atan2(x, y)), {-1.0, -1.0}, -0.75 * pi, {-0.5, 0.5}, 4.0);
  check(F2(atan2(x, y)), {-1.0, 1.0}, -0.25 * pi, {0.5, 0.5}, 4.0);
}
BOOST_AUTO_TEST_CASE(atan2_on_the_axes) {
  const double pi = std::acos(-1.0);
  check(F2(atan2(x, y)), {0.0, 1.0}, 0.0, {1, 0});
  check(F2(atan2(x, y)), {1.0, 0.0}, 0.5 * pi, {0, -1});
  check(F2(atan2(x, y)), {-1.0, 0.0}, -0.5 * pi, {0, 1});
  check(F2(atan2(x, y)), {0.0, -1.0}, pi, {-1, 0});
  check(F2(atan2(x, y)), {-0.0, -1.0}, -pi, {-1, 0});
}
BOOST_AUTO_TEST_CASE(atan2_at_the_origin) { check(F2(atan2(x, y)), {0.0, 0.0}, 0.0, {NaN, NaN}); }
BOOST_AUTO_TEST_CASE(atan2_recorded_at_the_origin) {
  check(F2(atan2(x, y)), {1.0, 1.0}, std::atan(1.0), {0.5, -0.5}, 4.0, 3, Numbers{0.0, 0.0});
}
BOOST_AUTO_TEST_CASE(atan2_of_huge_numbers) {
  check([](Vars &x) { return atan2(1.7e308 * x[0], adouble(1.7e308)); }, {1.0}, std::atan(1.0),
        {0.5}, 8.0); // through a partial that is subnormal
}

// ── infinity, NaN, zero ─────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(functions_with_a_limit_at_infinity) {
  check(F(exp(x)), {.x = -Inf, .value = 0.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(tanh(x)), {.x = Inf, .value = 1.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(atan(x)),
        {.x = -Inf, .value = std::atan(-Inf), .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(erf(x)), {.x = Inf, .value = 1.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(erfc(x)), {.x = Inf, .value = 0.0, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(log(x)), {.x = Inf, .value = Inf, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
  check(F(sqrt(x)), {.x = Inf, .value = Inf, .plus = 0, .zero = 0, .minus = 0, .reverse = 0});
}
BOOST_AUTO_TEST_CASE(atan_of_huge_numbers) {
  check(F(atan(x)), {.x = 1e155,
                     .value = std::atan(1e155),
                     .plus = 1e-310,
                     .zero = 0,
                     .minus = -1e-310,
                     .reverse = 1e-310,
                     .ulps = 64.0}); // subnormal
}
BOOST_AUTO_TEST_CASE(functions_that_grow_at_infinity) {
  check(F(exp(x)), {.x = Inf, .value = Inf, .plus = Inf, .zero = 0, .minus = -Inf, .reverse = Inf});
  check(F(sinh(x)),
        {.x = -Inf, .value = -Inf, .plus = Inf, .zero = 0, .minus = -Inf, .reverse = Inf});
}
BOOST_AUTO_TEST_CASE(functions_without_a_limit_at_infinity) {
  for (const Unary &f : {Unary(F(sin(x))), Unary(F(cos(x))), Unary(F(tan(x)))})
    check(f, {.x = Inf, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
}
BOOST_AUTO_TEST_CASE(functions_of_two_arguments_at_infinity) {
  check(F2(hypot(x, y)), {Inf, 1.0}, Inf, {NaN, 0});
  check(F2(atan2(x, y)), {Inf, 1.0}, 2.0 * std::atan(1.0), {0, NaN});
}
BOOST_AUTO_TEST_CASE(nan_as_argument) {
#define ADOLC_OP(op, rule, layout, depend, text)
#define ADOLC_FN(op, name, rule, layout, depend, text)                                             \
  if constexpr (ADOLC::ops::isNonSmooth<ADOLC::ops::rule>)                                         \
    check(F(name(x)), {.x = NaN, .value = NaN, .plus = 0, .zero = 0, .minus = 0, .reverse = 0},    \
          NaN);                                                                                    \
  else                                                                                             \
    check(F(name(x)),                                                                              \
          {.x = NaN, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
#include <adolc/internal/oplist_expand.h>
  check(F(fabs(x)), {.x = NaN, .value = NaN, .plus = NaN, .zero = 0, .minus = NaN, .reverse = NaN});
}
BOOST_AUTO_TEST_CASE(zero_times_infinity_as_value) { check(F2(x * y), {0.0, Inf}, NaN, {Inf, 0}); }

// ── comparisons and quadratures ─────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(comparison_on_its_boundary) {
  const Unary f = [](const adouble &x) { return x >= 2.0 ? 3.0 * x : -x; };
  check(f,
        {.x = 2.0,
         .value = 6.0,
         .plus = 3,
         .zero = 0,
         .minus = -3,
         .reverse = 3,
         .code = 0,
         .derivativeCode = 0},
        2.5);
}
BOOST_AUTO_TEST_CASE(comparison_with_another_outcome) {
  record([](Vars &x) { return x[0] > x[1] ? x[0] : x[1]; }, {2.0, 1.0});
  const sweeps::Shape shape{kTag, 1, 2};
  const sweeps::Forward fos = sweeps::fos(shape, 1, {1.0, 2.0}, {1.0, 1.0});
  expectCode(fos.code, -1, "fos_forward");
  expect(fos.y[0], NaN, "value");
  expect(fos.dy[0][0], NaN, "tangent");
  BOOST_CHECK_THROW(sweeps::fos(shape, {1.0}), ADOLCError::ADOLCError);
  expectCode(sweeps::zos(shape, 0, {1.0, 1.0}).code, -1, "zos_forward on the boundary");
}
BOOST_AUTO_TEST_CASE(comparison_with_nan) {
  // x > 0 did not hold, and does not hold for NaN, although x <= 0 is what was recorded.
  record([](Vars &x) { return x[0] > 0.0 ? x[0] : -x[0]; }, {-1.0});
  expectCode(sweeps::zos({kTag, 1, 1}, 0, {NaN}).code, 3, "zos_forward");
  record([](Vars &x) { return x[0] > 0.0 ? x[0] : -x[0]; }, {1.0});
  expectCode(sweeps::zos({kTag, 1, 1}, 0, {NaN}).code, -1, "zos_forward, recorded where it held");
  record([](Vars &x) { return x[0] > 0.0 ? x[0] : -x[0]; }, {NaN});
  expectCode(sweeps::zos({kTag, 1, 1}, 0, {NaN}).code, 3, "zos_forward, recorded with NaN");
  record([](Vars &x) { return x[0] > 1.0 ? x[0] : -x[0]; }, {-1.0});
  expectCode(sweeps::zos({kTag, 1, 1}, 0, {NaN}).code, 3, "zos_forward, comparison with 1");
}
BOOST_AUTO_TEST_CASE(quadrature_elsewhere) {
  record([](Vars &x) { return quadrature(x[0], 7.0, adouble(0.5)); }, {2.0});
  const sweeps::Shape shape{kTag, 1, 1};
  const sweeps::Forward same = sweeps::fos(shape, 1, {2.0}, {1.0});
  expectCode(same.code, 3, "fos_forward");
  expect(same.y[0], 7.0, "value");
  expect(same.dy[0][0], 0.5, "tangent");
  expect(sweeps::fos(shape, {1.0}).z[0][0], 0.5, "adjoint");
  const sweeps::Forward other = sweeps::fos(shape, 1, {2.5}, {1.0});
  BOOST_CHECK_THROW(sweeps::fos(shape, {1.0}), ADOLCError::ADOLCError);
  expectCode(other.code, -2, "fos_forward elsewhere");
  expect(other.y[0], NaN, "value elsewhere");
  expect(other.dy[0][0], NaN, "tangent elsewhere");
}

// ── compositions ────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(reciprocal_in_place) {
  check(
      [](Vars &x) {
        x[0] = 1.0 / x[0];
        return x[0];
      },
      {2.0}, 0.5, {-0.25});
  check(
      [](Vars &x) {
        x[0] = 1.0 / x[0];
        x[0] = 1.0 / x[0];
        return x[0];
      },
      {2.0}, 2.0, {1});
}
BOOST_AUTO_TEST_CASE(scaled_arguments) {
  check([](Vars &x) { return asin(x[0] / 2.0); }, {0.5}, std::asin(0.25), {0.5163977794943222},
        4.0);
  check([](Vars &x) { return atanh(2.0 * x[0]); }, {0.1}, std::atanh(0.2), {2.0833333333333335},
        4.0);
}
BOOST_AUTO_TEST_CASE(expression_through_temporaries) {
  const auto softplus = [](const adouble &t) { return log(1.0 + exp(t)); };
  const Function f = [&](Vars &x) {
    auto negative = -x[0];
    auto twice = 2.0 * softplus(negative);
    return negative - twice;
  };
  check(f, {1.0}, -1.6265233750364457, {-0.46211715726000976}, 8.0);
}
BOOST_AUTO_TEST_CASE(log_sum_exp_of_large_arguments) {
  const Function f = [](Vars &x) {
    const adouble a = x[0], b = x[0];
    const adouble m = fmax(a, b);
    return m + log(exp(a - m) + exp(b - m));
  };
  for (const double large : {1e10, 1e50}) {
    expect(record(f, {large}, 1), large + std::log(2.0), "value");
    const sweeps::Shape shape{kTag, 1, 1};
    // The adjoints of the maximum cancel, so its tie does not count in reverse.
    const sweeps::Reverse reverse = sweeps::fos(shape, {1.0});
    expectCode(reverse.code, 3, "fos_reverse");
    expect(reverse.z[0][0], 1.0, "adjoint");
    const sweeps::Forward fos = sweeps::fos(shape, 0, {large}, {1.0});
    expectCode(fos.code, 1, "fos_forward");
    expect(fos.dy[0][0], 1.0, "tangent");
  }
}
BOOST_AUTO_TEST_CASE(erf_at_one_half) {
  check([](Vars &x) { return erf(x[0]); }, {0.5}, 0.5204998778130465, {0.8787825789354448}, 4.0);
}
BOOST_AUTO_TEST_CASE(increments_within_products) {
  check(
      [](Vars &x) {
        adouble a = x[0];
        return (++a) * x[0];
      },
      {3.0}, 12.0, {7});
  check(
      [](Vars &x) {
        adouble a = x[0];
        return (a++) * x[0];
      },
      {3.0}, 9.0, {6});
  check(
      [](Vars &x) {
        adouble a = x[0];
        return (--a) * x[0];
      },
      {3.0}, 6.0, {5});
}
BOOST_AUTO_TEST_CASE(square_of_a_difference) {
  const Unary square = [](const adouble &t) { return t * t; };
  check([&](Vars &x) { return square(x[0] - 2.0 * x[0]); }, {1.0}, 1.0, {2});
  check([&](Vars &x) { return pow(x[0] - 2.0, 2.0); }, {1.0}, 1.0, {-2});
}
BOOST_AUTO_TEST_CASE(cancellation) {
  record(
      [](Vars &x) {
        adouble t = 100.0 * x[0];
        adouble e = exp(t);
        return t * e + (t - t * e);
      },
      {0.5});
  const sweeps::Shape shape{kTag, 1, 1};
  const sweeps::Forward fos = sweeps::fos(shape, 1, {0.5}, {1.0});
  const double bound = 1e11; // some units in the last place of 2.6e25
  BOOST_TEST(std::fabs(fos.y[0]) <= bound);
  BOOST_TEST(std::fabs(fos.dy[0][0]) <= bound);
  BOOST_TEST(std::fabs(sweeps::fos(shape, {1.0}).z[0][0]) <= bound);
}
BOOST_AUTO_TEST_CASE(sine_of_a_huge_number) {
  const Function f = [](Vars &v) {
    const adouble &x = v[0];
    return sin(cosh(pow(exp(cos(log10(10.0 * exp(x)))), 10.0 * exp(x))));
  };
  record(f, {1.0});
  const sweeps::Shape shape{kTag, 1, 1};
  const sweeps::Forward fos = sweeps::fos(shape, 1, {1.0}, {1.0});
  BOOST_TEST(std::fabs(fos.y[0]) <= 1.0);
  for (const double derivative : {fos.dy[0][0], sweeps::fos(shape, {1.0}).z[0][0]})
    BOOST_TEST((std::fabs(derivative) > 1e17 && std::fabs(derivative) < 1e21));
}
BOOST_AUTO_TEST_CASE(modes_on_an_ill_conditioned_chain) {
  const Function f = [](Vars &x) {
    adouble t = x[0];
    for (int i = 0; i < 8; ++i)
      t = tanh(exp(t)) * 1.25;
    return t;
  };
  record(f, {0.7});
  const sweeps::Shape shape{kTag, 1, 1};
  const double forward = sweeps::fos(shape, 1, {0.7}, {1.0}).dy[0][0];
  const double reverse = sweeps::fos(shape, {1.0}).z[0][0];
  BOOST_TEST(forward != 0.0);
  expect(forward, reverse, "forward derivative", 64.0);
}
BOOST_AUTO_TEST_CASE(identical_expressions) {
  const Function once = [](Vars &x) { return sin(x[0]) * cos(x[0]); };
  const Function twice = [](Vars &x) {
    const adouble first = sin(x[0]) * cos(x[0]), second = sin(x[0]) * cos(x[0]);
    return 0.5 * (first + second);
  };
  const sweeps::Shape shape{kTag, 1, 1};
  const double value = record(once, {0.7}, 1), z = sweeps::fos(shape, {1.0}).z[0][0];
  BOOST_TEST(record(twice, {0.7}, 1) == value);
  BOOST_TEST(sweeps::fos(shape, {1.0}).z[0][0] == z, boost::test_tools::tolerance(1e-15));
}
