// SPDX-License-Identifier: MIT
// Drivers of second order: against what was worked out by hand, against differences of gradients,
// and against each other.
#include "support/expect.h"

#include <adolc/workspace.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

using namespace test;

namespace {

constexpr short kTag = 131;

/// Σ_i c_i x_i x_{i+1} + Σ_i x_i³ / 6, cyclic: the Hessian is known in a few operations, so that it
/// is the same to a few units in the last place.
struct Chain {
  std::size_t n;
  static double c(std::size_t i) { return 1.0 + 0.25 * static_cast<double>(i); }
  template <class T> T operator()(const std::vector<T> &x) const {
    T sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += c(i) * (x[i] * x[(i + 1) % n]);
      sum += x[i] * x[i] * x[i] / 6.0;
    }
    return sum;
  }
  std::vector<double> hessian(const std::vector<double> &x) const {
    std::vector<double> H(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      H[i * n + i] += x[i];
      const std::size_t j = (i + 1) % n;
      H[i * n + j] += c(i);
      H[j * n + i] += c(i);
    }
    return H;
  }
};

/// Something of each kind of smooth function.
template <class T> T mixture(const std::vector<T> &x) {
  using std::atan, std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tanh;
  T sum = 1.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T &a = x[i], &b = x[(i + 1) % x.size()];
    sum += sin(a) * exp(0.5 * b) + a / (2.0 + b * b);
    sum *= 1.0 + 0.01 * tanh(a * b);
    sum += log(1.5 + a * a) + sqrt(2.0 + sin(b)) + pow(1.5 + cos(a), 2.5) + pow(b, 3.0) + atan(a);
  }
  return sum;
}

std::vector<double> pointOf(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = 0.3 + 0.1 * static_cast<double>(i);
  return x;
}
template <class F> void recordAt(std::size_t n, F &&f) {
  recordScalar(kTag, std::vector<double>(n, 0.5), [&](std::vector<adouble> &x) { return f(x); });
}

/// Relative to 1 or to the larger one.
bool close(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max({1.0, std::fabs(a), std::fabs(b)});
}
void expectClose(const std::vector<double> &a, const std::vector<double> &b, double tolerance) {
  BOOST_REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    BOOST_TEST(close(a[i], b[i], tolerance), "entry " << i << ": " << a[i] << " and " << b[i]);
}

/// Central differences of gradients, extrapolated once.
std::vector<double> differences(short tag, const std::vector<double> &x) {
  const std::size_t n = x.size();
  std::vector<double> H(n * n);
  const auto slope = [&](std::size_t j, double h) {
    std::vector<double> above = x, below = x;
    above[j] += h;
    below[j] -= h;
    std::vector<double> g = ADOLC::gradient(tag, above), other = ADOLC::gradient(tag, below);
    for (std::size_t i = 0; i < n; ++i)
      g[i] = (g[i] - other[i]) / (2.0 * h);
    return g;
  };
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<double> coarse = slope(j, 2e-3), fine = slope(j, 1e-3);
    for (std::size_t i = 0; i < n; ++i)
      H[i * n + j] = (4.0 * fine[i] - coarse[i]) / 3.0;
  }
  return H;
}

/// H times the columns of V[n·q].
std::vector<double> product(const std::vector<double> &H, const std::vector<double> &V,
                            std::size_t q) {
  const std::size_t n = static_cast<std::size_t>(std::sqrt(static_cast<double>(H.size())) + 0.5);
  std::vector<double> W(n * q);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < q; ++k)
        W[i * q + k] += H[i * n + j] * V[j * q + k];
  return W;
}
std::vector<double> directionsOf(std::size_t n, std::size_t q) {
  std::vector<double> V(n * q);
  for (std::size_t k = 0; k < V.size(); ++k)
    V[k] = 1.0 - 0.125 * static_cast<double>(k % 13);
  return V;
}

constexpr std::size_t kSizes[] = {0, 1, 2, 7, 8, 9, 16, 17};

} // namespace

BOOST_FIXTURE_TEST_SUITE(second_order_drivers, CleanThread)

