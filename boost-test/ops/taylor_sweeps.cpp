// SPDX-License-Identifier: MIT
// Every row of op_rows.h through every interpreter of Taylor polynomials: against coefficients with
// many digits, and the sweeps against each other.
//
// What a coefficient may be wrong by: it is a sum of products of coefficients of the operands and
// of the partial derivatives. Errors are measured by the largest such sum of absolute values up to
// that coefficient, since recurrences carry errors from one coefficient to the next; the curves are
// scaled so that these sums do not grow. (So tanh at 20 must have its coefficients of the order
// 1e-17, not only its value 1, right.)
#include "../interp/all_taylor_sweeps.h"
#include "recording.h"
#include "support/memory.h"
#include "taylor_reference.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace rows;
using sweeps::Checks;
using sweeps::Cube;
using sweeps::Matrix;
using sweeps::usualCurves;

namespace {

constexpr double kTolerance = 1e-14;
constexpr std::size_t kDegree = 12;

std::vector<double> reaches(const OpRow &row, const Point &at) {
  std::vector<double> all;
  for (const std::size_t i : row.active)
    all.push_back(reach(row, at, i));
  if (all.empty())
    all.push_back(1.0);
  return all;
}

/// The curve of all operands of the row.
Curve operands(const OpRow &row, const Point &at, const Matrix &curve) {
  Curve all;
  for (const double x : at.x)
    all.push_back({x});
  for (std::size_t i = 0; i < row.numActive(); ++i)
    all[row.active[i]].insert(all[row.active[i]].end(), curve[i].begin(), curve[i].end());
  return all;
}

Wide largest(const std::vector<Series> &all) {
  Wide most = 0;
  for (const Series &s : all)
    for (const Wide &c : s)
      most = std::max(most, Wide(abs(c)));
  return most;
}

/// The partial derivatives along a curve; those of a comparison are of what it selects.
std::vector<Series> partialsOf(const OpRow &row, const Point &at, const Curve &curve,
                               std::size_t degree) {
  if (!row.comparison)
    return partialSeries(row, curve, degree);
  std::vector<Series> p(curve.size(), Series(degree + 1, Wide(0)));
  p[0][0] = row.plain(at) != 0.0 ? 1 : -1;
  return p;
}

/// What differences of numbers with 160 digits leave of coefficients that are 0, in units of the
/// value; of the partial derivatives: divided by what their operands move.
Wide noise(const OpRow &row, const Point &at, const std::vector<Series> &partials) {
  Wide most = 0;
  for (const std::size_t i : row.active)
    most = std::max(most, Wide(largest({partials[i]}) * Wide(reach(row, at, i))));
  return most * Wide(1e-140);
}

/// Sums of absolute values, the largest one so far.
std::vector<Wide> sizes(const std::vector<Series> &partials, const Curve &curve,
                        std::size_t degree) {
  std::vector<Series> p = partials;
  for (Series &s : p)
    for (Wide &c : s)
      c = abs(c);
  Curve x = curve;
  for (auto &xi : x)
    for (double &c : xi)
      c = std::fabs(c);
  Series s = integrated(p, x, degree);
  for (std::size_t k = 2; k <= degree; ++k)
    s[k] = std::max(s[k], s[k - 1]);
  return s;
}

/// The largest error found, in units of what it is measured by.
struct Worst {
  double error = 0.0;
  std::string where;
  void add(double e, const std::string &w) {
    if (e > error)
      error = e, where = w;
  }
};

bool within(double given, const Wide &expected, const Wide &size, const Wide &noise, Worst &worst,
            const std::string &where) {
  if (!std::isfinite(given))
    return false;
  // Numbers below the smallest normal one have fewer digits.
  const Wide error = abs(Wide(given) - expected), floor = Wide(1e-307);
  if (error <= floor + noise)
    return true;
  const double relative = Wide(error / (size + floor)).convert_to<double>();
  if (relative <= kTolerance)
    worst.add(relative, where);
  return relative <= kTolerance;
}

struct Evaluation {
  const OpRow &row;
  const Point &at;
  const Cube &curves;
  const Matrix &weights;
  const Cube &polynomials;
  const sweeps::TaylorResult &r;
  Checks &checks;
  Worst &worst;
};

void checkForward(const Evaluation &e, std::size_t l, const Curve &curve,
                  const std::vector<Series> &partials) {
  const Series y = integrated(partials, curve, kDegree);
  const Series size = sizes(partials, curve, kDegree);
  const Wide slack = noise(e.row, e.at, partials);
  for (std::size_t k = 1; k <= kDegree; ++k) {
    const double given = e.r.dy[l][0][k - 1];
    const std::string where = describe(e.row, e.at, e.at);
    e.checks.check(within(given, y[k], size[k], slack, e.worst, where), [&] {
      return where + "coefficient " + std::to_string(k) + " along curve " + std::to_string(l) +
             " is " + sweeps::text(given) + ", not " + sweeps::text(y[k].convert_to<double>()) +
             ", size " + sweeps::text(size[k].convert_to<double>());
    });
  }
}

void checkReverse(const Evaluation &e, std::size_t l, const std::vector<Series> &partials) {
  const auto compare = [&](const Matrix &z, const std::vector<double> &u, const std::string &kind) {
    Series weight(u.begin(), u.end());
    weight.resize(kDegree + 1, Wide(0));
    Series absolute = weight;
    for (Wide &c : absolute)
      c = abs(c);
    for (std::size_t i = 0; i < z.size(); ++i) {
      Series p(kDegree + 1, Wide(0));
      Wide slack = 0;
      if (e.row.numActive() > 0) {
        const std::size_t operand = e.row.active[i];
        p = partials[operand];
        slack = noise(e.row, e.at, partials) / Wide(reach(e.row, e.at, operand));
      }
      const Series expected = product(weight, p);
      for (Wide &c : p)
        c = abs(c);
      Series size = product(absolute, p);
      for (std::size_t k = 0; k <= kDegree; ++k) {
        if (k > 0)
          size[k] = std::max(size[k], size[k - 1]);
        const std::string where = describe(e.row, e.at, e.at);
        e.checks.check(within(z[i][k], expected[k], size[k], slack, e.worst, where), [&] {
          return where + kind + ": adjoint " + std::to_string(k) + " of operand " +
                 std::to_string(i) + " along curve " + std::to_string(l) + " is " +
                 sweeps::text(z[i][k]) + ", not " + sweeps::text(expected[k].convert_to<double>()) +
                 ", size " + sweeps::text(size[k].convert_to<double>());
        });
      }
    }
  };
  for (std::size_t w = 0; w < e.weights.size(); ++w) {
    compare(e.r.z[l][w], e.weights[w], "hos_reverse");
    compare(e.r.zTi[l][w], e.polynomials[w][0], "hos_ti_reverse");
  }
}

void checkCodes(const Evaluation &e, const Point &taped) {
  const auto moves = [](const Matrix &numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](const std::vector<double> &row) {
      return std::any_of(row.begin(), row.end(), [](double c) { return c != 0.0; });
    });
  };
  const auto check = [&](int code, int expected, const std::string &sweep, std::size_t l) {
    e.checks.check(code == expected, [&] {
      return describe(e.row, taped, e.at) + sweep + " along curve " + std::to_string(l) +
             " returns " + std::to_string(code) + ", not " + std::to_string(expected);
    });
  };
  for (std::size_t l = 0; l < e.curves.size(); ++l) {
    check(e.r.forwardCodes[l], expectedForwardCode(e.row, taped, e.at, moves(e.curves[l])),
          "hos_forward", l);
    for (std::size_t w = 0; w < e.weights.size() && l < e.r.reverseCodes.size(); ++w)
      check(e.r.reverseCodes[l][w], expectedReverseCode(e.row, taped, e.at, moves({e.weights[w]})),
            "hos_reverse", l);
  }
}

