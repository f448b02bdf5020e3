// SPDX-License-Identifier: MIT
// Drivers of first order against each other and against what was worked out by hand.
#include "support/expect.h"

#include <adolc/adalloc.h>

#include <boost/test/unit_test.hpp>

#include <random>

using namespace test;

namespace {

constexpr short kTag = 111;

/// y_i = Σ_j a_ij x_j + b_i x_{i mod n}², a dense smooth function of any shape.
struct Dense {
  std::size_t m, n;
  double a(std::size_t i, std::size_t j) const {
    return 0.5 + static_cast<double>((7 * i + 3 * j) % 11);
  }
  double b(std::size_t i) const { return 1.0 + static_cast<double>(i); }
  template <class T> std::vector<T> operator()(const std::vector<T> &x) const {
    std::vector<T> y;
    for (std::size_t i = 0; i < m; ++i) {
      T s = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        s += a(i, j) * x[j];
      if (n > 0)
        s += b(i) * (x[i % n] * x[i % n]);
      y.push_back(s);
    }
    return y;
  }
  double derivative(const std::vector<double> &x, std::size_t i, std::size_t j) const {
    return a(i, j) + (n > 0 && j == i % n ? 2.0 * b(i) * x[j] : 0.0);
  }
};

std::vector<double> point(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t j = 0; j < n; ++j)
    x[j] = 0.25 * static_cast<double>(j + 1) - 1.0;
  return x;
}

