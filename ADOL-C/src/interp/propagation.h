/// @file interp/propagation.h
/// What each rule does with Taylor series: `forward`, the series of the result, and `partials`, the
/// series of the partial derivatives along the operands' curves, with which a reverse sweep
/// multiplies. Both return false, and have written nothing, where the result or a partial
/// derivative is not finite at order 0, or is not analytic there: singularity.h has what holds
/// then.
///
/// The default follows from the rule's relation (rules_arithmetic.h), one order k after the other:
///
///   k v_k = Σ_i Σ_{0<j<=k} j x_{i,j} num_{i,k-j}/den_0 - Σ_{0<j<k} j v_j den_{k-j}/den_0
///
/// (Griewank & Walther, Evaluating Derivatives, ch. 13). Numerators and denominators are divided by
/// den_0 first, so that no product overflows or vanishes where the result does not. The others are
/// relations with products of two operands, which need a series of their own, and products, which
/// need none.
#pragma once

#include "interp/series.h"

#include <adolc/ops/derive.h>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// An operation at a point. Operands that are numbers have series of zeros. `v` is written forward;
/// in reverse it is the result's, if the first partials read that.
template <class Rule, int W> struct SeriesOperation {
  static constexpr std::size_t arity = Rule::arity;
  std::array<double, arity> x0;
  double v0;
  std::array<Series<W>, arity> x;
  Series<W> v;
};

/// The series of a partial derivative.
template <int W> struct PartialSeries {
  double p0 = 0.0;
  Series<W> later; ///< not set if the partial is the same everywhere
};
template <class Rule, int W> using PartialSeriesOf = std::array<PartialSeries<W>, Rule::arity>;

template <std::size_t N> ADOLC_ALWAYS_INLINE bool allFinite(const std::array<double, N> &numbers) {
  bool finite = true;
  for (const double x : numbers)
    finite = finite && std::isfinite(x);
  return finite;
}

/// v_k for v = x^r:  k v_k = Σ (r j - (k-j)) x_j/x_0 v_{k-j}.
template <int W, class D>
ADOLC_ALWAYS_INLINE void powerSeries(D d, double r, double v0, double inverse, const Series<W> &x,
                                     const Series<W> &out, Scratch s) {
  const Series<W> g = s.series<W>(d), v = s.series<W>(d); // out may be x
  for (std::size_t k = 1; k <= d; ++k) {
    const double order = static_cast<double>(k);
    g.set(k, x[k] * inverse);
    Chunk<W> sum = (r * order * v0) * g[k];
    for (std::size_t j = 1; j < k; ++j)
      sum += (r * static_cast<double>(j) - static_cast<double>(k - j)) * (g[j] * v[k - j]);
    v.set(k, sum / order);
  }
  for (std::size_t k = 1; k <= d; ++k)
    out.set(k, v[k]);
}

/// v_k for dv = v dz:  k v_k = Σ j z_j v_{k-j}.
template <int W, class D>
ADOLC_ALWAYS_INLINE void exponentialSeries(D d, double v0, const Series<W> &z, const Series<W> &out,
                                           Scratch s) {
  if constexpr (!inBlocks<W, D>) {
    const Series<W> jz = s.series<W>(d), v = s.series<W>(d);
    for (std::size_t k = 1; k <= d; ++k) {
      jz.set(k, static_cast<double>(k) * z[k]);
      Chunk<W> sum = v0 * jz[k];
      for (std::size_t j = 1; j < k; ++j)
        sum += v[j] * jz[k - j];
      v.set(k, sum * (1.0 / static_cast<double>(k)));
    }
    for (std::size_t k = 1; k <= d; ++k)
      out.set(k, v[k]);
  } else {
    constexpr std::size_t V = kOrders;
    const std::size_t degree = d;
    double *const b = s.series<1>(degree).data + V, *const rest = s.series<1>(degree).data;
    store<kOrders>(b - V, Chunk<kOrders>{});
    for (std::size_t i = 0; i < degree; ++i) {
      b[i] = -(static_cast<double>(i + 1) * z.data[i]);
      rest[i] = -(v0 * b[i]);
    }
    substitute(degree, rest, b, out.data,
               [](std::size_t k) { return 1.0 / static_cast<double>(k); });
  }
}

