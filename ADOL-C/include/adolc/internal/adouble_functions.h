/// @file internal/adouble_functions.h
/// Mathematical functions of active variables (part of adtb_types.h). All of them exist for
/// variables, temporaries and parameters. Values at special points: doc/special-points.md.
#pragma once

#include <adolc/adtb_types.h>

// ── elementary functions of one argument: from the operation table ──────────────────────────────
#define ADOLC_OP(op, rule, layout, depend, text)
#define ADOLC_FN(op, name, rule, layout, depend, text)                                             \
  ADOLC_API adouble name(const adouble &a);                                                        \
  ADOLC_API adouble name(adouble &&a);                                                             \
  inline adouble name(const pdouble &p) { return name(static_cast<adouble>(p)); }
#include <adolc/internal/oplist_expand.h>

/// Absolute value; a switch of the abs-normal form. At 0: forward |ẋ|, reverse 0.
ADOLC_API adouble fabs(const adouble &a);
inline adouble fabs(const pdouble &p) { return fabs(static_cast<adouble>(p)); }
inline adouble abs(const adouble &a) { return fabs(a); }
inline adouble abs(const pdouble &p) { return fabs(p); }
inline adouble nearbyint(const adouble &a) { return rint(a); }
inline adouble nearbyint(const pdouble &p) { return rint(p); }

/// a·2^e; the exponent is not active.
ADOLC_API adouble ldexp(const adouble &a, int e);
inline adouble ldexp(const pdouble &p, int e) { return ldexp(static_cast<adouble>(p), e); }
inline adouble scalbn(const adouble &a, int e) { return ldexp(a, e); }
inline adouble scalbn(const pdouble &p, int e) { return ldexp(p, e); }
/// The mantissa a·2^-e in [½, 1) with e frozen at its present value; differentiable.
ADOLC_API adouble frexp(const adouble &a, int *e);
inline adouble frexp(const pdouble &p, int *e) { return frexp(static_cast<adouble>(p), e); }
/// Fractional part; *integral, which may be a itself, receives the integral part.
ADOLC_API adouble modf(const adouble &a, adouble *integral);
inline adouble modf(const pdouble &p, adouble *integral) {
  return modf(static_cast<adouble>(p), integral);
}
/// User-supplied function known at the present point only: value F(x) with F'(x) = integrand. A
/// replay at another x returns -2.
ADOLC_API adouble quadrature(const adouble &x, double value, const adouble &integrand);
template <class A, class B>
requires ADOLC::detail::WithParameter<A, B> adouble quadrature(const A &x, double value,
                                                               const B &integrand) {
  return quadrature(ADOLC::detail::activate(x), value, ADOLC::detail::activate(integrand));
}

// ── functions of two and three arguments ────────────────────────────────────────────────────────
/// Minimum and maximum; a NaN operand loses. On a tie: forward the one-sided derivative, reverse ½
/// to each operand. With enableMinMaxUsingAbs recorded as ½(a + b ∓ |a - b|).
ADOLC_API adouble fmin(const adouble &a, const adouble &b);
ADOLC_API adouble fmin(const adouble &a, double c);
ADOLC_API adouble fmax(const adouble &a, const adouble &b);
ADOLC_API adouble fmax(const adouble &a, double c);
inline adouble fmin(double c, const adouble &a) { return fmin(a, c); }
inline adouble fmax(double c, const adouble &a) { return fmax(a, c); }

ADOLC_API adouble pow(const adouble &a, double exponent);
/// Throws NONPOSITIVE_BASIS for base < 0.
ADOLC_API adouble pow(double base, const adouble &exponent);
ADOLC_API adouble pow(const adouble &a, const adouble &exponent);
ADOLC_API adouble atan2(const adouble &y, const adouble &x);
ADOLC_API adouble hypot(const adouble &a, const adouble &b);
ADOLC_API adouble hypot(const adouble &a, const adouble &b, const adouble &c);
ADOLC_API adouble fma(const adouble &a, const adouble &b, const adouble &c);
ADOLC_API adouble fmod(const adouble &a, const adouble &b);
ADOLC_API adouble remainder(const adouble &a, const adouble &b);
ADOLC_API adouble copysign(const adouble &a, const adouble &sign);
ADOLC_API adouble fdim(const adouble &a, const adouble &b);

// Parameters and numbers among the operands. (Numbers convert to constants of the recording where
// there is no operation with a constant; templates, so that plain double calls are not touched.)
#define ADOLC_MIXED(name)                                                                          \
  template <class A, class B>                                                                      \
  requires ADOLC::detail::WithParameter<A, B> adouble name(const A &a, const B &b) {               \
    return name(ADOLC::detail::activate(a), ADOLC::detail::activate(b));                           \
  }
#define ADOLC_MIXED_3(name)                                                                        \
  template <class A, class B, class C>                                                             \
  requires ADOLC::detail::WithParameter<A, B, C> adouble name(const A &a, const B &b,              \
                                                              const C &c) {                        \
    return name(ADOLC::detail::activate(a), ADOLC::detail::activate(b),                            \
                ADOLC::detail::activate(c));                                                       \
  }
