#include <adolc/interfaces.h>

#include "interp/sweeps.h"

#include <adolc/valuetape/taperegistry.h>

#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ADOLC::detail;
using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace {

template <class Rows>
void checkRows(const TapeEvaluationContext &context, Rows rows, std::size_t count,
               std::size_t width) {
  checkPointer(context, rows, count);
  for (std::size_t i = 0; i < count; ++i)
    checkPointer(context, rows[i], width);
}

/// A number of directions, weights or blocks: at least 0.
std::size_t checkedWidth(const TapeEvaluationContext &context, int p) {
  constexpr int most = std::numeric_limits<int>::max();
  checkRange(context, p, most);
  return static_cast<std::size_t>(p);
}

TapeEvaluationContext openForward(const char *caller, short tag, int m, int n, const double *x,
                                  const double *y) {
  TapeEvaluationContext context(tag, caller);
  checkCounts(context, m, n, false);
  checkPointer(context, x, context.recording().numInds);
  checkPointer(context, y, context.recording().numDeps);
  return context;
}

int fovOffset(const char *caller, short tag, int m, int n, int p, int offset, const double *x,
              const double *const *X, double *y, double **Y) {
  TapeEvaluationContext context = openForward(caller, tag, m, n, x, y);
  const std::size_t width = checkedWidth(context, p), column = checkedWidth(context, offset);
  if (width != 0) {
    checkRows(context, X, context.recording().numInds, width);
    checkRows(context, Y, context.recording().numDeps, width);
  }
  ForwardSweep sweep{.context = context,
                     .x = x,
                     .y = y,
                     .lanes = width,
                     .seedRows = X,
                     .resultRows = Y,
                     .seedColumn = column,
                     .resultColumn = column};
  return guarded(context, false,
                 [&] { return width == 0 ? zosForward(sweep, 0) : fovForward(sweep); });
}

/// The recorded independents in n blocks of lengths ndim[i], each with one row of `rows`.
template <class Rows>
void checkBlocks(const TapeEvaluationContext &context, int m, int n, const int *ndim, Rows rows) {
  const std::size_t blocks = checkedWidth(context, n);
  checkPointer(context, ndim, blocks);
  std::size_t total = 0;
  for (std::size_t i = 0; i < blocks; ++i)
    total += checkedWidth(context, ndim[i]);
  checkCounts(context, m, std::in_range<int>(total) ? static_cast<int>(total) : -1, false);
  checkPointer(context, rows, blocks);
  for (std::size_t i = 0; i < blocks; ++i)
    checkPointer(context, rows[i], static_cast<std::size_t>(ndim[i]));
}

int totalLength(int n, const int *ndim) { return std::accumulate(ndim, ndim + n, 0); }

} // namespace

extern "C" {

int zos_forward(short tag, int m, int n, int keep, const double *x, double *y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, x, y);
  if (keep != 0 && keep != 1)
    fail(ErrorType::FWD_ZO_KEEP, CURRENT_LOCATION, {.info1 = tag, .info3 = keep});
  ForwardSweep sweep{.context = context, .x = x, .y = y};
  return guarded(context, keep != 0, [&] { return zosForward(sweep, keep); });
}

int zos_forward_nk(short tag, int m, int n, const double *x, double *y) {
  return zos_forward(tag, m, n, 0, x, y);
}

int fos_forward(short tag, int m, int n, int keep, const double *x, const double *X, double *y,
                double *Y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, x, y);
  if (keep < 0 || keep > 2)
    fail(ErrorType::FWD_FO_KEEP, CURRENT_LOCATION, {.info1 = tag, .info3 = keep});
  checkPointer(context, X, context.recording().numInds);
  checkPointer(context, Y, context.recording().numDeps);
  ForwardSweep sweep{.context = context, .x = x, .y = y, .seedVector = X, .resultVector = Y};
  return guarded(context, keep != 0, [&] { return fosForward(sweep, keep); });
}

int fos_forward_nk(short tag, int m, int n, const double *x, const double *X, double *y,
                   double *Y) {
  return fos_forward(tag, m, n, 0, x, X, y, Y);
}

int fov_forward(short tag, int m, int n, int p, const double *x, const double *const *X, double *y,
                double **Y) {
  return fovOffset(__func__, tag, m, n, p, 0, x, X, y, Y);
}

