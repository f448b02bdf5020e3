// SPDX-License-Identifier: MIT
// Variables that live when a recording begins, and recordings within recordings.
#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace {

constexpr short kOuter = 11, kInner = 12;

/// d = 2 z p of an inner recording z² p with its own variables.
double innerDerivative(const adouble &p, double z0) {
  double y = 0.0, z = 0.0;
  trace_on(kInner, 1);
  {
    adouble t;
    t <<= z0;
    t *= t;
    t *= p;
    t >>= y;
  }
  trace_off();
  const double weight = 1.0;
  fos_reverse(kInner, 1, 1, &weight, &z);
  return z;
}

} // namespace

// The locations of variables that only live beside the recording count as well.
BOOST_AUTO_TEST_CASE(workspaces_hold_all_initial_values) {
  std::vector<adouble> idle;
  {
    std::vector<adouble> low(2000), high(3000);
    idle = std::move(high);
  }
  std::size_t highest = 0;
  for (const adouble &a : idle)
    highest = std::max(highest, a.loc());
  BOOST_TEST_REQUIRE(highest >= 3000);
  double y = 0.0;
  trace_on(kOuter);
  {
    adouble x;
    x <<= 1.0;
    x *= 2.0;
    x >>= y;
  }
  trace_off();
  BOOST_TEST(findTape(kOuter).recording().numLocations > highest);
  const double x = 3.0;
  BOOST_TEST(zos_forward(kOuter, 1, 1, 0, &x, &y) == 3);
  BOOST_TEST(y == 6.0);
}

BOOST_AUTO_TEST_CASE(initial_values_are_constants_of_the_recording) {
  adouble before = 3.0;
  double y = 0.0;
  trace_on(kOuter, 1);
  adouble x;
  x <<= 2.0;
  before *= x; // overwrites a value that its reverse needs
  before >>= y;
  trace_off();
  before = 100.0; // later values do not count
  const double at = 5.0, weight = 1.0;
  double z = 0.0;
  BOOST_TEST(fos_reverse(kOuter, 1, 1, &weight, &z) == 3);
  BOOST_TEST(z == 3.0);
  BOOST_TEST(zos_forward(kOuter, 1, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 15.0);
  BOOST_TEST(fos_reverse(kOuter, 1, 1, &weight, &z) == 3);
  BOOST_TEST(z == 3.0);
}

BOOST_AUTO_TEST_CASE(many_nested_recordings_take_no_more_memory) {
  double y = 0.0;
  trace_on(kOuter, 1);
  {
    adouble x;
    x <<= 1.5;
    adouble p = 2.0 * x;
    for (int i = 0; i < 1000; ++i) {
      adouble kept = p * x; // a freed location whose value the outer recording needs
      p = 0.5 * (kept * kept) / kept;
      BOOST_TEST_REQUIRE(innerDerivative(p, 3.0) == 6.0 * p.value());
      if (i % 10 == 9)
        p = 2.0 * x;
    }
    p >>= y;
  }
  trace_off();
  BOOST_TEST(findTape(kOuter).storeSize() < 100000);
  double recorded = 0.0, replayed = 0.0;
  const double weight = 1.0, at = 1.5;
  fos_reverse(kOuter, 1, 1, &weight, &recorded);
  zos_forward(kOuter, 1, 1, 1, &at, &y);
  fos_reverse(kOuter, 1, 1, &weight, &replayed);
  BOOST_TEST(recorded == replayed);
  BOOST_TEST(recorded == 2.0);
}

// An inner recording must not touch what the outer one needs, in whatever order variables die.
BOOST_AUTO_TEST_CASE(variables_freed_within_a_nested_recording) {
  double y = 0.0;
  trace_on(kOuter, 1);
  {
    adouble x;
    x <<= 3.0;
    std::vector<adouble> powers;
    powers.push_back(x);
    for (int i = 0; i < 20; ++i)
      powers.push_back(powers.back() * x);
    adouble sum = powers[20] / powers[17] + powers[10] / powers[9]; // x³ + x
    double inner = 0.0;
    trace_on(kInner);
    {
      adouble z;
      z <<= 1.0;
      powers.resize(5); // outer variables die while the inner recording is open
      std::vector<adouble> own(100);
      for (adouble &o : own)
        o = z * 2.0;
      own[7] >>= inner;
    }
    trace_off();
    BOOST_TEST(inner == 2.0);
    powers.clear();
    std::vector<adouble> more(50);
    for (adouble &m : more)
      m = 7.0;
    sum >>= y;
  }
  trace_off();
  const double weight = 1.0;
  double z = 0.0;
  BOOST_TEST(y == 30.0);
  fos_reverse(kOuter, 1, 1, &weight, &z);
  BOOST_TEST(z == 28.0, boost::test_tools::tolerance(1e-14));
}
