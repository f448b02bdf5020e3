// SPDX-License-Identifier: MIT
// Drivers that distribute their work over threads: the results of the serial ones, bit for bit.
#include "support/expect.h"

#include <adolc/diagnostics.h>
#include <adolc/drivers/parallel_drivers.h>
#include <adolc/workspace.h>

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>

using namespace test;
using ADOLC::evaluateBatch;
using ADOLC::gradientBatch;
using ADOLC::parallelHessian;
using ADOLC::parallelJacobian;

namespace {

constexpr short kTag = 71;

struct Fixture : CleanThread {
  ~Fixture() {
    if (findTapePtr_(kTag) != nullptr)
      ADOLC::removeTape(kTag);
  }
};

/// m functions of n variables.
void recordMany(std::size_t m, std::size_t n) {
  std::vector<double> x(n, 0.5);
  record(kTag, x, [m](std::vector<adouble> &a) {
    std::vector<adouble> y(m);
    for (std::size_t i = 0; i < m; ++i) {
      adouble sum = 1.0 + 0.1 * static_cast<double>(i);
      for (std::size_t j = 0; j < a.size(); ++j)
        sum += sin(a[j] * static_cast<double>(i + 1)) * a[(i + j) % a.size()];
      y[i] = sum * sum;
    }
    return y;
  });
}
std::vector<double> pointOf(std::size_t n, double from = 0.1) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = from + 0.07 * static_cast<double>(i);
  return x;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(parallel_drivers, Fixture)

BOOST_AUTO_TEST_CASE(jacobians_of_all_shapes) {
  for (const std::size_t m : {1, 3, 8, 20, 41})
    for (const std::size_t n : {1, 2, 9, 40, 100}) {
      recordMany(m, n);
      const std::vector<double> x = pointOf(n), expected = ADOLC::jacobian(kTag, x);
      for (const bool shared : {false, true}) {
        shared ? findTape(kTag).setSharedMode() : findTape(kTag).setExclusiveMode();
        for (const unsigned threads : {0u, 1u, 2u, 3u, 16u}) {
          BOOST_TEST(parallelJacobian(kTag, x, threads) == expected,
                     m << " x " << n << " with " << threads << " threads");
          std::vector<double> J(m * n);
          BOOST_TEST(parallelJacobian(kTag, x, J, threads) == 3);
        }
      }
      ADOLC::Workspace workspace;
      BOOST_TEST(workspace.run([&] { return parallelJacobian(kTag, x, 3); }) == expected);
    }
}

BOOST_AUTO_TEST_CASE(hessians) {
  for (const std::size_t n : {0, 1, 7, 8, 9, 17, 40}) {
    recordMany(1, n);
    const std::vector<double> x = pointOf(n), expected = ADOLC::hessian(kTag, x);
    for (const bool shared : {false, true}) {
      shared ? findTape(kTag).setSharedMode() : findTape(kTag).setExclusiveMode();
      for (const unsigned threads : {0u, 1u, 2u, 3u, 16u}) {
        BOOST_TEST(parallelHessian(kTag, x, threads) == expected,
                   n << " with " << threads << " threads");
        std::vector<double> H(n * n);
        BOOST_TEST(parallelHessian(kTag, x, H, threads) == 3);
      }
    }
    ADOLC::Workspace workspace;
    BOOST_TEST(workspace.run([&] { return parallelHessian(kTag, x, 3); }) == expected);
  }
}

BOOST_AUTO_TEST_CASE(batches) {
  recordMany(3, 4);
  for (const bool shared : {false, true}) {
    shared ? findTape(kTag).setSharedMode() : findTape(kTag).setExclusiveMode();
    for (const std::size_t count : {0, 1, 2, 7, 100}) {
      std::vector<double> points, values, empty;
      for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double> x = pointOf(4, 0.01 * static_cast<double>(i));
        const std::vector<double> y = ADOLC::function(kTag, x);
        points.insert(points.end(), x.begin(), x.end());
        values.insert(values.end(), y.begin(), y.end());
      }
      for (const unsigned threads : {0u, 1u, 2u, 5u})
        BOOST_TEST(evaluateBatch(kTag, points, threads) == values);
    }
  }
}