/// l_k for l = log x:  k l_k = k x_k/x_0 - Σ j l_j x_{k-j}/x_0.
template <int W, class D>
ADOLC_ALWAYS_INLINE void logarithmSeries(D d, double inverse, const Series<W> &x,
                                         const Series<W> &out, Scratch s) {
  const Series<W> g = s.series<W>(d), jl = s.series<W>(d);
  for (std::size_t k = 1; k <= d; ++k) {
    const double order = static_cast<double>(k);
    g.set(k, x[k] * inverse);
    jl.set(k, order * g[k] - recurrence(jl, g, k));
    out.set(k, jl[k] / order);
  }
}

template <class Rule> struct RelationPropagation {
  static constexpr std::size_t n = Rule::arity;
  static constexpr auto all = std::make_index_sequence<n>{};

  /// What the relation is made of, at order 0; numerators divided by the denominator.
  struct AtPoint {
    std::array<double, n> num;
    double den, inverse, helper = 0.0, helperNum = 0.0, helperInverse = 1.0;

    AtPoint(const std::array<double, n> &x, double v) {
      if constexpr (ops::detail::hasHelper<Rule>) {
        helper = std::apply([v](auto... xi) { return Rule::helper(xi..., v); }, x);
        helperInverse = 1.0 / ops::detail::helperDenominator<Rule>(x[0], v, helper);
        helperNum = Rule::helperNum(x[0], v, helper) * helperInverse;
      }
      num = ops::detail::numerators<Rule>(x, v, helper, all);
      den = ops::detail::denominator<Rule>(x, v, helper, all);
      inverse = 1.0 / den;
      for (double &c : num)
        c *= inverse;
    }
    bool isRegular() const {
      return std::isfinite(den) && std::isfinite(inverse) && std::isfinite(helper) &&
             std::isfinite(helperNum) && std::isfinite(helperInverse);
    }
  };

  static constexpr bool hasHelper = ops::detail::hasHelper<Rule>;
  static constexpr bool helperFollowsResult = ops::detail::helperFollowsResult<Rule>;
  static constexpr bool denVaries = ops::detail::divides<Rule>();
  static constexpr bool numVaries(std::size_t i) {
    return ops::detail::numeratorMentions<Rule>(static_cast<int>(i)) != 0;
  }
  static constexpr bool numIsZero(std::size_t i) {
    return ops::detail::zeroNumerator<Rule>(static_cast<int>(i));
  }
  static constexpr ops::Operands mentions() {
    ops::Operands bits = ops::detail::denominatorMentions<Rule>();
    for (std::size_t i = 0; i < n; ++i)
      bits |= ops::detail::numeratorMentions<Rule>(static_cast<int>(i));
    if constexpr (hasHelper)
      bits |= ops::detail::helperNumeratorMentions<Rule>() |
              ops::detail::helperDenominatorMentions<Rule>();
    return bits;
  }
  static constexpr bool helperDenVaries() {
    if constexpr (hasHelper)
      return ops::detail::helperDenominatorMentions<Rule>() != 0;
    else
      return false;
  }
  /// The relation needs the coefficients of the result; in reverse they are known if the first
  /// partials read the result, otherwise the operands are, and the relation gives the result.
  static constexpr bool needsResult = (mentions() & ops::kResult) != 0 || helperFollowsResult;
  static constexpr bool readsResult() {
    ops::Operands bits = 0;
    for (std::size_t i = 0; i < n; ++i)
      bits |= ops::partialReads<Rule>(static_cast<int>(i));
    return (bits & ops::kResult) != 0;
  }
  static constexpr bool resultIsKnown = readsResult();

  /// Divided by the denominator's coefficient of order 0.
  template <int W> struct Coefficients {
    std::array<Series<W>, n> num;
    Series<W> den;
  };

  /// Goes through the orders: the coefficients of the result, unless they are known, and those of
  /// numerators and denominator, forward up to order d-1 only.
  template <bool Forward, int W, class D>
  ADOLC_ALWAYS_INLINE static Coefficients<W> expand(const SeriesOperation<Rule, W> &op,
                                                    const AtPoint &at, D d, Scratch &s) {
    using R = Chunk<W>;
    using Later = ops::Later<R>;
    constexpr bool solves = Forward || (needsResult && !resultIsKnown);
    std::array<Series<W>, n> jx, num;
    for (std::size_t i = 0; i < n; ++i) {
      jx[i] = s.series<W>(d);
      num[i] = s.series<W>(d);
    }
    const Series<W> den = s.series<W>(d), jv = s.series<W>(d), jw = s.series<W>(d),
                    helperNum = s.series<W>(d), helperDen = s.series<W>(d);
    for (std::size_t k = 1; k <= d; ++k) {
      const double order = static_cast<double>(k);
      std::array<Later, n> x{};
      for (std::size_t i = 0; i < n; ++i)
        if (solves || (mentions() & ops::operand(static_cast<int>(i))) != 0 ||
            (hasHelper && !helperFollowsResult)) {
          x[i].c = op.x[i][k];
          jx[i].set(k, order * x[i].c);
        }
      Later v{}, w{};
      if constexpr (solves) {
        R sum{};
        for (std::size_t i = 0; i < n; ++i)
          if (!numIsZero(i)) {
            const R first = at.num[i] * jx[i][k];
            sum = i == 0 ? first : sum + first;
            if (numVaries(i))
              sum += recurrence(jx[i], num[i], k);
          }
        if constexpr (denVaries)
          sum -= recurrence(jv, den, k);
        jv.set(k, sum);
        v.c = sum * (1.0 / order);
        if constexpr (Forward) {
          op.v.set(k, v.c);
          if (k == d)
            break;
        }
      } else if constexpr (needsResult) {
        v.c = op.v[k];
        jv.set(k, order * v.c);
      }
      if constexpr (hasHelper) {
        const Series<W> &moved = helperFollowsResult ? jv : jx[0];
        R sum = at.helperNum * moved[k] + recurrence(moved, helperNum, k);
        if constexpr (helperDenVaries())
          sum -= recurrence(jw, helperDen, k);
        jw.set(k, sum);
        w.c = sum * (1.0 / order);
        helperNum.set(k, at.helperInverse * Rule::helperNum(x[0], v, w).c);
        if constexpr (helperDenVaries())
          helperDen.set(k, at.helperInverse * ops::detail::helperDenominator<Rule>(x[0], v, w).c);
      }
      const auto numerators = ops::detail::numerators<Rule>(x, v, w, all);
      for (std::size_t i = 0; i < n; ++i)
        if (numVaries(i))
          num[i].set(k, denVaries ? at.inverse * numerators[i].c : numerators[i].c);
      if constexpr (denVaries)
        den.set(k, at.inverse * ops::detail::denominator<Rule>(x, v, w, all).c);
    }
    return {num, den};
  }

  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    const AtPoint at(op.x0, op.v0);
    if (!at.isRegular() || !allFinite(at.num) || !std::isfinite(op.v0)) [[unlikely]]
      return false;
    expand<true>(op, at, d, s);
    return true;
  }

  /// p den = num.
  template <ops::Operands Wanted, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    double v0 = op.v0;
    if constexpr (needsResult && !resultIsKnown)
      v0 = ADOLC_CALL_RULE(Rule, value, op.x0);
    const AtPoint at(op.x0, v0);
    const auto first = ops::partials<Rule>(op.x0, v0);
    // A partial that overflows is infinite for its operand only.
    if (!at.isRegular() || std::any_of(first.begin(), first.end(), [](double p0) {
          return denVaries ? std::isnan(p0) : !std::isfinite(p0);
        })) [[unlikely]]
      return false;
    const Coefficients<W> c = expand<false>(op, at, d, s);
    for (std::size_t i = 0; i < n; ++i) {
      if ((Wanted & ops::operand(static_cast<int>(i))) == 0)
        continue;
      p[i].p0 = first[i];
      if constexpr (!denVaries) {
        if (numVaries(i))
          p[i].later = c.num[i];
      } else {
        const Series<W> later = p[i].later = s.series<W>(d);
        for (std::size_t k = 1; k <= d; ++k) {
          Chunk<W> sum = first[i] * c.den[k] + recurrence(later, c.den, k);
          later.set(k, numVaries(i) ? c.num[i][k] - sum : -sum);
        }
      }
    }
    return true;
  }
};

