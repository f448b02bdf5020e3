// SPDX-License-Identifier: MIT
// Random straight-line programs over all operators and functions, executable with any number type:
// with active variables, with the dual numbers of the reference, and with variables that are never
// overwritten.
#pragma once

#include <adolc/adolc.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace programs {

inline constexpr std::size_t kMaxIndependents = 6;
/// Directions that the reference differentiates along: unit vectors, then one arbitrary direction.
inline constexpr std::size_t kDirections = kMaxIndependents + 1;

// ── the reference: a dual number ────────────────────────────────────────────────────────────────

/// A value with its directional derivatives (on kinks the one-sided ones, as forward sweeps have
/// them), its gradient (on kinks the symmetric one, as reverse sweeps have it), and a bound for
/// what rounding errors in either are relative to.
class Dual {
public:
  Dual() = default;
  Dual(double value) : v(value) {}

  double v = 0.0;
  std::array<double, kDirections> directional{};
  std::array<double, kMaxIndependents> gradient{};
  double size = 0.0;

  double value() const { return v; }
  Dual &operator+=(const Dual &b) { return *this = *this + b; }
  Dual &operator-=(const Dual &b) { return *this = *this - b; }
  Dual &operator*=(const Dual &b) { return *this = *this * b; }
  Dual &operator/=(const Dual &b) { return *this = *this / b; }
  Dual &operator++() { return *this = *this + Dual(1.0); }
  Dual &operator--() { return *this = *this - Dual(1.0); }
  Dual operator++(int) { return std::exchange(*this, *this + Dual(1.0)); }
  Dual operator--(int) { return std::exchange(*this, *this - Dual(1.0)); }
  friend Dual operator+(const Dual &a) { return a; }
  friend Dual operator-(const Dual &a);
  friend Dual operator+(const Dual &a, const Dual &b);
  friend Dual operator-(const Dual &a, const Dual &b);
  friend Dual operator*(const Dual &a, const Dual &b);
  friend Dual operator/(const Dual &a, const Dual &b);
  friend bool operator<(const Dual &a, const Dual &b) { return a.v < b.v; }
  friend bool operator<=(const Dual &a, const Dual &b) { return a.v <= b.v; }
  friend bool operator>(const Dual &a, const Dual &b) { return a.v > b.v; }
  friend bool operator>=(const Dual &a, const Dual &b) { return a.v >= b.v; }
  friend bool operator==(const Dual &a, const Dual &b) { return a.v == b.v; }
  friend bool operator!=(const Dual &a, const Dual &b) { return a.v != b.v; }
};

/// True while every partial derivative of a Dual since it was last set was finite.
extern bool dualsAreFinite;

#define PROGRAMS_UNARY(list)                                                                       \
  list(exp) list(log) list(sqrt) list(sin) list(cos) list(tan) list(asin) list(acos) list(atan)    \
      list(sinh) list(cosh) list(tanh) list(asinh) list(acosh) list(atanh) list(erf) list(erfc)    \
          list(cbrt) list(exp2) list(expm1) list(log1p) list(log10) list(log2) list(fabs)          \
              list(ceil) list(floor) list(trunc) list(round) list(rint) list(fraction)
#define PROGRAMS_BINARY(list)                                                                      \
  list(fmin) list(fmax) list(pow) list(atan2) list(hypot) list(fmod) list(remainder)               \
      list(copysign) list(fdim)

