/// @file drivers/tensor.h
/// Mixed derivatives from Taylor coefficients along several directions: which directions, and how
/// their coefficients combine. Nothing here knows a tape.
///
/// Along s(t) = v t coefficient r of a function is f_r(v) = Σ s^i/i! ∂^i f, |i| = r, a homogeneous
/// polynomial in v.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ADOLC::detail {

/// Combinations of columns with small integers as factors.
struct Directions {
  struct Term {
    std::size_t column;
    int factor; // not 0
  };
  std::vector<Term> terms; // of all directions
  std::vector<std::size_t> ends{0};

  std::size_t count() const { return ends.size() - 1; }
  std::span<const Term> operator[](std::size_t l) const {
    return {terms.data() + ends[l], terms.data() + ends[l + 1]};
  }
};

/// n over k; BINOMIAL_OVERFLOW where it is no long.
std::size_t binomial(const char *caller, std::size_t n, std::size_t k);
/// Numbers that a tensor of p directions has up to order d: p + d over d.
std::size_t tensorSize(const char *caller, std::size_t p, std::size_t d);

/// The directions from which all derivatives up to order d >= 1 follow: the vectors j >= 0 with
/// |j| = d, each divided by the greatest divisor of its entries.
Directions tensorDirections(const char *caller, std::size_t p, std::size_t d);

/// Tensors, except their values at address 0, of m functions: coefficients[m][count][d] are theirs
/// along the tensorDirections. With j and k multi-indices,
///
///   ∂^i f = Σ_j γ_ij f_|i|(j),  γ_ij = Σ_{0 < k <= i} (-1)^|i-k| (i over k) (d k/|k| over j)
///   (|k|/d)^|i|
///
/// as the differences of a homogeneous polynomial at 0 are its derivatives, and it is its own
/// interpolation on the lattice |j| = d. (Griewank, Utke, Walther: Evaluating higher derivative
/// tensors by forward propagation of univariate Taylor series, Math. Comp. 69, 2000.) γ_ij is 0
/// unless j is 0 where i is.
void interpolateTensors(std::size_t p, std::size_t d, std::size_t m, const double *coefficients,
                        double *const *tensors);

/// One mixed derivative of order r = |i|, all i_l > 0: Σ_l weights[l]·f_r(directions[l]). From the
/// central differences
///
///   ∂^i f = 2^-r Σ_{0 <= k <= i} (-1)^|k| (i over k) f_r(i - 2k)
///
/// with vectors in one line taken together: about half of Π (i_l + 1) directions, where a tensor
/// would need many more.
struct MixedDerivative {
  Directions directions;
  std::vector<long double> weights;
};
MixedDerivative mixedDerivative(std::span<const int> orders);

} // namespace ADOLC::detail