template <class Rule> struct Propagation : RelationPropagation<Rule> {};

template <> struct Propagation<ops::Exp> : RelationPropagation<ops::Exp> {
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<ops::Exp, W> &op, D d, Scratch s) {
    if (!std::isfinite(op.v0)) [[unlikely]]
      return false;
    exponentialSeries<W>(d, op.v0, op.x[0], op.v, s);
    return true;
  }
};

// ── products ────────────────────────────────────────────────────────────────────────────────────

template <> struct Propagation<ops::Mul> {
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<ops::Mul, W> &op, D d, Scratch s) {
    if (!std::isfinite(op.v0)) [[unlikely]]
      return false;
    multiply<W>(d, op.x0[0], op.x[0], op.x0[1], op.x[1], op.v, s);
    return true;
  }
  template <ops::Operands, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<ops::Mul, W> &op, D, Scratch &,
                                           PartialSeriesOf<ops::Mul, W> &p) {
    p[0] = {op.x0[1], op.x[1]};
    p[1] = {op.x0[0], op.x[0]};
    return std::isfinite(p[0].p0) && std::isfinite(p[1].p0);
  }
};

/// v = z ± x y.
template <class Rule, bool Minus> struct FusedProduct {
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    if (!std::isfinite(op.v0)) [[unlikely]]
      return false;
    product<W>(d, op.x0[0], op.x[0], op.x0[1], op.x[1], s,
               [&]<int V>(std::size_t k, const Chunk<V> &c) {
                 const auto z = load<V>(op.x[2].at(k));
                 store<V>(op.v.at(k), Minus ? z - c : z + c);
               });
    return true;
  }
  template <ops::Operands Wanted, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    for (std::size_t i = 0; i < 2; ++i) {
      if ((Wanted & ops::operand(static_cast<int>(i))) == 0)
        continue;
      p[i] = {op.x0[1 - i], op.x[1 - i]};
      if constexpr (Minus) {
        p[i] = {-op.x0[1 - i], s.series<W>(d)};
        for (std::size_t k = 1; k <= d; ++k)
          p[i].later.set(k, -op.x[1 - i][k]);
      }
    }
    p[2].p0 = 1.0;
    return std::isfinite(op.x0[0]) && std::isfinite(op.x0[1]);
  }
};
template <> struct Propagation<ops::MulAdd> : FusedProduct<ops::MulAdd, false> {};
template <> struct Propagation<ops::MulSub> : FusedProduct<ops::MulSub, true> {};
template <> struct Propagation<ops::Fma> : FusedProduct<ops::Fma, false> {};