void recordDense(const Dense &f) {
  record(kTag, std::vector<double>(f.n, 0.5), [&](std::vector<adouble> &x) { return f(x); });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(first_order_drivers, CleanThread)

// Both modes of jacobian, every width of a strip, no rows, no columns.
BOOST_AUTO_TEST_CASE(jacobians_of_all_shapes) {
  std::vector<std::pair<std::size_t, std::size_t>> shapes;
  for (std::size_t m = 0; m <= 7; ++m)
    for (std::size_t n = 0; n <= 7; ++n)
      shapes.push_back({m, n});
  for (const std::size_t big : {15u, 16u, 17u, 31u, 33u, 64u, 65u}) {
    shapes.push_back({1, big});
    shapes.push_back({3, big});
    shapes.push_back({big, 2});
    shapes.push_back({big, big});
    shapes.push_back({big / 3, big});
  }
  for (const auto &[m, n] : shapes)
    BOOST_TEST_CONTEXT("m = " << m << ", n = " << n) {
      const Dense f{m, n};
      recordDense(f);
      const std::vector<double> x = point(n);
      const int rows = static_cast<int>(m), columns = static_cast<int>(n);
      Matrix J(m, n, 99.0);
      BOOST_TEST(jacobian(kTag, rows, columns, x.data(), J.get()) == 3);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
          BOOST_TEST(J[i][j] == f.derivative(x, i, j));
      BOOST_TEST(ADOLC::jacobian(kTag, x) == J.flat(), boost::test_tools::per_element());

      std::vector<double> y(m, 99.0);
      const std::vector<double> expected = f(x);
      BOOST_TEST(function(kTag, rows, columns, x.data(), y.data()) == 3);
      BOOST_TEST(y == expected, boost::test_tools::per_element());
      BOOST_TEST(ADOLC::function(kTag, x) == expected, boost::test_tools::per_element());

      std::vector<double> u(m), z(n, 99.0), v(n), w(m, 99.0);
      for (std::size_t i = 0; i < m; ++i)
        u[i] = 1.0 + 0.5 * static_cast<double>(i);
      for (std::size_t j = 0; j < n; ++j)
        v[j] = 2.0 - 0.5 * static_cast<double>(j);
      BOOST_TEST(vec_jac(kTag, rows, columns, 0, x.data(), u.data(), z.data()) == 3);
      BOOST_TEST(jac_vec(kTag, rows, columns, x.data(), v.data(), w.data()) == 3);
      double uJv = 0.0, zv = 0.0, uw = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        zv += z[j] * v[j];
        for (std::size_t i = 0; i < m; ++i)
          uJv += u[i] * J[i][j] * v[j];
      }
      for (std::size_t i = 0; i < m; ++i)
        uw += u[i] * w[i];
      BOOST_TEST(zv == uJv, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(uw == uJv, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(ADOLC::vec_jac(kTag, x, u) == z, boost::test_tools::per_element());
      BOOST_TEST(ADOLC::jac_vec(kTag, x, v) == w, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(large_jacobian_for_every_number_of_runs) {
  for (std::size_t n = 0; n <= 9; ++n) {
    const Dense f{3, n};
    recordDense(f);
    std::vector<double> x = point(n), before = x;
    for (int k = -2; k <= static_cast<int>(n) + 3; ++k)
      BOOST_TEST_CONTEXT("n = " << n << ", k = " << k) {
        Matrix J(3, n, 99.0);
        std::vector<double> y(3, 99.0);
        BOOST_TEST(large_jacobian(kTag, 3, static_cast<int>(n), k, x.data(), y.data(), J.get()) ==
                   3);
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < n; ++j)
            BOOST_TEST(J[i][j] == f.derivative(x, i, j));
        BOOST_TEST(y == f(x), boost::test_tools::per_element());
        BOOST_TEST(x == before, boost::test_tools::per_element());
        std::vector<double> flat(3 * n, 99.0);
        BOOST_TEST(ADOLC::large_jacobian(kTag, k, x, y, flat) == 3);
        BOOST_TEST(flat == J.flat(), boost::test_tools::per_element());
      }
  }
}

// The worst code of all runs: the tie is met by the direction of one column only.
BOOST_AUTO_TEST_CASE(large_jacobian_returns_the_worst_code) {
  record(kTag, {1.0, 2.0, 3.0}, [](auto &x) {
    std::vector<adouble> y;
    y.push_back(fabs(x[0]) + x[1] * x[2]);
    return y;
  });
  double x[] = {0.0, 1.0, 1.0}, y = 0.0;
  for (const int k : {1, 2, 3}) {
    Matrix J(1, 3, 99.0);
    BOOST_TEST(large_jacobian(kTag, 1, 3, k, x, &y, J.get()) == 1);
    BOOST_TEST(J.flat() == (std::vector<double>{1.0, 1.0, 1.0}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(products_with_repeat) {
  ADOLC::tryRemoveTape(kTag); // no Taylor stack was ever there
  recordDense({2, 3});
  const Dense f{2, 3};
  const std::vector<double> x = point(3), other{1.0, 1.0, 1.0}, u{1.0, 0.0}, w{0.0, 1.0};
  std::vector<double> z(3, 99.0);
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {"vec_jac", std::to_string(kTag)},
              [&] { vec_jac(kTag, 2, 3, 1, x.data(), u.data(), z.data()); });
  BOOST_TEST(allNaN(z));
  BOOST_TEST(vec_jac(kTag, 2, 3, 0, x.data(), u.data(), z.data()) == 3);
  BOOST_TEST(z[0] == f.derivative(x, 0, 0));
  // x is not read
  BOOST_TEST(vec_jac(kTag, 2, 3, 1, nullptr, w.data(), z.data()) == 3);
  for (std::size_t j = 0; j < 3; ++j)
    BOOST_TEST(z[j] == f.derivative(x, 1, j));
  // sweeps without keep in between do not disturb
  std::vector<double> y(2);
  BOOST_TEST(function(kTag, 2, 3, other.data(), y.data()) == 3);
  BOOST_TEST(jac_vec(kTag, 2, 3, other.data(), x.data(), y.data()) == 3);
  BOOST_TEST(vec_jac(kTag, 2, 3, 7, other.data(), u.data(), z.data()) == 3);
  for (std::size_t j = 0; j < 3; ++j)
    BOOST_TEST(z[j] == f.derivative(x, 0, j));
  // one with keep does
  BOOST_TEST(zos_forward(kTag, 2, 3, 1, other.data(), y.data()) == 3);
  BOOST_TEST(vec_jac(kTag, 2, 3, 1, nullptr, u.data(), z.data()) == 3);
  for (std::size_t j = 0; j < 3; ++j)
    BOOST_TEST(z[j] == f.derivative(other, 0, j));
}

BOOST_AUTO_TEST_CASE(dependent_twice_and_constant_dependents) {
  record(kTag, {3.0}, [](auto &x) {
    adouble s = x[0] * x[0];
    double ignored;
    s >>= ignored;
    s >>= ignored;
    adouble seven = 7.0;
    seven >>= ignored;
    x[0] >>= ignored; // an independent as a dependent
    return std::vector<adouble>();
  });
  const double at = 3.0, u[] = {1.0, 1.0, 5.0, 0.0};
  double y[4], z = 0.0;
  BOOST_TEST(function(kTag, 4, 1, &at, y) == 3);
  BOOST_TEST((y[0] == 9.0 && y[1] == 9.0 && y[2] == 7.0 && y[3] == 3.0));
  BOOST_TEST(vec_jac(kTag, 4, 1, 0, &at, u, &z) == 3);
  BOOST_TEST(z == 12.0);
  Matrix J(4, 1, 99.0);
  BOOST_TEST(jacobian(kTag, 4, 1, &at, J.get()) == 3);
  BOOST_TEST(J.flat() == (std::vector<double>{6.0, 6.0, 0.0, 1.0}),
             boost::test_tools::per_element());
  Matrix U = Matrix::unit(4), Z(4, 1, 99.0);
  BOOST_TEST(zos_forward(kTag, 4, 1, 1, &at, y) == 3);
  BOOST_TEST(fov_reverse(kTag, 4, 1, 4, U.get(), Z.get()) == 3);
  BOOST_TEST(Z.flat() == J.flat(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_independent_or_dependent) {
  record(kTag, {}, [](auto &) {
    std::vector<adouble> y;
    y.push_back(adouble(3.0));
    return y;
  });
  double y = 99.0;
  BOOST_TEST(zos_forward(kTag, 1, 0, 1, nullptr, &y) == 3);
  BOOST_TEST(y == 3.0);
  BOOST_TEST(gradient(kTag, 0, nullptr, nullptr) == 3);
  BOOST_TEST(jacobian(kTag, 1, 0, nullptr, nullptr) == 3);
  record(kTag, {1.0, 2.0}, [](auto &) { return std::vector<adouble>(); });
  const double at[] = {1.0, 2.0};
  BOOST_TEST(function(kTag, 0, 2, at, nullptr) == 3);
  BOOST_TEST(jacobian(kTag, 0, 2, at, nullptr) == 3);
  double z[] = {99.0, 99.0};
  BOOST_TEST(vec_jac(kTag, 0, 2, 0, at, nullptr, z) == 3);
  BOOST_TEST((z[0] == 0.0 && z[1] == 0.0));
  expectError(ErrorType::WRONG_DEPENDENT_COUNT, {"gradient", std::to_string(kTag), "0", "1"},
              [&] { gradient(kTag, 2, at, z); });
}

BOOST_AUTO_TEST_CASE(infinite_partials_of_unused_branches) {
  recordScalar(kTag, {1.0}, [](auto &x) {
    adouble unused = 1.0 / x[0];
    return 3.0 * x[0];
  });
  const double at = 0.0;
  double g = 99.0, y = 99.0;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 0.0);
  BOOST_TEST(gradient(kTag, 1, &at, &g) == 3);
  BOOST_TEST(g == 3.0);
}

BOOST_AUTO_TEST_CASE(workspace_is_clean_between_calls) {
  // Two tapes of different size, three numbers of weights: always as in a fresh process.
  const Dense small{8, 2}, large{8, 40};
  record(kTag, std::vector<double>(2, 0.5), [&](auto &x) { return small(x); });
  record(kTag + 1, std::vector<double>(40, 0.5), [&](auto &x) { return large(x); });
  Matrix U = Matrix::unit(8);
  for (const std::size_t q : {8u, 3u, 8u, 1u, 5u})
    for (const bool second : {false, true}) {
      const Dense &f = second ? large : small;
      const short tag = second ? kTag + 1 : kTag;
      const int n = static_cast<int>(f.n);
      const std::vector<double> x = point(f.n);
      std::vector<double> y(8);
      BOOST_TEST(zos_forward(tag, 8, n, 1, x.data(), y.data()) == 3);
      Matrix Z(q, f.n, 99.0);
      BOOST_TEST(fov_reverse(tag, 8, n, static_cast<int>(q), U.get(), Z.get()) == 3);
      for (std::size_t i = 0; i < q; ++i)
        for (std::size_t j = 0; j < f.n; ++j)
          BOOST_TEST(Z[i][j] == f.derivative(x, i, j));
    }
}

BOOST_AUTO_TEST_CASE(offset_and_partitioned_forward_sweeps) {
  const Dense f{2, 4};
  recordDense(f);
  const std::vector<double> x = point(4);
  Matrix seeds(4, 6), results(2, 6, 99.0);
  for (std::size_t j = 0; j < 4; ++j)
    seeds[j][j + 1] = 1.0;
  std::vector<double> y(2);
  BOOST_TEST(fov_offset_forward(kTag, 2, 4, 3, 2, x.data(), seeds.get(), y.data(), results.get()) ==
             3);
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST((results[i][0] == 99.0 && results[i][1] == 99.0 && results[i][5] == 99.0));
    for (std::size_t c = 2; c < 5; ++c)
      BOOST_TEST(results[i][c] == f.derivative(x, i, c - 1));
  }
  // blocks of 1, 0 and 3
  const int ndim[] = {1, 0, 3};
  const double *blocks[] = {x.data(), nullptr, x.data() + 1};
  y.assign(2, 99.0);
  BOOST_TEST(zos_forward_partx(kTag, 2, 3, ndim, blocks, y.data()) == 3);
  BOOST_TEST(y == f(x), boost::test_tools::per_element());
  Matrix pairs(4, 2), both(2, 2, 99.0);
  for (std::size_t j = 0; j < 4; ++j) {
    pairs[j][0] = x[j];
    pairs[j][1] = j == 2 ? 1.0 : 0.0;
  }
  const double *const *pairBlocks[] = {pairs.get(), nullptr, pairs.get() + 1};
  BOOST_TEST(fos_forward_partx(kTag, 2, 3, ndim, pairBlocks, both.get()) == 3);
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST(both[i][0] == y[i]);
    BOOST_TEST(both[i][1] == f.derivative(x, i, 2));
  }
  Matrix unit = Matrix::unit(4), J(2, 4, 99.0);
  const double *const *unitBlocks[] = {unit.get(), nullptr, unit.get() + 1};
  BOOST_TEST(fov_forward_partx(kTag, 2, 3, ndim, 4, blocks, unitBlocks, y.data(), J.get()) == 3);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      BOOST_TEST(J[i][j] == f.derivative(x, i, j));
  BOOST_TEST(fov_forward_partx(kTag, 2, 3, ndim, 0, blocks, nullptr, y.data(), nullptr) == 3);

  int wrong[] = {1, 0, 2};
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"zos_forward_partx", std::to_string(kTag), "4", "3"},
              [&] { zos_forward_partx(kTag, 2, 3, wrong, blocks, y.data()); });
  wrong[1] = -1;
  wrong[2] = 4;
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"fov_forward_partx", "-1"}, [&] {
    fov_forward_partx(kTag, 2, 3, wrong, 4, blocks, unitBlocks, y.data(), J.get());
  });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"fos_forward_partx", "-3"},
              [&] { fos_forward_partx(kTag, 2, -3, ndim, pairBlocks, both.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"zos_forward_partx"},
              [&] { zos_forward_partx(kTag, 2, 3, nullptr, blocks, y.data()); });
  expectError(ErrorType::NULL_ARGUMENT, {"zos_forward_partx"},
              [&] { zos_forward_partx(kTag, 2, 3, ndim, nullptr, y.data()); });
  blocks[0] = nullptr;
  expectError(ErrorType::NULL_ARGUMENT, {"zos_forward_partx"},
              [&] { zos_forward_partx(kTag, 2, 3, ndim, blocks, y.data()); });
  both.get()[1] = nullptr;
  expectError(ErrorType::NULL_ARGUMENT, {"fos_forward_partx"},
              [&] { fos_forward_partx(kTag, 2, 3, ndim, pairBlocks, both.get()); });
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"fos_forward_partx"},
              [&] { fos_forward_partx(kTag, 2000000000, 3, ndim, pairBlocks, both.get()); });
}

