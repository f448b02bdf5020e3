// SPDX-License-Identifier: MIT
// Compiled for machines with fused multiply-add and with contraction allowed, as a user's program
// may be: recorded values must be those of a replay all the same, which the library computes.
#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <random>
#include <vector>

namespace {
__attribute__((noinline)) double plain(double a, double b, double c) { return a * b + c; }
} // namespace

BOOST_AUTO_TEST_CASE(recorded_values_are_replayed_values) {
  constexpr short tag = 1;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::size_t contractions = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> x{number(random), number(random), number(random)};
    std::vector<double> recorded(9), replayed(9);
    trace_on(tag);
    {
      adouble a, b, c;
      a <<= x[0];
      b <<= x[1];
      c <<= x[2];
      std::vector<adouble> y(9);
      y[0] = a * b + c;
      y[1] = c - a * b;
      y[2] = c;
      y[2] += a * b;
      y[3] = c;
      y[3] -= a * b;
      y[4] = a;
      y[4] *= b;
      y[4] += c;
      y[5] = a * a + b * b + c * c;
      y[6] = (a + b) * c - a * 0.3;
      const adouble product = a * b;
      y[7] = product + c;
      y[8] = 0.7 * a + 0.3;
      for (std::size_t k = 0; k < y.size(); ++k)
        y[k] >>= recorded[k];
    }
    trace_off();
    zos_forward(tag, 9, 3, 0, x.data(), replayed.data());
    for (std::size_t k = 0; k < recorded.size(); ++k)
      BOOST_TEST(recorded[k] == replayed[k],
                 "expression " << k << " of program " << i << " is recorded as another number");
    contractions += plain(x[0], x[1], x[2]) != replayed[0] ? 1 : 0;
  }
#ifdef CONTRACTS
  // Plain double is contracted here: otherwise this test would tell nothing.
  BOOST_TEST(contractions > 100);
#else
  BOOST_TEST(contractions == 0);
#endif
}
