/// @file interp/lanes.h
/// The derivative data of a sweep: for every location a row of lanes (tangents or adjoints), all
/// lanes of one location together, and the two kernels that every elemental shares.
///
/// Zero contributes nothing: a term whose tangent or adjoint is exactly 0 vanishes even where the
/// partial is infinite or NaN. The partial is tested once per operation: finite partials take the
/// straight path; others the masked one. So results do not depend, to the last bit, on the number
/// of lanes. (Of zeros inside a reverse sweep the
/// sign may; its results are normalised to +0.)
#pragma once

#include <adolc/ops/derive.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

// The kernels are compiled once per instruction set (see instruction_sets.h); each has a namespace
// of its own, so that the linker never mixes them. The rules and other inline functions that they
// share with the rest have not: the build sees to it that they are inlined (ADOL-C/CMakeLists.txt).
#ifndef ADOLC_INSTRUCTION_SET
#define ADOLC_INSTRUCTION_SET baseline
#endif

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// P lanes per location. Sweeps of any other number are made of strips (sweep.h).
template <int P> struct Lanes {
  double *data = nullptr;

  static constexpr std::size_t count = P;
  ADOLC_ALWAYS_INLINE double *row(std::size_t loc) const { return data + loc * count; }
  /// The same for a segment whose locations are relative to a base.
  Lanes shifted(std::size_t base) const { return {row(base)}; }
  std::size_t pitch() const { return count; }
  /// Zeros for locations first … first+n-1.
  void clear(std::size_t first, std::size_t n) const {
    std::memset(row(first), 0, n * count * sizeof(double));
  }
  /// Writes a row to the Taylor stack; returns the next entry there.
  ADOLC_ALWAYS_INLINE double *save(double *tay, std::size_t loc) const {
    std::memcpy(tay, row(loc), count * sizeof(double));
    return tay + count;
  }
};

/// A sweep without derivatives.
struct NoLanes {
  static constexpr std::size_t count = 0;
  double *data = nullptr;
  NoLanes shifted(std::size_t) const { return {}; }
  std::size_t pitch() const { return 0; }
  void clear(std::size_t, std::size_t) const {}
  double *save(double *tay, std::size_t) const { return tay; }
};

// ── chunks: what one instruction works on ───────────────────────────────────────────────────────

#if defined(__AVX512F__)
inline constexpr int kChunk = 8;
#elif defined(__AVX__)
inline constexpr int kChunk = 4;
#elif defined(__GNUC__)
inline constexpr int kChunk = 2;
#else
inline constexpr int kChunk = 1;
#endif

/// W neighbouring lanes. Slice is the type of those in memory: aligned as a double is, and nothing
/// but doubles, so that a compiler need not read locations and pointers again after every store.
/// (gcc lets vectors alias their elements; clang lets them alias anything.)
template <int W> struct ChunkType {
#if defined(__GNUC__)
  typedef double Type __attribute__((vector_size(W * sizeof(double))));
  typedef Type Slice __attribute__((aligned(alignof(double))));
#endif
};
template <> struct ChunkType<1> {
  using Type = double;
  using Slice = double;
};
template <int W> using Chunk = typename ChunkType<W>::Type;

template <int W> ADOLC_ALWAYS_INLINE Chunk<W> load(const double *p) {
  return *reinterpret_cast<const typename ChunkType<W>::Slice *>(p);
}
template <int W> ADOLC_ALWAYS_INLINE void store(double *p, const Chunk<W> &c) {
  *reinterpret_cast<typename ChunkType<W>::Slice *>(p) = c;
}

/// Calls f.operator()<W>(first lane) for chunks that cover all lanes. An operation is complete for
/// one chunk before the next one begins, so no row is ever copied aside.
template <int P, class F> ADOLC_ALWAYS_INLINE void forChunks(const Lanes<P> &, F &&f) {
  constexpr int width = P < kChunk ? P : kChunk;
  static_assert(P % width == 0);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f.template operator()<width>(I * width), ...);
  }
  (std::make_index_sequence<P / width>{});
}

