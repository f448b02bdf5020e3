// One recording of a program and the sweeps over it, through the interface both libraries share.
#pragma once

#include "program.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bench {

// Elements of a tape's four streams.
struct Elements {
  std::size_t operations = 0;
  std::size_t locations = 0;
  std::size_t values = 0;
  std::size_t taylors = 0;
};

struct TapeFacts {
  Elements elements;
  std::size_t maxLives = 0;
  bool onDisk = false; // some stream, or a Taylor stack kept at this size, leaves memory
};

// Rows of doubles in one piece, with the row pointers that the sweeps take.
class Matrix {
public:
  Matrix(std::size_t rows, std::size_t columns);
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  double *operator[](std::size_t row) { return rows_[row]; }
  double **rows() { return rows_.data(); }

private:
  std::vector<double> entries_;
  std::vector<double *> rows_;
};

class Tape {
public:
  static constexpr int lanes = 8;
  static constexpr short tag = 1;

  // What a library needs that spills beyond its buffers, with room for `coefficients` of every
  // value on the Taylor stack; nothing if it needs none, or if it is to have its own default.
  static std::optional<Elements> buffersFor(const Program &program, bool libraryDefault,
                                            std::size_t coefficients = 1);

  // With `buffers` the recording gets buffers of that size, else the library's default.
  Tape(const Program &program, std::optional<Elements> buffers);
  ~Tape(); // removes the library's tape and its files
  Tape(const Tape &) = delete;
  Tape &operator=(const Tape &) = delete;

  double record(std::span<const double> x, int keep);
  double forward(std::span<const double> x, int keep);
  // One direction, n entries.
  double forward(std::span<const double> x, std::span<double> direction, double &derivative);
  // n x lanes directions, 1 x lanes derivatives.
  double forward(std::span<const double> x, Matrix &directions, Matrix &derivatives);
  // Both reverse sweeps use the values that the last sweep or recording with keep = 1 left.
  void reverse(std::span<double> adjoints);
  // lanes x 1 weights, lanes x n adjoints.
  void reverse(Matrix &weights, Matrix &adjoints);
  void gradient(std::span<const double> x, std::span<double> result);

  // Higher order, of degree d: n x d coefficients of a curve, 1 x d coefficients of the result.
  void forward(std::span<const double> x, int keep, int degree, Matrix &curve,
               Matrix &coefficients);
  // n x (d + 1) adjoints, after a forward sweep of that degree with keep = d + 1.
  void reverse(int degree, Matrix &adjoints);
  void hessianTimes(std::span<const double> x, std::span<const double> direction,
                    std::span<double> result);
  // The lower triangle of an n x n matrix.
  void hessian(std::span<const double> x, Matrix &result);

  TapeFacts facts() const;
  std::size_t bytes() const; // of the streams, without the Taylor stack

private:
  const Program &program_;
  std::optional<Elements> buffers_;
  int size_;
};

} // namespace bench
