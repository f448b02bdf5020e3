// Viscous Burgers equations in two dimensions, explicit Euler:
//
//   f_t + u f_x + v f_y = nu (f_xx + f_yy)      for f = u and f = v
//
// First-order upwind differences for the transport (u and v stay positive, so upwind is always west
// and south and no comparison is recorded), central differences for the viscosity, values on the
// rim fixed. Independents: both initial fields with their rims. Objective: sum of squares of the
// final fields.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace bench {

class Burgers {
public:
  explicit Burgers(std::size_t cellsPerSide) : cells_(cellsPerSide), stride_(cellsPerSide + 2) {}

  std::vector<double> point() const {
    std::vector<double> fields(2 * fieldSize());
    for (std::size_t row = 0; row < stride_; ++row)
      for (std::size_t column = 0; column < stride_; ++column) {
        const double x = std::numbers::pi * static_cast<double>(column) * width();
        const double y = std::numbers::pi * static_cast<double>(row) * width();
        const std::size_t cell = row * stride_ + column;
        fields[cell] = 1.0 + 0.5 * std::sin(x) * std::sin(2.0 * y);
        fields[fieldSize() + cell] = 1.0 + 0.5 * std::sin(2.0 * x) * std::sin(y);
      }
    return fields;
  }

  template <class T> T operator()(std::vector<T> now) const {
    const double transport = courant;                       // dt / h
    const double diffusion = courant * viscosity / width(); // nu dt / h^2
    std::vector<T> next(now);                               // takes over the rim
    for (int step = 0; step < steps; ++step) {
      const T *const u = now.data();
      const T *const v = u + fieldSize();
      for (std::size_t row = 1; row <= cells_; ++row)
        for (std::size_t column = 1; column <= cells_; ++column) {
          const std::size_t cell = row * stride_ + column;
          for (const T *field : {u, v}) {
            const T *const f = field + cell;
            const T *const west = f - 1;
            const T *const east = f + 1;
            const T *const south = f - stride_;
            const T *const north = f + stride_;
            next[static_cast<std::size_t>(f - u)] =
                *f - transport * (u[cell] * (*f - *west) + v[cell] * (*f - *south)) +
                diffusion * (*east + *west + *north + *south - 4.0 * *f);
          }
        }
      std::swap(now, next);
    }
    T energy = 0.0;
    for (const T &f : now)
      energy += f * f;
    return energy;
  }

private:
  static constexpr int steps = 32;
  static constexpr double courant = 0.2;
  static constexpr double viscosity = 5e-3;

  double width() const { return 1.0 / static_cast<double>(cells_ + 1); }
  std::size_t fieldSize() const { return stride_ * stride_; }

  std::size_t cells_;
  std::size_t stride_;
};

} // namespace bench
