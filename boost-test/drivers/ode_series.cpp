// SPDX-License-Identifier: MIT
// Series of solutions of differential equations, and their derivatives, against closed forms.
#include "support/expect.h"

#include <adolc/adalloc.h>
#include <adolc/drivers/odedrivers.h>
#include <adolc/interfaces.h>

using namespace test;

namespace {

constexpr short kTag = 93;

struct Fixture : CleanThread {
  ~Fixture() {
    if (findTapePtr_(kTag) != nullptr)
      ADOLC::removeTape(kTag);
  }
};

/// x' = x²: x(t) = x0/(1 - x0 t), coefficients x0^{k+1}.
void recordSquare() {
  recordScalar(kTag, {1.0}, [](std::vector<adouble> &x) { return x[0] * x[0]; });
}
/// u' = v, v' = -u, w' = u w.
void recordOscillator() {
  record(kTag, {1.0, 1.0, 1.0}, [](std::vector<adouble> &x) {
    std::vector<adouble> y;
    y.push_back(adouble(x[1]));
    y.push_back(-x[0]);
    y.push_back(x[0] * x[2]);
    return y;
  });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(ode_series, Fixture)

BOOST_AUTO_TEST_CASE(one_equation) {
  recordSquare();
  for (const double tau : {1.0, 0.25, -2.0})
    for (int d = 0; d <= 9; ++d) {
      Matrix X(1, to_size_t(d) + 1, 99.0);
      X[0][0] = 0.5;
      BOOST_TEST(forodec(kTag, 1, tau, 0, d, X.get()) == 3);
      for (int k = 0; k <= d; ++k)
        BOOST_TEST(X[0][k] == std::pow(0.5, k + 1) * std::pow(tau, k),
                   boost::test_tools::tolerance(1e-14));
    }
}

BOOST_AUTO_TEST_CASE(a_series_is_continued) {
  recordOscillator();
  Matrix whole(3, 9, 0.0);
  const double begin[] = {0.3, -0.7, 2.0};
  for (std::size_t i = 0; i < 3; ++i)
    whole[i][0] = begin[i];
  BOOST_TEST(forodec(kTag, 3, 0.5, 0, 8, whole.get()) == 3);
  // u = u0 cos + v0 sin of t/2
  double factor = 1.0;
  for (int k = 0; k <= 8; ++k) {
    const double signs[] = {1.0, 1.0, -1.0, -1.0};
    BOOST_TEST(whole[0][k] == signs[k % 4] * begin[k % 2] * factor,
               boost::test_tools::tolerance(1e-14));
    factor *= 0.5 / (k + 1);
  }
  for (int known = 0; known <= 8; ++known) {
    Matrix X(3, 9, kNaN);
    for (std::size_t i = 0; i < 3; ++i)
      std::copy_n(whole[i], known + 1, X[i]);
    BOOST_TEST(forodec(kTag, 3, 0.5, known, 8, X.get()) == 3);
    BOOST_TEST(X.flat() == whole.flat(), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(forms_of_forode) {
  recordSquare();
  double row[4] = {0.5, 0, 0, 0}, *X[] = {row};
  BOOST_TEST(forode(kTag, 1, 0.5, 0, 3, X) == 3);
  BOOST_TEST(row[3] == 0.0625 * 0.125);
  BOOST_TEST(forode(kTag, 1, 0, 3, X) == 3);
  BOOST_TEST(row[3] == 0.0625);
  BOOST_TEST(forode(kTag, 1, 0.5, 3, X) == 3);
  BOOST_TEST(row[3] == 0.0625 * 0.125);
  BOOST_TEST(forode(kTag, 1, 3, X) == 3);
  BOOST_TEST(row[3] == 0.0625);

  std::vector<double> flat{0.5, 0.0, 0.0, 0.0}, x0{0.5};
  BOOST_TEST(ADOLC::forode(kTag, 3, flat) == 3);
  BOOST_TEST(flat == (std::vector<double>{0.5, 0.25, 0.125, 0.0625}),
             boost::test_tools::per_element());
  BOOST_TEST(ADOLC::odeSeries(kTag, 3, x0) == flat, boost::test_tools::per_element());
  flat = {0.5, 0.125, 9.0, 9.0};
  BOOST_TEST(ADOLC::forode(kTag, 3, flat, {.tau = 0.5, .known = 1}) == 3);
  BOOST_TEST(flat == ADOLC::odeSeries(kTag, 3, x0, 0.5), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(derivatives_by_initial_values) {
  recordOscillator();
  constexpr int n = 3, d = 6;
  for (const double tau : {1.0, 0.5}) {
    Matrix X(n, d + 2, 0.0);
    const double begin[] = {0.3, -0.7, 2.0};
    for (std::size_t i = 0; i < n; ++i)
      X[i][0] = begin[i];
    BOOST_TEST(forodec(kTag, n, tau, 0, d + 1, X.get()) == 3);
    double ***A = myalloc3(n, n, d + 1), ***B = myalloc3(n, n, d + 1), ***C = myalloc3(n, n, d + 1);
    Matrix unit = Matrix::unit(n);
    short labels[n][n], *nz[] = {labels[0], labels[1], labels[2]};
    BOOST_TEST(hov_reverse(kTag, n, n, d, n, unit.get(), A, nz) == 3);
    double ***D = myalloc3(n, n, d + 2);
    expectError(ErrorType::REVERSE_NO_FOWARD, {"hov_reverse"},
                [&] { hov_reverse(kTag, n, n, d + 1, n, unit.get(), D, nullptr); });
    myfree3(D);
    accodec(n, tau, d, A, B, nullptr);
    accode(n, tau, d, A, C, nz);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k <= d; ++k)
          BOOST_TEST(B[i][j][k] == C[i][j][k]);
    for (int j = 0; j < n; ++j) { // central differences of the series
      const double h = 1e-4;
      Matrix up(n, d + 2, 0.0), down(n, d + 2, 0.0);
      for (int i = 0; i < n; ++i) {
        up[to_size_t(i)][0] = begin[i] + (i == j ? h : 0.0);
        down[to_size_t(i)][0] = begin[i] - (i == j ? h : 0.0);
      }
      forodec(kTag, n, tau, 0, d + 1, up.get());
      forodec(kTag, n, tau, 0, d + 1, down.get());
      for (int i = 0; i < n; ++i)
        for (int k = 0; k <= d; ++k)
          BOOST_TEST(std::fabs(B[i][j][k] - (up[to_size_t(i)][k + 1] - down[to_size_t(i)][k + 1]) /
                                                (2 * h)) < 1e-7);
    }
    // u and v never depend on w. w depends on u at once, on v from coefficient 1 on.
    BOOST_TEST((labels[0][1] > 0 && labels[1][0] > 0 && labels[2][0] > 0 && labels[2][2] > 0));
    BOOST_TEST(labels[0][0] == -1);
    BOOST_TEST(labels[1][1] == -1);
    BOOST_TEST(labels[2][1] == -1);
    BOOST_TEST(labels[0][2] == -(d + 1));
    BOOST_TEST(labels[1][2] == -(d + 1));
    accode(n, tau, d, A, C, nz); // the labels of before will do
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k <= d; ++k)
          BOOST_TEST(B[i][j][k] == C[i][j][k]);
    myfree3(A);
    myfree3(B);
    myfree3(C);
  }
}

BOOST_AUTO_TEST_CASE(zeros_are_skipped) {
  constexpr int n = 4, d = 3;
  double ***A = myalloc3(n, n, d + 1), ***B = myalloc3(n, n, d + 1);
  short labels[n][n] = {}, *nz[] = {labels[0], labels[1], labels[2], labels[3]};
  labels[0][1] = 2;
  labels[1][2] = 4;
  labels[2][3] = 1;
  labels[0][0] = 3;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k <= d; ++k)
        A[i][j][k] = labels[i][j] == 0 ? kNaN : 0.0;
  A[0][1][0] = 1.0;
  A[0][1][1] = 0.5;
  A[1][2][0] = 2.0;
  A[2][3][0] = 3.0;
  A[0][0][0] = 0.25;
  accode(n, 0.5, d, A, B, nz);
  const short expected[n][n] = {{3, 2, -1, -2}, {-4, -4, 4, -1}, {-4, -4, -4, 1}, {-4, -4, -4, -4}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      BOOST_TEST(labels[i][j] == expected[i][j]);
  BOOST_TEST(B[0][2][1] == 0.25);
  BOOST_TEST(B[0][3][2] == 0.125);
  BOOST_TEST(B[1][3][1] == 0.75);
  BOOST_TEST((B[3][0][3] == 0.0 && B[1][0][3] == 0.0 && B[0][3][1] == 0.0));

  accode(1, 0, A, B); // B_0 = A_0 with tau = 1
  BOOST_TEST(B[0][0][0] == 0.25);
  accodec(0, 1.0, 0, nullptr, nullptr, nullptr);
  expectError(ErrorType::NULL_ARGUMENT, {"accodec"},
              [&] { accodec(n, 1.0, d, A, nullptr, nullptr); });
  expectError(ErrorType::NULL_ARGUMENT, {"accodec"},
              [&] { accodec(n, 1.0, d, nullptr, B, nullptr); });
  expectError(ErrorType::NEGATIVE_NUMBER, {"accodec", "-1"},
              [&] { accodec(n, 1.0, -1, A, B, nullptr); });
  expectError(ErrorType::NEGATIVE_NUMBER, {"accodec", "-4"},
              [&] { accodec(-n, 1.0, d, A, B, nullptr); });
  myfree3(A);
  myfree3(B);
}

BOOST_AUTO_TEST_CASE(fortran_forms) {
  recordOscillator();
  const long tag = kTag, n = 3, dold = 0, dnew = 4, one = 1, degree = 3, minus = -1;
  const double tau = 0.5;
  std::vector<double> X(15, 9.0);
  X[0] = 0.3;
  X[1] = -0.7;
  X[2] = 2.0;
  const std::vector<double> begin(X.begin(), X.begin() + 3);
  BOOST_TEST(forodec_(&tag, &n, &tau, &dold, &dnew, X.data()) == 3);
  const std::vector<double> expected = ADOLC::odeSeries(kTag, 4, begin, tau);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k <= 4; ++k)
      BOOST_TEST(X[k * 3 + i] == expected[i * 5 + k]);
  BOOST_TEST(forodec_(&tag, &one, &tau, &dold, &dnew, X.data()) ==
             -100 - static_cast<long>(ErrorType::FWD_COUNTS_MISMATCH));
  BOOST_TEST(forodec_(&tag, &n, &tau, &dold, &minus, X.data()) ==
             -100 - static_cast<long>(ErrorType::ARGUMENT_OUT_OF_RANGE));
  BOOST_TEST(forodec_(&tag, &n, &tau, &dold, &dnew, nullptr) ==
             -100 - static_cast<long>(ErrorType::NULL_ARGUMENT));

  double ***A = myalloc3(3, 3, 4), ***B = myalloc3(3, 3, 4);
  std::vector<double> a(36), b(36);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        a[(k * 3 + j) * 3 + i] = A[i][j][k] =
            static_cast<double>((5 * i + 3 * j + 2 * k) % 7) - 3.0;
  accodec(3, tau, 3, A, B, nullptr);
  BOOST_TEST(accodec_(&n, &tau, &degree, a.data(), b.data()) >= 0);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        BOOST_TEST(b[(k * 3 + j) * 3 + i] == B[i][j][k]);
  BOOST_TEST(accodec_(&n, &tau, &minus, a.data(), b.data()) ==
             -100 - static_cast<long>(ErrorType::NEGATIVE_NUMBER));
  BOOST_TEST(accodec_(&n, &tau, &degree, nullptr, b.data()) ==
             -100 - static_cast<long>(ErrorType::NULL_ARGUMENT));
  myfree3(A);
  myfree3(B);
}

BOOST_AUTO_TEST_CASE(another_branch) {
  recordScalar(kTag, {1.0},
               [](std::vector<adouble> &x) { return x[0] > 0.0 ? x[0] * x[0] : adouble(-x[0]); });
  double row[4] = {-1.0, 9.0, 9.0, 9.0}, *X[] = {row};
  BOOST_TEST(forodec(kTag, 1, 1.0, 1, 3, X) == -1);
  BOOST_TEST((row[0] == -1.0 && row[1] == 9.0));
  BOOST_TEST(allNaN({row + 2, row + 4}));
  const std::vector<double> x0{-1.0};
  expectError(ErrorType::BRANCH_SWITCH, {"odeSeries", std::to_string(kTag)},
              [&] { ADOLC::odeSeries(kTag, 3, x0); });
}

BOOST_AUTO_TEST_CASE(errors) {
  recordSquare();
  double row[4] = {0.5, 9.0, 9.0, 9.0}, *X[] = {row}, *none[] = {nullptr};
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"forodec", "-1"},
              [&] { forodec(kTag, 1, 1.0, 0, -1, X); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"forodec", "-1"},
              [&] { forodec(kTag, 1, 1.0, -1, 3, X); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"forodec", "4", "3"},
              [&] { forodec(kTag, 1, 1.0, 4, 3, X); });
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"forodec"}, [&] { forodec(kTag, 2, 1.0, 0, 3, X); });
  expectError(ErrorType::NULL_ARGUMENT, {"forodec"}, [&] { forodec(kTag, 1, 1.0, 0, 3, nullptr); });
  expectError(ErrorType::NULL_ARGUMENT, {"forodec"}, [&] { forodec(kTag, 1, 1.0, 0, 3, none); });
  expectError(ErrorType::NO_TAPE_ID, {"forodec"}, [&] { forodec(kTag + 1, 1, 1.0, 0, 3, X); });
  BOOST_TEST(row[1] == 9.0);
  BOOST_TEST(forodec(kTag, 1, 1.0, 3, 3, X) == 3); // nothing to do
  BOOST_TEST(row[1] == 9.0);

