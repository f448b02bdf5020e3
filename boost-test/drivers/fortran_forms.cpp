// SPDX-License-Identifier: MIT
// The Fortran-callable forms, called from C++: arguments by reference, column-major matrices, codes
// instead of exceptions.
#include "support/expect.h"

#include <adolc/fortutils.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace test;

void recordProductForC(short tag);
void recordProductForC(short tag) {
  record(tag, {1.0, 1.0}, [](auto &x) {
    std::vector<adouble> y;
    y.push_back(x[0] * x[1]);
    y.push_back(x[0] * x[0] + x[1]);
    return y;
  });
}

namespace {
fint codeOf(ErrorType type) { return -100 - static_cast<fint>(type); }
bool lastErrorNames(std::initializer_list<const char *> words) {
  const std::string text = adolc_last_error();
  for (const char *word : words)
    if (text.find(word) == std::string::npos)
      return false;
  return true;
}
const fint kTwo = 2, kOne = 1, kZero = 0, kThree = 3;
} // namespace

BOOST_FIXTURE_TEST_SUITE(fortran_forms, CleanThread)

BOOST_AUTO_TEST_CASE(values_and_derivatives) {
  recordProductForC(122);
  const fint tag = 122;
  double x[] = {2.0, 3.0}, y[2], u[] = {1.0, 1.0}, seed[] = {1.0, 0.0};
  BOOST_TEST(function_(&tag, &kTwo, &kTwo, x, y) == 3);
  BOOST_TEST((y[0] == 6.0 && y[1] == 7.0));
  double J[4] = {99, 99, 99, 99}; // J = [[3, 2], [4, 1]] by columns
  BOOST_TEST(jacobian_(&tag, &kTwo, &kTwo, x, J) == 3);
  BOOST_TEST((J[0] == 3.0 && J[1] == 4.0 && J[2] == 2.0 && J[3] == 1.0));
  double K[4] = {99, 99, 99, 99};
  BOOST_TEST(large_jacobian_(&tag, &kTwo, &kTwo, &kTwo, x, y, K) == 3);
  BOOST_TEST((K[0] == 3.0 && K[1] == 4.0 && K[2] == 2.0 && K[3] == 1.0));
  double z[2], w[2];
  BOOST_TEST(vec_jac_(&tag, &kTwo, &kTwo, &kZero, x, u, z) == 3);
  BOOST_TEST((z[0] == 7.0 && z[1] == 3.0));
  BOOST_TEST(vec_jac_(&tag, &kTwo, &kTwo, &kOne, x, seed, z) == 3);
  BOOST_TEST((z[0] == 3.0 && z[1] == 2.0));
  BOOST_TEST(jac_vec_(&tag, &kTwo, &kTwo, x, seed, w) == 3);
  BOOST_TEST((w[0] == 3.0 && w[1] == 4.0));
  double b[] = {5.0, 5.0};
  BOOST_TEST(jac_solv_(&tag, &kTwo, x, b, &kTwo) == 3);
  BOOST_TEST((b[0] == 1.0 && b[1] == 1.0));
  BOOST_TEST(zos_forward_(&tag, &kTwo, &kTwo, &kOne, x, y) == 3);
  BOOST_TEST(fos_reverse_(&tag, &kTwo, &kTwo, u, z) == 3);
  BOOST_TEST((z[0] == 7.0 && z[1] == 3.0));
  double U[] = {1.0, 0.0, 0.0, 1.0, 0.0, 2.0}; // three weights: (1,1), (0,0), (0,2)
  double Z[6];
  BOOST_TEST(fov_reverse_(&tag, &kTwo, &kTwo, &kThree, U, Z) == 3);
  const double rows[3][2] = {{1 * 3 + 1 * 4, 1 * 2 + 1 * 1}, {0, 0}, {2 * 4, 2 * 1}};
  for (int q = 0; q < 3; ++q)
    for (int j = 0; j < 2; ++j)
      BOOST_TEST(Z[q + 3 * j] == rows[q][j]);
  double Y[2], seeds[] = {1.0, 0.0, 0.0, 1.0, 1.0, 1.0}, Ys[6]; // directions (1,0), (0,1), (1,1)
  BOOST_TEST(fos_forward_(&tag, &kTwo, &kTwo, &kZero, x, seed, y, Y) == 3);
  BOOST_TEST((Y[0] == 3.0 && Y[1] == 4.0));
  BOOST_TEST(fov_forward_(&tag, &kTwo, &kTwo, &kThree, x, seeds, y, Ys) == 3);
  BOOST_TEST((Ys[0] == 3.0 && Ys[1] == 4.0 && Ys[2] == 2.0 && Ys[3] == 1.0 && Ys[4] == 5.0 &&
              Ys[5] == 5.0));
  recordScalar(122, {1.0, 1.0}, [](auto &x) { return x[0] * x[1]; });
  BOOST_TEST(gradient_(&tag, &kTwo, x, z) == 3);
  BOOST_TEST((z[0] == 3.0 && z[1] == 2.0));
}

