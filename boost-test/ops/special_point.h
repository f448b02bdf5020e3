/// @file ops/special_point.h
/// Functions at points where values, derivatives and return codes follow conventions.
#pragma once

#include "../interp/all_sweeps.h"

#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace special {

inline constexpr short kTag = 3;
inline constexpr double Inf = std::numeric_limits<double>::infinity();
inline constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;
using Vars = std::vector<adouble>;
using Unary = std::function<adouble(const adouble &)>;
using Function = std::function<adouble(Vars &)>;

inline double record(const Function &f, const Numbers &at, int keep = 0) {
  double value = 0.0;
  trace_on(kTag, keep);
  {
    Vars x(at.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] <<= at[i];
    adouble y = f(x);
    y >>= value;
  }
  trace_off();
  return value;
}

/// Equal, zeros of either sign, or both NaN; within `ulps` otherwise.
inline bool close(double a, double b, double ulps) {
  return a == b || (a != a && b != b) ||
         (std::isfinite(a) && std::isfinite(b) &&
          std::fabs(a - b) <= ulps * std::numeric_limits<double>::epsilon() * std::fabs(b));
}
inline void expect(double given, double expected, const std::string &what, double ulps = 0.0) {
  BOOST_TEST(close(given, expected, ulps),
             what << " is " << sweeps::text(given) << ", not " << sweeps::text(expected));
}
inline void expectCode(int given, int expected, const std::string &sweep) {
  BOOST_TEST(given == expected, sweep << " returns " << given << ", not " << expected);
}

/// A function of one variable at a special point.
struct At {
  double x;
  double value;
  double plus, zero, minus; ///< tangent of the value for the tangents 1, 0 and -1
  double reverse;           ///< adjoint for the weight 1; for the weight 0 it is 0
  /// Return codes: of zos_forward; of fos_forward for the tangents 1 and -1 and of fos_reverse.
  int code = 3;
  int derivativeCode = 3;
  double ulps = 0.0;
};

/// Checks forward and reverse sweeps, with one lane and with several, and after recording at the
/// point. `taped`: recorded there, or everywhere that is interesting if not given.
inline void check(const Unary &f, const At &e, std::optional<double> taped = {}) {
  const Function function = [&](Vars &x) { return f(x[0]); };
  const sweeps::Shape shape{kTag, 1, 1};
  const auto sweep = [&](const std::string &where) {
    const sweeps::Forward zos = sweeps::zos(shape, 0, {e.x});
    expect(zos.y[0], e.value, where + "value", e.ulps);
    expectCode(zos.code, e.code, where + "zos_forward");
    const sweeps::Forward fov = sweeps::fov(shape, 3, {e.x}, {{1.0, 0.0, -1.0}});
    const double tangents[] = {1.0, 0.0, -1.0}, results[] = {e.plus, e.zero, e.minus};
    for (std::size_t l = 0; l < 3; ++l) {
      const sweeps::Forward fos = sweeps::fos(shape, 1, {e.x}, {tangents[l]});
      const std::string along = where + "tangent for " + sweeps::text(tangents[l]);
      expect(fos.dy[0][0], results[l], along, e.ulps);
      expect(fov.dy[0][l], results[l], along + " (fov)", e.ulps);
      expectCode(fos.code, tangents[l] == 0.0 ? e.code : e.derivativeCode, where + "fos_forward");
    }
    const sweeps::Reverse one = sweeps::fos(shape, {1.0});
    expect(one.z[0][0], e.reverse, where + "adjoint for 1", e.ulps);
    expect(sweeps::fos(shape, {0.0}).z[0][0], 0.0, where + "adjoint for 0");
    const sweeps::Reverse several = sweeps::fov(shape, {{0.0}, {1.0}, {-0.5}});
    expect(several.z[0][0], 0.0, where + "adjoint for 0 (fov)");
    expect(several.z[1][0], e.reverse, where + "adjoint for 1 (fov)", e.ulps);
    expect(several.z[2][0], -0.5 * e.reverse, where + "adjoint for -0.5 (fov)", e.ulps);
    return one.code;
  };
  const double recordedAt = taped.value_or(e.x);
  expect(record(function, {recordedAt}, 1), f(adouble(recordedAt)).value(), "recorded value");
  if (!taped) {
    expect(sweeps::fos(shape, {1.0}).z[0][0], e.reverse, "adjoint after recording", e.ulps);
    record(function, {0.3}); // elsewhere, where all functions are smooth
    sweep("recorded at 0.3: ");
    record(function, {recordedAt});
  }
  expectCode(sweep(""), e.derivativeCode, "fos_reverse");
}

/// Value and gradient at a point where all modes agree: tangents along unit vectors, adjoints, and
/// the driver.
inline void check(const Function &f, const Numbers &at, double value, const Numbers &gradient,
                  double ulps = 0.0, int code = 3, std::optional<Numbers> taped = {}) {
  expect(record(f, at, 1), value, "recorded value", ulps);
  const auto n = static_cast<int>(at.size());
  const sweeps::Shape shape{kTag, 1, n};
  if (taped)
    record(f, *taped);
  const sweeps::Forward zos = sweeps::zos(shape, 1, at);
  expect(zos.y[0], value, "value", ulps);
  const sweeps::Reverse reverse = sweeps::fos(shape, {1.0});
  expectCode(reverse.code, code, "fos_reverse");
  Numbers driver(at.size());
  expectCode(::gradient(kTag, n, at.data(), driver.data()), code, "gradient");
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::string partial = "partial " + std::to_string(i);
    Numbers seed(at.size(), 0.0);
    seed[i] = 1.0;
    const sweeps::Forward fos = sweeps::fos(shape, 0, at, seed);
    expectCode(fos.code, code, "fos_forward");
    expect(fos.dy[0][0], gradient[i], partial + " forward", ulps);
    expect(reverse.z[0][i], gradient[i], partial + " in reverse", ulps);
    expect(driver[i], gradient[i], partial + " of the driver", ulps);
  }
}

#define F(expression) [](const adouble &x) -> adouble { return expression; }
#define F2(expression)                                                                             \
  [](Vars &v) -> adouble {                                                                         \
    [[maybe_unused]] const adouble &x = v[0], &y = v[1];                                           \
    return expression;                                                                             \
  }

} // namespace special
