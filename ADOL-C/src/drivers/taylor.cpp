#include <adolc/drivers/taylor.h>

#include "drivers/cube.h"
#include "drivers/lu.h"
#include "drivers/results.h"
#include "drivers/spans.h"
#include "drivers/tensor.h"
#include "interp/extents.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ADOLC::detail;
using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr int kHighestOrder = 64;
constexpr std::size_t kMostTerms = 65536;
/// Numbers that the seeds of one sweep may have, about.
constexpr std::size_t kSeeds = 1 << 19;

/// Calls block(first, count) for all directions; each has so many series of this degree.
template <class Block>
int inBlocks(std::size_t directions, std::size_t series, std::size_t degree, Block &&block) {
  const std::size_t fit = kSeeds / std::max<std::size_t>(1, product({series, degree}));
  const std::size_t width = std::max(kWidestStrip, fit / kWidestStrip * kWidestStrip);
  int code = 3;
  for (std::size_t first = 0; first < directions && code >= 0; first += width)
    code = std::min(code, block(first, std::min(width, directions - first)));
  return code;
}

/// Component i of S·v.
double combined(const double *const *S, std::size_t i, std::span<const Directions::Term> v) {
  double sum = 0.0;
  for (const Directions::Term &term : v)
    sum += term.factor * S[i][term.column];
  return sum;
}

/// Coefficients of F(x + S·v t) for all directions v, block by block: those of a block go to
/// results(first, count), then used(first, count) is called. A block has room for `outputs` series
/// per direction of its own.
template <class Results, class Used>
int alongDirections(TapeEvaluationContext &context, const double *x, double *y,
                    const double *const *S, std::size_t p, const Directions &directions,
                    std::size_t degree, std::size_t outputs, Results &&results, Used &&used) {
  const std::size_t n = context.recording().numInds;
  std::vector<std::size_t> moving; // inputs with a row of S that is not 0
  for (std::size_t i = 0; i < n; ++i)
    if (std::any_of(S[i], S[i] + p, [](double s) { return s != 0.0; }))
      moving.push_back(i);
  std::vector<double> zeros(degree, 0.0);
  return inBlocks(directions.count(), sum(moving.size(), outputs), degree,
                  [&](std::size_t first, std::size_t count) {
                    Cube seeds(moving.size(), count, degree);
                    std::vector<double *> still(count, zeros.data());
                    std::vector<const double *const *> inputs(n, still.data());
                    double *const *const *const rows = seeds.from(0);
                    for (std::size_t k = 0; k < moving.size(); ++k) {
                      inputs[moving[k]] = rows[k];
                      for (std::size_t l = 0; l < count; ++l)
                        *seeds.at(k, l) = combined(S, moving[k], directions[first + l]);
                    }
                    const int code = taylorForward({.context = context,
                                                    .x = x,
                                                    .y = y,
                                                    .degree = degree,
                                                    .directions = count,
                                                    .seedCubes = inputs.data(),
                                                    .resultCubes = results(first, count)},
                                                   0);
                    if (code >= 0)
                      used(first, count);
                    return code;
                  });
}

/// F'(x), factorised.
class Factorised {
public:
  /// Negative: there is none; -3: it is singular.
  int of(TapeEvaluationContext &context, const double *x) {
    size_ = context.recording().numInds;
    matrix_.resize(size_ * size_);
    const int code = jacobianOf(context, x, rowsOf(std::span(matrix_), size_, size_).data());
    return code < 0 ? code : luFactor(matrix_, pivots_, size_) ? code : -3;
  }
  void solve(double *b) const { luSolve(matrix_, pivots_, size_, b); }

private:
  std::size_t size_ = 0;
  std::vector<double> matrix_;
  std::vector<std::size_t> pivots_;
};

