// SPDX-License-Identifier: MIT
// Every operation of the table in a listing: its text, its operands, and its values at a point.
#include "listing.h"
#include "ops/recording.h"
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace rows;
using listings::list;
using listings::Listing;
using sweeps::Checks;

namespace {

using ADOLC::detail::Access;

std::string variable(const adouble &x) { return "v" + std::to_string(Access::handle(x).loc()); }

/// The text of an operation with names for %0, %1 …
std::string filled(OPCODES op, const std::vector<std::string> &names) {
  std::string text = ADOLC::opcodeText(op);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string mark = "%" + std::to_string(i);
    for (std::size_t at; (at = text.find(mark)) != std::string::npos;)
      text.replace(at, mark.size(), names[i]);
  }
  return text;
}

/// What the operation of a row is expected to look like.
struct Expected {
  std::string text;
  std::vector<std::size_t> locations;
};

/// Records a row at a point and tells what its operation looks like. Constants come from the point,
/// locations from the variables.
Expected recordAndTell(const OpRow &row, const Point &at) {
  const std::vector<double> x0 = independents(row, at);
  Expected expected;
  trace_on(kTag);
  {
    std::vector<adouble> x(x0.size());
    adouble target;
    Actives actives;
    double out = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] <<= x0[i];
      actives.push_back(&x[i]);
    }
    if (row.comparison)
      static_cast<void>(row.compare(actives, at));
    else if (row.recordInto)
      row.recordInto(actives, at, target);
    else
      target = row.record(actives, at);

    std::vector<std::string> names{variable(target)};
    int active = 0;
    for (std::size_t i = 0; i < row.sources.size(); ++i) {
      if (row.sources[i] == Source::constant) {
        names.push_back(listings::shown(at.x[i]));
      } else if (row.sources[i] == Source::parameter) {
        names.emplace_back("0"); // the first one
      } else if (active++ == row.resultOperand) {
        names.push_back(variable(target));
      } else {
        const adouble &operand = *actives[static_cast<std::size_t>(active - 1)];
        names.push_back(variable(operand));
        expected.locations.push_back(Access::handle(operand).loc());
      }
    }
    if (!row.comparison)
      expected.locations.push_back(Access::handle(target).loc());
    expected.text = filled(row.op, names);
    x[0] >>= out;
  }
  trace_off();
  return expected;
}

/// Points with the same constants, at which a row can be recorded and evaluated.
template <class F> void forEvaluations(const OpRow &row, F &&f) {
  const std::vector<Point> points = row.points();
  for (const Point &taped : points)
    for (const Point &at : points)
      if (row.sameConstants(taped, at))
        f(taped, at);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(listed_operations, test::CleanThread)

BOOST_AUTO_TEST_CASE(every_operation_has_its_text_and_its_operands) {
  std::set<std::string> seen;
  for (const OpRow &row : allRows()) {
    const std::vector<Point> points = row.points();
    const auto at = std::find_if(points.begin(), points.end(),
                                 [&](const Point &p) { return recordsItself(row, p); });
    BOOST_REQUIRE(at != points.end());
    // Nothing of the tape before may still be listed, nor a parameter counted.
    ADOLC::tryRemoveTape(kTag);
    const Expected expected = recordAndTell(row, *at);
    const Listing listing = list(kTag);
    std::vector<listings::Row> found;
    for (const listings::Row &listed : listing.rows) {
      seen.insert(listed.name);
      BOOST_TEST(listed.code < static_cast<int>(ADOLC::detail::kNumOpcodes));
      BOOST_TEST(listed.name == ADOLC::opcodeName(static_cast<OPCODES>(listed.code)));
      if (listed.code == row.op && listed.operation == expected.text)
        found.push_back(listed);
    }
    // The construction of the target is one that sets 0.
    BOOST_REQUIRE_MESSAGE(found.size() == (row.op == assign_d_zero ? 2 : 1),
                          row.name << ": \"" << expected.text << "\" is listed " << found.size()
                                   << " times");
    BOOST_TEST(found.back().locations == expected.locations, boost::test_tools::per_element());
    BOOST_TEST(found.back().operation.find('%') == std::string::npos);
  }
  // The operations that are not functions of numbers.
  {
    const adouble live = 3.0;
    test::recordScalar(kTag, {2.0}, [&](auto &x) { return x[0] * live; });
    const Listing listing = list(kTag);
    BOOST_TEST(listing.only("take_stock_op").operation == "initial values of live locations");
    BOOST_TEST(listing.only("take_stock_op").constants == std::vector<std::string>{"3"},
               boost::test_tools::per_element());
    const std::size_t loc = Access::handle(live).loc();
    BOOST_TEST(listing.only("take_stock_op").locations == std::vector<std::size_t>{loc},
               boost::test_tools::per_element());
    seen.insert("take_stock_op");
  }
  for (std::size_t op = 0; op < ADOLC::detail::kNumOpcodes; ++op) {
    const auto code = static_cast<OPCODES>(op);
    const std::string name = ADOLC::opcodeName(code);
    const bool reserved = std::string(ADOLC::opcodeText(code)).empty();
    // Never recorded, or between the segments, where it is nobody's operation.
    const bool hidden = name == "death_not" || name == "ignore_me" || name == "end_of_op";
    BOOST_TEST((seen.count(name) != 0) == (!reserved && !hidden), name);
  }
}

// What a listing shows at a point is what a sweep computes there, to the last bit, and it ends
// where the sweep leaves the recorded branch.
BOOST_AUTO_TEST_CASE(values_are_those_of_a_sweep) {
  Checks checks;
  std::size_t left = 0;
  for (const OpRow &row : allRows())
    forEvaluations(row, [&](const Point &taped, const Point &at) {
      recordRow(row, taped);
      const std::vector<double> x = independents(row, at);
      const sweeps::Forward sweep = sweeps::zos(shapeOf(row), 0, x);
      const Listing listing = list(kTag, {.point = x});
      const auto check = [&](bool ok, const std::string &what) {
        checks.check(ok, [&] { return describe(row, taped, at) + what; });
      };
      const std::string &dependent = listing.only("assign_dep").result;
      if (sweep.code >= 0) {
        check(sweeps::same(listings::number(dependent), sweep.y[0]),
              "y is listed as " + dependent + ", not " + sweeps::text(sweep.y[0]));
      } else {
        check(dependent.empty(), "y is known in spite of code " + std::to_string(sweep.code));
        ++left;
      }
      bool behind = false; // the operation that leaves the branch
      std::size_t marked = 0;
      for (const listings::Row &listed : listing.rows) {
        if (behind)
          check(listed.result.empty() && listed.operands.empty(),
                listed.operation + " has values behind the end of the branch");
        if (!listed.result.empty() && listed.result.back() == '!') {
          behind = true;
          ++marked;
          check(listed.number == findTape(kTag).lastBranchSwitch().operation,
                "the branch is left at operation " + std::to_string(listed.number));
        }
        if (listed.code == row.op && !row.comparison && !behind && row.op != assign_a &&
            row.op != assign_d && row.op != assign_d_zero)
          check(sweeps::same(listings::number(listed.result), row.plain(at)),
                listed.operation + " is listed as " + listed.result);
      }
      check(marked == (sweep.code < 0 ? 1u : 0u), "the end of the branch is not marked");
    });
  BOOST_TEST(checks.failures() == 0u);
  BOOST_TEST(checks.count() > 10000u);
  BOOST_TEST(left > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
