// SPDX-License-Identifier: MIT
// Threads of OpenMP: they need no preparation, and the names of 2.7 change nothing.
#include "support/expect.h"

#include <adolc/adolc_openmp.h>
#include <adolc/workspace.h>

#include <boost/test/unit_test.hpp>

#include <atomic>

#include <omp.h>

using namespace test;

namespace {

constexpr short kShared = 81;

double f(double x) { return x * x * x + std::cos(x); }
double derivative(double x) { return 3.0 * x * x - std::sin(x); }
adouble program(std::vector<adouble> &x) { return x[0] * x[0] * x[0] + cos(x[0]); }

bool close(double a, double b) { return std::abs(a - b) <= 1e-14 * std::abs(b); }

/// Records, evaluates and removes a tape of the thread's own.
bool ownTape(double at) {
  const short tag = createNewTape();
  recordScalar(tag, {at}, program);
  const std::vector<double> x{at + 1.0};
  const bool right = close(ADOLC::gradient(tag, x)[0], derivative(at + 1.0)) &&
                     close(ADOLC::function(tag, x)[0], f(at + 1.0));
  setCurrentTape(nullptr);
  ADOLC::removeTape(tag);
  return right;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(openmp, CleanThread)

BOOST_AUTO_TEST_CASE(regions_of_different_sizes) {
  recordScalar(kShared, {1.0}, program);
  findTape(kShared).setSharedMode();
  beginParallel();
  for (const int size : {3, 16, 2}) {
    std::atomic<int> right = 0, threads = 0;
#pragma omp parallel num_threads(size) ADOLC_OPENMP
    {
      ++threads;
      ADOLC::Workspace workspace;
      std::vector<double> g(1);
      bool all = true;
      for (int i = 0; i < 50; ++i) {
        const double at = 1.0 + 0.1 * omp_get_thread_num();
        ADOLC::gradient(kShared, workspace, std::vector{at}, g);
        all = all && close(g[0], derivative(at)) && ownTape(at);
      }
      if (all)
        ++right;
    }
    BOOST_TEST(right == threads);
  }
#pragma omp parallel num_threads(2) ADOLC_OPENMP_NC
  { static_cast<void>(ADOLC_OpenMP_Handler_NC); }
  endParallel();
  BOOST_TEST(ADOLC_parallel_doCopy == 0);
  ADOLC::removeTape(kShared);
}

BOOST_AUTO_TEST_CASE(nested_regions) {
  std::atomic<int> wrong = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
  {
    const double at = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(at)
    if (!ownTape(at + 0.5 * omp_get_thread_num()))
      ++wrong;
    if (!ownTape(at))
      ++wrong;
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(an_exception_in_one_thread) {
  std::atomic<int> right = 0, caught = 0;
#pragma omp parallel num_threads(4)
  {
    try {
      const short tag = createNewTape();
      setCurrentTape(tag);
      trace_on(tag);
      adouble x;
      x <<= 1.0;
      if (omp_get_thread_num() == 1)
        throw std::runtime_error("in the middle");
      double v = 0.0;
      x >>= v;
      trace_off();
    } catch (const std::runtime_error &) {
      ++caught;
      trace_off();
    }
    setCurrentTape(nullptr);
    if (ownTape(2.0))
      ++right;
  }
  BOOST_TEST(caught == 1);
  BOOST_TEST(right == 4);
}

BOOST_AUTO_TEST_SUITE_END()
