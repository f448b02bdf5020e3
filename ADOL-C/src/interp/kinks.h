/// @file interp/kinks.h
/// Rules with pieces along a curve: which piece it enters for t > 0.
#pragma once

#include "interp/series.h"

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// A result that is Σ p_i x_i, for partials that are the same at all orders: linear operations, and
/// rules with pieces away from their kinks.
template <class Rule, class L> constexpr bool hasConstantPartials() {
  ops::Operands reads = 0, moving = ops::kResult;
  for (int i = 0; i < Rule::arity; ++i)
    if (L::active(i)) {
      reads |= ops::partialReads<Rule>(i);
      moving |= ops::operand(i);
    }
  return ops::isNonSmooth<Rule> || (reads & moving) == 0;
}

/// One curve of an operation on a kink: coefficients 1 … degree of the operands, `stride` doubles
/// apart; null for numbers.
template <std::size_t N> struct CurveOnKink {
  std::array<const double *, N> x;
  std::size_t stride, degree;

  std::array<double, N> coefficients(std::size_t k) const {
    std::array<double, N> c{};
    for (std::size_t i = 0; i < N; ++i)
      if (x[i] != nullptr)
        c[i] = x[i][(k - 1) * stride];
    return c;
  }
  bool moves() const {
    for (std::size_t k = 1; k <= degree; ++k)
      for (const double c : coefficients(k))
        if (c != 0.0)
          return true;
    return false;
  }
};

/// The partials of the piece that a curve enters: the first coefficients that are not on the kink
/// decide; if all are, the symmetric weights of first order.
template <class Rule>
std::array<double, Rule::arity>
partialsOnKink(const std::array<double, Rule::arity> &x, double v,
               const CurveOnKink<static_cast<std::size_t>(Rule::arity)> &curve) {
  for (std::size_t k = 1; k <= curve.degree; ++k) {
    auto c = curve.coefficients(k);
    if (ADOLC_CALL_RULE(Rule, tie, c))
      continue;
    if constexpr (ops::hasOneSided<Rule>) // the other operands decide by their values
      std::copy(x.begin() + 1, x.end(), c.begin() + 1);
    return ops::partials<Rule>(c, ADOLC_CALL_RULE(Rule, value, c));
  }
  return ops::partials<Rule>(x, v);
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
