// SPDX-License-Identifier: MIT
// Tensors of mixed derivatives against closed forms, and their addresses.
#include "support/expect.h"

#include <adolc/drivers/taylor.h>

#include <algorithm>
#include <numeric>
#include <thread>

using namespace test;

namespace {

constexpr short kTag = 91;

struct Fixture : CleanThread {
  ~Fixture() {
    if (findTapePtr_(kTag) != nullptr)
      ADOLC::removeTape(kTag);
  }
};

/// y_e = exp(Σ c_ei x_i): a derivative along directions multiplies it by the sums of c_e times
/// them.
struct Exponentials {
  std::size_t m, n;
  double factor(std::size_t e, std::size_t i) const {
    return 0.25 * static_cast<double>((3 * e + 2 * i) % 7) - 0.7;
  }
  void record(short tag) const {
    test::record(tag, std::vector<double>(n, 0.1), [this](std::vector<adouble> &x) {
      std::vector<adouble> y;
      for (std::size_t e = 0; e < m; ++e) {
        adouble sum = 0.0;
        for (std::size_t i = 0; i < n; ++i)
          sum += factor(e, i) * x[i];
        y.push_back(exp(sum));
      }
      return y;
    });
  }
  double value(std::size_t e, const std::vector<double> &x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      sum += factor(e, i) * x[i];
    return std::exp(sum);
  }
  double along(std::size_t e, const std::vector<double> &S, std::size_t p, std::size_t j) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      sum += factor(e, i) * S[i * p + j];
    return sum;
  }
};

/// Calls f(list) for all lists of d numbers up to p that do not increase, by address.
template <class F> void forEachIndex(int p, std::size_t d, F &&f) {
  std::vector<int> list(d, 0);
  for (;;) {
    f(std::as_const(list));
    std::size_t at = d;
    while (at > 0 && list[at - 1] == (at > 1 ? list[at - 2] : p))
      --at;
    if (at == 0)
      return;
    ++list[at - 1];
    std::fill(list.begin() + static_cast<std::ptrdiff_t>(at), list.end(), 0);
  }
}

std::vector<double> pointOf(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = 0.3 - 0.2 * static_cast<double>(i);
  return x;
}
std::vector<double> directionsOf(std::size_t n, std::size_t p) {
  std::vector<double> S(n * p);
  for (std::size_t k = 0; k < S.size(); ++k)
    S[k] = 0.5 * static_cast<double>((5 * k) % 4) - 0.5;
  return S;
}

/// The largest error of the tensor, relative to what such a derivative can be. What the
/// interpolation multiplies errors of rounding by is about 500 for d = 6, 2000 for d = 8, 10⁵ for d
/// = 12.
double errorOf(const Exponentials &f, int d, std::size_t p) {
  const std::vector<double> x = pointOf(f.n), S = directionsOf(f.n, p);
  const std::vector<double> tensor = ADOLC::tensor_eval(kTag, d, x, S);
  const std::size_t size = static_cast<std::size_t>(binomi(p + to_size_t(d), to_size_t(d)));
  BOOST_REQUIRE(tensor.size() == f.m * size);
  double worst = 0.0;
  for (std::size_t e = 0; e < f.m; ++e) {
    double largest = 0.0;
    for (std::size_t j = 0; j < p; ++j)
      largest = std::max(largest, std::fabs(f.along(e, S, p, j)));
    std::size_t address = 0;
    forEachIndex(static_cast<int>(p), to_size_t(d), [&](const std::vector<int> &list) {
      double expected = f.value(e, x), scale = expected;
      for (const int j : list)
        if (j > 0) {
          expected *= f.along(e, S, p, to_size_t(j - 1));
          scale *= largest;
        }
      worst = std::max(worst, std::fabs(tensor[e * size + address++] - expected) / scale);
    });
  }
  return worst;
}

void recordCube(short tag) { // a³b
  recordScalar(tag, {1.0, 1.0}, [](std::vector<adouble> &x) { return x[0] * x[0] * x[0] * x[1]; });
}
const double kCubeAt[] = {1.5, -0.5};
const std::vector<double> kCube{-1.6875, -3.375, -4.5, -3.0, 3.375, 6.75, 9.0, 0.0, 0.0, 0.0};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tensors, Fixture)

