// LIBOR market model, Monte Carlo over the forward rates L_0 .. L_{N-1} (Giles & Glasserman,
// "Smoking adjoints"). A path takes one step per maturity date n of the first half; in it every
// later rate moves by
//
//   s += c L_i / (1 + delta L_i),   L_i *= exp(c s + lambda (sqrt(delta) Z_n - c / 2)),   c = delta
//   lambda
//
// with lambda the volatility for the time left, lambda_{i-n-1}. The pay-off sums what a portfolio
// of swaptions loses and is discounted with the first half of the rates. Independents: the N
// initial rates and the N volatilities. Objective: the mean over the paths.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace bench {

class Libor {
public:
  explicit Libor(std::size_t paths) : paths_(paths), shocks_(paths * dates) {
    std::default_random_engine engine(0);
    std::normal_distribution<double> normal(0.0, 1.0);
    for (double &shock : shocks_)
      shock = 0.3 + normal(engine);
  }

  std::vector<double> point() const {
    std::vector<double> x(rates, 0.05);
    x.resize(2 * rates, 0.2);
    return x;
  }

  template <class T> T operator()(std::vector<T> x) const {
    const T *const volatilities = x.data() + rates;
    T mean = 0.0;
    for (std::size_t path = 0; path < paths_; ++path) {
      std::vector<T> forward(x.begin(), x.begin() + rates);
      simulate(forward, volatilities, shocks_.data() + path * dates);
      mean += payoff(forward);
    }
    mean /= static_cast<double>(paths_);
    return mean;
  }

private:
  static constexpr std::size_t dates = 40;
  static constexpr std::size_t rates = 2 * dates;
  static constexpr double delta = 0.25;
  static constexpr std::size_t maturities[] = {4,  4,  4,  8,  8,  8,  20, 20,
                                               20, 28, 28, 28, 40, 40, 40};
  static constexpr double swapRates[] = {0.045, 0.05, 0.055};

  template <class T>
  static void simulate(std::vector<T> &forward, const T *volatilities, const double *shocks) {
    using std::exp;
    for (std::size_t n = 0; n < dates; ++n) {
      const double shock = std::sqrt(delta) * shocks[n];
      T sum = 0.0;
      for (std::size_t i = n + 1; i < rates; ++i) {
        const T &lambda = volatilities[i - n - 1];
        const T c = delta * lambda;
        sum += c * forward[i] / (1.0 + delta * forward[i]);
        forward[i] *= exp(c * sum + lambda * (shock - 0.5 * c));
      }
    }
  }

  template <class T> static T payoff(const std::vector<T> &forward) {
    using std::fmax;
    std::vector<T> bond(dates);
    std::vector<T> annuity(dates);
    T discount = 1.0;
    T sum = 0.0;
    for (std::size_t k = 0; k < dates; ++k) {
      discount = discount / (1.0 + delta * forward[dates + k]);
      sum += delta * discount;
      bond[k] = discount;
      annuity[k] = sum;
    }
    T value = 0.0;
    for (std::size_t i = 0; i < std::size(maturities); ++i) {
      const std::size_t last = maturities[i] - 1;
      const double swapRate = swapRates[i % std::size(swapRates)];
      value += 100.0 * fmax(1.0 - bond[last] - swapRate * annuity[last], 0.0);
    }
    for (std::size_t n = 0; n < dates; ++n)
      value = value / (1.0 + delta * forward[n]);
    return value;
  }

  std::size_t paths_;
  std::vector<double> shocks_;
};

} // namespace bench
