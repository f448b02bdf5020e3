// SPDX-License-Identifier: MIT
//
// One tape, many points, many threads: prices of call options by the formula
// of Black and Scholes, and their sensitivities (the "Greeks"), which are the
// gradient with respect to spot, strike, time, rate and volatility.
//
// The formula is recorded once. Then the gradient is taken for a book of
// options in three ways, which must agree to the last bit: one after the
// other; by gradientBatch, which distributes the points over threads; and by
// threads of our own, each with a workspace, on the tape in shared mode.
//
// usage: option_greeks [options] [threads]

#include <adolc/adolc.h>

#include "check.h"

#include <numbers>
#include <thread>

namespace {

constexpr std::size_t inputs = 5; // spot, strike, time, rate, volatility
constexpr short tag = 1;

template <class T> T normal_distribution(const T &x) {
  return 0.5 * erfc(-x * std::numbers::sqrt2 * 0.5);
}
double normal_density(double x) {
  return std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

template <class T>
T call_price(const T &spot, const T &strike, const T &time, const T &rate, const T &volatility) {
  const T spread = volatility * sqrt(time);
  const T d1 = (log(spot / strike) + (rate + volatility * volatility * 0.5) * time) / spread;
  const T d2 = d1 - spread;
  return spot * normal_distribution(d1) - strike * exp(-rate * time) * normal_distribution(d2);
}

void record() {
  trace_on(tag);
  {
    std::vector<adouble> a(inputs);
    const double at[inputs] = {100.0, 100.0, 1.0, 0.02, 0.2};
    for (std::size_t i = 0; i < inputs; ++i)
      a[i] <<= at[i];
    adouble price = call_price(a[0], a[1], a[2], a[3], a[4]);
    double value = 0.0;
    price >>= value;
  }
  trace_off();
}

// The closed forms of two sensitivities.
double delta(const double *p) {
  const double spread = p[4] * std::sqrt(p[2]);
  return normal_distribution((std::log(p[0] / p[1]) + (p[3] + p[4] * p[4] * 0.5) * p[2]) / spread);
}
double vega(const double *p) {
  const double spread = p[4] * std::sqrt(p[2]);
  const double d1 = (std::log(p[0] / p[1]) + (p[3] + p[4] * p[4] * 0.5) * p[2]) / spread;
  return p[0] * normal_density(d1) * std::sqrt(p[2]);
}

} // namespace

int main(int argc, char **argv) {
  const auto count =
      static_cast<std::size_t>(example::argument(argc, argv, 1, 2000, 1, 10'000'000));
  const auto threads = static_cast<unsigned>(example::argument(argc, argv, 2, 2, 1, 1000));
  example::Checks checks;

  record();
  std::vector<double> book;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) / static_cast<double>(count);
    book.insert(book.end(), {90.0 + 20.0 * at, 100.0, 0.25 + at, 0.01 + 0.02 * at, 0.3 - 0.1 * at});
  }

  // One after the other.
  std::vector<double> greeks(book.size());
  double worst_delta = 0.0, worst_vega = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double *const p = &book[i * inputs];
    double *const g = &greeks[i * inputs];
    checks.require("gradient", gradient(tag, inputs, p, g) >= 0);
    worst_delta = example::worse(worst_delta, example::error(g[0], delta(p)));
    worst_vega = example::worse(worst_vega, example::error(g[4], vega(p)));
  }
  std::printf("%zu options: call prices and their sensitivities, by %u threads\n", count, threads);
  std::printf("  the first one: delta %.6f, vega %.4f\n", greeks[0], greeks[4]);
  checks.below("delta against its closed form: relative error", worst_delta, 1e-13);
  checks.below("vega against its closed form: relative error", worst_vega, 1e-13);

  // The points distributed over threads.
  checks.require("gradientBatch gives the same bits",
                 ADOLC::gradientBatch(tag, book, threads) == greeks);

  // Threads of our own. In shared mode they evaluate the tape at the same time; what a gradient
  // keeps between its two sweeps is in the thread's workspace.
  findTape(tag).setSharedMode();
  std::vector<double> by_threads(book.size());
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      ADOLC::Workspace workspace;
      for (std::size_t i = t; i < count; i += threads)
        ADOLC::gradient(tag, workspace, std::span(book).subspan(i * inputs, inputs),
                        std::span(by_threads).subspan(i * inputs, inputs));
    });
  workers.clear(); // waits for them
  checks.require("threads with workspaces give the same bits", by_threads == greeks);
  return checks.exit_code();
}