BOOST_AUTO_TEST_CASE(gradients) {
  recordMany(1, 6);
  std::vector<double> points, expected;
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> x = pointOf(6, 0.03 * i), g = ADOLC::gradient(kTag, x);
    points.insert(points.end(), x.begin(), x.end());
    expected.insert(expected.end(), g.begin(), g.end());
  }
  for (const bool shared : {false, true}) {
    shared ? findTape(kTag).setSharedMode() : findTape(kTag).setExclusiveMode();
    for (const unsigned threads : {0u, 1u, 2u, 5u})
      BOOST_TEST(gradientBatch(kTag, points, threads) == expected);
  }
}

BOOST_AUTO_TEST_CASE(without_independents_or_dependents) {
  record(kTag, {}, [](std::vector<adouble> &) {
    std::vector<adouble> y;
    y.push_back(adouble(2.5));
    return y;
  });
  std::vector<double> values(3);
  BOOST_TEST(evaluateBatch(kTag, {}, values, 2) == 3);
  BOOST_TEST(values == std::vector<double>(3, 2.5), boost::test_tools::per_element());
  BOOST_TEST(parallelJacobian(kTag, {}).empty());
  record(kTag, {1.0}, [](std::vector<adouble> &) { return std::vector<adouble>(); });
  BOOST_TEST(parallelJacobian(kTag, std::vector{1.0}).empty());
  BOOST_TEST(evaluateBatch(kTag, std::vector{1.0, 2.0}).empty());
}

BOOST_AUTO_TEST_CASE(points_beyond_the_branch) {
  recordScalar(kTag, {2.0}, [](std::vector<adouble> &x) {
    if (x[0] > 1.0)
      return x[0] * x[0];
    return 2.0 * x[0];
  });
  const std::vector<double> points{2.0, 0.5, 3.0};
  std::vector<double> values(3), gradients(3);
  BOOST_TEST(evaluateBatch(kTag, points, values, 2) == -1);
  BOOST_TEST(values[0] == 4.0);
  BOOST_TEST(std::isnan(values[1]));
  BOOST_TEST(values[2] == 9.0);
  BOOST_TEST(gradientBatch(kTag, points, gradients, 2) == -1);
  BOOST_TEST(gradients[0] == 4.0);
  BOOST_TEST(std::isnan(gradients[1]));
  BOOST_TEST(gradients[2] == 6.0);
  // The operation is the one of the first such point, in whatever thread.
  const std::size_t operation = findTape(kTag).lastBranchSwitch().operation;
  for (const unsigned threads : {1u, 2u, 4u})
    expectError(ErrorType::BRANCH_SWITCH, {"operation " + std::to_string(operation)},
                [&] { evaluateBatch(kTag, points, threads); });
  std::vector<double> J(1, 7.0);
  BOOST_TEST(parallelJacobian(kTag, std::vector{0.5}, J) == -1);
  BOOST_TEST(std::isnan(J[0]));
  J[0] = 7.0;
  BOOST_TEST(parallelHessian(kTag, std::vector{0.5}, J) == -1);
  BOOST_TEST(std::isnan(J[0]));
}

// Nobody has said that these may be called by several threads.
BOOST_AUTO_TEST_CASE(external_functions_are_left_to_one_thread) {
  trace_on(kTag);
  {
    adouble x;
    x <<= 1.0;
    findTape(kTag).registerExtDiff();
    double v = 0.0;
    x >>= v;
  }
  trace_off();
  BOOST_TEST(evaluateBatch(kTag, std::vector{1.0, 2.0, 3.0}, 4) == (std::vector{1.0, 2.0, 3.0}));
  findTape(kTag).setSharedMode();
  expectError(ErrorType::EXT_DIFF_SHARED_MODE, {}, [&] {
    evaluateBatch(kTag, std::vector{1.0, 2.0}, 4);
  });
}

