// SPDX-License-Identifier: MIT
// Labels of dependence, of programs for which they are known.
#include "support/expect.h"

#include "interp/dependence.h"

#include <adolc/configuration.h>

#include <boost/test/unit_test.hpp>

#include <functional>

using namespace test;
using namespace ADOLC::detail;

namespace {

constexpr short kTag = 171;
using Labels = std::vector<short>;
using Variables = std::vector<adouble>;

/// Labels [lanes][n] of the tape, for what `sweep` says of weights.
Labels labelsOf(std::size_t lanes, const std::function<void(TaylorReverse &)> &sweep) {
  TapeEvaluationContext context(kTag, "test", TapeUse::reads);
  const std::size_t n = context.recording().numInds;
  Labels labels(lanes * n, 99);
  std::vector<short *> rows;
  for (std::size_t l = 0; l < lanes; ++l)
    rows.push_back(labels.data() + l * n);
  TaylorReverse arguments{.context = context, .lanes = lanes};
  sweep(arguments);
  dependenceLabels(arguments, rows.data());
  return labels;
}
/// Of each dependent.
Labels labelsOfAll() {
  return labelsOf(ADOLC::tapeShape(kTag).m, [](TaylorReverse &) {});
}

/// Of one function of three variables.
void check(const char *name, const Labels &expected, const std::function<adouble(Variables &)> &f) {
  recordScalar(kTag, {0.5, 0.25, 0.125}, f);
  BOOST_TEST_CONTEXT(name)
  BOOST_TEST(labelsOfAll() == expected, boost::test_tools::per_element());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(dependence, CleanThread)

BOOST_AUTO_TEST_CASE(kinds_of_operations) {
  check("copy", {1, 0, 0}, [](auto &x) { return x[0]; });
  check("constant", {0, 0, 0}, [](auto &) { return adouble(1.0); });
  check("sum", {1, 1, 0}, [](auto &x) { return 2.0 * x[0] - x[1] / 3.0 + 1.0; });
  check("difference in place", {1, 1, 0}, [](auto &x) {
    adouble y = x[0];
    y -= x[1];
    y *= 4.0;
    return y;
  });
  check("product", {2, 2, 0}, [](auto &x) { return x[0] * x[1]; });
  check("square", {0, 2, 0}, [](auto &x) { return x[1] * x[1]; });
  check("sum of products", {2, 2, 1}, [](auto &x) {
    adouble y = x[2];
    y += x[0] * x[1];
    return y;
  });
  check("sum of multiples", {1, 0, 1}, [](auto &x) {
    adouble y = x[2];
    y += x[0] * 3.0;
    return y;
  });
  check("fma", {2, 2, 1}, [](auto &x) { return fma(x[0], x[1], x[2]); });
  check("ldexp", {1, 0, 0}, [](auto &x) { return ldexp(x[0], 3); });
  check("quotient", {3, 3, 0}, [](auto &x) { return x[0] / x[1]; });
  check("reciprocal", {0, 3, 0}, [](auto &x) { return 1.0 / x[1]; });
  check("exponential", {0, 0, 4}, [](auto &x) { return exp(x[2]); });
  check("square root", {4, 0, 0}, [](auto &x) { return sqrt(x[0]); });
  check("atan2", {4, 4, 0}, [](auto &x) { return atan2(x[0], x[1]); });
  check("absolute value", {5, 0, 0}, [](auto &x) { return fabs(x[0]); });
  check("minimum", {5, 5, 0}, [](auto &x) { return fmin(x[0], x[1]); });
  check("maximum with a constant", {5, 0, 0}, [](auto &x) { return fmax(x[0], 1.0); });
  check("step", {5, 0, 0}, [](auto &x) { return floor(x[0]); });
  check("fraction", {5, 0, 0}, [](auto &x) {
    adouble integral;
    return modf(x[0], &integral);
  });
  check("modulus", {5, 5, 0}, [](auto &x) { return fmod(x[0], x[1]); });
}

// What only selects has no derivative.
BOOST_AUTO_TEST_CASE(conditions) {
  check("conditional assignment", {0, 5, 5}, [](auto &x) {
    adouble y;
    condassign(y, x[0], x[1], x[2]);
    return y;
  });
  check("conditional assignment to itself", {0, 5, 5}, [](auto &x) {
    adouble y = x[2];
    condassign(y, x[0], x[1]);
    return y;
  });
  check("condition that is a value, too", {5, 0, 5}, [](auto &x) {
    adouble y;
    condeqassign(y, x[0], x[0], x[2]);
    return y;
  });
  check("sign", {5, 0, 0}, [](auto &x) { return copysign(x[0], x[1]); });
  check("comparison", {1, 0, 0}, [](auto &x) { return x[1] > x[2] ? 2.0 * x[0] : x[0] * 1.0; });
}

BOOST_AUTO_TEST_CASE(powers) {
  const std::vector<std::pair<double, short>> labels = {{0.0, 0},  {1.0, 1},  {2.0, 2},  {7.0, 2},
                                                        {-1.0, 3}, {-2.0, 3}, {0.5, 4},  {-1.5, 4},
                                                        {kInf, 4}, {kNaN, 4}, {1e300, 2}};
  for (const auto &[exponent, label] : labels) {
    recordScalar(kTag, {2.0}, [&](auto &x) { return pow(x[0], exponent); });
    BOOST_TEST(labelsOfAll() == Labels{label});
  }
  check("active exponent", {4, 4, 0}, [](auto &x) { return pow(x[0], x[1]); });
  check("constant base", {0, 4, 0}, [](auto &x) { return pow(2.0, x[1]); });
  check("power of a power", {4, 0, 0}, [](auto &x) { return pow(pow(x[0], 0.5), 2.0); });
}

// The highest kind on the way counts, of all ways.
BOOST_AUTO_TEST_CASE(compositions) {
  check("linear of transcendental", {4, 2, 0}, [](auto &x) { return sin(x[0]) * x[1]; });
  check("transcendental of linear", {4, 4, 1},
        [](auto &x) { return exp(x[0] + 2.0 * x[1]) + x[2]; });
  check("two ways", {3, 2, 1}, [](auto &x) { return x[0] * x[1] + 1.0 / x[0] + x[2] - x[0]; });
  check("overwritten", {0, 1, 0}, [](auto &x) {
    adouble y = sin(x[0]);
    y = x[1];
    return y;
  });
  check("overwritten by a constant", {0, 0, 1}, [](auto &x) {
    adouble y = sin(x[0]);
    y = 1.0;
    y += x[2];
    return y;
  });
  check("result as operand", {4, 0, 0}, [](auto &x) {
    adouble y = x[0];
    y = sin(y);
    return y;
  });
  check("in a loop", {2, 0, 1}, [](auto &x) {
    adouble y = x[2];
    for (int i = 0; i < 5000; ++i) // several segments
      y = y + x[0] * x[0];
    return y;
  });
  check("variable that was an independent", {1, 0, 0}, [](auto &x) {
    adouble y = x[0];
    x[0] = sin(x[1]);
    return y;
  });
}

BOOST_AUTO_TEST_CASE(weights) {
  record(kTag, {0.5, 0.25, 0.125}, [](Variables &x) {
    Variables y;
    y.push_back(x[0] + x[1]);
    y.push_back(x[1] * x[2]);
    y.push_back(sin(x[2]));
    return y;
  });
  BOOST_TEST(labelsOfAll() == (Labels{1, 1, 0, 0, 2, 2, 0, 0, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(labelsOf(2, [](TaylorReverse &s) { s.firstUnit = 1; }) == (Labels{0, 2, 2, 0, 0, 4}),
             boost::test_tools::per_element());
  Matrix U(4, 3);
  U[0][0] = U[0][1] = 1.0;
  U[1][2] = kNaN;
  U[2][1] = -0.0;
  U[3][0] = U[3][1] = U[3][2] = 1e-300;
  BOOST_TEST(labelsOf(4, [&](TaylorReverse &s) { s.weights = U.get(); }) ==
                 (Labels{1, 2, 2, 0, 0, 4, 0, 0, 0, 1, 2, 4}),
             boost::test_tools::per_element());
  // Polynomials: any coefficient.
  double coefficients[3][2] = {{0.0, 2.0}, {0.0, 0.0}, {1.0, 0.0}};
  const double *const rows[] = {coefficients[0], coefficients[1], coefficients[2]};
  const double *const *const cubes[] = {rows};
  BOOST_TEST(labelsOf(1, [&](TaylorReverse &s) { s.weightPolynomials = cubes; }) ==
                 (Labels{1, 1, 4}),
             boost::test_tools::per_element());
}

// More lanes than one walk takes, and tapes that are on disk for the most part.
BOOST_AUTO_TEST_CASE(many_lanes) {
  for (const bool small : {false, true}) {
    if (small)
      findTape(kTag).memoryBudget(1 << 15);
    constexpr std::size_t size = 37;
    record(kTag, std::vector<double>(size, 0.5), [](Variables &x) {
      Variables y(size);
      for (std::size_t i = 0; i < size; ++i) {
        y[i] = x[i];
        for (int k = 0; k < 200; ++k)
          y[i] = y[i] * x[(i + 1) % size];
      }
      return y;
    });
    const Labels labels = labelsOfAll();
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        BOOST_TEST(labels[i * size + j] == (j == i || j == (i + 1) % size ? 2 : 0));
  }
  findTape(kTag).memoryBudget(0);
}

BOOST_AUTO_TEST_CASE(nothing_to_do) {
  record(kTag, {}, [](Variables &) { return Variables(1); });
  BOOST_TEST(labelsOfAll() == Labels{});
  record(kTag, {1.0, 2.0}, [](Variables &) { return Variables(); });
  BOOST_TEST(labelsOfAll() == Labels{});
  BOOST_TEST(labelsOf(1, [](TaylorReverse &) {}) == (Labels{0, 0}));
}

BOOST_AUTO_TEST_SUITE_END()
