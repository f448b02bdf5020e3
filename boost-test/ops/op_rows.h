// SPDX-License-Identifier: MIT
// One row per opcode that is an elemental or a comparison:
//
//   ROW(opcode, function, partial derivatives, points…)
//
// The function takes all stored operands of the rule, in its order; it is called with active
// variables (and plain numbers where the operation has constants), with doubles and with many
// digits (Wide). The partial derivatives are closed forms, written down here independently of the
// library's rules, and are evaluated with many digits. Points: interior, near special ones, special
// and invalid ones. An opcode without a row fails to compile (op_rows.cpp).
#pragma once

#include "op_row.h"

#include <boost/math/constants/constants.hpp>

#include <cmath>

namespace rows {

// Plain calls with double; calls with active variables are found where those are declared.
using std::abs, std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh,
    std::cbrt, std::ceil, std::copysign, std::cos, std::cosh, std::erf, std::erfc, std::exp,
    std::expm1, std::fabs, std::fdim, std::floor, std::fma, std::fmax, std::fmin, std::fmod,
    std::hypot, std::ldexp, std::log, std::log10, std::log1p, std::log2, std::pow, std::remainder,
    std::rint, std::round, std::sin, std::sinh, std::sqrt, std::tan, std::tanh, std::trunc;
inline double quadrature(double, double value, double) { return value; }
// The operation of modf that gives the fraction; the other one is trunc.
inline double fraction(double x) {
  double integral;
  return std::modf(x, &integral);
}
inline adouble fraction(const adouble &x) { return ADOLC::detail::unary<frac_op>(x); }

inline const Wide Pi = boost::math::constants::pi<Wide>();

// The functions that numbers of many digits do not have.
inline Wide fraction(const Wide &x) { return x - trunc(x); }
Wide quadrature(const Wide &, const Wide &, const Wide &); // not known: see taylor_reference.cpp
inline Wide hypot(const Wide &x, const Wide &y, const Wide &z) {
  return sqrt(x * x + y * y + z * z);
}
#define ROWS_SELECTION(name, symbol)                                                               \
  using ::name;                                                                                    \
  inline void name(Wide &result, const Wide &c, const Wide &a, const Wide &b) {                    \
    result = c symbol 0 ? a : b;                                                                   \
  }                                                                                                \
  inline void name(Wide &result, const Wide &c, const Wide &a) { name(result, c, a, result); }
ROWS_SELECTION(condassign, >)
ROWS_SELECTION(condeqassign, >=)
#undef ROWS_SELECTION
#define ROWS_INDICATOR(name, symbol)                                                               \
  inline Wide name(const Wide &a, const Wide &b) { return a symbol b ? 1 : 0; }
ROWS_INDICATORS(ROWS_INDICATOR)
#undef ROWS_INDICATOR

using ADOLC::ops::Slot;
constexpr bool isStored(Slot slot) { return slot != Slot::Zero && slot != Slot::One; }
constexpr bool isActive(Slot slot) { return slot == Slot::Active || slot == Slot::Result; }
template <class L> constexpr int numStored() {
  int n = 0;
  for (const Slot slot : L::slots)
    n += isStored(slot);
  return n;
}
template <class L> constexpr int numActive() {
  int n = 0;
  for (const Slot slot : L::slots)
    n += isActive(slot);
  return n;
}

/// f with plain numbers of one type.
template <class L, class T, class F> auto callPlain(F f, const std::vector<T> &x) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (numActive<L>() == 0 && L::count(Slot::Param) == 0 && std::is_same_v<T, double>)
      return f.template operator()<T>(x[I]...);
    else
      return f(x[I]...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(numStored<L>())>{});
}

template <OPCODES Op> struct RowOf { static constexpr bool missing = true; };

#define ROW(op, function, derivative, ...)                                                         \
  template <> struct RowOf<op> {                                                                   \
    static constexpr bool missing = false;                                                         \
    static constexpr auto f = function;                                                            \
    static constexpr auto d = derivative;                                                          \
    static std::vector<Points> points() { return {__VA_ARGS__}; }                                  \
  };
#define X [[maybe_unused]] const auto &x
#define XY X, [[maybe_unused]] const auto &y
#define XYZ XY, [[maybe_unused]] const auto &z

// clang-format off

// ── assignment ──────────────────────────────────────────────────────────────────────────────────
ROW(assign_a, [](X) { auto v = x; return v; }, [](X) { return partials(1); },
    interior({-3.0, 0.8}), near({Tiny, Huge}), special({0.0, -0.0, Inf, -Inf, NaN}))
