#include <adolc/lie/drivers.h>

#include "drivers/cube.h"
#include "drivers/ode.h"
#include "drivers/results.h"
#include "drivers/spans.h"
#include "interp/extents.h"

#include <algorithm>
#include <vector>

using namespace ADOLC::detail;

namespace {

/// The series x(t), x' = f(x), x(0) = x0, and of Φ(t) = ∂x(t)/∂x0, to degree d.
struct Flow {
  std::size_t n, d;
  Cube x, partial, total; // partial and total derivatives as of accodec

  Flow(std::size_t size, std::size_t degree, bool derivatives)
      : n(size), d(degree), x(1, n, d + 1), partial(derivatives ? n : 0, n, d),
        total(derivatives ? n : 0, n, d) {}

  double *const *rows() { return x.from(0)[0]; }
  /// Coefficient k of ∂x_i/∂x0_j.
  double derivative(std::size_t i, std::size_t j, std::size_t k) {
    return k > 0 ? total.at(i, j)[k - 1] : i == j ? 1.0 : 0.0;
  }

  int solve(const char *caller, short tag, const double *x0, bool derivatives) {
    TapeEvaluationContext context(tag, caller, derivatives ? TapeUse::pairs : TapeUse::reads);
    checkCounts(context, static_cast<int>(n), static_cast<int>(n), false);
    for (std::size_t i = 0; i < n; ++i)
      x.at(0, i)[0] = x0[i];
    int code = solveOde(context, 1.0, 0, d, rows(), derivatives);
    if (code < 0 || d == 0 || !derivatives)
      return code;
    code = std::min(
        code, guarded(context, false, [&] {
          return taylorReverse(
              {.context = context, .degree = d - 1, .lanes = n, .results = partial.from(0)});
        }));
    if (code >= 0)
      accumulateOde(n, 1.0, d - 1, partial.from(0), total.from(0), nullptr);
    return code;
  }
};

/// The series of a function along the flow: outputs[m][d+1], and, unless it is nullptr, of its
/// derivatives there, gradients[m][n][d+1].
int alongFlow(const char *caller, short tag, Flow &flow, Cube &outputs, std::size_t m,
              Cube *gradients) {
  TapeEvaluationContext context(tag, caller,
                                gradients != nullptr ? TapeUse::pairs : TapeUse::reads);
  checkCounts(context, static_cast<int>(m), static_cast<int>(flow.n), false);
  return guarded(context, gradients != nullptr, [&] {
    std::vector<double> x(flow.n), y(m);
    for (std::size_t i = 0; i < flow.n; ++i)
      x[i] = flow.x.at(0, i)[0];
    const int code = taylorForward({.context = context,
                                    .x = x.data(),
                                    .y = y.data(),
                                    .degree = flow.d,
                                    .seedRows = flow.rows(),
                                    .resultRows = outputs.from(0)[0],
                                    .seedColumn = 1,
                                    .resultColumn = 1},
                                   gradients != nullptr ? static_cast<int>(flow.d) + 1 : 0);
    for (std::size_t i = 0; i < m; ++i)
      outputs.at(0, i)[0] = y[i];
    if (code < 0 || gradients == nullptr)
      return code;
    return std::min(
        code,
        taylorReverse(
            {.context = context, .degree = flow.d, .lanes = m, .results = gradients->from(0)}));
  });
}

/// r = p Φ, series of row vectors with n components.
void timesDerivative(Flow &flow, double *const *p, double *const *r) {
  for (std::size_t j = 0; j < flow.n; ++j)
    for (std::size_t k = 0; k <= flow.d; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < flow.n; ++i)
        for (std::size_t t = 0; t <= k; ++t)
          sum += p[i][k - t] * flow.derivative(i, j, t);
      r[j][k] = sum;
    }
}

/// Solves Φ r = g: r_k = g_k - Σ_{t=1..k} Φ_t r_{k-t}, as Φ_0 is the identity.
void solveDerivative(Flow &flow, double *const *g, double *const *r) {
  for (std::size_t k = 0; k <= flow.d; ++k)
    for (std::size_t i = 0; i < flow.n; ++i) {
      double sum = g[i][k];
      for (std::size_t j = 0; j < flow.n; ++j)
        for (std::size_t t = 1; t <= k; ++t)
          sum -= flow.derivative(i, j, t) * r[j][k - t];
      r[i][k] = sum;
    }
}

