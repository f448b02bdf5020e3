// Sampling of times.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

// The time of the wall, or that of this process alone, which others that use the machine lengthen
// less.
inline clockid_t sampledClock = CLOCK_MONOTONIC;

class Stopwatch {
public:
  double seconds() const { return now() - start_; }

private:
  static double now() {
    timespec time{};
    clock_gettime(sampledClock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double start_ = now();
};

// Seconds per call: the median over `repeats` samples, after one call to warm up. A sample makes as
// many calls as fill about 5 ms, so that neither the clock's resolution nor one interrupt decides.
template <class Action> double medianSeconds(int repeats, Action &&action) {
  constexpr double sampleSeconds = 5e-3;
  const auto secondsOf = [&action](long calls) {
    const Stopwatch watch;
    for (long call = 0; call < calls; ++call)
      action();
    return watch.seconds();
  };
  secondsOf(1);
  long calls = 1;
  while (secondsOf(calls) < sampleSeconds)
    calls *= 2;
  std::vector<double> samples(static_cast<std::size_t>(repeats));
  for (double &sample : samples)
    sample = secondsOf(calls) / static_cast<double>(calls);
  const auto middle = samples.begin() + repeats / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

} // namespace bench