ROW(assign_d, []<class T>(double c) { return T(c); }, [](X) { return partials(0); },
    interior({-3.0, 0.8}), special({-0.0, 2.0, Inf, -Inf, NaN, Tiny, Huge}))
ROW(assign_d_one, []<class T>() { return T(1.0); }, []() { return partials(); },
    interior({Point({})}))
ROW(assign_d_zero, []<class T>() { return T(0.0); }, []() { return partials(); },
    interior({Point({})}))
ROW(assign_p, [](X) { return +x; }, [](X) { return partials(0); },
    interior({-3.0, 0.8}), special({0.0, -0.0, Inf, NaN}))
ROW(pos_sign_a, [](X) { return +x; }, [](X) { return partials(1); },
    interior({-3.0, 0.8}), special({0.0, -0.0, Inf, -Inf, NaN}))
ROW(neg_sign_a, [](X) { return -x; }, [](X) { return partials(-1); },
    interior({-3.0, 0.8}), special({0.0, -0.0, Inf, -Inf, NaN}))

// ── arithmetic in place ─────────────────────────────────────────────────────────────────────────
ROW(eq_plus_d, [](XY) { auto v = x; v += y; return v; }, [](XY) { return partials(1, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{0.0, 0.0}, {-0.0, -0.0}, {Inf, -Inf}, {NaN, 1.0}, {Huge, Huge}}))
ROW(eq_plus_a, [](XY) { auto v = x; v += y; return v; }, [](XY) { return partials(1, 1); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), near({{1e16, 1.0}}),
    special({{0.0, 0.0}, {-0.0, -0.0}, {-0.0, 0.0}, {Inf, -Inf}, {1.0, NaN}, {Huge, Huge}}))
ROW(eq_min_d, [](XY) { auto v = x; v -= y; return v; }, [](XY) { return partials(1, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{0.0, 0.0}, {-0.0, 0.0}, {Inf, Inf}, {NaN, 1.0}}))
ROW(eq_min_a, [](XY) { auto v = x; v -= y; return v; }, [](XY) { return partials(1, -1); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), near({{1.0, 1.0}}), special({{0.0, 0.0}, {-0.0, 0.0}, {Inf, Inf}, {1.0, NaN}}))
ROW(eq_mult_d, [](XY) { auto v = x; v *= y; return v; }, [](XY) { return partials(y, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{2.0, 0.0}, {Inf, 0.0}, {0.0, Inf}, {-1.0, Inf}, {2.0, NaN}, {2.0, 1.0}, {2.0, -1.0}}))
ROW(eq_mult_a, [](XY) { auto v = x; v *= y; return v; }, [](XY) { return partials(y, x); },
    interior({{-3.0, 0.3}, {0.8, -7.0}}), near({{0.0, 2.0}, {1e-200, 1e-200}}),
    special({{0.0, 0.0}, {-0.0, 1.0}, {Inf, 0.0}, {0.0, Inf}, {2.0, NaN}, {Huge, Huge}}))
ROW(eq_div_d, [](XY) { auto v = x; v /= y; return v; }, [](XY) { return partials(1 / y, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}, {1.0, 3.0}}), special({{2.0, 0.0}, {0.0, 0.0}, {2.0, -0.0}, {2.0, Inf}, {2.0, NaN}}))
ROW(eq_div_a, [](XY) { auto v = x; v /= y; return v; }, [](XY) { return partials(1 / y, -x / (y * y)); },
    interior({{-3.0, 0.3}, {0.8, -7.0}, {1.0, 3.0}}), near({{1e-9, 1e-9}, {1e150, 1e-150}}),
    special({{1.0, 0.0}, {1.0, -0.0}, {0.0, 0.0}, {1.0, Inf}, {Inf, Inf}, {NaN, 1.0}}))
ROW(incr_a, [](X) { auto v = x; ++v; return v; }, [](X) { return partials(1); },
    interior({-3.0, 0.8}), special({0.0, -1.0, Inf, NaN}))
ROW(decr_a, [](X) { auto v = x; --v; return v; }, [](X) { return partials(1); },
    interior({-3.0, 0.8}), special({0.0, 1.0, -Inf, NaN}))
ROW(eq_plus_prod, [](XYZ) { auto v = z; v += x * y; return v; }, [](XYZ) { return partials(y, x, 1); },
    interior({{-3.0, 0.3, 0.7}, {0.8, -7.0, 1e-3}}), near({{1e8, 1e8, 1e-8}, {0.1, 10.0, -1.0}}),
    special({{0.0, 0.0, 0.0}, {-0.0, 1.0, -0.0}, {Inf, 0.0, 1.0}, {2.0, 3.0, NaN}, {Huge, 2.0, -Inf}}))