// ── span forms ──────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(span_sweeps) {
  const Dense f{2, 3};
  recordDense(f);
  const std::vector<double> x = point(3), seed{0.0, 1.0, 0.0}, u{0.0, 1.0};
  std::vector<double> y(2, 99.0), Y(2, 99.0), z(3, 99.0), X(9, 0.0), Ys(6, 99.0), U{1, 0, 0, 1},
      Z(6, 99.0);
  X[0] = X[4] = X[8] = 1.0;
  BOOST_TEST(ADOLC::tapeShape(kTag).m == 2u);
  BOOST_TEST(ADOLC::tapeShape(kTag).n == 3u);
  BOOST_TEST(ADOLC::zos_forward(kTag, 1, x, y) == 3);
  BOOST_TEST(y == f(x), boost::test_tools::per_element());
  BOOST_TEST(ADOLC::fos_reverse(kTag, u, z) == 3);
  BOOST_TEST(z[2] == f.derivative(x, 1, 2));
  BOOST_TEST(ADOLC::fov_reverse(kTag, 2, U, Z) == 3);
  BOOST_TEST(ADOLC::fos_forward(kTag, 0, x, seed, y, Y) == 3);
  BOOST_TEST(Y[0] == f.derivative(x, 0, 1));
  BOOST_TEST(ADOLC::fov_forward(kTag, 3, x, X, y, Ys) == 3);
  BOOST_TEST(Ys == Z, boost::test_tools::per_element());
  BOOST_TEST(ADOLC::fov_forward(kTag, 0, x, {}, y, {}) == 3);
  BOOST_TEST(ADOLC::fov_reverse(kTag, 0, {}, {}) == 3);
}

