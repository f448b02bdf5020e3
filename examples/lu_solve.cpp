// SPDX-License-Identifier: MIT
//
// Differentiating a linear solver: z solves A z = b by LU factorisation, and
// every entry of A and b is an independent variable. Implicit differentiation
// says what the n x (n^2 + n) Jacobian has to be:
//
//     dz/db    = A^-1
//     dz/dA_ij = -A^-1 e_i z_j          (from dA z + A dz = 0)
//
// Pivoting is where care is needed. The row order is chosen by looking at
// values, value() of an adouble being an ordinary double: such decisions are
// not recorded, so the tape keeps the row order of the recorded matrix. That is
// right for every matrix whose leading minors in that order do not vanish, and
// accurate as long as the pivots do not become tiny compared with the rest.
// (Comparing adoubles themselves *would* be recorded, and a later evaluation
// that decides otherwise reports it by a negative return code.)
//
// usage: lu_solve [n]

#include <adolc/adolc.h>

#include "check.h"

#include <utility>

namespace {

// Solves A z = b in place: a (row-major) is overwritten by its factors, b by z.
void solve(std::vector<adouble> &a, std::vector<adouble> &b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> row(n); // row[k]: which row serves as k-th pivot row
  for (std::size_t k = 0; k < n; ++k)
    row[k] = k;

  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[row[i] * n + k].value()) > std::abs(a[row[pivot] * n + k].value()))
        pivot = i;
    std::swap(row[k], row[pivot]); // exchanging indices records nothing

    for (std::size_t i = k + 1; i < n; ++i) {
      adouble &factor = a[row[i] * n + k];
      factor /= a[row[k] * n + k];
      for (std::size_t j = k + 1; j < n; ++j)
        a[row[i] * n + j] -= factor * a[row[k] * n + j];
      b[row[i]] -= factor * b[row[k]]; // forward substitution on the fly
    }
  }
  std::vector<adouble> z(n);
  for (std::size_t k = n; k-- > 0;) { // back substitution
    z[k] = b[row[k]];
    for (std::size_t j = k + 1; j < n; ++j)
      z[k] -= a[row[k] * n + j] * z[j];
    z[k] /= a[row[k] * n + k];
  }
  b.swap(z);
}

// A and b in one vector, the order in which they are marked independent.
std::vector<double> system(std::size_t n, double shift) {
  std::vector<double> x(n * n + n);
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = std::sin(1.0 + 0.7 * static_cast<double>(k * k % 41) + shift);
  return x;
}

// Checks z and its Jacobian at x = (A, b). Nothing here needs a second solver:
// if A times the b-block is the identity, that block is A^-1.
void check_point(example::Checks &checks, std::size_t n, const std::vector<double> &x,
                 const std::vector<double> &z, const example::Matrix &jac) {
  double residual = 0.0, inverse = 0.0, sensitivity = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double row_residual = -x[n * n + i];
    for (std::size_t j = 0; j < n; ++j) {
      row_residual += x[i * n + j] * z[j];
      double entry = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        entry += x[i * n + k] * jac(k, n * n + j);
        sensitivity = example::worse(sensitivity,
                                     example::error(jac(k, i * n + j), -jac(k, n * n + i) * z[j]));
      }
      inverse = example::worse(inverse, std::abs(entry - (i == j ? 1.0 : 0.0)));
    }
    residual = example::worse(residual, std::abs(row_residual));
  }
  checks.below("A z - b", residual, 1e-12);
  checks.below("A dz/db - I", inverse, 1e-12);
  checks.below("dz/dA against -A^-1 dA z: relative error", sensitivity, 1e-12);
}

} // namespace

int main(int argc, char **argv) {
  const auto n = static_cast<std::size_t>(example::argument(argc, argv, 1, 6, 1, 60));
  const std::size_t inputs = n * n + n;
  constexpr short tag = 1;
  example::Checks checks;

  std::vector<double> x = system(n, 0.0), z(n);
  trace_on(tag);
  {
    std::vector<adouble> a(n * n), b(n);
    for (std::size_t k = 0; k < n * n; ++k)
      a[k] <<= x[k];
    for (std::size_t i = 0; i < n; ++i)
      b[i] <<= x[n * n + i];
    solve(a, b);
    for (std::size_t i = 0; i < n; ++i)
      b[i] >>= z[i];
  }
  trace_off();

  const example::TapeSize size = example::tape_size(tag);
  std::printf("LU solve of %zu equations: %zu inputs, %zu operations, %.1f "
              "bytes each\n",
              n, inputs, size.operations, size.bytes_per_operation);

  // The recorded system first, then another one with the same tape.
  const int m = static_cast<int>(n), count = static_cast<int>(inputs);
  example::Matrix jac(n, inputs);
  for (double shift : {0.0, 0.2}) {
    x = system(n, shift);
    std::printf(" %s system\n", shift == 0.0 ? "recorded" : "another");
    checks.require("function", function(tag, m, count, x.data(), z.data()) >= 0);
    // The driver takes reverse mode here, because outputs are few.
    checks.require("jacobian", jacobian(tag, m, count, x.data(), jac.rows()) >= 0);
    check_point(checks, n, x, z, jac);
  }
  return checks.exit_code();
}
