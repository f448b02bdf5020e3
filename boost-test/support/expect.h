// SPDX-License-Identifier: MIT
/// What many tests need: checking an error's kind and text, and small tapes.
#pragma once

#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

using ADOLCError::ErrorType;

inline const double kNaN = std::numeric_limits<double>::quiet_NaN();
inline const double kInf = std::numeric_limits<double>::infinity();

/// Runs f, which must throw ADOLCError of this kind with all the words in its text.
template <class F>
void expectError(ErrorType type, std::initializer_list<std::string_view> words, F &&f) {
  try {
    f();
  } catch (const ADOLCError::ADOLCError &error) {
    BOOST_TEST(ADOLCError::errorName(error.type()) == ADOLCError::errorName(type));
    const std::string text = error.what();
    for (const std::string_view word : words)
      BOOST_TEST(text.find(word) != std::string::npos,
                 "\"" << word << "\" is missing in: " << text);
    return;
  } catch (const std::exception &error) {
    BOOST_ERROR("expected " << ADOLCError::errorName(type)
                            << ", got another exception: " << error.what());
    return;
  }
  BOOST_ERROR("expected " << ADOLCError::errorName(type) << ", nothing was thrown");
}

inline bool allNaN(const std::vector<double> &v) {
  for (const double x : v)
    if (!std::isnan(x))
      return false;
  return true;
}

/// The same bits, with every NaN equal to every other.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Nothing of the test before may be selected or recorded.
struct CleanThread {
  CleanThread() { setCurrentTape(nullptr); }
  ~CleanThread() {
    while (currentTapeStack().size() > 1) {
      setCurrentTape(currentTapeStack().back().current);
      trace_off();
    }
    setCurrentTape(nullptr);
  }
};

/// Records y = f(x) on `tag`; f takes and returns vectors of adoubles.
template <class F> void record(short tag, const std::vector<double> &x, F &&f, int keep = 0) {
  trace_on(tag, keep);
  {
    std::vector<adouble> ax(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      ax[i] <<= x[i];
    std::vector<adouble> ay = f(ax);
    double ignored = 0.0;
    for (adouble &y : ay)
      y >>= ignored;
  }
  trace_off();
}
/// The same for one dependent.
template <class F> void recordScalar(short tag, const std::vector<double> &x, F &&f, int keep = 0) {
  record(
      tag, x,
      [&](std::vector<adouble> &ax) {
        std::vector<adouble> y;
        y.push_back(f(ax));
        return y;
      },
      keep);
}

/// A matrix with row pointers, as the raw interface takes it.
class Matrix {
public:
  Matrix(std::size_t rows, std::size_t columns, double value = 0.0)
      : rows_(rows), columns_(columns), data_(rows * columns + 1, value), pointers_(rows + 1) {
    for (std::size_t i = 0; i < rows; ++i)
      pointers_[i] = data_.data() + i * columns;
  }
  static Matrix unit(std::size_t n) {
    Matrix result(n, n);
    for (std::size_t i = 0; i < n; ++i)
      result[i][i] = 1.0;
    return result;
  }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  Matrix(Matrix &&) = default;
  double *operator[](std::size_t i) { return pointers_[i]; }
  double **get() { return pointers_.data(); }
  std::vector<double> flat() const { return {data_.begin(), data_.end() - 1}; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

private:
  std::size_t rows_, columns_;
  std::vector<double> data_;
  std::vector<double *> pointers_;
};

} // namespace test
