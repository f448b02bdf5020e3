#include <adolc/drivers/drivers.h>

#include "drivers/lu.h"
#include "drivers/results.h"
#include "tape/drivercache.h"

#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

using namespace ADOLC::detail;

namespace {

/// Takes the tape for a driver and checks its counts.
TapeEvaluationContext open(const char *caller, short tag, TapeUse use, int m, int n) {
  TapeEvaluationContext context(tag, caller, use);
  checkCounts(context, m, n, false);
  return context;
}

void checkMatrix(const TapeEvaluationContext &context, double *const *J) {
  const std::size_t rows = context.recording().numDeps, columns = context.recording().numInds;
  checkRows(context, J, columns == 0 ? 0 : rows, [columns](std::size_t) { return columns; });
}

/// Without y, the values are not wanted.
int forwardJacobian(TapeEvaluationContext &context, const double *x, double *y, double *const *J) {
  return guarded(context, false, [&] {
    if (y == nullptr)
      y = context.workspace().driver.require(context.recording().numDeps);
    ForwardSweep sweep{
        .context = context, .x = x, .y = y, .lanes = context.recording().numInds, .resultRows = J};
    return sweep.lanes == 0 ? zosForward(sweep, 0) : fovForward(sweep);
  });
}

int reverseJacobian(TapeEvaluationContext &context, const double *x, double *const *J) {
  const int code = keepValues(context, x);
  return code < 0 ? code : std::min(code, guarded(context, false, [&] {
                                      return fovReverse({.context = context,
                                                         .weights = nullptr,
                                                         .results = J,
                                                         .lanes = context.recording().numDeps});
                                    }));
}

} // namespace

int ADOLC::detail::jacobianOf(TapeEvaluationContext &context, const double *x, double *const *J) {
  const std::size_t m = context.recording().numDeps, n = context.recording().numInds;
  return orPoison(
      [&] {
        return prefersForward(m, n) ? forwardJacobian(context, x, nullptr, J)
                                    : reverseJacobian(context, x, J);
      },
      [&] { poison(J, m, n); });
}

namespace {

/// F'(x) into the tape's cache, if it is not there.
int cacheJacobian(TapeEvaluationContext &context, const double *x) {
  const std::size_t size = context.recording().numInds;
  auto &cache = context.tape().driverCache;
  cache.reset();
  auto fresh = std::make_unique<ValueTape::DriverCache>();
  fresh->lu.resize(size * size);
  std::vector<double *> rows(size);
  for (std::size_t i = 0; i < size; ++i)
    rows[i] = fresh->lu.data() + i * size;
  const int code = jacobianOf(context, x, rows.data());
  if (code < 0)
    return code;
  fresh->point.assign(x, x + size);
  fresh->code = code;
  cache = std::move(fresh);
  return code;
}

int solveJacobian(TapeEvaluationContext &context, const double *x, double *b, int mode) {
  const std::size_t size = context.recording().numInds;
  auto &cache = context.tape().driverCache;
  // Bit for bit: the derivatives at 0 and -0 may differ, and a NaN is equal to itself here.
  const bool known = cache != nullptr &&
                     (size == 0 || std::memcmp(x, cache->point.data(), size * sizeof(double)) == 0);
  if (!known || mode == 0)
    if (const int code = cacheJacobian(context, x); code < 0)
      return code;
  if (mode > 0 && !cache->factored) {
    if (!luFactor(cache->lu, cache->pivots, size)) {
      cache.reset();
      return -3;
    }
    cache->factored = true;
  }
  if (mode > 1)
    luSolve(cache->lu, cache->pivots, size, b);
  return cache->code;
}

} // namespace

