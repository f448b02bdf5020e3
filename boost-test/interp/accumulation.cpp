// SPDX-License-Identifier: MIT
// Runs of operations that accumulate into one location, or multiply one factor: sweeps with one
// lane keep its number in a register meanwhile, the others do not. All must agree to the last bit,
// also where the operands of an operation are one variable.
#include "interp/all_sweeps.h"
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace sweeps;

namespace {

constexpr short kTag = 17;
constexpr int kVariables = 3;

/// The same operation one to five times, on a target or with a factor that stays the same; mostly.
void run(std::mt19937 &random, std::vector<adouble> &v) {
  const auto pick = [&]() -> std::size_t { return random() % v.size(); };
  const std::size_t fixedTarget = pick(), fixedFactor = pick();
  const bool sameTarget = random() % 2 == 0, sameFactor = random() % 2 == 0;
  const unsigned operation = random() % 7, length = 1 + random() % 5;
  for (unsigned i = 0; i < length; ++i) {
    adouble &s = v[sameTarget ? fixedTarget : pick()];
    const adouble &a = v[sameFactor ? fixedFactor : pick()], &b = v[pick()];
    switch (operation) {
    case 0:
      s *= b;
      break;
    case 1:
      s += b;
      break;
    case 2:
      s -= b;
      break;
    case 3:
      s += a * b;
      break;
    case 4:
      s -= a * b;
      break;
    case 5:
      s += 0.5 * b;
      break;
    default:
      s = 0.25 * s;
    }
  }
}

void checkProgram(unsigned seed, const std::vector<double> &x, Checks &checks) {
  std::mt19937 random(seed);
  trace_on(kTag, 1);
  {
    std::vector<adouble> v(kVariables + 2);
    for (int i = 0; i < kVariables; ++i)
      v[static_cast<std::size_t>(i)] <<= x[static_cast<std::size_t>(i)];
    v[kVariables] = 0.0;
    v[kVariables + 1] = -0.75;
    for (int i = 0; i < 12; ++i)
      run(random, v);
    double y = 0.0;
    v[0] >>= y;
    v[kVariables] >>= y;
  }
  trace_off();
  runAll({kTag, 2, kVariables}, x, usualSeeds(kVariables), usualWeights(2),
         "program " + std::to_string(seed), checks);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(accumulation, test::CleanThread)

BOOST_AUTO_TEST_CASE(random_runs) {
  Checks checks;
  for (unsigned seed = 1; seed <= 3000; ++seed)
    checkProgram(seed, {0.3, -1.25, 0.875}, checks);
  BOOST_TEST(checks.failures() == 0u);
  BOOST_TEST(checks.count() > 3000u);
}

BOOST_AUTO_TEST_CASE(random_runs_with_zeros_and_without_bounds) {
  Checks checks;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    checkProgram(seed, {0.0, -0.0, 0.5}, checks);
    checkProgram(seed, {test::kInf, 1e200, 0.0}, checks);
  }
  BOOST_TEST(checks.failures() == 0u);
}

// A run that goes on over the ends of segments.
BOOST_AUTO_TEST_CASE(long_runs) {
  constexpr int n = 5000;
  std::vector<double> x(n), expected(n);
  for (int i = 0; i < n; ++i)
    x[static_cast<std::size_t>(i)] = 1.0 + 1e-3 * std::sin(i);
  double y = 0.0;
  trace_on(kTag, 1);
  {
    std::vector<adouble> a(n);
    adouble sum = 0.0, product = 1.0;
    for (int i = 0; i < n; ++i)
      a[static_cast<std::size_t>(i)] <<= x[static_cast<std::size_t>(i)];
    for (const adouble &ai : a)
      product *= ai;
    for (const adouble &ai : a)
      sum += 2.0 * ai;
    for (adouble &ai : a)
      sum -= a[0] * ai;
    (sum + product) >>= y;
  }
  trace_off();
  double total = 0.0, product = 1.0;
  for (const double xi : x) {
    total += xi;
    product *= xi;
  }
  for (std::size_t i = 0; i < n; ++i)
    expected[i] = 2.0 - x[0] + product / x[i] - (i == 0 ? total : 0.0);
  std::vector<double> g(n);
  const double weight = 1.0;
  BOOST_TEST(fos_reverse(kTag, 1, n, &weight, g.data()) == 3);
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (std::size_t i = 0; i < n; ++i)
      BOOST_TEST(g[i] == expected[i], boost::test_tools::tolerance(1e-10));
    BOOST_TEST(gradient(kTag, n, x.data(), g.data()) == 3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
