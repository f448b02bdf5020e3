// SPDX-License-Identifier: MIT
// Comparisons of two variables as active 0 or 1, a choice of the including translation unit.
#define ADOLC_ADVANCED_BRANCHING
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

using namespace test;

BOOST_FIXTURE_TEST_SUITE(advanced_branching, CleanThread)

BOOST_AUTO_TEST_CASE(replay_computes_the_outcome_anew) {
  static_assert(std::is_same_v<decltype(adouble() < adouble()), adouble>);
  static_assert(std::is_same_v<decltype(adouble() < 1.0), bool>);
  record(1, {1.0, 2.0}, [](auto &x) {
    std::vector<adouble> y;
    y.push_back(x[0] == x[1]);
    y.push_back(x[0] != x[1]);
    y.push_back(x[0] < x[1]);
    y.push_back(x[0] <= x[1]);
    y.push_back(x[0] > x[1]);
    y.push_back(x[0] >= x[1]);
    adouble chosen;
    condassign(chosen, y[2], x[0] * x[1], x[0] + x[1]);
    y.push_back(chosen);
    return y;
  });
  const double points[][2] = {{1.0, 2.0}, {2.0, 1.0}, {2.0, 2.0}};
  const double expected[][7] = {
      {0, 1, 1, 1, 0, 0, 2}, {0, 1, 0, 0, 1, 1, 3}, {1, 0, 0, 1, 0, 1, 4}};
  for (int k = 0; k < 3; ++k) {
    double y[7];
    BOOST_TEST(function(1, 7, 2, points[k], y) >= 0);
    for (int i = 0; i < 7; ++i)
      BOOST_TEST(y[i] == expected[k][i]);
    Matrix J(7, 2, 99.0);
    BOOST_TEST(jacobian(1, 7, 2, points[k], J.get()) >= 0);
    for (std::size_t i = 0; i < 6; ++i)
      BOOST_TEST((J[i][0] == 0.0 && J[i][1] == 0.0));
    BOOST_TEST(J[6][0] == (k == 0 ? 2.0 : 1.0));
  }
}

// comparisons.cpp, in the same program, has these operators with another result.
BOOST_AUTO_TEST_CASE(comparisons_with_parameters_are_active_here) {
  using Result = decltype(std::declval<pdouble>() < std::declval<adouble>());
  static_assert(std::is_same_v<Result, adouble>);
  pdouble p(2.0);
  adouble x = 3.0;
  BOOST_TEST((p < x).value() == 1.0);
  BOOST_TEST((p == x).value() == 0.0);
  BOOST_TEST((p >= x).value() == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