// y1 = x1 x2, y2 = x1² + x2 at (2, 3).
BOOST_AUTO_TEST_CASE(second_derivatives) {
  const fint tag = 125;
  recordScalar(125, {1.0, 1.0}, [](auto &x) { return x[0] * x[0] * x[1]; });
  double x[] = {2.0, 3.0}; // H = [[6, 4], [4, 0]]
  for (const auto &form :
       {+[](const fint *t, const fint *n, double *at, double *H) { return hessian_(t, n, at, H); },
        +[](const fint *t, const fint *n, double *at, double *H) {
          return hessian2_(t, n, at, H);
        }}) {
    double H[] = {99, 99, 99, 99};
    BOOST_TEST(form(&tag, &kTwo, x, H) == 3);
    BOOST_TEST((H[0] == 6.0 && H[1] == 4.0 && H[2] == 99.0 && H[3] == 0.0)); // by columns
  }
  double v[] = {1.0, -1.0}, w[] = {99.0, 99.0}, u[] = {2.0};
  BOOST_TEST(hess_vec_(&tag, &kTwo, x, v, w) == 3);
  BOOST_TEST((w[0] == 2.0 && w[1] == 4.0));
  BOOST_TEST(lagra_hess_vec_(&tag, &kOne, &kTwo, x, v, u, w) == 3);
  BOOST_TEST((w[0] == 4.0 && w[1] == 8.0));
  double V[] = {1.0, 0.0, 0.0, 1.0, 1.0, -1.0}, W[6]; // directions (1,0), (0,1), (1,-1)
  BOOST_TEST(hess_mat_(&tag, &kTwo, &kThree, x, V, W) == 3);
  const double expected[] = {6.0, 4.0, 4.0, 0.0, 2.0, 4.0};
  for (int i = 0; i < 6; ++i)
    BOOST_TEST(W[i] == expected[i]);

  double *const none = nullptr;
  const fint null = codeOf(ErrorType::NULL_ARGUMENT), huge = fint{1} << 40, negative = -1;
  BOOST_TEST(hessian_(&tag, &kTwo, x, none) == null);
  BOOST_TEST(hess_mat_(&tag, &kTwo, &kTwo, x, none, W) == null);
  BOOST_TEST(hess_mat_(&tag, &kTwo, &kTwo, x, V, none) == null);
  BOOST_TEST(hess_mat_(&tag, &kTwo, &kZero, x, none, none) == 3);
  BOOST_TEST(hess_mat_(&tag, &kTwo, &negative, x, V, W) ==
             codeOf(ErrorType::ARGUMENT_OUT_OF_RANGE));
  BOOST_TEST(hess_mat_(&tag, &kTwo, &huge, x, V, W) == codeOf(ErrorType::SIZE_MISMATCH));
  BOOST_TEST(hessian_(&tag, &kThree, x, W) == codeOf(ErrorType::FWD_COUNTS_MISMATCH));
  BOOST_TEST(lastErrorNames({"hessian", "125"}));
  double H[] = {99, 99, 99, 99};
  BOOST_TEST(hessian_(&tag, &kTwo, none, H) == null);
  BOOST_TEST((std::isnan(H[0]) && std::isnan(H[1]) && H[2] == 99.0 && std::isnan(H[3])));
  recordProductForC(125);
  const fint scalar = codeOf(ErrorType::WRONG_DEPENDENT_COUNT);
  BOOST_TEST(hessian_(&tag, &kTwo, x, H) == scalar);
  BOOST_TEST(hessian2_(&tag, &kTwo, x, H) == scalar);
  BOOST_TEST(hess_vec_(&tag, &kTwo, x, v, w) == scalar);
  BOOST_TEST(hess_mat_(&tag, &kTwo, &kTwo, x, V, W) == scalar);
}