/// The relation of a quotient, y dv = dx - v dy, without its factors k.
template <> struct Propagation<ops::Div> : RelationPropagation<ops::Div> {
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<ops::Div, W> &op, D d, Scratch s) {
    const double inverse = 1.0 / op.x0[1];
    if (!std::isfinite(op.v0) || !std::isfinite(op.x0[1]) || !std::isfinite(inverse)) [[unlikely]]
      return false;
    divide<W>(d, op.v0, op.x[0], inverse, op.x[1], op.v, s);
    return true;
  }
};

// ── powers ──────────────────────────────────────────────────────────────────────────────────────

/// v = x^r:  x dv = r v dx, and p = r x^(r-1) likewise. Natural powers are products: dividing by an
/// x close to 0 would magnify rounding errors at every order, where the function has no
/// singularity.
template <> struct Propagation<ops::PowConst> {
  using Rule = ops::PowConst;

  static bool isNatural(double r) { return r >= 1.0 && r <= 64.0 && r == std::trunc(r); }
  /// Coefficients of factor x^n, by squaring.
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static void naturalPower(D d, double factor, unsigned n, double x0,
                                               const Series<W> &x, const Series<W> &out,
                                               Scratch s) {
    const Series<W> square = s.series<W>(d), v = s.series<W>(d);
    double square0 = x0, v0 = factor;
    for (std::size_t k = 1; k <= d; ++k) {
      square.set(k, x[k]);
      v.set(k, Chunk<W>{});
    }
    for (;;) {
      if ((n & 1u) != 0) {
        multiply<W>(d, v0, v, square0, square, v, s);
        v0 *= square0;
      }
      if ((n >>= 1u) == 0)
        break;
      multiply<W>(d, square0, square, square0, square, square, s);
      square0 *= square0;
    }
    for (std::size_t k = 1; k <= d; ++k)
      out.set(k, v[k]);
  }

  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    const double x = op.x0[0], r = op.x0[1];
    if (r == 2.0 || isNatural(r)) {
      if (!std::isfinite(op.v0)) [[unlikely]]
        return false;
      if (r == 2.0)
        multiply<W>(d, x, op.x[0], x, op.x[0], op.v, s);
      else
        naturalPower<W>(d, 1.0, static_cast<unsigned>(r), x, op.x[0], op.v, s);
      return true;
    }
    const double inverse = 1.0 / x;
    if (!std::isnormal(op.v0) || !std::isnormal(x) || !std::isfinite(inverse) || !std::isfinite(r))
        [[unlikely]]
      return false;
    powerSeries<W>(d, r, op.v0, inverse, op.x[0], op.v, s);
    return true;
  }
  template <ops::Operands, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    const double x = op.x0[0], r = op.x0[1], slope = Rule::slope(x, r, op.v0);
    const double inverse = 1.0 / x;
    if (!std::isfinite(slope) || (!isNatural(r) && !(std::isnormal(x) && std::isfinite(inverse))))
        [[unlikely]]
      return false;
    p[0] = {slope, s.series<W>(d)};
    if (r == 2.0)
      for (std::size_t k = 1; k <= d; ++k)
        p[0].later.set(k, 2.0 * op.x[0][k]);
    else if (isNatural(r))
      naturalPower<W>(d, r, static_cast<unsigned>(r) - 1, x, op.x[0], p[0].later, s);
    else
      powerSeries<W>(d, r - 1.0, slope, inverse, op.x[0], p[0].later, s);
    return true;
  }
};

