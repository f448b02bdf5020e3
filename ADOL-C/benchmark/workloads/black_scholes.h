// A European call option twice: by Monte Carlo simulation and by finite differences.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace bench {

// Mean over the paths i of the discounted pay-off, T = 1:
//
//   s_i = S0 exp((r - sigma^2 / 2) + sigma dW_i),   price = mean of exp(-r) max(s_i - E, 0)
//
// Independents: S0, E, r, sigma. fmax() instead of a branch keeps the recording valid at every
// point.
class BlackScholesMonteCarlo {
public:
  explicit BlackScholesMonteCarlo(std::size_t paths) : increments_(paths) {
    std::default_random_engine engine(0);
    std::normal_distribution<double> normal(0.0, 1.0);
    for (double &increment : increments_)
      increment = normal(engine);
  }

  std::vector<double> point() const { return {2.0, 2.0, 2.0, 2.0}; }

  template <class T> T operator()(std::vector<T> x) const {
    using std::exp;
    using std::fmax;
    const T spot = x[0];
    const T strike = x[1];
    const T rate = x[2];
    const T volatility = x[3];
    T price = 0.0;
    for (const double increment : increments_) {
      const T s = spot * exp((rate - 0.5 * volatility * volatility) + volatility * increment);
      price = price + exp(0.0 - rate) * fmax(s - strike, 0.0);
    }
    price = price / static_cast<double>(increments_.size());
    return price;
  }

private:
  std::vector<double> increments_;
};

// Explicit Euler with central differences on the grid S_i = i + 1, dt = 1 / (n - 2)^2, (n - 2)^2
// steps:
//
//   u_i += dt (a_i (u_{i+1} - 2 u_i + u_{i-1}) + b_i (u_{i+1} - u_{i-1}) - r u_i)
//   a_i = (sigma (i + 1))^2 / 2,   b_i = r (i + 1) / 2
//
// with 0 at the lower and 1 - E exp(-r t) at the upper boundary. Independents: the n - 3 initial
// grid values, E, r, sigma. Objective: the mean of the final grid values.
class BlackScholesPde {
public:
  explicit BlackScholesPde(std::size_t size) : size_(size) {}

  std::vector<double> point() const { return std::vector<double>(size_, 0.2); }

  template <class T> T operator()(std::vector<T> x) const {
    using std::exp;
    const std::size_t inner = size_ - 3;
    const T &strike = x[inner];
    const T &rate = x[inner + 1];
    const T &volatility = x[inner + 2];
    const std::size_t steps = (size_ - 2) * (size_ - 2);
    const double dt = 1.0 / static_cast<double>(steps);

    std::vector<T> now(inner + 2); // with both boundary values
    for (std::size_t i = 0; i < inner; ++i)
      now[i + 1] = x[i];
    std::vector<T> next(inner + 2);
    now[0] = next[0] = 0.0;
    for (std::size_t step = 0; step < steps; ++step) {
      now[inner + 1] = 1.0 - strike * exp(-rate * (static_cast<double>(step) * dt));
      for (std::size_t i = 1; i <= inner; ++i) {
        const double price = static_cast<double>(i);
        const T scaled = volatility * price;
        next[i] =
            now[i] + dt * (0.5 * (scaled * scaled) * (now[i + 1] - 2.0 * now[i] + now[i - 1]) +
                           0.5 * rate * price * (now[i + 1] - now[i - 1]) - rate * now[i]);
      }
      std::swap(now, next);
    }
    T mean = 0.0;
    for (std::size_t i = 1; i <= inner; ++i)
      mean += now[i];
    mean /= static_cast<double>(inner);
    return mean;
  }

private:
  std::size_t size_;
};

} // namespace bench