BOOST_AUTO_TEST_CASE(on_disk) {
  findOrCreateTape(kTag).memoryBudget(std::size_t{1} << 16);
  recordMany(30, 60);
  const std::vector<double> x = pointOf(60), expected = ADOLC::jacobian(kTag, x);
  BOOST_TEST(findTape(kTag).spillStatistics().onDisk > 0u);
  for (const unsigned threads : {1u, 2u, 4u})
    BOOST_TEST(parallelJacobian(kTag, x, threads) == expected);
  // Reading back fails in some thread.
  std::vector<double> J(30 * 60, 1.0);
  ADOLC::detail::SpillGroup::failReads(3, EIO);
  expectError(ErrorType::EVAL_OP_TAPE_READ_FAILED, {}, [&] {
    try {
      parallelJacobian(kTag, x, J, 4);
    } catch (const ADOLCError::ADOLCError &error) { // whichever stream it is
      BOOST_TEST(std::string(error.what()).find("reading back") != std::string::npos);
      fail(ErrorType::EVAL_OP_TAPE_READ_FAILED, CURRENT_LOCATION, {.info1 = kTag});
    }
  });
  ADOLC::detail::SpillGroup::failReads(0, 0);
  BOOST_TEST(allNaN(J));
  BOOST_TEST(parallelJacobian(kTag, x, 4) == expected);
  recordMany(1, 60);
  BOOST_TEST(parallelHessian(kTag, x, 4) == ADOLC::hessian(kTag, x));
}

BOOST_AUTO_TEST_CASE(misuse) {
  recordMany(2, 3);
  std::vector<double> x = pointOf(3), J(6, 1.0), few(5, 1.0), values(4, 1.0);
  expectError(ErrorType::SIZE_MISMATCH, {}, [&] { parallelJacobian(kTag, x, few); });
  BOOST_TEST(allNaN(few));
  expectError(ErrorType::SIZE_MISMATCH, {}, [&] { parallelJacobian(kTag, values, J); });
  BOOST_TEST(allNaN(J));
  expectError(ErrorType::SIZE_MISMATCH, {}, [&] { evaluateBatch(kTag, few, values); });
  BOOST_TEST(allNaN(values));
  expectError(ErrorType::SIZE_MISMATCH, {}, [&] { evaluateBatch(kTag, std::vector(6, 0.0), few); });
  expectError(ErrorType::WRONG_DEPENDENT_COUNT, {}, [&] { gradientBatch(kTag, x); });
  expectError(ErrorType::WRONG_DEPENDENT_COUNT, {}, [&] { parallelHessian(kTag, x); });
  expectError(ErrorType::NO_TAPE_ID, {}, [&] { parallelJacobian(999, x); });
  expectError(ErrorType::NO_TAPE_ID, {}, [&] { parallelHessian(999, x); });
  trace_on(kTag);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [&] { parallelJacobian(kTag, x); });
  trace_off();
}

// What goes wrong in a helper reaches the caller, and the tape can be used as before.
BOOST_AUTO_TEST_CASE(exceptions) {
  recordMany(40, 40);
  const std::vector<double> x = pointOf(40);
  std::vector<double> J(1600, 1.0);
  const auto former = ADOLC::detail::BlockPool::setLimit(ADOLC::detail::BlockPool::bytesInUse());
  expectError(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, {},
              [&] { parallelJacobian(kTag, x, J, 4); });
  ADOLC::detail::BlockPool::setLimit(former);
  BOOST_TEST(allNaN(J));
  BOOST_TEST(parallelJacobian(kTag, x, 4) == ADOLC::jacobian(kTag, x));
  recordMany(1, 40);
  ADOLC::detail::BlockPool::setLimit(ADOLC::detail::BlockPool::bytesInUse());
  expectError(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, {},
              [&] { parallelHessian(kTag, x, J, 4); });
  ADOLC::detail::BlockPool::setLimit(former);
  BOOST_TEST(allNaN(J));
  std::vector<double> few(1599, 1.0);
  expectError(ErrorType::SIZE_MISMATCH, {"1600", "1599"}, [&] { parallelHessian(kTag, x, few); });
  BOOST_TEST(allNaN(few));
  BOOST_TEST(parallelHessian(kTag, x, 4) == ADOLC::hessian(kTag, x));
}

BOOST_AUTO_TEST_SUITE_END()