/// v = x^(1/3).
template <> struct Propagation<ops::Cbrt> {
  using Rule = ops::Cbrt;

  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    const double inverse = 1.0 / op.x0[0];
    if (!std::isnormal(op.x0[0]) || !std::isfinite(inverse)) [[unlikely]]
      return false;
    powerSeries<W>(d, 1.0 / 3.0, op.v0, inverse, op.x[0], op.v, s);
    return true;
  }
  template <ops::Operands, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    const double inverse = 1.0 / op.x0[0];
    if (!std::isnormal(op.x0[0]) || !std::isfinite(inverse)) [[unlikely]]
      return false;
    p[0] = {Rule::partials(op.x0[0], op.v0)[0], s.series<W>(d)};
    powerSeries<W>(d, -2.0 / 3.0, p[0].p0, inverse, op.x[0], p[0].later, s);
    return true;
  }
};

/// v = x^y = exp z, z = y log x:  dv = v dz, ∂x = y v/x, ∂y = v log x.
template <> struct Propagation<ops::Pow> {
  using Rule = ops::Pow;

  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    const double x = op.x0[0], inverse = 1.0 / x;
    if (!(x > 0.0) || !std::isnormal(x) || !std::isnormal(op.v0) || !std::isfinite(inverse) ||
        !std::isfinite(op.x0[1])) [[unlikely]]
      return false;
    const Series<W> z = s.series<W>(d);
    logarithmSeries<W>(d, inverse, op.x[0], z, s);
    multiply<W>(d, op.x0[1], op.x[1], std::log(x), z, z, s);
    exponentialSeries<W>(d, op.v0, z, op.v, s);
    return true;
  }
  template <ops::Operands Wanted, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    const double x = op.x0[0], inverse = 1.0 / x;
    const auto first = Rule::partials(x, op.x0[1], op.v0);
    if (!(x > 0.0) || !std::isnormal(x) || !std::isfinite(inverse) || !std::isfinite(op.v0) ||
        !allFinite(first)) [[unlikely]]
      return false;
    p[0] = {first[0], s.series<W>(d)};
    multiply<W>(d, op.v0, op.v, op.x0[1], op.x[1], p[0].later, s);
    divide<W>(d, first[0], p[0].later, inverse, op.x[0], p[0].later, s);
    p[1] = {first[1], s.series<W>(d)};
    logarithmSeries<W>(d, inverse, op.x[0], p[1].later, s);
    multiply<W>(d, op.v0, op.v, std::log(x), p[1].later, p[1].later, s);
    return true;
  }
};