BOOST_AUTO_TEST_CASE(span_sizes) {
  recordDense({2, 3});
  const std::string tag = std::to_string(kTag);
  const std::vector<double> x(3), x4(4), x2(2);
  std::vector<double> y(2, 99.0), y1(1), y3(3), J(6, 99.0), J5(5);
  const auto mismatch = [&](const char *name, std::size_t expected, std::size_t given, auto f) {
    expectError(ErrorType::SIZE_MISMATCH,
                {name, tag, std::to_string(expected), std::to_string(given)}, f);
  };
  mismatch("function", 3, 4, [&] { ADOLC::function(kTag, x4, y); });
  mismatch("function", 2, 1, [&] { ADOLC::function(kTag, x, y1); });
  mismatch("function", 3, 2, [&] { ADOLC::function(kTag, x2); });
  mismatch("jacobian", 6, 5, [&] { ADOLC::jacobian(kTag, x, J5); });
  mismatch("jacobian", 3, 0, [&] { ADOLC::jacobian(kTag, {}, J); });
  mismatch("large_jacobian", 2, 3, [&] { ADOLC::large_jacobian(kTag, 2, x, y3, J); });
  mismatch("vec_jac", 2, 3, [&] { ADOLC::vec_jac(kTag, x, x); });
  mismatch("jac_vec", 3, 2, [&] { ADOLC::jac_vec(kTag, x, x2); });
  mismatch("zos_forward", 3, 2, [&] { ADOLC::zos_forward(kTag, 0, x2, y); });
  mismatch("fos_forward", 3, 2, [&] { ADOLC::fos_forward(kTag, 0, x, x2, y, y); });
  mismatch("fov_forward", 9, 6, [&] { ADOLC::fov_forward(kTag, 3, x, J, y, J); });
  mismatch("fos_reverse", 3, 2, [&] { ADOLC::fos_reverse(kTag, y, y); });
  mismatch("fov_reverse", 4, 2, [&] { ADOLC::fov_reverse(kTag, 2, y, J); });
  mismatch("jac_solv", 3, 2, [&] { ADOLC::jac_solv(kTag, x, y3); }); // not square
  expectError(ErrorType::WRONG_DEPENDENT_COUNT, {"gradient", tag, "2"},
              [&] { ADOLC::gradient(kTag, x); });
  expectError(ErrorType::NO_TAPE_ID, {"31111", "function"}, [&] { ADOLC::function(31111, x); });
  expectError(ErrorType::NO_TAPE_ID, {"31111", "tapeShape"}, [&] { ADOLC::tapeShape(31111); });
  BOOST_TEST(allNaN(y));
  BOOST_TEST(allNaN(J));
}