int fov_offset_forward(short tag, int m, int n, int p, int offset, const double *x,
                       const double *const *X, double *y, double **Y) {
  return fovOffset(__func__, tag, m, n, p, offset, x, X, y, Y);
}

int fos_reverse(short tag, int m, int n, const double *u, double *z) {
  TapeEvaluationContext context(tag, __func__);
  checkCounts(context, m, n, true);
  checkPointer(context, u, context.recording().numDeps);
  checkPointer(context, z, context.recording().numInds);
  checkTaylors(context, 1);
  ReverseSweep sweep{.context = context,
                     .weights = &u,
                     .results = &z,
                     .lanes = 1,
                     .accumulate = context.tape().nestedReverseEval()};
  return guarded(context, false, [&] { return fosReverse(sweep); });
}

int fov_reverse(short tag, int m, int n, int q, const double *const *U, double **Z) {
  TapeEvaluationContext context(tag, __func__);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, q);
  checkRows(context, U, width, context.recording().numDeps);
  checkRows(context, Z, width, context.recording().numInds);
  checkTaylors(context, 1);
  ReverseSweep sweep{.context = context,
                     .weights = U,
                     .results = Z,
                     .lanes = width,
                     .accumulate = context.tape().nestedReverseEval()};
  return width == 0 ? 3 : guarded(context, false, [&] { return fovReverse(sweep); });
}

int zos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *x, double *y) {
  checkBlocks({tag, __func__}, m, n, ndim, x);
  std::vector<double> flat;
  for (int i = 0; i < n; ++i)
    flat.insert(flat.end(), x[i], x[i] + ndim[i]);
  return zos_forward(tag, m, totalLength(n, ndim), 0, flat.data(), y);
}

int fos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *const *x,
                      double **y) {
  {
    const TapeEvaluationContext context(tag, __func__);
    checkBlocks(context, m, n, ndim, x);
    for (int i = 0; i < n; ++i)
      checkRows(context, x[i], static_cast<std::size_t>(ndim[i]), 2);
    checkRows(context, y, context.recording().numDeps, 2);
  }
  std::vector<double> values, seeds;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < ndim[i]; ++j) {
      values.push_back(x[i][j][0]);
      seeds.push_back(x[i][j][1]);
    }
  std::vector<double> results(2 * to_size_t(m));
  double *const derivatives = results.data() + results.size() / 2;
  const int code = fos_forward(tag, m, totalLength(n, ndim), 0, values.data(), seeds.data(),
                               results.data(), derivatives);
  for (int i = 0; i < m; ++i) {
    y[i][0] = results[to_size_t(i)];
    y[i][1] = derivatives[i];
  }
  return code;
}

int fov_forward_partx(short tag, int m, int n, const int *ndim, int p, const double *const *x,
                      const double *const *const *X, double *y, double **Y) {
  {
    const TapeEvaluationContext context(tag, __func__);
    checkBlocks(context, m, n, ndim, x);
    if (checkedWidth(context, p) != 0)
      checkBlocks(context, m, n, ndim, X);
  }
  std::vector<double> values;
  std::vector<const double *> seeds;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < ndim[i]; ++j) {
      values.push_back(x[i][j]);
      if (p != 0)
        seeds.push_back(X[i][j]);
    }
  return fov_forward(tag, m, totalLength(n, ndim), p, values.data(), seeds.data(), y, Y);
}

} // extern "C"

// ── C++ front ends ──────────────────────────────────────────────────────────────────────────────

namespace {

/// A degree of 0 to `most`. Higher ones are legal, but there are no sweeps for them.
void checkDegree(const char *caller, short tag, int d, int most) {
  if (d >= 0 && d <= most)
    return;
  const ADOLCError::source_location where(__FILE__, caller, __LINE__);
  if (d < 0)
    fail(ErrorType::ARGUMENT_OUT_OF_RANGE, where, {.info1 = tag, .info3 = d, .info4 = most});
  throw ADOLCError::ADOLCError("ADOL-C error NOT_IMPLEMENTED in " + std::string(caller) +
                                   ": tape " + std::to_string(tag) +
                                   ": there are no sweeps of degree " + std::to_string(d) +
                                   ", only up to " + std::to_string(most),
                               where, ErrorType::NOT_IMPLEMENTED, tag);
}

[[noreturn]] void wrongDimension(ErrorType type, const char *caller, short tag, int m, int d = 0) {
  fail(type, {__FILE__, caller, __LINE__}, {.info1 = tag, .info3 = m, .info4 = d});
}

/// Column k of the rows of X.
std::vector<double> columnOf(const double *const *X, int rows, std::size_t k) {
  std::vector<double> column(to_size_t(rows));
  for (std::size_t i = 0; i < column.size(); ++i)
    column[i] = X[i][k];
  return column;
}
void writeColumn(const std::vector<double> &column, double *const *X, std::size_t k) {
  for (std::size_t i = 0; i < column.size(); ++i)
    X[i][k] = column[i];
}

} // namespace

