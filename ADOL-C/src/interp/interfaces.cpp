#include <adolc/interfaces.h>

#include "interp/dependence.h"
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

TapeEvaluationContext openForward(const char *caller, short tag, int m, int n, int keep,
                                  const double *x, const double *y) {
  TapeEvaluationContext context(tag, caller, useWith(keep));
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
  TapeEvaluationContext context = openForward(caller, tag, m, n, 0, x, y);
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

int runTaylors(const TaylorForward &sweep, int keep) {
  return orAbandon(sweep, [&] {
    if (keep < 0 || static_cast<std::size_t>(keep) > sweep.degree + 1)
      fail(ErrorType::FWD_HO_KEEP, {__FILE__, sweep.context.caller(), __LINE__},
           {.info1 = sweep.context.tape().tapeId(),
            .info3 = keep,
            .info4 = static_cast<int>(sweep.degree),
            .info5 = sweep.degree + 1});
    return guarded(sweep.context, keep != 0, [&] { return taylorForward(sweep, keep); });
  });
}

/// A reverse sweep of degree d on the Taylor stack of as many directions.
int runTaylors(const TaylorReverse &sweep, std::size_t directions) {
  return orAbandon(sweep, [&] {
    checkTaylors(sweep.context, directions == 0 ? 1 : sweep.degree + 1);
    const bool readsCurves = sweep.degree != 0 || sweep.byDirection;
    if (const std::size_t kept = sweep.context.taylors().shape.directions;
        readsCurves && kept != directions)
      fail(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {__FILE__, sweep.context.caller(), __LINE__},
           {.info1 = sweep.context.tape().tapeId(), .info5 = kept, .info6 = directions});
    return sweep.lanes == 0 ? 3
                            : guarded(sweep.context, false, [&] { return taylorReverse(sweep); });
  });
}

/// A forward sweep whose values are the first column of X and Y. fillX writes those of the
/// independents.
template <class FillX>
int forwardInColumns(TapeEvaluationContext &context, int d, int keep, FillX &&fillX,
                     const double *const *X, double **Y) {
  return guarded(context, keep != 0, [&] {
    const std::size_t m = context.recording().numDeps, n = context.recording().numInds;
    double *const x = context.workspace().driver.require(n + m), *const y = x + n;
    fillX(x);
    int code = 0;
    if (d <= 1) {
      const ForwardSweep sweep{.context = context,
                               .x = x,
                               .y = y,
                               .seedRows = X,
                               .resultRows = Y,
                               .seedColumn = 1,
                               .resultColumn = 1};
      code = d == 0 ? runZos(sweep, keep) : runFos(sweep, keep);
    } else {
      code = runTaylors({.context = context,
                         .x = x,
                         .y = y,
                         .degree = static_cast<std::size_t>(d),
                         .seedRows = X,
                         .resultRows = Y,
                         .seedColumn = 1,
                         .resultColumn = 1},
                        keep);
    }
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

/// A forward sweep on rows of coefficients 0 … d.
int inBlocks(TapeEvaluationContext &context, int n, const int *ndim, int d,
             const double *const *const *X, double **Y) {
  return orPoison(
      [&] {
        return guarded(context, false, [&] {
          const std::vector<const double *> rows = rowsOfBlocks(n, ndim, X);
          return forwardInColumns(
              context, d, 0,
              [&rows](double *values) {
                for (const double *const row : rows)
                  *values++ = row[0];
              },
              rows.data(), Y);
        });
      },
      [&] { poison(Y, context.recording().numDeps, static_cast<std::size_t>(d) + 1); });
}

/// Runs a sweep on the values of all blocks.
template <class Sweep, class Run>
int onBlocks(Sweep &sweep, int n, const int *ndim, const double *const *x, Run &&run) {
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

template <class Cubes>
void checkCubes(const TapeEvaluationContext &context, Cubes cubes, std::size_t count,
                std::size_t rows, std::size_t width) {
  checkPointer(context, cubes, count);
  for (std::size_t i = 0; i < count; ++i)
    checkRows(context, cubes[i], rows, width);
}

int hovForward(const char *caller, short tag, int m, int n, int d, int keep, int p, const double *x,
               const double *const *const *X, double *y, double ***Y) {
  TapeEvaluationContext context = openForward(caller, tag, m, n, keep, x, y);
  const std::size_t degree = checkedWidth(context, d), directions = checkedWidth(context, p);
  if (degree != 0 && directions != 0) {
    checkCubes(context, X, context.recording().numInds, directions, degree);
    checkCubes(context, Y, context.recording().numDeps, directions, degree);
  }
  const int code = runTaylors({.context = context,
                               .x = x,
                               .y = y,
                               .degree = degree,
                               .directions = degree == 0 ? 0 : directions,
                               .seedCubes = X,
                               .resultCubes = Y},
                              keep);
  if (keep != 0 && code >= 0) // those without coefficients count, too
    context.taylors().shape.directions = directions;
  return code;
}

/// Weights that are constants u[m] or polynomials U[m][d+1].
int hosReverse(const char *caller, short tag, int m, int n, int d, const double *u,
               const double *const *U, double **Z) {
  TapeEvaluationContext context(tag, caller, TapeUse::reads);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, d) + 1;
  if (U != nullptr)
    checkRows(context, U, context.recording().numDeps, width);
  else
    checkPointer(context, u, context.recording().numDeps);
  checkRows(context, Z, context.recording().numInds, width);
  return runTaylors(TaylorReverse{.context = context,
                                  .degree = width - 1,
                                  .weights = U == nullptr ? &u : nullptr,
                                  .weightPolynomials = U == nullptr ? nullptr : &U,
                                  .results = &Z,
                                  .accumulate = context.tape().nestedReverseEval()},
                    1);
}

/// Weights that are constants U[q][m], or polynomials T[q][m][d+1], or unit vectors.
int hovReverse(const char *caller, short tag, int m, int n, int d, int q, const double *const *U,
               const double *const *const *T, double ***Z, short **nz, bool units = false) {
  TapeEvaluationContext context(tag, caller, TapeUse::reads);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, d) + 1, lanes = checkedWidth(context, q);
  if (T != nullptr)
    checkCubes(context, T, lanes, context.recording().numDeps, width);
  else if (!units)
    checkRows(context, U, lanes, context.recording().numDeps);
  checkCubes(context, Z, lanes, context.recording().numInds, width);
  if (nz != nullptr)
    checkRows(context, nz, lanes, context.recording().numInds);
  const TaylorReverse sweep{.context = context,
                            .degree = width - 1,
                            .lanes = lanes,
                            .weights = U,
                            .weightPolynomials = T,
                            .results = Z,
                            .accumulate = context.tape().nestedReverseEval()};
  // Labels that are not there are the highest one.
  try {
    const int code = runTaylors(sweep, 1);
    return nz == nullptr ? code : guarded(context, false, [&] {
      dependenceLabels(sweep, nz);
      return code;
    });
  } catch (...) {
    abandon(sweep);
    for (std::size_t l = 0; l < lanes && nz != nullptr; ++l)
      std::fill_n(nz[l], context.recording().numInds, static_cast<short>(Dependence::NonSmooth));
    throw;
  }
}

} // namespace

extern "C" {

int zos_forward(short tag, int m, int n, int keep, const double *x, double *y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, keep, x, y);
  return runZos({.context = context, .x = x, .y = y}, keep);
}

int zos_forward_nk(short tag, int m, int n, const double *x, double *y) {
  return zos_forward(tag, m, n, 0, x, y);
}

int fos_forward(short tag, int m, int n, int keep, const double *x, const double *X, double *y,
                double *Y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, keep, x, y);
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
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
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
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
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

int hos_forward(short tag, int m, int n, int d, int keep, const double *x, const double *const *X,
                double *y, double **Y) {
  TapeEvaluationContext context = openForward(__func__, tag, m, n, keep, x, y);
  const std::size_t degree = checkedWidth(context, d);
  if (degree != 0) {
    checkRows(context, X, context.recording().numInds, degree);
    checkRows(context, Y, context.recording().numDeps, degree);
  }
  return runTaylors(
      {.context = context, .x = x, .y = y, .degree = degree, .seedRows = X, .resultRows = Y}, keep);
}

int hos_forward_nk(short tag, int m, int n, int d, const double *x, const double *const *X,
                   double *y, double **Y) {
  return hos_forward(tag, m, n, d, 0, x, X, y, Y);
}

int hov_wk_forward(short tag, int m, int n, int d, int keep, int p, const double *x,
                   const double *const *const *X, double *y, double ***Y) {
  return hovForward(__func__, tag, m, n, d, keep, p, x, X, y, Y);
}

int hov_forward(short tag, int m, int n, int d, int p, const double *x,
                const double *const *const *X, double *y, double ***Y) {
  return hovForward(__func__, tag, m, n, d, 0, p, x, X, y, Y);
}

int hos_reverse(short tag, int m, int n, int d, const double *u, double **Z) {
  return hosReverse(__func__, tag, m, n, d, u, nullptr, Z);
}

int hos_ti_reverse(short tag, int m, int n, int d, const double *const *U, double **Z) {
  return hosReverse(__func__, tag, m, n, d, nullptr, U, Z);
}

int hos_ov_reverse(short tag, int m, int n, int d, int p, const double *const *U, double ***Z) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
  checkCounts(context, m, n, true);
  const std::size_t width = checkedWidth(context, d) + 1, lanes = checkedWidth(context, p);
  checkRows(context, U, context.recording().numDeps, width);
  checkCubes(context, Z, lanes, context.recording().numInds, width);
  return runTaylors(TaylorReverse{.context = context,
                                  .degree = width - 1,
                                  .lanes = lanes,
                                  .byDirection = true,
                                  .weightPolynomials = &U,
                                  .results = Z,
                                  .accumulate = context.tape().nestedReverseEval()},
                    lanes);
}

int hov_reverse(short tag, int m, int n, int d, int q, const double *const *U, double ***Z,
                short **nz) {
  return hovReverse(__func__, tag, m, n, d, q, U, nullptr, Z, nz);
}

int hov_ti_reverse(short tag, int m, int n, int d, int q, const double *const *const *U,
                   double ***Z, short **nz) {
  return hovReverse(__func__, tag, m, n, d, q, nullptr, U, Z, nz);
}

int zos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *x, double *y) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
  checkBlocks(context, m, n, ndim, x);
  checkPointer(context, y, context.recording().numDeps);
  ForwardSweep sweep{.context = context, .x = nullptr, .y = y};
  return onBlocks(sweep, n, ndim, x, [&] { return runZos(sweep, 0); });
}