// ── jac_solv ────────────────────────────────────────────────────────────────────────────────────

namespace {
/// F'(x) = [[2 x0, 1], [a, x0 x1…]]
void recordSquare(double a) {
  record(kTag, {1.0, 1.0}, [a](auto &x) {
    std::vector<adouble> y;
    y.push_back(x[0] * x[0] + x[1]);
    y.push_back(a * x[0] + x[1] * x[1]);
    return y;
  });
}
int solveAt(const double *x, double *b, int mode) {
  return jac_solv(static_cast<unsigned short>(kTag), 2, x, b, static_cast<unsigned short>(mode));
}
} // namespace

BOOST_AUTO_TEST_CASE(solving) {
  for (const int first : {-1, 0, 1, 2}) { // what is called before
    recordSquare(4.0);
    const double x[] = {3.0, 2.0}; // [[6, 1], [4, 4]]
    double b[] = {8.0, 12.0};
    if (first >= 0) {
      BOOST_TEST(solveAt(x, b, first) == 3);
      if (first < 2)
        BOOST_TEST((b[0] == 8.0 && b[1] == 12.0));
      b[0] = 8.0;
      b[1] = 12.0;
    }
    BOOST_TEST(solveAt(x, b, 2) == 3);
    BOOST_TEST(b[0] == 1.0, boost::test_tools::tolerance(1e-15));
    BOOST_TEST(b[1] == 2.0, boost::test_tools::tolerance(1e-15));
    // another right-hand side, another point
    b[0] = 7.0;
    b[1] = 8.0;
    BOOST_TEST(solveAt(x, b, 2) == 3);
    BOOST_TEST(b[0] == 1.0, boost::test_tools::tolerance(1e-15));
    const double other[] = {0.5, 1.0}; // [[1, 1], [4, 2]]
    b[0] = 2.0;
    b[1] = 6.0;
    BOOST_TEST(solveAt(other, b, 2) == 3);
    BOOST_TEST(b[0] == 1.0, boost::test_tools::tolerance(1e-15));
    BOOST_TEST(b[1] == 1.0, boost::test_tools::tolerance(1e-15));
  }
}

