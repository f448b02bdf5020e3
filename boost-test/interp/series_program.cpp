// SPDX-License-Identifier: MIT
#include "series_program.h"

#include "execute_program.h"
#include "support/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace programs {
namespace {

using Wide = test::Number<100>;

/// Set by what is evaluated at a kink of it, while something moves.
bool kinkHit = false;

/// A value at a point t > 0 of the curve, and at t = 0. The latter is what the program has with
/// double, and rounding there shifts the whole curve: so branches, ties and exact zeros are those
/// that sweeps see.
struct OnCurve {
  OnCurve(double c = 0.0) : here(c), start(c) {}
  Wide here;
  double start;

  bool moves() const { return here != start; }
  double value() const { return start; }
  OnCurve &operator+=(const OnCurve &b) { return *this = *this + b; }
  OnCurve &operator-=(const OnCurve &b) { return *this = *this - b; }
  OnCurve &operator*=(const OnCurve &b) { return *this = *this * b; }
  OnCurve &operator/=(const OnCurve &b) { return *this = *this / b; }
  OnCurve &operator++() { return *this += 1.0; }
  OnCurve &operator--() { return *this -= 1.0; }
  OnCurve operator++(int) { return std::exchange(*this, *this + 1.0); }
  OnCurve operator--(int) { return std::exchange(*this, *this - 1.0); }

