// SPDX-License-Identifier: MIT
//
// Small helpers shared by the example programs: a dense matrix that the
// drivers accept, the size of a recording, and a record of passed and failed
// checks. Nothing in here is specific to algorithmic differentiation.
#ifndef ADOLC_EXAMPLES_CHECK_H
#define ADOLC_EXAMPLES_CHECK_H

#include <adolc/adolc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace example {

// Row-major matrix. The drivers take matrices as arrays of row pointers
// (double**), so the pointers are kept next to the numbers; see rows().
class Matrix {
public:
  Matrix(std::size_t rows, std::size_t cols) : cols_(cols), data_(rows * cols), rows_(rows) {
    for (std::size_t i = 0; i < rows; ++i)
      rows_[i] = data_.data() + i * cols;
  }
  // A copy would point into the original's numbers.
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;

  [[nodiscard]] std::size_t row_count() const { return rows_.size(); }
  [[nodiscard]] std::size_t col_count() const { return cols_; }
  double &operator()(std::size_t i, std::size_t j) { return rows_[i][j]; }
  double operator()(std::size_t i, std::size_t j) const { return rows_[i][j]; }
  double **rows() { return rows_.data(); }

private:
  std::size_t cols_;
  std::vector<double> data_;
  std::vector<double *> rows_;
};

// |value - reference|, relative to the reference unless that is tiny.
inline double error(double value, double reference) {
  return std::abs(value - reference) / std::max(1.0, std::abs(reference));
}

// The larger of two errors, where NaN counts as larger than everything (with
// std::max a NaN could get lost).
inline double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

// Collects the outcome of the checks of one program.
class Checks {
public:
  // Prints one line; a NaN error fails because the comparison is then false.
  void below(const char *what, double measured, double limit) {
    const bool ok = measured <= limit;
    std::printf("  %-52s %8.1e <= %.0e  %s\n", what, measured, limit, ok ? "ok" : "FAILED");
    passed_ = passed_ && ok;
  }
  // For conditions that deserve a line only when they are violated.
  void require(const char *what, bool ok) {
    if (!ok)
      std::printf("  %s: FAILED\n", what);
    passed_ = passed_ && ok;
  }
  [[nodiscard]] bool passed() const { return passed_; }
  [[nodiscard]] int exit_code() const {
    std::printf("%s\n", passed_ ? "PASS" : "FAIL");
    return passed_ ? EXIT_SUCCESS : EXIT_FAILURE;
  }

private:
  bool passed_ = true;
};

// How much was recorded. The recording is three streams: one opcode per
// operation, the locations of its operands and results, and constants.
struct TapeSize {
  std::size_t operations, locations, constants;
  double bytes_per_operation;
};

inline TapeSize tape_size(short tag) {
  std::array<std::size_t, STAT_SIZE> stats{};
  tapestats(tag, stats.data());
  const ADOLC::TapeBytes bytes = ADOLC::tapeBytes(tag);
  const std::size_t tape = bytes.operations + bytes.locations + bytes.constants;
  const std::size_t operations = stats[NUM_OPERATIONS];
  return {operations, stats[NUM_LOCATIONS], stats[NUM_VALUES],
          static_cast<double>(tape) / static_cast<double>(operations)};
}

// Optional whole-number command line argument; ends the program with a usage
// message if it is not a number between low and high.
inline int argument(int argc, char **argv, int index, int fallback, int low, int high) {
  if (index >= argc)
    return fallback;
  char *end = nullptr;
  const long value = std::strtol(argv[index], &end, 10);
  if (end == argv[index] || *end != '\0' || value < low || value > high) {
    std::fprintf(stderr, "%s: argument %d must be a number from %d to %d\n", argv[0], index, low,
                 high);
    std::exit(2);
  }
  return static_cast<int>(value);
}

} // namespace example

#endif