/// From Taylor coefficients to derivatives.
void unscale(double *const *rows, std::size_t count, std::size_t d) {
  long double factorial = 1.0L;
  for (std::size_t k = 2; k <= d; ++k) {
    factorial *= static_cast<long double>(k);
    for (std::size_t i = 0; i < count; ++i)
      if (rows[i][k] != 0.0) // the factorial may be infinite
        rows[i][k] = static_cast<double>(rows[i][k] * factorial);
  }
}

/// The tape has m dependents and n independents, which are given.
bool hasCounts(const char *caller, short tag, int m, int n) {
  const TapeEvaluationContext context(tag, caller, TapeUse::looks);
  const bool fits = m >= 0 && n >= 0 &&
                    context.recording().numDeps == static_cast<std::size_t>(m) &&
                    context.recording().numInds == static_cast<std::size_t>(n);
  if (fits)
    checkCounts(context, m, n, false); // there is a recording
  return fits;
}

/// f along the flow of tape F, with results of `rows` rows in `lists` lists; run(flow, results).
struct Task {
  const char *caller;
  short F, other;
  int m, n, d;
  const double *x0;

  bool hasSizes() const {
    const bool fitsF = hasCounts(caller, F, n, n), fits = hasCounts(caller, other, m, n);
    return d >= 0 && fitsF && fits;
  }
  /// run(flow, outputs) computes series, which become the derivatives result[0 … count-1][d+1].
  template <class Run>
  int run(double *const *result, std::size_t count, bool derivatives, Run &&compute) const {
    const std::size_t size = static_cast<std::size_t>(n), degree = static_cast<std::size_t>(d);
    checkArray(caller, x0, size);
    checkArray(caller, result, count);
    for (std::size_t i = 0; i < count; ++i)
      checkArray(caller, result[i], 1);
    return orPoison(
        [&] {
          return withMemory(F, caller, [&] {
            Flow flow(size, degree, derivatives);
            Cube outputs(1, static_cast<std::size_t>(m), degree + 1);
            int code = flow.solve(caller, F, x0, derivatives);
            if (code >= 0)
              code = std::min(code, compute(flow, outputs));
            if (code >= 0)
              unscale(result, count, degree);
            return code;
          });
        },
        [&] { poison(result, count, degree + 1); });
  }
};

int scalars(const Task &task, double *const *result) {
  if (!task.hasSizes())
    return -3;
  const std::size_t m = static_cast<std::size_t>(task.m);
  return task.run(result, m, false, [&](Flow &flow, Cube &outputs) {
    const int code = alongFlow(task.caller, task.other, flow, outputs, m, nullptr);
    for (std::size_t i = 0; i < m; ++i)
      std::copy_n(outputs.at(0, i), flow.d + 1, result[i]);
    return code;
  });
}

int gradients(const Task &task, double *const *const *result) {
  if (!task.hasSizes())
    return -3;
  const std::size_t m = static_cast<std::size_t>(task.m), n = static_cast<std::size_t>(task.n);
  checkArray(task.caller, result, m);
  for (std::size_t e = 0; e < m; ++e)
    checkArray(task.caller, result[e], n);
  const std::vector<double *> rows = withMemory(task.F, task.caller, [&] {
    std::vector<double *> all;
    for (std::size_t e = 0; e < m; ++e)
      all.insert(all.end(), result[e], result[e] + n);
    return all;
  });
  return task.run(rows.data(), rows.size(), true, [&](Flow &flow, Cube &outputs) {
    Cube gradientSeries(m, n, flow.d + 1);
    const int code = alongFlow(task.caller, task.other, flow, outputs, m, &gradientSeries);
    if (code >= 0)
      for (std::size_t e = 0; e < m; ++e)
        timesDerivative(flow, gradientSeries.from(0)[e], result[e]);
    return code;
  });
}