BOOST_AUTO_TEST_CASE(solving_after_recording_again) {
  const double x[] = {3.0, 2.0};
  double b[] = {7.0, 8.0};
  recordSquare(4.0);
  BOOST_TEST(solveAt(x, b, 2) == 3);
  recordSquare(10.0); // [[6, 1], [10, 4]]
  b[0] = 7.0;
  b[1] = 14.0;
  BOOST_TEST(solveAt(x, b, 2) == 3);
  BOOST_TEST(b[0] == 1.0, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(b[1] == 1.0, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(solving_after_new_parameters) {
  record(kTag, {1.0, 1.0}, [](auto &x) {
    pdouble p(2.0);
    std::vector<adouble> y;
    y.push_back(p * x[0]);
    y.push_back(x[1] + x[0]);
    return y;
  });
  const double x[] = {1.0, 1.0}, p = 4.0;
  double b[] = {2.0, 2.0};
  BOOST_TEST(solveAt(x, b, 2) == 3);
  BOOST_TEST((b[0] == 1.0 && b[1] == 1.0));
  set_param_vec(kTag, 1, &p);
  b[0] = 8.0;
  b[1] = 5.0;
  BOOST_TEST(solveAt(x, b, 2) == 3);
  BOOST_TEST((b[0] == 2.0 && b[1] == 3.0));
}

BOOST_AUTO_TEST_CASE(singular_and_refused) {
  recordSquare(4.0);
  const double x[] = {1.0, 1.0}; // [[2, 1], [4, 2]]
  double b[] = {5.0, 6.0};
  BOOST_TEST(solveAt(x, b, 0) == 3);
  BOOST_TEST(solveAt(x, b, 1) == -3);
  BOOST_TEST(solveAt(x, b, 2) == -3);
  BOOST_TEST((b[0] == 5.0 && b[1] == 6.0));
  const double fine[] = {3.0, 2.0};
  BOOST_TEST(solveAt(fine, b, 2) == 3);
  const double nan[] = {kNaN, 2.0};
  BOOST_TEST(solveAt(nan, b, 2) == -3);
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"jac_solv", std::to_string(kTag), "3", "2"},
              [&] { solveAt(fine, b, 3); });
  expectError(ErrorType::NULL_ARGUMENT, {"jac_solv"}, [&] { solveAt(fine, nullptr, 2); });
  expectError(ErrorType::NULL_ARGUMENT, {"jac_solv"}, [&] { solveAt(nullptr, b, 0); });
  BOOST_TEST(solveAt(fine, nullptr, 1) == 3);
  expectError(ErrorType::NO_TAPE_ID, {"-1"}, [&] { jac_solv(65535, 2, fine, b, 2); });
  recordDense({2, 3});
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"jac_solv"}, [&] { solveAt(fine, b, 2); });
  recordDense({0, 0});
  BOOST_TEST(jac_solv(static_cast<unsigned short>(kTag), 0, nullptr, nullptr, 2) == 3);
}

