// Figures of higher order: Taylor sweeps and second derivatives.
#pragma once

#include "tape.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// What two libraries must agree on, to a tolerance relative to the scale.
struct CheckedNumber {
  double number = 0.0;
  double scale = 0.0; // sum of the magnitudes of what was added up
};

struct HigherOrderFigures {
  std::size_t independents = 0;
  TapeFacts tape;
  std::size_t tapeBytes = 0;
  std::vector<std::pair<std::string, double>> seconds;
  std::vector<std::pair<std::string, std::vector<CheckedNumber>>> checked;
};

struct HigherOrderOptions {
  int repeats = 5; // 0: every action once, without taking the time
  bool defaultBuffers = false;
};

// Throws std::runtime_error when the sweeps contradict each other.
HigherOrderFigures measureHigherOrder(const Program &program, const HigherOrderOptions &options);

} // namespace bench