BOOST_AUTO_TEST_CASE(hessians_that_are_known) {
  for (const std::size_t n : kSizes)
    BOOST_TEST_CONTEXT("n = " << n) {
      const Chain f{n};
      recordAt(n, f);
      const std::vector<double> x = pointOf(n), expected = f.hessian(x);
      // Rows as long as they must be.
      std::vector<std::vector<double>> triangle, other;
      std::vector<double *> rows, otherRows;
      for (std::size_t i = 0; i < n; ++i) {
        triangle.emplace_back(i + 1, 99.0);
        other.emplace_back(i + 1, 99.0);
      }
      for (std::size_t i = 0; i < n; ++i) {
        rows.push_back(triangle[i].data());
        otherRows.push_back(other[i].data());
      }
      std::vector<double> changeable = x;
      BOOST_TEST(hessian(kTag, static_cast<int>(n), x.data(), rows.data()) == 3);
      BOOST_TEST(hessian2(kTag, static_cast<int>(n), changeable.data(), otherRows.data()) == 3);
      BOOST_TEST(changeable == x, boost::test_tools::per_element());
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          BOOST_TEST(close(triangle[i][j], expected[i * n + j], 1e-14),
                     triangle[i][j] << " and " << expected[i * n + j]);
      BOOST_TEST((triangle == other));
      expectClose(ADOLC::hessian(kTag, x), expected, 1e-14);
    }
}

// What lies above the diagonal is left alone, with and without an error.
BOOST_AUTO_TEST_CASE(only_the_lower_triangle) {
  const std::size_t n = 10;
  recordScalar(kTag, std::vector<double>(n, 0.5), [&](auto &x) {
    if (x[0] > 0.0)
      return Chain{n}(x);
    return x[0] * 1.0;
  });
  std::vector<double> x = pointOf(n);
  for (const bool beyond : {false, true}) {
    x[0] = beyond ? -1.0 : 1.0;
    Matrix H(n, n, 99.0);
    BOOST_TEST(hessian(kTag, static_cast<int>(n), x.data(), H.get()) == (beyond ? -1 : 3));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (j > i)
          BOOST_TEST(H[i][j] == 99.0);
        else
          BOOST_TEST(std::isnan(H[i][j]) == beyond);
  }
}

BOOST_AUTO_TEST_CASE(hessians_against_differences) {
  for (const std::size_t n : {1u, 2u, 5u, 9u, 17u})
    BOOST_TEST_CONTEXT("n = " << n) {
      recordAt(n, mixture<adouble>);
      const std::vector<double> x = pointOf(n), H = ADOLC::hessian(kTag, x);
      expectClose(H, differences(kTag, x), 1e-7);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          BOOST_TEST(H[i * n + j] == H[j * n + i]);
      // The upper triangle as the sweeps compute it: column by column.
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<double> unit(n), w;
        unit[j] = 1.0;
        w = ADOLC::hess_vec(kTag, x, unit);
        for (std::size_t i = 0; i < n; ++i)
          BOOST_TEST(close(w[i], H[i * n + j], 1e-12));
      }
    }
}

BOOST_AUTO_TEST_CASE(products_with_directions) {
  for (const std::size_t n : kSizes)
    for (const std::size_t q : {0u, 1u, 2u, 7u, 8u, 9u, 17u})
      BOOST_TEST_CONTEXT("n = " << n << ", q = " << q) {
        const Chain f{n};
        recordAt(n, f);
        const std::vector<double> x = pointOf(n), V = directionsOf(n, q),
                                  expected = product(f.hessian(x), V, q);
        Matrix in(n, q), out(n, q, 99.0);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < q; ++k)
            in[i][k] = V[i * q + k];
        BOOST_TEST(hess_mat(kTag, static_cast<int>(n), static_cast<int>(q), x.data(), in.get(),
                            out.get()) == 3);
        expectClose(out.flat(), expected, 1e-13);
        BOOST_TEST(ADOLC::hess_mat(kTag, q, x, V) == out.flat(), boost::test_tools::per_element());
        for (std::size_t k = 0; k < q; ++k) {
          std::vector<double> v(n), w(n, 99.0), column(n);
          for (std::size_t i = 0; i < n; ++i) {
            v[i] = V[i * q + k];
            column[i] = expected[i * q + k];
          }
          BOOST_TEST(hess_vec(kTag, static_cast<int>(n), x.data(), v.data(), w.data()) == 3);
          expectClose(w, column, 1e-13);
          BOOST_TEST(ADOLC::hess_vec(kTag, x, v) == w, boost::test_tools::per_element());
        }
      }
}

