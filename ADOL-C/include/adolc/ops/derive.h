/// @file ops/derive.h
/// What follows from a rule: the local partial derivatives, and which values a reverse sweep needs.
#pragma once

#include <adolc/internal/common.h>
#include <adolc/ops/layout.h>
#include <adolc/ops/rules_nonsmooth.h>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace ADOLC::ops {

template <class Rule> inline constexpr bool isNonSmooth = requires { Rule::nonSmooth; };
/// Optional members of a rule (see rules_*.h).
template <class Rule> inline constexpr bool hasPiece = requires { &Rule::piece; };
template <class Rule> inline constexpr bool hasTie = requires { &Rule::tie; };
template <class Rule> inline constexpr bool hasBoundary = requires { &Rule::boundary; };
template <class Rule> inline constexpr bool hasSide = requires { &Rule::side; };
template <class Rule> inline constexpr bool hasDomain = requires { &Rule::defined; };
template <class Rule> inline constexpr bool hasOneSided = requires { &Rule::oneSided; };
template <class Rule> inline constexpr bool hasStep = requires { &Rule::step; };

/// Where the value is finite, so are the partials: one test instead of one per partial.
template <class Rule> inline constexpr bool finiteValueMeansFinitePartials = requires {
  Rule::finiteWithValue;
};

/// Calls a static member function of a rule with the operands.
#define ADOLC_CALL_RULE(Rule, member, x)                                                           \
  std::apply([](auto... xi) { return Rule::member(xi...); }, x)

/// Which of many steps the operands x with result v are on: what a layout with `recordsStep`
/// records.
template <class Rule>
ADOLC_ALWAYS_INLINE double stepOf(const std::array<double, Rule::arity> &x, double v) {
  if constexpr (hasStep<Rule>)
    return std::apply([v](auto... xi) { return Rule::step(xi..., v); }, x);
  else
    return v;
}

namespace detail {

template <class Rule> inline constexpr bool hasHelper = requires { Rule::helperReads; };
template <class Rule> inline constexpr bool helperFollowsResult = requires {
  Rule::helperFollowsResult;
};
template <class Rule> inline constexpr bool hasPartials = requires { Rule::reads; };

/// Calls f with the operands, the result and, where the relation mentions it, the helper.
template <class Rule, class R, std::size_t... I>
constexpr auto numerators(const std::array<R, Rule::arity> &x, R v, R w,
                          std::index_sequence<I...>) {
  if constexpr (hasHelper<Rule>)
    return Rule::num(x[I]..., v, w);
  else
    return Rule::num(x[I]..., v);
}
template <class Rule, class R, std::size_t... I>
constexpr R denominator(const std::array<R, Rule::arity> &x, R v, R w, std::index_sequence<I...>) {
  if constexpr (hasHelper<Rule> && requires { Rule::den(x[I]..., v, w); })
    return Rule::den(x[I]..., v, w);
  else
    return Rule::den(x[I]..., v);
}

/// What the helper is called in a set of names.
inline constexpr Operands kHelper = 1u << 6;

/// The operands of a rule as names.
template <class Rule> constexpr std::array<Uses, Rule::arity> names() {
  std::array<Uses, Rule::arity> all{};
  for (int i = 0; i < Rule::arity; ++i)
    all[static_cast<std::size_t>(i)] = Uses{operand(i)};
  return all;
}
/// What numerator i, and what the denominator of a relation mention: operands, kResult, kHelper.
template <class Rule> constexpr Operands numeratorMentions(int i) {
  return numerators<Rule>(names<Rule>(), Uses{kResult}, Uses{kHelper},
                          std::make_index_sequence<Rule::arity>{})[static_cast<std::size_t>(i)]
      .bits;
}
template <class Rule> constexpr Operands denominatorMentions() {
  return denominator<Rule>(names<Rule>(), Uses{kResult}, Uses{kHelper},
                           std::make_index_sequence<Rule::arity>{})
      .bits;
}
/// Whether the denominator mentions anything; otherwise it is 1.
template <class Rule> constexpr bool divides() { return denominatorMentions<Rule>() != 0; }

/// Numerator i is the constant 0: the result does not depend on operand i.
template <class Rule> constexpr bool zeroNumerator(int i) {
  constexpr std::array<double, Rule::arity> anywhere{};
  return numeratorMentions<Rule>(i) == 0 &&
         numerators<Rule>(anywhere, 0.0, 0.0,
                          std::make_index_sequence<Rule::arity>{})[static_cast<std::size_t>(i)] ==
             0.0;
}

/// The relation of a helper of one operand:  den·dw = num·dx, or num·dv.
template <class Rule, class R> constexpr R helperDenominator(R x, R v, R w) {
  if constexpr (requires { Rule::helperDen(x, v, w); })
    return Rule::helperDen(x, v, w);
  else
    return one(x);
}
template <class Rule> constexpr Operands helperDenominatorMentions() {
  return helperDenominator<Rule>(Uses{operand(0)}, Uses{kResult}, Uses{kHelper}).bits;
}
template <class Rule> constexpr Operands helperNumeratorMentions() {
  return Rule::helperNum(Uses{operand(0)}, Uses{kResult}, Uses{kHelper}).bits;
}

} // namespace detail

