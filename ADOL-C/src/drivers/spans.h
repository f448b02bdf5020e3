/// @file drivers/spans.h
/// What drivers on spans have in common: sizes from the tape, row pointers, NaN after exceptions.
#pragma once

#include "drivers/results.h"

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace ADOLC::detail::spans {

using ADOLCError::ErrorType;
using ADOLCError::fail;

/// Counts as the raw interface takes them.
struct Counts {
  short tag;
  const char *caller;
  std::size_t m, n;

  Counts(short id, const char *function) : tag(id), caller(function) {
    // Should another thread record again before the raw function has the tape, the counts do not
    // match there.
    const detail::TapeEvaluationContext context(id, function, detail::TapeUse::looks);
    m = context.recording().numDeps;
    n = context.recording().numInds;
  }
  int rows() const { return static_cast<int>(m); }
  int columns() const { return static_cast<int>(n); }
  /// A number of directions, weights or coefficients.
  int count(std::size_t given) const {
    constexpr int most = std::numeric_limits<int>::max();
    if (given > static_cast<std::size_t>(most))
      fail(ErrorType::SIZE_MISMATCH, {__FILE__, caller, __LINE__},
           {.info1 = tag, .info5 = static_cast<std::size_t>(most), .info6 = given});
    return static_cast<int>(given);
  }
  /// A degree.
  std::size_t degree(int d) const {
    if (d < 0)
      fail(ErrorType::ARGUMENT_OUT_OF_RANGE, {__FILE__, caller, __LINE__},
           {.info1 = tag, .info3 = d, .info4 = std::numeric_limits<int>::max()});
    return static_cast<std::size_t>(d);
  }

  void require(std::initializer_list<std::pair<std::size_t, std::size_t>> expectedAndGiven) const {
    for (const auto &[expected, given] : expectedAndGiven)
      if (expected != given)
        fail(ErrorType::SIZE_MISMATCH, {__FILE__, caller, __LINE__},
             {.info1 = tag, .info5 = expected, .info6 = given});
  }
  /// A single dependent.
  void requireScalar() const {
    if (m != 1)
      fail(ErrorType::WRONG_DEPENDENT_COUNT, {__FILE__, caller, __LINE__},
           {.info1 = tag, .info5 = m, .info6 = 1});
  }
};

/// Pointers to rows and to the rows' rows of a row-major array.
template <class T> class Tensor {
public:
  Tensor(std::span<T> array, std::size_t matrices, std::size_t rows, std::size_t width)
      : rows_(rowsOf(array, matrices * rows, width)), matrices_(matrices) {
    for (std::size_t i = 0; i < matrices; ++i)
      matrices_[i] = rows_.data() + i * rows;
  }
  T ***get() { return matrices_.data(); }

private:
  std::vector<T *> rows_;
  std::vector<T **> matrices_;
};

/// Runs f(counts).
template <class Function>
int withOutputs(short tag, const char *caller, std::initializer_list<std::span<double>> outputs,
                Function &&f) {
  return detail::withOutputs(tag, caller, outputs, [&] { return f(Counts(tag, caller)); });
}
template <class Size, class Function>
std::vector<double> resultOf(short tag, const char *caller, Size &&size, Function &&f) {
  return detail::resultOf(
      tag, caller, [&] { return size(Counts(tag, caller)); }, f);
}
} // namespace ADOLC::detail::spans
