// SPDX-License-Identifier: MIT
// Every row of op_rows.h through every first-order interpreter.
#include "recording.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace rows;
using sweeps::Checks;
using sweeps::kMaxLanes;
using sweeps::Matrix;

namespace {

/// Evaluations of a row: recorded at its first point with the same constants and at the point
/// itself, and recorded everywhere but evaluated at the first point.
template <class F> void forEvaluations(const OpRow &row, F &&f) {
  const std::vector<Point> points = row.points();
  for (const Point &at : points) {
    const auto first = std::find_if(points.begin(), points.end(),
                                    [&](const Point &p) { return row.sameConstants(p, at); });
    f(at, at);
    if (&*first != &at) {
      f(*first, at);
      f(at, *first);
    }
  }
}

double valueOf(const OpRow &row, const Point &at) {
  if (!row.comparison)
    return row.plain(at);
  return row.plain(at) != 0.0 ? at.x[0] : -at.x[0];
}

bool moves(const std::vector<double> &lanes) {
  return std::any_of(lanes.begin(), lanes.end(), [](double l) { return l != 0.0; });
}

struct Evaluation {
  const OpRow &row;
  const Point &taped;
  const Point &at;
  const Matrix &seeds;
  const Matrix &weights;
  const sweeps::Result &r;
  Checks &checks;
  std::string where() const { return describe(row, taped, at); }
};

void checkCodes(const Evaluation &e) {
  const auto check = [&](int code, int expected, const std::string &sweep) {
    e.checks.check(code == expected, [&] {
      return e.where() + sweep + " returns " + std::to_string(code) + ", not " +
             std::to_string(expected);
    });
  };
  check(e.r.zosCode, expectedForwardCode(e.row, e.taped, e.at, false), "zos_forward");
  for (std::size_t l = 0; l < e.r.dy.size(); ++l) {
    const auto seed = sweeps::column(e.seeds, l);
    check(e.r.forwardCodes[l], expectedForwardCode(e.row, e.taped, e.at, moves(seed)),
          "fos_forward along " + sweeps::text(seed));
  }
  for (std::size_t l = 0; l < e.r.z.size(); ++l)
    check(e.r.reverseCodes[l], expectedReverseCode(e.row, e.taped, e.at, moves(e.weights[l])),
          "fos_reverse for weight " + sweeps::text(e.weights[l]));
}

/// Nothing in, nothing out, whatever the partials are.
void checkZeros(const Evaluation &e) {
  const std::size_t n = e.seeds.size();
  for (std::size_t l = 0; l < e.r.dy.size(); ++l)
    if (!moves(sweeps::column(e.seeds, l)))
      e.checks.check(e.r.dy[l][0] == 0.0, [&] {
        return e.where() + "a zero tangent gives " + sweeps::text(e.r.dy[l][0]);
      });
  for (std::size_t l = 0; l < e.r.z.size(); ++l)
    for (std::size_t i = 0; i < n && !moves(e.weights[l]); ++i)
      e.checks.check(e.r.z[l][i] == 0.0,
                     [&] { return e.where() + "a zero weight gives " + sweeps::text(e.r.z[l]); });
}

/// Forward along a unit vector and against it is what reverse says, also where that is infinite or
/// NaN; but NaN for an infinite partial and a tangent that leaves the domain.
void checkModesAgree(const Evaluation &e) {
  const auto leavesDomain = [&](std::size_t operand, double step) {
    Point moved = e.at;
    moved.x[operand] += step;
    return std::isnan(e.row.plain(moved));
  };
  for (std::size_t i = 0; i < e.row.numActive(); ++i)
    for (const double sign : {1.0, -1.0}) {
      const double tangent = e.r.dy[2 * i + (sign < 0.0 ? 1 : 0)][0], z = e.r.z[0][i];
      const double expected =
          std::isinf(z) && leavesDomain(e.row.active[i], sign * 1e-3) ? NaN : sign * z;
      e.checks.check(tangent == expected || (tangent != tangent && expected != expected), [&] {
        return e.where() + "partial " + std::to_string(i) + " is " + sweeps::text(z) +
               " in reverse, the tangent of " + sweeps::text(sign) + " is " + sweeps::text(tangent);
      });
    }
}

/// One operation is linear in its tangents and adjoints, down to the last bit; zeros do not take
/// part. From this, duality: the sum of weight times tangent is the same in both modes.
void checkLinear(const Evaluation &e) {
  const std::vector<double> &p = e.r.z[0];
  const std::size_t n = p.size();
  for (std::size_t l = 0; l < e.r.z.size(); ++l)
    for (std::size_t i = 0; i < n; ++i) {
      const double w = e.weights[l][0], expected = w == 0.0 ? 0.0 : p[i] * w, z = e.r.z[l][i];
      e.checks.check(z == expected || (z != z && expected != expected), [&] {
        return e.where() + "weight " + sweeps::text(w) + " gives " + sweeps::text(z) +
               " for partial " + std::to_string(i) + " = " + sweeps::text(p[i]);
      });
    }
  if (std::any_of(p.begin(), p.end(), [](double pi) { return std::isinf(pi); }))
    return; // one-sided
  for (std::size_t l = 0; l < e.r.dy.size(); ++l) {
    double expected = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      if (e.seeds[i][l] != 0.0)
        expected += p[i] * e.seeds[i][l];
    const double dy = e.r.dy[l][0];
    e.checks.check(dy == expected || (dy != dy && expected != expected), [&] {
      return e.where() + "the tangent along " + sweeps::text(sweeps::column(e.seeds, l)) + " is " +
             sweeps::text(dy) + ", partials " + sweeps::text(p) + " give " + sweeps::text(expected);
    });
  }
}

/// A recording with keep leaves what a keep sweep at the same point leaves.
void checkRecordingWithKeep(const Evaluation &e) {
  recordRow(e.row, e.at, 1);
  for (std::size_t l = 0; l < e.r.z.size(); ++l) {
    const sweeps::Reverse reverse = sweeps::fos(shapeOf(e.row), e.weights[l]);
    e.checks.check(sweeps::same(reverse.z[0], e.r.z[l]), [&] {
      return e.where() + "reverse after recording with keep gives " + sweeps::text(reverse.z[0]) +
             ", after a keep sweep " + sweeps::text(e.r.z[l]);
    });
    const int expected = expectedReverseCode(e.row, e.at, e.at, moves(e.weights[l]));
    e.checks.check(reverse.code == expected, [&] {
      return e.where() + "reverse after recording with keep returns " +
             std::to_string(reverse.code) + ", not " + std::to_string(expected);
    });
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(each_row_records_its_opcode) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    for (const Point &at : row.points()) {
      // The frame alone: independents, and a dependent.
      trace_on(kTag);
      {
        std::vector<adouble> x(independents(row, at).size());
        double out = 0.0;
        for (adouble &xi : x)
          xi <<= 1.0;
        x[0] >>= out;
      }
      trace_off();
      const std::size_t before = ADOLC::opcodeHistogram(kTag)[row.op];
      recordRow(row, at);
      const std::size_t after = ADOLC::opcodeHistogram(kTag)[row.op];
      const std::size_t expected = before + (recordsItself(row, at) ? 1 : 0);
      checks.check(after == expected, [&] {
        return std::string(row.name) + " at " + text(at) + " was recorded " +
               std::to_string(after) + " times, not " + std::to_string(expected);
      });
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 500);
}

BOOST_AUTO_TEST_CASE(values_are_those_of_plain_double) {
  Checks checks;
  for (const OpRow &row : allRows())
    for (const Point &taped : row.points()) {
      const double recorded = recordRow(row, taped);
      checks.check(sweeps::same(recorded, valueOf(row, taped)), [&] {
        return std::string(row.name) + " recorded at " + text(taped) + " is " +
               sweeps::text(recorded) + ", plain double " + sweeps::text(valueOf(row, taped));
      });
      for (const Point &at : row.points()) {
        if (!row.sameConstants(taped, at))
          continue;
        const sweeps::Forward f = sweeps::zos(shapeOf(row), 0, independents(row, at));
        const double expected = f.code < 0 ? NaN : valueOf(row, at);
        checks.check(sweeps::same(f.y[0], expected), [&] {
          return describe(row, taped, at) + "zos_forward has " + sweeps::text(f.y[0]) +
                 ", plain double " + sweeps::text(expected);
        });
        const int code = expectedForwardCode(row, taped, at, false);
        checks.check(f.code == code, [&] {
          return describe(row, taped, at) + "zos_forward returns " + std::to_string(f.code) +
                 ", not " + std::to_string(code);
        });
      }
    }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 5000);
}

BOOST_AUTO_TEST_CASE(all_sweeps_agree) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    const sweeps::Shape shape = shapeOf(row);
    const Matrix seeds = sweeps::usualSeeds(shape.n), weights = sweeps::usualWeights(shape.m);
    forEvaluations(row, [&](const Point &taped, const Point &at) {
      recordRow(row, taped);
      const sweeps::Result r = sweeps::runAll(shape, independents(row, at), seeds, weights,
                                              describe(row, taped, at), checks);
      const Evaluation e{row, taped, at, seeds, weights, r, checks};
      checkCodes(e);
      if (r.zosCode < 0) {
        for (const auto &dy : r.dy)
          checks.check(dy[0] != dy[0], [&] { return e.where() + "stale tangents"; });
        return;
      }
      checkZeros(e);
      if (!isTie(row, at)) {
        checkModesAgree(e);
        checkLinear(e);
      }
      if (&taped == &at)
        checkRecordingWithKeep(e);
    });
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 100000);
}

