// SPDX-License-Identifier: MIT
// What forward sweeps of Taylor polynomials leave for reverse sweeps, and when those refuse.
#include "all_taylor_sweeps.h"
#include "support/expect.h"

#include <adolc/drivers/odedrivers.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using test::ErrorType;
using test::expectError;

namespace {

constexpr short kTag = 151;
const sweeps::Shape shape{kTag, 1, 2};
const std::vector<double> at{1.5, 0.5};
const sweeps::Matrix curve{{1.0, 2.0}, {3.0, 4.0}};

/// x²y if x > 1.
struct Recorded : test::CleanThread {
  Recorded() {
    ADOLC::tryRemoveTape(kTag);
    test::recordScalar(kTag, at, [](auto &x) {
      adouble y = x[0] * x[0] * x[1];
      if (x[0] <= 1.0)
        y = 0.0;
      return y;
    });
  }
};
bool allNaN(const sweeps::Cube &cube) {
  return std::all_of(cube.begin(), cube.end(), [](const sweeps::Matrix &rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [](const std::vector<double> &row) { return test::allNaN(row); });
  });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(taylor_stack, Recorded)

BOOST_AUTO_TEST_CASE(what_is_kept_is_what_reverse_sweeps_can_use) {
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {}, [] { sweeps::hosReverse(shape, 2, {1.0}); });
  sweeps::hos(shape, 2, at, curve, 2); // of degree 2, for reverse sweeps of degree 1
  BOOST_TEST(sweeps::hosReverse(shape, 1, {1.0}).z[0] ==
             (sweeps::Matrix{{1.5, 10.0}, {2.25, 3.0}}));
  expectError(ErrorType::REVERSE_NO_FOWARD, {"2", "3"},
              [] { sweeps::hosReverse(shape, 2, {1.0}); });
  // A sweep that keeps nothing leaves it, and so does one that is refused.
  sweeps::hos(shape, 0, {2.0, 2.0}, curve, 2);
  sweeps::hov(shape, {2.0, 2.0}, {curve, curve}, 2);
  for (const int keep : {-1, 4})
    expectError(ErrorType::FWD_HO_KEEP, {std::to_string(keep)}, [keep] {
      sweeps::hos(shape, keep, {2.0, 2.0}, curve, 2);
    });
  BOOST_TEST(sweeps::fos(shape, {1.0}).z[0] == (std::vector<double>{1.5, 2.25}));
  BOOST_TEST(sweeps::hosReverse(shape, 1, {1.0}).z[0][0][1] == 10.0);
}

BOOST_AUTO_TEST_CASE(curves_belong_to_the_sweeps_that_take_them) {
  sweeps::hovKeep(shape, 3, at, {curve, curve, curve}, 2);
  const sweeps::Matrix weights = sweeps::asPolynomials({1.0}, 2);
  BOOST_TEST(sweeps::hosOvReverse(shape, 2, 3, weights).z[2][0][0] == 1.5);
  expectError(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {"3", "2"},
              [&] { sweeps::hosOvReverse(shape, 2, 2, weights); });
  expectError(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {"3", "1"},
              [] { sweeps::hosReverse(shape, 2, {1.0}); });
  // First order takes the values only.
  BOOST_TEST(sweeps::fos(shape, {1.0}).z[0] == (std::vector<double>{1.5, 2.25}));
}

BOOST_AUTO_TEST_CASE(another_branch_leaves_nothing) {
  const std::vector<double> elsewhere{0.5, 0.5};
  for (const int keep : {0, 3}) {
    const sweeps::TaylorForward f = sweeps::hos(shape, keep, elsewhere, curve, 2);
    BOOST_TEST(f.code == -1);
    BOOST_TEST((test::allNaN(f.y) && allNaN({f.dy})));
    const sweeps::TaylorLanes lanes =
        sweeps::hovKeep(shape, keep, elsewhere, sweeps::Cube(11, curve), 2);
    BOOST_TEST(lanes.code == -1);
    BOOST_TEST((test::allNaN(lanes.y) && allNaN(lanes.dy)));
  }
  expectError(ErrorType::REVERSE_NO_FOWARD, {}, [] { sweeps::hosReverse(shape, 2, {1.0}); });
  expectError(ErrorType::REVERSE_NO_FOWARD, {}, [] { sweeps::fos(shape, {1.0}); });
}

BOOST_AUTO_TEST_SUITE_END()

