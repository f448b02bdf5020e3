// SPDX-License-Identifier: MIT
// Lie derivatives against closed forms, and of a crane.
#include "support/expect.h"

#include <adolc/lie/drivers.h>

using namespace test;

namespace {

constexpr short kF = 101, kOther = 102;

struct Fixture : CleanThread {
  ~Fixture() {
    for (const short tag : {kF, kOther})
      if (findTapePtr_(tag) != nullptr)
        ADOLC::removeTape(tag);
  }
};

using Vector = std::vector<double>;
constexpr std::size_t n = 3;
const double kA[n][n] = {{0.5, -1.0, 2.0}, {1.5, 0.25, -0.5}, {0.0, 1.0, -2.0}};
const Vector kAt{0.7, -0.4, 1.1};

/// f(x) = A x.
void recordLinear() {
  record(kF, kAt, [](std::vector<adouble> &x) {
    std::vector<adouble> y(n);
    for (std::size_t i = 0; i < n; ++i) {
      adouble sum = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        sum += kA[i][j] * x[j];
      y[i] = sum;
    }
    return y;
  });
}
Vector times(const Vector &x, double sign = 1.0) { // A x
  Vector y(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      y[i] += sign * kA[i][j] * x[j];
  return y;
}
Vector before(const Vector &x) { // xᵀ A
  Vector y(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      y[j] += kA[i][j] * x[i];
  return y;
}
std::vector<adouble> constants(const Vector &values, std::vector<adouble> &x) {
  std::vector<adouble> y(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    y[i] = values[i] + 0.0 * x[0];
  return y;
}

/// x1, x3: a cart and its speed; x2, x4: angle and angular speed of the load.
void recordCrane() {
  record(kF, {1.0, 0.2, -0.5, -0.4}, [](std::vector<adouble> &x) {
    constexpr double g = 9.81;
    adouble s = sin(x[1]), c = cos(x[1]), mass = 1.0 + s * s, pull = x[3] * x[3] * s;
    std::vector<adouble> y;
    y.push_back(adouble(x[2]));
    y.push_back(adouble(x[3]));
    y.push_back((pull + g * s * c) / mass);
    y.push_back(-(pull * c + 2.0 * g * s) / mass);
    return y;
  });
}
const double kCraneAt[] = {1.0, 0.2, -0.5, -0.4};
void recordPositions(std::size_t outputs) {
  record(kOther, {1.0, 0.2, -0.5, -0.4}, [outputs](std::vector<adouble> &x) {
    std::vector<adouble> y;
    y.push_back(x[0] + sin(x[1]));
    if (outputs > 1)
      y.push_back(cos(x[1]));
    return y;
  });
}
void expectRow(const double *row, std::initializer_list<double> expected) {
  for (const double value : expected) {
    BOOST_TEST(std::fabs(*row - value) < 1e-8 * (1.0 + std::fabs(value)));
    ++row;
  }
}
void expectColumn(Matrix &matrix, std::size_t k, std::initializer_list<double> expected) {
  std::size_t i = 0;
  for (const double value : expected)
    BOOST_TEST(std::fabs(matrix[i++][k] - value) < 1e-8 * (1.0 + std::fabs(value)));
}

/// The columns of a matrix of series against a recursion.
template <class Next> void expectPowers(Matrix &matrix, Vector column, Next &&next) {
  for (std::size_t k = 0; k < matrix.columns(); ++k) {
    for (std::size_t i = 0; i < n; ++i)
      BOOST_TEST(std::fabs(matrix[i][k] - column[i]) < 1e-12 * (1.0 + std::fabs(column[i])));
    column = next(column);
  }
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(lie_derivatives, Fixture)

BOOST_AUTO_TEST_CASE(linear_fields_of_all_orders) {
  recordLinear();
  const Vector c{1.0, -2.0, 0.5};
  for (short d = 0; d <= 6; ++d) {
    const std::size_t width = to_size_t(d) + 1;
    // h = c x: L^k h = c A^k x, its gradient c A^k
    recordScalar(kOther, kAt,
                 [&](std::vector<adouble> &x) { return c[0] * x[0] + c[1] * x[1] + c[2] * x[2]; });
    Vector scalars(width, 9.0), power = kAt;
    BOOST_TEST(lie_scalar(kF, kOther, n, kAt.data(), d, scalars.data()) == 3);
    for (std::size_t k = 0; k < width; ++k, power = times(power)) {
      const double expected = c[0] * power[0] + c[1] * power[1] + c[2] * power[2];
      BOOST_TEST(std::fabs(scalars[k] - expected) < 1e-12 * (1.0 + std::fabs(expected)));
    }
    Matrix result(n, width, 9.0);
    BOOST_TEST(lie_gradient(kF, kOther, n, kAt.data(), d, result.get()) == 3);
    expectPowers(result, c, before);
    // constant fields: w A^k and (-A)^k g
    record(kOther, kAt, [&](std::vector<adouble> &x) { return constants(c, x); });
    BOOST_TEST(lie_covector(kF, kOther, n, kAt.data(), d, result.get()) == 3);
    expectPowers(result, c, before);
    BOOST_TEST(lie_bracket(kF, kOther, n, kAt.data(), d, result.get()) == 3);
    expectPowers(result, c, [](const Vector &g) { return times(g, -1.0); });
  }
}

// f = x², h = x³: L^k h = 3·4·…·(k+2) x^{k+3}; w = x²: L^k w = 4·5·…·(k+3) x^{k+2}, as the covector
// x² is the gradient of x³/3; g = x³: ad g = x⁴, ad² g = 2 x⁵, ad³ g = 6 x⁶.
BOOST_AUTO_TEST_CASE(powers_of_one_variable) {
  const auto power = [](short tag, int exponent) {
    recordScalar(tag, {1.0}, [exponent](std::vector<adouble> &x) {
      adouble y = 1.0;
      for (int e = 0; e < exponent; ++e)
        y *= x[0];
      return y;
    });
  };
  const double x = 2.0;
  power(kF, 2);
  for (short d = 0; d <= 5; ++d) {
    std::vector<double> row(to_size_t(d) + 1, 9.0);
    double *rows[] = {row.data()};
    const auto expect = [&](auto &&expected) {
      for (int k = 0; k <= d; ++k)
        BOOST_TEST(row[to_size_t(k)] == expected(k), boost::test_tools::tolerance(1e-13));
    };
    power(kOther, 3);
    const auto product = [](int from, int to) {
      double result = 1.0;
      for (int q = from; q <= to; ++q)
        result *= q;
      return result;
    };
    BOOST_TEST(lie_scalarc(kF, kOther, 1, &x, d, row.data()) == 3);
    expect([&](int k) { return product(3, k + 2) * std::pow(x, k + 3); });
    BOOST_TEST(lie_gradientc(kF, kOther, 1, &x, d, rows) == 3);
    expect([&](int k) { return product(3, k + 2) * (k + 3) * std::pow(x, k + 2); });
    BOOST_TEST(lie_bracket(kF, kOther, 1, &x, d, rows) == 3);
    expect([&](int k) { return product(1, k) * std::pow(x, k + 3); });
    power(kOther, 2);
    BOOST_TEST(lie_covector(kF, kOther, 1, &x, d, rows) == 3);
    expect([&](int k) { return product(4, k + 3) * std::pow(x, k + 2); });
  }
}

BOOST_AUTO_TEST_CASE(a_crane) {
  recordCrane();
  recordPositions(2);
  Matrix scalars(2, 4, 9.0);
  BOOST_TEST(lie_scalar(kF, kOther, 4, 2, kCraneAt, 3, scalars.get()) == 3);
  expectRow(scalars[0], {1.198669331, -0.8920266311, -1.868149144, 2.679460725});
  expectRow(scalars[1], {0.9800665778, 0.07946773232, 0.5941309433, -5.714388668});
  std::vector<Matrix> parts;
  parts.emplace_back(4, 4, 9.0);
  parts.emplace_back(4, 4, 9.0);
  double **gradients[] = {parts[0].get(), parts[1].get()};
  BOOST_TEST(lie_gradient(kF, kOther, 4, 2, kCraneAt, 3, gradients) == 3);
  expectColumn(parts[0], 1, {0.0, 0.0794677323, 1.0, 0.980066578});
  expectColumn(parts[0], 2, {0.0, -8.14350728, 0.0, 0.152900556});

  // The same one by one, on spans, and by the covector field that the gradient is.
  const std::vector<double> at(kCraneAt, kCraneAt + 4);
  std::vector<double> all(8), flat(32);
  BOOST_TEST(ADOLC::lie_scalar(kF, kOther, 3, at, all) == 3);
  BOOST_TEST(all == scalars.flat(), boost::test_tools::per_element());
  BOOST_TEST(ADOLC::lie_gradient(kF, kOther, 3, at, flat) == 3);
  for (std::size_t k = 0; k < 32; ++k)
    BOOST_TEST(flat[k] == parts[k / 16].flat()[k % 16]);
  recordPositions(1);
  std::vector<double> row(4);
  Matrix gradient(4, 4, 9.0), covector(4, 4, 9.0);
  BOOST_TEST(lie_scalar(kF, kOther, 4, kCraneAt, 3, row.data()) == 3);
  BOOST_TEST(lie_gradient(kF, kOther, 4, kCraneAt, 3, gradient.get()) == 3);
  for (std::size_t k = 0; k < 4; ++k)
    BOOST_TEST(row[k] == scalars[0][k], boost::test_tools::tolerance(1e-14));
  record(kOther, at, [](std::vector<adouble> &x) {
    std::vector<adouble> y = constants({1.0, 0.0, 0.0, 0.0}, x);
    y[1] = cos(x[1]);
    return y;
  });
  BOOST_TEST(lie_covector(kF, kOther, 4, kCraneAt, 3, covector.get()) == 3);
  for (std::size_t k = 0; k < 16; ++k)
    BOOST_TEST(std::fabs(covector.flat()[k] - gradient.flat()[k]) <
               1e-12 * (1.0 + std::fabs(covector.flat()[k])));
  std::vector<double> spanned(16);
  BOOST_TEST(ADOLC::lie_covector(kF, kOther, 3, at, spanned) == 3);
  BOOST_TEST(spanned == covector.flat(), boost::test_tools::per_element());

  // the force on the cart
  record(kOther, at, [](std::vector<adouble> &x) {
    adouble mass = 1.0 + sin(x[1]) * sin(x[1]);
    std::vector<adouble> y = constants({0.0, 0.0, 0.0, 0.0}, x);
    y[2] = 1.0 / mass;
    y[3] = -cos(x[1]) / mass;
    return y;
  });
  Matrix brackets(4, 3, 9.0);
  BOOST_TEST(lie_bracket(kF, kOther, 4, kCraneAt, 2, brackets.get()) == 3);
  expectColumn(brackets, 1, {-0.962029186, 0.942852652, 0.0, -0.0764502778});
  expectColumn(brackets, 2, {-0.144162694, 0.294189594, -7.68981672, 15.6685834});
  spanned.resize(12);
  BOOST_TEST(ADOLC::lie_bracket(kF, kOther, 2, at, spanned) == 3);
  BOOST_TEST(spanned == brackets.flat(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_tape_twice_and_shared_mode) {
  recordLinear();
  Matrix result(n, 4, 9.0);
  findTape(kF).setSharedMode();
  BOOST_TEST(lie_bracket(kF, kF, n, kAt.data(), 3, result.get()) == 3); // [f, f] = 0
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 1; k < 4; ++k)
      BOOST_TEST(std::fabs(result[i][k]) < 1e-13);
}

BOOST_AUTO_TEST_CASE(wrong_sizes) {
  recordLinear();
  recordScalar(kOther, kAt, [](std::vector<adouble> &x) { return x[0] * x[1]; });
  Vector row(4, 9.0);
  Matrix rows(n, 4, 9.0);
  double **cube[] = {rows.get()};
  const double *const x = kAt.data();
  BOOST_TEST(lie_scalar(kF, kOther, 2, x, 3, row.data()) == -3);
  BOOST_TEST(lie_scalar(kF, kOther, -3, x, 3, row.data()) == -3);
  BOOST_TEST(lie_scalar(kF, kOther, n, x, -1, row.data()) == -3);
  BOOST_TEST(lie_scalar(kOther, kOther, n, x, 3, row.data()) == -3);
  BOOST_TEST(lie_scalar(kF, kF, n, x, 3, row.data()) == -3);
  BOOST_TEST(lie_scalar(kF, kOther, n, 2, x, 3, rows.get()) == -3);
  BOOST_TEST(lie_gradient(kF, kF, n, x, 3, rows.get()) == -3);
  BOOST_TEST(lie_gradient(kF, kOther, n, 2, x, 3, cube) == -3);
  BOOST_TEST(lie_gradient(kF, kOther, n, 1, x, -1, cube) == -3);
  BOOST_TEST(lie_covector(kF, kOther, n, x, 3, rows.get()) == -3);
  BOOST_TEST(lie_bracket(kF, kOther, n, x, 3, rows.get()) == -3);
  BOOST_TEST((row[0] == 9.0 && rows[0][0] == 9.0));
  expectError(ErrorType::NO_TAPE_ID, {"lie_scalarc"},
              [&] { lie_scalar(kOther + 1, kOther, n, x, 3, row.data()); });
  expectError(ErrorType::NO_TAPE_ID, {"lie_gradientc"},
              [&] { lie_gradient(kF, kOther + 1, n, x, 3, rows.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"lie_scalarc"},
              [&] { lie_scalar(kF, kOther, n, nullptr, 3, row.data()); });
  expectError(ErrorType::NULL_ARGUMENT, {"lie_scalarc"},
              [&] { lie_scalar(kF, kOther, n, x, 3, nullptr); });
  expectError(ErrorType::NULL_ARGUMENT, {"lie_gradientcv"},
              [&] { lie_gradient(kF, kOther, n, 1, x, 3, nullptr); });
  double *none[] = {nullptr, nullptr, nullptr};
  expectError(ErrorType::NULL_ARGUMENT, {"lie_bracket"},
              [&] { lie_bracket(kF, kF, n, x, 3, none); });
  const auto expectNaN = [&](ErrorType type, auto &&call) {
    std::fill(row.begin(), row.end(), 9.0);
    expectError(type, {"lie_scalar"}, call);
    BOOST_TEST(allNaN(row));
  };
  const Vector two(2, 1.0);
  expectNaN(ErrorType::SIZE_MISMATCH, [&] { ADOLC::lie_scalar(kF, kOther, 3, two, row); });
  expectNaN(ErrorType::SIZE_MISMATCH, [&] { ADOLC::lie_scalar(kF, kOther, 2, kAt, row); });
  expectNaN(ErrorType::SIZE_MISMATCH, [&] { ADOLC::lie_scalar(kOther, kOther, 3, kAt, row); });
  expectNaN(ErrorType::ARGUMENT_OUT_OF_RANGE, [&] { ADOLC::lie_scalar(kF, kOther, -1, kAt, row); });
  expectNaN(ErrorType::NO_TAPE_ID, [&] { ADOLC::lie_scalar(kOther + 1, kOther, 3, kAt, row); });
}

BOOST_AUTO_TEST_CASE(another_branch) {
  const auto branching = [](std::vector<adouble> &x) {
    return x[0] > 0.0 ? x[0] * x[0] : adouble(-x[0]);
  };
  recordScalar(kF, {1.0}, branching);
  recordScalar(kOther, {1.0}, [](std::vector<adouble> &x) { return x[0] * x[0]; });
  double row[] = {9.0, 9.0, 9.0}, *rows[] = {row};
  const double x = -1.0;
  for (int swapped = 0; swapped < 2; ++swapped) {
    const short f = swapped == 0 ? kF : kOther, other = swapped == 0 ? kOther : kF;
    const auto expect = [&](auto &&call) {
      std::fill(row, row + 3, 9.0);
      BOOST_TEST(call() == -1);
      BOOST_TEST(allNaN({row, row + 3}));
    };
    expect([&] { return lie_scalar(f, other, 1, &x, 2, row); });
    expect([&] { return lie_gradient(f, other, 1, &x, 2, rows); });
    expect([&] { return lie_covector(f, other, 1, &x, 2, rows); });
    expect([&] { return lie_bracket(f, other, 1, &x, 2, rows); });
  }
}

BOOST_AUTO_TEST_SUITE_END()