/// What modf returns.
inline adouble fraction(const adouble &a) {
  adouble integral;
  return modf(a, &integral);
}
#define PROGRAMS_DECLARE(name) Dual name(const Dual &a);
PROGRAMS_UNARY(PROGRAMS_DECLARE)
#undef PROGRAMS_DECLARE
#define PROGRAMS_DECLARE(name) Dual name(const Dual &a, const Dual &b);
PROGRAMS_BINARY(PROGRAMS_DECLARE)
#undef PROGRAMS_DECLARE
inline Dual pow(const Dual &a, double c) { return pow(a, Dual(c)); }
inline Dual pow(double c, const Dual &a) { return pow(Dual(c), a); }
inline Dual fmin(const Dual &a, double c) { return fmin(a, Dual(c)); }
inline Dual fmax(const Dual &a, double c) { return fmax(a, Dual(c)); }
Dual fma(const Dual &a, const Dual &b, const Dual &c);
Dual hypot(const Dual &a, const Dual &b, const Dual &c);
Dual ldexp(const Dual &a, int e);
void condassign(Dual &r, const Dual &c, const Dual &a, const Dual &b);
void condassign(Dual &r, const Dual &c, const Dual &a);
void condeqassign(Dual &r, const Dual &c, const Dual &a, const Dual &b);
void condeqassign(Dual &r, const Dual &c, const Dual &a);

// ── variables that are never overwritten ────────────────────────────────────────────────────────

/// An active variable that gets a new location with every value and keeps the old ones alive: on
/// such a tape nothing is ever lost, so the to-be-recorded analysis has nothing to save.
class Single {
public:
  Single() : Single(0.0) {}
  Single(double c) : a(std::make_shared<adouble>(c)) { keep(a); }
  Single(const Single &other) : a(std::make_shared<adouble>(*other.a)) { keep(a); }
  Single(Single &&) = default;
  Single &operator=(double c) { return *this = Single(c); }
  Single &operator=(const Single &other) { return this == &other ? *this : *this = Single(other); }
  Single &operator=(Single &&) = default;
  static Single of(adouble &&result) {
    Single s{Empty{}};
    s.a = std::make_shared<adouble>(std::move(result));
    keep(s.a);
    return s;
  }
  /// Ends the life of all variables.
  static void clear() { kept().clear(); }

  std::shared_ptr<adouble> a;

  double value() const { return a->value(); }
#define PROGRAMS_COMPOUND(symbol)                                                                  \
  Single &operator symbol##=(const Single &b) { return *this = of(*a symbol * b.a); }              \
  Single &operator symbol##=(double c) { return *this = of(*a symbol c); }                         \
  friend Single operator symbol(const Single &a, const Single &b) {                                \
    return of(*a.a symbol * b.a);                                                                  \
  }                                                                                                \
  friend Single operator symbol(const Single &a, double c) { return of(*a.a symbol c); }           \
  friend Single operator symbol(double c, const Single &b) { return of(c symbol * b.a); }
  PROGRAMS_COMPOUND(+)
  PROGRAMS_COMPOUND(-)
  PROGRAMS_COMPOUND(*)
  PROGRAMS_COMPOUND(/)
#undef PROGRAMS_COMPOUND
  Single &operator++() { return *this += 1.0; }
  Single &operator--() { return *this -= 1.0; }
  Single operator++(int) {
    Single before(*this);
    ++*this;
    return before;
  }
  Single operator--(int) {
    Single before(*this);
    --*this;
    return before;
  }
  friend Single operator+(const Single &a) { return of(+*a.a); }
  friend Single operator-(const Single &a) { return of(-*a.a); }
#define PROGRAMS_COMPARE(symbol)                                                                   \
  friend bool operator symbol(const Single &a, const Single &b) { return *a.a symbol * b.a; }      \
  friend bool operator symbol(const Single &a, double c) { return *a.a symbol c; }
  PROGRAMS_COMPARE(<)
  PROGRAMS_COMPARE(<=)
  PROGRAMS_COMPARE(>)
  PROGRAMS_COMPARE(>=)
  PROGRAMS_COMPARE(==)
  PROGRAMS_COMPARE(!=)
#undef PROGRAMS_COMPARE

private:
  struct Empty {};
  explicit Single(Empty) {}
  static std::vector<std::shared_ptr<adouble>> &kept() {
    static std::vector<std::shared_ptr<adouble>> all;
    return all;
  }
  static void keep(const std::shared_ptr<adouble> &a) { kept().push_back(a); }
};

