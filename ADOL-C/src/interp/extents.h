/// @file interp/extents.h
/// Sizes of arrays from their extents, without wrapping around.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace ADOLC::detail {

/// No array has this size.
inline constexpr std::size_t kTooLarge = SIZE_MAX;

constexpr std::size_t product(std::initializer_list<std::size_t> factors) {
  std::size_t result = 1;
  for (const std::size_t f : factors)
    if (f == 0)
      return 0;
  for (const std::size_t f : factors) {
    if (result > kTooLarge / f)
      return kTooLarge;
    result *= f;
  }
  return result;
}
constexpr std::size_t sum(std::size_t a, std::size_t b) {
  return a > kTooLarge - b ? kTooLarge : a + b;
}

} // namespace ADOLC::detail
