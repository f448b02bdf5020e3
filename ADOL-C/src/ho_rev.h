/// @file ho_rev.h
/// Adjoint polynomials: the reverse interpreter (reverse_loop.h) of higher order. For every
/// location it has the coefficients of the curve, or of A curves, as they were when the operation
/// was executed, and A adjoint polynomials. An operation v = f(x) multiplies series:
///
///   x̄_i(t) += v̄(t) p_i(t),  p_i = (∂f/∂x_i)(x(t)).
///
/// Instances: one adjoint, or kCurves of them on a curve each, which may be the same one; of any
/// degree (D = 0), or of degree 1, the second-order adjoint.
#pragma once

#include "interp/kinks.h"
#include "interp/propagation.h"
#include "interp/reverse_loop.h"
#include "interp/singularity.h"

#include <cstring>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// Σ p_j w_{k-j} over 0 <= j <= k, without the terms of zero weights.
ADOLC_COLD inline double maskedConvolution(double p0, const double *p, std::size_t strideP,
                                           const double *w, std::size_t strideW, std::size_t k) {
  double sum = w[k * strideW] != 0.0 ? p0 * w[k * strideW] : 0.0;
  for (std::size_t j = 1; p != nullptr && j <= k; ++j)
    if (const double weight = w[(k - j) * strideW]; weight != 0.0)
      sum += p[(j - 1) * strideP] * weight;
  return sum;
}