// x(t) = (2 + t, 3 + t²): y1 = 6 + 3t + 2t² + t³, y2 = 7 + 4t + 2t².
BOOST_AUTO_TEST_CASE(higher_order) {
  recordProductForC(126);
  const fint tag = 126;
  const auto equal = [](const char *name, const double *result,
                        std::initializer_list<double> expected) {
    BOOST_TEST_CONTEXT(name)
    for (const double value : expected)
      BOOST_TEST(*result++ == value);
  };
  // Column-major: first the coefficients 1 of all variables, then the coefficients 2.
  double x[] = {2.0, 3.0}, X[] = {1.0, 0.0, 0.0, 1.0}, y[2], Y[4];
  BOOST_TEST(hos_forward_(&tag, &kTwo, &kTwo, &kTwo, &kThree, x, X, y, Y) == 3);
  equal("hos_forward values", y, {6.0, 7.0});
  equal("hos_forward", Y, {3.0, 4.0, 2.0, 2.0});
  // Gradient of y1 + y2 along the curve: (x2 + 2 x1, x1 + 1) = (7 + 2t + t², 3 + t).
  double u[] = {1.0, 1.0}, Z[12];
  BOOST_TEST(hos_reverse_(&tag, &kTwo, &kTwo, &kTwo, u, Z) == 3);
  equal("hos_reverse", Z, {7.0, 3.0, 2.0, 1.0, 1.0, 0.0});
  // The weights t of y1 and 1 of y2: (t x2 + 2 x1, t x1 + 1).
  double U[] = {0.0, 1.0, 1.0, 0.0, 0.0, 0.0};
  BOOST_TEST(hos_ti_reverse_(&tag, &kTwo, &kTwo, &kTwo, U, Z) == 3);
  equal("hos_ti_reverse", Z, {4.0, 1.0, 5.0, 2.0, 0.0, 1.0});
  // Weights (1, 1) and (0, 1), the second one has the gradient (2 x1, 1).
  double both[] = {1.0, 0.0, 1.0, 1.0};
  BOOST_TEST(hov_reverse_(&tag, &kTwo, &kTwo, &kOne, &kTwo, both, Z) == 3);
  equal("hov_reverse", Z, {7.0, 4.0, 3.0, 1.0, 2.0, 2.0, 1.0, 0.0});
  // Weights (1, 1) and (t, 1).
  double polynomials[] = {1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0};
  BOOST_TEST(hov_ti_reverse_(&tag, &kTwo, &kTwo, &kOne, &kTwo, polynomials, Z) == 3);
  equal("hov_ti_reverse", Z, {7.0, 4.0, 3.0, 1.0, 2.0, 5.0, 1.0, 2.0});
  // Directions (1, 0) and (0, 1), degree 2: y1 = 6 + 3t, 6 + 2t; y2 = 7 + 4t + t², 7 + t.
  double Xs[] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0}, Ys[8];
  for (const bool keeps : {false, true}) {
    std::fill_n(Ys, 8, 99.0);
    BOOST_TEST((keeps ? hov_wk_forward_(&tag, &kTwo, &kTwo, &kTwo, &kTwo, &kTwo, x, Xs, y, Ys)
                      : hov_forward_(&tag, &kTwo, &kTwo, &kTwo, &kTwo, x, Xs, y, Ys)) == 3);
    equal("hov_forward", Ys, {3.0, 4.0, 2.0, 1.0, 0.0, 1.0, 0.0, 0.0});
  }
  // Weight 1 of both: gradients (7 + 2t, 3 + t) and (7 + t, 3).
  double ones[] = {1.0, 1.0, 0.0, 0.0};
  BOOST_TEST(hos_ov_reverse_(&tag, &kTwo, &kTwo, &kOne, &kTwo, ones, Z) == 3);
  equal("hos_ov_reverse", Z, {7.0, 7.0, 3.0, 3.0, 2.0, 1.0, 1.0, 0.0});
}