BOOST_AUTO_TEST_CASE(binomial_coefficients) {
  BOOST_TEST(binomi(0, 0) == 1);
  BOOST_TEST(binomi(5, 0) == 1);
  BOOST_TEST(binomi(5, 2) == 10);
  BOOST_TEST(binomi(5, 6) == 0);
  BOOST_TEST(binomi(30, 15) == 155117520);
  if (sizeof(long) == 8) {
    BOOST_TEST(binomi(66, 33) == 7219428434016265740);
    BOOST_TEST(binomi(4294967296, 2) == 9223372034707292160);
  }
  BOOST_TEST(binomi(SIZE_MAX, 0) == 1);
  BOOST_TEST(binomi(SIZE_MAX, SIZE_MAX) == 1);
  for (const auto &[n, k] : {std::pair<std::size_t, std::size_t>{67, 33},
                             {SIZE_MAX, 1},
                             {SIZE_MAX, SIZE_MAX / 2},
                             {4294967297, 2},
                             {200, 100}})
    expectError(ErrorType::BINOMIAL_OVERFLOW, {"binomi", std::to_string(n), std::to_string(k)},
                [n = n, k = k] { binomi(n, k); });
}

BOOST_AUTO_TEST_CASE(addresses) {
  for (int p = 0; p <= 4; ++p)
    for (std::size_t d = 0; d <= 5; ++d) {
      std::size_t expected = 0;
      forEachIndex(p, d, [&](std::vector<int> list) {
        BOOST_TEST(ADOLC::tensor_address(list) == expected);
        std::sort(list.begin(), list.end());
        do { // in any order, which stays
          const std::vector<int> before = list;
          BOOST_TEST(tensor_address(static_cast<int>(d), list.data()) == expected);
          BOOST_TEST(list == before, boost::test_tools::per_element());
        } while (d <= 3 && std::next_permutation(list.begin(), list.end()));
        ++expected;
      });
      BOOST_TEST(static_cast<long>(expected) == binomi(to_size_t(p) + d, d));
    }
  int multi[] = {1, 1, 2};
  BOOST_TEST(tensor_address(3, multi) == 6);
  int high[] = {3, 3, 3};
  BOOST_TEST(tensor_address(3, high) == 19);

  double row0[10], row1[10], *rows[] = {row0, row1}, y[2];
  std::iota(row0, row0 + 10, 0.0);
  std::iota(row1, row1 + 10, 100.0);
  tensor_value(3, 2, y, rows, multi);
  BOOST_TEST((y[0] == 6.0 && y[1] == 106.0));
  BOOST_TEST((multi[0] == 1 && multi[1] == 1 && multi[2] == 2));
  tensor_value(0, 2, y, rows, nullptr);
  BOOST_TEST((y[0] == 0.0 && y[1] == 100.0));

  int negative[] = {0, -2};
  expectError(ErrorType::NEGATIVE_NUMBER, {"tensor_address", "-2"},
              [&] { tensor_address(2, negative); });
  expectError(ErrorType::NEGATIVE_NUMBER, {"tensor_value", "-2"},
              [&] { tensor_value(2, 2, y, rows, negative); });
  expectError(ErrorType::NEGATIVE_NUMBER, {"-1"}, [&] { tensor_address(-1, multi); });
  expectError(ErrorType::NULL_ARGUMENT, {"tensor_address"}, [] { tensor_address(1, nullptr); });
  expectError(ErrorType::NULL_ARGUMENT, {"tensor_value"},
              [&] { tensor_value(3, 2, nullptr, rows, multi); });
  rows[1] = nullptr;
  expectError(ErrorType::NULL_ARGUMENT, {"tensor_value"},
              [&] { tensor_value(3, 2, y, rows, multi); });
  std::vector<int> huge(100, std::numeric_limits<int>::max());
  expectError(ErrorType::BINOMIAL_OVERFLOW, {"tensor_address"},
              [&] { ADOLC::tensor_address(huge); });
}

BOOST_AUTO_TEST_CASE(a_cube_times_a_factor) {
  recordCube(kTag);
  Matrix tensor(1, 10, 99.0), S = Matrix::unit(2);
  for (int repeat = 0; repeat < 2; ++repeat) {
    BOOST_TEST(tensor_eval(kTag, 1, 2, 3, 2, kCubeAt, tensor.get(), S.get()) == 3);
    for (std::size_t k = 0; k < 10; ++k)
      BOOST_TEST(std::fabs(tensor[0][k] - kCube[k]) < 1e-14);
  }
  auto ****const T = reinterpret_cast<double ****>(tensorsetup(1, 2, 3, tensor.get()));
  BOOST_TEST(&T[0][2][1][1] == &tensor[0][6]);
  BOOST_TEST(std::fabs(T[0][2][1][1] - 9.0) < 1e-14);
  forEachIndex(2, 3, [&](const std::vector<int> &j) {
    BOOST_TEST(&T[0][j[0]][j[1]][j[2]] == &tensor[0][ADOLC::tensor_address(j)]);
  });
  freetensor(1, 2, 3, reinterpret_cast<double **>(T));
}