BOOST_AUTO_TEST_CASE(products_of_weighted_sums) {
  for (const std::size_t n : {1u, 2u, 5u, 9u})
    for (const std::size_t m : {0u, 1u, 2u, 3u}) {
      BOOST_TEST_CONTEXT("m = " << m << ", n = " << n) {
        record(kTag, std::vector<double>(n, 0.5), [&](std::vector<adouble> &x) {
          std::vector<adouble> y(m);
          for (std::size_t i = 0; i < m; ++i)
            y[i] = i == 0 ? Chain{n}(x) : mixture(x) * static_cast<double>(i) + x[0] * x[n - 1];
          return y;
        });
        const std::vector<double> x = pointOf(n), v = directionsOf(n, 1);
        std::vector<double> u(m), w(n, 99.0);
        for (std::size_t i = 0; i < m; ++i)
          u[i] = i == 1 ? -0.5 : 2.0;
        BOOST_TEST(lagra_hess_vec(kTag, static_cast<int>(m), static_cast<int>(n), x.data(),
                                  v.data(), u.data(), w.data()) == 3);
        BOOST_TEST(ADOLC::lagra_hess_vec(kTag, x, v, u) == w, boost::test_tools::per_element());
        // The sum recorded as one dependent.
        recordAt(n, [&](std::vector<adouble> &a) {
          adouble sum = 0.0;
          for (std::size_t i = 0; i < m; ++i)
            sum += u[i] *
                   (i == 0 ? Chain{n}(a) : mixture(a) * static_cast<double>(i) + a[0] * a[n - 1]);
          return sum;
        });
        expectClose(w, ADOLC::hess_vec(kTag, x, v), 1e-12);
      }
    }
}

// Powers at 0, where partials of the first order are 0 or infinite.
BOOST_AUTO_TEST_CASE(special_points) {
  const auto second = [](double x, auto &&f) {
    recordScalar(kTag, {0.5}, [&](std::vector<adouble> &a) { return f(a[0]); });
    return ADOLC::hessian(kTag, std::vector{x})[0];
  };
  BOOST_TEST(second(0.0, [](const adouble &x) { return pow(x, 2.0); }) == 2.0);
  BOOST_TEST(second(0.0, [](const adouble &x) { return pow(x, 3.0); }) == 0.0);
  BOOST_TEST(second(0.0, [](const adouble &x) { return pow(x, 1.0); }) == 0.0);
  BOOST_TEST(second(0.0, [](const adouble &x) { return pow(x, 0.0); }) == 0.0);
  BOOST_TEST(second(0.0, [](const adouble &x) { return x * x; }) == 2.0);
  BOOST_TEST(second(0.0, [](const adouble &x) { return sin(x); }) == 0.0);
  BOOST_TEST(second(0.0, [](const adouble &x) { return exp(x); }) == 1.0);
  BOOST_TEST(second(-2.0, [](const adouble &x) { return fabs(x) * x; }) == -2.0);
  BOOST_TEST(second(2.0, [](const adouble &x) { return fmax(x * x, x); }) == 2.0);
  BOOST_TEST(second(0.25, [](const adouble &x) { return fmax(x * x, x); }) == 0.0);
}

