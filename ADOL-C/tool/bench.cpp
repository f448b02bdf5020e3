// How long each sweep takes on this tape.
#include "command.h"
#include "progress.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>

namespace tool {
namespace {

/// Median seconds of a call.
double median(std::size_t repeats, const std::function<void()> &call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> samples;
  call();
  for (std::size_t i = 0; i < repeats; ++i) {
    // As many calls as the clock can tell from nothing.
    long calls = 0;
    const auto begin = Clock::now();
    std::chrono::duration<double> elapsed{};
    do {
      call();
      ++calls;
      elapsed = Clock::now() - begin;
    } while (elapsed.count() < 2e-3);
    samples.push_back(elapsed.count() / static_cast<double>(calls));
  }
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(repeats / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

} // namespace

void describeBench(Description &options) {
  options.add_options()("repeat", countOption("repeat", 5), "samples; the median counts");
}

int runBench(OpenTape &tape, Points &points, const Options &options) {
  const auto repeats = static_cast<std::size_t>(std::max(options["repeat"].as<long long>(), 1LL));
  const int m = tape.m(), n = tape.n();
  const short id = tape.id;
  const Point x = points.only("one point is needed");
  constexpr int lanes = 8;
  std::vector<double> y(tape.dependents), dx(tape.independents, 1.0), dy(tape.dependents);
  std::vector<double> weight(tape.dependents, 1.0), z(tape.independents);
  Matrix seeds(tape.independents, lanes), tangents(tape.dependents, lanes);
  Matrix weights(lanes, tape.dependents), adjoints(lanes, tape.independents);
  for (std::size_t i = 0; i < tape.independents; ++i)
    seeds[i][i % lanes] = 1.0;
  for (std::size_t l = 0; l < lanes; ++l)
    for (std::size_t i = 0; i < tape.dependents; ++i)
      weights[l][i] = 1.0 + static_cast<double>(l);
  Json results = Json::array();
  const bool asJson = options.count("json") != 0;
  const int code = zos_forward(id, m, n, 1, x.data(), y.data());
  const auto report = [&] {
    if (asJson)
      print(Json{{"operations", tape.operations}, {"code", code}, {"sweeps", results}});
    return code < 0 ? failure : success;
  };
  if (code < 0) {
    std::cerr << "the point is " << remark(code) << '\n';
    return report(); // there is nothing to measure
  }
  const std::pair<const char *, std::function<void()>> sweeps[] = {
      {"zos_forward", [&] { zos_forward(id, m, n, 0, x.data(), y.data()); }},
      {"zos_forward, keep 1", [&] { zos_forward(id, m, n, 1, x.data(), y.data()); }},
      {"fos_forward", [&] { fos_forward(id, m, n, 0, x.data(), dx.data(), y.data(), dy.data()); }},
      {"fov_forward, 8 directions",
       [&] { fov_forward(id, m, n, lanes, x.data(), seeds.rows(), y.data(), tangents.rows()); }},
      {"fos_reverse", [&] { fos_reverse(id, m, n, weight.data(), z.data()); }},
      {"fov_reverse, 8 weights",
       [&] { fov_reverse(id, m, n, lanes, weights.rows(), adjoints.rows()); }},
  };
  if (!asJson)
    std::printf("%-26s %14s %14s\n", "sweep", "milliseconds", "ns/operation");
  for (const auto &[name, sweep] : sweeps) {
    const double seconds = median(repeats, sweep);
    clearProgress();
    const double perOperation = 1e9 * seconds / static_cast<double>(tape.operations);
    if (asJson)
      results.push_back(
          {{"sweep", name}, {"seconds", seconds}, {"ns_per_operation", perOperation}});
    else
      std::printf("%-26s %14.4g %14.3g\n", name, 1e3 * seconds, perOperation);
  }
  return report();
}

} // namespace tool
