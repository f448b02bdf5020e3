/// @file tape/drivercache.h
/// What drivers keep with a tape between calls. Dropped whenever the recording or its parameters
/// change.
#pragma once

#include <adolc/valuetape/valuetape.h>

#include <cstddef>
#include <vector>

/// The Jacobian of jac_solv at `point`, and its LU factors once they were asked for.
struct ValueTape::DriverCache {
  std::vector<double> point;
  std::vector<double> lu; // row-major
  std::vector<std::size_t> pivots;
  bool factored = false;
  int code = 3; ///< return code of the sweep
};