ROW(eq_min_prod, [](XYZ) { auto v = z; v -= x * y; return v; }, [](XYZ) { return partials(-y, -x, 1); },
    interior({{-3.0, 0.3, 0.7}, {0.8, -7.0, 1e-3}}), near({{1e8, 1e8, 1e-8}, {0.1, 10.0, 1.0}}),
    special({{0.0, 0.0, 0.0}, {0.0, 1.0, -0.0}, {Inf, 0.0, 1.0}, {2.0, 3.0, NaN}, {Huge, 2.0, Inf}}))
ROW(eq_plus_prod_d, [](XYZ) { auto v = z; v += x * y; return v; }, [](XYZ) { return partials(y, 0, 1); },
    interior({{-3.0, 0.3, 0.7}, {0.8, -7.0, 1e-3}}), near({{1e8, 1e8, 1e-8}, {0.1, 10.0, -1.0}}),
    special({{0.0, 0.0, 0.0}, {-0.0, 2.0, -0.0}, {Inf, 0.0, 1.0}, {0.0, Inf, 1.0}, {2.0, 3.0, NaN}, {2.0, NaN, 1.0}, {Huge, 2.0, -Inf}}))

// ── arithmetic ──────────────────────────────────────────────────────────────────────────────────
ROW(plus_a_a, [](XY) { return x + y; }, [](XY) { return partials(1, 1); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{0.0, 0.0}, {-0.0, -0.0}, {Inf, -Inf}, {NaN, 1.0}}))
ROW(plus_d_a, [](XY) { return x + y; }, [](XY) { return partials(1, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{0.0, 0.0}, {-0.0, -0.0}, {-0.0, 0.0}, {Inf, -Inf}, {NaN, 1.0}}))
ROW(min_a_a, [](XY) { return x - y; }, [](XY) { return partials(1, -1); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{0.0, 0.0}, {-0.0, 0.0}, {Inf, Inf}, {1.0, NaN}}))
ROW(min_d_a, [](XY) { return x - y; }, [](XY) { return partials(0, -1); },
    interior({{0.3, -3.0}, {0.3, 0.8}}), special({{0.0, 0.0}, {0.0, -0.0}, {-0.0, 0.0}, {Inf, Inf}, {1.0, NaN}}))
ROW(mult_a_a, [](XY) { return x * y; }, [](XY) { return partials(y, x); },
    interior({{-3.0, 0.3}, {0.8, -7.0}}), near({{0.0, 2.0}, {1e-200, 1e-200}}),
    special({{0.0, 0.0}, {-0.0, 1.0}, {Inf, 0.0}, {0.0, Inf}, {2.0, NaN}, {Huge, Huge}}))
ROW(mult_d_a, [](XY) { return x * y; }, [](XY) { return partials(y, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}}), special({{2.0, 0.0}, {-2.0, 0.0}, {Inf, 0.0}, {0.0, Inf}, {2.0, NaN}}))
ROW(div_a_a, [](XY) { return x / y; }, [](XY) { return partials(1 / y, -x / (y * y)); },
    interior({{-3.0, 0.3}, {0.8, -7.0}, {1.0, 3.0}}), near({{1e-9, 1e-9}, {1e150, 1e-150}}),
    special({{1.0, 0.0}, {1.0, -0.0}, {0.0, 0.0}, {1.0, Inf}, {Inf, Inf}, {NaN, 1.0}}))
ROW(div_d_a, [](XY) { return x / y; }, [](XY) { return partials(0, -x / (y * y)); },
    interior({{0.3, -3.0}, {0.3, 0.8}, {1.0, 3.0}}), special({{1.0, 0.0}, {1.0, -0.0}, {0.0, 0.0}, {1.0, Inf}, {1.0, NaN}}))
ROW(div_a_d, [](XY) { return x / y; }, [](XY) { return partials(1 / y, 0); },
    interior({{-3.0, 0.3}, {0.8, 0.3}, {1.0, 3.0}}), special({{2.0, 0.0}, {0.0, 0.0}, {2.0, -0.0}, {2.0, 1.0}, {2.0, Inf}, {2.0, NaN}}))
ROW(fma_op, [](XYZ) { return fma(x, y, z); }, [](XYZ) { return partials(y, x, 1); },
    interior({{-3.0, 0.3, 0.7}, {0.8, -7.0, 1e-3}}), near({{0.1, 10.0, -1.0}}),
    special({{0.0, 0.0, 0.0}, {-0.0, 1.0, -0.0}, {Inf, 0.0, 1.0}, {2.0, 3.0, NaN}, {Huge, 2.0, -Huge}}))
