#include "drivers/hessian.h"

#include <adolc/drivers/drivers.h>

#include "drivers/results.h"

#include <algorithm>
#include <limits>
#include <new>

using namespace ADOLC::detail;

namespace ADOLC::detail {
namespace {

/// Arrays of one call in the memory for drivers, which is there from the call before.
class Arrays {
public:
  /// With room for so many numbers and pointers altogether.
  Arrays(TapeEvaluationContext &context, std::size_t numbers, std::size_t pointers)
      : next_(context.workspace().driver.require(numbers + pointers * kPerPointer)) {}
  double *numbers(std::size_t count) { return take(count); }
  template <class T> T *pointers(std::size_t count) {
    return std::launder(reinterpret_cast<T *>(take(count * kPerPointer)));
  }

private:
  static constexpr std::size_t kPerPointer = (sizeof(void *) + sizeof(double) - 1) / sizeof(double);
  static_assert(alignof(void *) <= alignof(double));
  double *take(std::size_t count) {
    double *const taken = next_;
    next_ += count;
    return taken;
  }

  double *next_;
};

/// What is differentiated, and where: the only dependent, or the sum of all with weights u.
struct Function {
  TapeEvaluationContext &context;
  const double *x;
  const double *u = nullptr;
};

/// A vector, or columns of a matrix given by its rows, or unit vectors.
struct Directions {
  std::size_t count;
  std::size_t first = 0; ///< column, or unit vector
  const double *vector = nullptr;
  const double *const *rows = nullptr;
};

/// Second derivatives along some directions: set(direction, independent, value) for all of them.
/// Without directions, only the values are computed.
template <class Set>
int alongDirections(const Function &function, const Directions &directions, Set &&set) {
  TapeEvaluationContext &context = function.context;
  const std::size_t m = context.recording().numDeps, n = context.recording().numInds;
  return guarded(context, true, [&] {
    if (directions.count == 0) {
      ForwardSweep sweep{
          .context = context, .x = function.x, .y = context.workspace().driver.require(m)};
      return zosForward(sweep, 0);
    }
    const std::size_t all = directions.count * n;
    Arrays arrays(context, m + 2 * all,
                  all + directions.count + (directions.vector != nullptr ? n : 0));
    TaylorForward forward{.context = context,
                          .x = function.x,
                          .y = arrays.numbers(m),
                          .directions = directions.count,
                          .seedRows = directions.rows,
                          .firstUnit = directions.first,
                          .seedColumn = directions.first};
    double *const numbers = arrays.numbers(2 * all);
    if (directions.vector != nullptr) {
      const auto rows = arrays.pointers<const double *>(n);
      for (std::size_t i = 0; i < n; ++i)
        rows[i] = directions.vector + i;
      forward.seedRows = rows;
    }
    const int code = taylorForward(forward, 2);
    if (code < 0)
      return code;

    const auto rows = arrays.pointers<double *>(all);
    const auto cubes = arrays.pointers<double *const *>(directions.count);
    for (std::size_t k = 0; k < all; ++k)
      rows[k] = numbers + 2 * k;
    for (std::size_t l = 0; l < directions.count; ++l)
      cubes[l] = rows + l * n;
    const TaylorReverse reverse{.context = context,
                                .lanes = directions.count,
                                .byDirection = true,
                                .weights = function.u != nullptr ? &function.u : nullptr,
                                .results = cubes};
    const int worst = std::min(code, taylorReverse(reverse));
    for (std::size_t l = 0; l < directions.count; ++l)
      for (std::size_t i = 0; i < n; ++i)
        set(l, i, cubes[l][i][1]);
    return worst;
  });
}

/// Calls strip(first, count) for all of `count` directions, until one has left the recorded branch.
template <class Strip> int inBlocks(std::size_t count, Strip &&strip) {
  int code = 3;
  std::size_t first = 0;
  do {
    code = std::min(code, strip(first, std::min(kHessianColumns, count - first)));
    first += kHessianColumns;
  } while (first < count && code >= 0);
  return code;
}

int hessianOf(const char *caller, short tag, int n, const double *x, double *const *H) {
  TapeEvaluationContext context(tag, caller, TapeUse::pairs);
  requireScalar(context);
  checkCounts(context, 1, n, false);
  const std::size_t size = context.recording().numInds;
  checkPointer(context, x, size);
  checkRows(context, H, size, [](std::size_t i) { return i + 1; });
  return orPoison(
      [&] {
        return inBlocks(size, [&](std::size_t first, std::size_t count) {
          return hessianColumns(context, x, first, count, H);
        });
      },
      [&] {
        for (std::size_t i = 0; i < size; ++i)
          std::fill_n(H[i], i + 1, kPoisonedOutput);
      });
}

/// The product of the Hessian with a vector.
int productOf(const Function &function, const double *v, double *w) {
  const std::size_t n = function.context.recording().numInds;
  return orPoison(
      [&] {
        return alongDirections(
            function, {.count = 1, .vector = v},
            [w](std::size_t, std::size_t i, double value) { w[i] = value; });
      },
      [&] { std::fill_n(w, n, kPoisonedOutput); });
}

void checkVectors(const TapeEvaluationContext &context,
                  std::initializer_list<const double *> vectors) {
  for (const double *const vector : vectors)
    checkPointer(context, vector, context.recording().numInds);
}

} // namespace

int hessianColumns(TapeEvaluationContext &context, const double *x, std::size_t first,
                   std::size_t count, double *const *H) {
  return alongDirections({context, x}, {.count = count, .first = first},
                         [first, H](std::size_t l, std::size_t i, double value) {
                           if (i >= first + l)
                             H[i][first + l] = value;
                         });
}

} // namespace ADOLC::detail

extern "C" {

int hessian(short tag, int n, const double *x, double **H) {
  return hessianOf(__func__, tag, n, x, H);
}

int hessian2(short tag, int n, double *x, double **H) { return hessianOf(__func__, tag, n, x, H); }

int hess_vec(short tag, int n, const double *x, const double *v, double *w) {
  TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
  requireScalar(context);
  checkCounts(context, 1, n, false);
  checkVectors(context, {x, v, w});
  return productOf({context, x}, v, w);
}

int lagra_hess_vec(short tag, int m, int n, const double *x, const double *v, const double *u,
                   double *w) {
  TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
  checkCounts(context, m, n, false);
  checkVectors(context, {x, v, w});
  checkPointer(context, u, context.recording().numDeps);
  return productOf({context, x, u}, v, w);
}

int hess_mat(short tag, int n, int q, const double *x, const double *const *V, double **W) {
  TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
  requireScalar(context);
  checkCounts(context, 1, n, false);
  checkRange(context, q, std::numeric_limits<int>::max());
  const std::size_t size = context.recording().numInds, columns = static_cast<std::size_t>(q);
  const auto width = [columns](std::size_t) { return columns; };
  checkPointer(context, x, size);
  checkRows(context, V, columns == 0 ? 0 : size, width);
  checkRows(context, W, columns == 0 ? 0 : size, width);
  return orPoison(
      [&] {
        return inBlocks(columns, [&](std::size_t first, std::size_t count) {
          return alongDirections(
              {context, x}, {.count = count, .first = first, .rows = V},
              [W, first](std::size_t l, std::size_t i, double value) { W[i][first + l] = value; });
        });
      },
      [&] { poison(W, columns == 0 ? 0 : size, columns); });
}

} // extern "C"
