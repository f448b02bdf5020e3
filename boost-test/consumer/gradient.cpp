// SPDX-License-Identifier: MIT
// The smallest complete program: record y = x0 x1 + sin x0, then ask for its gradient.
#include <adolc/adolc.h>

#include <cmath>
#include <cstdio>

int main() {
  trace_on(1);
  adouble x[2], y;
  x[0] <<= 3.0;
  x[1] <<= 4.0;
  y = x[0] * x[1] + sin(x[0]);
  double value = 0.0;
  y >>= value;
  trace_off();

  // Not where it was recorded: the tape must be evaluated, not remembered.
  const double at[2] = {0.5, -2.0};
  double g[2] = {0.0, 0.0};
  gradient(1, 2, at, g);

  std::printf("y(3, 4) = %.17g, gradient at (0.5, -2): %.17g %.17g\n", value, g[0], g[1]);
  const bool right = std::abs(value - (12.0 + std::sin(3.0))) < 1e-14 &&
                     std::abs(g[0] - (-2.0 + std::cos(0.5))) < 1e-14 && g[1] == 0.5;
  return right ? 0 : 1;
}
