/// @file interp/lanes.h
/// The derivative data of a sweep: for every location a row of lanes (tangents or adjoints), all
/// lanes of one location together, and the two kernels that every elemental shares.
///
/// Zero contributes nothing: a term whose tangent or adjoint is exactly 0 vanishes even where the
/// partial is infinite or NaN. The partial is tested once per operation: finite partials take the
/// straight loop, which vectorises; others the masked one. So results do not depend, to the last
/// bit, on the number of lanes.
#pragma once

#include <adolc/ops/derive.h>

#include <array>
#include <cmath>
#include <cstddef>

// The kernels are compiled once per instruction set (see instruction_sets.h); each has a namespace
// of its own, so that the linker never mixes them. The rules and other inline functions that they
// share with the rest have not: the build sees to it that they are inlined (ADOL-C/CMakeLists.txt).
#ifndef ADOLC_INSTRUCTION_SET
#define ADOLC_INSTRUCTION_SET baseline
#endif

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// Width known at compile time (P > 0) or only at run time (P = 0).
template <int P> struct Lanes {
  double *data = nullptr;
  std::size_t dynamicCount = 0;

  ADOLC_ALWAYS_INLINE std::size_t count() const {
    return P > 0 ? static_cast<std::size_t>(P) : dynamicCount;
  }
  ADOLC_ALWAYS_INLINE double *row(std::size_t loc) const { return data + loc * count(); }
};

/// A sweep without derivatives.
struct NoLanes {};

/// Number of active operands of a layout.
template <class L> constexpr std::size_t activeCount() {
  std::size_t n = 0;
  for (int i = 0; i < L::arity; ++i)
    n += L::active(i);
  return n;
}
/// Operand index of the k-th active operand.
template <class L> constexpr int activeOperand(std::size_t k) {
  int i = 0;
  for (;; ++i)
    if (L::active(i) && k-- == 0)
      return i;
}
/// Location of the k-th active operand.
template <class L, std::size_t K> ADOLC_ALWAYS_INLINE auto activeLocation(const auto *locs) {
  constexpr int i = activeOperand<L>(K);
  if constexpr (L::slots[i] == ops::Slot::Result)
    return locs[L::numLocs];
  else
    return locs[L::cell(i)];
}
/// Whether a partial of an active operand may be infinite or NaN.
template <class Rule, class L> constexpr bool mayBeSingular() {
  for (std::size_t k = 0; k < activeCount<L>(); ++k)
    if (!ops::constantPartial<Rule>(activeOperand<L>(k)))
      return true;
  return false;
}

/// out[l] = Σ p_k·row_k[l] with the terms of zero tangents left out. `side` is the direction in
/// which an infinite partial of the first operand is one-sided (0: both sides).
inline ADOLC_COLD void maskedTangents(double *out, const double *const *rows, const double *p,
                                      std::size_t n, std::size_t lanes, double side) {
  for (std::size_t l = 0; l < lanes; ++l) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const double tangent = rows[k][l];
      if (tangent == 0.0)
        continue;
      const bool leavesDomain = k == 0 && std::isinf(p[k]) && side * tangent < 0.0;
      sum += leavesDomain ? ops::kNaN : p[k] * tangent;
    }
    out[l] = sum;
  }
}

/// row[l] += p·w[l], the terms of zero adjoints left out.
inline ADOLC_COLD void maskedAdjoints(double *row, double p, const double *w, std::size_t lanes) {
  for (std::size_t l = 0; l < lanes; ++l)
    if (w[l] != 0.0)
      row[l] += p * w[l];
}

/// Where the function is defined around a point with an infinite partial (see rules_elementary.h).
template <class Rule> double sideOf(const std::array<double, Rule::arity> &x) {
  if constexpr (!ops::hasSide<Rule>)
    return 0.0;
  else
    return ADOLC_CALL_RULE(Rule, side, x);
}

/// Row of the k-th active operand, or nullptr if there are fewer.
template <class L, std::size_t K, int P>
ADOLC_ALWAYS_INLINE const double *activeRow(const Lanes<P> &lanes, const auto *locs) {
  if constexpr (K < activeCount<L>())
    return lanes.row(activeLocation<L, K>(locs));
  else
    return nullptr;
}
/// Partial of the k-th active operand, or 0 if there are fewer.
template <class L, std::size_t K, std::size_t Arity>
ADOLC_ALWAYS_INLINE double activePartial(const std::array<double, Arity> &p) {
  if constexpr (K < activeCount<L>())
    return p[static_cast<std::size_t>(activeOperand<L>(K))];
  else
    return 0.0;
}

