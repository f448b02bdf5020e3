// SPDX-License-Identifier: MIT
// An operation gives the same numbers, to the last bit, wherever its result goes: into a fresh
// location, into that of an operand, and with one variable as several operands.
#include "../interp/all_taylor_sweeps.h"
#include "recording.h"
#include "support/memory.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace rows;
using sweeps::Checks;

namespace {

constexpr short kReference = 6;

/// Records body(x) as a function of x.
template <class F> double record(short tag, const std::vector<double> &x0, F &&body, int keep = 0) {
  double value = 0.0;
  trace_on(tag, keep);
  {
    std::vector<adouble> x(x0.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] <<= x0[i];
    adouble y = body(x);
    y >>= value;
  }
  trace_off();
  return value;
}

/// The same bits or, if products may be commuted, the same up to the order of sums.
bool alike(const sweeps::Matrix &a, const sweeps::Matrix &b, bool commuted) {
  if (!commuted)
    return sweeps::same(a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double size = 0.0;
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      size = std::isfinite(b[i][k]) ? std::max(size, std::fabs(b[i][k])) : size;
      if (!sweeps::same(a[i][k], b[i][k]) && !(std::fabs(a[i][k] - b[i][k]) <= 1e-15 * size))
        return false;
    }
  }
  return true;
}

/// The same for Taylor polynomials, on the tapes that are there.
void compareTaylor(const std::vector<double> &x0, bool commuted, const std::string &where,
                   Checks &checks) {
  constexpr std::size_t degree = 4;
  const auto n = static_cast<int>(x0.size());
  sweeps::Cube curves = sweeps::usualCurves(std::vector<double>(x0.size(), 1.0), degree);
  curves.resize(test::kSanitized ? 1 : sweeps::secondOrder + 1);
  const sweeps::Matrix weights{{1.0}, {-0.3}};
  const sweeps::Cube polynomials = sweeps::usualPolynomials(weights.size(), 1, degree);
  const auto run = [&](short tag) {
    return runAllTaylor({tag, 1, n}, x0, curves, weights, polynomials,
                        {.series = false, .smooth = false, .likeFirstOrder = false}, where, checks);
  };
  const sweeps::TaylorResult r = run(kTag), e = run(kReference);
  checks.check(r.forwardCodes == e.forwardCodes && r.reverseCodes == e.reverseCodes,
               [&] { return where + "other return codes of Taylor sweeps"; });
  for (std::size_t l = 0; l < e.dy.size(); ++l)
    checks.check(alike(r.dy[l], e.dy[l], commuted), [&] {
      return where + "coefficients along curve " + std::to_string(l) + " are " +
             sweeps::text(r.dy[l][0]) + ", not " + sweeps::text(e.dy[l][0]);
    });
  const auto adjoints = [&](const std::vector<sweeps::Cube> &given,
                            const std::vector<sweeps::Cube> &expected) {
    for (std::size_t l = 0; l < expected.size(); ++l)
      for (std::size_t w = 0; w < weights.size(); ++w)
        checks.check(alike(given[l][w], expected[l][w], commuted), [&] {
          return where + "adjoints along curve " + std::to_string(l) + " are " +
                 sweeps::text(given[l][w][0]) + ", not " + sweeps::text(expected[l][w][0]);
        });
  };
  adjoints(r.z, e.z);
  adjoints(r.zTi, e.zTi);
}

/// Both bodies have the same values and derivatives at x0, whatever the sweep.
template <class F, class G>
void compare(const std::vector<double> &x0, F &&body, G &&reference, const std::string &where,
             Checks &checks, bool commuted = false) {
  const double value = record(kTag, x0, body), expectedValue = record(kReference, x0, reference);
  checks.check(sweeps::same(value, expectedValue), [&] {
    return where + "recorded value " + sweeps::text(value) + ", not " + sweeps::text(expectedValue);
  });
  const auto n = static_cast<int>(x0.size());
  const sweeps::Matrix seeds = sweeps::usualSeeds(n), weights = sweeps::usualWeights(1);
  const sweeps::Result r = sweeps::runAll({kTag, 1, n}, x0, seeds, weights, where, checks);
  const sweeps::Result e = sweeps::runAll({kReference, 1, n}, x0, seeds, weights, where, checks);
  checks.check(sweeps::same(r.y, e.y),
               [&] { return where + "value " + sweeps::text(r.y) + ", not " + sweeps::text(e.y); });
  for (std::size_t l = 0; l < e.dy.size(); ++l)
    checks.check(sweeps::same(r.dy[l], e.dy[l]), [&] {
      return where + "tangent along " + sweeps::text(sweeps::column(seeds, l)) + " is " +
             sweeps::text(r.dy[l]) + ", not " + sweeps::text(e.dy[l]);
    });
  for (std::size_t l = 0; l < e.z.size(); ++l)
    checks.check(sweeps::same(r.z[l], e.z[l]), [&] {
      return where + "adjoints for weight " + sweeps::text(weights[l]) + " are " +
             sweeps::text(r.z[l]) + ", not " + sweeps::text(e.z[l]);
    });
  checks.check(r.forwardCodes == e.forwardCodes && r.reverseCodes == e.reverseCodes,
               [&] { return where + "other return codes"; });
  compareTaylor(x0, commuted, where, checks);
  // Saved while recording.
  record(kTag, x0, body, 1);
  const sweeps::Reverse kept = sweeps::fov({kTag, 1, n}, weights);
  checks.check(sweeps::same(kept.z, e.z), [&] {
    return where + "adjoints after recording with keep are " + sweeps::text(kept.z[0]) + ", not " +
           sweeps::text(e.z[0]);
  });
}

