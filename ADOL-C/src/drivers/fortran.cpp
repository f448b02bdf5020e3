/// The Fortran-callable forms: arguments by reference, flat column-major matrices, errors as codes.
#include <adolc/adalloc.h>
#include <adolc/drivers/drivers.h>
#include <adolc/fortutils.h>
#include <adolc/interfaces.h>

#include "interp/sweeps.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <new>
#include <string>

using ADOLC::detail::checkCounts;
using ADOLC::detail::checkPointer;
using ADOLC::detail::checkRange;
using ADOLC::detail::orPoison;
using ADOLC::detail::TapeEvaluationContext;
using ADOLC::detail::TapeUse;

namespace {

thread_local std::string lastError;

/// Runs a function of the C interface; an exception becomes -100 - ErrorType.
template <class Function> fint guarded(Function &&f) noexcept {
  try {
    return f();
  } catch (const ADOLCError::ADOLCError &error) {
    lastError = error.what();
    return -100 - static_cast<fint>(error.type());
  } catch (const std::exception &error) {
    lastError = error.what();
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
int count(const fint *value) { return narrow<int>(*value); }
short tagOf(const fint *value) { return narrow<short>(*value); }

/// A matrix of the caller and what it has to have room for.
struct Flat {
  const fdouble *data;
  int rows, columns;
};
/// What the sweep or driver checks itself, before matrices of these sizes are copied.
void check(const char *caller, short tag, int m, int n, bool reverse, int lanes,
           std::initializer_list<Flat> matrices) {
  const TapeEvaluationContext context(tag, caller, TapeUse::looks);
  checkCounts(context, m, n, reverse);
  checkRange(context, lanes, std::numeric_limits<int>::max());
  for (const Flat &matrix : matrices)
    checkPointer(context, matrix.data, to_size_t(matrix.rows) * to_size_t(matrix.columns));
}

/// A matrix with row pointers for the time of a call.
class Matrix {
public:
  explicit Matrix(const Flat &flat)
      : rows_(flat.rows), columns_(flat.columns),
        data_(rows_ > 0 && columns_ > 0 ? myalloc2(to_size_t(rows_), to_size_t(columns_))
                                        : nullptr) {
    if (data_ != nullptr)
      spread2(rows_, columns_, flat.data, data_);
  }
  ~Matrix() { myfree2(data_); }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  double **get() const { return data_; }
  void writeTo(fdouble *flat) const {
    if (data_ != nullptr)
      pack2(rows_, columns_, data_, flat);
  }

private:
  int rows_, columns_;
  double **data_;
};

/// Runs f on a matrix that holds what the caller's does, and gives the result back. Without one,
/// the caller's is NaN.
template <class Function> fint withResult(fdouble *flat, int rows, int columns, Function &&f) {
  return orPoison(
      [&] {
        const Matrix result(Flat{flat, rows, columns});
        const int code = f(result.get());
        result.writeTo(flat);
        return code;
      },
      [&] {
        std::fill_n(flat, to_size_t(rows) * to_size_t(columns), ADOLC::detail::kPoisonedOutput);
      });
}

} // namespace

extern "C" {

const char *adolc_last_error() { return lastError.c_str(); }

void spread1(int m, const fdouble *x, double *X) {
  for (int i = 0; i < m; ++i)
    X[i] = x[i];
}
void pack1(int m, const double *X, fdouble *x) { spread1(m, X, x); }
void spread2(int m, int n, const fdouble *x, double **X) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      X[i][j] = *x++;
}
void pack2(int m, int n, const double *const *X, fdouble *x) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      *x++ = X[i][j];
}
void spread3(int m, int n, int p, const fdouble *x, double ***X) {
  for (int k = 0; k < p; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        X[i][j][k] = *x++;
}
void pack3(int m, int n, int p, const double *const *const *X, fdouble *x) {
  for (int k = 0; k < p; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        *x++ = X[i][j][k];
}

fint zos_forward_(const fint *tag, const fint *m, const fint *n, const fint *keep, const fdouble *x,
                  fdouble *y) {
  return guarded([&] { return zos_forward(tagOf(tag), count(m), count(n), count(keep), x, y); });
}
fint fos_forward_(const fint *tag, const fint *m, const fint *n, const fint *keep, const fdouble *x,
                  const fdouble *X, fdouble *y, fdouble *Y) {
  return guarded(
      [&] { return fos_forward(tagOf(tag), count(m), count(n), count(keep), x, X, y, Y); });
}
fint fov_forward_(const fint *tag, const fint *m, const fint *n, const fint *p, const fdouble *x,
                  const fdouble *X, fdouble *y, fdouble *Y) {
  return guarded([&] {
    const Flat in{X, count(n), count(p)};
    check("fov_forward", tagOf(tag), count(m), count(n), false, count(p),
          {in, {Y, count(m), count(p)}});
    return withResult(Y, count(m), count(p), [&](double **results) {
      const Matrix seeds(in);
      return fov_forward(tagOf(tag), count(m), count(n), count(p), x, seeds.get(), y, results);
    });
  });
}
fint fos_reverse_(const fint *tag, const fint *m, const fint *n, const fdouble *u, fdouble *z) {
  return guarded([&] { return fos_reverse(tagOf(tag), count(m), count(n), u, z); });
}
fint fov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *q, const fdouble *U,
                  fdouble *Z) {
  return guarded([&] {
    const Flat in{U, count(q), count(m)};
    check("fov_reverse", tagOf(tag), count(m), count(n), true, count(q),
          {in, {Z, count(q), count(n)}});
    return withResult(Z, count(q), count(n), [&](double **results) {
      const Matrix weights(in);
      return fov_reverse(tagOf(tag), count(m), count(n), count(q), weights.get(), results);
    });
  });
}

fint function_(const fint *tag, const fint *m, const fint *n, const fdouble *x, fdouble *y) {
  return guarded([&] { return function(tagOf(tag), count(m), count(n), x, y); });
}
fint gradient_(const fint *tag, const fint *n, const fdouble *x, fdouble *g) {
  return guarded([&] { return gradient(tagOf(tag), count(n), x, g); });
}
fint jacobian_(const fint *tag, const fint *m, const fint *n, const fdouble *x, fdouble *J) {
  return guarded([&] {
    check("jacobian", tagOf(tag), count(m), count(n), false, 0, {{J, count(m), count(n)}});
    return withResult(J, count(m), count(n), [&](double **result) {
      return jacobian(tagOf(tag), count(m), count(n), x, result);
    });
  });
}
fint large_jacobian_(const fint *tag, const fint *m, const fint *n, const fint *k, fdouble *x,
                     fdouble *y, fdouble *J) {
  return guarded([&] {
    check("large_jacobian", tagOf(tag), count(m), count(n), false, 0, {{J, count(m), count(n)}});
    return withResult(J, count(m), count(n), [&](double **result) {
      return large_jacobian(tagOf(tag), count(m), count(n), count(k), x, y, result);
    });
  });
}
fint vec_jac_(const fint *tag, const fint *m, const fint *n, const fint *repeat, const fdouble *x,
              const fdouble *u, fdouble *z) {
  return guarded([&] { return vec_jac(tagOf(tag), count(m), count(n), count(repeat), x, u, z); });
}
fint jac_vec_(const fint *tag, const fint *m, const fint *n, const fdouble *x, const fdouble *v,
              fdouble *w) {
  return guarded([&] { return jac_vec(tagOf(tag), count(m), count(n), x, v, w); });
}
fint jac_solv_(const fint *tag, const fint *n, const fdouble *x, fdouble *b, const fint *mode) {
  return guarded([&] {
    return jac_solv(static_cast<unsigned short>(tagOf(tag)), count(n), x, b,
                    narrow<unsigned short>(*mode));
  });
}

} // extern "C"
