// SPDX-License-Identifier: MIT
#include "execute_program.h"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <sstream>

namespace programs {

bool dualsAreFinite = true;

// ── dual numbers ────────────────────────────────────────────────────────────────────────────────

namespace {

struct Term {
  double partial;
  const Dual &operand;
};

Dual linear(double value, std::initializer_list<Term> terms) {
  Dual r(value);
  for (const Term &t : terms) {
    dualsAreFinite = dualsAreFinite && std::isfinite(t.partial);
    for (std::size_t l = 0; l < kDirections; ++l)
      r.directional[l] += t.partial * t.operand.directional[l];
    for (std::size_t i = 0; i < kMaxIndependents; ++i)
      r.gradient[i] += t.partial * t.operand.gradient[i];
    // Positive wherever independents take part, also with a partial of 0.
    if (t.operand.size > 0.0)
      r.size += std::max(std::fabs(t.partial) * t.operand.size, 1e-300);
  }
  return r;
}

Dual extremum(const Dual &a, const Dual &b, bool maximum) {
  // Of equal numbers the first one, which matters for 0 and -0.
  const double value = a.v == b.v ? a.v : maximum ? std::fmax(a.v, b.v) : std::fmin(a.v, b.v);
  if (a.v != b.v) {
    const bool first = b.v != b.v || (maximum ? a.v > b.v : a.v < b.v);
    return linear(value, {{1.0, first ? a : b}});
  }
  Dual r = linear(value, {{0.5, a}, {0.5, b}});
  for (std::size_t l = 0; l < kDirections; ++l)
    r.directional[l] = maximum ? std::max(a.directional[l], b.directional[l])
                               : std::min(a.directional[l], b.directional[l]);
  r.size = a.size + b.size;
  return r;
}

Dual step(double value) { return Dual(value); }

/// x - q y with an integer q.
Dual modulus(double value, const Dual &a, const Dual &b) {
  const double q = std::round((a.v - value) / b.v);
  return linear(value, {{1.0, a}, {-q, b}});
}

double square(double x) { return x * x; }

} // namespace

Dual operator-(const Dual &a) { return linear(-a.v, {{-1.0, a}}); }
Dual operator+(const Dual &a, const Dual &b) { return linear(a.v + b.v, {{1.0, a}, {1.0, b}}); }
Dual operator-(const Dual &a, const Dual &b) { return linear(a.v - b.v, {{1.0, a}, {-1.0, b}}); }
Dual operator*(const Dual &a, const Dual &b) { return linear(a.v * b.v, {{b.v, a}, {a.v, b}}); }
Dual operator/(const Dual &a, const Dual &b) {
  return linear(a.v / b.v, {{1.0 / b.v, a}, {-a.v / b.v / b.v, b}});
}

#define DUAL(name, partial)                                                                        \
  Dual name(const Dual &a) {                                                                       \
    const double x = a.v;                                                                          \
    return linear(std::name(x), {{partial, a}});                                                   \
  }
DUAL(exp, std::exp(x))
DUAL(exp2, std::exp2(x) * std::log(2.0))
DUAL(expm1, std::exp(x))
DUAL(log, x > 0.0 ? 1.0 / x : std::sqrt(-1.0))
DUAL(log10, x > 0.0 ? 1.0 / (x * std::log(10.0)) : std::sqrt(-1.0))
DUAL(log2, x > 0.0 ? 1.0 / (x * std::log(2.0)) : std::sqrt(-1.0))
DUAL(log1p, x > -1.0 ? 1.0 / (1.0 + x) : std::sqrt(-1.0))
DUAL(sqrt, 1.0 / (2.0 * std::sqrt(x)))
DUAL(cbrt, 1.0 / (3.0 * square(std::cbrt(x))))
DUAL(sin, std::cos(x))
DUAL(cos, -std::sin(x))
DUAL(tan, 1.0 / square(std::cos(x)))
DUAL(asin, 1.0 / std::sqrt((1.0 - x) * (1.0 + x)))
DUAL(acos, -1.0 / std::sqrt((1.0 - x) * (1.0 + x)))
DUAL(atan, 1.0 / (1.0 + x * x))
DUAL(sinh, std::cosh(x))
DUAL(cosh, std::sinh(x))
DUAL(tanh, 1.0 / square(std::cosh(x)))
DUAL(asinh, 1.0 / std::sqrt(1.0 + x * x))
DUAL(acosh, x > 1.0 ? 1.0 / std::sqrt((x - 1.0) * (x + 1.0)) : std::sqrt(-1.0))
DUAL(atanh, x<1.0 && x> - 1.0 ? 1.0 / ((1.0 - x) * (1.0 + x)) : std::sqrt(-1.0))
DUAL(erf, 2.0 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x))
DUAL(erfc, -2.0 / std::sqrt(std::acos(-1.0)) * std::exp(-x * x))
#undef DUAL
Dual ceil(const Dual &a) { return step(std::ceil(a.v)); }
Dual floor(const Dual &a) { return step(std::floor(a.v)); }
Dual trunc(const Dual &a) { return step(std::trunc(a.v)); }
Dual round(const Dual &a) { return step(std::round(a.v)); }
Dual rint(const Dual &a) { return step(std::rint(a.v)); }