/// Whether any lane of a row differs from 0 (NaN does).
template <int P> ADOLC_ALWAYS_INLINE bool anyNonZero(const Lanes<P> &, const double *row) {
  std::uint64_t any = 0;
  for (std::size_t l = 0; l < P; ++l) {
    std::uint64_t bits;
    std::memcpy(&bits, row + l, sizeof bits);
    any |= bits;
  }
  return any << 1 != 0; // all but the signs
}
template <int P>
ADOLC_ALWAYS_INLINE void copyRow(const Lanes<P> &lanes, double *to, const double *from) {
  forChunks(lanes, [&]<int W>(std::size_t l) { store<W>(to + l, load<W>(from + l)); });
}
template <int P> ADOLC_ALWAYS_INLINE void zeroRow(const Lanes<P> &lanes, double *row) {
  forChunks(lanes, [&]<int W>(std::size_t l) { store<W>(row + l, Chunk<W>{}); });
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

/// What a reverse step does with an operand: row[l] += p·w[l], or row[l] = p·w[l] where the operand
/// is the overwritten result itself. An operand that is not selected (a partial of exactly 0 of a
/// rule with pieces) gets nothing.
struct Share {
  double *row;
  double p;
  bool overwritten, selected;
};

/// The shares of a row of adjoints, the terms of zero adjoints left out; overwritten operands
/// first.
inline ADOLC_COLD void maskedShares(double *result, const Share *shares, std::size_t n,
                                    std::size_t lanes) {
  for (std::size_t l = 0; l < lanes; ++l) {
    const double w = result[l];
    result[l] = 0.0;
    for (const bool overwritten : {true, false})
      for (const Share *s = shares; s != shares + n; ++s)
        if (s->overwritten == overwritten && s->selected && w != 0.0)
          s->row[l] += s->p * w;
  }
}

/// Where the function is defined around a point with an infinite partial (see rules_elementary.h).
template <class Rule> double sideOf(const std::array<double, Rule::arity> &x) {
  if constexpr (!ops::hasSide<Rule>)
    return 0.0;
  else
    return ADOLC_CALL_RULE(Rule, side, x);
}

/// Row of the k-th active operand, or nullptr if there are fewer.
template <class L, std::size_t K, class LaneSet>
ADOLC_ALWAYS_INLINE const double *activeRow(const LaneSet &lanes, const auto *locs) {
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

/// Whether no partial of an active operand is infinite or NaN.
template <class Rule, class L>
ADOLC_ALWAYS_INLINE bool finitePartials(const std::array<double, Rule::arity> &p) {
  return std::isfinite(activePartial<L, 0>(p)) && std::isfinite(activePartial<L, 1>(p)) &&
         std::isfinite(activePartial<L, 2>(p));
}

/// A partial of exactly 0 of a rule with pieces means that the operand is not selected: then 0 in
/// place of its product. Without a branch, as nobody can foretell where max(x, 0) goes.
template <int W> ADOLC_ALWAYS_INLINE Chunk<W> ifSelected(double p, Chunk<W> product) {
  const std::uint64_t mask = p != 0.0 ? ~std::uint64_t{0} : 0;
  std::uint64_t bits[W];
  std::memcpy(bits, &product, sizeof bits);
  for (std::uint64_t &b : bits)
    b &= mask;
  std::memcpy(&product, bits, sizeof bits);
  return product;
}

/// Tangents of the result from those of the operands. Lane l of the result depends on lane l of the
/// operands only, so the result may be an operand.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE void tangents(const Lanes<P> &lanes, const std::array<double, Rule::arity> &x,
                                  double v, const auto *locs, double *out) {
  constexpr std::size_t n = activeCount<L>();
  static_assert(n <= 3);
  if constexpr (n == 0) {
    zeroRow(lanes, out);
    return;
  }
  const auto all = ops::partials<Rule>(x, v);
  double p0 = activePartial<L, 0>(all), p1 = activePartial<L, 1>(all),
         p2 = activePartial<L, 2>(all);
  if constexpr (ops::isNonSmooth<Rule>) { // numbers, not branches that compilers go on with
    p0 = ops::rounded(p0);
    p1 = ops::rounded(p1);
    p2 = ops::rounded(p2);
  }
  const double *const row0 = activeRow<L, 0>(lanes, locs);
  const double *const row1 = activeRow<L, 1>(lanes, locs);
  const double *const row2 = activeRow<L, 2>(lanes, locs);
  if constexpr (mayBeSingular<Rule, L>()) {
    const bool finite =
        ops::finiteValueMeansFinitePartials<Rule> ? std::isfinite(v) : finitePartials<Rule, L>(all);
    if (!finite) [[unlikely]] {
      const double *const rows[] = {row0, row1, row2};
      const double p[] = {p0, p1, p2};
      maskedTangents(out, rows, p, n, P, sideOf<Rule>(x));
      return;
    }
  }
  forChunks(lanes, [&]<int W>(std::size_t l) {
    const auto term = [l](double p, const double *row) -> Chunk<W> {
      const Chunk<W> product = p * load<W>(row + l);
      return ops::isNonSmooth<Rule> ? ifSelected<W>(p, product) : product;
    };
    Chunk<W> sum = term(p0, row0);
    if constexpr (n > 1)
      sum += term(p1, row1);
    if constexpr (n > 2)
      sum += term(p2, row2);
    store<W>(out + l, sum);
  });
}

/// One-sided derivative on a kink: the function itself, of the tangents, unless the rule knows
/// better. True if a lane moved.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE bool kinkTangents(const Lanes<P> &lanes,
                                      const std::array<double, Rule::arity> &x, const auto *locs,
                                      double *out) {
  bool moved = false;
  for (std::size_t l = 0; l < P; ++l) {
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

/// One operand's share of a chunk w (see Share).
template <class Rule, class L, int P, int W, std::size_t K>
ADOLC_ALWAYS_INLINE void share(const Lanes<P> &lanes, double p, const auto *locs, const Chunk<W> &w,
                               std::size_t l) {
  constexpr int i = activeOperand<L>(K);
  constexpr bool overwritten = L::slots[i] == ops::Slot::Result;
  if constexpr (overwritten && ops::unitPartial<Rule>(i))
    return; // the row holds w
  double *const row = lanes.row(activeLocation<L, K>(locs)) + l;
  const bool selected = !ops::isNonSmooth<Rule> || p != 0.0;
  if constexpr (overwritten)
    store<W>(row, selected ? p * w : Chunk<W>{});
  else if (selected)
    store<W>(row, load<W>(row) + p * w);
}

/// The shares of all active operands whose being overwritten is `Overwritten`.
template <class Rule, class L, int P, int W, bool Overwritten>
ADOLC_ALWAYS_INLINE void shareAll(const Lanes<P> &lanes, const std::array<double, Rule::arity> &p,
                                  const auto *locs, const Chunk<W> &w, std::size_t l) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const auto one = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
      constexpr int i = activeOperand<L>(k);
      if constexpr ((L::slots[i] == ops::Slot::Result) == Overwritten)
        share<Rule, L, P, W, k>(lanes, p[static_cast<std::size_t>(i)], locs, w, l);
    };
    (one(std::integral_constant<std::size_t, K>{}), ...);
  }
  (std::make_index_sequence<activeCount<L>()>{});
}