BOOST_AUTO_TEST_CASE(functions_that_are_known) {
  const auto check = [](const char *name, const std::vector<double> &x,
                        const std::vector<double> &expected, auto &&f) {
    recordScalar(kTag, std::vector<double>(x.size(), 0.5), f);
    BOOST_TEST_CONTEXT(name)
    expectClose(ADOLC::hessian(kTag, x), expected, 1e-15);
  };
  check("norm", {1.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, [](auto &x) {
    adouble s = 0.0;
    for (const adouble &xi : x)
      s += xi * xi;
    return sqrt(s);
  });
  check("quotient behind a condition", {1.0, 2.0}, {0.0, -0.25, -0.25, 0.25}, [](auto &x) {
    adouble y;
    condassign(y, x[1], x[0] / x[1], adouble(0.0));
    return y;
  });
  check("error function", {0.5}, {-0.8787825789354448}, [](auto &x) { return erf(x[0]); });
  check("reciprocal of itself", {2.0}, {0.25}, [](auto &x) { return x[0] = 1.0 / x[0]; });
  check("twice", {2.0}, {0.0}, [](auto &x) {
    x[0] = 1.0 / x[0];
    return x[0] = 1.0 / x[0];
  });
  check("square of a difference", {1.0}, {2.0}, [](auto &x) {
    const adouble d = x[0] - 2.0 * x[0];
    return d * d;
  });
  check("a -= a", {3.0}, {0.0}, [](auto &x) { return x[0] -= x[0]; });
  check("a /= a", {3.0}, {0.0}, [](auto &x) { return x[0] /= x[0]; });
  check("a += a", {3.0}, {0.0}, [](auto &x) { return x[0] += x[0]; });
  check("a *= a", {3.0}, {2.0}, [](auto &x) { return x[0] *= x[0]; });
  recordScalar(kTag, {0.5}, [](auto &x) { return pow(x[0], 1.875); });
  BOOST_TEST(ADOLC::hessian(kTag, std::vector{0.0})[0] == kInf);
}

// A derivative of a derivative does not take the perturbation of one for that of the other: with h
// = x (x + y), x ∂/∂y (x + y) is ∂h/∂y, whose derivative along x = y is that along (1, 1).
BOOST_AUTO_TEST_CASE(perturbations_are_not_confused) {
  recordScalar(kTag, {0.5, 0.5}, [](auto &x) { return x[0] * (x[0] + x[1]); });
  BOOST_TEST(ADOLC::hess_vec(kTag, std::vector{5.0, 5.0}, std::vector{1.0, 1.0})[1] == 1.0);
  recordScalar(kTag, {0.5, 0.5}, [](auto &x) { return x[0] * x[1]; });
  BOOST_TEST(ADOLC::hess_vec(kTag, std::vector{1.0, 1.0}, std::vector{1.0, 0.0})[1] == 1.0);
}

// Codes of both sweeps count.
BOOST_AUTO_TEST_CASE(return_codes) {
  const std::vector<double> unit{1.0, 0.0};
  std::vector<double> w(2), H(4);
  recordScalar(kTag, {1.0, 1.0}, [](auto &x) { return fabs(x[0]) * x[1]; });
  BOOST_TEST(ADOLC::hess_vec(kTag, std::vector{1.0, 2.0}, unit, w) == 3);
  BOOST_TEST(ADOLC::hess_vec(kTag, std::vector{-1.0, 2.0}, unit, w) == 2);
  BOOST_TEST((w[0] == 0.0 && w[1] == -1.0));
  BOOST_TEST(ADOLC::hess_vec(kTag, std::vector{0.0, 2.0}, unit, w) == 1);
  BOOST_TEST(ADOLC::hessian(kTag, std::vector{0.0, 2.0}, H) == 1);
  recordScalar(kTag, {1.0, 1.0}, [](auto &x) {
    if (x[0] > x[1] - 1.0)
      return x[0] * x[1];
    return x[0] * 1.0;
  });
  const std::vector<double> beyond{0.0, 2.0};
  const auto outside = [&](const char *name, std::vector<double> &out, auto &&f) {
    BOOST_TEST_CONTEXT(name) {
      out.assign(out.size(), 99.0);
      BOOST_TEST(f() == -1);
      BOOST_TEST(allNaN(out));
      const auto &operands = findTape(kTag).lastBranchSwitch().operands; // 0 and 1
      BOOST_TEST((operands[0] != operands[1] && operands[0] + operands[1] == 1.0));
    }
  };
  outside("hessian", H, [&] { return ADOLC::hessian(kTag, beyond, H); });
  outside("hess_vec", w, [&] { return ADOLC::hess_vec(kTag, beyond, unit, w); });
  outside("hess_mat", H, [&] { return ADOLC::hess_mat(kTag, 2, beyond, H, H); });
  outside("lagra_hess_vec", w,
          [&] { return ADOLC::lagra_hess_vec(kTag, beyond, unit, std::vector{1.0}, w); });
  expectError(ErrorType::BRANCH_SWITCH, {"hessian", std::to_string(kTag)},
              [&] { ADOLC::hessian(kTag, beyond); });
  expectError(ErrorType::BRANCH_SWITCH, {"hess_mat"},
              [&] { ADOLC::hess_mat(kTag, 0, beyond, {}); }); // also without directions
  // The stack of a sweep that was stopped is of no use.
  expectError(ErrorType::REVERSE_NO_FOWARD, {"fos_reverse"},
              [&] { ADOLC::fos_reverse(kTag, std::vector{1.0}, w); });
}

BOOST_AUTO_TEST_CASE(no_second_derivatives) {
  recordScalar(kTag, {1.0, 2.0, 3.0}, [](auto &x) { return 2.0 * x[0] - x[1] / 4.0; });
  BOOST_TEST(ADOLC::hessian(kTag, std::vector{1.0, 2.0, 3.0}) == std::vector<double>(9, 0.0),
             boost::test_tools::per_element());
  recordScalar(kTag, {1.0}, [](auto &) { return adouble(2.0); });
  BOOST_TEST(ADOLC::hessian(kTag, std::vector{1.0}) == std::vector<double>(1, 0.0),
             boost::test_tools::per_element());
}

// Several segments, in memory and on disk.
BOOST_AUTO_TEST_CASE(long_tapes) {
  for (const bool onDisk : {false, true}) {
    findOrCreateTape(kTag).memoryBudget(onDisk ? 1 << 15 : 0);
    recordAt(3, [](std::vector<adouble> &x) {
      adouble a = x[0], b = x[1];
      for (int i = 0; i < 3000; ++i) {
        a += 1e-3 * b * x[2];
        b -= 1e-3 * sin(a);
      }
      return a * b;
    });
    const std::vector<double> x{0.5, 0.25, 0.75}, H = ADOLC::hessian(kTag, x);
    expectClose(H, differences(kTag, x), 1e-6);
    BOOST_TEST((H[1] == H[3] && H[2] == H[6] && H[5] == H[7]));
    const std::vector<double> V = directionsOf(3, 4);
    expectClose(ADOLC::hess_mat(kTag, 4, x, V), product(H, V, 4), 1e-12);
  }
  findTape(kTag).memoryBudget(0);
  ADOLC::removeTape(kTag);
}

BOOST_AUTO_TEST_CASE(wrong_arguments) {
  recordAt(3, Chain{3});
  const std::string tag = std::to_string(kTag);
  const double x[3] = {1.0, 2.0, 3.0}, u[1] = {1.0};
  double w[3] = {99.0, 99.0, 99.0};
  Matrix V(3, 2, 1.0), W(3, 3, 99.0);
  double *some[3] = {W[0], nullptr, W[2]};
  const double *someIn[3] = {V[0], V[1], nullptr};
  double *const none = nullptr;
  const auto counts = ErrorType::FWD_COUNTS_MISMATCH, null = ErrorType::NULL_ARGUMENT;
  expectError(counts, {"hessian", tag, "2", "3"}, [&] { hessian(kTag, 2, x, W.get()); });
  expectError(counts, {"hessian2", tag}, [&] { hessian2(kTag, -1, w, W.get()); });
  expectError(counts, {"hess_vec", tag}, [&] { hess_vec(kTag, 4, x, x, w); });
  expectError(counts, {"hess_mat", tag}, [&] { hess_mat(kTag, 2, 2, x, V.get(), W.get()); });
  expectError(counts, {"lagra_hess_vec", tag}, [&] { lagra_hess_vec(kTag, 2, 3, x, x, u, w); });
  expectError(null, {"hessian", tag}, [&] { hessian(kTag, 3, nullptr, W.get()); });
  expectError(null, {"hessian", tag}, [&] { hessian(kTag, 3, x, nullptr); });
  expectError(null, {"hessian", tag}, [&] { hessian(kTag, 3, x, some); });
  expectError(null, {"hess_vec", tag}, [&] { hess_vec(kTag, 3, none, x, w); });
  expectError(null, {"hess_vec", tag}, [&] { hess_vec(kTag, 3, x, none, w); });
  expectError(null, {"hess_vec", tag}, [&] { hess_vec(kTag, 3, x, x, none); });
  expectError(null, {"hess_mat", tag}, [&] { hess_mat(kTag, 3, 2, x, nullptr, W.get()); });
  expectError(null, {"hess_mat", tag}, [&] { hess_mat(kTag, 3, 2, x, V.get(), nullptr); });
  expectError(null, {"hess_mat", tag}, [&] { hess_mat(kTag, 3, 2, x, someIn, W.get()); });
  expectError(null, {"hess_mat", tag}, [&] { hess_mat(kTag, 3, 2, x, V.get(), some); });
  expectError(null, {"lagra_hess_vec"}, [&] { lagra_hess_vec(kTag, 1, 3, x, x, none, w); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"hess_mat", tag, "-1"},
              [&] { hess_mat(kTag, 3, -1, x, V.get(), W.get()); });
  expectError(ErrorType::NO_TAPE_ID, {"31111", "hessian"}, [&] { hessian(31111, 3, x, W.get()); });
  // Nothing was written: nobody knows where it would have been.
  BOOST_TEST((w[0] == 99.0 && W[0][0] == 99.0));
  BOOST_TEST(hess_mat(kTag, 3, 0, x, nullptr, nullptr) == 3);

  record(kTag, {1.0, 2.0}, [](auto &x) { return std::vector<adouble>{x[0], x[1]}; });
  const auto scalar = ErrorType::WRONG_DEPENDENT_COUNT;
  expectError(scalar, {"hessian", tag, "2", "1"}, [&] { hessian(kTag, 2, x, W.get()); });
  expectError(scalar, {"hessian2", tag}, [&] { hessian2(kTag, 2, w, W.get()); });
  expectError(scalar, {"hess_vec", tag}, [&] { hess_vec(kTag, 2, x, x, w); });
  expectError(scalar, {"hess_mat", tag}, [&] { hess_mat(kTag, 2, 1, x, V.get(), W.get()); });
  trace_on(kTag);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"hessian"},
              [&] { hessian(kTag, 2, x, W.get()); });
  trace_off();
}