Dual fabs(const Dual &a) {
  if (a.v != 0.0)
    return linear(std::fabs(a.v), {{a.v < 0.0 ? -1.0 : 1.0, a}});
  Dual r(0.0);
  for (std::size_t l = 0; l < kDirections; ++l)
    r.directional[l] = std::fabs(a.directional[l]);
  r.size = a.size;
  return r;
}

Dual fmin(const Dual &a, const Dual &b) { return extremum(a, b, false); }
Dual fmax(const Dual &a, const Dual &b) { return extremum(a, b, true); }
Dual pow(const Dual &a, const Dual &b) {
  const double v = std::pow(a.v, b.v);
  const double inBase = b.v == 0.0 ? 0.0 : b.v * std::pow(a.v, b.v - 1.0);
  if (b.size == 0.0) // a constant, as far as the reference can tell
    return linear(v, {{inBase, a}});
  return linear(v, {{inBase, a}, {v * std::log(a.v), b}});
}
Dual atan2(const Dual &a, const Dual &b) {
  const double h = a.v * a.v + b.v * b.v;
  return linear(std::atan2(a.v, b.v), {{b.v / h, a}, {-a.v / h, b}});
}
Dual hypot(const Dual &a, const Dual &b) {
  const double v = std::hypot(a.v, b.v);
  return linear(v, {{a.v / v, a}, {b.v / v, b}});
}
Dual hypot(const Dual &a, const Dual &b, const Dual &c) {
  const double v = std::hypot(a.v, b.v, c.v);
  return linear(v, {{a.v / v, a}, {b.v / v, b}, {c.v / v, c}});
}
Dual fma(const Dual &a, const Dual &b, const Dual &c) {
  return linear(std::fma(a.v, b.v, c.v), {{b.v, a}, {a.v, b}, {1.0, c}});
}
Dual fmod(const Dual &a, const Dual &b) { return modulus(std::fmod(a.v, b.v), a, b); }
Dual remainder(const Dual &a, const Dual &b) { return modulus(std::remainder(a.v, b.v), a, b); }
Dual fraction(const Dual &a) {
  double integral;
  return linear(std::modf(a.v, &integral), {{1.0, a}});
}
Dual copysign(const Dual &a, const Dual &b) {
  if (a.v == 0.0) {
    Dual r(std::copysign(0.0, b.v));
    for (std::size_t l = 0; l < kDirections; ++l)
      r.directional[l] = std::copysign(a.directional[l], b.v);
    r.size = a.size;
    return r;
  }
  const double sign = std::signbit(a.v) == std::signbit(b.v) ? 1.0 : -1.0;
  return linear(std::copysign(a.v, b.v), {{sign, a}});
}
Dual fdim(const Dual &a, const Dual &b) {
  if (a.v == b.v) {
    Dual r = linear(0.0, {{0.5, a}, {-0.5, b}});
    for (std::size_t l = 0; l < kDirections; ++l)
      r.directional[l] = std::fdim(a.directional[l], b.directional[l]);
    r.size = a.size + b.size;
    return r;
  }
  if (!(a.v > b.v))
    return Dual(std::fdim(a.v, b.v));
  return linear(std::fdim(a.v, b.v), {{1.0, a}, {-1.0, b}});
}
Dual ldexp(const Dual &a, int e) { return linear(std::ldexp(a.v, e), {{std::ldexp(1.0, e), a}}); }
void condassign(Dual &r, const Dual &c, const Dual &a, const Dual &b) { r = c.v > 0.0 ? a : b; }
void condassign(Dual &r, const Dual &c, const Dual &a) { r = c.v > 0.0 ? a : r; }
void condeqassign(Dual &r, const Dual &c, const Dual &a, const Dual &b) { r = c.v >= 0.0 ? a : b; }
void condeqassign(Dual &r, const Dual &c, const Dual &a) { r = c.v >= 0.0 ? a : r; }

// ── statements ──────────────────────────────────────────────────────────────────────────────────

namespace {
constexpr const char *kindNames[] = {
#define KIND(name) #name,
    STATEMENT_KINDS(KIND)
#undef KIND
};
} // namespace

std::string text(const Statement &s) {
  std::ostringstream out;
  out.precision(17);
  out << kindNames[s.kind] << '/' << int{s.sub} << " d=" << int{s.d} << " a=" << int{s.a}
      << " b=" << int{s.b} << " c=" << int{s.c} << " k=" << s.k;
  return out.str();
}

template void execute(const Statement &, std::vector<Dual> &, Host<Dual> &);
template void execute(const Statement &, std::vector<adouble> &, Host<adouble> &);
template void execute(const Statement &, std::vector<Single> &, Host<Single> &);

