// SPDX-License-Identifier: MIT
// Products and quotients of truncated series.
#include "support/expect.h"

#include <adolc/convolut.h>

using namespace test;

namespace {

using Series = std::vector<double>;

const Series kA{1.0, 2.0, -3.0, 0.5}, kB{2.0, -1.0, 4.0, 3.0};
const Series kProduct{2.0, 3.0, -4.0, 15.0};

Series plus(const Series &a, const Series &b, double sign) {
  Series result = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    result[i] += sign * b[i];
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(convolution)

BOOST_AUTO_TEST_CASE(products) {
  const Series before{0.5, 1.5, 2.5, 3.5}, zero(4, 0.0);
  struct Kind {
    void (*function)(int, double *, const double *, double *);
    Series expected;
    bool clears;
  };
  const Kind kinds[] = {
      {[](int d, double *a, const double *b, double *c) { conv(d, a, b, c); }, kProduct, false},
      {conv0, kProduct, true},
      {[](int d, double *a, const double *b, double *c) { inconv(d, a, b, c); },
       plus(before, kProduct, 1.0), false},
      {inconv0, plus(before, kProduct, 1.0), true},
      {[](int d, double *a, const double *b, double *c) { inconv1(d, a, b, c); },
       plus(before, kProduct, 1.0), false},
      {[](int d, double *a, const double *b, double *c) { deconv(d, a, b, c); },
       plus(before, kProduct, -1.0), false},
      {deconv0, plus(before, kProduct, -1.0), true},
      {[](int d, double *a, const double *b, double *c) { deconv1(d, a, b, c); },
       plus(before, kProduct, -1.0), false}};
  for (const Kind &kind : kinds) {
    Series a = kA, b = kB, c = before;
    kind.function(4, a.data(), b.data(), c.data());
    BOOST_TEST(c == kind.expected, boost::test_tools::per_element());
    BOOST_TEST(a == (kind.clears ? zero : kA), boost::test_tools::per_element());
    BOOST_TEST(b == kB, boost::test_tools::per_element());
    kind.function(0, nullptr, nullptr, nullptr);
    // Only dim coefficients are touched.
    a = kA;
    c = before;
    kind.function(1, a.data(), b.data(), c.data());
    BOOST_TEST(c[0] == kind.expected[0]);
    BOOST_TEST(c[1] == before[1]);
    BOOST_TEST(a[1] == kA[1]);
    expectError(ErrorType::NULL_ARGUMENT, {"conv"},
                [&] { kind.function(4, nullptr, b.data(), c.data()); });
    expectError(ErrorType::NULL_ARGUMENT, {"conv"},
                [&] { kind.function(4, a.data(), b.data(), nullptr); });
    expectError(ErrorType::NEGATIVE_NUMBER, {"conv", "-1"},
                [&] { kind.function(-1, a.data(), b.data(), c.data()); });
  }
}

BOOST_AUTO_TEST_CASE(quotients) {
  Series c(4), back(4), one{1.0, 0.0, 0.0, 0.0};
  divide(4, kProduct.data(), kB.data(), c.data());
  BOOST_TEST(c == kA, boost::test_tools::per_element());
  recipr(4, 3.0, kB.data(), c.data());
  conv(4, c.data(), kB.data(), back.data());
  BOOST_TEST(back == (Series{3.0, 0.0, 0.0, 0.0}), boost::test_tools::per_element());
  // 1/(1 - t)
  const Series b{1.0, -1.0, 0.0, 0.0};
  recipr(4, 1.0, b.data(), c.data());
  BOOST_TEST(c == Series(4, 1.0), boost::test_tools::per_element());
  divide(4, one.data(), b.data(), c.data());
  BOOST_TEST(c == Series(4, 1.0), boost::test_tools::per_element());
  expectError(ErrorType::NULL_ARGUMENT, {"divide"},
              [&] { divide(1, nullptr, b.data(), c.data()); });
  expectError(ErrorType::NULL_ARGUMENT, {"recipr"}, [&] { recipr(1, 1.0, nullptr, c.data()); });
}

BOOST_AUTO_TEST_CASE(clearing) {
  Series a = kA, copy(4);
  copyAndZeroset(3, a.data(), copy.data());
  BOOST_TEST(copy == (Series{1.0, 2.0, -3.0, 0.0}), boost::test_tools::per_element());
  BOOST_TEST(a == (Series{0.0, 0.0, 0.0, 0.5}), boost::test_tools::per_element());
  zeroset(4, a.data());
  BOOST_TEST(a == Series(4, 0.0), boost::test_tools::per_element());
  zeroset(0, nullptr);
  expectError(ErrorType::NULL_ARGUMENT, {"zeroset"}, [] { zeroset(1, nullptr); });
  expectError(ErrorType::NULL_ARGUMENT, {"copyAndZeroset"},
              [&] { copyAndZeroset(1, a.data(), nullptr); });
}

BOOST_AUTO_TEST_SUITE_END()