/// The relation itself as partials: num_i / den. The default, and the oracle of every override.
template <class Rule>
ADOLC_ALWAYS_INLINE std::array<double, Rule::arity>
relationPartials(const std::array<double, Rule::arity> &x, double v) {
  constexpr auto all = std::make_index_sequence<Rule::arity>{};
  double w = 0.0;
  if constexpr (detail::hasHelper<Rule>)
    w = std::apply([v](auto... xi) { return Rule::helper(xi..., v); }, x);
  auto p = detail::numerators<Rule>(x, v, w, all);
  if constexpr (detail::divides<Rule>()) {
    const double den = detail::denominator<Rule>(x, v, w, all);
    for (double &pi : p)
      pi /= den;
  }
  return p;
}

/// Partial derivatives ∂v/∂x_i at operands x with result v.
template <class Rule>
ADOLC_ALWAYS_INLINE std::array<double, Rule::arity>
partials(const std::array<double, Rule::arity> &x, double v) {
  if constexpr (detail::hasPartials<Rule>)
    return std::apply([v](auto... xi) { return Rule::partials(xi..., v); }, x);
  else
    return relationPartials<Rule>(x, v);
}

/// What partial i reads: operands (one bit each) and kResult.
template <class Rule> constexpr Operands partialReads(int i) {
  if constexpr (detail::hasPartials<Rule>) {
    return Rule::reads[static_cast<std::size_t>(i)];
  } else {
    constexpr auto all = std::make_index_sequence<Rule::arity>{};
    std::array<Uses, Rule::arity> names{};
    for (int k = 0; k < Rule::arity; ++k)
      names[static_cast<std::size_t>(k)] = Uses{operand(k)};
    Uses helper{0};
    if constexpr (detail::hasHelper<Rule>)
      helper = Uses{Rule::helperReads};
    const auto num = detail::numerators<Rule>(names, Uses{kResult}, helper, all);
    const auto den = detail::denominator<Rule>(names, Uses{kResult}, helper, all);
    return num[static_cast<std::size_t>(i)].bits | den.bits;
  }
}

/// What the first-order reverse sweep of an operation needs (to-be-recorded analysis): the union
/// over its active operands of what their partials read, restricted to values that live in
/// locations.
template <class Rule, class L> constexpr Operands needs() {
  Operands bits = 0;
  for (int i = 0; i < Rule::arity; ++i)
    if (L::active(i))
      bits |= partialReads<Rule>(i);
  Operands inLocations = kResult;
  for (int i = 0; i < Rule::arity; ++i)
    if (L::active(i))
      inLocations |= operand(i);
  return bits & inLocations;
}

/// Partial i is a constant that needs no test for infinity.
template <class Rule> constexpr bool constantPartial(int i) { return partialReads<Rule>(i) == 0; }

/// Partial i is the constant 1: the operand's derivatives pass through unchanged.
template <class Rule> constexpr bool unitPartial(int i) {
  if constexpr (detail::hasPartials<Rule> || detail::hasHelper<Rule>) {
    return false;
  } else {
    constexpr auto all = std::make_index_sequence<Rule::arity>{};
    constexpr std::array<double, Rule::arity> anywhere{};
    return constantPartial<Rule>(i) &&
           detail::numerators<Rule>(anywhere, 0.0, 0.0, all)[static_cast<std::size_t>(i)] == 1.0;
  }
}

/// The partials are operands, results or constants as they stand: evaluating them is free and
/// cannot raise a floating-point exception.
template <class Rule> constexpr bool trivialPartials() {
  if constexpr (detail::hasPartials<Rule> || detail::hasHelper<Rule>)
    return false;
  else
    return !detail::divides<Rule>();
}

} // namespace ADOLC::ops