// Extents are checked before anything is copied, and results are NaN after what is found later.
BOOST_AUTO_TEST_CASE(higher_order_misuse) {
  recordProductForC(127);
  const fint tag = 127, negative = -1, many = 1 << 30, most = 2147483647;
  double x[] = {2.0, 3.0}, X[8] = {}, y[2], Y[8], Z[8], U[8] = {};
  double *const none = nullptr;
  const fint forward = codeOf(ErrorType::FWD_COUNTS_MISMATCH),
             reverse = codeOf(ErrorType::REVERSE_COUNTS_MISMATCH),
             null = codeOf(ErrorType::NULL_ARGUMENT),
             range = codeOf(ErrorType::ARGUMENT_OUT_OF_RANGE),
             size = codeOf(ErrorType::SIZE_MISMATCH), keep = codeOf(ErrorType::FWD_HO_KEEP);
  BOOST_TEST(hos_forward_(&tag, &kThree, &kTwo, &kTwo, &kZero, x, X, y, Y) == forward);
  BOOST_TEST(lastErrorNames({"hos_forward", "127"}));
  BOOST_TEST(hos_forward_(&tag, &kTwo, &kTwo, &negative, &kZero, x, X, y, Y) == range);
  BOOST_TEST(hos_forward_(&tag, &kTwo, &kTwo, &kTwo, &kZero, x, none, y, Y) == null);
  BOOST_TEST(hos_forward_(&tag, &kTwo, &kTwo, &kTwo, &kZero, x, X, y, none) == null);
  std::fill_n(Y, 8, 99.0);
  BOOST_TEST(hos_forward_(&tag, &kTwo, &kTwo, &kTwo, &negative, x, X, y, Y) == keep);
  BOOST_TEST((std::isnan(Y[0]) && std::isnan(Y[3]) && Y[4] == 99.0));
  BOOST_TEST(hov_forward_(&tag, &kTwo, &kThree, &kTwo, &kTwo, x, X, y, Y) == forward);
  BOOST_TEST(hov_forward_(&tag, &kTwo, &kTwo, &kTwo, &negative, x, X, y, Y) == range);
  BOOST_TEST(hov_forward_(&tag, &kTwo, &kTwo, &most, &most, x, X, y, Y) == size);
  BOOST_TEST(hov_wk_forward_(&tag, &kTwo, &kTwo, &many, &kZero, &many, x, X, y, Y) == size);
  BOOST_TEST(hos_reverse_(&tag, &kThree, &kTwo, &kOne, x, Z) == reverse);
  BOOST_TEST(hos_reverse_(&tag, &kTwo, &kTwo, &negative, x, Z) == range);
  BOOST_TEST(hos_reverse_(&tag, &kTwo, &kTwo, &most, x, Z) == size); // d + 1 is no int
  BOOST_TEST(hos_ti_reverse_(&tag, &kTwo, &kTwo, &kOne, none, Z) == null);
  BOOST_TEST(hos_ov_reverse_(&tag, &kTwo, &kTwo, &kOne, &negative, U, Z) == range);
  BOOST_TEST(hov_reverse_(&tag, &kTwo, &kTwo, &kOne, &kTwo, U, none) == null);
  BOOST_TEST(hov_ti_reverse_(&tag, &kTwo, &kTwo, &many, &many, U, Z) == size);
  std::fill_n(Z, 8, 99.0);
  BOOST_TEST(hov_reverse_(&tag, &kTwo, &kTwo, &kOne, &kTwo, U, Z) ==
             codeOf(ErrorType::REVERSE_NO_TAYLOR_STACK));
  for (const double z : Z)
    BOOST_TEST(std::isnan(z));
  BOOST_TEST(hos_forward_(&tag, &kTwo, &kTwo, &kZero, &kOne, x, none, y, none) == 3); // d = 0
  BOOST_TEST(y[1] == 7.0);
}