int forward(short tag, int m, int n, int d, int keep, double **X, double **Y) {
  checkDegree(__func__, tag, d, 1);
  {
    const TapeEvaluationContext context(tag, __func__);
    checkCounts(context, m, n, false);
    checkRows(context, X, context.recording().numInds, 1);
    checkRows(context, Y, context.recording().numDeps, 1);
  }
  const std::vector<double> x = columnOf(X, n, 0);
  std::vector<double> y(to_size_t(m)), derivatives(y.size());
  const int code = d == 0 ? zos_forward(tag, m, n, keep, x.data(), y.data())
                          : fos_forward(tag, m, n, keep, x.data(), columnOf(X, n, 1).data(),
                                        y.data(), derivatives.data());
  writeColumn(y, Y, 0);
  if (d == 1)
    writeColumn(derivatives, Y, 1);
  return code;
}
int forward(short tag, int m, int n, int d, int keep, double **X, double *Y) {
  if (m != 1)
    wrongDimension(ErrorType::WRONG_DIM_Y, __func__, tag, m);
  return forward(tag, m, n, d, keep, X, &Y);
}
int forward(short tag, int m, int n, int d, int keep, const double *X, double *Y) {
  if (d != 0)
    wrongDimension(ErrorType::WRONG_DIM_XY, __func__, tag, d);
  return zos_forward(tag, m, n, keep, X, Y);
}
int forward(short tag, int m, int n, int keep, const double *X, double *Y) {
  return zos_forward(tag, m, n, keep, X, Y);
}
int forward(short tag, int m, int n, int p, const double *x, const double *const *X, double *y,
            double **Y) {
  return fov_forward(tag, m, n, p, x, X, y, Y);
}

int reverse(short tag, int m, int n, int d, const double *u, double **Z) {
  checkDegree(__func__, tag, d, 0);
  {
    const TapeEvaluationContext context(tag, __func__);
    checkCounts(context, m, n, true);
    checkRows(context, Z, context.recording().numInds, 1);
  }
  std::vector<double> z = columnOf(Z, n, 0); // nested reverse evaluation adds to it
  const int code = fos_reverse(tag, m, n, u, z.data());
  writeColumn(z, Z, 0);
  return code;
}
int reverse(short tag, int m, int n, int d, double u, double **Z) {
  if (m != 1)
    wrongDimension(ErrorType::WRONG_DIM_u, __func__, tag, m);
  return reverse(tag, m, n, d, &u, Z);
}
int reverse(short tag, int m, int n, int d, const double *u, double *Z) {
  if (d != 0)
    wrongDimension(ErrorType::WRONG_DIM_Z, __func__, tag, d);
  return fos_reverse(tag, m, n, u, Z);
}
int reverse(short tag, int m, int n, int d, double u, double *Z) {
  if (m != 1 || d != 0)
    wrongDimension(ErrorType::WRONG_DIM_uZ, __func__, tag, m, d);
  return fos_reverse(tag, m, n, &u, Z);
}
int reverse(short tag, int m, int n, int d, int q, const double *const *U, double **Z) {
  if (d != 0)
    wrongDimension(ErrorType::WRONG_DIM_D, __func__, tag, d);
  return fov_reverse(tag, m, n, q, U, Z);
}
int reverse(short tag, int m, int n, int q, const double *const *U, double **Z) {
  return fov_reverse(tag, m, n, q, U, Z);
}
int reverse(short tag, int m, int n, int d, int q, double *U, double **Z) {
  if (m != 1)
    wrongDimension(ErrorType::WRONG_DIM_U, __func__, tag, m);
  if (d != 0)
    wrongDimension(ErrorType::WRONG_DIM_D, __func__, tag, d);
  std::vector<const double *> rows;
  for (int i = 0; U != nullptr && i < q; ++i)
    rows.push_back(U + i);
  return fov_reverse(tag, m, n, q, U == nullptr ? nullptr : rows.data(), Z);
}
