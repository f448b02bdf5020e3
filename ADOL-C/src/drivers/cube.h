/// @file drivers/cube.h
/// Arrays of three dimensions as sweeps of Taylor polynomials take them.
#pragma once

#include "interp/extents.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <vector>

namespace ADOLC::detail {

/// Numbers with pointers, of Taylor series most often: [rows][curves][width].
class Cube {
public:
  Cube(std::size_t rows, std::size_t curves, std::size_t width)
      : curves_(curves), data_(size({rows, curves, width})), curvePointers_(size({rows, curves})),
        rowPointers_(rows) {
    for (std::size_t i = 0; i < rows * curves; ++i)
      curvePointers_[i] = data_.data() + i * width;
  }
  double *at(std::size_t row, std::size_t curve) { return curvePointers_[row * curves_ + curve]; }
  const double *data() const { return data_.data(); }
  /// From a curve on, until this is asked for the next time.
  double *const *const *from(std::size_t curve) {
    for (std::size_t i = 0; i < rowPointers_.size(); ++i)
      rowPointers_[i] = curvePointers_.data() + i * curves_ + curve;
    return rowPointers_.data();
  }

private:
  static std::size_t size(std::initializer_list<std::size_t> extents) {
    const std::size_t result = product(extents);
    if (result > PTRDIFF_MAX / sizeof(double))
      throw std::bad_alloc();
    return result;
  }

  std::size_t curves_;
  std::vector<double> data_;
  std::vector<double *> curvePointers_;
  std::vector<double *const *> rowPointers_;
};

} // namespace ADOLC::detail
