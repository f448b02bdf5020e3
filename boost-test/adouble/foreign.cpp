// SPDX-License-Identifier: MIT
// Variables that meet another tape, another thread, or the end of their own.
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <thread>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace test;

namespace {

std::vector<double> gradientOf(short tag, std::vector<double> x) {
  std::vector<double> g(x.size(), 99.0);
  BOOST_TEST(gradient(tag, static_cast<int>(x.size()), x.data(), g.data()) == 3);
  return g;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(foreign_variables, CleanThread)

BOOST_AUTO_TEST_CASE(operand_of_another_tape_is_a_constant) {
  const short a = createNewTape(), b = createNewTape();
  setCurrentTape(a);
  adouble x;
  trace_on(a);
  x <<= 3.0;
  trace_off();
  trace_on(b);
  {
    adouble u, y;
    u <<= 2.0;
    y = u * x + x / u - sin(x) * u + pow(u, x) + fmax(x, u);
    y += x;
    y *= x;
    y += u * x; // no fusion across tapes
    condassign(y, x, y, u);
    BOOST_TEST((x > u && x > 2.0 && x != 4.0)); // true forever
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const double at = 1.5;
  double value = 0.0;
  BOOST_TEST(function(b, 1, 1, &at, &value) >= 0);
  BOOST_TEST(value == (1.5 * 3.0 + 3.0 / 1.5 - std::sin(3.0) * 1.5 + 3.375 + 3.0 + 3.0) * 3.0 + 4.5,
             boost::test_tools::tolerance(1e-15));
  BOOST_TEST(gradientOf(b, {1.5})[0] == (3.0 - 3.0 / 2.25 - std::sin(3.0) + 3.0 * 2.25) * 3.0 + 3.0,
             boost::test_tools::tolerance(1e-15));
  setCurrentTape(b);
  BOOST_TEST(currentTape().numLives() == 0u);
  BOOST_TEST(x.value() == 3.0);
}

BOOST_AUTO_TEST_CASE(target_of_another_tape_is_bound_anew) {
  const short a = createNewTape(), b = createNewTape();
  setCurrentTape(a);
  std::vector<adouble> x(12, adouble(3.0));
  BOOST_TEST(currentTape().numLives() == 12u);
  trace_on(b);
  {
    adouble u;
    u <<= 2.0;
    x[0] = u * u;
    x[1] = u;
    x[2] = 5.0;
    x[3] += u;     // 3 + u
    x[4] *= u * u; // 3 u²
    x[5] -= u * u; // 3 - u²
    condassign(x[6], u, u, u);
    condassign(x[7], -u, u); // stays 3
    ++x[8];
    x[9] = std::move(x[0]);
    x[10] <<= 7.0;
    x[11].declareIndependent();
    double out = 0.0;
    for (int i = 1; i < 12; ++i)
      x[static_cast<std::size_t>(i)] >>= out;
  }
  trace_off();
  Matrix J(11, 3, 99.0);
  const double at[] = {4.0, 1.0, 2.0};
  BOOST_TEST(jacobian(b, 11, 3, at, J.get()) == 3);
  const double expected[] = {1, 0, 1, 24, -8, 1, 0, 0, 8, 0, 0};
  for (std::size_t i = 0; i < 11; ++i) {
    BOOST_TEST(J[i][0] == expected[i]);
    BOOST_TEST(J[i][1] == (i == 9 ? 1.0 : 0.0));
    BOOST_TEST(J[i][2] == (i == 10 ? 1.0 : 0.0));
  }
  setCurrentTape(a);
  BOOST_TEST(currentTape().numLives() == 0u); // all went back
  setCurrentTape(b);
  BOOST_TEST(currentTape().numLives() == 11u);
  x.clear();
  BOOST_TEST(currentTape().numLives() == 0u);
}

BOOST_AUTO_TEST_CASE(marker_on_a_variable_of_another_tape) {
  const short a = createNewTape(), b = createNewTape();
  setCurrentTape(a);
  adouble constant = 6.0;
  trace_on(b);
  {
    adouble u;
    u <<= 2.0;
    double out = 0.0;
    constant >>= out; // a constant dependent
    BOOST_TEST(out == 6.0);
    u >>= out;
  }
  trace_off();
  Matrix J(2, 1, 99.0);
  const double at = 4.0;
  BOOST_TEST(jacobian(b, 2, 1, &at, J.get()) == 3);
  BOOST_TEST(J[0][0] == 0.0);
  BOOST_TEST(J[1][0] == 1.0);
  double y[2];
  BOOST_TEST(function(b, 2, 1, &at, y) == 3);
  BOOST_TEST(y[0] == 6.0);
}

// A test of the reference records on tape 1 while another tape is selected, with variables of that.
BOOST_AUTO_TEST_CASE(variables_of_the_selected_tape_recorded_on_another) {
  const short mine = createNewTape();
  trace_on(1);
  trace_off();
  setCurrentTape(mine);
  {
    adouble x1, x2, y;
    trace_on(1, 1);
    x1 <<= 2.0;
    x2 <<= 3.0;
    y = fmax(x1, x2) * x1;
    double out = 0.0;
    y >>= out;
    trace_off();
    BOOST_TEST(out == 6.0);
    const double u = 1.0;
    double z[2] = {};
    BOOST_TEST(fos_reverse(1, 1, 2, &u, z) == 3);
    BOOST_TEST(z[0] == 3.0);
    BOOST_TEST(z[1] == 2.0);
  }
  BOOST_TEST(currentTape().numLives() == 0u);
}

BOOST_AUTO_TEST_CASE(variables_between_tags_of_the_default_store) {
  adouble x, y;
  trace_on(71);
  x <<= 2.0;
  y = x * x;
  double out = 0.0;
  y >>= out;
  trace_off();
  trace_on(72); // y lives on: here its value is a constant
  adouble u;
  u <<= 3.0;
  u *= y;
  u >>= out;
  trace_off();
  BOOST_TEST(out == 12.0);
  BOOST_TEST(gradientOf(72, {3.0})[0] == 4.0);
  BOOST_TEST(gradientOf(71, {2.0})[0] == 4.0);
}

BOOST_AUTO_TEST_CASE(variable_outlives_its_tape) {
  adouble survivor;
  for (int round = 0; round < 20; ++round) {
    trace_on(73);
    {
      adouble x;
      x <<= 2.0;
      survivor = x * x;
      double out = 0.0;
      survivor >>= out;
    }
    trace_off();
    ADOLC::removeTape(73);
    BOOST_TEST(survivor.value() == 4.0);
    survivor += 1.0;
    BOOST_TEST(survivor.value() == 5.0);
  }
}

BOOST_AUTO_TEST_CASE(variable_outlives_its_thread) {
  auto variable = std::make_unique<adouble>(1.0);
  std::vector<adouble> many;
  std::thread([&] {
    trace_on(74);
    variable = std::make_unique<adouble>();
    *variable <<= 3.0;
    for (int i = 0; i < 100; ++i)
      many.push_back(*variable * i);
    double out = 0.0;
    many.back() >>= out;
    trace_off();
    ADOLC::removeTape(74);
  }).join();
  // The store of that thread lives as long as one of its variables.
  BOOST_TEST(variable->value() == 3.0);
  BOOST_TEST(many[50].value() == 150.0);
  many.erase(many.begin(), many.begin() + 50);
  trace_on(75);
  {
    adouble x, y;
    x <<= 2.0;
    y = x * *variable + many[0];
    *variable = y; // bound to this thread now
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 156.0);
  }
  trace_off();
  BOOST_TEST(gradientOf(75, {2.0})[0] == 3.0);
  BOOST_TEST(variable->value() == 156.0);
  variable.reset();
  many.clear();
}

BOOST_AUTO_TEST_CASE(destroyed_by_other_threads) {
  const short id = createNewTape();
  setCurrentTape(id);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::unique_ptr<adouble>> mine;
    for (int i = 0; i < 64; ++i)
      mine.push_back(std::make_unique<adouble>(1.0 * i));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&mine, t] {
        for (std::size_t i = t; i < mine.size(); i += 4)
          mine[i].reset();
      });
    adouble busy = 1.0; // meanwhile this thread goes on with the store
    for (int i = 0; i < 200; ++i)
      busy = busy * 0.5 + 1.0;
    for (std::thread &thread : threads)
      thread.join();
    BOOST_TEST(busy.value() == 2.0);
  }
  trace_on(id); // collects what came back
  trace_off();
  BOOST_TEST(currentTape().numLives() == 0u);
  BOOST_TEST(currentTape().storeSize() <= 512u);
}

