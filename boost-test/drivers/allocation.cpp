// SPDX-License-Identifier: MIT
// The helpers that allocate vectors, matrices and tensors.
#include "support/expect.h"

#include <adolc/adalloc.h>

#include <boost/test/unit_test.hpp>

#include <cstdint>

using namespace test;

BOOST_AUTO_TEST_SUITE(allocation)

BOOST_AUTO_TEST_CASE(vectors) {
  double *a = myalloc1(5);
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(a[i] == 0.0);
  a[4] = 1.0;
  myfree1(a);
  BOOST_TEST(myalloc1(0) == nullptr);
  myfree1(nullptr);
  unsigned int *u = myalloc1_uint(3);
  BOOST_TEST((u[0] == 0u && u[2] == 0u));
  myfree1_uint(u);
  std::size_t *l = myalloc1_ulong(3);
  BOOST_TEST((l[0] == 0u && l[2] == 0u));
  myfree1_ulong(l);
  BOOST_TEST(myalloc1_uint(0) == nullptr);
  BOOST_TEST(myalloc1_ulong(0) == nullptr);
  myfree1_uint(nullptr);
  myfree1_ulong(nullptr);
}

BOOST_AUTO_TEST_CASE(matrices_and_tensors_are_contiguous) {
  double **a = myalloc2(3, 4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      BOOST_TEST(a[i][j] == 0.0);
      BOOST_TEST(&a[i][j] == a[0] + 4 * i + j);
    }
  myfree2(a);
  double ***t = myalloc3(2, 3, 4);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) {
        BOOST_TEST(t[i][j][k] == 0.0);
        BOOST_TEST(&t[i][j][k] == t[0][0] + 12 * i + 4 * j + k);
        t[i][j][k] = 1.0;
      }
  myfree3(t);
  std::size_t **s = myalloc2_ulong(2, 2);
  BOOST_TEST(s[1][1] == 0u);
  BOOST_TEST(&s[1][0] == s[0] + 2);
  myfree2_ulong(s);
  for (int zero = 0; zero < 3; ++zero) {
    const std::size_t m = zero == 0 ? 0 : 2, n = zero == 1 ? 0 : 2, p = zero == 2 ? 0 : 2;
    BOOST_TEST(myalloc3(m, n, p) == nullptr);
    if (zero < 2) {
      BOOST_TEST(myalloc2(m, n) == nullptr);
      BOOST_TEST(myalloc2_ulong(m, n) == nullptr);
    }
  }
  myfree2(nullptr);
  myfree3(nullptr);
  myfree2_ulong(nullptr);
}

BOOST_AUTO_TEST_CASE(identity) {
  for (const std::size_t n : {1u, 2u, 7u}) {
    double **I = myallocI2(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        BOOST_TEST(I[i][j] == (i == j ? 1.0 : 0.0));
    myfreeI2(n, I);
  }
  BOOST_TEST(myallocI2(0) == nullptr);
  myfreeI2(0, nullptr);
}

BOOST_AUTO_TEST_CASE(overloads) {
  double *a = myalloc(2);
  double **b = myalloc(2, 3);
  double ***c = myalloc(2, 3, 4);
  BOOST_TEST((a[1] == 0.0 && b[1][2] == 0.0 && c[1][2][3] == 0.0));
  myfree(a);
  myfree(b);
  myfree(c);
}

BOOST_AUTO_TEST_CASE(layout_in_memory_of_the_caller) {
  alignas(16) char memory[1024];
  double **matrix = nullptr;
  char *end = populate_dpp(&matrix, memory, 3, 4);
  BOOST_TEST(end == memory + 3 * sizeof(double *) + 12 * sizeof(double));
  BOOST_TEST(reinterpret_cast<char *>(matrix) == memory);
  BOOST_TEST(reinterpret_cast<char *>(&matrix[2][3] + 1) == end);
  double ***tensor = nullptr;
  end = populate_dppp(&tensor, memory, 2, 3, 4);
  BOOST_TEST(end == memory + 2 * sizeof(double **) + 6 * sizeof(double *) + 24 * sizeof(double));
  BOOST_TEST(&tensor[1][2][3] == tensor[0][0] + 23);
  end = populate_dppp_nodata(&tensor, memory, 2, 3);
  BOOST_TEST(end == memory + 2 * sizeof(double **) + 6 * sizeof(double *));
  BOOST_TEST(reinterpret_cast<char *>(tensor[1]) ==
             memory + 2 * sizeof(double **) + 3 * sizeof(double *));
}

// A number of bytes that wraps around must not become a small allocation.
BOOST_AUTO_TEST_CASE(overflow) {
  constexpr std::size_t huge = SIZE_MAX / 8 + 2, half = std::size_t{1} << 32;
  expectError(ErrorType::MYALLOC1, {}, [] { myalloc1(huge); });
  expectError(ErrorType::MYALLOC1, {}, [] { myalloc1(SIZE_MAX); });
  expectError(ErrorType::MYALLOC2, {}, [] { myalloc2(half, half); });
  expectError(ErrorType::MYALLOC2, {}, [] { myalloc2(2, SIZE_MAX / 2); });
  expectError(ErrorType::MYALLOC2, {}, [] { myalloc2(SIZE_MAX, 2); });
  expectError(ErrorType::MYALLOC3, {}, [] { myalloc3(half, 2, half); });
  expectError(ErrorType::MYALLOC3, {},
              [] { myalloc3(std::size_t{1} << 22, half, std::size_t{1} << 10); });
  expectError(ErrorType::MYALLOCI2, {}, [] { myallocI2(SIZE_MAX / 8); });
  expectError(ErrorType::MYALLOC1_UINT, {}, [] { myalloc1_uint(SIZE_MAX / 2); });
  expectError(ErrorType::MYALLOC1_ULONG, {}, [] { myalloc1_ulong(huge); });
  expectError(ErrorType::MYALLOC2_ULONG, {}, [] { myalloc2_ulong(half, half); });
}

BOOST_AUTO_TEST_CASE(conversions) {
  static_assert(to_size_t(3) == 3u && to_double(7) == 7.0);
  BOOST_TEST(to_size_t(std::int64_t{1} << 40) == std::size_t{1} << 40);
}

BOOST_AUTO_TEST_CASE(diagnostics_of_programs) { BOOST_TEST(DIAG_OUT == stderr); }

BOOST_AUTO_TEST_SUITE_END()