/// v = c^y:  dv = v log c dy.
template <> struct Propagation<ops::PowBase> {
  using Rule = ops::PowBase;

  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    if (!(op.x0[0] > 0.0) || !std::isfinite(op.x0[0]) || !std::isfinite(op.v0)) [[unlikely]]
      return false;
    const double slope = std::log(op.x0[0]);
    const Series<W> z = s.series<W>(d);
    for (std::size_t k = 1; k <= d; ++k)
      z.set(k, slope * op.x[1][k]);
    exponentialSeries<W>(d, op.v0, z, op.v, s);
    return true;
  }
  template <ops::Operands, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    if (!(op.x0[0] > 0.0) || !std::isfinite(op.x0[0]) || !std::isfinite(op.v0)) [[unlikely]]
      return false;
    const double slope = std::log(op.x0[0]);
    p[1] = {Rule::partials(op.x0[0], op.x0[1], op.v0)[1], s.series<W>(d)};
    for (std::size_t k = 1; k <= d; ++k)
      p[1].later.set(k, slope * op.v[k]);
    return true;
  }
};

// ── others ──────────────────────────────────────────────────────────────────────────────────────

/// v = atan2(y, x):  w dv = x dy - y dx, w = x² + y². Only the ratio of the operands counts, so
/// they are scaled where squares would overflow or vanish.
template <> struct Propagation<ops::Atan2> {
  using Rule = ops::Atan2;

  template <int W> struct Scaled {
    double y, x, scale, square, inverse;
    Series<W> ys, xs, squares;

    template <class D> Scaled(const SeriesOperation<Rule, W> &op, D d, Scratch &s) {
      y = op.x0[0], x = op.x0[1], scale = 1.0;
      const double larger = std::max(std::fabs(x), std::fabs(y));
      if (!(larger > 1e-140 && larger < 1e140)) [[unlikely]]
        if (larger > 0.0 && std::isfinite(larger)) {
          scale = std::ldexp(1.0, -std::min(1022, std::ilogb(larger)));
          y *= scale;
          x *= scale;
        }
      ys = s.series<W>(d), xs = s.series<W>(d), squares = s.series<W>(d);
      for (std::size_t k = 1; k <= d; ++k) {
        ys.set(k, scale * op.x[0][k]);
        xs.set(k, scale * op.x[1][k]);
        squares.set(k, 2.0 * (x * xs[k] + y * ys[k]) + (inner(xs, xs, k) + inner(ys, ys, k)));
      }
      square = x * x + y * y;
      inverse = 1.0 / square;
    }
    bool isRegular() const { return std::isnormal(square) && std::isfinite(inverse); }
  };

  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    const Scaled<W> a(op, d, s);
    if (!a.isRegular()) [[unlikely]]
      return false;
    const Series<W> jv = s.series<W>(d);
    for (std::size_t k = 1; k <= d; ++k) {
      const double order = static_cast<double>(k);
      Chunk<W> sum = order * (a.x * a.ys[k] - a.y * a.xs[k]);
      for (std::size_t j = 1; j < k; ++j)
        sum += static_cast<double>(j) * (a.ys[j] * a.xs[k - j] - a.xs[j] * a.ys[k - j]);
      jv.set(k, (sum - recurrence(jv, a.squares, k)) * a.inverse);
      op.v.set(k, jv[k] / order);
    }
    return true;
  }
  template <ops::Operands Wanted, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    const Scaled<W> a(op, d, s);
    const auto first = Rule::partials(op.x0[0], op.x0[1], 0.0);
    if (!a.isRegular() || !allFinite(first)) [[unlikely]]
      return false;
    for (std::size_t k = 1; k <= d; ++k)
      a.ys.set(k, -a.ys[k]);
    const std::array<Series<W>, 2> numerators{a.xs, a.ys};
    for (std::size_t i = 0; i < 2; ++i) {
      p[i] = {first[i], s.series<W>(d)};
      divide<W>(d, first[i] / a.scale, numerators[i], a.inverse, a.squares, p[i].later, s);
      for (std::size_t k = 1; k <= d && a.scale != 1.0; ++k)
        p[i].later.set(k, a.scale * p[i].later[k]);
    }
    return true;
  }
};