ROW(ldexp_op, [](XY) { return ldexp(x, static_cast<int>(y)); }, [](XY) { return partials(ldexp(Wide(1), static_cast<int>(y)), 0); },
    interior({{-3.0, 5.0}, {0.8, 5.0}, {0.8, -7.0}}), near({{1.5, 1023.0}}), special({{0.0, 5.0}, {-0.0, 5.0}, {Inf, -3.0}, {NaN, 2.0}, {1.0, -2000.0}, {1.0, 2000.0}}))

// ── elementary functions ────────────────────────────────────────────────────────────────────────
ROW(exp_op, [](X) { return exp(x); }, [](X) { return partials(exp(x)); },
    interior({-3.0, 0.0, 0.8, 20.0}), near({-700.0, 709.5, 1e-300}), special({-0.0, Inf, -Inf, NaN, 710.0, -750.0}))
ROW(exp2_op, [](X) { return exp2(x); }, [](X) { return partials(exp(x * log(Wide(2))) * log(Wide(2))); },
    interior({-3.0, 0.0, 0.8, 20.0}), near({-1020.0, 1023.5, 1e-300}), special({-0.0, Inf, -Inf, NaN, 1024.0, -1100.0}))
ROW(expm1_op, [](X) { return expm1(x); }, [](X) { return partials(exp(x)); },
    interior({-3.0, 0.0, 0.8, 20.0}), near({-1e-9, 1e-300, -40.0, -700.0, 709.5}), special({-0.0, Inf, -Inf, NaN, 710.0}))
ROW(log_op, [](X) { return log(x); }, [](X) { return partials(1 / x); },
    interior({0.3, 2.0, 1e5}), near({1.0, 1e-300, Huge}), special({0.0, -0.0, -1.0, Inf, -Inf, NaN}))
ROW(log10_op, [](X) { return log10(x); }, [](X) { return partials(1 / (x * log(Wide(10)))); },
    interior({0.3, 2.0, 1e5}), near({1.0, 1e-300, 1e300}), special({0.0, -0.0, -1.0, Inf, NaN}))
ROW(log2_op, [](X) { return log2(x); }, [](X) { return partials(1 / (x * log(Wide(2)))); },
    interior({0.3, 2.0, 1e5}), near({1.0, 1e-300, 1e300}), special({0.0, -0.0, -1.0, Inf, NaN}))
ROW(log1p_op, [](X) { return log1p(x); }, [](X) { return partials(1 / (1 + x)); },
    interior({-0.4, 0.3, 2.0, 1e5}), near({0.0, 1e-9, -1e-300, -1.0 + 1e-15}), special({-1.0, -0.0, -2.0, Inf, -Inf, NaN}))
ROW(sqrt_op, [](X) { return sqrt(x); }, [](X) { return partials(1 / (2 * sqrt(x))); },
    interior({0.3, 4.0, 1e5}), near({1e-300, Tiny, Huge}), special({0.0, -0.0, -1.0, Inf, -Inf, NaN}))
ROW(cbrt_op, [](X) { return cbrt(x); }, [](X) { return partials(1 / (3 * pow(abs(x), Wide(2) / 3))); },
    interior({-8.0, 0.3, 4.0, 1e5}), near({1e-300, -1e-300, 1e300, 0.20690354994216129, -2.4143920057462589, Tiny}), special({0.0, -0.0, Huge, Inf, -Inf, NaN}))
ROW(sin_op, [](X) { return sin(x); }, [](X) { return partials(cos(x)); },
    interior({-3.0, 0.0, 0.8}), near({1e-9, 1.5707963267948966, 3.141592653589793, 1e5}), special({-0.0, Inf, -Inf, NaN}))
ROW(cos_op, [](X) { return cos(x); }, [](X) { return partials(-sin(x)); },
    interior({-3.0, 0.3, 0.8}), near({1e-9, 1.5707963267948966, 3.141592653589793, 1e5}), special({0.0, -0.0, Inf, -Inf, NaN}))
ROW(tan_op, [](X) { return tan(x); }, [](X) { return partials(1 / (cos(x) * cos(x))); },
    interior({-3.0, 0.0, 0.8}), near({1e-9, 1.5707963267948966, 1.57, -1.57, 1e5}), special({-0.0, Inf, NaN}))
ROW(asin_op, [](X) { return asin(x); }, [](X) { return partials(1 / sqrt((1 - x) * (1 + x))); },
    interior({-0.7, 0.0, 0.25}), near({1e-9, 1.0 - 1e-15, -1.0 + 1e-15}), special({1.0, -1.0, -0.0, 1.5, -1.5, Inf, NaN}))
