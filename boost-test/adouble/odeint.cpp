// SPDX-License-Identifier: MIT
// An ordinary differential equation integrated adaptively by Boost.odeint, with active state and
// time.
#include "support/expect.h"

#include <boost/numeric/odeint.hpp>
#include <boost/test/unit_test.hpp>

using namespace test;

BOOST_FIXTURE_TEST_SUITE(odeint, CleanThread)

BOOST_AUTO_TEST_CASE(exponential_decay) {
  namespace ode = boost::numeric::odeint;
  using State = std::vector<adouble>;
  using Stepper = ode::runge_kutta_dopri5<State, adouble, State, adouble>;
  recordScalar(171, {1.0}, [](auto &x) {
    State state{x[0]};
    const auto system = [](const State &s, State &derivative, const adouble &) {
      derivative[0] = -2.0 * s[0];
    };
    ode::integrate_adaptive(ode::make_controlled<Stepper>(adouble(1e-10), adouble(1e-10)), system,
                            state, adouble(0.0), adouble(1.0), adouble(0.1));
    return state[0];
  });
  const double at = 1.0;
  double y = 0.0, g = 0.0;
  BOOST_TEST(function(171, 1, 1, &at, &y) >= 0);
  BOOST_TEST(y == 0.1353352832366127, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(gradient(171, 1, &at, &g) >= 0);
  BOOST_TEST(g == 0.1353352832366127, boost::test_tools::tolerance(1e-8));
  double Y = 0.0;
  const double seed = 1.0;
  BOOST_TEST(fos_forward(171, 1, 1, 0, &at, &seed, &y, &Y) >= 0);
  BOOST_TEST(Y == g, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
