/// @file ops/rules_elementary.h
/// Rules of the elementary functions (see rules_arithmetic.h for what a rule states).
///
/// `side(x)` tells, where the partial of the first operand is infinite, on which side of it the
/// function is defined: +1 right, -1 left, 0 both. A tangent that leaves the domain gives NaN. A
/// partial may overflow inside the domain too; there the answer is 0.
/// Outside the domain, where the value is NaN, the partial is NaN too, never a finite number.
#pragma once

#include <adolc/internal/common.h>
#include <adolc/ops/rules_arithmetic.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace ADOLC::ops {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// exp(-x²) without the rounding error of x², which the exponential would magnify by x².
inline double expMinusSquare(double x) {
  if (!(std::fabs(x) < 1e3))
    return std::exp(-std::fabs(x)) * 0.0;                         // 0, or NaN for NaN
  const double high = static_cast<double>(static_cast<float>(x)); // 24 bits: high² is exact
  const double low = x - high;
  const double square = high * high;
  const double rest = low * (x + high);
  return std::exp(-square) * std::exp(-rest);
}

struct Exp : Unary { // dv = v dx
  static double value(double x) { return std::exp(x); }
  template <class R> static constexpr std::array<R, 1> num(R, R v) { return {v}; }
};
struct Exp2 : Unary { // dv = v ln 2 dx
  static double value(double x) { return std::exp2(x); }
  template <class R> static constexpr std::array<R, 1> num(R, R v) {
    return {std::numbers::ln2 * v};
  }
};
struct Expm1 : Unary { // dv = w dx, w = exp x: dw = w dx (1 + v would lose all digits for x << 0)
  static double value(double x) { return std::expm1(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::exp(x); }
  template <class R> static constexpr R helperNum(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};

/// x dv = k dx, the logarithm to the base e^(1/k).
template <class Derived> struct Logarithm : Unary {
  template <class R> static constexpr R den(R x, R) { return x; }
  template <class R> static constexpr std::array<R, 1> num(R x, R) { return {Derived::k * one(x)}; }
  static constexpr std::array<Operands, 1> reads = {operand(0)};
  static std::array<double, 1> partials(double x, double) {
    return {x > 0.0 ? Derived::k / x : x == 0.0 ? kInf : kNaN};
  }
  static double side(double x) { return x == 0.0 ? 1.0 : 0.0; } // k/x overflows below 5.6e-309
};
struct Log : Logarithm<Log> {
  static constexpr double k = 1.0;
  static double value(double x) { return std::log(x); }
};
struct Log2 : Logarithm<Log2> {
  static constexpr double k = std::numbers::log2e;
  static double value(double x) { return std::log2(x); }
};
struct Log10 : Logarithm<Log10> {
  static constexpr double k = std::numbers::log10e;
  static double value(double x) { return std::log10(x); }
};
struct Log1p : Unary { // w dv = dx, w = 1 + x: dw = dx
  static double value(double x) { return std::log1p(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return 1.0 + x; }
  template <class R> static constexpr R helperNum(R x, R, R) { return one(x); }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {one(x)}; }
  static constexpr std::array<Operands, 1> reads = {operand(0)};
  static std::array<double, 1> partials(double x, double) {
    return {x > -1.0 ? 1.0 / (1.0 + x) : x == -1.0 ? kInf : kNaN};
  }
  static double side(double) { return 1.0; }
};

struct Sqrt : Unary { // 2v dv = dx
  static double value(double x) { return std::sqrt(x); }
  template <class R> static constexpr R den(R, R v) { return 2.0 * v; }
  template <class R> static constexpr std::array<R, 1> num(R x, R) { return {one(x)}; }
  static constexpr std::array<Operands, 1> reads = {kResult};
  static std::array<double, 1> partials(double, double v) {
    return {v == 0.0 ? kInf : 0.5 / v}; // also for v = -0
  }
  static double side(double) { return 1.0; }
};
struct Cbrt : Unary { // 3x dv = v dx
  static double value(double x) { return std::cbrt(x); }
  template <class R> static constexpr R den(R x, R) { return 3.0 * x; }
  template <class R> static constexpr std::array<R, 1> num(R, R v) { return {v}; }
  static constexpr std::array<Operands, 1> reads = {operand(0) | kResult};
  // 1/(3v²) is right at 0 and infinity, but squares the rounding error of v.
  static std::array<double, 1> partials(double x, double v) {
    return {x == 0.0 || std::isinf(x) ? 1.0 / (v * v) : v / x / 3.0};
  }
};

struct Sin : Unary { // dv = w dx, w = cos x: dw = -v dx
  static double value(double x) { return std::sin(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::cos(x); }
  template <class R> static constexpr R helperNum(R, R v, R) { return -v; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};
struct Cos : Unary { // dv = -w dx, w = sin x: dw = v dx
  static double value(double x) { return std::cos(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::sin(x); }
  template <class R> static constexpr R helperNum(R, R v, R) { return v; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {-w}; }
};
struct Tan : Unary { // dv = w dx, w = 1 + v²: dw = 2v dv
  static double value(double x) { return std::tan(x); }
  static constexpr Operands helperReads = kResult;
  static double helper(double, double v) {
    const double square = v * v;
    return 1.0 + square;
  }
  static constexpr bool helperFollowsResult = true;
  template <class R> static constexpr R helperNum(R, R v, R) { return 2.0 * v; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};

/// w = √((1-x)(1+x)), w dv = ±dx, w dw = -x dx.
inline double arcSlope(double x) { return std::sqrt((1.0 - x) * (1.0 + x)); }
struct Asin : Unary {
  static double value(double x) { return std::asin(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return arcSlope(x); }
  template <class R> static constexpr R helperDen(R, R, R w) { return w; }
  template <class R> static constexpr R helperNum(R x, R, R) { return -x; }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {one(x)}; }
  static double side(double x) { return x > 0.0 ? -1.0 : 1.0; }
};
struct Acos : Unary {
  static double value(double x) { return std::acos(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return arcSlope(x); }
  template <class R> static constexpr R helperDen(R, R, R w) { return w; }
  template <class R> static constexpr R helperNum(R x, R, R) { return -x; }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {-one(x)}; }
  static double side(double x) { return x > 0.0 ? -1.0 : 1.0; }
};
struct Atan : Unary { // w dv = dx, w = 1 + x²: dw = 2x dx
  static double value(double x) { return std::atan(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) {
    const double square = x * x;
    return 1.0 + square;
  }
  template <class R> static constexpr R helperNum(R x, R, R) { return 2.0 * x; }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {one(x)}; }
  static constexpr std::array<Operands, 1> reads = {operand(0)};
  static std::array<double, 1> partials(double x, double v) {
    if (std::fabs(x) > 1e150) [[unlikely]] // x² may overflow, and 1 does not count
      return {1.0 / x / x};
    return {1.0 / helper(x, v)};
  }
};

struct Sinh : Unary { // dv = w dx, w = cosh x: dw = v dx
  static double value(double x) { return std::sinh(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::cosh(x); }
  template <class R> static constexpr R helperNum(R, R v, R) { return v; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};
struct Cosh : Unary { // dv = w dx, w = sinh x: dw = v dx
  static double value(double x) { return std::cosh(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::sinh(x); }
  template <class R> static constexpr R helperNum(R, R v, R) { return v; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};
struct Tanh : Unary { // dv = w dx, w = 1/cosh² x: dw = -2v dv (1 - v² loses digits for large |x|)
  static double value(double x) { return std::tanh(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) {
    const double c = 1.0 / std::cosh(x);
    return c * c;
  }
  static constexpr bool helperFollowsResult = true;
  template <class R> static constexpr R helperNum(R, R v, R) { return -2.0 * v; }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};
struct Asinh : Unary { // w dv = dx, w = √(1 + x²): w dw = x dx
  static double value(double x) { return std::asinh(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::hypot(1.0, x); }
  template <class R> static constexpr R helperDen(R, R, R w) { return w; }
  template <class R> static constexpr R helperNum(R x, R, R) { return x; }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {one(x)}; }
};
struct Acosh : Unary { // w dv = dx, w = √(x-1) √(x+1): w dw = x dx
  static double value(double x) { return std::acosh(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) { return std::sqrt(x - 1.0) * std::sqrt(x + 1.0); }
  template <class R> static constexpr R helperDen(R, R, R w) { return w; }
  template <class R> static constexpr R helperNum(R x, R, R) { return x; }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {one(x)}; }
  static double side(double) { return 1.0; }
};
struct Atanh : Unary { // w dv = dx, w = (1-x)(1+x): dw = -2x dx
  static double value(double x) { return std::atanh(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) {
    return std::fabs(x) <= 1.0 ? (1.0 - x) * (1.0 + x) : kNaN;
  }
  template <class R> static constexpr R helperNum(R x, R, R) { return -2.0 * x; }
  template <class R> static constexpr R den(R, R, R w) { return w; }
  template <class R> static constexpr std::array<R, 1> num(R x, R, R) { return {one(x)}; }
  static double side(double x) { return x > 0.0 ? -1.0 : 1.0; }
};

struct Erf : Unary { // dv = w dx, w = 2/√π exp(-x²)
  static double value(double x) { return std::erf(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double) {
    return 2.0 * std::numbers::inv_sqrtpi * expMinusSquare(x);
  }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {w}; }
};
struct Erfc : Unary { // dv = -w dx, w as for erf
  static double value(double x) { return std::erfc(x); }
  static constexpr Operands helperReads = operand(0);
  static double helper(double x, double v) { return Erf::helper(x, v); }
  template <class R> static constexpr std::array<R, 1> num(R, R, R w) { return {-w}; }
};

/// v = x^r with a constant r. Away from 0: x dv = r v dx. The exponents 0 and 1 are the constant 1
/// and the identity everywhere, also at 0, infinity and NaN.
struct PowConst : Binary {
  static double value(double x, double r) { return std::pow(x, r); }
  static constexpr std::array<Operands, 2> reads = {operand(0) | operand(1) | kResult, 0};
  static std::array<double, 2> partials(double x, double r, double v) {
    return {slope(x, r, v), 0.0};
  }
  static double slope(double x, double r, double v) {
    if (r == 0.0)
      return 0.0;
    if (r == 2.0)
      return 2.0 * x;
    // r v / x, which needs no second power, and whose exponent is exact: the rounding error of r -
    // 1 is magnified by log x. Otherwise (zeros, overflow, underflow) by the definition.
    const double quotient = v / x;
    if (std::isnormal(v) && std::isnormal(quotient))
      return r * quotient;
    return r * std::pow(x, r - 1.0);
  }
  /// At 0 a fractional power is defined on the right only.
  static double side(double x, double r) { return x == 0.0 && r != std::trunc(r) ? 1.0 : 0.0; }
};
/// v = x^y, both active: ∂x = y x^(y-1), ∂y = v log x. For x < 0 the exponent must not move: ∂y is
/// NaN; at x = 0 it is the limit from the right (0 for y > 0, -inf for y <= 0).
struct Pow : Binary {
  static double value(double x, double y) { return std::pow(x, y); }
  static constexpr Operands all = operand(0) | operand(1) | kResult;
  static constexpr std::array<Operands, 2> reads = {all, all};
  static std::array<double, 2> partials(double x, double y, double v) {
    return {PowConst::slope(x, y, v), exponentSlope(x, v)};
  }
  static double exponentSlope(double x, double v) {
    if (!(x >= 0.0))
      return kNaN;
    if (x == 0.0) // also for -0, where v may be -inf
      return v == 0.0 ? 0.0 : v != v ? kNaN : -kInf;
    return v == 0.0 ? 0.0 : v * std::log(x);
  }
  static double side(double x, double y) { return PowConst::side(x, y); }
};
/// v = c^y with a constant c >= 0: dv = v log c dy.
struct PowBase : Binary {
  static double value(double c, double y) { return std::pow(c, y); }
  static constexpr std::array<Operands, 2> reads = {0, operand(0) | kResult};
  static std::array<double, 2> partials(double c, double, double v) {
    return {0.0, Pow::exponentSlope(c, v)};
  }
};

/// True where a hypotenuse overflows although its legs are finite: a quarter of them, which
/// loses nothing that counts, has a finite one.
template <class... Legs> ADOLC_ALWAYS_INLINE bool onlyHypotOverflows(double h, Legs... legs) {
  return h == kInf && (std::isfinite(legs) && ...);
}

/// v = atan2(y, x), h = hypot(x, y): h dv = (x/h) dy - (y/h) dx; no overflow of x² + y².
/// Undefined (NaN) at the origin.
struct Atan2 : Binary {
  static double value(double y, double x) { return std::atan2(y, x); }
  static constexpr Operands both = operand(0) | operand(1);
  static constexpr std::array<Operands, 2> reads = {both, both};
  static std::array<double, 2> partials(double y, double x, double) {
    double h = std::hypot(x, y), scale = 1.0;
    if (onlyHypotOverflows(h, x, y)) [[unlikely]] {
      scale = 0.25;
      h = std::hypot(x *= scale, y *= scale);
    }
    return {scale * (x / h / h), -scale * (y / h / h)};
  }
};
struct Hypot : Binary { // v dv = x dx + y dy; undefined (NaN) at the origin
  static double value(double x, double y) { return std::hypot(x, y); }
  template <class R> static constexpr R den(R, R, R v) { return v; }
  template <class R> static constexpr std::array<R, 2> num(R x, R y, R) { return {x, y}; }
  static constexpr Operands all = operand(0) | operand(1) | kResult;
  static constexpr std::array<Operands, 2> reads = {all, all};
  static std::array<double, 2> partials(double x, double y, double v) {
    if (onlyHypotOverflows(v, x, y)) [[unlikely]]
      v = std::hypot(x *= 0.25, y *= 0.25);
    return {x / v, y / v};
  }
};
struct Hypot3 : Ternary { // v dv = x dx + y dy + z dz
  static double value(double x, double y, double z) { return std::hypot(x, y, z); }
  template <class R> static constexpr R den(R, R, R, R v) { return v; }
  template <class R> static constexpr std::array<R, 3> num(R x, R y, R z, R) { return {x, y, z}; }
  static constexpr Operands all = operand(0) | operand(1) | operand(2) | kResult;
  static constexpr std::array<Operands, 3> reads = {all, all, all};
  static std::array<double, 3> partials(double x, double y, double z, double v) {
    if (onlyHypotOverflows(v, x, y, z)) [[unlikely]]
      v = std::hypot(x *= 0.25, y *= 0.25, z *= 0.25);
    return {x / v, y / v, z / v};
  }
};

} // namespace ADOLC::ops