int fos_forward_partx(short tag, int m, int n, const int *ndim, const double *const *const *x,
                      double **y) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
  checkBlocks(context, m, n, ndim, x);
  for (int i = 0; i < n; ++i)
    checkRows(context, x[i], static_cast<std::size_t>(ndim[i]), 2);
  checkRows(context, y, context.recording().numDeps, 2);
  return inBlocks(context, n, ndim, 1, x, y);
}

int fov_forward_partx(short tag, int m, int n, const int *ndim, int p, const double *const *x,
                      const double *const *const *X, double *y, double **Y) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
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

int hos_forward_partx(short tag, int m, int n, const int *ndim, int d,
                      const double *const *const *X, double **Y) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
  checkBlocks(context, m, n, ndim, X);
  const std::size_t width = checkedWidth(context, d) + 1;
  for (int i = 0; i < n; ++i)
    checkRows(context, X[i], static_cast<std::size_t>(ndim[i]), width);
  checkRows(context, Y, context.recording().numDeps, width);
  return inBlocks(context, n, ndim, d, X, Y);
}

int hov_forward_partx(short tag, int m, int n, const int *ndim, int d, int p,
                      const double *const *x, const double *const *const *const *X, double *y,
                      double ***Y) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
  checkBlocks(context, m, n, ndim, x);
  const std::size_t degree = checkedWidth(context, d), directions = checkedWidth(context, p);
  checkPointer(context, y, context.recording().numDeps);
  if (degree != 0 && directions != 0) {
    checkBlocks(context, m, n, ndim, X);
    for (int i = 0; i < n; ++i)
      checkCubes(context, X[i], static_cast<std::size_t>(ndim[i]), directions, degree);
    checkCubes(context, Y, context.recording().numDeps, directions, degree);
  }
  TaylorForward sweep{.context = context,
                      .x = nullptr,
                      .y = y,
                      .degree = degree,
                      .directions = degree == 0 ? 0 : directions,
                      .resultCubes = Y};
  return onBlocks(sweep, n, ndim, x, [&] {
    std::vector<const double *const *> seeds;
    if (sweep.directions != 0)
      for (int i = 0; i < n; ++i)
        seeds.insert(seeds.end(), X[i], X[i] + ndim[i]);
    sweep.seedCubes = seeds.data();
    return runTaylors(sweep, 0);
  });
}

} // extern "C"

