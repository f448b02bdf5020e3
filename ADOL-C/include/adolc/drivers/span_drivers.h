/// @file drivers/span_drivers.h
/// Drivers and sweeps on spans. Sizes come from the tape: m dependents, n independents; a container
/// of another size throws SIZE_MISMATCH before anything is evaluated. Matrices are row-major. After
/// an exception, whatever it is, all outputs are NaN.
///
/// The forms with an output argument return the code of the sweep (interfaces.h). The forms that
/// return a vector throw BRANCH_SWITCH where that code is -1, QUADRATURE_ELSEWHERE where it is -2.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <span>
#include <vector>

namespace ADOLC {

/// Dependents and independents of a tape.
struct TapeShape {
  std::size_t m = 0, n = 0;
};
ADOLC_API TapeShape tapeShape(short tag);

/// y = F(x). x[n], y[m].
ADOLC_API int function(short tag, std::span<const double> x, std::span<double> y);
ADOLC_API std::vector<double> function(short tag, std::span<const double> x);

/// g = F'(x), m = 1. x[n], g[n].
ADOLC_API int gradient(short tag, std::span<const double> x, std::span<double> g);
ADOLC_API std::vector<double> gradient(short tag, std::span<const double> x);

/// J = F'(x). x[n], J[m·n].
ADOLC_API int jacobian(short tag, std::span<const double> x, std::span<double> J);
ADOLC_API std::vector<double> jacobian(short tag, std::span<const double> x);

/// y = F(x) and J = F'(x) in forward mode; k has no effect. x[n], y[m], J[m·n].
ADOLC_API int large_jacobian(short tag, int k, std::span<const double> x, std::span<double> y,
                             std::span<double> J);

/// z = uᵀF'(x). x[n], u[m], z[n].
ADOLC_API int vec_jac(short tag, std::span<const double> x, std::span<const double> u,
                      std::span<double> z);
ADOLC_API std::vector<double> vec_jac(short tag, std::span<const double> x,
                                      std::span<const double> u);
/// w = F'(x)·v. x[n], v[n], w[m].
ADOLC_API int jac_vec(short tag, std::span<const double> x, std::span<const double> v,
                      std::span<double> w);
ADOLC_API std::vector<double> jac_vec(short tag, std::span<const double> x,
                                      std::span<const double> v);
/// Solves F'(x)·w = b in place, m = n; -3 if singular. x[n], b[n].
ADOLC_API int jac_solv(short tag, std::span<const double> x, std::span<double> b);

/// H = F''(x), m = 1: all of the symmetric matrix. x[n], H[n·n].
ADOLC_API int hessian(short tag, std::span<const double> x, std::span<double> H);
ADOLC_API std::vector<double> hessian(short tag, std::span<const double> x);
/// w = F''(x)·v, m = 1. x[n], v[n], w[n].
ADOLC_API int hess_vec(short tag, std::span<const double> x, std::span<const double> v,
                       std::span<double> w);
ADOLC_API std::vector<double> hess_vec(short tag, std::span<const double> x,
                                       std::span<const double> v);
/// W = F''(x)·V, m = 1. x[n], V[n·q], W[n·q].
ADOLC_API int hess_mat(short tag, std::size_t q, std::span<const double> x,
                       std::span<const double> V, std::span<double> W);
ADOLC_API std::vector<double> hess_mat(short tag, std::size_t q, std::span<const double> x,
                                       std::span<const double> V);
/// w = (Σ u_i F_i''(x))·v. x[n], v[n], u[m], w[n].
ADOLC_API int lagra_hess_vec(short tag, std::span<const double> x, std::span<const double> v,
                             std::span<const double> u, std::span<double> w);
ADOLC_API std::vector<double> lagra_hess_vec(short tag, std::span<const double> x,
                                             std::span<const double> v, std::span<const double> u);

/// x[n], y[m].
ADOLC_API int zos_forward(short tag, int keep, std::span<const double> x, std::span<double> y);
/// x[n], X[n], y[m], Y[m].
ADOLC_API int fos_forward(short tag, int keep, std::span<const double> x, std::span<const double> X,
                          std::span<double> y, std::span<double> Y);
/// x[n], X[n·p], y[m], Y[m·p].
ADOLC_API int fov_forward(short tag, std::size_t p, std::span<const double> x,
                          std::span<const double> X, std::span<double> y, std::span<double> Y);
/// u[m], z[n].
ADOLC_API int fos_reverse(short tag, std::span<const double> u, std::span<double> z);
/// U[q·m], Z[q·n].
ADOLC_API int fov_reverse(short tag, std::size_t q, std::span<const double> U, std::span<double> Z);

// Higher order, degree d: Taylor coefficients 1 … d of curves, 0 … d of weights and adjoints.
/// x[n], X[n·d], y[m], Y[m·d].
ADOLC_API int hos_forward(short tag, int d, int keep, std::span<const double> x,
                          std::span<const double> X, std::span<double> y, std::span<double> Y);
/// x[n], X[n·p·d], y[m], Y[m·p·d].
ADOLC_API int hov_forward(short tag, int d, std::size_t p, std::span<const double> x,
                          std::span<const double> X, std::span<double> y, std::span<double> Y);
ADOLC_API int hov_wk_forward(short tag, int d, int keep, std::size_t p, std::span<const double> x,
                             std::span<const double> X, std::span<double> y, std::span<double> Y);
/// u[m], Z[n·(d+1)].
ADOLC_API int hos_reverse(short tag, int d, std::span<const double> u, std::span<double> Z);
/// U[m·(d+1)], Z[n·(d+1)].
ADOLC_API int hos_ti_reverse(short tag, int d, std::span<const double> U, std::span<double> Z);
/// U[m·(d+1)], Z[p·n·(d+1)].
ADOLC_API int hos_ov_reverse(short tag, int d, std::size_t p, std::span<const double> U,
                             std::span<double> Z);
/// U[q·m], Z[q·n·(d+1)], nz[q·n] or empty; after an exception labels are 5, which always holds.
ADOLC_API int hov_reverse(short tag, int d, std::size_t q, std::span<const double> U,
                          std::span<double> Z, std::span<short> nz = {});
/// U[q·m·(d+1)], Z[q·n·(d+1)], nz[q·n] or empty.
ADOLC_API int hov_ti_reverse(short tag, int d, std::size_t q, std::span<const double> U,
                             std::span<double> Z, std::span<short> nz = {});

} // namespace ADOLC