/// Curves X, from curve `first` on, with X(0) = x and F(X(t)) = Y(t): with its coefficients below k
/// known and those from k on 0, F(X(t)) lacks F'(x) X_k in its coefficient k. target(i, l, k) is
/// Y's, of dependent i in curve first + l.
template <class Target>
int invert(TapeEvaluationContext &context, const Factorised &jacobian, const double *x,
           std::size_t first, std::size_t count, std::size_t degree, Cube &X, Target &&target) {
  const std::size_t n = context.recording().numInds;
  Cube reached(n, count, degree);
  std::vector<double> y(n), lack(n);
  int code = 3;
  for (std::size_t k = 1; k <= degree; ++k) {
    if (k > 1) { // without coefficients there is nothing to sweep over
      code = std::min(code, taylorForward({.context = context,
                                           .x = x,
                                           .y = y.data(),
                                           .degree = k,
                                           .directions = count,
                                           .seedCubes = X.from(first),
                                           .resultCubes = reached.from(0)},
                                          0));
      if (code < 0)
        return code;
    }
    for (std::size_t l = 0; l < count; ++l) {
      for (std::size_t i = 0; i < n; ++i)
        lack[i] = target(i, l, k) - reached.at(i, l)[k - 1];
      jacobian.solve(lack.data());
      for (std::size_t i = 0; i < n; ++i)
        X.at(i, first + l)[k - 1] = lack[i];
    }
  }
  return code;
}

int valuesOf(TapeEvaluationContext &context, const double *x, double *y) {
  ForwardSweep sweep{.context = context, .x = x, .y = y};
  return zosForward(sweep, 0);
}

/// What the two tensor drivers have in common.
struct TensorTask {
  TapeEvaluationContext context;
  const double *x;
  double *const *tensor;
  const double *const *S;
  std::size_t m, n, d, p, size;

  TensorTask(const char *caller, short tag, TapeUse use, int dependents, int independents,
             int degree, int directions, const double *point, double *const *results,
             const double *const *seeds)
      : context(tag, caller, use), x(point), tensor(results), S(seeds) {
    checkCounts(context, dependents, independents, false);
    checkRange(context, degree, kMost);
    checkRange(context, directions, kMost);
    m = context.recording().numDeps;
    n = context.recording().numInds;
    d = static_cast<std::size_t>(degree);
    p = static_cast<std::size_t>(directions);
    size = tensorSize(caller, p, d);
    checkPointer(context, x, n);
    checkRows(context, S, isOfValues() ? 0 : n, [this](std::size_t) { return p; });
    checkRows(context, tensor, m, [this](std::size_t) { return size; });
  }
  /// There is nothing but values.
  bool isOfValues() const { return d == 0 || p == 0 || m == 0; }

  /// compute(directions, coefficients) fills the coefficients in all directions.
  template <class Compute> int interpolate(Compute &&compute) {
    const Directions directions = tensorDirections(context.caller(), p, d);
    Cube coefficients(m, directions.count(), d);
    const int code = compute(directions, coefficients);
    if (code >= 0)
      interpolateTensors(p, d, m, coefficients.data(), tensor);
    return code;
  }
  template <class Function> int run(Function &&f) {
    return orPoison([&] { return guarded(context, false, f); }, [&] { poison(tensor, m, size); });
  }
};

std::size_t addressOf(const char *caller, std::span<const int> multi) {
  std::size_t address = 0;
  for (std::size_t i = 0; i < multi.size(); ++i) {
    std::size_t rank = 0; // in ascending order, of equal ones the first one first
    for (std::size_t k = 0; k < multi.size(); ++k)
      rank += multi[k] < multi[i] || (multi[k] == multi[i] && k < i) ? 1 : 0;
    const std::size_t value = checkedNumber(caller, multi[i]) + rank;
    address = sum(address, binomial(caller, value, rank + 1));
    if (address > static_cast<std::size_t>(std::numeric_limits<long>::max()))
      fail(ErrorType::BINOMIAL_OVERFLOW, {__FILE__, caller, __LINE__},
           {.info5 = value, .info6 = rank + 1});
  }
  return address;
}

std::size_t addressOf(const char *caller, int d, const int *multi) {
  checkArray(caller, multi, checkedNumber(caller, d));
  return addressOf(caller, std::span(multi, static_cast<std::size_t>(d)));
}