Actives pointersTo(const std::vector<adouble> &x) {
  Actives actives;
  for (const adouble &xi : x)
    actives.push_back(&xi);
  return actives;
}

} // namespace

BOOST_AUTO_TEST_CASE(result_in_the_location_of_an_operand) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    if (row.comparison || row.numActive() == 0)
      continue;
    for (std::size_t k = 0; k < row.numActive(); ++k) {
      if (row.resultOperand >= 0 && row.resultOperand != static_cast<int>(k))
        continue; // that operand is overwritten by definition
      for (const Point &at : row.points()) {
        const std::string where =
            describe(row, at, at) + "result in operand " + std::to_string(k) + ": ";
        compare(
            independents(row, at),
            [&](std::vector<adouble> &x) {
              row.recordInto(pointersTo(x), at, x[k]);
              return std::move(x[k]);
            },
            [&](std::vector<adouble> &x) { return row.record(pointersTo(x), at); }, where, checks);
      }
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 100000);
}

BOOST_AUTO_TEST_CASE(one_variable_as_all_operands) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    if (row.comparison || row.numActive() < 2)
      continue;
    if (row.op == eq_plus_prod || row.op == eq_min_prod)
      continue; // recorded for three different variables only, see the tests of fusion
    for (Point at : row.points()) {
      const double x0 = at.x[row.active[0]];
      for (const std::size_t i : row.active)
        at.x[i] = x0;
      if (row.op == gen_quad && x0 != at.x[3])
        continue; // known at one argument only
      const std::size_t n = row.numActive();
      // Copies, the last one first: then a reverse sweep adds up in the order of the operands.
      const auto reference = [&](std::vector<adouble> &x) {
        std::vector<adouble> copies;
        copies.reserve(n);
        for (std::size_t i = 0; i < n; ++i)
          copies.push_back(x[0]);
        Actives actives;
        for (std::size_t i = 0; i < n; ++i)
          actives.push_back(&copies[n - 1 - i]);
        return row.record(actives, at);
      };
      const std::string where = describe(row, at, at) + "one variable: ";
      const auto inPlace = [&](std::vector<adouble> &x) {
        row.recordInto(Actives(n, &x[0]), at, x[0]);
        return std::move(x[0]);
      };
      const auto fresh = [&](std::vector<adouble> &x) { return row.record(Actives(n, &x[0]), at); };
      compare({x0}, inPlace, reference, where + "result in it: ", checks);
      compare({x0}, fresh, reference, where + "fresh result: ", checks);
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 100000);
}

// ── the same through the operators, with temporaries ────────────────────────────────────────────