/// The relation of the arcus tangent, unless 1 + x² overflows or comes near that.
template <> struct Propagation<ops::Atan> : RelationPropagation<ops::Atan> {
  using Relation = RelationPropagation<ops::Atan>;

  static bool isHuge(double x) { return !(std::fabs(x) < 1e100); }
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<ops::Atan, W> &op, D d, Scratch s) {
    return !isHuge(op.x0[0]) && Relation::forward<W>(op, d, s);
  }
  template <ops::Operands Wanted, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<ops::Atan, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<ops::Atan, W> &p) {
    return !isHuge(op.x0[0]) && Relation::partials<Wanted, W>(op, d, s, p);
  }
};

/// v = erf x or erfc x:  dv = ±w dx, dw = -2 w du, u = x²/2.
template <class Rule, bool Minus> struct ErrorFunction {
  /// w_k.
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static Series<W> slope(double x0, double w0, const Series<W> &x, D d,
                                             Scratch &s) {
    const Series<W> w = s.series<W>(d), u = s.series<W>(d);
    if (w0 == 0.0) [[unlikely]] { // far out, where x² need not be finite
      for (std::size_t k = 1; k <= d; ++k)
        w.set(k, Chunk<W>{});
      return w;
    }
    for (std::size_t k = 1; k <= d; ++k)
      u.set(k, -2.0 * (x0 * x[k]) - inner(x, x, k));
    exponentialSeries<W>(d, w0, u, w, s);
    return w;
  }
  template <int W, class D>
  ADOLC_ALWAYS_INLINE static bool forward(const SeriesOperation<Rule, W> &op, D d, Scratch s) {
    const double w0 = Rule::helper(op.x0[0], op.v0);
    if (!std::isfinite(op.x0[0]) || !std::isfinite(w0)) [[unlikely]]
      return false;
    const Series<W> w = slope<W>(op.x0[0], w0, op.x[0], d, s), jx = s.series<W>(d);
    for (std::size_t k = 1; k <= d; ++k) {
      const double order = static_cast<double>(k);
      jx.set(k, order * op.x[0][k]);
      const Chunk<W> sum = (w0 * jx[k] + recurrence(jx, w, k)) / order;
      op.v.set(k, Minus ? -sum : sum);
    }
    return true;
  }
  template <ops::Operands, int W, class D>
  ADOLC_ALWAYS_INLINE static bool partials(const SeriesOperation<Rule, W> &op, D d, Scratch &s,
                                           PartialSeriesOf<Rule, W> &p) {
    const double w0 = Rule::helper(op.x0[0], 0.0);
    if (!std::isfinite(op.x0[0]) || !std::isfinite(w0)) [[unlikely]]
      return false;
    const double signedW0 = Minus ? -w0 : w0;
    p[0] = {signedW0, slope<W>(op.x0[0], signedW0, op.x[0], d, s)};
    return true;
  }
};
template <> struct Propagation<ops::Erf> : ErrorFunction<ops::Erf, false> {};
template <> struct Propagation<ops::Erfc> : ErrorFunction<ops::Erfc, true> {};

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
