#include <adolc/drivers/drivers.h>

#include "drivers/hessian.h"
#include "drivers/results.h"
#include "drivers/spans.h"
#include "interp/dependence.h"
#include "interp/extents.h"

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

using namespace detail::spans;
using detail::product;
using detail::rowsOf;

std::size_t dependents(const Counts &c) { return c.m; }
std::size_t independents(const Counts &c) { return c.n; }

/// Sweeps along several curves: sweep(counts, p, X, Y).
template <class Sweep>
int alongCurves(short tag, const char *caller, int d, std::size_t p, std::span<const double> x,
                std::span<const double> X, std::span<double> y, std::span<double> Y,
                Sweep &&sweep) {
  return withOutputs(tag, caller, {y, Y}, [&](const Counts &c) {
    const std::size_t width = c.degree(d);
    const int curves = c.count(p);
    c.require({{c.n, x.size()},
               {product({c.n, p, width}), X.size()},
               {c.m, y.size()},
               {product({c.m, p, width}), Y.size()}});
    return sweep(c, curves, Tensor(X, c.n, p, width).get(), Tensor(Y, c.m, p, width).get());
  });
}

/// Reverse sweeps of degree d with as many results as there are lanes, which are weights or
/// directions: sweep(counts, lanes, d + 1, Z, nz). After an exception labels are the highest one,
/// which is a bound in any case.
template <class SizeOfWeights, class Sweep>
int ofLanes(short tag, const char *caller, int d, std::size_t lanes, std::span<const double> U,
            SizeOfWeights &&sizeOfWeights, std::span<double> Z, std::span<short> nz,
            Sweep &&sweep) {
  try {
    return withOutputs(tag, caller, {Z}, [&](const Counts &c) {
      const std::size_t width = c.degree(d) + 1;
      const int count = c.count(lanes);
      c.require({{sizeOfWeights(c, width), U.size()},
                 {product({lanes, c.n, width}), Z.size()},
                 {nz.empty() ? 0 : product({lanes, c.n}), nz.size()}});
      return sweep(c, count, width, Tensor(Z, lanes, c.n, width).get(),
                   nz.empty() ? nullptr : rowsOf(nz, lanes, c.n).data());
    });
  } catch (...) {
    std::fill(nz.begin(), nz.end(), static_cast<short>(detail::Dependence::NonSmooth));
    throw;
  }
}

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

int hessian(short tag, std::span<const double> x, std::span<double> H) {
  return withOutputs(tag, __func__, {H}, [&](const Counts &c) {
    c.requireScalar();
    c.require({{c.n, x.size()}, {c.n * c.n, H.size()}});
    std::vector<double *> rows = rowsOf(H, c.n, c.n);
    const int code = ::hessian(tag, c.columns(), x.data(), rows.data());
    detail::mirror(rows.data(), c.n);
    return code;
  });
}
std::vector<double> hessian(short tag, std::span<const double> x) {
  return resultOf(
      tag, __func__, [](const Counts &c) { return c.n * c.n; },
      [&](std::vector<double> &result) { return hessian(tag, x, result); });
}

int hess_vec(short tag, std::span<const double> x, std::span<const double> v, std::span<double> w) {
  return withOutputs(tag, __func__, {w}, [&](const Counts &c) {
    c.requireScalar();
    c.require({{c.n, x.size()}, {c.n, v.size()}, {c.n, w.size()}});
    return ::hess_vec(tag, c.columns(), x.data(), v.data(), w.data());
  });
}
std::vector<double> hess_vec(short tag, std::span<const double> x, std::span<const double> v) {
  return resultOf(tag, __func__, independents,
                  [&](std::vector<double> &result) { return hess_vec(tag, x, v, result); });
}

int hess_mat(short tag, std::size_t q, std::span<const double> x, std::span<const double> V,
             std::span<double> W) {
  return withOutputs(tag, __func__, {W}, [&](const Counts &c) {
    const int directions = c.count(q);
    c.requireScalar();
    c.require({{c.n, x.size()}, {product({c.n, q}), V.size()}, {product({c.n, q}), W.size()}});
    return ::hess_mat(tag, c.columns(), directions, x.data(), rowsOf(V, c.n, q).data(),
                      rowsOf(W, c.n, q).data());
  });
}
std::vector<double> hess_mat(short tag, std::size_t q, std::span<const double> x,
                             std::span<const double> V) {
  return resultOf(
      tag, __func__, [&](const Counts &) { return V.size(); },
      [&](std::vector<double> &result) { return hess_mat(tag, q, x, V, result); });
}