  /// f(operands), which is `start` at 0.
  template <class F, class... Operands>
  static OnCurve of(double start, const F &f, const Operands &...x) {
    OnCurve r(start);
    if ((x.moves() || ...))
      r.here += Wide(f(x.here...)) - Wide(f(Wide(x.start)...));
    return r;
  }
  friend OnCurve operator+(const OnCurve &a) { return a; }
  friend OnCurve operator-(const OnCurve &a) {
    return of(
        -a.start, [](const Wide &x) { return Wide(-x); }, a);
  }
#define ON_CURVE_OPERATOR(symbol)                                                                  \
  friend OnCurve operator symbol(const OnCurve &a, const OnCurve &b) {                             \
    return of(                                                                                     \
        a.start symbol b.start, [](const Wide &x, const Wide &y) { return x symbol y; }, a, b);    \
  }
  ON_CURVE_OPERATOR(+)
  ON_CURVE_OPERATOR(-)
  ON_CURVE_OPERATOR(*)
  ON_CURVE_OPERATOR(/)
#undef ON_CURVE_OPERATOR
#define ON_CURVE_COMPARE(symbol)                                                                   \
  friend bool operator symbol(const OnCurve &a, const OnCurve &b) { return a.start symbol b.start; }
  ON_CURVE_COMPARE(<)
  ON_CURVE_COMPARE(<=)
  ON_CURVE_COMPARE(>)
  ON_CURVE_COMPARE(>=)
  ON_CURVE_COMPARE(==)
  ON_CURVE_COMPARE(!=)
#undef ON_CURVE_COMPARE
};

#define ON_CURVE(name)                                                                             \
  OnCurve name(const OnCurve &a) {                                                                 \
    return OnCurve::of(                                                                            \
        std::name(a.start), [](const Wide &x) { return name(x); }, a);                             \
  }
ON_CURVE(exp)
ON_CURVE(exp2)
ON_CURVE(expm1)
ON_CURVE(log)
ON_CURVE(log10)
ON_CURVE(log2)
ON_CURVE(log1p)
ON_CURVE(sqrt)
ON_CURVE(cbrt)
ON_CURVE(sin)
ON_CURVE(cos)
ON_CURVE(tan)
ON_CURVE(asin)
ON_CURVE(acos)
ON_CURVE(atan)
ON_CURVE(sinh)
ON_CURVE(cosh)
ON_CURVE(tanh)
ON_CURVE(asinh)
ON_CURVE(acosh)
ON_CURVE(atanh)
#undef ON_CURVE
OnCurve erf(const OnCurve &a) {
  return OnCurve::of(
      std::erf(a.start), [](const Wide &x) { return test::errorFunction(x); }, a);
}
OnCurve erfc(const OnCurve &a) {
  return OnCurve::of(
      std::erfc(a.start), [](const Wide &x) { return -test::errorFunction(x); }, a);
}
#define ON_CURVE(name)                                                                             \
  OnCurve name(const OnCurve &a) { return std::name(a.start); }
ON_CURVE(ceil)
ON_CURVE(floor)
ON_CURVE(trunc)
ON_CURVE(round)
ON_CURVE(rint)
#undef ON_CURVE
#define ON_CURVE(name)                                                                             \
  OnCurve name(const OnCurve &a, const OnCurve &b) {                                               \
    return OnCurve::of(                                                                            \
        std::name(a.start, b.start), [](const Wide &x, const Wide &y) { return name(x, y); }, a,   \
        b);                                                                                        \
  }
ON_CURVE(pow)
ON_CURVE(atan2)
ON_CURVE(hypot)
#undef ON_CURVE

/// The same number times a, everywhere on the curve.
OnCurve scaled(double value, double factor, const OnCurve &a) {
  return OnCurve::of(
      value, [factor](const Wide &x) { return factor * x; }, a);
}
/// x - q y with an integer q.
OnCurve modulus(double value, const OnCurve &a, const OnCurve &b) {
  const double q = std::round((a.start - value) / b.start);
  return OnCurve::of(
      value, [q](const Wide &x, const Wide &y) { return x - q * y; }, a, b);
}
OnCurve fmod(const OnCurve &a, const OnCurve &b) {
  return modulus(std::fmod(a.start, b.start), a, b);
}
OnCurve remainder(const OnCurve &a, const OnCurve &b) {
  return modulus(std::remainder(a.start, b.start), a, b);
}
OnCurve fraction(const OnCurve &a) {
  double integral;
  return scaled(std::modf(a.start, &integral), 1.0, a);
}
OnCurve fabs(const OnCurve &a) {
  if (a.start != 0.0)
    return scaled(std::fabs(a.start), a.start < 0.0 ? -1.0 : 1.0, a);
  return OnCurve::of(
      0.0, [](const Wide &x) { return abs(x); }, a);
}
OnCurve copysign(const OnCurve &a, const OnCurve &b) {
  const OnCurve size = fabs(a);
  return scaled(std::copysign(a.start, b.start), std::signbit(b.start) ? -1.0 : 1.0, size);
}
OnCurve extremum(const OnCurve &a, const OnCurve &b, bool maximum) {
  const bool first =
      a.start != b.start ? (a.start > b.start) == maximum : (a.here > b.here) == maximum;
  kinkHit = kinkHit || (a.start == b.start && (a.moves() || b.moves()));
  OnCurve r = first ? a : b;
  if (a.start == b.start)
    r.start = a.start; // of 0 and -0 the first one
  return r;
}
OnCurve fmin(const OnCurve &a, const OnCurve &b) { return extremum(a, b, false); }
OnCurve fmax(const OnCurve &a, const OnCurve &b) { return extremum(a, b, true); }
OnCurve fdim(const OnCurve &a, const OnCurve &b) {
  const bool positive = a.start != b.start ? a.start > b.start : a.here > b.here;
  kinkHit = kinkHit || (a.start == b.start && (a.moves() || b.moves()));
  return positive ? a - b : OnCurve(std::fdim(a.start, b.start));
}
OnCurve pow(const OnCurve &a, double c) { return pow(a, OnCurve(c)); }
OnCurve pow(double c, const OnCurve &a) { return pow(OnCurve(c), a); }
OnCurve fmin(const OnCurve &a, double c) { return fmin(a, OnCurve(c)); }
OnCurve fmax(const OnCurve &a, double c) { return fmax(a, OnCurve(c)); }
OnCurve fma(const OnCurve &a, const OnCurve &b, const OnCurve &c) {
  return OnCurve::of(
      std::fma(a.start, b.start, c.start),
      [](const Wide &x, const Wide &y, const Wide &z) { return x * y + z; }, a, b, c);
}
OnCurve hypot(const OnCurve &a, const OnCurve &b, const OnCurve &c) {
  return OnCurve::of(
      std::hypot(a.start, b.start, c.start),
      [](const Wide &x, const Wide &y, const Wide &z) { return sqrt(x * x + y * y + z * z); }, a, b,
      c);
}
OnCurve ldexp(const OnCurve &a, int e) {
  return scaled(std::ldexp(a.start, e), std::ldexp(1.0, e), a);
}
void condassign(OnCurve &r, const OnCurve &c, const OnCurve &a, const OnCurve &b) {
  r = OnCurve(c.start > 0.0 ? a : b);
}
void condassign(OnCurve &r, const OnCurve &c, const OnCurve &a) { condassign(r, c, a, OnCurve(r)); }
void condeqassign(OnCurve &r, const OnCurve &c, const OnCurve &a, const OnCurve &b) {
  r = OnCurve(c.start >= 0.0 ? a : b);
}
void condeqassign(OnCurve &r, const OnCurve &c, const OnCurve &a) {
  condeqassign(r, c, a, OnCurve(r));
}

class CurveHost : public Host<OnCurve> {
public:
  CurveHost(const Program &p, const sweeps::Matrix &curve, const Wide &t)
      : program_(p), curve_(curve), t_(t) {}
  void independent(OnCurve &x) override {
    x = OnCurve(program_.point[next_]);
    Wide power = t_;
    for (const double c : curve_[next_]) {
      x.here += power * c;
      power *= t_;
    }
    ++next_;
  }
  void dependent(OnCurve &y) override { dependents.push_back(y.here); }
  std::vector<Wide> dependents;

private:
  const Program &program_;
  const sweeps::Matrix &curve_;
  const Wide t_;
  std::size_t next_ = 0;
};

} // namespace

