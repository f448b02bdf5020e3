// SPDX-License-Identifier: MIT
// The Fortran-callable forms, called from C++: arguments by reference, column-major matrices, codes
// instead of exceptions.
#include "support/expect.h"

#include <adolc/fortutils.h>

#include <boost/test/unit_test.hpp>

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
