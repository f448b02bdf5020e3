// SPDX-License-Identifier: MIT
//
// Adjoint of a time-dependent flow solver: the 2-D Burgers equations
//
//     u_t + u u_x + v u_y = nu (u_xx + u_yy)
//     v_t + u v_x + v v_y = nu (v_xx + v_yy)
//
// on the periodic unit square, central differences in space, explicit Euler
// steps in time. The objective is the kinetic energy at the final time as a
// function of the whole initial state. One reverse sweep gives its gradient,
// however many unknowns the initial state has; the program verifies it
//   - against a directional central difference, and
//   - against forward mode: the two must agree to rounding (duality).
//
// usage: burgers [cells per side] [time steps]

#include <adolc/adolc.h>

#include "check.h"

#include <chrono>
#include <numbers>

namespace {

struct Grid {
  std::size_t cells; // per side
  int steps;
  double nu = 0.02;
  [[nodiscard]] double h() const { return 1.0 / static_cast<double>(cells); }
  [[nodiscard]] double dt() const { // well inside the stability limits
    return std::min(0.1 * h(), 0.1 * h() * h() / nu);
  }
  [[nodiscard]] std::size_t unknowns() const { return 2 * cells * cells; }
};

// One explicit step. A state holds all of u, then all of v.
template <class T> void step(const Grid &grid, const std::vector<T> &now, std::vector<T> &next) {
  const std::size_t n = grid.cells, field = n * n;
  const double convect = grid.dt() / (2.0 * grid.h());
  const double diffuse = grid.nu * grid.dt() / (grid.h() * grid.h());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t c = j * n + i;
      const std::size_t west = j * n + (i + n - 1) % n;
      const std::size_t east = j * n + (i + 1) % n;
      const std::size_t south = (j + n - 1) % n * n + i;
      const std::size_t north = (j + 1) % n * n + i;
      for (std::size_t f : {std::size_t{0}, field})
        next[f + c] = now[f + c] -
                      convect * (now[c] * (now[f + east] - now[f + west]) +
                                 now[field + c] * (now[f + north] - now[f + south])) +
                      diffuse * (now[f + east] + now[f + west] + now[f + north] + now[f + south] -
                                 4.0 * now[f + c]);
    }
}

// Kinetic energy after all time steps. The same template serves plain numbers
// and recording. It takes the initial state by value and works in that copy.
template <class T> T final_energy(const Grid &grid, std::vector<T> state) {
  std::vector<T> next(state.size());
  for (int k = 0; k < grid.steps; ++k) {
    step(grid, state, next);
    state.swap(next);
  }
  T energy = 0.0;
  for (const T &s : state)
    energy += s * s;
  energy *= 0.5 * grid.h() * grid.h();
  return energy;
}

std::vector<double> initial_state(const Grid &grid) {
  constexpr double two_pi = 2.0 * std::numbers::pi;
  const std::size_t n = grid.cells;
  std::vector<double> state(grid.unknowns());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const double x = two_pi * grid.h() * static_cast<double>(i);
      const double y = two_pi * grid.h() * static_cast<double>(j);
      state[j * n + i] = std::sin(x) * std::cos(y) + 0.25;
      state[n * n + j * n + i] = 0.5 * std::sin(x + y);
    }
  return state;
}

double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += a[k] * b[k];
  return sum;
}

template <class F> double milliseconds(F &&work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return time.count();
}

} // namespace

int main(int argc, char **argv) {
  const Grid grid{static_cast<std::size_t>(example::argument(argc, argv, 1, 24, 3, 400)),
                  example::argument(argc, argv, 2, 16, 0, 1000)};
  const int n = static_cast<int>(grid.unknowns());
  constexpr short tag = 1;
  example::Checks checks;

  std::vector<double> x = initial_state(grid);
  double energy = 0.0;
  const double record_time = milliseconds([&] {
    trace_on(tag);
    {
      std::vector<adouble> state(x.size());
      for (std::size_t k = 0; k < x.size(); ++k)
        state[k] <<= x[k];
      adouble result = final_energy(grid, state);
      result >>= energy;
    }
    trace_off();
  });

  const example::TapeSize size = example::tape_size(tag);
  std::printf("2-D Burgers equations, %zu x %zu cells, %d steps\n", grid.cells, grid.cells,
              grid.steps);
  std::printf("  %zu operations, %zu locations, %zu constants: %.1f bytes per "
              "operation\n",
              size.operations, size.locations, size.constants, size.bytes_per_operation);

  // Forward sweep that keeps the intermediate values, then reverse sweep.
  double weight = 1.0;
  double taped_energy = 0.0;
  std::vector<double> g(x.size());
  const double gradient_time = milliseconds([&] {
    checks.require("zos_forward", zos_forward(tag, 1, n, 1, x.data(), &taped_energy) >= 0);
    checks.require("fos_reverse", fos_reverse(tag, 1, n, &weight, g.data()) >= 0);
  });
  double plain_energy = 0.0;
  const double plain_time = milliseconds([&] { plain_energy = final_energy(grid, x); });

  std::printf("  energy %.12g, gradient of %d components\n", energy, n);
  std::printf("  time: plain %.2f ms, recording %.2f ms, gradient %.2f ms\n", plain_time,
              record_time, gradient_time);
  checks.below("recorded against plain energy", example::error(energy, plain_energy), 1e-13);
  checks.below("re-evaluated against recorded energy", example::error(taped_energy, energy), 1e-15);

  // Some direction d in the space of initial states.
  std::vector<double> d(x.size());
  for (std::size_t k = 0; k < d.size(); ++k)
    d[k] = 1.0 + std::cos(3.0 * static_cast<double>(k));
  const double by_reverse = dot(g, d);

  // Forward mode yields the derivative along d without the gradient.
  double by_forward = 0.0;
  checks.require("fos_forward",
                 fos_forward(tag, 1, n, 0, x.data(), d.data(), &taped_energy, &by_forward) >= 0);

  // Central difference with two more evaluations of the tape.
  const double eps = 1e-4;
  std::vector<double> shifted(x.size());
  double side[2] = {0.0, 0.0};
  for (int s : {0, 1}) {
    for (std::size_t k = 0; k < x.size(); ++k)
      shifted[k] = x[k] + (s == 0 ? eps : -eps) * d[k];
    checks.require("function", function(tag, 1, n, shifted.data(), &side[s]) >= 0);
  }
  const double by_difference = (side[0] - side[1]) / (2.0 * eps);

  std::printf("  derivative along a direction: reverse    %+.15e\n"
              "                                forward    %+.15e\n"
              "                                difference %+.15e\n",
              by_reverse, by_forward, by_difference);
  // Errors relative to the size of the vectors, as the terms of g.d may cancel.
  const double scale = std::sqrt(dot(g, g) * dot(d, d));
  checks.below("duality: forward against reverse", std::abs(by_forward - by_reverse) / scale,
               1e-14);
  checks.below("central difference against reverse", std::abs(by_difference - by_reverse) / scale,
               1e-9);
  return checks.exit_code();
}
