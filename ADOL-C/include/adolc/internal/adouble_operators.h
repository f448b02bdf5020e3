/// @file internal/adouble_operators.h
/// Assignment, arithmetic and comparison of active variables (part of adtb_types.h).
///
/// Operators that are given a temporary work in its location: no allocation, and one location less
/// on the tape. They return by value, so that no reference to a temporary escapes.
#pragma once

#include <adolc/adtb_types.h>

// ── assignment ──────────────────────────────────────────────────────────────────────────────────

ADOLC_ALWAYS_INLINE void adouble::assignConstant(double c) {
  using namespace ADOLC::detail;
  if (c == 0.0 && !std::signbit(c)) // -0.0 is not the constant of assign_d_zero
    Access::assign<assign_d_zero>(*this, Args<0>{}, Consts<0>{});
  else if (c == 1.0)
    Access::assign<assign_d_one>(*this, Args<0>{}, Consts<0>{});
  else
    Access::assign<assign_d>(*this, Args<0>{}, Consts<1>{c});
}
ADOLC_ALWAYS_INLINE void adouble::assignCopy(const adouble &a) {
  using namespace ADOLC::detail;
  Access::assign<assign_a>(*this, Args<1>{a.h_}, Consts<0>{});
}
ADOLC_ALWAYS_INLINE adouble &adouble::operator<<=(double v) {
  using namespace ADOLC::detail;
  if (ValueTape *const tape = recordingTape()) [[likely]] {
    Store &store = tape->activeStore();
    if (plain(h_, store)) [[likely]] {
      appendMarker(assign_ind, *tape, store, h_.loc(), true);
      tape->countIndependent();
      store.values[h_.loc()] = v;
      return *this;
    }
  }
  h_ = markIndependent(h_, v);
  return *this;
}
inline adouble &adouble::operator=(const pdouble &p) { return *this = static_cast<adouble>(p); }

// ── compound assignment ─────────────────────────────────────────────────────────────────────────

#define ADOLC_COMPOUND(symbol, withConstant, withActive)                                           \
  ADOLC_ALWAYS_INLINE adouble &adouble::operator symbol(double c) {                                \
    using namespace ADOLC::detail;                                                                 \
    Access::into<withConstant>(*this, Args<0>{}, Consts<1>{c});                                    \
    return *this;                                                                                  \
  }                                                                                                \
  ADOLC_ALWAYS_INLINE adouble &adouble::operator symbol(const adouble &a) {                        \
    using namespace ADOLC::detail;                                                                 \
    Access::into<withActive>(*this, Args<1>{a.h_}, Consts<0>{});                                   \
    return *this;                                                                                  \
  }                                                                                                \
  inline adouble &adouble::operator symbol(const pdouble &p) {                                     \
    return *this symbol static_cast<adouble>(p);                                                   \
  }
ADOLC_COMPOUND(+=, eq_plus_d, eq_plus_a)
ADOLC_COMPOUND(-=, eq_min_d, eq_min_a)
ADOLC_COMPOUND(*=, eq_mult_d, eq_mult_a)
ADOLC_COMPOUND(/=, eq_div_d, eq_div_a)
#undef ADOLC_COMPOUND

ADOLC_ALWAYS_INLINE adouble &adouble::operator+=(adouble &&a) {
  ADOLC::detail::Access::accumulate<eq_plus_a>(*this, a);
  return *this;
}
ADOLC_ALWAYS_INLINE adouble &adouble::operator-=(adouble &&a) {
  ADOLC::detail::Access::accumulate<eq_min_a>(*this, a);
  return *this;
}
inline adouble &adouble::operator++() {
  using namespace ADOLC::detail;
  Access::into<incr_a>(*this, Args<0>{}, Consts<0>{});
  return *this;
}
inline adouble &adouble::operator--() {
  using namespace ADOLC::detail;
  Access::into<decr_a>(*this, Args<0>{}, Consts<0>{});
  return *this;
}
inline adouble adouble::operator++(int) {
  adouble before(*this);
  ++*this;
  return before;
}
inline adouble adouble::operator--(int) {
  adouble before(*this);
  --*this;
  return before;
}

// ── arithmetic ──────────────────────────────────────────────────────────────────────────────────
// For each operator: two variables, a temporary on either side or on both, and constants. The first
// operand of a temporary form is worked on by the compound operation, the second one by the plain
// operation with the temporary's location as result.