BOOST_AUTO_TEST_CASE(pointers_to_tensors) {
  Matrix tensor(3, 70);
  for (int p = 0; p <= 4; ++p) {
    auto **const one = reinterpret_cast<double **>(tensorsetup(3, p, 1, tensor.get()));
    auto ***const two = reinterpret_cast<double ***>(tensorsetup(3, p, 2, tensor.get()));
    auto *****const four = reinterpret_cast<double *****>(tensorsetup(3, p, 4, tensor.get()));
    for (std::size_t i = 0; i < 3; ++i) {
      for (int a = 0; a <= p; ++a) {
        const int first[] = {a};
        BOOST_TEST(&one[i][a] == &tensor[i][ADOLC::tensor_address(first)]);
        for (int b = 0; b <= a; ++b) {
          const int both[] = {a, b};
          BOOST_TEST(&two[i][a][b] == &tensor[i][ADOLC::tensor_address(both)]);
        }
      }
      forEachIndex(p, 4, [&](const std::vector<int> &j) {
        BOOST_TEST(&four[i][j[0]][j[1]][j[2]][j[3]] == &tensor[i][ADOLC::tensor_address(j)]);
      });
    }
    freetensor(3, p, 1, one);
    freetensor(3, p, 2, reinterpret_cast<double **>(two));
    freetensor(3, p, 4, reinterpret_cast<double **>(four));
  }
  void **const none = tensorsetup(3, 2, 0, tensor.get());
  BOOST_TEST(none[2] == tensor[2]);
  freetensor(3, 2, 0, reinterpret_cast<double **>(none));
  BOOST_TEST(tensorsetup(0, 2, 3, nullptr) == nullptr);
  freetensor(0, 2, 3, nullptr);
  expectError(ErrorType::NULL_ARGUMENT, {"tensorsetup"}, [] { tensorsetup(1, 2, 3, nullptr); });
  expectError(ErrorType::NEGATIVE_NUMBER, {"tensorsetup", "-1"},
              [&] { tensorsetup(1, -1, 3, tensor.get()); });
  expectError(ErrorType::BINOMIAL_OVERFLOW, {"tensorsetup"},
              [&] { tensorsetup(1, 2000000000, 50, tensor.get()); });
}

BOOST_AUTO_TEST_CASE(all_orders_and_directions) {
  const Exponentials f{2, 3};
  f.record(kTag);
  for (int d = 0; d <= 6; ++d)
    for (std::size_t p = 0; p <= 4; ++p)
      BOOST_TEST(errorOf(f, d, p) < 5e-13, d << ", " << p << ": " << errorOf(f, d, p));
  BOOST_TEST(errorOf(f, 8, 3) < 2e-12);
  BOOST_TEST(errorOf(f, 12, 2) < 1e-10);
  BOOST_TEST(errorOf(f, 12, 3) < 1e-10);
  BOOST_TEST(errorOf(f, 30, 1) < 1e-14);
  BOOST_TEST(errorOf(f, 2, 30) < 1e-14);
}