BOOST_AUTO_TEST_CASE(errors_become_codes) {
  recordProductForC(123);
  const fint tag = 123, unknown = 29000, huge = 70000, negative = -1, large = fint{1} << 40;
  double x[] = {2.0, 3.0}, y[] = {99.0, 99.0}, J[4] = {99, 99, 99, 99};
  BOOST_TEST(function_(&unknown, &kTwo, &kTwo, x, y) == codeOf(ErrorType::NO_TAPE_ID));
  BOOST_TEST(lastErrorNames({"29000", "function"}));
  BOOST_TEST(function_(&tag, &kThree, &kTwo, x, y) == codeOf(ErrorType::FWD_COUNTS_MISMATCH));
  BOOST_TEST(lastErrorNames({"123", "3", "2"}));
  BOOST_TEST(function_(&tag, &kTwo, &kTwo, nullptr, y) == codeOf(ErrorType::NULL_ARGUMENT));
  BOOST_TEST(gradient_(&tag, &kTwo, x, y) == codeOf(ErrorType::WRONG_DEPENDENT_COUNT));
  BOOST_TEST(function_(&huge, &kTwo, &kTwo, x, y) < -99);
  BOOST_TEST(lastErrorNames({"70000"}));
  BOOST_TEST(function_(&tag, &large, &kTwo, x, y) < -99);
  BOOST_TEST(function_(&tag, &negative, &kTwo, x, y) == codeOf(ErrorType::FWD_COUNTS_MISMATCH));
  BOOST_TEST(jacobian_(&tag, &negative, &kTwo, x, J) == codeOf(ErrorType::FWD_COUNTS_MISMATCH));
  const fint wide = 2000000000;
  BOOST_TEST(jacobian_(&tag, &wide, &wide, x, J) < -99);
  BOOST_TEST(fov_forward_(&tag, &kTwo, &kTwo, &negative, x, x, y, J) ==
             codeOf(ErrorType::ARGUMENT_OUT_OF_RANGE));
  BOOST_TEST(zos_forward_(&tag, &kTwo, &kTwo, &kTwo, x, y) == codeOf(ErrorType::FWD_ZO_KEEP));
  BOOST_TEST(fos_reverse_(&tag, &kTwo, &kTwo, x, y) == codeOf(ErrorType::REVERSE_NO_TAYLOR_STACK));
  BOOST_TEST(jac_solv_(&tag, &kTwo, x, y, &kThree) == codeOf(ErrorType::ARGUMENT_OUT_OF_RANGE));
  BOOST_TEST((y[0] != 99.0 && y[1] != 99.0 && J[0] == 99.0)); // the last ones know where y is
  BOOST_TEST(function_(&tag, &kTwo, &kTwo, x, y) == 3);
  BOOST_TEST((y[0] == 6.0 && y[1] == 7.0));
}