/// The pointers of one dependent below T[i]: a list of those for j = 0 … most; `levels` indices
/// follow. `tensor` is where the entries with the indices so far and zeros begin.
void **listPointers(void **&free, double *tensor, std::size_t most, std::size_t levels) {
  void **const list = free;
  free += most + 1;
  for (std::size_t j = 0; j <= most; ++j) {
    double *const entries = tensor + binomial("tensorsetup", j + levels, levels + 1);
    list[j] = levels == 1 ? static_cast<void *>(entries)
                          : static_cast<void *>(listPointers(free, entries, j, levels - 1));
  }
  return list;
}

} // namespace

extern "C" {

int tensor_eval(short tag, int m, int n, int d, int p, const double *x, double **tensor,
                const double *const *S) {
  TensorTask task(__func__, tag, TapeUse::reads, m, n, d, p, x, tensor, S);
  return task.run([&] {
    std::vector<double> y(task.m);
    const int code =
        task.isOfValues()
            ? valuesOf(task.context, x, y.data())
            : task.interpolate([&](const Directions &directions, Cube &results) {
                return alongDirections(
                    task.context, x, y.data(), S, task.p, directions, task.d, 0,
                    [&](std::size_t first, std::size_t) { return results.from(first); },
                    [](std::size_t, std::size_t) {});
              });
    for (std::size_t i = 0; i < task.m; ++i)
      tensor[i][0] = y[i];
    return code;
  });
}

int inverse_tensor_eval(short tag, int n, int d, int p, const double *x, double **tensor,
                        const double *const *S) {
  TensorTask task(__func__, tag, TapeUse::reads, n, n, d, p, x, tensor, S);
  return task.run([&] {
    int code = 3;
    if (task.isOfValues()) {
      code = valuesOf(task.context, x, std::vector<double>(task.m).data());
    } else if (Factorised jacobian; (code = jacobian.of(task.context, x)) >= 0) {
      code = std::min(code, task.interpolate([&](const Directions &directions, Cube &results) {
        return inBlocks(
            directions.count(), 2 * task.n, task.d, [&](std::size_t first, std::size_t count) {
              return invert(task.context, jacobian, x, first, count, task.d, results,
                            [&](std::size_t i, std::size_t l, std::size_t k) {
                              return k == 1 ? combined(S, i, directions[first + l]) : 0.0;
                            });
            });
      }));
    }
    for (std::size_t i = 0; i < task.n; ++i)
      tensor[i][0] = x[i];
    return code;
  });
}

int inverse_Taylor_prop(short tag, int n, int d, const double *const *Y, double **X) {
  TapeEvaluationContext context(tag, __func__, TapeUse::reads);
  checkCounts(context, n, n, false);
  checkRange(context, d, kMost);
  const std::size_t size = context.recording().numInds, degree = static_cast<std::size_t>(d);
  checkRows(context, X, size, [](std::size_t) { return 1; });
  checkRows(context, Y, degree == 0 ? 0 : size, [](std::size_t) { return 1; });
  return orPoison(
      [&] {
        return guarded(context, false, [&] {
          std::vector<double> x(size);
          for (std::size_t i = 0; i < size; ++i)
            x[i] = X[i][0];
          if (degree == 0 || size == 0)
            return valuesOf(context, x.data(), std::vector<double>(size).data());
          Factorised jacobian;
          const int code = jacobian.of(context, x.data());
          if (code < 0)
            return code;
          Cube curve(size, 1, degree);
          const int worst = std::min(
              code, invert(context, jacobian, x.data(), 0, 1, degree, curve,
                           [Y](std::size_t i, std::size_t, std::size_t k) { return Y[i][k]; }));
          for (std::size_t i = 0; i < size; ++i)
            std::copy_n(curve.at(i, 0), degree, X[i] + 1);
          return worst;
        });
      },
      [&] {
        for (std::size_t i = 0; i < size; ++i)
          std::fill_n(X[i] + 1, degree, kPoisonedOutput);
      });
}

size_t tensor_address(int d, const int *multi) { return addressOf(__func__, d, multi); }

void tensor_value(int d, int m, double *y, double **tensor, const int *multi) {
  const std::size_t rows = checkedNumber(__func__, m), address = addressOf(__func__, d, multi);
  checkArray(__func__, y, rows);
  checkArray(__func__, tensor, rows);
  for (std::size_t i = 0; i < rows; ++i)
    checkArray(__func__, tensor[i], 1);
  for (std::size_t i = 0; i < rows; ++i)
    y[i] = tensor[i][address];
}

void **tensorsetup(int m, int p, int d, double **tensorig) {
  const std::size_t rows = checkedNumber(__func__, m), directions = checkedNumber(__func__, p),
                    degree = checkedNumber(__func__, d);
  checkArray(__func__, tensorig, rows);
  for (std::size_t i = 0; i < rows; ++i)
    checkArray(__func__, tensorig[i], 1);
  if (rows == 0)
    return nullptr;
  // Level l = 1 … d - 1 has a pointer for each j1 >= … >= jl.
  std::size_t pointers = 1;
  for (std::size_t l = 1; l < degree; ++l)
    pointers = sum(pointers, tensorSize(__func__, directions, l));
  const std::size_t bytes = product({rows, pointers, sizeof(void *)});
  void **const result = bytes == kTooLarge ? nullptr : static_cast<void **>(std::malloc(bytes));
  if (result == nullptr)
    fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1, .info5 = bytes});
  void **free = result + rows;
  for (std::size_t i = 0; i < rows; ++i)
    result[i] = degree < 2
                    ? static_cast<void *>(tensorig[i])
                    : static_cast<void *>(listPointers(free, tensorig[i], directions, degree - 1));
  return result;
}