ROW(acos_op, [](X) { return acos(x); }, [](X) { return partials(-1 / sqrt((1 - x) * (1 + x))); },
    interior({-0.7, 0.0, 0.25}), near({1e-9, 1.0 - 1e-15, -1.0 + 1e-15}), special({1.0, -1.0, -0.0, 1.5, -1.5, Inf, NaN}))
ROW(atan_op, [](X) { return atan(x); }, [](X) { return partials(1 / (1 + x * x)); },
    interior({-3.0, 0.0, 0.8}), near({1e-9, 1e10, -1e150}), special({-0.0, Inf, -Inf, NaN, Huge, 1e155}))
ROW(sinh_op, [](X) { return sinh(x); }, [](X) { return partials(cosh(x)); },
    interior({-3.0, 0.0, 0.8}), near({1e-9, 30.0, -710.0}), special({-0.0, Inf, -Inf, NaN, 720.0}))
ROW(cosh_op, [](X) { return cosh(x); }, [](X) { return partials(sinh(x)); },
    interior({-3.0, 0.3, 0.8}), near({0.0, 1e-9, 30.0, -710.0}), special({-0.0, Inf, -Inf, NaN, 720.0}))
ROW(tanh_op, [](X) { return tanh(x); }, [](X) { return partials(1 / (cosh(x) * cosh(x))); },
    interior({-3.0, 0.0, 0.8}), near({1e-10, 20.0, -30.0, 300.0}), special({-0.0, Inf, -Inf, NaN, 1000.0}))
ROW(asinh_op, [](X) { return asinh(x); }, [](X) { return partials(1 / sqrt(1 + x * x)); },
    interior({-3.0, 0.0, 0.8}), near({1e-9, 1e200, -1e300}), special({-0.0, Inf, -Inf, NaN}))
ROW(acosh_op, [](X) { return acosh(x); }, [](X) { return partials(1 / sqrt((x - 1) * (x + 1))); },
    interior({1.5, 3.0, 1e5}), near({1.0 + 1e-15, 1e200}), special({1.0, 0.5, -2.0, Inf, -Inf, NaN}))
ROW(atanh_op, [](X) { return atanh(x); }, [](X) { return partials(1 / ((1 - x) * (1 + x))); },
    interior({-0.7, 0.0, 0.25}), near({1e-9, 1.0 - 1e-15, -1.0 + 1e-15}), special({1.0, -1.0, -0.0, 1.5, -1.5, Inf, NaN}))
ROW(erf_op, [](X) { return erf(x); }, [](X) { return partials(2 / sqrt(Pi) * exp(-x * x)); },
    interior({-1.0, 0.0, 0.5}), near({1e-9, 5.0, -20.0, 25.7}), special({-0.0, Inf, -Inf, NaN, 30.0, 1e9}))
ROW(erfc_op, [](X) { return erfc(x); }, [](X) { return partials(-2 / sqrt(Pi) * exp(-x * x)); },
    interior({-1.0, 0.0, 0.5}), near({1e-9, 5.0, -20.0, 25.7}), special({-0.0, Inf, -Inf, NaN, 30.0, 1e9}))

// ── powers and functions of several arguments ───────────────────────────────────────────────────
ROW(pow_op, [](XY) { return pow(x, y); }, [](XY) { return partials(y * pow(x, Wide(y - 1)), 0); },
    interior({{0.3, 2.5}, {4.0, 2.5}, {-3.0, 3.0}, {2.0, 3.0}, {0.7, -2.7}, {3.0, 0.1}, {3.0, 2.0}, {-3.0, 2.0}, {3.0, 1.0}, {3.0, 0.0}}),
    near({{1e-5, -2.7}, {1e5, -2.7}, {1e300, 0.1}, {1e-300, 0.1}, {1e100, 1e-9}, {1e-150, 2.0}}),
    special({{0.0, 2.5}, {0.0, 0.5}, {0.0, 2.0}, {0.0, 1.0}, {0.0, 0.0}, {0.0, -1.0}, {0.0, -2.7}, {-0.0, 3.0}, {-3.0, 2.5},
             {Inf, 0.5}, {Inf, -1.0}, {NaN, 2.0}, {NaN, 0.0}, {1.0, NaN}, {1e200, 3.0}, {1e-200, 3.0}, {Tiny, 0.5}}))
