#include "interp/singularity.h"

#include <adolc/ops/derive.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace ADOLC::detail {
namespace {

using ops::kInf;
using ops::kNaN;

/// One of the curves.
struct SingularOperation {
  OPCODES op;
  std::size_t degree;
  const double *x0; ///< by operand, at order 0
  double v0;
  const double *const *x; ///< coefficients 1 … degree by operand; zeros of numbers
  const double *v;        ///< those of the result, in reverse, if the first partials read it
};

using Numbers = std::vector<double>;

/// t^exponent (c_0 + c_1 t + …); what is beyond the last coefficient is unknown.
struct PowerSeries {
  double exponent = 0.0;
  Numbers c;
};

bool isInteger(double x) { return x == std::trunc(x); }

/// Index of the first number that is not 0.
std::size_t leading(const double *c, std::size_t n) {
  return static_cast<std::size_t>(std::find_if(c, c + n, [](double ci) { return ci != 0.0; }) - c);
}
std::size_t leading(const Numbers &c) { return leading(c.data(), c.size()); }

/// Whether a series of n coefficients is constant: nothing flows.
bool isConstant(const double *c, std::size_t n) { return leading(c, n) == n; }

/// Coefficients 0 … n-1 of f times a series. Terms with a zero of f vanish. A pole that is left
/// gives an infinite coefficient 0, an exponent that is not an integer an infinite coefficient of
/// the next order; what is behind them has no value.
Numbers times(const PowerSeries &p, const Numbers &f, std::size_t n) {
  Numbers out(n, 0.0);
  const std::size_t first = leading(f);
  if (first == f.size())
    return out;
  const double lowest = p.exponent + static_cast<double>(first);
  const auto endsAt = [&](double order, double sign) {
    const auto at = static_cast<std::size_t>(std::max(0.0, std::ceil(order)));
    for (std::size_t k = at; k < n; ++k)
      out[k] = k == at && sign == sign ? std::copysign(kInf, sign) : kNaN;
    return out;
  };
  if (lowest >= static_cast<double>(n))
    return out;
  if (!isInteger(p.exponent) || lowest < -static_cast<double>(f.size() + p.c.size()))
    return endsAt(lowest, f[first] * p.c[0]);
  const long shift = static_cast<long>(p.exponent), last = static_cast<long>(n);
  for (long k = static_cast<long>(lowest); k < last; ++k) {
    double sum = 0.0;
    for (std::size_t i = first; i < f.size() && static_cast<long>(i) + shift <= k; ++i) {
      const auto j = static_cast<std::size_t>(k - shift - static_cast<long>(i));
      if (f[i] != 0.0)
        sum += j < p.c.size() ? f[i] * p.c[j] : kNaN;
    }
    if (k >= 0)
      out[static_cast<std::size_t>(k)] = sum;
    else if (sum != 0.0)
      return endsAt(0.0, sum);
  }
  return out;
}

/// The function itself: coefficients 0 … n-1.
Numbers expanded(const PowerSeries &p, std::size_t n) { return times(p, {1.0}, n); }

enum class Root {
  usual, ///< x^r, of negative numbers for integers r only
  odd,   ///< sign x |x|^r
  even,  ///< |x|^r
};
/// x(t)^r for a series x that is not 0, with c_k from  k c_k = Σ (r j - (k-j)) g_j/g_0 c_{k-j},
/// x = t^m g. Where g_0 is not finite nothing is known, not even the exponent.
PowerSeries power(const Numbers &x, double r, Root root = Root::usual) {
  const std::size_t m = leading(x), n = x.size() - m;
  const double g0 = x[m];
  if (!std::isfinite(g0))
    return {0.0, {kNaN}};
  PowerSeries p{static_cast<double>(m) * r, Numbers(n)};
  p.c[0] = root == Root::usual ? std::pow(g0, r) : std::pow(std::fabs(g0), r);
  if (root == Root::odd)
    p.c[0] = std::copysign(p.c[0], g0);
  if (std::isnan(p.c[0])) // outside the domain
    p.c.assign(n, kNaN);
  if (root != Root::usual && std::fabs(p.exponent - std::rint(p.exponent)) < 1e-9) // of thirds
    p.exponent = std::rint(p.exponent);
  for (std::size_t k = 1; k < n && p.c[0] == p.c[0]; ++k) {
    double sum = 0.0;
    for (std::size_t j = 1; j <= k; ++j)
      if (x[m + j] != 0.0)
        sum += (r * static_cast<double>(j) - static_cast<double>(k - j)) *
               (x[m + j] / g0 * p.c[k - j]);
    p.c[k] = sum / static_cast<double>(k);
  }
  return p;
}
/// Whether a root of c t^m is |t| to an odd power.
int codeOf(const Numbers &x, double r) {
  const std::size_t m = leading(x);
  const double s = static_cast<double>(m) * r;
  return m < x.size() && x[m] > 0.0 && m % 2 == 0 && !isInteger(r) && isInteger(s) &&
                 std::fmod(s, 2.0) != 0.0
             ? 1
             : 3;
}

/// What the functions below see of an operation.
template <std::size_t Arity> struct At {
  std::size_t d;
  std::array<double, Arity> x0;
  double v0;
  std::array<const double *, Arity> x; ///< coefficients 1 … d
  const double *v;

  /// With the coefficient of order 0.
  Numbers series(std::size_t i) const { return whole(x0[i], x[i]); }
  Numbers result() const { return whole(v0, v); }
  bool isConstant(std::size_t i) const { return detail::isConstant(x[i], d); }

private:
  Numbers whole(double first, const double *later) const {
    Numbers s{first};
    s.insert(s.end(), later, later + d);
    return s;
  }
};

/// Coefficients 1 … d.
void writeLater(const Numbers &series, double *v) {
  std::copy(series.begin() + 1, series.end(), v);
}

// ── the default ─────────────────────────────────────────────────────────────────────────────────

/// Whether a function of operand i that has the slope 0 here is constant: where an operand is
/// infinite, and powers of 0.
template <class Rule> bool isFlat(const At<Rule::arity> &a) {
  if constexpr (std::is_same_v<Rule, ops::PowBase>)
    return true;
  else if constexpr (std::is_same_v<Rule, ops::Pow>)
    return a.isConstant(0);
  else
    return std::any_of(a.x0.begin(), a.x0.end(), [](double x) { return std::isinf(x); });
}

/// The coefficient of the first order m at which an operand moves is the first-order answer, those
/// behind it have no value; unless the function is flat.
template <class Rule> struct Default {
  static constexpr std::size_t n = Rule::arity;

  static int forward(const At<n> &a, double *v) {
    std::fill_n(v, a.d, 0.0);
    std::size_t m = a.d;
    for (std::size_t i = 0; i < n; ++i)
      m = std::min(m, leading(a.x[i], a.d));
    if (m == a.d)
      return 3;
    const auto p = ops::partials<Rule>(a.x0, a.v0);
    double side = 0.0;
    if constexpr (ops::hasSide<Rule>)
      side = ADOLC_CALL_RULE(Rule, side, a.x0);
    bool flat = isFlat<Rule>(a);
    for (std::size_t k = m; k < a.d; ++k) {
      for (std::size_t i = 0; i < n; ++i)
        if (const double moved = a.x[i][k]; moved != 0.0) {
          flat = flat && p[i] == 0.0;
          const bool leavesDomain = i == 0 && std::isinf(p[i]) && side * moved < 0.0;
          if (k == m)
            v[k] += leavesDomain ? kNaN : p[i] * moved;
        }
      if (k > m && !flat)
        v[k] = kNaN;
    }
    return 3;
  }
  /// The partial of operand i.
  static PowerSeries partial(const At<n> &a, std::size_t i) {
    const double p0 = ops::partials<Rule>(a.x0, a.v0)[i];
    const ops::Operands reads = ops::partialReads<Rule>(static_cast<int>(i));
    const bool flat = p0 == 0.0 && isFlat<Rule>(a);
    bool constant = flat || (reads & ops::kResult) == 0 || isConstant(a.v, a.d);
    for (std::size_t k = 0; k < n && !flat; ++k)
      if ((reads & ops::operand(static_cast<int>(k))) != 0)
        constant = constant && a.isConstant(k);
    PowerSeries p{0.0, Numbers(a.d + 1, constant ? 0.0 : kNaN)};
    p.c[0] = p0;
    return p;
  }
  /// Of a reverse sweep.
  static int code(const At<n> &) { return 3; }
};

template <class Rule> struct Singular : Default<Rule> {};

// ── products: the series are what they are, but zeros count ─────────────────────────────────────

template <class Rule, int Sign> struct Product {
  static constexpr std::size_t n = Rule::arity;
  static int forward(const At<n> &a, double *v) {
    const Numbers x = a.series(0), y = a.series(1);
    for (std::size_t k = 1; k <= a.d; ++k) {
      double sum = (x[k] != 0.0 ? y[0] * x[k] : 0.0) + (y[k] != 0.0 ? x[0] * y[k] : 0.0);
      for (std::size_t j = 1; j < k; ++j)
        if (x[j] != 0.0 && y[k - j] != 0.0)
          sum += x[j] * y[k - j];
      sum *= Sign;
      if constexpr (n == 3)
        sum += a.x[2][k - 1];
      v[k - 1] = sum;
    }
    return 3;
  }
  static PowerSeries partial(const At<n> &a, std::size_t i) {
    if (i == 2)
      return {0.0, Numbers{1.0}};
    PowerSeries p{0.0, a.series(1 - i)};
    for (double &c : p.c)
      c *= Sign;
    return p;
  }
  static int code(const At<n> &) { return 3; }
};
template <> struct Singular<ops::Mul> : Product<ops::Mul, 1> {};
template <> struct Singular<ops::MulAdd> : Product<ops::MulAdd, 1> {};
template <> struct Singular<ops::MulSub> : Product<ops::MulSub, -1> {};
template <> struct Singular<ops::Fma> : Product<ops::Fma, 1> {};

// ── powers and roots ────────────────────────────────────────────────────────────────────────────

/// k v_k = coefficient k-1 of p x'.
Numbers integrated(const PowerSeries &p, const Numbers &x, double v0) {
  Numbers slope(x.size() - 1);
  for (std::size_t k = 1; k < x.size(); ++k)
    slope[k - 1] = static_cast<double>(k) * x[k];
  Numbers v = times(p, slope, slope.size());
  for (std::size_t k = 1; k < x.size(); ++k)
    v[k - 1] /= static_cast<double>(k);
  v.insert(v.begin(), v0);
  return v;
}

template <> struct Singular<ops::Sqrt> : Default<ops::Sqrt> {
  static int forward(const At<1> &a, double *v) {
    if (a.isConstant(0) || a.x0[0] != 0.0)
      return Default<ops::Sqrt>::forward(a, v);
    const Numbers x = a.series(0);
    writeLater(expanded(power(x, 0.5), a.d + 1), v);
    return codeOf(x, 0.5);
  }
  /// 1/(2v): only the result is there in reverse.
  static PowerSeries partial(const At<1> &a, std::size_t) {
    const Numbers v = a.result();
    const std::size_t m = leading(v);
    if (a.v0 != 0.0 || m == v.size() || !std::isfinite(v[m]))
      return Default<ops::Sqrt>::partial(a, 0);
    PowerSeries p = power(v, -1.0);
    for (double &c : p.c)
      c *= 0.5;
    return p;
  }
  static int code(const At<1> &a) { // v = c t^m of an argument c² t^(2m)
    const Numbers v = a.result();
    const std::size_t m = leading(v);
    return a.v0 == 0.0 && m < v.size() && std::isfinite(v[m]) && m % 2 != 0 ? 1 : 3;
  }
};

/// Of huge x by the reciprocal u, as 1 + x² would overflow:  dv = -du/(1 + u²).
template <> struct Singular<ops::Atan> : Default<ops::Atan> {
  static bool isHuge(const At<1> &a) { return std::isfinite(a.x0[0]); }
  static Numbers reciprocal(const At<1> &a) { return power(a.series(0), -1.0).c; }
  /// 1/(1 + u²).
  static PowerSeries factor(const Numbers &u) {
    Numbers w = times({0.0, u}, u, u.size());
    w[0] += 1.0;
    return power(w, -1.0);
  }
  static int forward(const At<1> &a, double *v) {
    if (!isHuge(a))
      return Default<ops::Atan>::forward(a, v);
    Numbers u = reciprocal(a);
    const PowerSeries p = factor(u);
    for (double &c : u)
      c = -c;
    writeLater(integrated(p, u, a.v0), v);
    return 3;
  }
  static PowerSeries partial(const At<1> &a, std::size_t i) {
    if (!isHuge(a))
      return Default<ops::Atan>::partial(a, i);
    const Numbers u = reciprocal(a);
    return {0.0, times({0.0, times({0.0, u}, u, u.size())}, factor(u).c, u.size())};
  }
};

template <> struct Singular<ops::Cbrt> : Default<ops::Cbrt> {
  static int forward(const At<1> &a, double *v) {
    if (a.isConstant(0) || a.x0[0] != 0.0)
      return Default<ops::Cbrt>::forward(a, v);
    writeLater(expanded(power(a.series(0), 1.0 / 3.0, Root::odd), a.d + 1), v);
    return 3;
  }
  static PowerSeries partial(const At<1> &a, std::size_t i) {
    if (a.isConstant(0) || a.x0[0] != 0.0)
      return Default<ops::Cbrt>::partial(a, i);
    PowerSeries p = power(a.series(0), -2.0 / 3.0, Root::even);
    for (double &c : p.c)
      c /= 3.0;
    return p;
  }
};

/// r x^(r-1).
PowerSeries slopeOfPower(const Numbers &x, double r, double slope) {
  PowerSeries p{0.0, Numbers(x.size(), 0.0)};
  if (r == 0.0 || r == 1.0 || isConstant(x.data() + 1, x.size() - 1)) {
    p.c[0] = slope;
    return p;
  }
  if (!std::isfinite(r) || !std::isfinite(x[0]) || (x[0] < 0.0 && !isInteger(r))) {
    p.c.assign(x.size(), slope == 0.0 ? 0.0 : kNaN);
    p.c[0] = slope;
    return p;
  }
  p = power(x, r - 1.0);
  for (double &c : p.c)
    c *= r;
  return p;
}
int powerForward(const Numbers &x, double r, double v0, double slope, double *v) {
  if (r == 0.0 || isConstant(x.data() + 1, x.size() - 1)) {
    std::fill_n(v, x.size() - 1, 0.0);
    return 3;
  }
  if (r == 1.0) {
    writeLater(x, v);
    return 3;
  }
  if (x[0] != 0.0 && std::isfinite(r)) {
    writeLater(integrated(slopeOfPower(x, r, slope), x, v0), v);
    return 3;
  }
  if (r > 0.0 && std::isfinite(r)) {
    writeLater(expanded(power(x, r), x.size()), v);
    return codeOf(x, r);
  }
  // The first-order answer, then nothing.
  const std::size_t m = leading(x.data() + 1, x.size() - 1) + 1;
  std::fill_n(v, x.size() - 1, slope == 0.0 ? 0.0 : kNaN);
  std::fill_n(v, m - 1, 0.0);
  v[m - 1] = x[m] < 0.0 && !isInteger(r) ? kNaN : slope * x[m];
  return 3;
}

template <> struct Singular<ops::PowConst> : Default<ops::PowConst> {
  static double slope(const At<2> &a) { return ops::PowConst::slope(a.x0[0], a.x0[1], a.v0); }
  static int forward(const At<2> &a, double *v) {
    return powerForward(a.series(0), a.x0[1], a.v0, slope(a), v);
  }
  static PowerSeries partial(const At<2> &a, std::size_t) {
    return slopeOfPower(a.series(0), a.x0[1], slope(a));
  }
  static int code(const At<2> &a) { return codeOf(a.series(0), a.x0[1]); }
};

/// Where the exponent does not move, a power with a constant one.
template <> struct Singular<ops::Pow> : Default<ops::Pow> {
  static int forward(const At<2> &a, double *v) {
    const double slope = ops::PowConst::slope(a.x0[0], a.x0[1], a.v0);
    const std::size_t moves = leading(a.x[1], a.d);
    if (moves == a.d)
      return powerForward(a.series(0), a.x0[1], a.v0, slope, v);
    if (!(a.x0[0] < 0.0))
      return Default<ops::Pow>::forward(a, v);
    const int code = powerForward(a.series(0), a.x0[1], a.v0, slope, v);
    std::fill(v + moves, v + a.d, kNaN);
    return code;
  }
  static PowerSeries partial(const At<2> &a, std::size_t i) {
    if (i == 1 || !a.isConstant(1))
      return Default<ops::Pow>::partial(a, i);
    return slopeOfPower(a.series(0), a.x0[1], ops::PowConst::slope(a.x0[0], a.x0[1], a.v0));
  }
  static int code(const At<2> &a) { return a.isConstant(1) ? codeOf(a.series(0), a.x0[1]) : 3; }
};

/// Slopes ±u^(-1/2), u = ±(1 - x²), at the ends of the domain.
template <class Rule> struct ArcFunction : Default<Rule> {
  static Numbers square(const At<1> &a) { // u
    const Numbers x = a.series(0);
    Numbers u(x.size(), 0.0);
    for (std::size_t k = 1; k < x.size(); ++k)
      for (std::size_t j = 0; j <= k; ++j)
        u[k] += x[j] * x[k - j];
    if constexpr (!std::is_same_v<Rule, ops::Acosh>)
      for (double &c : u)
        c = -c;
    return u;
  }
  static bool isEnd(const At<1> &a) {
    return a.x0[0] == 1.0 || (a.x0[0] == -1.0 && !std::is_same_v<Rule, ops::Acosh>);
  }
  static PowerSeries slope(const Numbers &u) {
    PowerSeries p = power(u, -0.5);
    if constexpr (std::is_same_v<Rule, ops::Acos>)
      for (double &c : p.c)
        c = -c;
    return p;
  }
  static int forward(const At<1> &a, double *v) {
    if (!isEnd(a) || a.isConstant(0))
      return Default<Rule>::forward(a, v);
    const Numbers u = square(a);
    writeLater(integrated(slope(u), a.series(0), a.v0), v);
    return codeOf(u, 0.5);
  }
  static PowerSeries partial(const At<1> &a, std::size_t i) {
    if (!isEnd(a) || a.isConstant(0))
      return Default<Rule>::partial(a, i);
    return slope(square(a));
  }
  static int code(const At<1> &a) { return isEnd(a) ? codeOf(square(a), 0.5) : 3; }
};
template <> struct Singular<ops::Asin> : ArcFunction<ops::Asin> {};
template <> struct Singular<ops::Acos> : ArcFunction<ops::Acos> {};
template <> struct Singular<ops::Acosh> : ArcFunction<ops::Acosh> {};

/// At the origin √(Σ x²) has a series where the operands begin with an even power of t, where no
/// root of an odd one arises; else it has no derivative (NaN, as first order has it).
template <class Rule> struct Norm : Default<Rule> {
  static constexpr std::size_t n = Rule::arity;
  static bool hasSeries(const At<n> &a, Numbers &square) {
    if (a.v0 != 0.0)
      return false;
    square.assign(a.d + 1, 0.0);
    std::size_t m = a.d;
    for (std::size_t i = 0; i < n; ++i) {
      const Numbers x = a.series(i);
      m = std::min(m, leading(a.x[i], a.d));
      for (std::size_t k = 2; k <= a.d; ++k)
        for (std::size_t j = 1; j < k; ++j)
          square[k] += x[j] * x[k - j];
    }
    return m < a.d && (m + 1) % 2 == 0 && leading(square) < square.size();
  }
  static int forward(const At<n> &a, double *v) {
    Numbers square;
    if (!hasSeries(a, square))
      return Default<Rule>::forward(a, v);
    writeLater(expanded(power(square, 0.5), a.d + 1), v);
    return 3;
  }
  static PowerSeries partial(const At<n> &a, std::size_t i) {
    Numbers square;
    if (!hasSeries(a, square))
      return Default<Rule>::partial(a, i);
    PowerSeries p = power(square, -0.5);
    p.c = times({0.0, p.c}, a.series(i), p.c.size());
    return p;
  }
};
template <> struct Singular<ops::Hypot> : Norm<ops::Hypot> {};
template <> struct Singular<ops::Hypot3> : Norm<ops::Hypot3> {};

// ── by operation ────────────────────────────────────────────────────────────────────────────────

template <class Rule> At<Rule::arity> pointOf(const SingularOperation &o) {
  At<Rule::arity> a{o.degree, {}, o.v0, {}, o.v};
  std::copy_n(o.x0, Rule::arity, a.x0.begin());
  std::copy_n(o.x, Rule::arity, a.x.begin());
  return a;
}
template <class Rule> int forward(const SingularOperation &o, double *v) {
  return Singular<Rule>::forward(pointOf<Rule>(o), v);
}
template <class Rule>
int reverse(const SingularOperation &o, const double *w, double *const *adjoints) {
  const auto a = pointOf<Rule>(o);
  const Numbers weights(w, w + o.degree + 1);
  for (std::size_t i = 0; i < Rule::arity; ++i) {
    if (adjoints[i] == nullptr)
      continue;
    const Numbers share = times(Singular<Rule>::partial(a, i), weights, o.degree + 1);
    for (std::size_t k = 0; k <= o.degree; ++k)
      adjoints[i][k] += share[k];
  }
  return isConstant(w, o.degree + 1) ? 3 : Singular<Rule>::code(a);
}

struct Functions {
  int (*forward)(const SingularOperation &, double *);
  int (*reverse)(const SingularOperation &, const double *, double *const *);
};
using namespace ops; // relations are arguments of rules
constexpr Functions functionsOf[] = {
#define ADOLC_OP(op, rule, layout, depend, text) {&forward<ops::rule>, &reverse<ops::rule>},
#define ADOLC_BRANCH(op, relation, layout, text) {},
#define ADOLC_STRUCT(op, text) {},
#define ADOLC_RESERVED(op) {},
#include <adolc/internal/oplist_expand.h>
};

} // namespace

