// SPDX-License-Identifier: MIT
//
// x^n by repeated squaring: recording a recursive function.
//
// The tape holds only the arithmetic that was executed, so neither recursion
// nor loops nor branches on ordinary numbers (here the exponent n) leave a
// trace: x^n becomes about log2(n) multiplications, and differentiating those
// gives n * x^(n-1). One recording serves every x.
//
// usage: power [n]        (n may be negative)

#include <adolc/adolc.h>

#include "check.h"

namespace {

// Works for any type with * and /, in particular double and adouble.
template <class T> T power(const T &x, int n) {
  if (n < 0)
    return T(1.0 / power(x, -n));
  if (n == 0)
    return T(1.0);
  if (n == 1)
    return x;
  const T half = power(x, n / 2);
  if (n % 2 == 0)
    return T(half * half);
  return T(half * half * x);
}

} // namespace

int main(int argc, char **argv) {
  const int n = example::argument(argc, argv, 1, 19, -200, 200);
  constexpr short tag = 1;
  example::Checks checks;

  double y = 0.0;
  trace_on(tag);
  {
    adouble ax, ay;
    ax <<= 1.5; // any point will do
    ay = power(ax, n);
    ay >>= y;
  }
  trace_off();

  const example::TapeSize size = example::tape_size(tag);
  std::printf("x^%d by repeated squaring, %zu operations recorded\n\n", n, size.operations);
  std::printf("%8s %24s %24s\n", "x", "x^n", "n x^(n-1)");

  double value_error = 0.0, slope_error = 0.0;
  for (double x : {1.5, 0.25, -0.75, 1.0, -1.125, 2.0}) {
    // First-order scalar forward mode: given a point x and a tangent dx, one
    // sweep over the tape returns the value and the directional derivative.
    double dx = 1.0;
    double dy = 0.0;
    checks.require("fos_forward", fos_forward(tag, 1, 1, 0, &x, &dx, &y, &dy) >= 0);
    std::printf("%8.3f %24.16g %24.16g\n", x, y, dy);

    const double value = std::pow(x, n), slope = n * std::pow(x, n - 1);
    value_error = example::worse(value_error, std::abs(y / value - 1.0));
    slope_error = example::worse(slope_error, n == 0 ? std::abs(dy) : std::abs(dy / slope - 1.0));

    // The same derivative by reverse mode.
    double g = 0.0;
    checks.require("gradient", gradient(tag, 1, &x, &g) >= 0);
    slope_error = example::worse(slope_error, example::error(g, dy));
  }
  std::printf("\n");
  const double rounding = 1e-15 * (8.0 + std::abs(n));
  checks.below("values: relative error", value_error, rounding);
  checks.below("derivatives, forward and reverse: relative error", slope_error, rounding);
  return checks.exit_code();
}
