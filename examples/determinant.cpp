// SPDX-License-Identifier: MIT
//
// Determinant of an n x n matrix by recursive expansion along rows, and its
// gradient, which is the matrix of cofactors:
//
//     d det(A) / d A_ij = C_ij = det(A) * (A^-1)_ji        (Jacobi's formula)
//
// The test matrices have the form A = diag(d) + u v^T, for which determinant
// and inverse are known in closed form (Sherman and Morrison):
//
//     det(A) = s * d_1 * ... * d_n,             s = 1 + sum v_i u_i / d_i
//     (A^-1)_ij = delta_ij / d_i - (u_i / d_i) (v_j / d_j) / s
//
// usage: determinant [n]

#include <adolc/adolc.h>

#include "check.h"

namespace {

// Determinant of the rows `row`, row+1, ... restricted to the columns whose
// bits are set in `columns`. Recursion costs about e * n! operations: a poor
// way to compute determinants, but a good test for a tape.
template <class T>
T determinant(const std::vector<T> &a, std::size_t n, std::size_t row, unsigned columns) {
  const bool last_row = row + 1 == n;
  bool positive = true;
  T sum = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const unsigned bit = 1U << j;
    if ((columns & bit) == 0)
      continue;
    if (last_row)
      return a[row * n + j];
    if (positive)
      sum += a[row * n + j] * determinant(a, n, row + 1, columns & ~bit);
    else
      sum -= a[row * n + j] * determinant(a, n, row + 1, columns & ~bit);
    positive = !positive;
  }
  return sum;
}

// A = diag(d) + u v^T together with its determinant and cofactor matrix.
struct TestMatrix {
  std::vector<double> a, cofactors;
  double det = 1.0;

  TestMatrix(std::size_t n, double shift) : a(n * n), cofactors(n * n) {
    std::vector<double> d(n), u(n), v(n);
    double s = 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto t = static_cast<double>(i) + shift;
      d[i] = 1.0 + 0.25 * std::sin(t);
      u[i] = std::cos(2.0 * t);
      v[i] = 0.5 + std::cos(2.0 * t);
      s += u[i] * v[i] / d[i];
      det *= d[i];
    }
    det *= s;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] = (i == j ? d[i] : 0.0) + u[i] * v[j];
        const double inverse_ji = (i == j ? 1.0 / d[i] : 0.0) - u[j] * v[i] / (d[i] * d[j] * s);
        cofactors[i * n + j] = det * inverse_ji;
      }
  }
};

} // namespace

int main(int argc, char **argv) {
  const auto n = static_cast<std::size_t>(example::argument(argc, argv, 1, 7, 1, 9));
  const std::size_t entries = n * n;
  const unsigned all_columns = (1U << n) - 1U;
  constexpr short tag = 1;
  example::Checks checks;

  TestMatrix first(n, 0.3), second(n, 1.7);
  double det = 0.0;
  trace_on(tag);
  {
    std::vector<adouble> a(entries);
    for (std::size_t k = 0; k < entries; ++k)
      a[k] <<= first.a[k];
    adouble result = determinant(a, n, 0, all_columns);
    result >>= det;
  }
  trace_off();

  const example::TapeSize size = example::tape_size(tag);
  std::printf("determinant of a %zu x %zu matrix by expansion: %zu operations, "
              "%.1f bytes each\n",
              n, n, size.operations, size.bytes_per_operation);

  // One recording, two matrices.
  for (TestMatrix *m : {&first, &second}) {
    std::vector<double> g(entries);
    const int count = static_cast<int>(entries);
    checks.require("function", function(tag, 1, count, m->a.data(), &det) >= 0);
    checks.require("gradient", gradient(tag, count, m->a.data(), g.data()) >= 0);
    double worst = 0.0;
    for (std::size_t k = 0; k < entries; ++k)
      worst = example::worse(worst, example::error(g[k], m->cofactors[k]));
    std::printf("  det = %.15g, closed form %.15g\n", det, m->det);
    checks.below("determinant: error", example::error(det, m->det), 1e-13);
    checks.below("gradient against det(A) * inverse transposed: error", worst, 1e-13);
  }
  return checks.exit_code();
}