/// Of fields on R^n: finish(flow, series of the field, result).
template <class Finish> int fields(const Task &task, double *const *result, Finish &&finish) {
  if (!task.hasSizes())
    return -3;
  const std::size_t n = static_cast<std::size_t>(task.n);
  return task.run(result, n, true, [&](Flow &flow, Cube &outputs) {
    const int code = alongFlow(task.caller, task.other, flow, outputs, n, nullptr);
    if (code >= 0)
      finish(flow, outputs.from(0)[0], result);
    return code;
  });
}

} // namespace

extern "C" {

int lie_scalarc(short Tape_F, short Tape_H, short n, const double *x0, short d, double *result) {
  return scalars({__func__, Tape_F, Tape_H, 1, n, d, x0}, &result);
}
int lie_scalarcv(short Tape_F, short Tape_H, short n, short m, const double *x0, short d,
                 double **result) {
  return scalars({__func__, Tape_F, Tape_H, m, n, d, x0}, result);
}
int lie_gradientc(short Tape_F, short Tape_H, short n, const double *x0, short d, double **result) {
  return gradients({__func__, Tape_F, Tape_H, 1, n, d, x0}, &result);
}
int lie_gradientcv(short Tape_F, short Tape_H, short n, short m, const double *x0, short d,
                   double ***result) {
  return gradients({__func__, Tape_F, Tape_H, m, n, d, x0}, result);
}
int lie_covector(short Tape_F, short Tape_W, short n, const double *x0, short d, double **result) {
  return fields({__func__, Tape_F, Tape_W, n, n, d, x0}, result, timesDerivative);
}
int lie_bracket(short Tape_F, short Tape_G, short n, const double *x0, short d, double **result) {
  return fields({__func__, Tape_F, Tape_G, n, n, d, x0}, result, solveDerivative);
}

} // extern "C"

namespace ADOLC {
namespace {

/// run(task, n, degree + 1) with the sizes of the tapes; the result has `rows`(m, n) rows.
template <class Rows, class Run>
int onSpans(const char *caller, short F, short other, int d, std::span<const double> x0,
            std::span<double> result, Rows &&rows, Run &&run) {
  return spans::withOutputs(other, caller, {result}, [&](const spans::Counts &c) {
    const spans::Counts field(F, caller);
    field.require({{field.n, field.m}, {field.n, x0.size()}});
    const std::size_t width = c.degree(d) + 1;
    c.require({{c.n, x0.size()}, {product({rows(c.m, c.n), width}), result.size()}});
    return run(Task{caller, F, other, c.rows(), c.columns(), d, x0.data()}, c, width);
  });
}

/// The same for fields on R^n.
template <class Finish>
int fieldsOnSpans(const char *caller, short F, short other, int d, std::span<const double> x0,
                  std::span<double> result, Finish &&finish) {
  return onSpans(
      caller, F, other, d, x0, result, [](std::size_t, std::size_t n) { return n; },
      [&](const Task &task, const spans::Counts &c, std::size_t width) {
        c.require({{c.n, c.m}});
        return fields(task, rowsOf(result, c.n, width).data(), finish);
      });
}

} // namespace

int lie_scalar(short tapeF, short tapeH, int d, std::span<const double> x0,
               std::span<double> result) {
  return onSpans(
      __func__, tapeF, tapeH, d, x0, result, [](std::size_t m, std::size_t) { return m; },
      [&](const Task &task, const spans::Counts &c, std::size_t width) {
        return scalars(task, rowsOf(result, c.m, width).data());
      });
}
int lie_gradient(short tapeF, short tapeH, int d, std::span<const double> x0,
                 std::span<double> result) {
  return onSpans(
      __func__, tapeF, tapeH, d, x0, result,
      [](std::size_t m, std::size_t n) {
        return product({m, n});
      },
      [&](const Task &task, const spans::Counts &c, std::size_t width) {
        return gradients(task, spans::Tensor(result, c.m, c.n, width).get());
      });
}
int lie_covector(short tapeF, short tapeW, int d, std::span<const double> x0,
                 std::span<double> result) {
  return fieldsOnSpans(__func__, tapeF, tapeW, d, x0, result, timesDerivative);
}
int lie_bracket(short tapeF, short tapeG, int d, std::span<const double> x0,
                std::span<double> result) {
  return fieldsOnSpans(__func__, tapeF, tapeG, d, x0, result, solveDerivative);
}

} // namespace ADOLC
