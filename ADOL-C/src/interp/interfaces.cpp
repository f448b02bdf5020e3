#include <adolc/interfaces.h>

#include "interp/sweeps.h"

#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <limits>
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

// What follows knows where the results are: whatever goes wrong from here on, they are NaN.

/// Up to `most` coefficients can be kept.
void checkKeep(const TapeEvaluationContext &context, int keep, int most) {
  if (keep < 0 || keep > most)
    fail(most == 1 ? ErrorType::FWD_ZO_KEEP : ErrorType::FWD_FO_KEEP,
         {__FILE__, context.caller(), __LINE__}, {.info1 = context.tape().tapeId(), .info3 = keep});
}

int runZos(ForwardSweep sweep, int keep) {
  return orAbandon(sweep, [&] {
    checkKeep(sweep.context, keep, 1);
    return guarded(sweep.context, keep != 0, [&] { return zosForward(sweep, keep); });
  });
}

int runFos(ForwardSweep sweep, int keep) {
  sweep.lanes = 1;
  return orAbandon(sweep, [&] {
    checkKeep(sweep.context, keep, 2);
    return guarded(sweep.context, keep != 0, [&] { return fosForward(sweep, keep); });
  });
}

int runFov(ForwardSweep sweep) {
  return guarded(sweep.context, false,
                 [&] { return sweep.lanes == 0 ? zosForward(sweep, 0) : fovForward(sweep); });
}

int runFos(ReverseSweep sweep) {
  return orAbandon(sweep, [&] {
    checkTaylors(sweep.context, 1);
    return guarded(sweep.context, false, [&] { return fosReverse(sweep); });
  });
}

int runFov(const ReverseSweep &sweep) {
  return orAbandon(sweep, [&] {
    checkTaylors(sweep.context, 1);
    return sweep.lanes == 0 ? 3 : guarded(sweep.context, false, [&] { return fovReverse(sweep); });
  });
}

int fovOffset(const char *caller, short tag, int m, int n, int p, int offset, const double *x,
              const double *const *X, double *y, double **Y) {
  TapeEvaluationContext context = openForward(caller, tag, m, n, x, y);
  const std::size_t width = checkedWidth(context, p), column = checkedWidth(context, offset);
  if (width != 0) {
    checkRows(context, X, context.recording().numInds, width);
    checkRows(context, Y, context.recording().numDeps, width);
  }
  return runFov(ForwardSweep{.context = context,
                             .x = x,
                             .y = y,
                             .lanes = width,
                             .seedRows = X,
                             .resultRows = Y,
                             .seedColumn = column,
                             .resultColumn = column});
}

/// A forward sweep of degree 0 or 1 whose values are the first column of X and Y. fillX writes
/// those of the independents.
template <class FillX>
int forwardInColumns(TapeEvaluationContext &context, int d, int keep, FillX &&fillX,
                     const double *const *X, double **Y) {
  return guarded(context, keep != 0, [&] {
    const std::size_t m = context.recording().numDeps, n = context.recording().numInds;
    double *const x = context.workspace().driver.require(n + m), *const y = x + n;
    fillX(x);
    const ForwardSweep sweep{.context = context,
                             .x = x,
                             .y = y,
                             .seedRows = X,
                             .resultRows = Y,
                             .seedColumn = 1,
                             .resultColumn = 1};
    const int code = d == 0 ? runZos(sweep, keep) : runFos(sweep, keep);
    for (std::size_t i = 0; i < m; ++i)
      Y[i][0] = y[i];
    return code;
  });
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

/// The rows of all blocks, one for each independent.
std::vector<const double *> rowsOfBlocks(int n, const int *ndim, const double *const *const *x) {
  std::vector<const double *> rows;
  for (int i = 0; i < n; ++i)
    rows.insert(rows.end(), x[i], x[i] + ndim[i]);
  return rows;
}

/// Runs a sweep on the values of all blocks.
template <class Run>
int onBlocks(ForwardSweep &sweep, int n, const int *ndim, const double *const *x, Run &&run) {
  TapeEvaluationContext &context = sweep.context;
  return orAbandon(sweep, [&] {
    return guarded(context, false, [&] {
      double *const values = context.workspace().driver.require(context.recording().numInds);
      sweep.x = values;
      double *next = values;
      for (int i = 0; i < n; ++i)
        next = std::copy_n(x[i], ndim[i], next);
      return run();
    });
  });
}

} // namespace

extern "C" {

int zos_forward(short tag, int m, int n, int keep, const double *x, double *y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, x, y);
  return runZos({.context = context, .x = x, .y = y}, keep);
}

int zos_forward_nk(short tag, int m, int n, const double *x, double *y) {
  return zos_forward(tag, m, n, 0, x, y);
}

int fos_forward(short tag, int m, int n, int keep, const double *x, const double *X, double *y,
                double *Y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, x, y);
  checkPointer(context, X, context.recording().numInds);
  checkPointer(context, Y, context.recording().numDeps);
  return runFos({.context = context, .x = x, .y = y, .seedVector = X, .resultVector = Y}, keep);
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
  return runFos({.context = context,
                 .weights = &u,
                 .results = &z,
                 .lanes = 1,
                 .accumulate = context.tape().nestedReverseEval()});
}

int fov_reverse(short tag, int m, int n, int q, const double *const *U, double **Z) {
  TapeEvaluationContext context(tag, __func__);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, q);
  checkRows(context, U, width, context.recording().numDeps);
  checkRows(context, Z, width, context.recording().numInds);
  return runFov(ReverseSweep{.context = context,
                             .weights = U,
                             .results = Z,
                             .lanes = width,
                             .accumulate = context.tape().nestedReverseEval()});
}

