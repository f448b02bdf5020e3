#include "drivers/fortran.h"

#include <adolc/drivers/drivers.h>
#include <adolc/drivers/odedrivers.h>
#include <adolc/interfaces.h>

#include "drivers/results.h"
#include "interp/extents.h"

#include <cstdint>
#include <string>

using namespace ADOLC::detail::fortran;

namespace {
thread_local std::string lastError;
} // namespace

namespace ADOLC::detail::fortran {

void noteError(const char *text) noexcept {
  try {
    lastError = text;
  } catch (const std::exception &) { // no memory for the text
    lastError.clear();
  }
}

std::size_t Flat::size() const {
  return product({to_size_t(rows), to_size_t(columns), to_size_t(slices)});
}

void check(const char *caller, short tag, int m, int n, bool reverse,
           std::initializer_list<int> lanes, std::initializer_list<Flat> arrays) {
  const TapeEvaluationContext context(tag, caller, TapeUse::looks);
  checkCounts(context, m, n, reverse);
  for (const int number : lanes)
    checkRange(context, number, std::numeric_limits<int>::max());
  for (const Flat &array : arrays) {
    const std::size_t size = array.size();
    if (constexpr std::size_t most = PTRDIFF_MAX / sizeof(fdouble); size > most)
      ADOLCError::fail(ADOLCError::ErrorType::SIZE_MISMATCH, {__FILE__, caller, __LINE__},
                       {.info1 = tag, .info5 = most, .info6 = size});
    checkPointer(context, array.data, size);
  }
}

Matrix::Matrix(const Flat &flat)
    : rows_(flat.rows), columns_(flat.columns),
      data_(myalloc2(to_size_t(rows_), to_size_t(columns_))) {
  if (data_ != nullptr)
    spread2(rows_, columns_, flat.data, data_);
}
void Matrix::writeTo(fdouble *flat) const {
  if (data_ != nullptr)
    pack2(rows_, columns_, data_, flat);
}

Tensor::Tensor(const Flat &flat)
    : extents_(flat),
      data_(myalloc3(to_size_t(flat.rows), to_size_t(flat.columns), to_size_t(flat.slices))) {
  if (data_ != nullptr)
    spread3(flat.rows, flat.columns, flat.slices, flat.data, data_);
}
void Tensor::writeTo(fdouble *flat) const {
  if (data_ != nullptr)
    pack3(extents_.rows, extents_.columns, extents_.slices, data_, flat);
}

} // namespace ADOLC::detail::fortran