namespace {

using Vars = std::vector<adouble>;
using Body = adouble (*)(Vars &);
struct Form {
  const char *name;
  Body body, reference;
};

#define FORM(statements, plain)                                                                        \
  {                                                                                                    \
#statements, [](Vars &v) -> adouble { adouble &x = v[0], &y = v[1]; (void)x; (void)y; statements },  \
   [](Vars &v) -> adouble { const adouble &x = v[0], &y = v[1]; (void)x; (void)y; plain } \
  }

// A copy is written as adouble(x): a temporary with a location of its own.
const Form forms[] = {
    FORM(return adouble(x) + y;, adouble a(x); return a + y;),
    FORM(return x + adouble(y);, adouble b(y); return x + b;),
    FORM(return adouble(x) + adouble(y);, adouble a(x); adouble b(y); return a + b;),
    FORM(return adouble(x) - y;, adouble a(x); return a - y;),
    FORM(return x - adouble(y);, adouble b(y); return x - b;),
    FORM(return adouble(x) - adouble(y);, adouble a(x); adouble b(y); return a - b;),
    FORM(return adouble(x) * y;, adouble a(x); return a * y;),
    FORM(return x * adouble(y);, adouble b(y); return x * b;),
    FORM(return adouble(x) * adouble(y);, adouble a(x); adouble b(y); return a * b;),
    FORM(return adouble(x) / y;, adouble a(x); return a / y;),
    FORM(return x / adouble(y);, adouble b(y); return x / b;),
    FORM(return adouble(x) / adouble(y);, adouble a(x); adouble b(y); return a / b;),
    FORM(return adouble(x) + 2.5;, adouble a(x); return a + 2.5;),
    FORM(return 2.5 + adouble(x);, adouble a(x); return 2.5 + a;),
    FORM(return adouble(x) - 2.5;, adouble a(x); return a - 2.5;),
    FORM(return 2.5 - adouble(x);, adouble a(x); return 2.5 - a;),
    FORM(return adouble(x) * 2.5;, adouble a(x); return a * 2.5;),
    FORM(return -1.0 * adouble(x);, adouble a(x); return -a;),
    FORM(return 1.0 * adouble(x);, adouble a(x); return +a;),
    FORM(return adouble(x) / 2.5;, adouble a(x); return a / 2.5;),
    FORM(return 2.5 / adouble(x);, adouble a(x); return 2.5 / a;),
    FORM(return -adouble(x);, adouble a(x); return -a;),
    FORM(return +adouble(x);, adouble a(x); return +a;),
    FORM(x += x; return x;, return x + x;),
    FORM(x -= x; return x;, return x - x;),
    FORM(x *= x; return x;, return x * x;),
    FORM(x /= x; return x;, return x / x;),
    FORM(x = x + x; return x;, return x + x;),
    FORM(x = x * x; return x;, return x * x;),
    FORM(x = x * y; x = y * x; return x;, adouble a = x * y; return y * a;),
    FORM(x = 1.0 / x; x = 1.0 / x; return x;, adouble a = 1.0 / x; return 1.0 / a;),
    FORM(x = sin(x); x = sin(x); return x;, adouble a = sin(x); return sin(a);),
    FORM(x += x * y; return x;, adouble p = x * y; return x + p;),
    FORM(x -= y * x; return x;, adouble p = y * x; return x - p;),
    FORM(x += y * y; return x;, adouble p = y * y; adouble s = x + p; return s;),
    FORM(y -= x * x; return y;, adouble p = x * x; adouble s = y - p; return s;),
    FORM(adouble p = x * y; x += std::move(p); return x;, adouble p = x * y; return x + p;),
    FORM(adouble p = x * y; p += std::move(p); return p;, adouble p = x * y; return p + p;),
    FORM(x += adouble(y); return x;, adouble b(y); return x + b;),
    FORM(x -= adouble(y); return x;, adouble b(y); return x - b;),
    FORM(++x; return x * y;, adouble a = x + 1.0; return a * y;),
    FORM(return (++x) * (--y);, adouble a = x + 1.0; adouble b = y - 1.0; return a * b;),
    FORM(adouble t = x++; return t * x;, adouble t = x; adouble a = x + 1.0; return t * a;),
    FORM(x = std::move(y); return x * x;, return y * y;),
    FORM(std::swap(x, y); return x / y;, return y / x;),
    FORM(condassign(x, y, x); return x;, adouble a = x; condassign(a, y, x); return a;),
    FORM(condassign(x, x, y, x); return x;, adouble a; condassign(a, x, y, x); return a;),
    FORM(x = fmin(x, x); return x;, return fmin(x, x);),
    FORM(x = pow(x, x); return x;, return pow(x, x);),
};
#undef FORM

} // namespace

BOOST_AUTO_TEST_CASE(temporaries_and_in_place_operators) {
  Checks checks;
  for (const Form &form : forms)
    for (const std::vector<double> &at :
         std::vector<std::vector<double>>{{0.75, 1.5}, {-3.0, 0.3}, {0.0, 0.0}, {1e-200, 1e200}})
      compare(at, form.body, form.reference,
              std::string(form.name) + " at " + sweeps::text(at) + ": ", checks, true);
  BOOST_TEST(checks.failures() == 0);
}

// Every elementary function of a temporary works in its location.
#define ADOLC_OP(op, rule, layout, depend, text)
#define ADOLC_FN(op, name, rule, layout, depend, text)                                             \
  {#name, [](Vars &v) -> adouble { return name(adouble(v[0])); },                                  \
   [](Vars &v) -> adouble {                                                                        \
     const adouble a(v[0]);                                                                        \
     return name(a);                                                                               \
   }},
BOOST_AUTO_TEST_CASE(functions_of_temporaries) {
  const Form functions[] = {
#include <adolc/internal/oplist_expand.h>
  };
  Checks checks;
  for (const Form &form : functions)
    for (const double at : {0.4, -0.4, 0.0, 1.0, -1.0, 3.0, Inf, NaN})
      compare({at}, form.body, form.reference,
              std::string(form.name) + " of a temporary at " + sweeps::text(at) + ": ", checks);
  BOOST_TEST(checks.failures() == 0);
}
