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

// The kernels are compiled once per instruction set (see instruction_sets.h); each has a namespace of
// its own, so that the linker never mixes them.
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

template <std::size_t N> ADOLC_ALWAYS_INLINE bool allFinite(const std::array<double, N> &p) {
  bool finite = true;
  for (const double pi : p)
    finite = finite && std::isfinite(pi);
  return finite;
}

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

/// out[l] = Σ p_k·row_k[l] with the terms of zero tangents left out. `side` is the direction in which
/// an infinite partial of the first operand is one-sided (0: both sides).
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

/// Tangents of the result from those of the operands. Lane l of the result depends on lane l of the
/// operands only, so the result may be an operand.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE void tangents(const Lanes<P> &lanes,
                                  const std::array<double, Rule::arity> &x, double v,
                                  const auto *locs, double *out) {
  constexpr std::size_t n = activeCount<L>();
  const std::size_t count = lanes.count();
  if constexpr (n == 0) {
    for (std::size_t l = 0; l < count; ++l)
      out[l] = 0.0;
  } else {
    const auto all = ops::partials<Rule>(x, v);
    std::array<double, n> p;
    std::array<const double *, n> rows;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((p[K] = all[static_cast<std::size_t>(activeOperand<L>(K))],
        rows[K] = lanes.row(activeLocation<L, K>(locs))),
       ...);
    }(std::make_index_sequence<n>{});
    if constexpr (mayBeSingular<Rule, L>())
      if (!allFinite(p)) [[unlikely]] {
        maskedTangents(out, rows.data(), p.data(), n, count, sideOf<Rule>(x));
        return;
      }
    if constexpr (ops::isNonSmooth<Rule>) {
      // A partial of exactly 0 means that the operand is not selected.
      for (std::size_t l = 0; l < count; ++l) {
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k)
          sum += p[k] != 0.0 ? p[k] * rows[k][l] : 0.0;
        out[l] = sum;
      }
      return;
    }
    for (std::size_t l = 0; l < count; ++l) {
      double sum = p[0] * rows[0][l];
      for (std::size_t k = 1; k < n; ++k)
        sum += p[k] * rows[k][l];
      out[l] = sum;
    }
  }
}

/// One-sided derivative on a kink: the function itself, of the tangents. True if a lane moved.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE bool kinkTangents(const Lanes<P> &lanes, const auto *locs, double *out) {
  bool moved = false;
  for (std::size_t l = 0; l < lanes.count(); ++l) {
    std::array<double, Rule::arity> tangent{};
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((tangent[static_cast<std::size_t>(activeOperand<L>(K))] =
            lanes.row(activeLocation<L, K>(locs))[l]),
       ...);
    }(std::make_index_sequence<activeCount<L>()>{});
    for (const double t : tangent)
      moved = moved || t != 0.0;
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
  const std::size_t count = lanes.count();
  double *const row = lanes.row(activeLocation<L, K>(locs));
  if constexpr (overwritten && !ops::unitPartial<Rule>(i))
    for (std::size_t l = 0; l < count; ++l)
      row[l] = 0.0;
  if constexpr (overwritten && ops::unitPartial<Rule>(i))
    return; // the row holds w
  if constexpr (ops::isNonSmooth<Rule>)
    if (p == 0.0)
      return;
  // A single lane is not 0 here, so it needs no mask.
  if constexpr (P != 1 && !ops::constantPartial<Rule>(i))
    if (!std::isfinite(p)) [[unlikely]] {
      maskedAdjoints(row, p, w, count);
      return;
    }
  for (std::size_t l = 0; l < count; ++l)
    row[l] = (overwritten ? 0.0 : row[l]) + p * w[l];
}

/// Gives the result's adjoints w to the operands. If the result is an operand, its row still holds w
/// and is replaced; otherwise its row has been zeroed.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE void adjoints(const Lanes<P> &lanes,
                                  const std::array<double, Rule::arity> &x, double v,
                                  const auto *locs, const double *w) {
  constexpr std::size_t n = activeCount<L>();
  if constexpr (n > 0) {
    const auto p = ops::partials<Rule>(x, v);
    const auto share = [&]<std::size_t... K>(std::index_sequence<K...>, bool overwritten) {
      ((void)(((L::slots[activeOperand<L>(K)] == ops::Slot::Result) == overwritten) &&
              (shareAdjoints<Rule, L, P, K>(
                   lanes, p[static_cast<std::size_t>(activeOperand<L>(K))], locs, w),
               true)),
       ...);
    };
    // The overwritten operand first: another one may be the same variable.
    share(std::make_index_sequence<n>{}, true);
    share(std::make_index_sequence<n>{}, false);
  }
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