int zos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *x, double *y) {
  TapeEvaluationContext context(tag, __func__);
  checkBlocks(context, m, n, ndim, x);
  checkPointer(context, y, context.recording().numDeps);
  ForwardSweep sweep{.context = context, .x = nullptr, .y = y};
  return onBlocks(sweep, n, ndim, x, [&] { return runZos(sweep, 0); });
}

int fos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *const *x,
                      double **y) {
  TapeEvaluationContext context(tag, __func__);
  checkBlocks(context, m, n, ndim, x);
  for (int i = 0; i < n; ++i)
    checkRows(context, x[i], static_cast<std::size_t>(ndim[i]), 2);
  checkRows(context, y, context.recording().numDeps, 2);
  return orPoison(
      [&] {
        return guarded(context, false, [&] {
          const std::vector<const double *> rows = rowsOfBlocks(n, ndim, x);
          return forwardInColumns(
              context, 1, 0,
              [&rows](double *values) {
                for (const double *const row : rows)
                  *values++ = row[0];
              },
              rows.data(), y);
        });
      },
      [&] { poison(y, context.recording().numDeps, 2); });
}

int fov_forward_partx(short tag, int m, int n, const int *ndim, int p, const double *const *x,
                      const double *const *const *X, double *y, double **Y) {
  TapeEvaluationContext context(tag, __func__);
  checkBlocks(context, m, n, ndim, x);
  const std::size_t width = checkedWidth(context, p);
  checkPointer(context, y, context.recording().numDeps);
  if (width != 0) {
    checkBlocks(context, m, n, ndim, X);
    for (int i = 0; i < n; ++i)
      checkRows(context, X[i], static_cast<std::size_t>(ndim[i]), width);
    checkRows(context, Y, context.recording().numDeps, width);
  }
  ForwardSweep sweep{.context = context, .x = nullptr, .y = y, .lanes = width, .resultRows = Y};
  return onBlocks(sweep, n, ndim, x, [&] {
    std::vector<const double *> seeds;
    if (width != 0)
      seeds = rowsOfBlocks(n, ndim, X);
    sweep.seedRows = seeds.data();
    return runFov(sweep);
  });
}

} // extern "C"

// ── C++ front ends ──────────────────────────────────────────────────────────────────────────────

namespace {

/// A degree of 0 to `most`. Higher ones are legal, but there are no sweeps for them.
void checkDegree(const TapeEvaluationContext &context, int d, int most) {
  if (d <= most)
    return;
  const char *const caller = context.caller();
  const short tag = context.tape().tapeId();
  const ADOLCError::source_location where(__FILE__, caller, __LINE__);
  throw ADOLCError::ADOLCError("ADOL-C error NOT_IMPLEMENTED in " + std::string(caller) +
                                   ": tape " + std::to_string(tag) +
                                   ": there are no sweeps of degree " + std::to_string(d) +
                                   ", only up to " + std::to_string(most),
                               where, ErrorType::NOT_IMPLEMENTED, tag);
}

[[noreturn]] void wrongDimension(ErrorType type, const char *caller, short tag, int m, int d = 0) {
  fail(type, {__FILE__, caller, __LINE__}, {.info1 = tag, .info3 = m, .info4 = d});
}

} // namespace

int forward(short tag, int m, int n, int d, int keep, double **X, double **Y) {
  TapeEvaluationContext context(tag, __func__);
  checkCounts(context, m, n, false);
  const std::size_t width = checkedWidth(context, d) + 1;
  checkRows(context, X, context.recording().numInds, width);
  checkRows(context, Y, context.recording().numDeps, width);
  return orPoison(
      [&] {
        checkDegree(context, d, 1);
        return forwardInColumns(
            context, d, keep,
            [&](double *x) {
              for (int i = 0; i < n; ++i)
                x[i] = X[i][0];
            },
            X, Y);
      },
      [&] { poison(Y, context.recording().numDeps, width); });
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
  TapeEvaluationContext context(tag, __func__);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, d) + 1;
  checkPointer(context, u, context.recording().numDeps);
  checkRows(context, Z, context.recording().numInds, width);
  return orPoison(
      [&] {
        checkDegree(context, d, 0);
        return guarded(context, false, [&] {
          double *z = context.workspace().driver.require(context.recording().numInds);
          for (int i = 0; i < n; ++i) // nested reverse evaluation adds to it
            z[i] = Z[i][0];
          const int code = runFos(ReverseSweep{.context = context,
                                               .weights = &u,
                                               .results = &z,
                                               .lanes = 1,
                                               .accumulate = context.tape().nestedReverseEval()});
          for (int i = 0; i < n; ++i)
            Z[i][0] = z[i];
          return code;
        });
      },
      [&] { poison(Z, context.recording().numInds, width); });
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
  TapeEvaluationContext context(tag, __func__);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, q);
  checkPointer(context, U, width);
  checkRows(context, Z, width, context.recording().numInds);
  return orPoison(
      [&] {
        return guarded(context, false, [&] {
          std::vector<const double *> rows(width);
          for (std::size_t i = 0; i < width; ++i)
            rows[i] = U + i;
          return runFov(ReverseSweep{.context = context,
                                     .weights = rows.data(),
                                     .results = Z,
                                     .lanes = width,
                                     .accumulate = context.tape().nestedReverseEval()});
        });
      },
      [&] { poison(Z, width, context.recording().numInds); });
}
