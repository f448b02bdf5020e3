// SPDX-License-Identifier: MIT
#include "random_program.h"

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

#define STATEMENT_KINDS(list)                                                                      \
  list(constant) list(copy) list(binary) list(compound) list(compoundConstant) list(unary)         \
      list(unaryOfTemporary) list(temporaries) list(fused) list(fusedMoved) list(scalar)           \
          list(scalarOfTemporary) list(increment) list(move) list(swap) list(branch) list(select)  \
              list(scope) list(twoOperands) list(threeOperands) list(sign) list(power) list(self)  \
                  list(zero) list(tie) list(nested) list(dependent) list(independent)
enum Kind : std::uint8_t {
#define KIND(name) name##Kind,
  STATEMENT_KINDS(KIND)
#undef KIND
      numKinds
};
constexpr const char *kindNames[] = {
#define KIND(name) #name,
    STATEMENT_KINDS(KIND)
#undef KIND
};

constexpr int numUnary = 0
#define COUNT(name) +1
    PROGRAMS_UNARY(COUNT)
#undef COUNT
    ;
constexpr int numBinary = 0
#define COUNT(name) +1
    PROGRAMS_BINARY(COUNT)
#undef COUNT
    ;

/// Works on a variable or on a temporary, as it is given.
template <class X> auto unaryFunction(int which, X &&x) -> std::remove_cvref_t<X> {
  int i = 0;
#define CASE(name)                                                                                 \
  if (which == i++)                                                                                \
    return name(std::forward<X>(x));
  PROGRAMS_UNARY(CASE)
#undef CASE
  return std::forward<X>(x);
}
template <class T> T binaryFunction(int which, const T &x, const T &y) {
  int i = 0;
#define CASE(name)                                                                                 \
  if (which == i++)                                                                                \
    return name(x, y);
  PROGRAMS_BINARY(CASE)
#undef CASE
  return x;
}
template <class X, class Y> auto arithmetic(int which, X &&x, Y &&y) {
  switch (which % 4) {
  case 0:
    return std::forward<X>(x) + std::forward<Y>(y);
  case 1:
    return std::forward<X>(x) - std::forward<Y>(y);
  case 2:
    return std::forward<X>(x) * std::forward<Y>(y);
  default:
    return std::forward<X>(x) / std::forward<Y>(y);
  }
}
template <class T, class Y> void compoundOperator(int which, T &x, Y &&y) {
  switch (which % 4) {
  case 0:
    x += std::forward<Y>(y);
    break;
  case 1:
    x -= std::forward<Y>(y);
    break;
  case 2:
    x *= std::forward<Y>(y);
    break;
  default:
    x /= std::forward<Y>(y);
    break;
  }
}
template <class T, class Y> bool relation(int which, const T &x, const Y &y) {
  switch (which % 6) {
  case 0:
    return x < y;
  case 1:
    return x <= y;
  case 2:
    return x > y;
  case 3:
    return x >= y;
  case 4:
    return x == y;
  default:
    return x != y;
  }
}

} // namespace

std::string text(const Statement &s) {
  std::ostringstream out;
  out.precision(17);
  out << kindNames[s.kind] << '/' << int{s.sub} << " d=" << int{s.d} << " a=" << int{s.a}
      << " b=" << int{s.b} << " c=" << int{s.c} << " k=" << s.k;
  return out.str();
}

