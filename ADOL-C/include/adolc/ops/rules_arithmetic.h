/// @file ops/rules_arithmetic.h
/// Rules of the arithmetic operations. A rule states, once, for every consumer:
///
///  - `value(x…)`: the function, in double;
///  - the differential relation  den(x,v)·dv = Σ num_i(x,v)·dx_i  of v = f(x), with coefficients
///    affine in operands and result (Griewank & Walther, Evaluating Derivatives, ch. 13), so that
///    it can be evaluated one Taylor coefficient at a time;
///  - where the relation mentions a helper w = `helper(x…,v)`: which operands that reads, and its
///    own relation  helperDen(x,v,w)·dw = helperNum(x,v,w)·dx  (or ·dv: `helperFollowsResult`);
///  - where num/den is not accurate or not right at special points: `partials(x…,v)`, and what each
///    partial `reads`.
#pragma once

#include <adolc/ops/number_kinds.h>

#include <array>
#include <cmath>

namespace ADOLC::ops {

struct Unary {
  static constexpr int arity = 1;
  template <class R> static constexpr R den(R, R v) { return one(v); }
};
struct Binary {
  static constexpr int arity = 2;
  template <class R> static constexpr R den(R, R, R v) { return one(v); }
};
struct Ternary {
  static constexpr int arity = 3;
  template <class R> static constexpr R den(R, R, R, R v) { return one(v); }
};

struct Copy : Unary { // dv = dx
  static double value(double x) { return x; }
  template <class R> static constexpr std::array<R, 1> num(R x, R) { return {one(x)}; }
};
struct Neg : Unary { // dv = -dx
  static double value(double x) { return -x; }
  template <class R> static constexpr std::array<R, 1> num(R x, R) { return {-one(x)}; }
};
struct Add : Binary { // dv = dx + dy
  static double value(double x, double y) { return x + y; }
  template <class R> static constexpr std::array<R, 2> num(R x, R y, R) { return {one(x), one(y)}; }
};
struct Sub : Binary { // dv = dx - dy
  static double value(double x, double y) { return x - y; }
  template <class R> static constexpr std::array<R, 2> num(R x, R y, R) {
    return {one(x), -one(y)};
  }
};
struct Mul : Binary {                           // dv = y dx + x dy
  static constexpr bool finiteWithValue = true; // inf·0 is NaN, inf·y is inf
  static double value(double x, double y) { return x * y; }
  template <class R> static constexpr std::array<R, 2> num(R x, R y, R) { return {y, x}; }
};
struct Div : Binary { // y dv = dx - v dy
  static double value(double x, double y) { return x / y; }
  template <class R> static constexpr R den(R, R y, R) { return y; }
  template <class R> static constexpr std::array<R, 2> num(R x, R, R v) { return {one(x), -v}; }
};

/// x, rounded to double. Operators are inlined into programs that may be compiled for machines with
/// fused multiply-add, where a compiler would contract x y + z; the library is not.
inline double rounded(double x) {
#if defined(__GNUC__) && defined(__SSE2__)
  asm("" : "+x"(x));
  return x;
#elif defined(__GNUC__) && defined(__aarch64__)
  asm("" : "+w"(x));
  return x;
#else
  volatile double stored = x;
  return stored;
#endif
}

// The fused products round twice, like the two operations they stand for, and have their operands
// in the order that gives the tangents of those two, to the last bit.
struct MulAdd : Ternary {                       // v = r + x y: dv = dr + y dx + x dy
  static constexpr bool finiteWithValue = true; // inf·0 is NaN, inf·y is inf
  static double value(double x, double y, double r) {
    const double product = rounded(x * y);
    return r + product;
  }
  template <class R> static constexpr std::array<R, 3> num(R x, R y, R r, R) {
    return {y, x, one(r)};
  }
};
struct MulSub : Ternary {                       // v = r - x y: dv = dr - y dx - x dy
  static constexpr bool finiteWithValue = true; // inf·0 is NaN, inf·y is inf
  static double value(double x, double y, double r) {
    const double product = rounded(x * y);
    return r - product;
  }
  template <class R> static constexpr std::array<R, 3> num(R x, R y, R r, R) {
    return {-y, -x, one(r)};
  }
};
struct Fma : Ternary {                          // one rounding: v = x y + z
  static constexpr bool finiteWithValue = true; // inf·0 is NaN, inf·y is inf
  static double value(double x, double y, double z) { return std::fma(x, y, z); }
  template <class R> static constexpr std::array<R, 3> num(R x, R y, R z, R) {
    return {y, x, one(z)};
  }
};
struct Ldexp : Binary { // v = x 2^e with a constant integer e: dv = 2^e dx
  static double value(double x, double e) { return std::ldexp(x, static_cast<int>(e)); }
  static constexpr std::array<Operands, 2> reads = {operand(1), 0};
  static std::array<double, 2> partials(double, double e, double) {
    return {std::ldexp(1.0, static_cast<int>(e)), 0.0};
  }
};
/// A value known at one point only, v = F(x) with F' = w there: dv = w dx. A replay at another x
/// has no value to offer and is refused.
struct Quadrature {
  static constexpr int arity = 4;
  template <class R> static constexpr R den(R, R, R, R, R v) { return one(v); }
  template <class R> static constexpr std::array<R, 4> num(R x, R w, R, R, R) {
    return {w, zero(x), zero(x), zero(x)};
  }
  static double value(double, double, double v, double) { return v; }
  static bool defined(double x, double, double, double recordedX) { return x == recordedX; }
  static constexpr std::array<Operands, 4> reads = {operand(1), 0, 0, 0};
  static std::array<double, 4> partials(double, double w, double, double, double) {
    return {w, 0.0, 0.0, 0.0};
  }
};

} // namespace ADOLC::ops
