// Van der Pol oscillator, classical Runge-Kutta method of order 4:
//
//   x' = v,   v' = mu (1 - x^2) v - x
//
// Independents: x(0), v(0), mu. Objective: (x^2 + v^2) / 2 at the end. Few live variables, a long
// chain.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

class VanDerPol {
public:
  explicit VanDerPol(std::size_t steps) : steps_(steps) {}

  std::vector<double> point() const { return {2.0, 0.1, 1.5}; }

  template <class T> T operator()(std::vector<T> start) const {
    T x = start[0];
    T v = start[1];
    const T &mu = start[2];
    for (std::size_t step = 0; step < steps_; ++step) {
      const T x1 = v;
      const T v1 = acceleration(x, v, mu);
      const T x2 = v + 0.5 * dt * v1;
      const T v2 = acceleration<T>(x + 0.5 * dt * x1, x2, mu);
      const T x3 = v + 0.5 * dt * v2;
      const T v3 = acceleration<T>(x + 0.5 * dt * x2, x3, mu);
      const T x4 = v + dt * v3;
      const T v4 = acceleration<T>(x + dt * x3, x4, mu);
      x += dt / 6.0 * (x1 + 2.0 * (x2 + x3) + x4);
      v += dt / 6.0 * (v1 + 2.0 * (v2 + v3) + v4);
    }
    T energy = 0.5 * (x * x + v * v);
    return energy;
  }

private:
  static constexpr double dt = 1e-3;

  template <class T> static T acceleration(const T &x, const T &v, const T &mu) {
    return mu * (1.0 - x * x) * v - x;
  }

  std::size_t steps_;
};

} // namespace bench
