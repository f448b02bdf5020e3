// Rosenbrock's function, sum of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2: so few operations that the
// cost of starting and ending a recording or a sweep shows.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

class Rosenbrock {
public:
  explicit Rosenbrock(std::size_t variables) : variables_(variables) {}

  std::vector<double> point() const {
    std::vector<double> x(variables_, 1.0);
    for (std::size_t i = 0; i < variables_; i += 2)
      x[i] = -1.2;
    return x;
  }

  template <class T> T operator()(std::vector<T> x) const {
    T sum = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const T valley = x[i + 1] - x[i] * x[i];
      const T distance = 1.0 - x[i];
      sum += 100.0 * (valley * valley) + distance * distance;
    }
    return sum;
  }

private:
  std::size_t variables_;
};

} // namespace bench