SeriesOfProgram followProgram(const Program &p, const sweeps::Matrix &curve) {
  kinkHit = false;
  const std::size_t degree = curve[0].size();
  const int points = static_cast<int>(degree) + 5;
  const Wide step = ldexp(Wide(1), -36);
  // By value: its values at the points. Values that are overwritten are followed, too.
  std::vector<std::vector<Wide>> dependents, all;
  for (int j = 1; j <= points; ++j) {
    CurveHost host(p, curve, step * j);
    std::vector<OnCurve> r(p.numVariables);
    std::copy(p.initial.begin(), p.initial.end(), r.begin());
    std::size_t place = 0;
    const auto note = [](std::vector<std::vector<Wide>> &where, std::size_t i, const Wide &value) {
      if (i == where.size())
        where.emplace_back();
      where[i].push_back(value);
    };
    for (const Statement &s : p.statements) {
      execute(s, r, host);
      note(all, place++, r[s.d].here);
    }
    for (std::size_t i = 0; i < host.dependents.size(); ++i)
      note(dependents, i, host.dependents[i]);
  }
  SeriesOfProgram result;
  result.kinked = kinkHit;
  for (const auto &values : all) {
    if (std::equal(values.begin() + 1, values.end(), values.begin()))
      continue; // a constant
    const std::vector<Wide> c = test::seriesOf(values, step);
    for (std::size_t k = 1; k <= degree; ++k) {
      const double size = std::fabs(c[k].convert_to<double>());
      if (!std::isfinite(size))
        result.growth = std::numeric_limits<double>::infinity();
      else if (k == 1)
        result.size = std::max(result.size, size);
      else
        result.growth = std::max(result.growth, std::pow(size, 1.0 / static_cast<double>(k)));
    }
  }
  for (const auto &values : dependents) {
    const std::vector<Wide> c = test::seriesOf(values, step);
    result.coefficients.emplace_back();
    for (std::size_t k = 1; k <= degree; ++k)
      result.coefficients.back().push_back(c[k].convert_to<double>());
  }
  return result;
}

} // namespace programs