template <class T> void execute(const Statement &s, std::vector<T> &r, Host<T> &host) {
  T &d = r[s.d];
  T &a = r[s.a], &b = r[s.b], &c = r[s.c];
  const int sub = s.sub;
  const double k = s.k;
  switch (s.kind) {
  case constantKind:
    d = k;
    break;
  case copyKind:
    if (sub % 2 == 0)
      d = a;
    else
      d = T(a); // a copy that is moved in
    break;
  case binaryKind:
    d = arithmetic(sub, std::as_const(a), std::as_const(b));
    break;
  case compoundKind:
    compoundOperator(sub, d, std::as_const(a));
    break;
  case compoundConstantKind:
    compoundOperator(sub, d, k);
    break;
  case unaryKind:
    d = unaryFunction(sub % numUnary, std::as_const(a));
    break;
  case unaryOfTemporaryKind:
    d = unaryFunction(sub % numUnary, a * k + b);
    break;
  case temporariesKind:
    switch (sub >> 4 & 3) {
    case 0:
      d = arithmetic(sub, arithmetic(sub >> 2, std::as_const(a), std::as_const(b)), c);
      break;
    case 1:
      d = arithmetic(sub, c, arithmetic(sub >> 2, std::as_const(a), std::as_const(b)));
      break;
    case 2:
      d = arithmetic(sub, a * b, b + c);
      break;
    default:
      d = a * b + c * d - b;
      break;
    }
    break;
  case fusedKind:
    switch (sub % 4) {
    case 0:
      d += a * b;
      break;
    case 1:
      d -= a * b;
      break;
    case 2:
      d += k * a;
      break;
    default:
      d -= a * k;
    }
    break;
  case fusedMovedKind: {
    T product = a * b;
    if (sub % 4 < 2) {
      T other = product; // the product is not the last operation any more
      d += std::move(product);
      d -= other * c;
    } else {
      d += std::move(product);
    }
    break;
  }
  case scalarKind:
    d = (sub & 4) != 0 ? arithmetic(sub, std::as_const(a), k)
                       : arithmetic(sub, k, std::as_const(a));
    break;
  case scalarOfTemporaryKind:
    d = (sub & 4) != 0 ? arithmetic(sub, a - b, k) : arithmetic(sub, k, a + b);
    break;
  case incrementKind:
    switch (sub % 4) {
    case 0:
      d = ++a * b;
      break;
    case 1:
      d = b * a++;
      break;
    case 2:
      d = --a + b;
      break;
    default:
      d = a-- - b;
      break;
    }
    break;
  case moveKind: {
    T taken(std::move(a));
    a = k;
    d = std::move(taken);
    break;
  }
  case swapKind:
    std::swap(a, b);
    break;
  case branchKind: {
    const bool withConstant = (sub & 8) != 0;
    const bool outcome = withConstant ? relation(sub, a, k) : relation(sub, a, b);
    const double other = withConstant ? k : b.value();
    host.compared(outcome, !std::isnan(a.value()) && !std::isnan(other));
    if (outcome)
      d = a * 0.5 + c;
    else
      d -= b;
    break;
  }
  case selectKind:
    switch (sub % 4) {
    case 0:
      condassign(d, a, b, c);
      break;
    case 1:
      condassign(d, a, b);
      break;
    case 2:
      condeqassign(d, a, b, c);
      break;
    default:
      condeqassign(d, a, b);
      break;
    }
    break;
  case scopeKind: {
    // Locations are taken, moved about as the vector grows, and given back.
    std::vector<T> local;
    for (int i = 0; i < 3 + sub % 5; ++i)
      local.push_back(i % 2 == 0 ? a * (k + i) : b + c);
    T sum = 0.0;
    for (T &li : local)
      sum += li * a;
    local.pop_back();
    local[0] *= local[1];
    d = sum * 0.25 + local[0] * 0.125;
    break;
  }
  case twoOperandsKind:
    d = binaryFunction(sub % numBinary, std::as_const(a), std::as_const(b));
    break;
  case threeOperandsKind:
    if (sub % 2 == 0)
      d = fma(a, b, c);
    else
      d = hypot(a, b, c);
    break;
  case signKind:
    switch (sub % 4) {
    case 0:
      d = -a;
      break;
    case 1:
      d = +a;
      break;
    case 2:
      d = -(a + b);
      break;
    default:
      d = +(a * b);
      break;
    }
    break;
  case powerKind:
    switch (sub % 5) {
    case 0:
      d = pow(a, k);
      break;
    case 1:
      d = pow(a, std::floor(k * 2.0));
      break;
    case 2:
      d = pow(std::fabs(k), a);
      break;
    case 3:
      d = sub % 2 == 0 ? fmin(a, k) : fmax(a, k);
      break;
    default:
      d = ldexp(a, static_cast<int>(k));
      break;
    }
    break;
  case selfKind:
    switch (sub % 6) {
    case 0:
      d *= d;
      break;
    case 1:
      d = d * d;
      break;
    case 2:
      d += d;
      break;
    case 3:
      d = d / (d * d + 1.0);
      break;
    case 4:
      d += d * d;
      break;
    default:
      d = d - d * k;
      break;
    }
    break;
  case zeroKind:
    switch (sub % 3) {
    case 0:
      d = a - a;
      break;
    case 1:
      d = a * 0.0;
      break;
    default:
      d = 0.0;
      break;
    }
    break;
  case tieKind: {
    T same = a;
    switch (sub % 4) {
    case 0:
      d = fmin(a, same);
      break;
    case 1:
      d = fmax(b * 0.0 + a, a);
      break;
    case 2:
      d = fabs(a - same * 1.0);
      break;
    default:
      d = fabs(b * 0.0);
      break;
    }
    break;
  }
  case nestedKind:
    host.nested(a);
    break;
  case dependentKind:
    host.dependent(d);
    break;
  default:
    host.independent(d);
    break;
  }
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