/// Where the code is 1 along some curves, as the square root of t² is |t|.
bool isRootOf0(const OpRow &row, const Point &at) {
  switch (row.op) {
  case sqrt_op:
  case pow_op:
    return at.x[0] == 0.0;
  case asin_op:
  case acos_op:
  case acosh_op:
    return std::fabs(at.x[0]) == 1.0;
  default:
    return false;
  }
}

/// Value and first partial derivatives are finite numbers of type double.
bool isRegular(const OpRow &row, const Point &at) {
  if (row.comparison)
    return true;
  const std::vector<Wide> p = row.reference(std::vector<Wide>(at.x.begin(), at.x.end()));
  return std::isfinite(row.plain(at)) &&
         std::all_of(row.active.begin(), row.active.end(),
                     [&](std::size_t i) { return std::isfinite(p[i].convert_to<double>()); });
}

const Matrix weights{{1.0}, {-0.75}, {0.0}};

} // namespace

// ── the reference itself ────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(reference_agrees_with_closed_forms) {
  const auto check = [](const Series &given, const Series &expected) {
    for (std::size_t k = 0; k <= kDegree; ++k)
      BOOST_TEST((abs(given[k] - expected[k]) < Wide(1e-30)));
  };
  Series exponential{1}, sine{0}, ones, root{1};
  for (int k = 0; k < static_cast<int>(kDegree); ++k) {
    exponential.push_back(exponential.back() / (k + 1));
    sine.push_back(k % 4 == 0 ? exponential.back() : k % 4 == 2 ? -exponential.back() : Wide(0));
    root.push_back(root.back() * (Wide(0.5) - k) / (k + 1));
  }
  check(seriesOf([](const Wide &t) { return exp(t); }, kDegree), exponential);
  check(seriesOf([](const Wide &t) { return sin(t); }, kDegree), sine);
  check(seriesOf([](const Wide &t) { return Wide(1 / (1 - t)); }, kDegree),
        Series(kDegree + 1, Wide(1)));
  check(seriesOf([](const Wide &t) { return sqrt(1 + t); }, kDegree), root);
  // From the right only.
  Series absolute(kDegree + 1, Wide(0));
  absolute[1] = 1;
  check(seriesOf([](const Wide &t) { return sqrt(t * t); }, kDegree), absolute);
}