BOOST_AUTO_TEST_CASE(derivatives_are_within_four_ulps_of_the_closed_form) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    if (row.comparison)
      continue;
    for (const Kind kind : {Kind::interior, Kind::near})
      for (const Point &at : row.points(kind)) {
        recordRow(row, at, 1);
        const sweeps::Reverse r = sweeps::fos(shapeOf(row), std::vector<double>{1.0});
        const std::vector<Wide> exact = row.reference(std::vector<Wide>(at.x.begin(), at.x.end()));
        if (row.numActive() == 0)
          checks.check(r.z[0][0] == 0.0,
                       [&] { return describe(row, at, at) + "a constant has a derivative"; });
        for (std::size_t k = 0; k < row.numActive(); ++k) {
          const Wide &partial = exact[row.active[k]];
          const double distance = ulps(r.z[0][k], partial);
          checks.check(distance <= 4.0, [&] {
            return describe(row, at, at) + "partial " + std::to_string(k) + " is " +
                   sweeps::text(r.z[0][k]) + ", exactly " +
                   sweeps::text(partial.convert_to<double>()) + ": " + sweeps::text(distance) +
                   " ulps";
          });
        }
      }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 300);
}

BOOST_AUTO_TEST_CASE(closed_forms_agree_with_difference_quotients) {
  Checks checks;
  for (const OpRow &row : allRows()) {
    if (row.comparison)
      continue;
    for (const Point &at : row.points(Kind::interior)) {
      const std::vector<Wide> exact = row.reference(std::vector<Wide>(at.x.begin(), at.x.end()));
      for (const std::size_t i : row.active) {
        const double h = at.x[i] == 0.0 ? 1e-5 : 1e-5 * std::fabs(at.x[i]);
        Point left = at, right = at;
        left.x[i] -= h;
        right.x[i] += h;
        const double quotient = (row.plain(right) - row.plain(left)) / (right.x[i] - left.x[i]);
        const double partial = exact[i].convert_to<double>();
        const double tolerance =
            1e-7 * std::fabs(partial) + 1e-10 * std::max(1.0, std::fabs(row.plain(at)) * 1e-5 / h);
        checks.check(std::fabs(quotient - partial) <= tolerance, [&] {
          return describe(row, at, at) + "partial " + std::to_string(i) + " is " +
                 sweeps::text(partial) + ", the difference quotient " + sweeps::text(quotient);
        });
      }
    }
  }
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > 200);
}
