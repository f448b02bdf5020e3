// The figures of one program.
#pragma once

#include "tape.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Options {
  int repeats = 5;
  bool defaultBuffers =
      false;             // even for a library that is normally given buffers of the right size
  bool coldOnly = false; // only what belongs to the first use in a process
};

// What two libraries must agree on.
struct Checksums {
  double value = 0.0;
  double gradientSum = 0.0;  // weighted, so that exchanged entries show
  double gradientNorm = 0.0; // sum of the magnitudes
};

struct Figures {
  std::size_t independents = 0;
  TapeFacts tape;
  std::size_t tapeBytes = 0;
  std::size_t taylorBytes = 0;
  std::size_t coldResidentBytes =
      0;               // growth of the peak by recording with keep and one reverse sweep
  bool fitsL2 = false; // the data of an eight-lane sweep, see README.md
  Checksums recorded;
  Checksums replayed; // at another point than the recorded one
  std::vector<std::pair<std::string, double>> seconds;
};

// Throws std::runtime_error when the sweeps contradict each other or the plain evaluation.
Figures measure(const Program &program, const Options &options);

struct Check {
  double valueError = 0.0;    // recorded against plain evaluation, relative
  double gradientError = 0.0; // against central differences, relative to sum |g_i x_i|
};

Check checkAgainstDifferences(const Program &program);

} // namespace bench