  std::vector<double> flat(4, 0.5), wrong(3, 0.5);
  expectError(ErrorType::SIZE_MISMATCH, {"forode", "4", "3"},
              [&] { ADOLC::forode(kTag, 3, std::span(wrong)); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"forode", "-1"},
              [&] { ADOLC::forode(kTag, -1, flat); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"forodec"},
              [&] { ADOLC::forode(kTag, 3, flat, {.known = 7}); });
  recordScalar(kTag, {1.0, 2.0}, [](std::vector<adouble> &x) { return x[0] * x[1]; });
  flat.assign(8, 0.5);
  expectError(ErrorType::SIZE_MISMATCH, {"forode", "2", "1"},
              [&] { ADOLC::forode(kTag, 3, flat); });
}

BOOST_AUTO_TEST_CASE(shared_mode_and_workspaces) {
  recordSquare();
  findTape(kTag).setSharedMode();
  ADOLC::Workspace workspace;
  double row[4] = {0.5, 0, 0, 0}, *X[] = {row}, z[3], *Z[] = {z};
  const double u = 1.0;
  workspace.run([&] {
    BOOST_TEST(forode(kTag, 1, 3, X) == 3);
    BOOST_TEST(hos_reverse(kTag, 1, 1, 2, &u, Z) == 3);
  });
  for (int k = 0; k < 3; ++k) // F'(x) = 2 x
    BOOST_TEST(z[k] == 2 * row[k]);
}

BOOST_AUTO_TEST_SUITE_END()