/// Tangents of the result from those of the operands. Lane l of the result depends on lane l of the
/// operands only, so the result may be an operand.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE void tangents(const Lanes<P> &lanes, const std::array<double, Rule::arity> &x,
                                  double v, const auto *locs, double *out) {
  constexpr std::size_t n = activeCount<L>();
  static_assert(n <= 3);
  const std::size_t count = lanes.count();
  if constexpr (n == 0) {
    for (std::size_t l = 0; l < count; ++l)
      out[l] = 0.0;
    return;
  }
  const auto all = ops::partials<Rule>(x, v);
  const double p0 = activePartial<L, 0>(all), p1 = activePartial<L, 1>(all),
               p2 = activePartial<L, 2>(all);
  const double *const row0 = activeRow<L, 0>(lanes, locs);
  const double *const row1 = activeRow<L, 1>(lanes, locs);
  const double *const row2 = activeRow<L, 2>(lanes, locs);
  if constexpr (mayBeSingular<Rule, L>()) {
    const bool finite = ops::finiteValueMeansFinitePartials<Rule>
                            ? std::isfinite(v)
                            : std::isfinite(p0) && std::isfinite(p1) && std::isfinite(p2);
    if (!finite) [[unlikely]] {
      const double *const rows[] = {row0, row1, row2};
      const double p[] = {p0, p1, p2};
      maskedTangents(out, rows, p, n, count, sideOf<Rule>(x));
      return;
    }
  }
  // A partial of exactly 0 of a rule with pieces means that the operand is not selected.
  constexpr bool selects = ops::isNonSmooth<Rule>;
  const auto term = [](double p, double tangent) {
    return selects && p == 0.0 ? 0.0 : p * tangent;
  };
  for (std::size_t l = 0; l < count; ++l) {
    double sum = term(p0, row0[l]);
    if constexpr (n > 1)
      sum += term(p1, row1[l]);
    if constexpr (n > 2)
      sum += term(p2, row2[l]);
    out[l] = sum;
  }
}

/// One-sided derivative on a kink: the function itself, of the tangents, unless the rule knows
/// better. True if a lane moved.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE bool kinkTangents(const Lanes<P> &lanes,
                                      const std::array<double, Rule::arity> &x, const auto *locs,
                                      double *out) {
  bool moved = false;
  for (std::size_t l = 0; l < lanes.count(); ++l) {
    std::array<double, Rule::arity> tangent{};
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((tangent[static_cast<std::size_t>(activeOperand<L>(K))] =
            lanes.row(activeLocation<L, K>(locs))[l]),
       ...);
    }
    (std::make_index_sequence<activeCount<L>()>{});
    for (const double t : tangent)
      moved = moved || t != 0.0;
    if constexpr (ops::hasOneSided<Rule>)
      out[l] = ADOLC_CALL_RULE(Rule, oneSided, std::tuple_cat(tangent, x));
    else
      out[l] = ADOLC_CALL_RULE(Rule, value, tangent);
  }
  return moved;
}

/// One operand's share: row[l] += p·w[l], or row[l] = p·w[l] where the operand is the overwritten
/// result itself. (0 + p·w, so that an adjoint is never -0 and results do not depend on lanes.)
template <class Rule, class L, int P, std::size_t K>
ADOLC_ALWAYS_INLINE void shareAdjoints(const Lanes<P> &lanes, double p, const auto *locs,
                                       const double *w) {
  constexpr int i = activeOperand<L>(K);
  constexpr bool overwritten = L::slots[i] == ops::Slot::Result;
  if constexpr (overwritten && ops::unitPartial<Rule>(i))
    return; // the row holds w
  const std::size_t count = lanes.count();
  double *const row = lanes.row(activeLocation<L, K>(locs));
  // A single lane is not 0 here, so it needs no mask.
  constexpr bool mayNeedMask = P != 1 && !ops::constantPartial<Rule>(i);
  const bool skipped = ops::isNonSmooth<Rule> && p == 0.0;
  const bool masked = mayNeedMask && !std::isfinite(p);
  if (!skipped && !masked) [[likely]] {
    for (std::size_t l = 0; l < count; ++l)
      row[l] = (overwritten ? 0.0 : row[l]) + p * w[l];
    return;
  }
  if constexpr (overwritten)
    for (std::size_t l = 0; l < count; ++l)
      row[l] = 0.0;
  if (masked)
    maskedAdjoints(row, p, w, count);
}

/// The shares of all active operands from K on whose being overwritten is `Overwritten`.
template <class Rule, class L, int P, bool Overwritten, std::size_t K = 0>
ADOLC_ALWAYS_INLINE void shareAll(const Lanes<P> &lanes, const std::array<double, Rule::arity> &p,
                                  const auto *locs, const double *w) {
  if constexpr (K < activeCount<L>()) {
    constexpr int i = activeOperand<L>(K);
    if constexpr ((L::slots[i] == ops::Slot::Result) == Overwritten)
      shareAdjoints<Rule, L, P, K>(lanes, p[static_cast<std::size_t>(i)], locs, w);
    shareAll<Rule, L, P, Overwritten, K + 1>(lanes, p, locs, w);
  }
}

/// Gives the result's adjoints w to the operands. If the result is an operand, its row still holds
/// w and is replaced; otherwise its row has been zeroed.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE void adjoints(const Lanes<P> &lanes, const std::array<double, Rule::arity> &x,
                                  double v, const auto *locs, const double *w) {
  if constexpr (activeCount<L>() > 0) {
    const auto p = ops::partials<Rule>(x, v);
    // The overwritten operand first: another one may be the same variable.
    shareAll<Rule, L, P, true>(lanes, p, locs, w);
    shareAll<Rule, L, P, false>(lanes, p, locs, w);
  }
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
