/// @file drivers/fortran.h
/// What the Fortran-callable forms have in common: arguments by reference, flat column-major
/// arrays, errors as codes.
#pragma once

#include <adolc/adalloc.h>
#include <adolc/fortutils.h>

#include "interp/sweeps.h"

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <limits>

namespace ADOLC::detail::fortran {

/// The text of the last error that a form of this thread returned as a code.
void noteError(const char *text) noexcept;

/// Runs a function of the C interface; an exception becomes -100 - ErrorType.
template <class Function> fint asCode(Function &&f) noexcept {
  try {
    return f();
  } catch (const ADOLCError::ADOLCError &error) {
    noteError(error.what());
    return -100 - static_cast<fint>(error.type());
  } catch (const std::exception &error) {
    noteError(error.what());
    return -100 - static_cast<fint>(ADOLCError::ErrorType::MALLOC_FAILED);
  }
}

/// A count or tag as the C interface takes it.
template <class T> T narrow(fint value) {
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
    ADOLCError::fail(ADOLCError::ErrorType::SIZE_MISMATCH, CURRENT_LOCATION,
                     {.info1 = -1,
                      .info5 = static_cast<std::size_t>(std::numeric_limits<T>::max()),
                      .info6 = static_cast<std::size_t>(value)});
  return static_cast<T>(value);
}
inline int count(const fint *value) { return narrow<int>(*value); }
inline short tagOf(const fint *value) { return narrow<short>(*value); }

/// An array of the caller and its extents; a matrix has one slice.
struct Flat {
  const fdouble *data;
  int rows, columns, slices = 1;

  /// Saturates: memory of that size is not there.
  std::size_t size() const;
};

/// One that is written.
struct Result {
  fdouble *data = nullptr;
  int rows = 0, columns = 1, slices = 1;

  operator Flat() const { return {data, rows, columns, slices}; }
};

/// What the sweep or driver checks itself, before arrays of these sizes are copied. `lanes` are
/// all its numbers of directions, weights and coefficients.
void check(const char *caller, short tag, int m, int n, bool reverse,
           std::initializer_list<int> lanes, std::initializer_list<Flat> arrays);

/// An array with row pointers for the time of a call.
class Matrix {
public:
  explicit Matrix(const Flat &flat);
  ~Matrix() { myfree2(data_); }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  double **get() const { return data_; }
  void writeTo(fdouble *flat) const;

private:
  int rows_, columns_;
  double **data_;
};
class Tensor {
public:
  explicit Tensor(const Flat &flat);
  ~Tensor() { myfree3(data_); }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;
  double ***get() const { return data_; }
  void writeTo(fdouble *flat) const;

private:
  Flat extents_;
  double ***data_;
};

/// Runs f on an array with pointers that holds what the caller's does, and gives the result back.
/// Without one, the caller's is NaN, and so is `beside`, which f writes itself.
template <class Pointers, class Function>
fint withResult(const Result &result, const Result &beside, Function &&f) {
  return orPoison(
      [&] {
        const Pointers pointers(result);
        const int code = f(pointers.get());
        pointers.writeTo(result.data);
        return code;
      },
      [&] {
        for (const Result &array : {result, beside})
          if (array.data != nullptr)
            std::fill_n(array.data, Flat(array).size(), kPoisonedOutput);
      });
}
template <class Function>
fint withMatrix(const Result &result, const Result &beside, Function &&f) {
  return withResult<Matrix>(result, beside, f);
}
template <class Function>
fint withTensor(const Result &result, const Result &beside, Function &&f) {
  return withResult<Tensor>(result, beside, f);
}

} // namespace ADOLC::detail::fortran