ROW(pow_a_a, [](XY) { return pow(x, y); }, [](XY) { return partials(y * pow(x, Wide(y - 1)), pow(x, y) * log(x)); },
    interior({{0.3, 2.5}, {4.0, -0.7}, {2.0, 3.0}, {3.0, 2.0}, {3.0, 0.1}}), near({{1e-5, -2.7}, {1e300, 0.1}, {1.0 + 1e-12, 7.0}, {3.0, 1e-300}}),
    special({{0.0, 2.5}, {0.0, 0.5}, {0.0, 0.0}, {0.0, -1.0}, {0.0, -0.5}, {-0.0, -1.0}, {-2.0, 3.0}, {-2.0, 2.5}, {1.0, Inf}, {Inf, 2.0}, {NaN, 1.0}, {2.0, NaN}, {2.0, -Inf}}))
ROW(pow_d_a, [](XY) { return pow(x, y); }, [](XY) { return partials(0, pow(x, y) * log(x)); },
    interior({{0.3, 2.5}, {0.3, -0.7}, {4.0, 3.0}}), near({{1.0, 5.0}, {1e-5, -2.7}}), special({{0.0, 1.0}, {0.0, 0.0}, {0.0, -1.0}, {2.0, Inf}, {2.0, -Inf}, {2.0, NaN}, {Inf, 1.0}}))
ROW(atan2_op, [](XY) { return atan2(x, y); }, [](XY) { return partials(y / (x * x + y * y), -x / (x * x + y * y)); },
    interior({{1.0, 1.0}, {1.0, -1.0}, {-1.0, -1.0}, {-1.0, 1.0}, {0.3, 2.0}}),
    near({{0.0, -1.0}, {1.0, 0.0}, {-1.0, 0.0}, {-0.0, -1.0}, {0.0, 1.0}, {1e200, 1e200}, {1e-200, 1e-200}, {1.7e308, 1.7e308}, {Huge, -1e308}}), special({{0.0, 0.0}, {-0.0, -0.0}, {Inf, 1.0}, {1.0, Inf}, {NaN, 1.0}}))
ROW(hypot_op, [](XY) { return hypot(x, y); }, [](XY) { return partials(x / sqrt(x * x + y * y), y / sqrt(x * x + y * y)); },
    interior({{3.0, 4.0}, {-0.3, 0.7}}), near({{0.0, 2.0}, {-2.0, 0.0}, {1e200, 1e200}, {1e-200, 3e-200}, {1.5e308, 1.5e308}, {-Huge, 1e308}}), special({{0.0, 0.0}, {Inf, 1.0}, {1.0, -Inf}, {NaN, 1.0}, {Inf, NaN}}))
ROW(hypot3_op, [](XYZ) { return hypot(x, y, z); },
    [](XYZ) { return partials(x / sqrt(x * x + y * y + z * z), y / sqrt(x * x + y * y + z * z), z / sqrt(x * x + y * y + z * z)); },
    interior({{3.0, 4.0, 12.0}, {-0.3, 0.7, 0.1}}), near({{1.0, 0.0, 0.0}, {1e200, 1e200, -1e200}, {1e-200, 3e-200, 2e-200}, {1.5e308, -Huge, 1e308}}), special({{0.0, 0.0, 0.0}, {Inf, 1.0, 1.0}, {NaN, 1.0, 1.0}}))
ROW(gen_quad, [](const auto &x, const auto &w, const auto &v, const auto &) { return quadrature(x, v, w); }, [](const auto &, const auto &w, const auto &, const auto &) { return partials(w, 0, 0, 0); },
    near({{0.5, 0.25, 7.0, 0.5}, {0.5, -3.0, 7.0, 0.5}, {2.0, 0.25, 8.0, 2.0}}), special({{0.0, Inf, 7.0, 0.0}, {0.5, NaN, 7.0, 0.5}}))

// ── piecewise functions ─────────────────────────────────────────────────────────────────────────
ROW(abs_val, [](X) { return fabs(x); }, [](X) { return partials(x < 0 ? -1 : 1); },
    interior({-3.0, 0.8}), near({Tiny, -Tiny, Huge}), special({0.0, -0.0, Inf, -Inf, NaN}))
ROW(min_op, [](XY) { return fmin(x, y); }, [](XY) { return partials(x < y, y < x); },
    interior({{1.0, 2.0}, {2.0, 1.0}, {-3.0, 0.8}}), near({{1.0, 1.0 + 1e-15}}), special({{1.0, 1.0}, {Inf, Inf}, {-Inf, Inf}, {NaN, 1.0}, {1.0, NaN}, {NaN, NaN}}))