void freetensor(int, int, int, double **tensor) { std::free(tensor); }

long binomi(size_t n, size_t k) { return static_cast<long>(binomial(__func__, n, k)); }

} // extern "C"

namespace ADOLC {
namespace {

using spans::Counts;

/// Columns of S.
std::size_t directionsOf(const Counts &c, std::span<const double> S) {
  const std::size_t p = c.n == 0 ? 0 : S.size() / c.n;
  c.require({{p * c.n, S.size()}});
  return p;
}
std::size_t sizeOf(const Counts &c, int d, std::span<const double> S) {
  return product({c.m, tensorSize(c.caller, directionsOf(c, S), c.degree(d))});
}

/// run(counts, p, S, tensor) with checked sizes and row pointers.
template <class Run>
int onSpans(short tag, const char *caller, int d, std::span<const double> x,
            std::span<const double> S, std::span<double> tensor, Run &&run) {
  return spans::withOutputs(tag, caller, {tensor}, [&](const Counts &c) {
    const std::size_t p = directionsOf(c, S), size = tensorSize(caller, p, c.degree(d));
    c.require({{c.n, x.size()}, {product({c.m, size}), tensor.size()}});
    return run(c, c.count(p), rowsOf(S, c.n, p).data(), rowsOf(tensor, c.m, size).data());
  });
}

} // namespace

int tensor_eval(short tag, int d, std::span<const double> x, std::span<const double> S,
                std::span<double> tensor) {
  return onSpans(tag, __func__, d, x, S, tensor,
                 [&](const Counts &c, int p, const double *const *seeds, double **results) {
                   return ::tensor_eval(tag, c.rows(), c.columns(), d, p, x.data(), results, seeds);
                 });
}
std::vector<double> tensor_eval(short tag, int d, std::span<const double> x,
                                std::span<const double> S) {
  return spans::resultOf(
      tag, __func__, [&](const Counts &c) { return sizeOf(c, d, S); },
      [&](std::vector<double> &result) { return tensor_eval(tag, d, x, S, result); });
}

int inverse_tensor_eval(short tag, int d, std::span<const double> x, std::span<const double> S,
                        std::span<double> tensor) {
  return onSpans(tag, __func__, d, x, S, tensor,
                 [&](const Counts &c, int p, const double *const *seeds, double **results) {
                   c.require({{c.n, c.m}});
                   return ::inverse_tensor_eval(tag, c.columns(), d, p, x.data(), results, seeds);
                 });
}

int inverse_Taylor_prop(short tag, int d, std::span<const double> Y, std::span<double> X) {
  try {
    return spans::withOutputs(tag, __func__, {}, [&](const Counts &c) {
      const std::size_t width = c.degree(d) + 1;
      c.require({{c.n, c.m}, {product({c.n, width}), Y.size()}, {product({c.n, width}), X.size()}});
      return ::inverse_Taylor_prop(tag, c.columns(), d, rowsOf(Y, c.n, width).data(),
                                   rowsOf(X, c.n, width).data());
    });
  } catch (...) { // column 0 is an input
    const std::size_t width = d < 0 ? 1 : static_cast<std::size_t>(d) + 1;
    for (std::size_t i = 0; i < X.size(); ++i)
      if (i % width != 0)
        X[i] = kPoisonedOutput;
    throw;
  }
}

std::size_t tensor_address(std::span<const int> multi) { return addressOf(__func__, multi); }

int derivative(short tag, std::span<const double> x, std::span<const int> orders,
               std::span<double> result) {
  return detail::withOutputs(tag, __func__, {result}, [&, caller = __func__] {
    TapeEvaluationContext context(tag, caller, TapeUse::reads);
    const std::size_t m = context.recording().numDeps, n = context.recording().numInds;
    for (const auto &[expected, given] :
         {std::pair{n, x.size()}, {n, orders.size()}, {m, result.size()}})
      if (expected != given)
        fail(ErrorType::SIZE_MISMATCH, {__FILE__, caller, __LINE__},
             {.info1 = tag, .info5 = expected, .info6 = given});
    checkCounts(context, static_cast<int>(m), static_cast<int>(n), false);

    std::vector<std::size_t> active;
    std::vector<int> positive;
    std::size_t terms = 1;
    int total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      checkRange(context, orders[i], kHighestOrder);
      if (orders[i] == 0)
        continue;
      active.push_back(i);
      positive.push_back(orders[i]);
      checkRange(context, total += orders[i], kHighestOrder);
      if (terms *= static_cast<std::size_t>(orders[i]) + 1; terms > kMostTerms)
        fail(ErrorType::TO_MANY_DIRECTIONS, {__FILE__, caller, __LINE__},
             {.info1 = tag, .info5 = terms, .info6 = kMostTerms});
    }
    if (total == 0)
      return valuesOf(context, x.data(), result.data());

    const MixedDerivative mixed = mixedDerivative(positive);
    const std::size_t p = active.size(), degree = static_cast<std::size_t>(total);
    std::vector<double> units(p * p, 0.0), zeros(p, 0.0);
    std::vector<const double *> S(n, zeros.data());
    for (std::size_t l = 0; l < p; ++l) {
      units[l * p + l] = 1.0;
      S[active[l]] = units.data() + l * p;
    }
    std::vector<double> y(m);
    std::optional<Cube> block;
    std::vector<long double> sums(m, 0);
    const int code = alongDirections(
        context, x.data(), y.data(), S.data(), p, mixed.directions, degree, m,
        [&](std::size_t, std::size_t count) { return block.emplace(m, count, degree).from(0); },
        [&](std::size_t first, std::size_t count) {
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t l = 0; l < count; ++l)
              sums[i] += mixed.weights[first + l] * block->at(i, l)[degree - 1];
        });
    for (std::size_t i = 0; i < m; ++i)
      result[i] = code < 0 ? kPoisonedOutput : static_cast<double>(sums[i]);
    return code;
  });
}
std::vector<double> derivative(short tag, std::span<const double> x, std::span<const int> orders) {
  return spans::resultOf(
      tag, __func__, [](const Counts &c) { return c.m; },
      [&](std::vector<double> &result) { return derivative(tag, x, orders, result); });
}

} // namespace ADOLC