namespace ADOLC::detail {

ADOLC_ALWAYS_INLINE Args<2> both(const adouble &a, const adouble &b) {
  return {Access::handle(a), Access::handle(b)};
}
template <OPCODES Op> ADOLC_ALWAYS_INLINE adouble binary(const adouble &a, const adouble &b) {
  return Access::fresh<Op>(both(a, b), Consts<0>{});
}
template <OPCODES Compound, OPCODES Op>
ADOLC_ALWAYS_INLINE adouble binaryFirst(adouble &a, const adouble &b) {
  return Access::reuse<Compound, Op>(a, Args<1>{Access::handle(b)}, both(a, b), Consts<0>{});
}
template <OPCODES Op> ADOLC_ALWAYS_INLINE adouble binarySecond(const adouble &a, adouble &b) {
  return Access::reuse<Op, Op>(b, both(a, b), both(a, b), Consts<0>{});
}
template <OPCODES Op> ADOLC_ALWAYS_INLINE adouble unary(const adouble &a) {
  return Access::fresh<Op>(Args<1>{Access::handle(a)}, Consts<0>{});
}
template <OPCODES Op> ADOLC_ALWAYS_INLINE adouble unaryReuse(adouble &a) {
  return Access::reuse<Op, Op>(a, Args<1>{Access::handle(a)}, Args<1>{Access::handle(a)},
                               Consts<0>{});
}
/// One active operand and a constant.
template <OPCODES Op> ADOLC_ALWAYS_INLINE adouble scalar(const adouble &a, double c) {
  return Access::fresh<Op>(Args<1>{Access::handle(a)}, Consts<1>{c});
}
template <OPCODES Op> ADOLC_ALWAYS_INLINE adouble scalarReuse(adouble &a, double c) {
  return Access::reuse<Op, Op>(a, Args<1>{Access::handle(a)}, Args<1>{Access::handle(a)},
                               Consts<1>{c});
}
template <OPCODES Compound, OPCODES Op>
ADOLC_ALWAYS_INLINE adouble scalarCompound(adouble &a, double c) {
  return Access::reuse<Compound, Op>(a, Args<0>{}, Args<1>{Access::handle(a)}, Consts<1>{c});
}

} // namespace ADOLC::detail

#define ADOLC_ARITHMETIC(symbol, op, compound, second)                                             \
  ADOLC_ALWAYS_INLINE adouble operator symbol(const adouble &a, const adouble &b) {                \
    return ADOLC::detail::binary<op>(a, b);                                                        \
  }                                                                                                \
  ADOLC_ALWAYS_INLINE adouble operator symbol(adouble &&a, const adouble &b) {                     \
    return ADOLC::detail::binaryFirst<compound, op>(a, b);                                         \
  }                                                                                                \
  ADOLC_ALWAYS_INLINE adouble operator symbol(const adouble &a, adouble &&b) { return second; }    \
  ADOLC_ALWAYS_INLINE adouble operator symbol(adouble &&a, adouble &&b) {                          \
    return ADOLC::detail::binaryFirst<compound, op>(a, b);                                         \
  }
// Sum and product are commutative: a temporary on the right takes the compound form as well, which
// has one location less. The value is the same to the last bit.
ADOLC_ARITHMETIC(+, plus_a_a, eq_plus_a, (ADOLC::detail::binaryFirst<eq_plus_a, plus_a_a>(b, a)))
ADOLC_ARITHMETIC(-, min_a_a, eq_min_a, (ADOLC::detail::binarySecond<min_a_a>(a, b)))
ADOLC_ARITHMETIC(*, mult_a_a, eq_mult_a, (ADOLC::detail::binaryFirst<eq_mult_a, mult_a_a>(b, a)))
ADOLC_ARITHMETIC(/, div_a_a, eq_div_a, (ADOLC::detail::binarySecond<div_a_a>(a, b)))
#undef ADOLC_ARITHMETIC

ADOLC_ALWAYS_INLINE adouble operator+(const adouble &a) {
  return ADOLC::detail::unary<pos_sign_a>(a);
}
ADOLC_ALWAYS_INLINE adouble operator+(adouble &&a) { return std::move(a); }
ADOLC_ALWAYS_INLINE adouble operator-(const adouble &a) {
  return ADOLC::detail::unary<neg_sign_a>(a);
}
ADOLC_ALWAYS_INLINE adouble operator-(adouble &&a) {
  return ADOLC::detail::unaryReuse<neg_sign_a>(a);
}

