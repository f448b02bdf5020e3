// SPDX-License-Identifier: MIT
// Taylor series and tensors of inverse functions against closed forms.
#include "support/expect.h"

#include <adolc/drivers/taylor.h>

using namespace test;

namespace {

constexpr short kTag = 95;

struct Fixture : CleanThread {
  ~Fixture() {
    if (findTapePtr_(kTag) != nullptr)
      ADOLC::removeTape(kTag);
  }
};

void recordSquare() {
  recordScalar(kTag, {1.0}, [](std::vector<adouble> &x) { return x[0] * x[0]; });
}
/// a = exp(u), b = u + v³: u = ln a, v = cbrt(b - ln a).
void recordPair() {
  record(kTag, {1.0, 1.0}, [](std::vector<adouble> &x) {
    std::vector<adouble> y;
    y.push_back(exp(x[0]));
    y.push_back(x[0] + x[1] * x[1] * x[1]);
    return y;
  });
}
void recordItsInverse(short tag) {
  record(tag, {1.0, 3.0}, [](std::vector<adouble> &x) {
    std::vector<adouble> y;
    y.push_back(log(x[0]));
    y.push_back(cbrt(x[1] - log(x[0])));
    return y;
  });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(inverse_functions, Fixture)

BOOST_AUTO_TEST_CASE(the_square_root) {
  recordSquare();
  const double y[] = {1.0, 1.0, 0.0, 0.0}, *Y[] = {y};
  for (int repeat = 0; repeat < 3; ++repeat) {
    double x[] = {1.0, 9.0, 9.0, 9.0}, *X[] = {x};
    BOOST_TEST(inverse_Taylor_prop(kTag, 1, 3, Y, X) == 3);
    BOOST_TEST((x[0] == 1.0 && x[1] == 0.5 && x[2] == -0.125 && x[3] == 0.0625));
    double tensor[] = {9.0, 9.0, 9.0, 9.0}, *rows[] = {tensor}, at[] = {1.0};
    const double one = 1.0, *S[] = {&one};
    BOOST_TEST(inverse_tensor_eval(kTag, 1, 3, 1, at, rows, S) == 3);
    BOOST_TEST((tensor[0] == 1.0 && tensor[1] == 0.5 && tensor[2] == -0.25 && tensor[3] == 0.375));
  }
  // To any degree, at another point, the curve itself being no line: √((2 + t)²) = 2 + t.
  double x[7] = {2.0}, *X[] = {x};
  const double square[7] = {4.0, 4.0, 1.0}, *curve[] = {square};
  for (int d = 0; d <= 6; ++d) {
    std::fill(x + 1, x + 7, 9.0);
    BOOST_TEST(inverse_Taylor_prop(kTag, 1, d, curve, X) == 3);
    for (int k = 1; k <= 6; ++k)
      BOOST_TEST(x[k] == (k > d ? 9.0 : k == 1 ? 1.0 : 0.0));
  }
}

BOOST_AUTO_TEST_CASE(tensors_of_the_inverse) {
  constexpr short inverse = kTag + 1;
  recordPair();
  recordItsInverse(inverse);
  const std::vector<double> x{0.4, 1.3}, at = ADOLC::function(kTag, x);
  const std::vector<std::pair<int, std::size_t>> shapes{{3, 2}, {1, 2}, {6, 1}, {0, 2},
                                                        {5, 3}, {3, 0}, {3, 2}};
  for (const auto &[d, p] : shapes) {
    std::vector<double> S(2 * p);
    for (std::size_t k = 0; k < S.size(); ++k)
      S[k] = 0.5 + 0.25 * static_cast<double>((3 * k) % 5) - (k == 1 ? 1.5 : 0.0);
    const std::vector<double> expected = ADOLC::tensor_eval(inverse, d, at, S);
    std::vector<double> tensor(expected.size(), 9.0);
    BOOST_TEST(ADOLC::inverse_tensor_eval(kTag, d, x, S, tensor) == 3);
    const std::size_t size = tensor.size() / 2;
    BOOST_TEST((tensor[0] == x[0] && tensor[size] == x[1]));
    for (std::size_t k = 0; k < tensor.size(); ++k)
      BOOST_TEST(std::fabs(tensor[k] - expected[k]) < 1e-10 * (1.0 + std::fabs(expected[k])),
                 d << ", " << p << " [" << k << "]: " << tensor[k] << ", " << expected[k]);
  }
  // Along a curve: F of the curve found is the curve given.
  const std::vector<double> Y{at[0], 0.3, -0.2, 0.1, 0.7, at[1], -0.5, 0.4, 0.0, 0.2};
  std::vector<double> X{x[0], 9, 9, 9, 9, x[1], 9, 9, 9, 9};
  BOOST_TEST(ADOLC::inverse_Taylor_prop(kTag, 4, Y, X) == 3);
  Matrix seeds(2, 4), found(2, 4);
  std::vector<double> values(2);
  for (std::size_t i = 0; i < 2; ++i)
    std::copy_n(X.begin() + static_cast<std::ptrdiff_t>(5 * i + 1), 4, seeds[i]);
  BOOST_TEST(hos_forward(kTag, 2, 2, 4, 0, x.data(), seeds.get(), values.data(), found.get()) == 3);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 4; ++k)
      BOOST_TEST(std::fabs(found[i][k] - Y[5 * i + k + 1]) < 1e-14);
  ADOLC::removeTape(inverse);
}

BOOST_AUTO_TEST_CASE(singular_jacobians) {
  record(kTag, {1.0, 1.0}, [](std::vector<adouble> &x) {
    std::vector<adouble> y;
    y.push_back(x[0] * x[0]);
    y.push_back(adouble(x[1]));
    return y;
  });
  Matrix S = Matrix::unit(2), tensor(2, 10, 9.0), X(2, 4, 9.0), Y(2, 4, 1.0);
  const double x[] = {0.0, 1.0};
  BOOST_TEST(inverse_tensor_eval(kTag, 2, 3, 2, x, tensor.get(), S.get()) == -3);
  BOOST_TEST(allNaN(tensor.flat()));
  X[0][0] = 0.0;
  X[1][0] = 1.0;
  BOOST_TEST(inverse_Taylor_prop(kTag, 2, 3, Y.get(), X.get()) == -3);
  BOOST_TEST((X[0][0] == 0.0 && X[1][0] == 1.0));
  for (std::size_t i = 0; i < 2; ++i)
    BOOST_TEST(allNaN({X[i] + 1, X[i] + 4}));
  std::vector<double> at(x, x + 2), unit = S.flat(), flat(20, 9.0);
  BOOST_TEST(ADOLC::inverse_tensor_eval(kTag, 3, at, unit, flat) == -3);
  BOOST_TEST(allNaN(flat));
}

BOOST_AUTO_TEST_CASE(another_branch) {
  recordScalar(kTag, {1.0},
               [](std::vector<adouble> &x) { return x[0] > 0.0 ? x[0] * x[0] : adouble(-x[0]); });
  double x[] = {-1.0, 9.0, 9.0}, *X[] = {x}, tensor[] = {9.0, 9.0, 9.0}, *rows[] = {tensor};
  const double y[] = {1.0, 1.0, 0.0}, *Y[] = {y}, one = 1.0, *S[] = {&one};
  BOOST_TEST(inverse_Taylor_prop(kTag, 1, 2, Y, X) == -1);
  BOOST_TEST(allNaN({x + 1, x + 3}));
  BOOST_TEST(inverse_tensor_eval(kTag, 1, 2, 1, x, rows, S) == -1);
  BOOST_TEST(allNaN({tensor, tensor + 3}));
}

BOOST_AUTO_TEST_CASE(without_independents) {
  trace_on(kTag);
  trace_off();
  double *X[1], **const none = X; // no rows
  BOOST_TEST(inverse_Taylor_prop(kTag, 0, std::numeric_limits<int>::max(), none, none) == 3);
}

BOOST_AUTO_TEST_CASE(shared_mode) {
  recordPair();
  const std::vector<double> x{0.4, 1.3}, S{1.0, 0.0, 0.0, 1.0};
  std::vector<double> alone(20), shared(20), within(20);
  BOOST_TEST(ADOLC::inverse_tensor_eval(kTag, 3, x, S, alone) == 3);
  findTape(kTag).setSharedMode();
  BOOST_TEST(ADOLC::inverse_tensor_eval(kTag, 3, x, S, shared) == 3);
  ADOLC::Workspace workspace;
  workspace.run([&] { return ADOLC::inverse_tensor_eval(kTag, 3, x, S, within); });
  BOOST_TEST(shared == alone, boost::test_tools::per_element());
  BOOST_TEST(within == alone, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(errors) {
  recordPair();
  Matrix S = Matrix::unit(2), tensor(2, 10, 9.0), X(2, 4, 9.0), Y(2, 4, 1.0);
  const double x[] = {1.0, 1.0};
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"inverse_tensor_eval", "-1"},
              [&] { inverse_tensor_eval(kTag, 2, -1, 2, x, tensor.get(), S.get()); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"inverse_tensor_eval", "-2"},
              [&] { inverse_tensor_eval(kTag, 2, 3, -2, x, tensor.get(), S.get()); });
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"inverse_tensor_eval"},
              [&] { inverse_tensor_eval(kTag, 1, 3, 2, x, tensor.get(), S.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"inverse_tensor_eval"},
              [&] { inverse_tensor_eval(kTag, 2, 3, 2, x, tensor.get(), nullptr); });
  expectError(ErrorType::NO_TAPE_ID, {"inverse_tensor_eval"},
              [&] { inverse_tensor_eval(kTag + 1, 2, 3, 2, x, tensor.get(), S.get()); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"inverse_Taylor_prop", "-1"},
              [&] { inverse_Taylor_prop(kTag, 2, -1, Y.get(), X.get()); });
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"inverse_Taylor_prop"},
              [&] { inverse_Taylor_prop(kTag, 3, 3, Y.get(), X.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"inverse_Taylor_prop"},
              [&] { inverse_Taylor_prop(kTag, 2, 3, nullptr, X.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"inverse_Taylor_prop"},
              [&] { inverse_Taylor_prop(kTag, 2, 3, Y.get(), nullptr); });
  BOOST_TEST((tensor[0][0] == 9.0 && X[0][1] == 9.0));
  std::vector<double> at(2, 1.0), unit = S.flat(), flat(20, 9.0), series(8, 9.0), wrong(7, 9.0);
  expectError(ErrorType::SIZE_MISMATCH, {"inverse_tensor_eval"},
              [&] { ADOLC::inverse_tensor_eval(kTag, 3, at, unit, wrong); });
  BOOST_TEST(allNaN(wrong));
  expectError(ErrorType::SIZE_MISMATCH, {"inverse_Taylor_prop"},
              [&] { ADOLC::inverse_Taylor_prop(kTag, 3, wrong, series); });
  BOOST_TEST((series[0] == 9.0 && series[4] == 9.0)); // given
  series[0] = series[4] = series[1];
  BOOST_TEST(allNaN(series));
  recordScalar(kTag, {1.0, 2.0}, [](std::vector<adouble> &v) { return v[0] * v[1]; });
  flat.resize(10);
  expectError(ErrorType::SIZE_MISMATCH, {"inverse_tensor_eval", "2", "1"},
              [&] { ADOLC::inverse_tensor_eval(kTag, 3, at, unit, flat); });
}

BOOST_AUTO_TEST_SUITE_END()