// Directions without coefficients are directions.
BOOST_FIXTURE_TEST_CASE(directions_without_coefficients, Recorded) {
  double y = 0.0, weights[] = {1.0, 0.0, 0.0};
  double *const U[] = {weights};
  double memory[3][2] = {}, *rows[3][2], **Z[3];
  for (int l = 0; l < 3; ++l) {
    rows[l][0] = &memory[l][0];
    rows[l][1] = &memory[l][1];
    Z[l] = rows[l];
  }
  BOOST_TEST(hov_wk_forward(kTag, 1, 2, 0, 1, 3, at.data(), nullptr, &y, nullptr) == 3);
  BOOST_TEST(hos_ov_reverse(kTag, 1, 2, 0, 3, U, Z) == 3);
  for (const auto &z : memory)
    BOOST_TEST((z[0] == 1.5 && z[1] == 2.25));
  BOOST_TEST(hov_wk_forward(kTag, 1, 2, 2, 3, 0, at.data(), nullptr, &y, nullptr) == 3);
  BOOST_TEST(hos_ov_reverse(kTag, 1, 2, 2, 0, U, nullptr) == 3);
  expectError(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {"hos_ov_reverse"},
              [&] { hos_ov_reverse(kTag, 1, 2, 0, 3, U, Z); });
}

// A series of a differential equation that is not found leaves nothing of another point.
BOOST_FIXTURE_TEST_CASE(no_stack_of_an_earlier_series, test::CleanThread) {
  ADOLC::tryRemoveTape(kTag);
  test::recordScalar(kTag, {1.0}, [](auto &x) {
    adouble y = x[0] * x[0];
    if (x[0] <= 0.0)
      y = 0.0;
    return y;
  });
  double series[4] = {1.0}, z[3], u = 1.0;
  double *X[] = {series}, *Z[] = {z};
  BOOST_TEST(forodec(kTag, 1, 1.0, 0, 3, X) == 3);
  BOOST_TEST(hos_reverse(kTag, 1, 1, 2, &u, Z) == 3);
  series[0] = -2.0;
  BOOST_TEST(forodec(kTag, 1, 1.0, 0, 3, X) == -1);
  expectError(ErrorType::REVERSE_NO_FOWARD, {"hos_reverse"},
              [&] { hos_reverse(kTag, 1, 1, 2, &u, Z); });
}

// Exponents next to integers, and beyond all of them, at 0 along t.
BOOST_FIXTURE_TEST_CASE(exponents_next_to_integers, test::CleanThread) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto coefficients = [&](double exponent) {
    ADOLC::tryRemoveTape(kTag);
    test::recordScalar(kTag, {0.0}, [&](auto &x) { return pow(x[0], exponent); });
    std::vector<double> y(4);
    double x = 0.0, value = 0.0, seed[] = {1.0, 0.0, 0.0, 0.0};
    double *X[] = {seed}, *Y[] = {y.data()};
    hos_forward(kTag, 1, 1, 4, 0, &x, X, &value, Y);
    return y;
  };
  const std::vector<double> above = coefficients(1.0 + 1e-10), below = coefficients(1.0 - 1e-10),
                            three = coefficients(3.0 + 1e-10), huge = coefficients(1e20);
  BOOST_TEST((above[0] == 0.0 && above[1] == inf && std::isnan(above[2])));
  BOOST_TEST((below[0] == inf && std::isnan(below[1])));
  BOOST_TEST((three[1] == 0.0 && three[2] == 0.0 && three[3] == inf));
  BOOST_TEST(huge == std::vector<double>(4, 0.0));
}

// Where an intermediate result would overflow, and at zeros that are none.
BOOST_FIXTURE_TEST_CASE(extreme_magnitudes, test::CleanThread) {
  const auto coefficients = [&](auto &&f, double x, double seed) {
    ADOLC::tryRemoveTape(kTag);
    test::recordScalar(kTag, {x}, [&](auto &v) { return f(v[0]); });
    std::vector<double> y(3);
    double value = 0.0, curve3[] = {seed, 0.0, 0.0};
    double *X[] = {curve3}, *Y[] = {y.data()};
    hos_forward(kTag, 1, 1, 3, 0, &x, X, &value, Y);
    return y;
  };
  const auto close = [](double a, double b) { return std::fabs(a - b) <= 1e-14 * std::fabs(b); };
  for (const double x : {1e90, 1e120, 1e154, -1e155, 1e200, 1.5e308}) {
    const std::vector<double> y = coefficients([](const adouble &a) { return atan(a); }, x, x);
    const double u = 1.0 / std::fabs(x), sign = std::copysign(1.0, x);
    BOOST_TEST((close(y[0], sign * u) && close(y[1], -sign * u) && close(y[2], sign * u)),
               "atan at " << x << ": " << y[0] << ' ' << y[1] << ' ' << y[2]);
  }
  for (const double x : {1e308, -1.7e308, 3e-308}) {
    const std::vector<double> y = coefficients([](const adouble &a) { return cbrt(a); }, x, x);
    const double v = std::cbrt(x);
    BOOST_TEST((close(y[0], v / 3.0) && close(y[1], -v / 9.0) && close(y[2], v * 5.0 / 81.0)));
  }
  const std::vector<double> far =
      coefficients([](const adouble &a) { return erf(a); }, 1e200, 1e110);
  BOOST_TEST(far == std::vector<double>(3, 0.0));
  const std::vector<double> unknown =
      coefficients([](const adouble &a) { return hypot(a, 1e-310); }, 0.0, 1e-160);
  BOOST_TEST((unknown[0] == 0.0 && unknown[1] != 0.0));
}
