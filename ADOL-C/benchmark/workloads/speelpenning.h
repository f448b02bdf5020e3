// Speelpenning's product y = x_0 x_1 ... x_{n-1} at x_i = (i + 1) / (i + 2), where y = 1 / (n + 1).
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

class Speelpenning {
public:
  explicit Speelpenning(std::size_t factors) : factors_(factors) {}

  std::vector<double> point() const {
    std::vector<double> x(factors_);
    for (std::size_t i = 0; i < factors_; ++i)
      x[i] = static_cast<double>(i + 1) / static_cast<double>(i + 2);
    return x;
  }

  template <class T> T operator()(std::vector<T> x) const {
    T product = 1.0;
    for (const T &factor : x)
      product *= factor;
    return product;
  }

private:
  std::size_t factors_;
};

} // namespace bench