BOOST_AUTO_TEST_CASE(wrong_sizes_of_spans) {
  recordAt(3, Chain{3});
  const std::string tag = std::to_string(kTag);
  const std::vector<double> x(3), x2(2);
  std::vector<double> w(3, 99.0), H(9, 99.0), y(1);
  const auto mismatch = [&](const char *name, std::size_t expected, std::size_t given, auto f) {
    expectError(ErrorType::SIZE_MISMATCH,
                {name, tag, std::to_string(expected), std::to_string(given)}, f);
  };
  mismatch("hessian", 3, 2, [&] { ADOLC::hessian(kTag, x2, H); });
  mismatch("hessian", 9, 3, [&] { ADOLC::hessian(kTag, x, w); });
  mismatch("hessian", 3, 2, [&] { ADOLC::hessian(kTag, x2); });
  mismatch("hess_vec", 3, 2, [&] { ADOLC::hess_vec(kTag, x, x2, w); });
  mismatch("hess_vec", 3, 9, [&] { ADOLC::hess_vec(kTag, x, x, H); });
  mismatch("hess_mat", 6, 3, [&] { ADOLC::hess_mat(kTag, 2, x, x, w); });
  mismatch("hess_mat", 3, 9, [&] { ADOLC::hess_mat(kTag, 1, x, x, H); });
  mismatch("lagra_hess_vec", 1, 3, [&] { ADOLC::lagra_hess_vec(kTag, x, x, x, w); });
  // Sizes that wrap around, and a number of directions that is no int.
  const std::size_t half = std::size_t{1} << 63;
  recordAt(2, Chain{2});
  expectError(ErrorType::SIZE_MISMATCH, {"hess_mat", tag},
              [&] { ADOLC::hess_mat(kTag, half, x2, {}, {}); });
  expectError(ErrorType::SIZE_MISMATCH, {"fov_forward", tag},
              [&] { ADOLC::fov_forward(kTag, half, x2, {}, y, {}); });
  BOOST_TEST(allNaN(w));
  BOOST_TEST(allNaN(H));
}