#define PROGRAMS_DEFINE(name)                                                                      \
  inline Single name(const Single &a) { return Single::of(name(*a.a)); }
PROGRAMS_UNARY(PROGRAMS_DEFINE)
#undef PROGRAMS_DEFINE
#define PROGRAMS_DEFINE(name)                                                                      \
  inline Single name(const Single &a, const Single &b) { return Single::of(name(*a.a, *b.a)); }
PROGRAMS_BINARY(PROGRAMS_DEFINE)
#undef PROGRAMS_DEFINE
inline Single pow(const Single &a, double c) { return Single::of(pow(*a.a, c)); }
inline Single pow(double c, const Single &a) { return Single::of(pow(c, *a.a)); }
inline Single fmin(const Single &a, double c) { return Single::of(fmin(*a.a, c)); }
inline Single fmax(const Single &a, double c) { return Single::of(fmax(*a.a, c)); }
inline Single fma(const Single &a, const Single &b, const Single &c) {
  return Single::of(fma(*a.a, *b.a, *c.a));
}
inline Single hypot(const Single &a, const Single &b, const Single &c) {
  return Single::of(hypot(*a.a, *b.a, *c.a));
}
inline Single ldexp(const Single &a, int e) { return Single::of(ldexp(*a.a, e)); }
#define PROGRAMS_SELECT(name)                                                                      \
  inline void name(Single &r, const Single &c, const Single &a, const Single &b) {                 \
    adouble result;                                                                                \
    name(result, *c.a, *a.a, *b.a);                                                                \
    r = Single::of(std::move(result));                                                             \
  }                                                                                                \
  inline void name(Single &r, const Single &c, const Single &a) { name(r, c, a, r); }
PROGRAMS_SELECT(condassign)
PROGRAMS_SELECT(condeqassign)
#undef PROGRAMS_SELECT

// ── programs ────────────────────────────────────────────────────────────────────────────────────

/// One statement on the variables r[0], r[1], …; what d, a, b, c and k mean is the statement's
/// business.
struct Statement {
  std::uint8_t kind = 0, sub = 0;
  std::uint8_t d = 0, a = 0, b = 0, c = 0;
  double k = 0.0;
};
std::string text(const Statement &s);

struct Program {
  std::uint64_t seed = 0;
  std::size_t numVariables = 0;
  std::size_t numBefore = 0; ///< variables that live before the recording begins
  std::vector<double> initial;
  std::vector<Statement> statements;
  std::vector<double> point; ///< values of the independents in order of their marks
  std::size_t numDependents = 0;
};

/// The outside world of a program: independents, dependents, comparisons, nested recordings.
template <class T> class Host {
public:
  virtual ~Host() = default;
  virtual void independent(T &x) = 0;
  virtual void dependent(T &y) = 0;
  /// Called with the outcome of every comparison; `ordered` is false if NaN was compared.
  virtual void compared(bool outcome, bool ordered) { static_cast<void>(outcome || ordered); }
  /// Something else is recorded meanwhile.
  virtual void nested(const T &) {}
};

/// A program of about `length` statements whose values and derivatives stay moderate.
Program generate(std::uint64_t seed, std::size_t length);

template <class T> void execute(const Statement &s, std::vector<T> &r, Host<T> &host);
extern template void execute(const Statement &, std::vector<Dual> &, Host<Dual> &);
extern template void execute(const Statement &, std::vector<adouble> &, Host<adouble> &);
extern template void execute(const Statement &, std::vector<Single> &, Host<Single> &);

/// The reference at a point.
struct Reference {
  bool finite = true;  ///< all partials; otherwise only the values mean something
  bool ordered = true; ///< no comparison with NaN
  std::vector<bool> outcomes;
  std::vector<Dual> results; ///< dependents
};
/// `arbitrary[i]` is the component of independent i of the last direction.
Reference runReference(const Program &program, const std::vector<double> &point,
                       const std::array<double, kMaxIndependents> &arbitrary);

} // namespace programs