// F'(x) at 0 and at -0 are different matrices.
BOOST_AUTO_TEST_CASE(solving_at_signed_zeros) {
  record(kTag, {1.0}, [](auto &x) {
    std::vector<adouble> y;
    y.push_back(x[0] * copysign(adouble(2.0), x[0]));
    return y;
  });
  const auto solveScalar = [](double x) {
    double b = 2.0;
    BOOST_TEST(jac_solv(static_cast<unsigned short>(kTag), 1, &x, &b, 2) >= 0);
    return b;
  };
  BOOST_TEST(solveScalar(0.0) == 1.0);
  BOOST_TEST(solveScalar(-0.0) == -1.0);
}

BOOST_AUTO_TEST_CASE(solving_random_systems) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const std::size_t n : {1u, 2u, 5u, 20u, 40u}) {
    std::vector<double> a(n * n), x(n), b(n), solution(n);
    for (double &v : a)
      v = uniform(random);
    for (double &v : x)
      v = uniform(random);
    for (double &v : solution)
      v = uniform(random);
    record(kTag, x, [&](auto &ax) {
      std::vector<adouble> y(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          y[i] += a[i * n + j] * sin(ax[j]);
      return y;
    });
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        b[i] += a[i * n + j] * std::cos(x[j]) * solution[j];
    BOOST_TEST(ADOLC::jac_solv(kTag, x, b) == 3);
    for (std::size_t j = 0; j < n; ++j)
      BOOST_TEST(std::fabs(b[j] - solution[j]) < 1e-10);
  }
}

BOOST_AUTO_TEST_SUITE_END()
