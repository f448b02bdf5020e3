// SPDX-License-Identifier: MIT
// What forward sweeps of Taylor polynomials leave for reverse sweeps, and when those refuse.
#include "all_taylor_sweeps.h"
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

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