// More directions than one sweep takes, and rows of S that are 0.
BOOST_AUTO_TEST_CASE(many_directions_and_independents) {
  const std::size_t n = 400;
  recordScalar(kTag, std::vector<double>(n, 1.0), [](std::vector<adouble> &x) {
    adouble sum = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
      sum += x[i] * x[i] * x[i + 1];
    return sum;
  });
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = 0.5 + 0.25 * static_cast<double>(i % 5);
  const std::size_t p = 60;
  std::vector<double> S(n * p, 0.0);
  for (std::size_t j = 0; j < p; ++j)
    S[(3 + j) * p + j] = 1.0; // independents 3 … 62
  const std::vector<double> tensor = ADOLC::tensor_eval(kTag, 2, x, S);
  const auto at = [&](int j, int k) {
    const int multi[] = {j, k};
    return tensor[ADOLC::tensor_address(multi)];
  };
  for (int j = 1; j <= 60; ++j) {
    const std::size_t i = to_size_t(j) + 2;
    BOOST_TEST(at(j, 0) == 2 * x[i] * x[i + 1] + x[i - 1] * x[i - 1]);
    BOOST_TEST(at(j, j) == 2 * x[i + 1]);
    if (j < 60)
      BOOST_TEST(at(j, j + 1) == 2 * x[i], boost::test_tools::tolerance(1e-14));
    if (j < 59)
      BOOST_TEST(std::fabs(at(j, j + 2)) < 1e-14);
  }
  std::vector<double> sparse(n * 400, 0.0); // in blocks
  for (std::size_t i = 0; i < n; ++i)
    sparse[i * 400 + i] = 1.0;
  const std::vector<double> all = ADOLC::tensor_eval(kTag, 1, x, sparse);
  const std::vector<double> gradient = ADOLC::gradient(kTag, x);
  BOOST_TEST(std::vector<double>(all.begin() + 1, all.end()) == gradient,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_directions_order_dependents_or_independents) {
  recordCube(kTag);
  double value = 99.0, *row = &value;
  BOOST_TEST(tensor_eval(kTag, 1, 2, 0, 2, kCubeAt, &row, nullptr) == 3);
  BOOST_TEST(value == -1.6875);
  value = 99.0;
  BOOST_TEST(tensor_eval(kTag, 1, 2, 3, 0, kCubeAt, &row, nullptr) == 3);
  BOOST_TEST(value == -1.6875);
  record(kTag, {}, [](std::vector<adouble> &) {
    std::vector<adouble> y;
    y.push_back(adouble(2.5));
    return y;
  });
  double entries[10] = {}, *rows[] = {entries};
  BOOST_TEST(tensor_eval(kTag, 1, 0, 3, 2, nullptr, rows, nullptr) == 3);
  BOOST_TEST((entries[0] == 2.5 && entries[1] == 0.0 && entries[9] == 0.0));
  record(kTag, {1.0}, [](std::vector<adouble> &) { return std::vector<adouble>(); });
  const double x = 1.0, s = 1.0, *S = &s;
  BOOST_TEST(tensor_eval(kTag, 0, 1, 3, 1, &x, nullptr, &S) == 3);
}

BOOST_AUTO_TEST_CASE(threads_with_tapes_of_their_own) {
  std::vector<std::thread> threads;
  std::vector<std::vector<double>> results(8);
  std::vector<int> codes(8, -9);
  for (std::size_t t = 0; t < 8; ++t)
    threads.emplace_back([t, &results, &codes] {
      const short tag = static_cast<short>(200 + t);
      recordScalar(tag, {1.0}, [](std::vector<adouble> &x) {
        adouble twice = 2.0 * x[0];
        return adouble(twice * twice * twice);
      });
      const double x = static_cast<double>(t + 1), one = 1.0, *S = &one;
      std::vector<double> tensor(4);
      double *row = tensor.data();
      codes[t] = tensor_eval(tag, 1, 1, 3, 1, &x, &row, &S);
      results[t] = tensor;
      ADOLC::removeTape(tag);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (std::size_t t = 0; t < 8; ++t) {
    const double x = static_cast<double>(t + 1);
    BOOST_TEST(codes[t] == 3);
    BOOST_TEST(results[t] == (std::vector<double>{8 * x * x * x, 24 * x * x, 48 * x, 48.0}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(threads_on_one_tape) {
  const Exponentials f{2, 3};
  f.record(kTag);
  const std::vector<double> x = pointOf(3), S = directionsOf(3, 2);
  const std::vector<double> expected = ADOLC::tensor_eval(kTag, 4, x, S);
  std::vector<double> inverse(30), again(30);
  findTape(kTag).setSharedMode();
  std::vector<std::vector<double>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<double> &result : results)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 20; ++repeat)
        result = ADOLC::tensor_eval(kTag, 4, x, S);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<double> &result : results)
    BOOST_TEST(result == expected, boost::test_tools::per_element());
  ADOLC::Workspace workspace;
  BOOST_TEST(workspace.run([&] { return ADOLC::tensor_eval(kTag, 4, x, S); }) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_branch) {
  recordScalar(kTag, {1.0},
               [](std::vector<adouble> &x) { return x[0] > 0.0 ? x[0] * x[0] : adouble(-x[0]); });
  const double x = -1.0, s = 1.0, *S = &s;
  double entries[4] = {9.0, 9.0, 9.0, 9.0}, *row = entries;
  BOOST_TEST(tensor_eval(kTag, 1, 1, 3, 1, &x, &row, &S) == -1);
  BOOST_TEST(allNaN({entries, entries + 4}));
  const std::vector<double> at{-1.0}, direction{1.0};
  expectError(ErrorType::BRANCH_SWITCH, {"tensor_eval", std::to_string(kTag)},
              [&] { ADOLC::tensor_eval(kTag, 3, at, direction); });
  const std::vector<int> twice{2};
  std::vector<double> result{9.0};
  BOOST_TEST(ADOLC::derivative(kTag, at, twice, result) == -1);
  BOOST_TEST(allNaN(result));
  expectError(ErrorType::BRANCH_SWITCH, {"derivative", std::to_string(kTag)},
              [&] { ADOLC::derivative(kTag, at, twice); });
}

BOOST_AUTO_TEST_CASE(errors) {
  recordCube(kTag);
  const std::string tag = std::to_string(kTag);
  Matrix tensor(1, 10, 99.0), S = Matrix::unit(2);
  const auto expect = [&](ErrorType type, auto &&call) {
    expectError(type, {"tensor_eval"}, call);
    BOOST_TEST(tensor[0][0] == 99.0);
  };
  expect(ErrorType::ARGUMENT_OUT_OF_RANGE,
         [&] { tensor_eval(kTag, 1, 2, -1, 2, kCubeAt, tensor.get(), S.get()); });
  expect(ErrorType::ARGUMENT_OUT_OF_RANGE,
         [&] { tensor_eval(kTag, 1, 2, 3, -1, kCubeAt, tensor.get(), S.get()); });
  expect(ErrorType::FWD_COUNTS_MISMATCH,
         [&] { tensor_eval(kTag, 2, 2, 3, 2, kCubeAt, tensor.get(), S.get()); });
  expect(ErrorType::FWD_COUNTS_MISMATCH,
         [&] { tensor_eval(kTag, 1, 3, 3, 2, kCubeAt, tensor.get(), S.get()); });
  expect(ErrorType::NULL_ARGUMENT,
         [&] { tensor_eval(kTag, 1, 2, 3, 2, nullptr, tensor.get(), S.get()); });
  expect(ErrorType::NULL_ARGUMENT,
         [&] { tensor_eval(kTag, 1, 2, 3, 2, kCubeAt, nullptr, S.get()); });
  expect(ErrorType::NULL_ARGUMENT,
         [&] { tensor_eval(kTag, 1, 2, 3, 2, kCubeAt, tensor.get(), nullptr); });
  double *missing[] = {nullptr, nullptr};
  expect(ErrorType::NULL_ARGUMENT,
         [&] { tensor_eval(kTag, 1, 2, 3, 2, kCubeAt, tensor.get(), missing); });
  expect(ErrorType::NULL_ARGUMENT,
         [&] { tensor_eval(kTag, 1, 2, 3, 2, kCubeAt, missing, S.get()); });
  expect(ErrorType::NO_TAPE_ID,
         [&] { tensor_eval(kTag + 1, 1, 2, 3, 2, kCubeAt, tensor.get(), S.get()); });
  expect(ErrorType::BINOMIAL_OVERFLOW,
         [&] { tensor_eval(kTag, 1, 2, 1000, 1000, kCubeAt, tensor.get(), S.get()); });

  std::vector<double> x(2, 1.0), s(4, 1.0), result(10, 1.0), wrong(3, 1.0);
  const auto expectNaN = [&](ErrorType type, std::span<double> output, auto &&call) {
    std::fill(output.begin(), output.end(), 1.0);
    expectError(type, {"tensor_eval"}, call);
    BOOST_TEST(allNaN({output.begin(), output.end()}));
  };
  expectNaN(ErrorType::SIZE_MISMATCH, result,
            [&] { ADOLC::tensor_eval(kTag, 3, wrong, s, result); });
  expectNaN(ErrorType::SIZE_MISMATCH, result,
            [&] { ADOLC::tensor_eval(kTag, 3, x, wrong, result); });
  expectNaN(ErrorType::SIZE_MISMATCH, wrong, [&] { ADOLC::tensor_eval(kTag, 3, x, s, wrong); });
  expectNaN(ErrorType::ARGUMENT_OUT_OF_RANGE, result,
            [&] { ADOLC::tensor_eval(kTag, -1, x, s, result); });
  expectNaN(ErrorType::NO_TAPE_ID, result, [&] { ADOLC::tensor_eval(kTag + 1, 3, x, s, result); });
  // No memory can hold what is asked for.
  std::vector<double> many(2 * 3500, 1.0);
  expectError(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, {"tensor_eval"},
              [&] { ADOLC::tensor_eval(kTag, 6, x, many); });
}

// ── Single derivatives ──────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(mixed_derivatives) {
  // x³ y² z and the exponentials of Exponentials, with independents that take no part.
  const Exponentials f{2, 5};
  f.record(kTag);
  const std::vector<double> x = pointOf(5);
  for (const std::vector<int> &orders : std::vector<std::vector<int>>{{0, 0, 0, 0, 0},
                                                                      {1, 0, 0, 0, 0},
                                                                      {0, 0, 9, 0, 0},
                                                                      {0, 1, 0, 0, 1},
                                                                      {1, 1, 1, 1, 1},
                                                                      {0, 2, 3, 0, 4},
                                                                      {0, 6, 0, 6, 0},
                                                                      {4, 0, 4, 4, 0},
                                                                      {12, 0, 0, 1, 0}}) {
    const std::vector<double> result = ADOLC::derivative(kTag, x, orders);
    BOOST_REQUIRE(result.size() == 2);
    for (std::size_t e = 0; e < 2; ++e) {
      double expected = f.value(e, x), scale = expected;
      for (std::size_t i = 0; i < 5; ++i) {
        expected *= std::pow(f.factor(e, i), orders[i]);
        scale *= std::pow(0.8, orders[i]);
      }
      BOOST_TEST(std::fabs(result[e] - expected) < 1e-11 * scale);
    }
  }
  recordScalar(kTag, {1.0, 1.0, 1.0},
               [](std::vector<adouble> &v) { return v[0] * v[0] * v[0] * v[1] * v[1] * v[2]; });
  const std::vector<double> at{2.0, 3.0, 5.0};
  const auto derivative = [&](std::vector<int> orders) {
    return ADOLC::derivative(kTag, at, orders).at(0);
  };
  BOOST_TEST(derivative({0, 0, 0}) == 360.0);
  BOOST_TEST(derivative({2, 0, 0}) == 540.0);
  BOOST_TEST(derivative({3, 2, 1}) == 12.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(derivative({1, 1, 0}) == 360.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(std::fabs(derivative({4, 1, 0})) < 1e-10);
  BOOST_TEST(derivative({0, 3, 0}) == 0.0);
  BOOST_TEST(derivative({64, 0, 0}) == 0.0);
}

BOOST_AUTO_TEST_CASE(errors_of_mixed_derivatives) {
  const Exponentials f{1, 17};
  f.record(kTag);
  const std::vector<double> x(17, 0.0);
  const auto expect = [&](ErrorType type, std::initializer_list<std::string_view> words,
                          std::vector<int> orders) {
    std::vector<double> result{1.0};
    expectError(type, words, [&] { ADOLC::derivative(kTag, x, orders, result); });
    BOOST_TEST(allNaN(result));
  };
  std::vector<int> orders(17, 0);
  expect(ErrorType::SIZE_MISMATCH, {"derivative", "17", "3"}, {1, 2, 3});
  orders[3] = -1;
  expect(ErrorType::ARGUMENT_OUT_OF_RANGE, {"derivative", "-1", "64"}, orders);
  orders[3] = 65;
  expect(ErrorType::ARGUMENT_OUT_OF_RANGE, {"derivative", "65", "64"}, orders);
  orders[3] = 60;
  orders[4] = 5;
  expect(ErrorType::ARGUMENT_OUT_OF_RANGE, {"derivative", "65", "64"}, orders);
  orders[3] = std::numeric_limits<int>::max();
  orders[4] = std::numeric_limits<int>::max();
  expect(ErrorType::ARGUMENT_OUT_OF_RANGE, {"derivative"}, orders);
  expect(ErrorType::TO_MANY_DIRECTIONS, {"derivative", "65536"}, std::vector<int>(17, 1));
  std::vector<double> two(2, 1.0);
  const std::vector<int> none(17, 0);
  expectError(ErrorType::SIZE_MISMATCH, {"derivative"},
              [&] { ADOLC::derivative(kTag, x, none, two); });
  expectError(ErrorType::SIZE_MISMATCH, {"derivative"},
              [&] { ADOLC::derivative(kTag, two, none); });
  expectError(ErrorType::NO_TAPE_ID, {"derivative"}, [&] { ADOLC::derivative(kTag + 1, x, none); });
}

BOOST_AUTO_TEST_SUITE_END()