ROW(max_op, [](XY) { return fmax(x, y); }, [](XY) { return partials(x > y, y > x); },
    interior({{1.0, 2.0}, {2.0, 1.0}, {-3.0, 0.8}}), near({{1.0, 1.0 + 1e-15}}), special({{1.0, 1.0}, {Inf, Inf}, {-Inf, -3.0}, {NaN, 1.0}, {1.0, NaN}, {NaN, NaN}}))
ROW(min_op_d, [](XY) { return fmin(x, y); }, [](XY) { return partials(x < y, 0); },
    interior({{1.0, 1.5}, {2.0, 1.5}}), special({{1.5, 1.5}, {Inf, 1.5}, {-Inf, 1.5}, {NaN, 1.5}, {1.0, NaN}}))
ROW(max_op_d, [](XY) { return fmax(x, y); }, [](XY) { return partials(x > y, 0); },
    interior({{1.0, 1.5}, {2.0, 1.5}}), special({{1.5, 1.5}, {Inf, 1.5}, {-Inf, 1.5}, {NaN, 1.5}, {1.0, NaN}}))
ROW(cond_assign, [](XYZ) { auto v = y; condassign(v, x, y, z); return v; }, [](XYZ) { return partials(0, x > 0, !(x > 0)); },
    interior({{1.0, 2.0, 3.0}, {-1.0, 2.0, 3.0}}), near({{Tiny, 2.0, 3.0}, {-Tiny, 2.0, 3.0}}), special({{0.0, 2.0, 3.0}, {-0.0, 2.0, 3.0}, {NaN, 2.0, 3.0}, {1.0, 2.0, NaN}, {-1.0, Inf, 3.0}}))
ROW(cond_assign_s, [](XYZ) { auto v = z; condassign(v, x, y); return v; }, [](XYZ) { return partials(0, x > 0, !(x > 0)); },
    interior({{1.0, 2.0, 3.0}, {-1.0, 2.0, 3.0}}), special({{0.0, 2.0, 3.0}, {NaN, 2.0, 3.0}, {1.0, 2.0, NaN}, {-1.0, Inf, 3.0}}))
ROW(cond_eq_assign, [](XYZ) { auto v = y; condeqassign(v, x, y, z); return v; }, [](XYZ) { return partials(0, x >= 0, !(x >= 0)); },
    interior({{1.0, 2.0, 3.0}, {-1.0, 2.0, 3.0}}), special({{0.0, 2.0, 3.0}, {-0.0, 2.0, 3.0}, {NaN, 2.0, 3.0}, {1.0, 2.0, NaN}, {-1.0, Inf, 3.0}}))
ROW(cond_eq_assign_s, [](XYZ) { auto v = z; condeqassign(v, x, y); return v; }, [](XYZ) { return partials(0, x >= 0, !(x >= 0)); },
    interior({{1.0, 2.0, 3.0}, {-1.0, 2.0, 3.0}}), special({{0.0, 2.0, 3.0}, {NaN, 2.0, 3.0}, {1.0, 2.0, NaN}, {-1.0, Inf, 3.0}}))
#define STEP_POINTS interior({-2.3, 0.8, 1.3}), near({-1e-9, 1e15}), special({0.0, -0.0, 1.0, 0.5, 1.5, -2.5, Inf, -Inf, NaN})
ROW(ceil_op, [](X) { return ceil(x); }, [](X) { return partials(0); }, STEP_POINTS)
ROW(floor_op, [](X) { return floor(x); }, [](X) { return partials(0); }, STEP_POINTS)
ROW(trunc_op, [](X) { return trunc(x); }, [](X) { return partials(0); }, STEP_POINTS)
ROW(round_op, [](X) { return round(x); }, [](X) { return partials(0); }, STEP_POINTS)
ROW(rint_op, [](X) { return rint(x); }, [](X) { return partials(0); }, STEP_POINTS)
ROW(frac_op, [](X) { return fraction(x); }, [](X) { return partials(1); }, STEP_POINTS)
#undef STEP_POINTS
ROW(fmod_op, [](XY) { return fmod(x, y); }, [](XY) { return partials(1, -trunc(Wide(x / y))); },
    interior({{5.5, 2.0}, {-19.5, 3.0}, {7.1, -2.0}}), near({{-19.0, 3.0}, {6.0, 2.0}, {1.0, 1e9}, {1e15, 3.0}}), special({{0.0, 2.0}, {1.0, 0.0}, {Inf, 2.0}, {5.0, Inf}, {NaN, 1.0}}))
