// Determinant of a dense matrix by LU elimination in place, without pivoting:
//
//   a_ik /= a_kk,   a_ij -= a_ik a_kj   (i, j > k),   det = product of the a_kk
//
// Independents: all entries. The matrix is strictly diagonally dominant, with a determinant near 1.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace bench {

class LuDeterminant {
public:
  explicit LuDeterminant(std::size_t rows) : rows_(rows) {}

  std::vector<double> point() const {
    std::vector<double> a(rows_ * rows_);
    for (std::size_t k = 0; k < a.size(); ++k)
      a[k] = 0.5 * std::sin(static_cast<double>(3 * k + 1)) / static_cast<double>(rows_);
    for (std::size_t i = 0; i < rows_; ++i)
      a[i * rows_ + i] += 1.0;
    return a;
  }

  template <class T> T operator()(std::vector<T> a) const {
    T determinant = 1.0;
    for (std::size_t k = 0; k < rows_; ++k) {
      const T *const pivotRow = &a[k * rows_];
      determinant *= pivotRow[k];
      for (std::size_t i = k + 1; i < rows_; ++i) {
        T *const row = &a[i * rows_];
        row[k] /= pivotRow[k];
        for (std::size_t j = k + 1; j < rows_; ++j)
          row[j] -= row[k] * pivotRow[j];
      }
    }
    return determinant;
  }

private:
  std::size_t rows_;
};

} // namespace bench