namespace {

/// As `check`, of a function with one dependent.
void checkScalar(const char *caller, const fint *tag, const fint *n,
                 std::initializer_list<int> lanes, std::initializer_list<Flat> arrays) {
  ADOLC::detail::requireScalar({tagOf(tag), caller, ADOLC::detail::TapeUse::looks});
  check(caller, tagOf(tag), 1, count(n), false, lanes, arrays);
}

/// Runs f on a matrix of which it writes the lower triangle only.
template <class Function>
fint lowerTriangle(const char *caller, const fint *tag, const fint *n, fdouble *H, Function &&f) {
  return asCode([&] {
    const int size = count(n);
    checkScalar(caller, tag, n, {}, {{H, size, size}});
    return ADOLC::detail::orPoison(
        [&] {
          const Matrix result(Flat{H, size, size});
          const int code = f(result.get());
          result.writeTo(H);
          return code;
        },
        [&] {
          for (std::size_t j = 0; j < to_size_t(size); ++j)
            std::fill_n(H + j * to_size_t(size) + j, to_size_t(size) - j,
                        ADOLC::detail::kPoisonedOutput);
        });
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

fint function_(const fint *tag, const fint *m, const fint *n, const fdouble *x, fdouble *y) {
  return asCode([&] { return function(tagOf(tag), count(m), count(n), x, y); });
}
fint gradient_(const fint *tag, const fint *n, const fdouble *x, fdouble *g) {
  return asCode([&] { return gradient(tagOf(tag), count(n), x, g); });
}
fint jacobian_(const fint *tag, const fint *m, const fint *n, const fdouble *x, fdouble *J) {
  return asCode([&] {
    check("jacobian", tagOf(tag), count(m), count(n), false, {}, {{J, count(m), count(n)}});
    return withMatrix({J, count(m), count(n)}, {}, [&](double **result) {
      return jacobian(tagOf(tag), count(m), count(n), x, result);
    });
  });
}
fint large_jacobian_(const fint *tag, const fint *m, const fint *n, const fint *k, fdouble *x,
                     fdouble *y, fdouble *J) {
  return asCode([&] {
    check("large_jacobian", tagOf(tag), count(m), count(n), false, {}, {{J, count(m), count(n)}});
    return withMatrix({J, count(m), count(n)}, {}, [&](double **result) {
      return large_jacobian(tagOf(tag), count(m), count(n), count(k), x, y, result);
    });
  });
}
fint vec_jac_(const fint *tag, const fint *m, const fint *n, const fint *repeat, const fdouble *x,
              const fdouble *u, fdouble *z) {
  return asCode([&] { return vec_jac(tagOf(tag), count(m), count(n), count(repeat), x, u, z); });
}
fint jac_vec_(const fint *tag, const fint *m, const fint *n, const fdouble *x, const fdouble *v,
              fdouble *w) {
  return asCode([&] { return jac_vec(tagOf(tag), count(m), count(n), x, v, w); });
}
fint jac_solv_(const fint *tag, const fint *n, const fdouble *x, fdouble *b, const fint *mode) {
  return asCode([&] {
    return jac_solv(static_cast<unsigned short>(tagOf(tag)), count(n), x, b,
                    narrow<unsigned short>(*mode));
  });
}

fint hessian_(const fint *tag, const fint *n, const fdouble *x, fdouble *H) {
  return lowerTriangle("hessian", tag, n, H,
                       [&](double **result) { return hessian(tagOf(tag), count(n), x, result); });
}
fint hessian2_(const fint *tag, const fint *n, fdouble *x, fdouble *H) {
  return lowerTriangle("hessian2", tag, n, H,
                       [&](double **result) { return hessian2(tagOf(tag), count(n), x, result); });
}
fint hess_vec_(const fint *tag, const fint *n, const fdouble *x, const fdouble *v, fdouble *w) {
  return asCode([&] { return hess_vec(tagOf(tag), count(n), x, v, w); });
}
fint hess_mat_(const fint *tag, const fint *n, const fint *q, const fdouble *x, const fdouble *V,
               fdouble *W) {
  return asCode([&] {
    const Flat in{V, count(n), count(q)};
    checkScalar("hess_mat", tag, n, {count(q)}, {in, {W, count(n), count(q)}});
    return withMatrix({W, count(n), count(q)}, {}, [&](double **results) {
      const Matrix directions(in);
      return hess_mat(tagOf(tag), count(n), count(q), x, directions.get(), results);
    });
  });
}
fint lagra_hess_vec_(const fint *tag, const fint *m, const fint *n, const fdouble *x,
                     const fdouble *v, const fdouble *u, fdouble *w) {
  return asCode([&] { return lagra_hess_vec(tagOf(tag), count(m), count(n), x, v, u, w); });
}

fint forodec_(const fint *tag, const fint *n, const fdouble *tau, const fint *dold,
              const fint *dnew, fdouble *X) {
  return asCode([&] {
    const int size = count(n), degree = count(dnew), known = count(dold);
    check("forodec", tagOf(tag), size, size, false, {known, degree}, {});
    const Flat series{X, size, narrow<int>(fint{degree} + 1)};
    check("forodec", tagOf(tag), size, size, false, {}, {series});
    const Matrix result(series);
    try {
      const int code = forodec(tagOf(tag), size, *tau, known, degree, result.get());
      result.writeTo(X);
      return code;
    } catch (...) {
      result.writeTo(X); // the coefficients that are not there are NaN
      throw;
    }
  });
}
fint accodec_(const fint *n, const fdouble *tau, const fint *d, const fdouble *A, fdouble *B) {
  return asCode([&] {
    const int size = count(n), width = narrow<int>(fint{count(d)} + 1);
    const auto caller = "accodec";
    ADOLC::detail::checkedNumber(caller, size);
    ADOLC::detail::checkedNumber(caller, count(d));
    const Flat in{A, size, size, width};
    ADOLC::detail::checkArray(caller, A, in.size());
    ADOLC::detail::checkArray(caller, B, in.size());
    return withTensor({B, size, size, width}, {}, [&](double ***total) {
      const Tensor partial(in);
      accodec(size, *tau, count(d), partial.get(), total, nullptr);
      return 3;
    });
  });
}

} // extern "C"
