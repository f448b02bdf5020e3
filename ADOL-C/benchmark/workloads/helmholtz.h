// Helmholtz energy of a mixed fluid:
//
//   r t sum_i x_i log(x_i / (1 - b'x))
//     - (x'Ax) / (sqrt(8) b'x) log((1 + (1 + sqrt 2) b'x) / (1 + (1 - sqrt 2) b'x))
//
// with r = t = 1, a_ij = 1 / (1 + |i - j|) and b_i = (1 + i / n) / 8. Independents: x_i > 0 with
// b'x < 1.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace bench {

class Helmholtz {
public:
  explicit Helmholtz(std::size_t components)
      : matrix_(components * components), volumes_(components) {
    for (std::size_t i = 0; i < components; ++i) {
      volumes_[i] = 0.125 * (1.0 + static_cast<double>(i) / static_cast<double>(components));
      for (std::size_t j = 0; j < components; ++j)
        matrix_[i * components + j] = 1.0 / static_cast<double>(1 + (i > j ? i - j : j - i));
    }
  }

  std::vector<double> point() const {
    const std::size_t n = volumes_.size();
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = (1.0 + 0.5 * std::sin(static_cast<double>(i))) / static_cast<double>(n);
    return x;
  }

  template <class T> T operator()(std::vector<T> x) const {
    using std::log;
    const std::size_t n = x.size();
    T bx = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      bx += volumes_[i] * x[i];
    T mixing = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      mixing += x[i] * log(x[i] / (1.0 - bx));
    T attraction = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      T row = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        row += matrix_[i * n + j] * x[j];
      attraction += x[i] * row;
    }
    T energy = mixing - attraction / (std::sqrt(8.0) * bx) *
                            log((1.0 + (1.0 + std::numbers::sqrt2) * bx) /
                                (1.0 + (1.0 - std::numbers::sqrt2) * bx));
    return energy;
  }

private:
  std::vector<double> matrix_;
  std::vector<double> volumes_;
};

} // namespace bench