ROW(remainder_op, [](XY) { return remainder(x, y); }, [](XY) { return partials(1, -round(Wide(x / y))); },
    interior({{5.5, 2.0}, {-19.5, 4.0}, {7.1, -2.0}}), near({{-20.0, 3.0}, {6.0, 2.0}, {1.0, 1e9}, {1.7e308, 0.95e308}}), special({{3.0, 2.0}, {1.0, 2.0}, {0.0, 2.0}, {1.0, 0.0}, {Inf, 2.0}, {5.0, Inf}, {NaN, 1.0}}))
ROW(copysign_op, [](XY) { return copysign(x, y); }, [](XY) { return partials((x < 0) == (y < 0) ? 1 : -1, 0); },
    interior({{-5.0, 3.0}, {5.0, 3.0}, {5.0, -3.0}, {-5.0, -3.0}}), special({{0.0, 3.0}, {-0.0, 3.0}, {5.0, -0.0}, {5.0, 0.0}, {Inf, -1.0}, {NaN, 1.0}, {5.0, NaN}}))
ROW(fdim_op, [](XY) { return fdim(x, y); }, [](XY) { return partials(x > y, x > y ? -1 : 0); },
    interior({{5.0, 3.0}, {3.0, 5.0}}), special({{3.0, 3.0}, {Inf, Inf}, {Inf, 1.0}, {NaN, 1.0}, {1.0, NaN}}))
#define PAIR_POINTS interior({{1.0, 2.0}, {2.0, 1.0}}), special({{1.0, 1.0}, {0.0, -0.0}, {NaN, 1.0}, {Inf, Inf}, {NaN, NaN}})
ROW(eq_a_a, [](XY) { return isEqual(x, y); }, [](XY) { return partials(0, 0); }, PAIR_POINTS)
ROW(neq_a_a, [](XY) { return isNotEqual(x, y); }, [](XY) { return partials(0, 0); }, PAIR_POINTS)
ROW(le_a_a, [](XY) { return isLessEqual(x, y); }, [](XY) { return partials(0, 0); }, PAIR_POINTS)
ROW(gt_a_a, [](XY) { return isGreater(x, y); }, [](XY) { return partials(0, 0); }, PAIR_POINTS)
ROW(ge_a_a, [](XY) { return isGreaterEqual(x, y); }, [](XY) { return partials(0, 0); }, PAIR_POINTS)
ROW(lt_a_a, [](XY) { return isLess(x, y); }, [](XY) { return partials(0, 0); }, PAIR_POINTS)

// ── comparisons; the first point is one where the recorded operation is this one ─────────────────
#define ZERO_POINTS special({0.0, -0.0, 1.0, -1.0, Tiny, -Tiny, Inf, -Inf, NaN})
ROW(eq_zero, [](X) { return x == 0.0; }, nullptr, ZERO_POINTS)
ROW(neq_zero, [](X) { return x != 0.0; }, nullptr, ZERO_POINTS)
ROW(le_zero, [](X) { return x <= 0.0; }, nullptr, ZERO_POINTS)
ROW(gt_zero, [](X) { return x > 0.0; }, nullptr, ZERO_POINTS)
ROW(ge_zero, [](X) { return x >= 0.0; }, nullptr, ZERO_POINTS)
ROW(lt_zero, [](X) { return x < 0.0; }, nullptr, ZERO_POINTS)
#undef ZERO_POINTS
ROW(branch_eq_a_a, [](XY) { return x == y; }, nullptr, PAIR_POINTS)
ROW(branch_lt_a_a, [](XY) { return x < y; }, nullptr, PAIR_POINTS)
ROW(branch_le_a_a, [](XY) { return x <= y; }, nullptr, PAIR_POINTS)
#undef PAIR_POINTS
#define CONSTANT_POINTS special({{1.0, 1.5}, {1.5, 1.5}, {2.0, 1.5}, {Inf, 1.5}, {NaN, 1.5}, {1.0, NaN}, {Inf, Inf}, {1.0, Inf}})
ROW(branch_eq_a_d, [](XY) { return x == y; }, nullptr, CONSTANT_POINTS)
ROW(branch_lt_a_d, [](XY) { return x < y; }, nullptr, CONSTANT_POINTS)
ROW(branch_le_a_d, [](XY) { return x <= y; }, nullptr, CONSTANT_POINTS)
ROW(branch_gt_a_d, [](XY) { return x > y; }, nullptr, CONSTANT_POINTS)
ROW(branch_ge_a_d, [](XY) { return x >= y; }, nullptr, CONSTANT_POINTS)
#undef CONSTANT_POINTS

// clang-format on

#undef X
#undef XY
#undef XYZ
#undef ROW

} // namespace rows
