// SPDX-License-Identifier: MIT
// Taylor coefficients of random programs along curves, from values with many digits at points of
// the curve alone.
#pragma once

#include "all_taylor_sweeps.h"
#include "random_program.h"

#include <cstddef>
#include <vector>

namespace programs {

struct SeriesOfProgram {
  sweeps::Matrix coefficients; ///< 1 … d by dependent
  /// All values of the program have coefficients k of at most growth^k, times the first one's
  /// bound `size`. NaN or very large: there is no Taylor series.
  double growth = 1.0, size = 1.0;
  bool kinked = false; ///< the curve begins at a kink and decides which side counts
};

/// `curve` has coefficients 1 … d of each independent.
SeriesOfProgram followProgram(const Program &program, const sweeps::Matrix &curve);

} // namespace programs
