#include <adolc/drivers/drivers.h>

#include "drivers/results.h"

#include <adolc/interfaces.h>
#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <new>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC {
namespace {

/// Counts as the raw interface takes them.
struct Counts {
  short tag;
  const char *caller;
  std::size_t m, n;

  Counts(short id, const char *function) : tag(id), caller(function) {
    // Should another thread record again before the raw function has the tape, the counts do not
    // match there.
    const detail::TapeEvaluationContext context(id, function, detail::TapeUse::looks);
    m = context.recording().numDeps;
    n = context.recording().numInds;
  }
  int rows() const { return static_cast<int>(m); }
  int columns() const { return static_cast<int>(n); }

  void require(std::initializer_list<std::pair<std::size_t, std::size_t>> expectedAndGiven) const {
    for (const auto &[expected, given] : expectedAndGiven)
      if (expected != given)
        fail(ErrorType::SIZE_MISMATCH, {__FILE__, caller, __LINE__},
             {.info1 = tag, .info5 = expected, .info6 = given});
  }
  /// A single dependent.
  void requireScalar() const {
    if (m != 1)
      fail(ErrorType::WRONG_DEPENDENT_COUNT, {__FILE__, caller, __LINE__},
           {.info1 = tag, .info5 = m, .info6 = 1});
  }
};

/// Row pointers of a row-major matrix.
template <class T>
std::vector<T *> rowsOf(std::span<T> matrix, std::size_t rows, std::size_t width) {
  std::vector<T *> pointers(rows);
  for (std::size_t i = 0; i < rows; ++i)
    pointers[i] = matrix.data() + i * width;
  return pointers;
}

/// Runs f(counts).
template <class Function>
int withOutputs(short tag, const char *caller, std::initializer_list<std::span<double>> outputs,
                Function &&f) {
  return detail::withOutputs(tag, caller, outputs, [&] { return f(Counts(tag, caller)); });
}
template <class Size, class Function>
std::vector<double> resultOf(short tag, const char *caller, Size &&size, Function &&f) {
  return detail::resultOf(
      tag, caller, [&] { return size(Counts(tag, caller)); }, f);
}
std::size_t dependents(const Counts &c) { return c.m; }
std::size_t independents(const Counts &c) { return c.n; }

} // namespace

TapeShape tapeShape(short tag) {
  const Counts c(tag, __func__);
  return {c.m, c.n};
}

int function(short tag, std::span<const double> x, std::span<double> y) {
  return withOutputs(tag, __func__, {y}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.m, y.size()}});
    return ::function(tag, c.rows(), c.columns(), x.data(), y.data());
  });
}
std::vector<double> function(short tag, std::span<const double> x) {
  return resultOf(tag, __func__, dependents,
                  [&](std::vector<double> &result) { return function(tag, x, result); });
}

int gradient(short tag, std::span<const double> x, std::span<double> g) {
  return withOutputs(tag, __func__, {g}, [&](const Counts &c) {
    c.requireScalar();
    c.require({{c.n, x.size()}, {c.n, g.size()}});
    return ::gradient(tag, c.columns(), x.data(), g.data());
  });
}
std::vector<double> gradient(short tag, std::span<const double> x) {
  return resultOf(tag, __func__, independents,
                  [&](std::vector<double> &result) { return gradient(tag, x, result); });
}

int jacobian(short tag, std::span<const double> x, std::span<double> J) {
  return withOutputs(tag, __func__, {J}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.m * c.n, J.size()}});
    return ::jacobian(tag, c.rows(), c.columns(), x.data(), rowsOf(J, c.m, c.n).data());
  });
}
std::vector<double> jacobian(short tag, std::span<const double> x) {
  return resultOf(
      tag, __func__, [](const Counts &c) { return c.m * c.n; },
      [&](std::vector<double> &result) { return jacobian(tag, x, result); });
}

int large_jacobian(short tag, int k, std::span<const double> x, std::span<double> y,
                   std::span<double> J) {
  return withOutputs(tag, __func__, {y, J}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.m, y.size()}, {c.m * c.n, J.size()}});
    return ::large_jacobian(tag, c.rows(), c.columns(), k, const_cast<double *>(x.data()), y.data(),
                            rowsOf(J, c.m, c.n).data());
  });
}

int vec_jac(short tag, std::span<const double> x, std::span<const double> u, std::span<double> z) {
  return withOutputs(tag, __func__, {z}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.m, u.size()}, {c.n, z.size()}});
    return ::vec_jac(tag, c.rows(), c.columns(), 0, x.data(), u.data(), z.data());
  });
}
std::vector<double> vec_jac(short tag, std::span<const double> x, std::span<const double> u) {
  return resultOf(tag, __func__, independents,
                  [&](std::vector<double> &result) { return vec_jac(tag, x, u, result); });
}

int jac_vec(short tag, std::span<const double> x, std::span<const double> v, std::span<double> w) {
  return withOutputs(tag, __func__, {w}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.n, v.size()}, {c.m, w.size()}});
    return ::jac_vec(tag, c.rows(), c.columns(), x.data(), v.data(), w.data());
  });
}
std::vector<double> jac_vec(short tag, std::span<const double> x, std::span<const double> v) {
  return resultOf(tag, __func__, dependents,
                  [&](std::vector<double> &result) { return jac_vec(tag, x, v, result); });
}

int jac_solv(short tag, std::span<const double> x, std::span<double> b) {
  return withOutputs(tag, __func__, {b}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.n, b.size()}, {c.n, c.m}});
    return ::jac_solv(static_cast<unsigned short>(tag), c.columns(), x.data(), b.data(), 2);
  });
}

int zos_forward(short tag, int keep, std::span<const double> x, std::span<double> y) {
  return withOutputs(tag, __func__, {y}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.m, y.size()}});
    return ::zos_forward(tag, c.rows(), c.columns(), keep, x.data(), y.data());
  });
}

int fos_forward(short tag, int keep, std::span<const double> x, std::span<const double> X,
                std::span<double> y, std::span<double> Y) {
  return withOutputs(tag, __func__, {y, Y}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.n, X.size()}, {c.m, y.size()}, {c.m, Y.size()}});
    return ::fos_forward(tag, c.rows(), c.columns(), keep, x.data(), X.data(), y.data(), Y.data());
  });
}

int fov_forward(short tag, std::size_t p, std::span<const double> x, std::span<const double> X,
                std::span<double> y, std::span<double> Y) {
  return withOutputs(tag, __func__, {y, Y}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.n * p, X.size()}, {c.m, y.size()}, {c.m * p, Y.size()}});
    return ::fov_forward(tag, c.rows(), c.columns(), static_cast<int>(p), x.data(),
                         rowsOf(X, c.n, p).data(), y.data(), rowsOf(Y, c.m, p).data());
  });
}

int fos_reverse(short tag, std::span<const double> u, std::span<double> z) {
  return withOutputs(tag, __func__, {z}, [&](const Counts &c) {
    c.require({{c.m, u.size()}, {c.n, z.size()}});
    return ::fos_reverse(tag, c.rows(), c.columns(), u.data(), z.data());
  });
}

int fov_reverse(short tag, std::size_t q, std::span<const double> U, std::span<double> Z) {
  return withOutputs(tag, __func__, {Z}, [&](const Counts &c) {
    c.require({{q * c.m, U.size()}, {q * c.n, Z.size()}});
    return ::fov_reverse(tag, c.rows(), c.columns(), static_cast<int>(q), rowsOf(U, q, c.m).data(),
                         rowsOf(Z, q, c.n).data());
  });
}

} // namespace ADOLC