int lagra_hess_vec(short tag, std::span<const double> x, std::span<const double> v,
                   std::span<const double> u, std::span<double> w) {
  return withOutputs(tag, __func__, {w}, [&](const Counts &c) {
    c.require({{c.n, x.size()}, {c.n, v.size()}, {c.m, u.size()}, {c.n, w.size()}});
    return ::lagra_hess_vec(tag, c.rows(), c.columns(), x.data(), v.data(), u.data(), w.data());
  });
}
std::vector<double> lagra_hess_vec(short tag, std::span<const double> x, std::span<const double> v,
                                   std::span<const double> u) {
  return resultOf(tag, __func__, independents, [&](std::vector<double> &result) {
    return lagra_hess_vec(tag, x, v, u, result);
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
    const int directions = c.count(p);
    c.require({{c.n, x.size()},
               {product({c.n, p}), X.size()},
               {c.m, y.size()},
               {product({c.m, p}), Y.size()}});
    return ::fov_forward(tag, c.rows(), c.columns(), directions, x.data(), rowsOf(X, c.n, p).data(),
                         y.data(), rowsOf(Y, c.m, p).data());
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
    const int weights = c.count(q);
    c.require({{product({q, c.m}), U.size()}, {product({q, c.n}), Z.size()}});
    return ::fov_reverse(tag, c.rows(), c.columns(), weights, rowsOf(U, q, c.m).data(),
                         rowsOf(Z, q, c.n).data());
  });
}

int hos_forward(short tag, int d, int keep, std::span<const double> x, std::span<const double> X,
                std::span<double> y, std::span<double> Y) {
  return withOutputs(tag, __func__, {y, Y}, [&](const Counts &c) {
    const std::size_t width = c.degree(d);
    c.require({{c.n, x.size()},
               {product({c.n, width}), X.size()},
               {c.m, y.size()},
               {product({c.m, width}), Y.size()}});
    return ::hos_forward(tag, c.rows(), c.columns(), d, keep, x.data(),
                         rowsOf(X, c.n, width).data(), y.data(), rowsOf(Y, c.m, width).data());
  });
}

int hov_forward(short tag, int d, std::size_t p, std::span<const double> x,
                std::span<const double> X, std::span<double> y, std::span<double> Y) {
  return alongCurves(tag, __func__, d, p, x, X, y, Y,
                     [&](const Counts &c, int curves, const double ***in, double ***out) {
                       return ::hov_forward(tag, c.rows(), c.columns(), d, curves, x.data(), in,
                                            y.data(), out);
                     });
}

int hov_wk_forward(short tag, int d, int keep, std::size_t p, std::span<const double> x,
                   std::span<const double> X, std::span<double> y, std::span<double> Y) {
  return alongCurves(tag, __func__, d, p, x, X, y, Y,
                     [&](const Counts &c, int curves, const double ***in, double ***out) {
                       return ::hov_wk_forward(tag, c.rows(), c.columns(), d, keep, curves,
                                               x.data(), in, y.data(), out);
                     });
}

int hos_reverse(short tag, int d, std::span<const double> u, std::span<double> Z) {
  return ofLanes(
      tag, __func__, d, 1, u, [](const Counts &c, std::size_t) { return c.m; }, Z, {},
      [&](const Counts &c, int, std::size_t, double ***out, short **) {
        return ::hos_reverse(tag, c.rows(), c.columns(), d, u.data(), out[0]);
      });
}

int hos_ti_reverse(short tag, int d, std::span<const double> U, std::span<double> Z) {
  return ofLanes(
      tag, __func__, d, 1, U,
      [](const Counts &c, std::size_t width) {
        return product({c.m, width});
      },
      Z, {},
      [&](const Counts &c, int, std::size_t width, double ***out, short **) {
        return ::hos_ti_reverse(tag, c.rows(), c.columns(), d, rowsOf(U, c.m, width).data(),
                                out[0]);
      });
}

int hos_ov_reverse(short tag, int d, std::size_t p, std::span<const double> U,
                   std::span<double> Z) {
  return ofLanes(
      tag, __func__, d, p, U,
      [](const Counts &c, std::size_t width) {
        return product({c.m, width});
      },
      Z, {},
      [&](const Counts &c, int curves, std::size_t width, double ***out, short **) {
        return ::hos_ov_reverse(tag, c.rows(), c.columns(), d, curves, rowsOf(U, c.m, width).data(),
                                out);
      });
}

int hov_reverse(short tag, int d, std::size_t q, std::span<const double> U, std::span<double> Z,
                std::span<short> nz) {
  return ofLanes(
      tag, __func__, d, q, U,
      [q](const Counts &c, std::size_t) {
        return product({q, c.m});
      },
      Z, nz,
      [&](const Counts &c, int weights, std::size_t, double ***out, short **labels) {
        return ::hov_reverse(tag, c.rows(), c.columns(), d, weights, rowsOf(U, q, c.m).data(), out,
                             labels);
      });
}

int hov_ti_reverse(short tag, int d, std::size_t q, std::span<const double> U, std::span<double> Z,
                   std::span<short> nz) {
  return ofLanes(
      tag, __func__, d, q, U,
      [q](const Counts &c, std::size_t width) {
        return product({q, c.m, width});
      },
      Z, nz,
      [&](const Counts &c, int weights, std::size_t width, double ***out, short **labels) {
        return ::hov_ti_reverse(tag, c.rows(), c.columns(), d, weights,
                                Tensor(U, q, c.m, width).get(), out, labels);
      });
}

} // namespace ADOLC