// ── C++ front ends ──────────────────────────────────────────────────────────────────────────────

namespace {

[[noreturn]] void wrongDimension(ErrorType type, const char *caller, short tag, int m, int d = 0) {
  fail(type, {__FILE__, caller, __LINE__}, {.info1 = tag, .info3 = m, .info4 = d});
}

} // namespace

int forward(short tag, int m, int n, int d, int keep, double **X, double **Y) {
  TapeEvaluationContext context(tag, __func__, useWith(keep));
  checkCounts(context, m, n, false);
  const std::size_t width = checkedWidth(context, d) + 1;
  checkRows(context, X, context.recording().numInds, width);
  checkRows(context, Y, context.recording().numDeps, width);
  return orPoison(
      [&] {
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
int forward(short tag, int m, int n, int d, int p, const double *x, const double *const *const *X,
            double *y, double ***Y) {
  return hovForward(__func__, tag, m, n, d, 0, p, x, X, y, Y);
}
int forward(short tag, int m, int n, int p, const double *x, const double *const *X, double *y,
            double **Y) {
  return fov_forward(tag, m, n, p, x, X, y, Y);
}

int reverse(short tag, int m, int n, int d, const double *u, double **Z) {
  return hosReverse(__func__, tag, m, n, d, u, nullptr, Z);
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
int reverse(short tag, int m, int n, int d, int q, const double *const *U, double ***Z,
            short **nz) {
  return hov_reverse(tag, m, n, d, q, U, Z, nz);
}
int reverse(short tag, int m, int n, int d, int q, double *U, double ***Z, short **nz) {
  if (m != 1)
    wrongDimension(ErrorType::WRONG_DIM_U, __func__, tag, m);
  std::vector<const double *> rows;
  try {
    for (int i = 0; i < q && U != nullptr; ++i)
      rows.push_back(U + i);
  } catch (const std::bad_alloc &) {
    fail(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tag});
  }
  return hov_reverse(tag, m, n, d, q, U == nullptr ? nullptr : rows.data(), Z, nz);
}
int reverse(short tag, int m, int n, int d, double ***Z, short **nz) {
  return hovReverse(__func__, tag, m, n, d, m, nullptr, nullptr, Z, nz, true);
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
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
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
