// SPDX-License-Identifier: MIT
//
// Speelpenning's product: the gradient of f(x) = x_1 * x_2 * ... * x_n.
//
// This is the classic first example of reverse mode. Written out by hand, the
// gradient needs n products of n-1 factors; reverse mode gets all n partial
// derivatives for a small multiple of the price of f alone. The closed form
//
//     df/dx_i = f(x) / x_i
//
// tells us what the answer has to be.
//
// usage: speelpenning [n]

#include <adolc/adolc.h>

#include "check.h"

namespace {

// Largest relative difference between g and the closed form at x.
double gradient_error(const std::vector<double> &x, const std::vector<double> &g) {
  double product = 1.0;
  for (double xi : x)
    product *= xi;
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = product / x[i];
    worst = example::worse(worst, std::abs(g[i] - exact) / std::abs(exact));
  }
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  const int n = example::argument(argc, argv, 1, 12, 1, 100'000);
  const auto size = static_cast<std::size_t>(n);
  constexpr short tag = 1; // the number by which we refer to this tape
  example::Checks checks;

  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i)
    x[i] = (1.0 + static_cast<double>(i)) / (2.0 + static_cast<double>(i));

  // Record. Everything between trace_on and trace_off that involves adoubles
  // is written to the tape. The second argument (keep = 1) also saves the
  // intermediate values, so that a reverse sweep can follow immediately.
  double value = 0.0;
  trace_on(tag, 1);
  {
    std::vector<adouble> ax(size);
    adouble ay = 1.0;
    for (std::size_t i = 0; i < size; ++i) {
      ax[i] <<= x[i]; // mark x_i as independent and give it its value
      ay *= ax[i];
    }
    ay >>= value; // mark the product as dependent and fetch its value
  }
  trace_off();

  std::printf("Speelpenning's product of %d variables\n", n);
  std::printf("  value %.15g, expected 1/(n+1) = %.15g\n", value, 1.0 / (n + 1.0));
  const double rounding = 4.0 * n * 2.3e-16;
  checks.below("value: relative error", std::abs(value * (n + 1.0) - 1.0), rounding);

  // Reverse sweep at the point of the recording: weight 1 for the only output.
  double weight = 1.0;
  std::vector<double> g(size);
  checks.require("fos_reverse", fos_reverse(tag, 1, n, &weight, g.data()) >= 0);
  checks.below("gradient at the recorded point: relative error", gradient_error(x, g), rounding);
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 3); ++i)
    std::printf("    df/dx_%zu = %.15g\n", i + 1, g[i]);

  // The tape is valid at any other point: the driver `gradient` runs a forward
  // sweep at the new x and then the reverse sweep. No new recording is needed.
  for (std::size_t i = 0; i < size; ++i)
    x[i] = (i % 2 == 0 ? 1.0 : -1.0) + 0.01 * std::sin(static_cast<double>(i));
  checks.require("gradient", gradient(tag, n, x.data(), g.data()) >= 0);
  checks.below("gradient at a new point: relative error", gradient_error(x, g), rounding);
  return checks.exit_code();
}
