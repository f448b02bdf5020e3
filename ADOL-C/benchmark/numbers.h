// Points, directions and comparisons of the measurements.
#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

inline double spread(std::size_t i) { return std::cos(static_cast<double>(i + 1)); }

// A point near x: the recording stays valid there, the values do not.
inline std::vector<double> neighbour(std::vector<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= 1.0 + 1e-3 * spread(i);
  return x;
}

// Throws std::runtime_error when the difference is above the tolerance, relative to the scale.
inline void expectClose(double actual, double expected, double scale, const std::string &what,
                        double tolerance = 1e-9) {
  if (!(std::abs(actual - expected) <= tolerance * scale))
    throw std::runtime_error(what + ": " + std::to_string(actual) + " instead of " +
                             std::to_string(expected));
}

} // namespace bench