/// Takes the adjoints of the result from its row and gives each operand its share.
template <class Rule, class L, int P>
ADOLC_ALWAYS_INLINE void adjoints(const Lanes<P> &lanes, const std::array<double, Rule::arity> &x,
                                  double v, const auto *locs) {
  double *const row = lanes.row(locs[L::numLocs]);
  const auto p = ops::partials<Rule>(x, v);
  // A single lane is not 0 here, so it needs no mask. (Of the value nothing is known unless the
  // partials need it: it may not have been saved.)
  if constexpr (P != 1 && mayBeSingular<Rule, L>())
    if (!finitePartials<Rule, L>(p)) [[unlikely]] {
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        const Share shares[] = {{lanes.row(activeLocation<L, K>(locs)), activePartial<L, K>(p),
                                 L::slots[activeOperand<L>(K)] == ops::Slot::Result,
                                 !ops::isNonSmooth<Rule> || activePartial<L, K>(p) != 0.0}...};
        maskedShares(row, shares, sizeof...(K), P);
      }
      (std::make_index_sequence<activeCount<L>()>{});
      return;
    }
  forChunks(lanes, [&]<int W>(std::size_t l) {
    const auto w = load<W>(row + l);
    if constexpr (L::count(ops::Slot::Result) == 0)
      store<W>(row + l, Chunk<W>{});
    // The overwritten operand first: another one may be the same variable.
    shareAll<Rule, L, P, W, true>(lanes, p, locs, w, l);
    shareAll<Rule, L, P, W, false>(lanes, p, locs, w, l);
  });
}

/// Whether a reverse step first asks if any adjoint of its result differs from 0: where there is
/// something to save, to report, or, with one lane, to mask.
template <class Rule, class L, int P> constexpr bool asksForAdjoints() {
  if (ops::hasPiece<Rule> || ops::hasBoundary<Rule> || ops::hasTie<Rule>)
    return true;
  return P == 1 ? mayBeSingular<Rule, L>() : !ops::trivialPartials<Rule>();
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
