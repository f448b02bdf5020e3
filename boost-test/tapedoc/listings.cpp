// SPDX-License-Identifier: MIT
// Listings of whole tapes: formats, ranges, points, streams, errors; and what statistics say about
// the same tapes.
#include "listing.h"
#include "support/expect.h"
#include "support/temporary_directory.h"

#include <adolc/valuetape/blockchain.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <thread>

using namespace test;
using ADOLC::tapeDoc;
using ADOLC::TapeDocFormat;
using ADOLC::detail::BlockPool;
using listings::list;
using listings::Listing;

namespace {

/// A tape with a store of its own, selected: locations count from 0.
struct FreshTape : CleanThread {
  short id = createNewTape();
  std::string idText = std::to_string(id);
  FreshTape() { setCurrentTape(id); }
};

/// y = |x0| x1 - x1, if x0 < x1.
void recordSmall(short id) {
  trace_on(id);
  {
    adouble x0, x1, y;
    x0 <<= -2.0;
    x1 <<= 3.0;
    if (x0 < x1)
      y = fabs(x0);
    y *= x1;
    y -= x1;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
}

/// A tape of many segments: the loop alone is 4 * count operations.
void recordLong(short id, int count) {
  trace_on(id);
  {
    adouble x, y = 1.0, z = 0.5;
    x <<= 0.5;
    for (int i = 0; i < count; ++i) {
      y *= x;
      z += y;
      z = z - 0.25;
      y = cos(y + i);
    }
    z += y;
    double out = 0.0;
    z >>= out;
  }
  trace_off();
}

std::vector<std::string> lines(const std::string &text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    result.push_back(line);
  return result;
}

std::size_t countOf(const std::string &text, const std::string &part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string contentOf(const std::string &file) {
  std::ifstream in(file);
  BOOST_REQUIRE_MESSAGE(in.good(), file << " is missing");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The most locations between their first and last occurrence in a listing, by looking.
std::size_t peakOf(const Listing &listing) {
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> lives;
  for (const listings::Row &row : listing.rows)
    for (const std::size_t loc : row.locations) {
      lives.try_emplace(loc, row.name == "take_stock_op" ? 0 : row.number, row.number);
      lives[loc].second = row.number;
    }
  std::size_t peak = 0;
  for (const listings::Row &row : listing.rows)
    peak = std::max(
        peak,
        static_cast<std::size_t>(std::count_if(lives.begin(), lives.end(), [&](const auto &life) {
          return life.second.first <= row.number && row.number <= life.second.second;
        })));
  return peak;
}

/// Statistics and listing of a tape are about the same operations.
void compareWithStatistics(short id) {
  const Listing listing = list(id);
  const ADOLC::TapeStatistics statistics = ADOLC::tapeStatistics(id);
  const auto histogram = ADOLC::opcodeHistogram(id);
  auto listed = listing.histogram();
  for (std::size_t op = 0; op < histogram.size(); ++op) {
    const std::string name = ADOLC::opcodeName(static_cast<OPCODES>(op));
    BOOST_TEST(listed[name] == histogram[op], name);
    BOOST_TEST(statistics.histogram[op] == histogram[op], name);
  }
  for (std::size_t i = 0; i < listing.rows.size(); ++i)
    BOOST_REQUIRE(listing.rows[i].number == i);
  const auto stats = tapestats(id);
  BOOST_TEST(listing.rows.size() == stats[TapeInfos::NUM_OPERATIONS]);
  BOOST_TEST(statistics.operations == stats[TapeInfos::NUM_OPERATIONS]);
  BOOST_TEST(statistics.taylorsSaved == stats[TapeInfos::NUM_TAYS]);
  const auto count = [&](auto &&is) {
    return static_cast<std::uint64_t>(std::count_if(listing.rows.begin(), listing.rows.end(), is));
  };
  const std::set<int> withoutResult{
#define ADOLC_BRANCH(op, relation, layout, text) op,
#define ADOLC_STRUCT(op, text) (op) == assign_ind ? assign_dep : op,
#include <adolc/internal/oplist_expand.h>
  };
  const auto saving =
      count([](const listings::Row &row) { return row.flags.find('s') != std::string::npos; });
  const auto writing =
      count([&](const listings::Row &row) { return withoutResult.count(row.code) == 0; });
  BOOST_TEST(statistics.taylorsAvoided == writing - saving);
  BOOST_TEST(statistics.peakLocations == peakOf(listing));
  BOOST_TEST(statistics.bytes.total() == ADOLC::tapeBytes(id).total());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(whole_listings, FreshTape)

BOOST_AUTO_TEST_CASE(a_small_tape_as_text) {
  recordSmall(id);
  const std::string expected = "# Tape " + idText + R"(
# operations 0 to 11 of 12; independents: 2, dependents: 1
#
# number  code  name              flags  locations       constants         operation
       0    33  start_of_tape     -      -               -                 start of tape
       1    41  assign_d_zero     -      0               -                 v0 = 0
       2    41  assign_d_zero     -      1               -                 v1 = 0
       3    41  assign_d_zero     -      2               -                 v2 = 0
       4     1  assign_ind        -      0               -                 v0 = next independent
       5     1  assign_ind        -      1               -                 v1 = next independent
       6   120  branch_lt_a_a     p      0,1             -                 v0 < v1
       7    47  abs_val           -      0,3             -                 v3 = |v0|
       8    10  eq_mult_a         s      1,3             -                 v3 *= v1
       9     8  eq_min_a          -      1,3             -                 v3 -= v1
      10     2  assign_dep        -      3               -                 next dependent = v3
      11    32  end_of_tape       -      -               -                 end of tape
)";
  BOOST_TEST(tapeDoc(id) == expected);
  compareWithStatistics(id);
}

BOOST_AUTO_TEST_CASE(flags) {
  trace_on(id);
  {
    adouble x, y;
    x <<= 2.0;
    y = exp(x);
    y *= x;      // saves exp(x)
    if (x > 3.0) // false
      y += 1.0;
    if (x > 0.0) // true
      y += 2.0;
    if (x < 0.0) // false, so recorded as x >= 0, but false with NaN, too
      y += 3.0;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const Listing listing = list(id);
  BOOST_TEST(listing.only("exp_op").flags == "");
  BOOST_TEST(listing.only("eq_mult_a").flags == "s");
  BOOST_TEST(listing.only("branch_gt_a_d").flags == "");
  BOOST_TEST(listing.only("gt_zero").flags == "p");
  BOOST_TEST(listing.only("ge_zero").flags == "pu");
}

BOOST_AUTO_TEST_CASE(values_at_a_point) {
  recordSmall(id);
  const Listing listing = list(id, {.point = std::vector<double>{-0.5, 2.0}});
  const auto result = [&](const char *name) { return listing.only(name).result; };
  BOOST_TEST(result("start_of_tape") == "");
  BOOST_TEST(result("branch_lt_a_a") == "true");
  BOOST_TEST(result("abs_val") == "0.5");
  BOOST_TEST(result("eq_mult_a") == "1");
  BOOST_TEST(result("eq_min_a") == "-1");
  BOOST_TEST(listing.only("eq_min_a").operands == (std::vector<std::string>{"1", "2"}),
             boost::test_tools::per_element());
  BOOST_TEST(listing.only("branch_lt_a_a").operands == (std::vector<std::string>{"-0.5", "2"}),
             boost::test_tools::per_element());
  BOOST_TEST(result("assign_dep") == "-1");

  // Another branch: values as far as they are known.
  const Listing other = list(id, {.point = std::vector<double>{2.0, -0.5}});
  BOOST_TEST(other.only("branch_lt_a_a").result == "false!");
  BOOST_TEST(other.only("abs_val").result == "");
  BOOST_TEST(other.only("assign_dep").result == "");
  BOOST_TEST(other.only("assign_dep").operands.empty());
  BOOST_TEST(other.rows.size() == listing.rows.size());
}

BOOST_AUTO_TEST_CASE(values_of_parameters_and_of_initial_values) {
  adouble live[6];
  for (int i = 0; i < 6; ++i)
    live[i] = 10.0 + i;
  trace_on(id);
  {
    const pdouble p(0.25);
    adouble x, y;
    x <<= 1.0;
    y = x * p + live[5];
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const std::vector<double> x{2.0};
  const Listing before = list(id, {.point = x});
  BOOST_TEST(before.only("assign_p").operation.find(" = parameter 0") != std::string::npos);
  BOOST_TEST(before.only("assign_p").operands[0] == "0.25");
  BOOST_TEST(before.only("assign_p").result == "0.25");
  BOOST_TEST(before.only("assign_dep").result == "15.5");
  const double p = -4.0;
  set_param_vec(id, 1, &p);
  BOOST_TEST(list(id, {.point = x}).only("assign_dep").result == "7");
  // Of many constants the first ones.
  const listings::Row &stock = before.only("take_stock_op");
  BOOST_TEST(stock.constants == (std::vector<std::string>{"10", "11", "12", "13", "..."}),
             boost::test_tools::per_element());
  BOOST_TEST(stock.locations.size() == 6u);
  compareWithStatistics(id);
}

BOOST_AUTO_TEST_CASE(a_quadrature_has_no_value_elsewhere) {
  recordScalar(id, {1.5}, [](auto &x) { return quadrature(x[0], 7.0, 0.25) * 2.0; });
  const Listing there = list(id, {.point = std::vector<double>{1.5}});
  BOOST_TEST(there.only("gen_quad").result == "7");
  BOOST_TEST(there.only("assign_dep").result == "14");
  const Listing elsewhere = list(id, {.point = std::vector<double>{2.0}});
  BOOST_TEST(elsewhere.only("gen_quad").result == "unknown!");
  BOOST_TEST(elsewhere.only("assign_dep").result == "");
}

// Several segments, read from their beginnings and skipped.
BOOST_AUTO_TEST_CASE(ranges) {
  recordLong(id, 3000);
  const Listing whole = list(id);
  const std::size_t size = whole.rows.size();
  BOOST_TEST(size > 12000u);
  compareWithStatistics(id);
  const std::vector<double> x{0.75};
  const Listing values = list(id, {.point = x});
  double y = 0.0;
  BOOST_TEST(function(id, 1, 1, x.data(), &y) == 3);
  BOOST_TEST(listings::number(values.rows[size - 2].result) == y);

  const auto sameRow = [](const listings::Row &a, const listings::Row &b) {
    return a.number == b.number && a.operation == b.operation && a.result == b.result &&
           a.locations == b.locations && a.constants == b.constants && a.flags == b.flags;
  };
  std::vector<std::size_t> firsts{0, 1, 2, 127, 128, 129, 130, 511, 640, size - 2, size - 1};
  const auto &segments = findTape(id).recording().segments;
  BOOST_TEST(segments.size() > 5u);
  std::size_t end = 0; // of a segment: its last operation
  for (const ADOLC::detail::Segment &segment : segments) {
    end += segment.numOps;
    firsts.insert(firsts.end(), {end - 1, end, end + 1});
  }
  BOOST_TEST(end == size - 2);
  for (const std::size_t first : firsts)
    for (const std::size_t length : {std::size_t{1}, std::size_t{2}, std::size_t{700}}) {
      const std::size_t last = first + length - 1;
      const std::size_t expected = std::min(length, size - first);
      const Listing part = list(id, {.first = first, .last = last});
      const Listing partValues = list(id, {.point = x, .first = first, .last = last});
      BOOST_REQUIRE(part.rows.size() == expected);
      BOOST_REQUIRE(partValues.rows.size() == expected);
      for (std::size_t i = 0; i < expected; ++i) {
        BOOST_REQUIRE(sameRow(part.rows[i], whole.rows[first + i]));
        BOOST_REQUIRE(sameRow(partValues.rows[i], values.rows[first + i]));
      }
      BOOST_TEST(part.range == "operations " + std::to_string(first) + " to " +
                                   std::to_string(std::min(last, size - 1)) + " of " +
                                   std::to_string(size) + "; independents: 1, dependents: 1");
    }
}

BOOST_AUTO_TEST_CASE(empty_ranges_and_tapes) {
  recordSmall(id);
  for (const auto &[first, last] : std::vector<std::pair<std::size_t, std::size_t>>{
           {5, 4}, {12, 20}, {12, 12}, {1000000, std::size_t(-1)}, {std::size_t(-1), 0}}) {
    const ADOLC::TapeDocOptions options{.first = first, .last = last};
    const Listing listing = list(id, options);
    BOOST_TEST(listing.rows.empty());
    BOOST_TEST(listing.range == "none of 12 operations; independents: 2, dependents: 1");
    BOOST_TEST(countOf(tapeDoc(id, TapeDocFormat::graphviz, options), "label=\"1") == 0u);
  }
  const short never = createNewTape();
  BOOST_TEST(list(never).rows.empty());
  BOOST_TEST(list(never, {.point = std::vector<double>{}}).rows.empty());
  BOOST_TEST(list(never).range == "none of 0 operations; independents: 0, dependents: 0");
  trace_on(never);
  trace_off();
  BOOST_TEST(list(never).rows.size() == 2u);
  compareWithStatistics(never);
}

// Locations far apart are stored in other cells.
BOOST_AUTO_TEST_CASE(wide_locations) {
  std::vector<adouble> many(100000);
  trace_on(id);
  {
    adouble y;
    many[0] <<= 2.0;
    many[99999] <<= 3.0;
    y = many[0] * many[99999];
    for (int i = 0; i < 10000; ++i)
      y += many[static_cast<std::size_t>(i) % 7] * many[static_cast<std::size_t>(99990 + i % 5)];
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const Listing listing = list(id);
  const listings::Row &product = listing.only("mult_a_a");
  const std::size_t first = ADOLC::detail::Access::handle(many[0]).loc();
  const std::size_t last = ADOLC::detail::Access::handle(many[99999]).loc();
  BOOST_TEST(last > 0xffffu);
  BOOST_TEST(product.locations[0] == first);
  BOOST_TEST(product.locations[1] == last);
  BOOST_TEST(listing.histogram().at("eq_plus_prod") == 10000u);
  for (const listings::Row &row : listing.rows)
    if (row.name == "eq_plus_prod")
      BOOST_REQUIRE((row.locations[0] < 10 && row.locations[1] > 0xffff));
  BOOST_TEST(ADOLC::tapeStatistics(id).peakLocations == 100000u);
}

BOOST_AUTO_TEST_CASE(markdown) {
  recordSmall(id);
  const std::string text =
      tapeDoc(id, TapeDocFormat::markdown,
              {.point = std::vector<double>{-2.0, 3.0}, .title = "a|b_c*\nd # `e` <f>"});
  const std::vector<std::string> all = lines(text);
  BOOST_TEST(all[0] == "# a\\|b\\_c\\* d \\# \\`e\\` \\<f\\>");
  BOOST_TEST(all[4] == "| number | code | name | flags | locations | constants | result | "
                       "operands | operation |");
  BOOST_TEST(all.size() == 6u + 12u);
  for (std::size_t i = 4; i < all.size(); ++i) // bars that are not escaped
    BOOST_TEST(countOf(all[i], "|") - countOf(all[i], "\\|") == 10u);
  BOOST_TEST(text.find("= \\|v0\\|` |") != std::string::npos);
  BOOST_TEST(text.find("| `assign_ind` | | `0` | | `-2` | | `v0 = next independent` |") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(graph) {
  trace_on(id);
  {
    adouble x, y;
    x <<= 2.0; // 3: v0
    y = x * x; // 4: v1
    y += x;    // 5
    double out = 0.0;
    y >>= out; // 6
  }
  trace_off();
  const std::string graph = tapeDoc(id, TapeDocFormat::graphviz, {.title = "a \"b\" \\N"});
  const std::vector<std::string> expected{
      "digraph \"tape " + idText + "\" {",
      R"(  label="a \"b\" \\N\noperations 0 to 7 of 8; independents: 1, dependents: 1";)",
      "  labelloc=t;",
      "  node [shape=box, fontname=monospace];",
      "  edge [fontname=monospace];",
      R"(  1 [label="1: v0 = 0"];)",
      R"(  2 [label="2: v1 = 0"];)",
      R"(  3 [label="3: v0 = next independent", shape=ellipse];)",
      R"(  4 [label="4: v2 = v0 * v0"];)",
      R"(  3 -> 4 [label="v0"];)", // once
      R"(  5 [label="5: v2 += v0"];)",
      R"(  4 -> 5 [label="v2"];)",
      R"(  3 -> 5 [label="v0"];)",
      R"(  6 [label="6: next dependent = v2", shape=ellipse];)",
      R"(  5 -> 6 [label="v2"];)",
      "}"};
  BOOST_TEST(lines(graph) == expected, boost::test_tools::per_element());

  // Who wrote the operands is known also where a range leaves it out.
  const std::string part = tapeDoc(id, TapeDocFormat::graphviz,
                                   {.point = std::vector<double>{3.0}, .first = 5, .last = 5});
  BOOST_TEST(countOf(part, "[label=\"5: v2 += v0\\n12\"]") == 1u);
  BOOST_TEST(countOf(part, "  4 -> 5 [label=\"v2\"];") == 1u);
  BOOST_TEST(countOf(part, "  3 -> 5 [label=\"v0\"];") == 1u);
  const std::string withoutPoint = tapeDoc(id, TapeDocFormat::graphviz, {.first = 5, .last = 5});
  BOOST_TEST(countOf(withoutPoint, "  4 -> 5 [label=\"v2\"];") == 1u);
  BOOST_TEST(countOf(part, "label=\"4: ") + countOf(part, "label=\"6: ") == 0u);

  // Initial values are written by the operation that has them.
  const adouble live = 3.0;
  trace_on(id);
  {
    adouble y = live * 2.0;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const std::string loc = std::to_string(ADOLC::detail::Access::handle(live).loc());
  const std::string initial = tapeDoc(id, TapeDocFormat::graphviz);
  BOOST_TEST(countOf(initial, "  1 [label=\"1: initial values of live locations, v" + loc + ".." +
                                  loc + "\"];") == 1u);
  BOOST_TEST(countOf(initial, "  1 -> 2 [label=\"v" + loc + "\"];") == 1u);
}

BOOST_AUTO_TEST_CASE(latex_document) {
  recordSmall(id);
  const std::string text =
      tapeDoc(id, TapeDocFormat::latex, {.title = "\\ { } $ & # % _ ~ ^ -- ,, \" \xc3\xa9"});
  BOOST_TEST(countOf(text, "\\tabularnewline") == 13u); // with the head
  BOOST_TEST(countOf(text, "\\begin{longtable}") == 1u);
  BOOST_TEST(countOf(text, "assign\\_ind & ") == 2u);
  BOOST_TEST(countOf(text, "= {\\ttfamily\\char124}v0{\\ttfamily\\char124}") == 1u);
  BOOST_TEST(countOf(text, "\\textbf{{\\ttfamily\\char92} {\\ttfamily\\char123} "
                           "{\\ttfamily\\char125} {\\ttfamily\\char36} \\& \\# \\% \\_ "
                           "{\\ttfamily\\char126} {\\ttfamily\\char94} -{}-{} "
                           ",\\allowbreak{},\\allowbreak{} {\\ttfamily\\char34} ?}") == 1u);
}

BOOST_AUTO_TEST_CASE(streams) {
  recordSmall(id);
  std::ostringstream out;
  out << std::hex << std::showbase << std::setfill('*') << std::setprecision(2);
  out << std::setw(5000);
  const ADOLC::TapeDocOptions options{.point = std::vector<double>{-2.0, 3.0}};
  tapeDoc(out, id, TapeDocFormat::text, options);
  BOOST_TEST(out.str() == tapeDoc(id, TapeDocFormat::text, options));

  // A stream that fails says so itself; listing a long tape ends there.
  struct Full : std::streambuf {
    std::size_t written = 0;
    std::streamsize xsputn(const char *, std::streamsize count) override {
      written += static_cast<std::size_t>(count);
      return written < 1000 ? count : 0;
    }
  } full;
  std::ostream failing(&full);
  recordLong(id, 3000);
  tapeDoc(failing, id);
  BOOST_TEST(failing.bad());
  BOOST_TEST(full.written < 1200u);
  failing.clear();
  failing.exceptions(std::ios::badbit);
  BOOST_CHECK_THROW(tapeDoc(failing, id), std::ios_base::failure);
  BOOST_TEST(list(id).rows.size() > 12000u); // the tape is free again
}

BOOST_AUTO_TEST_CASE(a_listing_leaves_the_taylor_stack_alone) {
  recordScalar(
      id, {3.0}, [](auto &x) { return x[0] * x[0] * sin(x[0]); }, 1);
  const double u = 1.0;
  double before = 0.0, after = 0.0;
  BOOST_TEST(fos_reverse(id, 1, 1, &u, &before) == 3);
  tapeDoc(id, TapeDocFormat::text, {.point = std::vector<double>{7.0}});
  ADOLC::tapeStatistics(id);
  BOOST_TEST(fos_reverse(id, 1, 1, &u, &after) == 3);
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_CASE(errors) {
  expectError(ErrorType::NO_TAPE_ID, {"tapeDoc", "30001"}, [] { tapeDoc(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"tape_doc", "30001"},
              [] { tape_doc(30001, 0, 0, nullptr, nullptr); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { ADOLC::tapeStatistics(30001); });
  recordSmall(id);
  expectError(ErrorType::SIZE_MISMATCH, {"tapeDoc", idText, "size 3", "expected 2"}, [&] {
    tapeDoc(id, TapeDocFormat::latex, {.point = std::vector<double>{1.0, 2.0, 3.0}});
  });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"tapeDoc", idText, "17", "0 to 3"},
              [&] { tapeDoc(id, static_cast<TapeDocFormat>(17)); });
  std::ostringstream untouched;
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {idText, "-1"},
              [&] { tapeDoc(untouched, id, static_cast<TapeDocFormat>(-1)); });
  BOOST_TEST(untouched.str().empty());

  trace_on(id);
  {
    const adouble x = 1.0;
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"tapeDoc", idText}, [&] { tapeDoc(id); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"tape_doc", idText},
                [&] { tape_doc(id, 0, 0, nullptr, nullptr); });
  }
  trace_off();
  BOOST_TEST(list(id).rows.size() == 3u);
}

BOOST_AUTO_TEST_CASE(statistics_of_a_tape_that_is_being_recorded) {
  trace_on(id);
  {
    adouble x, y = 1.0;
    x <<= 1.0;
    BOOST_TEST(ADOLC::tapeStatistics(id).operations == 0u); // no segment is complete
    for (int i = 0; i < 10000; ++i)
      y *= x;
    const ADOLC::TapeStatistics statistics = ADOLC::tapeStatistics(id);
    BOOST_TEST(statistics.histogram[eq_mult_a] > 5000u);
    BOOST_TEST(statistics.histogram[eq_mult_a] <= 10000u);
    BOOST_TEST(statistics.histogram[end_of_tape] == 0u);
    BOOST_TEST(statistics.peakLocations == 2u);
  }
  trace_off();
  BOOST_TEST(ADOLC::tapeStatistics(id).histogram[eq_mult_a] == 10000u);
  BOOST_TEST(ADOLC::tapeStatistics(id).histogram[end_of_tape] == 1u);
}

BOOST_AUTO_TEST_CASE(codes_that_the_table_does_not_have) {
  for (const auto bad : {static_cast<unsigned>(ext_diff), 250u}) {
    recordSmall(id);
    auto &recording = findTape(id).recording();
    recording.ops.pin(recording.segments[0].op)[7] =
        ADOLC::detail::opCell(static_cast<OPCODES>(bad));
    expectError(ErrorType::NO_SUCH_OP, {"tapeDoc", idText, std::to_string(bad)},
                [&] { tapeDoc(id); });
    expectError(ErrorType::NO_SUCH_OP, {"tapeStatistics", idText, std::to_string(bad)},
                [&] { ADOLC::tapeStatistics(id); });
    BOOST_TEST(list(id, {.last = 6}).rows.size() == 7u);
    std::ostream broken(nullptr);
    tapeDoc(broken, id); // ends before it comes to the operation
    BOOST_TEST(broken.bad());
  }
}

BOOST_AUTO_TEST_CASE(no_memory_for_values) {
  std::vector<adouble> many(200000);
  recordSmall(id);
  const std::size_t former = BlockPool::setLimit(BlockPool::bytesInUse());
  expectError(ErrorType::MALLOC_FAILED, {"tapeDoc"}, [&] {
    tapeDoc(id, TapeDocFormat::text, {.point = std::vector<double>{-2.0, 3.0}});
  });
  BlockPool::setLimit(former);
  BOOST_TEST(list(id, {.point = std::vector<double>{-2.0, 3.0}}).only("abs_val").result == "2");
}

BOOST_AUTO_TEST_CASE(listing_while_others_evaluate_and_record) {
  recordLong(id, 500);
  std::atomic<int> wrong{0};
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) {
      const double x = 0.5;
      double y = 0.0;
      wrong += function(id, 1, 1, &x, &y) != 3;
    }
  });
  for (int i = 0; i < 20; ++i)
    wrong +=
        lines(tapeDoc(id, TapeDocFormat::text, {.point = std::vector<double>{0.5}})).size() < 2000;
  other.join();
  BOOST_TEST(wrong == 0);
}

// ── the file ──────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(tape_doc_writes_a_file_and_y) {
  const TemporaryDirectory directory;
  recordSmall(id);
  const std::vector<double> x{-0.5, 2.0};
  double y = 0.0, expected = 0.0;
  tape_doc(id, 1, 2, x.data(), &y);
  BOOST_TEST(function(id, 1, 2, x.data(), &expected) == 3);
  BOOST_TEST(y == expected);
  const std::string file = "tape_" + idText + ".tex";
  BOOST_TEST(contentOf(file) == tapeDoc(id, TapeDocFormat::latex, {.point = x}));

  // A second listing replaces the first one; y may be where x is.
  double inPlace[2] = {-1.0, 1.0};
  tape_doc(id, 1, 2, inPlace, inPlace);
  BOOST_TEST(inPlace[0] == 0.0);
  const std::string second =
      tapeDoc(id, TapeDocFormat::latex, {.point = std::vector<double>{-1.0, 1.0}});
  BOOST_TEST(contentOf(file) == second);

  // On another branch y is NaN, and the listing says where it was left.
  const double other[2] = {2.0, -0.5};
  tape_doc(id, 1, 2, other, &y);
  BOOST_TEST(std::isnan(y));
  BOOST_TEST(countOf(contentOf(file), "false!") == 1u);
}

BOOST_AUTO_TEST_CASE(tape_doc_refuses) {
  const TemporaryDirectory directory;
  recordSmall(id);
  const double x[3] = {-0.5, 2.0, 3.0};
  double y[2] = {77.0, 77.0};
  const std::string file = "tape_" + idText + ".tex";
  for (const auto &[m, n] : {std::pair{1, 1}, std::pair{1, 3}, std::pair{0, 2}, std::pair{2, 2},
                             std::pair{-1, 2}, std::pair{1, -2}})
    expectError(
        ErrorType::TAPE_DOC_COUNTS_MISMATCH,
        {idText, "1 dependents", "2 independents", std::to_string(m) + " and " + std::to_string(n)},
        [&, m = m, n = n] { tape_doc(id, m, n, x, y); });
  const short never = createNewTape();
  expectError(ErrorType::TAPE_DOC_COUNTS_MISMATCH, {std::to_string(never)},
              [&] { tape_doc(never, 0, 0, x, y); });
  expectError(ErrorType::NULL_ARGUMENT, {"tape_doc", idText},
              [&] { tape_doc(id, 1, 2, nullptr, y); });
  expectError(ErrorType::NULL_ARGUMENT, {"tape_doc", idText},
              [&] { tape_doc(id, 1, 2, x, nullptr); });
  BOOST_TEST(!std::filesystem::exists(file));

  std::filesystem::create_directory(file);
  expectError(ErrorType::CANNOT_OPEN_FILE, {"tape_doc", idText}, [&] { tape_doc(id, 1, 2, x, y); });
  BOOST_TEST((y[0] == 77.0 && y[1] == 77.0));
  std::filesystem::remove(file);

  if (std::filesystem::exists("/dev/full")) {
    std::filesystem::create_symlink("/dev/full", file);
    expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"tape_doc", idText},
                [&] { tape_doc(id, 1, 2, x, y); });
    std::filesystem::remove(file);
  }
  tape_doc(id, 1, 2, x, y);
  BOOST_TEST(std::filesystem::exists(file));
}

BOOST_AUTO_TEST_SUITE_END()
