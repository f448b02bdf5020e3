/// @file drivers/taylor.h
/// Derivatives of any order: tensors of all mixed derivatives along some directions, also of
/// inverse functions, Taylor series of inverse functions, and single mixed derivatives.
///
/// A tensor of order d in p directions holds, for each dependent, (p+d over d) numbers: the
/// derivatives ∂^k F(x + S s)/∂s_j1 … ∂s_jk at s = 0 of all orders k <= d. They are derivatives,
/// not Taylor coefficients: nothing is divided by factorials. A multi-index is a list j of d
/// numbers: 0 stands for no derivative, 1 … p for a direction, a column of S; their order does not
/// matter.
///
/// Tensors come from Taylor coefficients along (p-1+d over d) directions, which combine the columns
/// of S with integer factors, and are interpolated. Errors of rounding are multiplied by nothing in
/// pure and first derivatives, in the others by up to about 500 for d = 6, 2000 for d = 8 and 10⁵
/// for d = 12.
///
/// Return codes and exceptions as in interfaces.h; -3: F'(x) is singular. With a negative code and
/// after an exception all outputs are NaN, except with an unknown tape, wrong numbers (m, n, d, p)
/// or a missing array. ARGUMENT_OUT_OF_RANGE: d < 0 or p < 0. BINOMIAL_OVERFLOW: the tensor is too
/// large. The functions keep nothing between calls, in a tape or elsewhere: many threads may
/// evaluate tapes in shared mode at the same time.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <span>
#include <vector>

BEGIN_C_DECLS

/// All derivatives up to order d >= 0 along the p >= 0 columns of S. x[n], S[n][p],
/// tensor[m][(p+d over d)]; tensor[i][0] is the value.
ADOLC_API int tensor_eval(short tag, int m, int n, int d, int p, const double *x, double **tensor,
                          const double *const *S);

/// The same of the inverse function of F, m = n, at F(x): derivatives of x for directions S in the
/// space of the values of F. x[n], S[n][p], tensor[n][(p+d over d)]; tensor[i][0] is x[i].
ADOLC_API int inverse_tensor_eval(short tag, int n, int d, int p, const double *x, double **tensor,
                                  const double *const *S);

/// The curve X(t) with F(X(t)) = Y(t), m = n: its Taylor coefficients 1 … d from those of Y and
/// X[·][0], where F(X[·][0]) = Y[·][0] is taken for granted. Y[n][d+1], X[n][d+1]. Solves d systems
/// with F'(X[·][0]), which is factorised once.
ADOLC_API int inverse_Taylor_prop(short tag, int n, int d, const double *const *Y, double **X);

/// Where in a tensor a multi-index of d numbers stands: with j in ascending order, the sum of
/// (j_i + i over i + 1), i = 0 … d-1. NEGATIVE_NUMBER: d or a number is negative.
ADOLC_API size_t tensor_address(int d, const int *multi);
/// y[m] is what stands there for all dependents. tensor[m][…].
ADOLC_API void tensor_value(int d, int m, double *y, double **tensor, const int *multi);

/// Pointers to a tensor: T[i][j1][j2]…[jd], j1 >= j2 >= … >= jd, with zeros at the end for lower
/// orders, is tensorig[i][tensor_address]. To be cast to a pointer of d + 1 levels and to be freed
/// by freetensor; tensorig stays the caller's. nullptr for m = 0. d = 0: a copy of tensorig.
ADOLC_API void **tensorsetup(int m, int p, int d, double **tensorig);
/// Frees what tensorsetup returned for these numbers; accepts nullptr.
ADOLC_API void freetensor(int m, int p, int d, double **tensor);

/// n over k; 0 for k > n. BINOMIAL_OVERFLOW where it does not fit.
ADOLC_API long binomi(size_t n, size_t k);

END_C_DECLS

namespace ADOLC {

// On spans: sizes come from the tape and from S[n·p]; SIZE_MISMATCH. After an exception, whatever
// it is, all outputs are NaN. Matrices are row-major. The forms that return a vector throw
// BRANCH_SWITCH or QUADRATURE_ELSEWHERE in place of a negative code.

/// x[n], S[n·p], tensor[m·(p+d over d)].
ADOLC_API int tensor_eval(short tag, int d, std::span<const double> x, std::span<const double> S,
                          std::span<double> tensor);
ADOLC_API std::vector<double> tensor_eval(short tag, int d, std::span<const double> x,
                                          std::span<const double> S);
/// m = n. x[n], S[n·p], tensor[n·(p+d over d)].
ADOLC_API int inverse_tensor_eval(short tag, int d, std::span<const double> x,
                                  std::span<const double> S, std::span<double> tensor);
/// m = n. Y[n·(d+1)], X[n·(d+1)], of which column 0 is given and left alone.
ADOLC_API int inverse_Taylor_prop(short tag, int d, std::span<const double> Y, std::span<double> X);

/// Where in a tensor a multi-index stands.
ADOLC_API std::size_t tensor_address(std::span<const int> multi);

/// One mixed derivative of all dependents: orders[i] times with respect to independent i. x[n],
/// orders[n], result[m]; all orders 0: the values. It costs one forward sweep of degree
/// r = Σ orders[i] along at most Π (orders[i]+1)/2 + 1 directions, over the independents that take
/// part. Relative errors of rounding are multiplied by some 10 for r = 12, by 10⁵ for r = 36.
///
/// @throws ADOLCError  ARGUMENT_OUT_OF_RANGE: an order is negative or r > 64;
///                     TO_MANY_DIRECTIONS: Π (orders[i]+1) > 65536
ADOLC_API int derivative(short tag, std::span<const double> x, std::span<const int> orders,
                         std::span<double> result);
ADOLC_API std::vector<double> derivative(short tag, std::span<const double> x,
                                         std::span<const int> orders);

} // namespace ADOLC