// Wrong counts and missing matrices are found before anything is copied.
BOOST_AUTO_TEST_CASE(matrices_are_checked_first) {
  recordProductForC(124);
  const fint tag = 124, unknown = 29000, many = 1000000;
  double x[] = {2.0, 3.0}, y[] = {99.0, 99.0}, J[4] = {99, 99, 99, 99}, I[] = {1.0, 0.0, 0.0, 1.0};
  double *const none = nullptr;
  BOOST_TEST(zos_forward_(&tag, &kTwo, &kTwo, &kOne, x, y) == 3);
  for (const fint *wrong : {&kThree, &many, &kZero}) {
    const fint forward = codeOf(ErrorType::FWD_COUNTS_MISMATCH);
    BOOST_TEST(fov_forward_(&tag, &kTwo, wrong, &kTwo, x, I, y, J) == forward);
    BOOST_TEST(fov_forward_(&tag, wrong, &kTwo, &kTwo, x, I, y, J) == forward);
    BOOST_TEST(lastErrorNames({"fov_forward", "124"}));
    BOOST_TEST(jacobian_(&tag, &kTwo, wrong, x, J) == forward);
    BOOST_TEST(jacobian_(&tag, wrong, &kTwo, x, J) == forward);
    BOOST_TEST(large_jacobian_(&tag, &kTwo, wrong, &kTwo, x, y, J) == forward);
    const fint reverse = codeOf(ErrorType::REVERSE_COUNTS_MISMATCH);
    BOOST_TEST(fov_reverse_(&tag, &kTwo, wrong, &kTwo, I, J) == reverse);
    BOOST_TEST(fov_reverse_(&tag, wrong, &kTwo, &kTwo, I, J) == reverse);
  }
  const fint null = codeOf(ErrorType::NULL_ARGUMENT);
  BOOST_TEST(fov_forward_(&tag, &kTwo, &kTwo, &kTwo, x, none, y, J) == null);
  BOOST_TEST(fov_forward_(&tag, &kTwo, &kTwo, &kTwo, x, I, y, none) == null);
  BOOST_TEST(fov_forward_(&tag, &kTwo, &kTwo, &kTwo, none, I, y, J) == null);
  BOOST_TEST(fov_reverse_(&tag, &kTwo, &kTwo, &kTwo, none, J) == null);
  BOOST_TEST(fov_reverse_(&tag, &kTwo, &kTwo, &kTwo, I, none) == null);
  BOOST_TEST(jacobian_(&tag, &kTwo, &kTwo, x, none) == null);
  BOOST_TEST(jacobian_(&tag, &kTwo, &kTwo, none, J) == null);
  BOOST_TEST(large_jacobian_(&tag, &kTwo, &kTwo, &kTwo, x, y, none) == null);
  BOOST_TEST(large_jacobian_(&tag, &kTwo, &kTwo, &kTwo, x, none, J) == null);
  BOOST_TEST(jacobian_(&unknown, &kTwo, &kTwo, x, none) == codeOf(ErrorType::NO_TAPE_ID));
  BOOST_TEST(std::isnan(J[0])); // of a known matrix, whatever else was missing
  BOOST_TEST(fov_reverse_(&tag, &kTwo, &kTwo, &kZero, none, none) == 3); // nothing to copy
  BOOST_TEST(fov_forward_(&tag, &kTwo, &kTwo, &kZero, x, none, y, none) == 3);
  BOOST_TEST(jacobian_(&tag, &kTwo, &kTwo, x, J) == 3);
  BOOST_TEST((J[0] == 3.0 && J[3] == 1.0));
}

BOOST_AUTO_TEST_CASE(packing) {
  double flat[24];
  for (int i = 0; i < 24; ++i)
    flat[i] = i;
  Matrix a(4, 6);
  spread2(4, 6, flat, a.get());
  BOOST_TEST(a[3][5] == 23.0);
  BOOST_TEST(a[1][2] == 9.0);
  double back[24] = {};
  pack2(4, 6, a.get(), back);
  for (int i = 0; i < 24; ++i)
    BOOST_TEST(back[i] == flat[i]);
  double ***t = myalloc3(2, 3, 4);
  spread3(2, 3, 4, flat, t);
  BOOST_TEST(t[1][2][3] == 23.0);
  BOOST_TEST(t[1][0][2] == 13.0);
  std::fill_n(back, 24, 0.0);
  pack3(2, 3, 4, t, back);
  for (int i = 0; i < 24; ++i)
    BOOST_TEST(back[i] == flat[i]);
  myfree3(t);
  double v[3];
  spread1(3, flat, v);
  pack1(3, v, back);
  BOOST_TEST((v[2] == 2.0 && back[2] == 2.0));
}

BOOST_AUTO_TEST_SUITE_END()