template <int A, int D> class TaylorAdjoints {
  /// Chunks of adjoints, and of the curves that belong to them.
  static constexpr int W = A == 1 ? 1 : kWide;

public:
  struct Layout {
    Degree<D> degree;
    std::size_t entryWidth;  ///< of the Taylor stack
    std::size_t entryStride; ///< from one coefficient of an entry to the next one
    std::size_t entryLane;   ///< the first one of this sweep
    bool sameCurve;          ///< for all adjoints
  };
  static std::size_t pitchOfCurves(std::size_t degree) {
    return A != 1 || D == 1 ? degree * A : (degree + kRowPadding - 1) / kRowPadding * kRowPadding;
  }
  static std::size_t pitchOfAdjoints(std::size_t degree) {
    return A != 1 || D == 1 ? (degree + 1) * A : (degree + kRowPadding) / kRowPadding * kRowPadding;
  }
  static std::size_t scratchDoubles(std::size_t degree) {
    return scratchSize(degree) + pitchOfAdjoints(degree) + 2 * kRowPadding +
           2 * pitchOfCurves(degree);
  }

  /// Rows by location for curves and adjoints, and scratchDoubles(degree).
  TaylorAdjoints(const Layout &layout, double *curves, double *adjoints, double *scratch)
      : layout_(layout), curves_(curves), adjoints_(adjoints), zeros_(scratch),
        result_(zeros_ + pitchOfCurves(layout.degree)),
        weights_(result_ + pitchOfCurves(layout.degree) + kRowPadding),
        scratch_(weights_ + pitchOfAdjoints(layout.degree) + kRowPadding) {
    std::fill(scratch, scratch_, 0.0);
  }

  TaylorAdjoints shifted(std::size_t base) const {
    TaylorAdjoints a = *this;
    a.curves_ = curve(base);
    a.adjoints_ = adjoint(base);
    return a;
  }
  void begin(std::size_t locations) const {
    std::memset(adjoints_, 0, locations * pitchOfAdjoints(layout_.degree) * sizeof(double));
    if constexpr (kPoison)
      std::fill_n(curves_, locations * pitchOfCurves(layout_.degree), kPoisonValue);
  }
  ADOLC_ALWAYS_INLINE void loadEntry(double *v, std::size_t loc, const double *entry) const {
    v[loc] = *entry;
    double *const to = curve(loc);
    const double *from = entry + 1 + layout_.entryLane;
    if constexpr (A == 1 && D == 0) { // as its entries have one lane
      const std::size_t d = layout_.degree;
      std::size_t k = 0;
      for (; k + 2 <= d; k += 2)
        store<2>(to + k, load<2>(from + k));
      if (k < d)
        to[k] = from[k];
      return;
    }
    for (std::size_t k = 0; k < layout_.degree; ++k, from += layout_.entryStride)
      if (A != 1 && layout_.sameCurve)
        std::fill_n(to + k * A, A, *from);
      else
        std::memcpy(to + k * A, from, A * sizeof(double));
  }
  template <bool Save, class Loc>
  ADOLC_ALWAYS_INLINE void restore(Cursor<Loc> &c, double *v, std::size_t loc) const {
    restoreFrom(c.tay, v, loc, Save);
  }
  ADOLC_ALWAYS_INLINE void restoreFrom(double *&tay, double *v, std::size_t loc, bool save) const {
    if (save) {
      tay -= layout_.entryWidth;
      loadEntry(v, loc, tay);
    } else if constexpr (kPoison) {
      v[loc] = kPoisonValue;
      std::fill_n(curve(loc), pitchOfCurves(layout_.degree), kPoisonValue);
    }
  }

  template <OPCODES Op, class Rule, class L, bool Save, class Loc>
  ADOLC_ALWAYS_INLINE void step(OpCell cell, Cursor<Loc> &c, double *v, const double *params,
                                int &code) const {
    c.loc -= L::numLocs + 1;
    c.val -= L::numVals;
    if constexpr (D == 1 && (hasConstantPartials<Rule, L>() || ops::trivialPartials<Rule>()))
      apply<Rule, L>(Op, cell, c.loc, c.val, v, params, c.tay, code, Save);
    else
      call<Rule, L, Save>(Op, cell, c, v, params, code);
    if constexpr (Op == eq_plus_prod_d && !Save)
      continueScaled(c);
  }

  ADOLC_ALWAYS_INLINE void take(const TaylorReverse &sweep, std::size_t independent,
                                std::size_t loc) const {
    double *const row = adjoint(loc);
    for (std::size_t l = 0; l < (A == 1 ? 1 : sweep.lanes); ++l) {
      double *const to = sweep.result(l, independent);
      for (std::size_t k = 0; k <= layout_.degree; ++k)
        to[k] = row[k * A + l] + (sweep.accumulate ? to[k] : 0.0); // + 0: never -0
    }
    clear(row);
  }
  ADOLC_ALWAYS_INLINE void give(const TaylorReverse &sweep, std::size_t dependent,
                                std::size_t loc) const {
    double *const row = adjoint(loc);
    for (std::size_t l = 0; l < sweep.lanes; ++l)
      for (std::size_t k = 0; k <= layout_.degree; ++k)
        row[k * A + l] += sweep.weight(l, dependent, k);
  }

private:
  /// The operations before one of s += c x that add to s, too: its adjoint stays as it is.
  ///   x̄ += c s̄
  template <class Loc> ADOLC_ALWAYS_INLINE void continueScaled(Cursor<Loc> &c) const {
    const Loc sum = c.loc[1];
    if (kPoison || !continuesScaled(c.op, c.loc, sum))
      return;
    const std::ptrdiff_t count = addScaled(c.op, c.loc, c.val, sum);
    c.op -= count;
    c.loc -= 2 * count;
    c.val -= count;
  }
  template <class Loc>
  ADOLC_ALWAYS_INLINE static bool continuesScaled(const OpCell *op, const Loc *loc, Loc sum) {
    if (*op != opCell(eq_plus_prod_d, false)) [[unlikely]]
      return false;
    if (loc[-1] != sum) [[unlikely]]
      return false;
    if (loc[-2] == sum) [[unlikely]]
      return false;
    return true;
  }
  /// A function of its own, so that the compiler keeps the loops in one piece, and aligned.
  template <class Loc>
  ADOLC_NOINLINE std::ptrdiff_t addScaled(const OpCell *op, const Loc *loc, const double *val,
                                          Loc sum) const {
    double *const adjoints = adjoints_;
    const std::size_t pitch = pitchOfAdjoints(layout_.degree);
    const double *const w = adjoints + sum * pitch;
    const auto run = [&](const auto &addOne) {
      for (std::ptrdiff_t i = -1;; --i) {
        addOne(adjoints + loc[2 * i] * pitch, val[i]);
        if (!continuesScaled(op + i, loc + 2 * i, sum)) [[unlikely]]
          return -i;
      }
    };
    if constexpr (A == 1 && D == 1)
      if (const auto slopes = load<2>(w); slopes[0] != 0.0 && slopes[1] != 0.0) // any c will do
        return run([&](double *to, double c) { store<2>(to, load<2>(to) + c * slopes); });
    return run([&](double *to, double c) { add(to, c, w); });
  }
  /// What takes time is a call, and the interpreter stays small.
  template <class Rule, class L, bool Save, class Loc>
  ADOLC_ALWAYS_INLINE void call(OPCODES op, OpCell cell, Cursor<Loc> &c, double *v,
                                const double *params, int &code) const {
    std::array<LocCell, L::numLocs + 1> locs;
    std::copy_n(c.loc, locs.size(), locs.begin());
    c.tay = applyApart<Rule, L>(op, cell, locs, c.val, v, params, c.tay, code, Save);
  }
  template <class Rule, class L>
  ADOLC_NOINLINE double *applyApart(OPCODES op, OpCell cell,
                                    const std::array<LocCell, L::numLocs + 1> &locs,
                                    const double *vals, double *v, const double *params,
                                    double *tay, int &code, bool save) const {
    apply<Rule, L>(op, cell, locs.data(), vals, v, params, tay, code, save);
    return tay;
  }

  template <class Rule, class L>
  ADOLC_ALWAYS_INLINE void apply(OPCODES op, OpCell cell, const auto *locs, const double *vals,
                                 double *v, const double *params, double *&tay, int &code,
                                 bool save) const {
    const std::size_t result = locs[L::numLocs];
    const double value = v[result];
    const double *resultCurve = curve(result);
    if constexpr ((ops::needs<Rule, L>() & ops::kResult) != 0)
      if (save || kPoison) {
        std::memcpy(result_, resultCurve, pitchOfCurves(layout_.degree) * sizeof(double));
        resultCurve = result_;
      }
    restoreFrom(tay, v, result, save);
    double *const w = adjoint(result);
    if constexpr (activeCount<L>() == 0) {
      clear(w);
    } else {
      if (!moves(w))
        return;
      const auto x = readOperands<L>(locs, vals, v, params);
      [[maybe_unused]] const bool onKink = noteCode<Rule, L>(cell, x, code);
      if constexpr (hasConstantPartials<Rule, L>())
        scale<Rule, L>(x, value, locs, w, onKink);
      else
        multiply<Rule, L>(op, x, value, resultCurve, locs, w, code);
    }
  }

  double *curve(std::size_t loc) const { return curves_ + loc * pitchOfCurves(layout_.degree); }
  double *adjoint(std::size_t loc) const {
    return adjoints_ + loc * pitchOfAdjoints(layout_.degree);
  }
  /// Numbers that one instruction works on in rows of adjoints.
  static constexpr std::size_t V = A != 1 ? kWide : D == 1 && kOrders > 2 ? 2 : kOrders;

  ADOLC_ALWAYS_INLINE void clear(double *row) const {
    const std::size_t n = pitchOfAdjoints(layout_.degree);
    for (std::size_t i = 0; i < n; i += V)
      store<V>(row + i, Chunk<V>{});
  }
  /// Whether any adjoint differs from 0.
  ADOLC_ALWAYS_INLINE bool moves(const double *row) const {
    std::uint64_t any = 0;
    const std::size_t n = (layout_.degree + 1) * A;
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t bits;
      std::memcpy(&bits, row + i, sizeof bits);
      any |= bits;
    }
    return any << 1 != 0;
  }
  /// The adjoints of a result, out of its row: w_{-V} … w_{-1} are zeros.
  template <bool Keeps = false> ADOLC_ALWAYS_INLINE const double *takeWeights(double *row) const {
    const std::size_t n = pitchOfAdjoints(layout_.degree);
    for (std::size_t i = 0; i < n; i += V) {
      store<V>(weights_ + i, load<V>(row + i));
      if constexpr (!Keeps)
        store<V>(row + i, Chunk<V>{});
    }
    return weights_;
  }

  // ── partials that are the same at all orders ──────────────────────────────────────────────────

  /// row += p w.
  ADOLC_ALWAYS_INLINE void add(double *row, double p, const double *w) const {
    const std::size_t n = pitchOfAdjoints(layout_.degree);
    if (std::isfinite(p)) [[likely]]
      for (std::size_t i = 0; i < n; i += V)
        store<V>(row + i, load<V>(row + i) + p * load<V>(w + i));
    else
      for (std::size_t i = 0; i < n; ++i)
        row[i] += w[i] != 0.0 ? p * w[i] : 0.0;
  }

  template <class Rule, class L>
  ADOLC_ALWAYS_INLINE void scale(const std::array<double, Rule::arity> &x, double v,
                                 const auto *locs, double *row, bool onKink) const {
    if constexpr (ops::hasTie<Rule>)
      if (onKink) [[unlikely]] {
        leavePiece<Rule, L>(x, v, locs, row);
        return;
      }
    const auto p = ops::partials<Rule>(x, v);
    constexpr bool keepsRow = passesThrough<Rule, L>();
    const double *const w = keepsRow ? row : takeWeights(row);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      const auto one = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
        constexpr int i = activeOperand<L>(k);
        if constexpr (!(keepsRow && L::slots[i] == ops::Slot::Result)) {
          const double pi = p[static_cast<std::size_t>(i)];
          if (!ops::isNonSmooth<Rule> || pi != 0.0)
            add(adjoint(activeLocation<L, k>(locs)), pi, w);
        }
      };
      (one(std::integral_constant<std::size_t, K>{}), ...);
    }
    (std::make_index_sequence<activeCount<L>()>{});
  }
  /// The result is an operand whose adjoint passes through: its row stays.
  template <class Rule, class L> static constexpr bool passesThrough() {
    for (int i = 0; i < Rule::arity; ++i)
      if (L::slots[i] == ops::Slot::Result && ops::unitPartial<Rule>(i))
        return true;
    return false;
  }

  template <class Rule, class L>
  ADOLC_COLD void leavePiece(const std::array<double, Rule::arity> &x, double v, const auto *locs,
                             double *row) const {
    const double *const w = takeWeights(row);
    constexpr auto active = std::make_index_sequence<activeCount<L>()>{};
    for (std::size_t l = 0; l < A; ++l) {
      CurveOnKink<Rule::arity> curveHere{{}, A, layout_.degree};
      std::array<double *, Rule::arity> to{};
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((curveHere.x[static_cast<std::size_t>(activeOperand<L>(K))] =
              curve(activeLocation<L, K>(locs)) + l),
         ...);
        ((to[static_cast<std::size_t>(activeOperand<L>(K))] =
              adjoint(activeLocation<L, K>(locs)) + l),
         ...);
      }
      (active);
      const auto p = partialsOnKink<Rule>(x, v, curveHere);
      for (std::size_t i = 0; i < to.size(); ++i)
        if (to[i] != nullptr && p[i] != 0.0)
          for (std::size_t k = 0; k <= layout_.degree; ++k)
            if (const double weight = w[k * A + l]; weight != 0.0)
              to[i][k * A] += p[i] * weight;
    }
  }

  // ── partials that are series ──────────────────────────────────────────────────────────────────

  /// The operands that get a share; not the one whose adjoint passes through.
  template <class Rule, class L> static constexpr ops::Operands activeOperands() {
    ops::Operands bits = 0;
    for (int i = 0; i < L::arity; ++i)
      if (L::active(i) && !(L::slots[i] == ops::Slot::Result && ops::unitPartial<Rule>(i)))
        bits |= ops::operand(i);
    return bits;
  }

  /// Rows of the operands and where their shares go; of numbers zeros and nullptr.
  template <std::size_t N> struct Rows { std::array<double *, N> curve, adjoint; };
  template <class Rule, class L>
  ADOLC_ALWAYS_INLINE void multiply(OPCODES op, const std::array<double, Rule::arity> &x, double v,
                                    const double *resultCurve, const auto *locs, double *row,
                                    int &code) const {
    Rows<Rule::arity> rows;
    rows.curve.fill(zeros_);
    rows.adjoint.fill(nullptr);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((rows.curve[static_cast<std::size_t>(activeOperand<L>(K))] =
            curve(activeLocation<L, K>(locs))),
       ...);
      ((rows.adjoint[static_cast<std::size_t>(activeOperand<L>(K))] =
            (activeOperands<Rule, L>() & ops::operand(activeOperand<L>(K))) != 0
                ? adjoint(activeLocation<L, K>(locs))
                : nullptr),
       ...);
    }
    (std::make_index_sequence<activeCount<L>()>{});
    constexpr bool keeps = passesThrough<Rule, L>();
    if constexpr (D == 1)
      multiplySlopes<Rule, activeOperands<Rule, L>(), keeps>(op, x, v, resultCurve, rows, row,
                                                             code);
    else if constexpr (ops::trivialPartials<Rule>())
      multiplySeries<Rule, activeOperands<Rule, L>(), keeps>(op, x, v, resultCurve, rows, row,
                                                             code);
    else // shared by all layouts of the rule
      multiplySeriesApart<Rule, activeOperands<Rule, L>(), keeps>(op, x, v, resultCurve, rows, row,
                                                                  code);
  }

  template <class Rule>
  ADOLC_ALWAYS_INLINE SeriesOperation<Rule, W>
  operation(const std::array<double, Rule::arity> &x, double v, const double *resultCurve,
            const Rows<Rule::arity> &rows, std::size_t l) const {
    SeriesOperation<Rule, W> op{x, v, {}, {const_cast<double *>(resultCurve) + l, A}};
    for (std::size_t i = 0; i < rows.curve.size(); ++i)
      op.x[i] = {rows.curve[i] + l, A};
    return op;
  }

  /// Degree 1: x̄_0 += p_0 w_0, x̄_1 += p_0 w_1 + p_1 w_0, in registers. A product that is subtracted
  /// is one that is added with the adjoint -w.
  template <class Rule, ops::Operands Wanted, bool Keeps>
  ADOLC_ALWAYS_INLINE void multiplySlopes(OPCODES op, const std::array<double, Rule::arity> &x,
                                          double v, const double *resultCurve,
                                          const Rows<Rule::arity> &rows, double *row,
                                          int &code) const {
    constexpr bool minus = std::is_same_v<Rule, ops::MulSub>;
    using Effective = std::conditional_t<minus, ops::MulAdd, Rule>;
    PartialSeriesOf<Effective, W> p;
    for (std::size_t l = 0; l < A; l += W) {
      Scratch scratch{scratch_};
      if (!Propagation<Effective>::template partials<Wanted>(
              operation<Effective>(x, v, resultCurve, rows, l), Degree<1>(1), scratch, p))
          [[unlikely]] {
        passSingularity(op, x.data(), v, resultCurve, rows.curve.data(), rows.adjoint.data(),
                        x.size(), takeWeights<Keeps>(row), code);
        return;
      }
      Chunk<W> w0 = load<W>(row + l), w1 = load<W>(row + A + l);
      if constexpr (!Keeps) {
        store<W>(row + l, Chunk<W>{});
        store<W>(row + A + l, Chunk<W>{});
      }
      if constexpr (minus) {
        w0 = -w0;
        w1 = -w1;
      }
      const auto share = [&]<int I>(std::integral_constant<int, I>) {
        if constexpr ((Wanted & ops::operand(I)) != 0) {
          double *const to0 = rows.adjoint[I] + l, *const to1 = to0 + A;
          Chunk<W> share0 = p[I].p0 * w0, share1 = p[I].p0 * w1;
          if constexpr (!ops::constantPartial<Rule>(I)) {
            const Chunk<W> p1 = p[I].later[1];
            share1 += p1 * w0;
            if (!allFinite<W>(share1)) [[unlikely]] {
              share0 = maskedSlope(p[I].p0, Chunk<W>{}, Chunk<W>{}, w0);
              share1 = maskedSlope(p[I].p0, p1, w0, w1);
            }
          }
          store<W>(to0, load<W>(to0) + share0);
          store<W>(to1, load<W>(to1) + share1);
        }
      };
      [&]<int... I>(std::integer_sequence<int, I...>) {
        (share(std::integral_constant<int, I>{}), ...);
      }
      (std::make_integer_sequence<int, Rule::arity>{});
    }
  }
  /// p_0 w_1 + p_1 w_0 without the terms of zero weights.
  ADOLC_COLD static Chunk<W> maskedSlope(double p0, const Chunk<W> &p1, const Chunk<W> &w0,
                                         const Chunk<W> &w1) {
    const auto term = [](double p, double w) { return w != 0.0 ? p * w : 0.0; };
    Chunk<W> sum{};
    if constexpr (W == 1) {
      sum = term(p0, w1) + term(p1, w0);
    } else {
      for (int i = 0; i < W; ++i) {
        sum[i] = term(p0, w1[i]) + term(p1[i], w0[i]);
      }
    }
    return sum;
  }

  template <class Rule, ops::Operands Wanted, bool Keeps>
  ADOLC_NOINLINE void multiplySeriesApart(OPCODES op, const std::array<double, Rule::arity> &x,
                                          double v, const double *resultCurve,
                                          const Rows<Rule::arity> &rows, double *row,
                                          int &code) const {
    multiplySeries<Rule, Wanted, Keeps>(op, x, v, resultCurve, rows, row, code);
  }
  template <class Rule, ops::Operands Wanted, bool Keeps>
  ADOLC_ALWAYS_INLINE void multiplySeries(OPCODES op, const std::array<double, Rule::arity> &x,
                                          double v, const double *resultCurve,
                                          const Rows<Rule::arity> &rows, double *row,
                                          int &code) const {
    const double *const w = takeWeights<Keeps>(row);
    PartialSeriesOf<Rule, W> p;
    for (std::size_t l = 0; l < A; l += W) {
      Scratch scratch{scratch_};
      if (!Propagation<Rule>::template partials<Wanted>(operation<Rule>(x, v, resultCurve, rows, l),
                                                        layout_.degree, scratch, p)) [[unlikely]] {
        passSingularity(op, x.data(), v, resultCurve, rows.curve.data(), rows.adjoint.data(),
                        x.size(), w, code);
        return;
      }
      for (std::size_t i = 0; i < p.size(); ++i)
        if ((Wanted & ops::operand(static_cast<int>(i))) != 0)
          addProduct(p[i], w + l, rows.adjoint[i] + l);
    }
  }

  /// The same for a low degree, with nothing to count.
  template <std::size_t d>
  ADOLC_ALWAYS_INLINE void addFixed(const PartialSeries<W> &p, const double *w, double *to) const {
    std::array<double, d + 1> share;
#pragma GCC unroll 8
    for (std::size_t k = 0; k <= d; ++k) {
      share[k] = p.p0 * w[k];
      if (p.later.data != nullptr)
#pragma GCC unroll 8
        for (std::size_t j = 1; j <= k; ++j)
          share[k] += p.later.data[j - 1] * w[k - j];
    }
    if (!std::isfinite(share[d])) [[unlikely]] {
      addMasked(p, w, to);
      return;
    }
#pragma GCC unroll 8
    for (std::size_t k = 0; k <= d; ++k)
      to[k] += share[k];
  }

  /// to += p w.
  ADOLC_ALWAYS_INLINE void addProduct(const PartialSeries<W> &p, const double *w,
                                      double *to) const {
    const std::size_t d = layout_.degree;
    if constexpr (A == 1 && kOrders > 1) {
      switch (d) {
#define ADOLC_CASE_OF_DEGREE(k)                                                                    \
  case k:                                                                                          \
    return addFixed<k>(p, w, to);
        ADOLC_CASE_OF_DEGREE(2)
        ADOLC_CASE_OF_DEGREE(3)
        ADOLC_CASE_OF_DEGREE(4)
        ADOLC_CASE_OF_DEGREE(5)
        ADOLC_CASE_OF_DEGREE(6)
#undef ADOLC_CASE_OF_DEGREE
      default:
        break;
      }
      for (std::size_t K = 0; K <= d; K += V) {
        const std::size_t terms = p.later.data == nullptr ? 0 : std::min(K + V - 1, d);
        Chunk<kOrders> sum = p.p0 * load<kOrders>(w + K);
        for (std::size_t j = 1; j <= terms; ++j)
          sum += p.later.data[j - 1] * load<kOrders>(w + K - j);
        if (firstFinite<kOrders>(sum, d + 1 - K)) [[likely]]
          store<kOrders>(to + K, load<kOrders>(to + K) + sum);
        else
          for (std::size_t k = K; k < std::min(K + V, d + 1); ++k)
            to[k] += maskedConvolution(p.p0, p.later.data, 1, w, 1, k);
      }
    } else {
      // Order d depends on all that the others do: if it is finite, they are.
      for (std::size_t k = d + 1; k-- > 0;) {
        Chunk<W> sum = p.p0 * load<W>(w + k * A);
        if (p.later.data != nullptr)
          for (std::size_t j = 1; j <= k; ++j)
            sum += p.later[j] * load<W>(w + (k - j) * A);
        if (k == d && !allFinite<W>(sum)) [[unlikely]] {
          addMasked(p, w, to);
          return;
        }
        store<W>(to + k * A, load<W>(to + k * A) + sum);
      }
    }
  }
  ADOLC_COLD void addMasked(const PartialSeries<W> &p, const double *w, double *to) const {
    for (std::size_t l = 0; l < W; ++l)
      for (std::size_t k = 0; k <= layout_.degree; ++k)
        to[k * A + l] +=
            maskedConvolution(p.p0, p.later.data == nullptr ? nullptr : p.later.data + l,
                              p.later.stride, w + l, A, k);
  }

  void passSingularity(OPCODES op, const double *x, double v, const double *resultCurve,
                       double *const *curves, double *const *adjoints, std::size_t arity,
                       const double *weights, int &code) const {
    lower(code, adjointsAtSingularity({op, layout_.degree, A, arity, x, v, curves}, resultCurve,
                                      weights, adjoints));
  }

  Layout layout_;
  double *curves_, *adjoints_, *zeros_, *result_, *weights_, *scratch_;
};

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