ADOLC_ALWAYS_INLINE adouble operator+(const adouble &a, double c) {
  return ADOLC::detail::scalar<plus_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator+(adouble &&a, double c) {
  return ADOLC::detail::scalarCompound<eq_plus_d, plus_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator+(double c, const adouble &a) { return a + c; }
ADOLC_ALWAYS_INLINE adouble operator+(double c, adouble &&a) { return std::move(a) + c; }
ADOLC_ALWAYS_INLINE adouble operator-(const adouble &a, double c) { return a + (-c); }
ADOLC_ALWAYS_INLINE adouble operator-(adouble &&a, double c) { return std::move(a) + (-c); }
ADOLC_ALWAYS_INLINE adouble operator-(double c, const adouble &a) {
  return ADOLC::detail::scalar<min_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator-(double c, adouble &&a) {
  return ADOLC::detail::scalarReuse<min_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator*(const adouble &a, double c) {
  if (std::fabs(c) == 1.0) [[unlikely]]
    return c == 1.0 ? +a : -a;
  return ADOLC::detail::scalar<mult_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator*(adouble &&a, double c) {
  if (std::fabs(c) == 1.0) [[unlikely]]
    return c == 1.0 ? std::move(a) : -std::move(a);
  return ADOLC::detail::scalarCompound<eq_mult_d, mult_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator*(double c, const adouble &a) { return a * c; }
ADOLC_ALWAYS_INLINE adouble operator*(double c, adouble &&a) { return std::move(a) * c; }
ADOLC_ALWAYS_INLINE adouble operator/(const adouble &a, double c) {
  return ADOLC::detail::scalar<div_a_d>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator/(adouble &&a, double c) {
  return ADOLC::detail::scalarCompound<eq_div_d, div_a_d>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator/(double c, const adouble &a) {
  return ADOLC::detail::scalar<div_d_a>(a, c);
}
ADOLC_ALWAYS_INLINE adouble operator/(double c, adouble &&a) {
  return ADOLC::detail::scalarReuse<div_d_a>(a, c);
}

// ── comparisons ─────────────────────────────────────────────────────────────────────────────────

namespace ADOLC::detail {
enum class Relation { equal, notEqual, less, lessEqual, greater, greaterEqual };
/// Whether the relation holds between the values; recorded together with the outcome.
ADOLC_API bool compare(Relation relation, const adouble &a, const adouble &b);
ADOLC_API bool compare(Relation relation, const adouble &a, double c);
/// 1 or 0, recorded as a value that a replay computes anew.
ADOLC_API adouble indicate(Relation relation, const adouble &a, const adouble &b);
} // namespace ADOLC::detail

#define ADOLC_COMPARE(symbol, relation, mirrored)                                                  \
  inline bool operator symbol(const adouble &a, double c) {                                        \
    return ADOLC::detail::compare(ADOLC::detail::Relation::relation, a, c);                        \
  }                                                                                                \
  inline bool operator symbol(double c, const adouble &a) {                                        \
    return ADOLC::detail::compare(ADOLC::detail::Relation::mirrored, a, c);                        \
  }
ADOLC_COMPARE(==, equal, equal)
ADOLC_COMPARE(!=, notEqual, notEqual)
ADOLC_COMPARE(<, less, greater)
ADOLC_COMPARE(<=, lessEqual, greaterEqual)
ADOLC_COMPARE(>, greater, less)
ADOLC_COMPARE(>=, greaterEqual, lessEqual)
#undef ADOLC_COMPARE

// A parameter in an expression becomes a fresh active variable (assign_p) first.
#define ADOLC_WITH_PARAMETER(symbol)                                                               \
  template <class A, class B>                                                                      \
  requires ADOLC::detail::WithParameter<A, B>                                                      \
  auto operator symbol(const A &a, const B &b) {                                                   \
    return ADOLC::detail::activate(a) symbol ADOLC::detail::activate(b);                           \
  }

// Comparisons of two variables give bool, or under ADOLC_ADVANCED_BRANCHING an active 0 or 1. The
// inline namespace keeps the two kinds apart when translation units differ.
#ifdef ADOLC_ADVANCED_BRANCHING
#define ADOLC_COMPARISON_RESULT adouble
#define ADOLC_COMPARISON ADOLC::detail::indicate
inline namespace adolc_advanced_branching {
#else
#define ADOLC_COMPARISON_RESULT bool
#define ADOLC_COMPARISON ADOLC::detail::compare
inline namespace adolc_plain_branching {
#endif
#define ADOLC_COMPARE(symbol, relation)                                                            \
  inline ADOLC_COMPARISON_RESULT operator symbol(const adouble &a, const adouble &b) {             \
    return ADOLC_COMPARISON(ADOLC::detail::Relation::relation, a, b);                              \
  }                                                                                                \
  ADOLC_WITH_PARAMETER(symbol)
ADOLC_COMPARE(==, equal)
ADOLC_COMPARE(!=, notEqual)
ADOLC_COMPARE(<, less)
ADOLC_COMPARE(<=, lessEqual)
ADOLC_COMPARE(>, greater)
ADOLC_COMPARE(>=, greaterEqual)
#undef ADOLC_COMPARE
} // inline namespace

// ── parameters ──────────────────────────────────────────────────────────────────────────────────

ADOLC_WITH_PARAMETER(+)
ADOLC_WITH_PARAMETER(-)
ADOLC_WITH_PARAMETER(*)
ADOLC_WITH_PARAMETER(/)
#undef ADOLC_WITH_PARAMETER
inline adouble operator+(const pdouble &p) { return static_cast<adouble>(p); }
inline adouble operator-(const pdouble &p) { return -static_cast<adouble>(p); }