int seriesAtSingularity(const SingularCurves &o, double *result) {
  std::vector<double> copies((o.arity + 1) * o.degree);
  std::vector<const double *> series(o.arity);
  double *const v = copies.data() + o.arity * o.degree;
  int code = 3;
  for (std::size_t l = 0; l < o.curves; ++l) {
    for (std::size_t i = 0; i < o.arity; ++i) {
      double *const copy = copies.data() + i * o.degree;
      series[i] = copy;
      for (std::size_t k = 0; k < o.degree; ++k)
        copy[k] = o.x[i][k * o.curves + l];
    }
    code = std::min(
        code, functionsOf[o.op].forward({o.op, o.degree, o.x0, o.v0, series.data(), nullptr}, v));
    for (std::size_t k = 0; k < o.degree; ++k)
      result[k * o.curves + l] = v[k];
  }
  return code;
}

int adjointsAtSingularity(const SingularCurves &o, const double *result, const double *weights,
                          double *const *adjoints) {
  const std::size_t size = o.degree + 1;
  std::vector<double> memory((2 * o.arity + 2) * size);
  std::vector<const double *> series(o.arity);
  std::vector<double *> shares(o.arity);
  double *const v = memory.data() + 2 * o.arity * size, *const w = v + size;
  int code = 3;
  for (std::size_t l = 0; l < o.curves; ++l) {
    std::fill(memory.begin(), memory.end(), 0.0);
    for (std::size_t i = 0; i < o.arity; ++i) {
      double *const copy = memory.data() + i * size;
      series[i] = copy;
      shares[i] = adjoints[i] == nullptr ? nullptr : memory.data() + (o.arity + i) * size;
      for (std::size_t k = 0; k < o.degree; ++k)
        copy[k] = o.x[i][k * o.curves + l];
    }
    for (std::size_t k = 0; k < o.degree; ++k)
      v[k] = result[k * o.curves + l];
    for (std::size_t k = 0; k < size; ++k)
      w[k] = weights[k * o.curves + l];
    code = std::min(code, functionsOf[o.op].reverse({o.op, o.degree, o.x0, o.v0, series.data(), v},
                                                    w, shares.data()));
    for (std::size_t i = 0; i < o.arity; ++i)
      for (std::size_t k = 0; k < size && adjoints[i] != nullptr; ++k)
        adjoints[i][k * o.curves + l] += shares[i][k];
  }
  return code;
}

} // namespace ADOLC::detail