ADOLC_MIXED(fmin)
ADOLC_MIXED(fmax)
ADOLC_MIXED(pow)
ADOLC_MIXED(atan2)
ADOLC_MIXED(hypot)
ADOLC_MIXED(fmod)
ADOLC_MIXED(remainder)
ADOLC_MIXED(copysign)
ADOLC_MIXED(fdim)
ADOLC_MIXED_3(hypot)
ADOLC_MIXED_3(fma)
#undef ADOLC_MIXED
#undef ADOLC_MIXED_3

// The names without f; templates would lose against std::min for two adoubles.
inline adouble min(const adouble &a, const adouble &b) { return fmin(a, b); }
inline adouble min(const adouble &a, double c) { return fmin(a, c); }
inline adouble min(double c, const adouble &a) { return fmin(c, a); }
inline adouble max(const adouble &a, const adouble &b) { return fmax(a, b); }
inline adouble max(const adouble &a, double c) { return fmax(a, c); }
inline adouble max(double c, const adouble &a) { return fmax(c, a); }
template <class A, class B>
requires ADOLC::detail::WithParameter<A, B> adouble min(const A &a, const B &b) {
  return fmin(a, b);
}
template <class A, class B>
requires ADOLC::detail::WithParameter<A, B> adouble max(const A &a, const B &b) {
  return fmax(a, b);
}

/// result = condition > 0 ? a : b, recorded, so that a replay selects anew. No derivative flows to
/// the condition.
ADOLC_API void condassign(adouble &result, const adouble &condition, const adouble &a,
                          const adouble &b);
/// if (condition > 0) result = a.
ADOLC_API void condassign(adouble &result, const adouble &condition, const adouble &a);
/// The same with condition >= 0.
ADOLC_API void condeqassign(adouble &result, const adouble &condition, const adouble &a,
                            const adouble &b);
ADOLC_API void condeqassign(adouble &result, const adouble &condition, const adouble &a);
// Parameters and numbers among the operands.
#define ADOLC_MIXED_SELECTION(name)                                                                \
  template <class... T>                                                                            \
  requires ADOLC::detail::WithParameter<T...>                                                      \
  void name(adouble &result, const T &...operands) {                                               \
    name(result, ADOLC::detail::activate(operands)...);                                            \
  }
ADOLC_MIXED_SELECTION(condassign)
ADOLC_MIXED_SELECTION(condeqassign)
#undef ADOLC_MIXED_SELECTION
// Plain numbers, so that templates work for both.
inline void condassign(double &result, double condition, double a, double b) {
  result = condition > 0.0 ? a : b;
}
inline void condassign(double &result, double condition, double a) {
  if (condition > 0.0)
    result = a;
}
inline void condeqassign(double &result, double condition, double a, double b) {
  result = condition >= 0.0 ? a : b;
}
inline void condeqassign(double &result, double condition, double a) {
  if (condition >= 0.0)
    result = a;
}

// ── classification, rounding to integers: of the present value, never recorded ──────────────────
inline bool isnan(const adouble &a) { return std::isnan(a.value()); }
inline bool isinf(const adouble &a) { return std::isinf(a.value()); }
inline bool isfinite(const adouble &a) { return std::isfinite(a.value()); }
inline bool isnormal(const adouble &a) { return std::isnormal(a.value()); }
inline bool signbit(const adouble &a) { return std::signbit(a.value()); }
inline int fpclassify(const adouble &a) { return std::fpclassify(a.value()); }
inline int ilogb(const adouble &a) { return std::ilogb(a.value()); }
inline long lround(const adouble &a) { return std::lround(a.value()); }
inline long long llround(const adouble &a) { return std::llround(a.value()); }
inline long lrint(const adouble &a) { return std::lrint(a.value()); }
inline long long llrint(const adouble &a) { return std::llrint(a.value()); }
inline bool isnan(const pdouble &p) { return std::isnan(p.value()); }
inline bool isinf(const pdouble &p) { return std::isinf(p.value()); }
inline bool isfinite(const pdouble &p) { return std::isfinite(p.value()); }
inline bool isnormal(const pdouble &p) { return std::isnormal(p.value()); }

// ── streams, limits, ranges of variables ────────────────────────────────────────────────────────
/// Prints the value followed by "(a)".
ADOLC_API std::ostream &operator<<(std::ostream &out, const adouble &a);
/// Reads a double and assigns it as a constant.
ADOLC_API std::istream &operator>>(std::istream &in, adouble &a);

/// Marks a range of independents and sets their values; SIZE_MISMATCH unless the sizes agree.
ADOLC_API void operator<<=(std::span<adouble> x, std::span<const double> v);
/// Marks a range of dependents and stores their values; SIZE_MISMATCH unless the sizes agree.
ADOLC_API void operator>>=(std::span<adouble> y, std::span<double> v);

/// All constants are those of double; the functions return double.
template <> class std::numeric_limits<adouble> : public std::numeric_limits<double> {};

// ── parameters under the names of 2.7 ───────────────────────────────────────────────────────────
/// A new parameter of the recording and its present value as an active variable.
ADOLC_API adouble mkparam(double value);
/// A new parameter of the recording; its index.
ADOLC_API locint mkparam_idx(double value);
/// The parameter with this index as an active variable.
ADOLC_API adouble getparam(locint index);