BOOST_AUTO_TEST_CASE(destroyed_by_a_thread_with_another_tape_selected) {
  const short a = createNewTape();
  setCurrentTape(a);
  auto variable = std::make_unique<adouble>(3.0);
  std::thread([&] {
    const short b = createNewTape();
    setCurrentTape(b);
    adouble own = 1.0;
    variable.reset();
    adouble another = 2.0;
    BOOST_TEST(own.value() == 1.0);
  }).join();
  trace_on(a);
  trace_off();
  BOOST_TEST(currentTape().numLives() == 0u);
}

BOOST_AUTO_TEST_CASE(every_thread_has_its_selection) {
  const short a = createNewTape();
  setCurrentTape(a);
  std::thread([] {
    BOOST_TEST(currentTapePtr() == nullptr);
    adouble x = 1.0; // on the default store of this thread
    BOOST_TEST(x.value() == 1.0);
  }).join();
  BOOST_TEST(currentTape().tapeId() == a);
}

#if defined(__unix__)
BOOST_AUTO_TEST_CASE(evaluated_on_both_sides_of_a_fork) {
  recordScalar(76, {2.0, 3.0}, [](auto &x) { return x[0] * x[1] * x[1]; });
  const pid_t child = fork();
  if (child == 0) {
    const double at[] = {2.0, 3.0};
    double g[2] = {};
    const bool right = gradient(76, 2, at, g) == 3 && g[0] == 9.0 && g[1] == 12.0;
    // and a recording of its own
    recordScalar(76, {2.0}, [](auto &x) { return x[0] * x[0]; });
    const bool rightAgain = gradient(76, 1, at, g) == 3 && g[0] == 4.0;
    _exit(right && rightAgain ? 0 : 1);
  }
  int status = -1;
  BOOST_TEST(waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_TEST(gradientOf(76, {2.0, 3.0}) == (std::vector<double>{9.0, 12.0}),
             boost::test_tools::per_element());
}
#endif

BOOST_AUTO_TEST_SUITE_END()
