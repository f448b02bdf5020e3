#include <adolc/drivers/drivers.h>
#include <adolc/interfaces.h>
#include <adolc/valuetape/taperegistry.h>

#include <initializer_list>
#include <limits>
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
    const detail::TapeEvaluationContext context(id, function, detail::TapeUse::reads);
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

/// The result of a sweep that stayed on the recorded branch.
std::vector<double> valid(std::vector<double> result, int code, short tag, const char *caller) {
  if (code < 0) {
    const detail::TapeEvaluationContext context(tag, caller);
    fail(code == -2 ? ErrorType::QUADRATURE_ELSEWHERE : ErrorType::BRANCH_SWITCH,
         {__FILE__, caller, __LINE__},
         {.info1 = tag, .info5 = context.tape().lastBranchSwitch().operation});
  }
  return result;
}

} // namespace

TapeShape tapeShape(short tag) {
  const Counts c(tag, __func__);
  return {c.m, c.n};
}

int function(short tag, std::span<const double> x, std::span<double> y) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.m, y.size()}});
  return ::function(tag, c.rows(), c.columns(), x.data(), y.data());
}
std::vector<double> function(short tag, std::span<const double> x) {
  std::vector<double> y(Counts(tag, __func__).m);
  const int code = function(tag, x, y);
  return valid(std::move(y), code, tag, __func__);
}

int gradient(short tag, std::span<const double> x, std::span<double> g) {
  const Counts c(tag, __func__);
  c.requireScalar();
  c.require({{c.n, x.size()}, {c.n, g.size()}});
  return ::gradient(tag, c.columns(), x.data(), g.data());
}
std::vector<double> gradient(short tag, std::span<const double> x) {
  std::vector<double> g(Counts(tag, __func__).n);
  const int code = gradient(tag, x, g);
  return valid(std::move(g), code, tag, __func__);
}

int jacobian(short tag, std::span<const double> x, std::span<double> J) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.m * c.n, J.size()}});
  return ::jacobian(tag, c.rows(), c.columns(), x.data(), rowsOf(J, c.m, c.n).data());
}
std::vector<double> jacobian(short tag, std::span<const double> x) {
  const Counts c(tag, __func__);
  std::vector<double> J(c.m * c.n);
  const int code = jacobian(tag, x, J);
  return valid(std::move(J), code, tag, __func__);
}

int large_jacobian(short tag, int k, std::span<const double> x, std::span<double> y,
                   std::span<double> J) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.m, y.size()}, {c.m * c.n, J.size()}});
  return ::large_jacobian(tag, c.rows(), c.columns(), k, const_cast<double *>(x.data()), y.data(),
                          rowsOf(J, c.m, c.n).data());
}

int vec_jac(short tag, std::span<const double> x, std::span<const double> u, std::span<double> z) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.m, u.size()}, {c.n, z.size()}});
  return ::vec_jac(tag, c.rows(), c.columns(), 0, x.data(), u.data(), z.data());
}
std::vector<double> vec_jac(short tag, std::span<const double> x, std::span<const double> u) {
  std::vector<double> z(Counts(tag, __func__).n);
  const int code = vec_jac(tag, x, u, z);
  return valid(std::move(z), code, tag, __func__);
}

int jac_vec(short tag, std::span<const double> x, std::span<const double> v, std::span<double> w) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.n, v.size()}, {c.m, w.size()}});
  return ::jac_vec(tag, c.rows(), c.columns(), x.data(), v.data(), w.data());
}
std::vector<double> jac_vec(short tag, std::span<const double> x, std::span<const double> v) {
  std::vector<double> w(Counts(tag, __func__).m);
  const int code = jac_vec(tag, x, v, w);
  return valid(std::move(w), code, tag, __func__);
}

int jac_solv(short tag, std::span<const double> x, std::span<double> b) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.n, b.size()}, {c.n, c.m}});
  return ::jac_solv(static_cast<unsigned short>(tag), c.columns(), x.data(), b.data(), 2);
}

int zos_forward(short tag, int keep, std::span<const double> x, std::span<double> y) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.m, y.size()}});
  return ::zos_forward(tag, c.rows(), c.columns(), keep, x.data(), y.data());
}

int fos_forward(short tag, int keep, std::span<const double> x, std::span<const double> X,
                std::span<double> y, std::span<double> Y) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.n, X.size()}, {c.m, y.size()}, {c.m, Y.size()}});
  return ::fos_forward(tag, c.rows(), c.columns(), keep, x.data(), X.data(), y.data(), Y.data());
}

int fov_forward(short tag, std::size_t p, std::span<const double> x, std::span<const double> X,
                std::span<double> y, std::span<double> Y) {
  const Counts c(tag, __func__);
  c.require({{c.n, x.size()}, {c.n * p, X.size()}, {c.m, y.size()}, {c.m * p, Y.size()}});
  return ::fov_forward(tag, c.rows(), c.columns(), static_cast<int>(p), x.data(),
                       rowsOf(X, c.n, p).data(), y.data(), rowsOf(Y, c.m, p).data());
}

int fos_reverse(short tag, std::span<const double> u, std::span<double> z) {
  const Counts c(tag, __func__);
  c.require({{c.m, u.size()}, {c.n, z.size()}});
  return ::fos_reverse(tag, c.rows(), c.columns(), u.data(), z.data());
}

int fov_reverse(short tag, std::size_t q, std::span<const double> U, std::span<double> Z) {
  const Counts c(tag, __func__);
  c.require({{q * c.m, U.size()}, {q * c.n, Z.size()}});
  return ::fov_reverse(tag, c.rows(), c.columns(), static_cast<int>(q), rowsOf(U, q, c.m).data(),
                       rowsOf(Z, q, c.n).data());
}

} // namespace ADOLC
