#include <adolc/drivers/odedrivers.h>

#include "drivers/ode.h"
#include "drivers/results.h"
#include "drivers/spans.h"
#include "interp/extents.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace ADOLC::detail {

int solveOde(TapeEvaluationContext &context, double tau, std::size_t known, std::size_t degree,
             double *const *X, bool keeps) {
  const std::size_t n = context.recording().numInds;
  return guarded(context, keeps, [&] {
    std::vector<double> x(n), y(n), coefficients(n * degree);
    const std::vector<double *> Y = rowsOf(std::span(coefficients), n, degree);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = X[i][0];
    int code = 3;
    if (keeps && known < degree) { // whatever happens: what was there is of another point
      context.claimTaylors();
      context.taylors().rewind();
    }
    for (std::size_t j = known; j < degree; ++j) {
      const bool isLast = j + 1 == degree;
      code = std::min(code, taylorForward({.context = context,
                                           .x = x.data(),
                                           .y = y.data(),
                                           .degree = j,
                                           .seedRows = X,
                                           .resultRows = Y.data(),
                                           .seedColumn = 1},
                                          keeps && isLast ? static_cast<int>(degree) : 0));
      if (code < 0)
        break;
      for (std::size_t i = 0; i < n; ++i)
        X[i][j + 1] = tau / static_cast<double>(j + 1) * (j == 0 ? y[i] : Y[i][j - 1]);
    }
    return code;
  });
}

void accumulateOde(std::size_t n, double tau, std::size_t degree, const double *const *const *A,
                   double *const *const *B, short *const *nz) {
  // Where A is not 0, by rows; from which coefficient on B is not 0.
  std::vector<std::vector<std::size_t>> columns(n);
  std::vector<std::size_t> begin(n * n, degree + 1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (nz == nullptr || nz[i][j] > 0) {
        columns[i].push_back(j);
        begin[i * n + j] = 0;
      }
  for (std::size_t k = 0; k <= degree; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        B[i][j][k] = 0.0;
      for (const std::size_t l : columns[i])
        B[i][l][k] = A[i][l][k];
      for (const std::size_t l : columns[i])
        for (std::size_t j = 0; j < n; ++j) {
          if (begin[l * n + j] >= k)
            continue;
          double sum = 0.0;
          for (std::size_t t = 1; t <= k - begin[l * n + j]; ++t)
            sum += A[i][l][t - 1] * B[l][j][k - t];
          B[i][j][k] += sum;
          begin[i * n + j] = std::min(begin[i * n + j], k);
        }
      for (std::size_t j = 0; j < n; ++j)
        B[i][j][k] *= tau / static_cast<double>(k + 1);
    }
  if (nz != nullptr)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (nz[i][j] <= 0)
          nz[i][j] =
              static_cast<short>(-static_cast<int>(std::min<std::size_t>(begin[i * n + j], 32767)));
}

} // namespace ADOLC::detail

using namespace ADOLC::detail;

extern "C" {

int forodec(short tag, int n, double tau, int dold, int dnew, double **X) {
  TapeEvaluationContext context(tag, __func__, TapeUse::keeps);
  checkCounts(context, n, n, false);
  checkRange(context, dnew, std::numeric_limits<int>::max());
  checkRange(context, dold, dnew);
  const std::size_t size = context.recording().numInds, known = static_cast<std::size_t>(dold),
                    degree = static_cast<std::size_t>(dnew);
  checkRows(context, X, size, [](std::size_t) { return 1; });
  return orPoison([&] { return solveOde(context, tau, known, degree, X, true); },
                  [&] {
                    for (std::size_t i = 0; i < size; ++i)
                      std::fill(X[i] + known + 1, X[i] + degree + 1, kPoisonedOutput);
                  });
}

void accodec(int n, double tau, int d, double ***A, double ***B, short **nz) {
  const std::size_t size = checkedNumber(__func__, n), degree = checkedNumber(__func__, d);
  const auto checkMatrix = [size, caller = __func__](const auto *rows) {
    checkArray(caller, rows, size);
    for (std::size_t i = 0; i < size; ++i)
      checkArray(caller, rows[i], size);
  };
  for (double ***const matrix : {A, B}) {
    checkMatrix(matrix);
    for (std::size_t i = 0; i < size; ++i)
      checkMatrix(matrix[i]);
  }
  if (nz != nullptr)
    checkMatrix(nz);
  withMemory(-1, __func__, [&] {
    accumulateOde(size, tau, degree, A, B, nz);
    return 0;
  });
}

} // extern "C"

namespace ADOLC {

int forode(short tag, int degree, std::span<double> X, const OdeOptions &options) {
  // Of a row; of column 0 alone nothing is an output.
  const std::size_t width = degree < 0 ? 1 : static_cast<std::size_t>(degree) + 1;
  const auto poisonAll = [&] {
    for (std::size_t i = 0; i < X.size(); ++i)
      if (i % width != 0)
        X[i] = kPoisonedOutput;
  };
  try {
    return withMemory(tag, __func__, [&, caller = __func__] {
      const spans::Counts c(tag, caller);
      const std::size_t columns = c.degree(degree) + 1;
      c.require({{c.n, c.m}, {product({c.n, columns}), X.size()}});
      return ::forodec(tag, c.columns(), options.tau, options.known, degree,
                       rowsOf(X, c.n, columns).data());
    });
  } catch (...) {
    poisonAll();
    throw;
  }
}

std::vector<double> odeSeries(short tag, int degree, std::span<const double> x0, double tau) {
  return spans::resultOf(
      tag, __func__,
      [&](const spans::Counts &c) {
        c.require({{c.n, x0.size()}});
        return product({c.n, c.degree(degree) + 1});
      },
      [&](std::vector<double> &result) {
        for (std::size_t i = 0; i < x0.size(); ++i)
          result[i * (static_cast<std::size_t>(degree) + 1)] = x0[i];
        return forode(tag, degree, result, {.tau = tau});
      });
}

} // namespace ADOLC