// The derivative of the value is the sum of partial derivatives times those of the operands.
BOOST_AUTO_TEST_CASE(functions_agree_with_their_partial_derivatives) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    if (row.comparison || row.numActive() == 0)
      continue;
    for (const Point &at : row.points(Kind::interior)) {
      if (!hasValueSeries(row, at))
        continue;
      const Cube curves = usualCurves(reaches(row, at), kDegree);
      const Curve curve = operands(row, at, curves[sweeps::dense]);
      const std::vector<Series> partials = partialSeries(row, curve, kDegree);
      const Series value = valueSeries(row, curve, kDegree);
      const Series derived = integrated(partials, curve, kDegree);
      const Series size = sizes(partials, curve, kDegree);
      for (std::size_t k = 1; k <= kDegree; ++k)
        checks.check(abs(value[k] - derived[k]) <= Wide(1e-25) * size[k], [&] {
          return describe(row, at, at) + "coefficient " + std::to_string(k) + " is " +
                 sweeps::text(value[k].convert_to<double>()) + ", by the partial derivatives " +
                 sweeps::text(derived[k].convert_to<double>());
        });
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 1000);
}

// ── the library ─────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(coefficients_are_those_of_the_reference) {
  Checks checks;
  Worst worst;
  const Cube polynomials = sweeps::usualPolynomials(weights.size(), 1, kDegree);
  for (const OpRow &row : allRows())
    for (const Kind kind : {Kind::interior, Kind::near})
      for (const Point &at : row.points(kind)) {
        if (!isRegular(row, at))
          continue;
        recordRow(row, at);
        const std::vector<double> reach = reaches(row, at);
        const Cube curves = usualCurves(reach, kDegree);
        const sweeps::TaylorResult r =
            runAllTaylor(shapeOf(row), independents(row, at), curves, weights, polynomials, {},
                         describe(row, at, at), checks);
        const Evaluation e{row, at, curves, weights, polynomials, r, checks, worst};
        checkCodes(e, at);
        if (std::find(reach.begin(), reach.end(), 0.0) != reach.end())
          continue;
        // The others are left to the sweeps' agreement: the reference takes its time.
        for (const std::size_t l :
             {sweeps::dense, sweeps::line, sweeps::secondOrder, sweeps::last}) {
          if ((l == sweeps::last && row.numActive() < 2) ||
              (test::kSanitized && l != sweeps::dense))
            continue;
          const Curve curve = operands(row, at, curves[l]);
          const std::vector<Series> partials = partialsOf(row, at, curve, kDegree);
          if (largest(partials) > Wide(1e306))
            continue; // infinite in double
          checkForward(e, l, curve, partials);
          checkReverse(e, l, partials);
        }
      }
  BOOST_TEST_MESSAGE("largest error " << worst.error << ": " << worst.where);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 100000);
}

// Also where there is no Taylor series, and where another piece was recorded.
BOOST_AUTO_TEST_CASE(all_taylor_sweeps_agree) {
  Checks checks;
  Worst worst;
  for (const OpRow &row : allRows()) {
    const std::vector<Point> points = row.points();
    for (const Point &at : points) {
      const auto first = std::find_if(points.begin(), points.end(),
                                      [&](const Point &p) { return row.sameConstants(p, at); });
      for (const std::size_t degree : {std::size_t{2}, std::size_t{5}}) {
        if (test::kSanitized && degree > 2)
          continue;
        const Cube polynomials =
            sweeps::usualPolynomials(weights.size(), 1, static_cast<int>(degree));
        const Cube curves =
            usualCurves(std::vector<double>(independents(row, at).size(), 1.0), degree);
        for (const Point *taped : {&at, &*first}) {
          recordRow(row, *taped);
          const sweeps::TaylorResult r =
              runAllTaylor(shapeOf(row), independents(row, at), curves, weights, polynomials,
                           {.series = false, .smooth = false}, describe(row, *taped, at), checks);
          if (!isRootOf0(row, at))
            checkCodes({row, at, curves, weights, polynomials, r, checks, worst}, *taped);
        }
      }
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 10000);
}
