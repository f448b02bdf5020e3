/// @file interp/taylor_rows.h
/// The derivative data of a forward sweep of higher order: for every location a row with the
/// coefficients 1 … d of one curve, or of several, all curves of one order together. A lane set of
/// the forward interpreter (uni5_for.h).
#pragma once

#include "interp/kinks.h"
#include "interp/propagation.h"
#include "interp/singularity.h"
#include "interp/sweep.h"

#include <cstring>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// Chunks of W curves: W = 1 for a single one.
template <int W> class TaylorRows {
public:
  static constexpr bool isTaylors = true;

  /// Rows for `curves` curves, a multiple of kCurves or 1, in data, of pitch(degree, curves)
  /// doubles per location. `keep` coefficients, the value included, go to the Taylor stack, or
  /// none. `scratch` is scratchSize(degree) doubles and a row of zeros.
  TaylorRows(double *rows, std::size_t degree, std::size_t curves, std::size_t keep,
             double *scratch)
      : data(rows), degree_(degree), curves_(curves), pitch_(pitch(degree, curves)),
        keeps_(keep != 0), kept_(keeps_ ? (keep - 1) * curves : 0), scratch_(scratch),
        zeros_(scratch + scratchSize(degree)) {
    std::fill_n(zeros_, pitch_, 0.0);
  }
  static std::size_t pitch(std::size_t degree, std::size_t curves) {
    return curves > 1 ? degree * curves : (degree + kRowPadding - 1) / kRowPadding * kRowPadding;
  }

  double *data;
  std::size_t pitch() const { return pitch_; }
  ADOLC_ALWAYS_INLINE double *row(std::size_t loc) const { return data + loc * pitch_; }
  TaylorRows shifted(std::size_t base) const {
    TaylorRows rows = *this;
    rows.data = row(base);
    return rows;
  }
  void clear(std::size_t first, std::size_t n) const {
    std::memset(row(first), 0, n * pitch_ * sizeof(double));
  }
  bool keeps() const { return keeps_; }
  double *save(double *tay, std::size_t loc) const {
    std::memcpy(tay, row(loc), kept_ * sizeof(double));
    return tay + kept_;
  }

  /// The code of an operation is a call: whatever it does takes longer, and the interpreter stays
  /// small.
  template <OPCODES Op, class Rule, class L>
  ADOLC_ALWAYS_INLINE void propagate(const std::array<double, Rule::arity> &x, double v,
                                     const auto *locs, [[maybe_unused]] bool onKink,
                                     int &code) const {
    double *const out = row(locs[L::numLocs]);
    if constexpr (activeCount<L>() == 0) {
      std::memset(out, 0, pitch_ * sizeof(double));
    } else if constexpr (hasConstantPartials<Rule, L>()) {
      if constexpr (ops::hasTie<Rule>)
        if (onKink) [[unlikely]] {
          enterPiece<Rule>(x, v, rowsOf<Rule, L>(locs, nullptr), out, code);
          return;
        }
      combine<Rule, L>(x, v, locs, out);
    } else if constexpr (W == 1 && kWide != 1 && isProduct<Rule>()) {
      const auto rows = rowsOf<Rule, L>(locs, zeros_);
      if (!std::isfinite(v)) [[unlikely]]
        passSingularity(Op, x.data(), v, rows.data(), rows.size(), out, code);
      else
        productRow<std::is_same_v<Rule, ops::MulSub> ? -1 : 1, Rule::arity == 3>(
            degree_, x[0], rows[0], x[1], rows[1], rows.back(), out, scratch_);
    } else {
      follow<Rule>(Op, x, v, rowsOf<Rule, L>(locs, zeros_), out, code);
    }
  }

  /// The coefficients of an independent, from the caller's.
  void takeSeed(const TaylorForward &sweep, std::size_t independent, std::size_t loc) const {
    double *const to = row(loc);
    std::memset(to, 0, pitch_ * sizeof(double));
    for (std::size_t l = 0; l < sweep.directions; ++l) {
      if (const double *const seed = sweep.seed(independent, l); seed != nullptr)
        for (std::size_t k = 0; k < degree_; ++k)
          to[k * curves_ + l] = seed[k];
      else if (independent == sweep.firstUnit + l)
        to[l] = 1.0;
    }
  }
  /// The coefficients of a dependent, to the caller's.
  void giveResult(const TaylorForward &sweep, std::size_t dependent, std::size_t loc) const {
    const double *const from = row(loc);
    for (std::size_t l = 0; l < sweep.directions; ++l)
      if (double *const result = sweep.result(dependent, l); result != nullptr)
        for (std::size_t k = 0; k < degree_; ++k)
          result[k] = from[k * curves_ + l];
  }

private:
  template <std::size_t N> using Rows = std::array<const double *, N>;

  /// Rows of the operands of a rule; those of numbers are `number`.
  template <class Rule, class L>
  ADOLC_ALWAYS_INLINE Rows<Rule::arity> rowsOf(const auto *locs, const double *number) const {
    Rows<Rule::arity> rows;
    rows.fill(number);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((rows[static_cast<std::size_t>(activeOperand<L>(K))] = row(activeLocation<L, K>(locs))),
       ...);
    }
    (std::make_index_sequence<activeCount<L>()>{});
    return rows;
  }

  template <class Rule> static constexpr bool isProduct() {
    return std::is_same_v<Rule, ops::Mul> || std::is_same_v<Rule, ops::MulAdd> ||
           std::is_same_v<Rule, ops::MulSub> || std::is_same_v<Rule, ops::Fma>;
  }

  /// Σ p_i x_i at all orders. Of a rule with pieces a partial of 0 means: not selected.
  template <class Rule, class L>
  ADOLC_ALWAYS_INLINE void combine(const std::array<double, Rule::arity> &x, double v,
                                   const auto *locs, double *out) const {
    constexpr std::size_t active = activeCount<L>();
    constexpr bool selects = ops::isNonSmooth<Rule>;
    const auto all = ops::partials<Rule>(x, v);
    const double p[] = {activePartial<L, 0>(all), activePartial<L, 1>(all),
                        activePartial<L, 2>(all)};
    const double *const rows[] = {activeRow<L, 0>(*this, locs), activeRow<L, 1>(*this, locs),
                                  activeRow<L, 2>(*this, locs)};
    if constexpr (mayBeSingular<Rule, L>())
      if (!finitePartials<Rule, L>(all)) [[unlikely]] {
        maskedTangents(out, rows, p, active, pitch_, 0.0);
        return;
      }
    constexpr int V = W == 1 ? kOrders : kWide;
    std::size_t i = 0;
    do {
      Chunk<V> sum{};
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((sum = selects && p[K] == 0.0 ? sum
                : K == 0               ? p[K] * load<V>(rows[K] + i)
                                       : sum + p[K] * load<V>(rows[K] + i)),
         ...);
      }
      (std::make_index_sequence<active>{});
      store<V>(out + i, sum);
    } while ((i += V) < pitch_);
  }

  /// On a kink each curve may enter another piece.
  template <class Rule>
  ADOLC_COLD void enterPiece(const std::array<double, Rule::arity> &x, double v,
                             const Rows<Rule::arity> &rows, double *out, int &code) const {
    for (std::size_t l = 0; l < curves_; ++l) {
      CurveOnKink<Rule::arity> curve{rows, curves_, degree_};
      for (const double *&xi : curve.x)
        xi = xi == nullptr ? nullptr : xi + l;
      if (curve.moves())
        lower(code, 1);
      const auto p = partialsOnKink<Rule>(x, v, curve);
      for (std::size_t k = 1; k <= degree_; ++k) {
        const auto c = curve.coefficients(k);
        double sum = 0.0;
        for (std::size_t i = 0; i < c.size(); ++i)
          if (p[i] != 0.0)
            sum += p[i] * c[i];
        out[(k - 1) * curves_ + l] = sum;
      }
    }
  }

  template <class Rule>
  ADOLC_NOINLINE void follow(OPCODES opcode, const std::array<double, Rule::arity> &x, double v,
                             const Rows<Rule::arity> &rows, double *out, int &code) const {
    for (std::size_t l = 0; l < curves_; l += W) {
      SeriesOperation<Rule, W> op{x, v, {}, {out + l, curves_}};
      for (std::size_t i = 0; i < rows.size(); ++i)
        op.x[i] = {const_cast<double *>(rows[i]) + l, curves_};
      if (!Propagation<Rule>::forward(op, Degree<0>(degree_), Scratch{scratch_})) [[unlikely]] {
        passSingularity(opcode, x.data(), v, rows.data(), rows.size(), out, code);
        return;
      }
    }
  }

  void passSingularity(OPCODES op, const double *x, double v, const double *const *rows,
                       std::size_t arity, double *out, int &code) const {
    lower(code, seriesAtSingularity({op, degree_, curves_, arity, x, v, rows}, out));
  }

  std::size_t degree_, curves_, pitch_;
  bool keeps_;
  std::size_t kept_;
  double *scratch_, *zeros_;
};

template <int W>
ADOLC_ALWAYS_INLINE void takeSeed(const TaylorForward &sweep, std::size_t independent,
                                  const TaylorRows<W> &rows, std::size_t loc) {
  rows.takeSeed(sweep, independent, loc);
}
template <int W>
ADOLC_ALWAYS_INLINE void giveResult(const TaylorForward &sweep, std::size_t dependent,
                                    const TaylorRows<W> &rows, std::size_t loc) {
  rows.giveResult(sweep, dependent, loc);
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