BOOST_AUTO_TEST_CASE(in_workspaces_and_shared_mode) {
  const std::size_t n = 9, q = 10;
  recordAt(n, mixture<adouble>);
  const std::vector<double> x = pointOf(n), v = directionsOf(n, 1), V = directionsOf(n, q), u{1.5};
  const std::vector<double> H = ADOLC::hessian(kTag, x), w = ADOLC::hess_vec(kTag, x, v),
                            W = ADOLC::hess_mat(kTag, q, x, V),
                            l = ADOLC::lagra_hess_vec(kTag, x, v, u);
  for (const bool shared : {false, true}) {
    shared ? findTape(kTag).setSharedMode() : findTape(kTag).setExclusiveMode();
    const auto work = [&](std::atomic<int> &wrong) {
      ADOLC::Workspace workspace;
      std::vector<double> all(n * n), one(n), some(n * q), other(n);
      for (int i = 0; i < 20; ++i) {
        ADOLC::hessian(kTag, workspace, x, all);
        ADOLC::hess_vec(kTag, workspace, x, v, one);
        ADOLC::hess_mat(kTag, workspace, q, x, V, some);
        ADOLC::lagra_hess_vec(kTag, workspace, x, v, u, other);
        if (all != H || one != w || some != W || other != l || ADOLC::hessian(kTag, x) != H ||
            ADOLC::hess_vec(kTag, x, v) != w)
          ++wrong;
      }
    };
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] { work(wrong); });
    for (std::thread &thread : threads)
      thread.join();
    BOOST_TEST(wrong == 0);
  }
  ADOLC::removeTape(kTag);
}

BOOST_AUTO_TEST_SUITE_END()