// ── programs ────────────────────────────────────────────────────────────────────────────────────

namespace {

class DualHost : public Host<Dual> {
public:
  DualHost(const std::vector<double> &point, const std::array<double, kMaxIndependents> &arbitrary)
      : point_(point), arbitrary_(arbitrary) {}
  void independent(Dual &x) override {
    const std::size_t i = next_++;
    x = Dual(point_[i]);
    x.directional[i] = x.gradient[i] = 1.0;
    x.directional[kDirections - 1] = arbitrary_[i];
    x.size = std::max(1.0, std::fabs(arbitrary_[i]));
  }
  void dependent(Dual &y) override { result.results.push_back(y); }
  void compared(bool outcome, bool ordered) override {
    result.outcomes.push_back(outcome);
    result.ordered = result.ordered && ordered;
  }
  Reference result;

private:
  const std::vector<double> &point_;
  const std::array<double, kMaxIndependents> &arbitrary_;
  std::size_t next_ = 0;
};

bool moderate(const std::vector<Dual> &r) {
  return dualsAreFinite && std::all_of(r.begin(), r.end(), [](const Dual &x) {
           return std::fabs(x.v) < 1e4 && x.size < 1e6;
         });
}

} // namespace

Program generate(std::uint64_t seed, std::size_t length) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::uint8_t>(random() % n); };
  const auto plain = [&] {
    static constexpr double special[] = {0.0, 1.0, -1.0, 2.0, 0.5};
    return random() % 4 == 0 ? special[random() % std::size(special)]
                             : static_cast<double>(random() % 8001) / 2000.0 - 2.0;
  };
  Program p;
  p.seed = seed;
  p.numVariables = 4 + random() % 9;
  p.numBefore = random() % p.numVariables;
  for (std::size_t i = 0; i < p.numBefore; ++i)
    p.initial.push_back(plain());

  const std::array<double, kMaxIndependents> arbitrary{1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  DualHost host(p.point, arbitrary);
  std::vector<Dual> r(p.numVariables);
  std::copy(p.initial.begin(), p.initial.end(), r.begin());
  const auto perform = [&](const Statement &s) {
    execute(s, r, host);
    p.statements.push_back(s);
  };
  const auto mark = [&](Kind kind) {
    Statement s;
    s.kind = kind;
    s.d = below(p.numVariables);
    if (kind == independentKind)
      p.point.push_back(plain());
    else
      ++p.numDependents;
    perform(s);
  };
  const std::size_t independents = 1 + random() % 3;
  for (std::size_t i = 0; i < independents; ++i)
    mark(independentKind);

  for (std::size_t tries = 0; p.statements.size() < length && tries < 20 * length; ++tries) {
    const bool late = p.statements.size() * 2 > length;
    Statement s;
    s.kind = random() % 10 == 0 ? std::uint8_t{branchKind} : below(numKinds);
    s.sub = static_cast<std::uint8_t>(random());
    s.d = below(p.numVariables);
    s.a = below(p.numVariables);
    s.b = below(p.numVariables);
    s.c = below(p.numVariables);
    s.k = plain();
    if (s.kind == independentKind || s.kind == dependentKind) {
      // Rare, and dependents in the second half.
      const std::size_t made = s.kind == independentKind ? p.point.size() : p.numDependents;
      if (made < (s.kind == independentKind ? kMaxIndependents : 4) && random() % 3 == 0 &&
          (late || s.kind == independentKind))
        mark(static_cast<Kind>(s.kind));
      continue;
    }
    if (s.kind == nestedKind && random() % 4 != 0)
      continue;
    std::vector<Dual> tried = r;
    const std::size_t outcomes = host.result.outcomes.size();
    dualsAreFinite = true;
    execute(s, tried, host);
    if (moderate(tried)) {
      r = std::move(tried);
      p.statements.push_back(s);
    } else {
      host.result.outcomes.resize(outcomes);
    }
  }
  mark(dependentKind);
  mark(dependentKind); // maybe the same variable again
  // Life goes on after the dependents are known.
  Statement s;
  s.kind = compoundConstantKind;
  for (std::size_t i = 0; i < p.numVariables; ++i) {
    s.d = static_cast<std::uint8_t>(i);
    s.sub = 2;
    s.k = 0.5;
    perform(s);
  }
  return p;
}

Reference runReference(const Program &program, const std::vector<double> &point,
                       const std::array<double, kMaxIndependents> &arbitrary) {
  DualHost host(point, arbitrary);
  std::vector<Dual> r(program.numVariables);
  std::copy(program.initial.begin(), program.initial.end(), r.begin());
  dualsAreFinite = true;
  for (const Statement &s : program.statements)
    execute(s, r, host);
  host.result.finite = dualsAreFinite;
  return std::move(host.result);
}

} // namespace programs