extern "C" {

int function(short tag, int m, int n, const double *x, double *y) {
  TapeEvaluationContext context = open(__func__, tag, TapeUse::reads, m, n);
  checkPointer(context, x, context.recording().numInds);
  checkPointer(context, y, context.recording().numDeps);
  ForwardSweep sweep{.context = context, .x = x, .y = y};
  return guarded(context, false, [&] { return zosForward(sweep, 0); });
}

int gradient(short tag, int n, const double *x, double *g) {
  TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
  requireScalar(context);
  checkCounts(context, 1, n, false);
  checkPointer(context, x, context.recording().numInds);
  checkPointer(context, g, context.recording().numInds);
  return orPoison(
      [&] {
        const int code = keepValues(context, x);
        ReverseSweep sweep{.context = context, .weights = nullptr, .results = &g, .lanes = 1};
        return code < 0
                   ? code
                   : std::min(code, guarded(context, false, [&] { return fosReverse(sweep); }));
      },
      [&] { std::fill_n(g, n, kPoisonedOutput); });
}

int jacobian(short tag, int m, int n, const double *x, double **J) {
  TapeEvaluationContext context = open(__func__, tag, TapeUse::pairs, m, n);
  checkPointer(context, x, context.recording().numInds);
  checkMatrix(context, J);
  return jacobianOf(context, x, J);
}

int large_jacobian(short tag, int m, int n, int k, double *x, double *y, double **J) {
  TapeEvaluationContext context = open(__func__, tag, TapeUse::reads, m, n);
  checkPointer(context, x, context.recording().numInds);
  checkPointer(context, y, context.recording().numDeps);
  checkMatrix(context, J);
  const std::size_t columns = context.recording().numInds;
  // Every sweep takes as many columns as the interpreters have lanes, whatever the number of runs
  // asked for: memory for a strip is small, and fewer columns at a time would only be slower.
  static_cast<void>(k);
  return orPoison([&] { return forwardJacobian(context, x, y, J); },
                  [&] { poison(J, context.recording().numDeps, columns); });
}

int vec_jac(short tag, int m, int n, int repeat, const double *x, const double *u, double *z) {
  TapeEvaluationContext context =
      open(__func__, tag, repeat == 0 ? TapeUse::keeps : TapeUse::reads, m, n);
  checkPointer(context, x, repeat != 0 ? 0 : context.recording().numInds);
  checkPointer(context, u, context.recording().numDeps);
  checkPointer(context, z, context.recording().numInds);
  return orPoison(
      [&] {
        if (repeat != 0)
          checkTaylors(context, 1);
        const int code = repeat == 0 ? keepValues(context, x) : 3;
        ReverseSweep sweep{.context = context, .weights = &u, .results = &z, .lanes = 1};
        return code < 0
                   ? code
                   : std::min(code, guarded(context, false, [&] { return fosReverse(sweep); }));
      },
      [&] { std::fill_n(z, n, kPoisonedOutput); });
}

int jac_vec(short tag, int m, int n, const double *x, const double *v, double *w) {
  TapeEvaluationContext context = open(__func__, tag, TapeUse::reads, m, n);
  checkPointer(context, x, context.recording().numInds);
  checkPointer(context, v, context.recording().numInds);
  checkPointer(context, w, context.recording().numDeps);
  return orPoison(
      [&] {
        return guarded(context, false, [&] {
          double *const y = context.workspace().driver.require(context.recording().numDeps);
          ForwardSweep sweep{
              .context = context, .x = x, .y = y, .seedVector = v, .resultVector = w};
          return fosForward(sweep, 0);
        });
      },
      [&] { std::fill_n(w, m, kPoisonedOutput); });
}

int jac_solv(unsigned short tag, int n, const double *x, double *b, unsigned short mode) {
  TapeEvaluationContext context = open(__func__, static_cast<short>(tag), TapeUse::alone, n, n);
  const std::size_t size = context.recording().numInds;
  checkRange(context, mode, 2);
  checkPointer(context, x, size);
  checkPointer(context, b, mode == 2 ? size : 0);
  bool singular = false; // then there is a result, and b is left alone
  const int code = orPoison(
      [&] {
        const int solved =
            guarded(context, false, [&] { return solveJacobian(context, x, b, mode); });
        singular = solved == -3;
        return singular ? 0 : solved;
      },
      [&] {
        if (mode == 2)
          std::fill_n(b, size, kPoisonedOutput);
      });
  return singular ? -3 : code;
}

} // extern "C"
