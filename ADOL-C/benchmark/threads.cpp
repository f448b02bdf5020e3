// Threads on one shared tape: throughput of values and gradients against that of one thread, and
// what taking the tape costs a small gradient.
//
//   bench_threads [threads] [largest tape, operations]
#include "timing.h"

#include <adolc/adolc.h>
#include <adolc/workspace.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <vector>

namespace {

constexpr short kTag = 1;
constexpr std::size_t kNumInds = 10;
double seconds = 0.6; // of one measurement
constexpr int kRepeats = 5;

/// A tape of about so many operations on some dozen locations.
void recordTape(std::size_t operations) {
  trace_on(kTag);
  {
    std::vector<adouble> x(kNumInds);
    for (std::size_t i = 0; i < kNumInds; ++i)
      x[i] <<= 0.1 * static_cast<double>(i + 1);
    adouble sum = 0.5;
    for (std::size_t i = 0; i + 4 < operations; i += 3) {
      sum *= x[i % kNumInds];
      sum += x[(i + 3) % kNumInds];
      sum -= 0.25;
    }
    double y = 0.0;
    sum >>= y;
  }
  trace_off();
}

std::vector<double> point() {
  std::vector<double> x(kNumInds);
  for (std::size_t i = 0; i < kNumInds; ++i)
    x[i] = 0.1 * static_cast<double>(i + 1) + 0.01;
  return x;
}

/// Evaluations per second by all threads together.
template <class Evaluate> double throughput(unsigned threads, Evaluate &&evaluate) {
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> ends = false;
  std::barrier begin(static_cast<std::ptrdiff_t>(threads) + 1);
  std::vector<std::jthread> all;
  for (unsigned t = 0; t < threads; ++t)
    all.emplace_back([&] {
      ADOLC::Workspace workspace;
      const std::vector<double> x = point();
      evaluate(workspace, x); // its memory
      begin.arrive_and_wait();
      std::size_t mine = 0;
      for (; !ends; ++mine)
        evaluate(workspace, x);
      done += mine;
    });
  begin.arrive_and_wait();
  const bench::Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  ends = true;
  all.clear();
  return static_cast<double>(done) / watch.seconds();
}

/// Medians of measurements by turns.
template <class Evaluate>
void compare(const char *what, unsigned threads, std::size_t operations, double bytes,
             Evaluate &&evaluate) {
  std::vector<double> one, many, ratios;
  for (int i = 0; i < kRepeats; ++i) {
    one.push_back(throughput(1, evaluate));
    many.push_back(throughput(threads, evaluate));
    ratios.push_back(many.back() / one.back());
  }
  const auto median = [](std::vector<double> &v) {
    std::nth_element(v.begin(), v.begin() + kRepeats / 2, v.end());
    return v[kRepeats / 2];
  };
  const double all = median(many);
  std::printf("%-10s %9zu operations: %u threads %.2f times one thread; %.1f ns per operation and "
              "thread, %.1f GB/s\n",
              what, operations, threads, median(ratios),
              1e9 * threads / (all * static_cast<double>(operations)), all * bytes * 1e-9);
}

/// Nanoseconds of one call.
template <class F> double nanoseconds(F &&f) {
  constexpr int count = 200000;
  double best = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    const bench::Stopwatch watch;
    for (int k = 0; k < count; ++k)
      f();
    best = std::min(best, watch.seconds() / count);
  }
  return 1e9 * best;
}

void overhead() {
  recordTape(100);
  const std::vector<double> x = point();
  std::vector<double> g(kNumInds);
  const int n = static_cast<int>(kNumInds);
  for (const bool shared : {false, true}) {
    shared ? findTape(kTag).setSharedMode() : findTape(kTag).setExclusiveMode();
    using namespace ADOLC::detail;
    const double whole = nanoseconds([&] { ::gradient(kTag, n, x.data(), g.data()); });
    const double taking =
        nanoseconds([&] { const TapeEvaluationContext context(kTag, "", TapeUse::pairs); });
    std::printf(
        "%s mode: a gradient of 100 operations %.0f ns, of which taking the tape %.0f ns%s\n",
        shared ? "shared" : "exclusive", whole, taking, shared ? "" : " (wanted: <= 100)");
  }
}

} // namespace

int main(int argc, char **argv) {
  const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 2;
  const std::size_t largest = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10000000;
  if (threads < 1 || largest < 100) {
    std::fputs("usage: bench_threads [threads] [largest tape, operations]\n", stderr);
    return 2;
  }
  if (largest < 10000) // it is only to be seen whether it works
    seconds = 0.01;
  overhead();
  for (const std::size_t operations : {std::min<std::size_t>(largest, 10000), largest}) {
    recordTape(operations);
    findTape(kTag).setSharedMode();
    const auto bytes = static_cast<double>(ADOLC::tapeBytes(kTag).total());
    compare("values", threads, operations, bytes,
            [](ADOLC::Workspace &workspace, const std::vector<double> &x) {
              double y = 0.0;
              ADOLC::function(kTag, workspace, x, std::span(&y, 1));
            });
    // The streams twice, and the saved values written and read.
    const double saved = 8.0 * static_cast<double>(tapestats(kTag)[NUM_TAYS]);
    compare("gradients", threads, operations, 2.0 * (bytes + saved),
            [](ADOLC::Workspace &workspace, const std::vector<double> &x) {
              std::vector<double> g(kNumInds);
              ADOLC::gradient(kTag, workspace, x, g);
            });
  }
}
