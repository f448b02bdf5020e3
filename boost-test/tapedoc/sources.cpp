// SPDX-License-Identifier: MIT
// Source locations of operations.
#include "support/expect.h"
#include "support/memory.h"
#include "support/temporary_directory.h"

#include <adolc/diagnostics.h>
#include <adolc/tapedoc/sourcelocation.h>
#include <adolc/tapedoc/tapedoc.h>
#include <adolc/tapefile.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <numeric>
#include <thread>

using namespace test;
using ADOLC::recordSourceLocations;
using ADOLC::sourceLocation;
using ADOLC::SourceLocation;

namespace {

constexpr short kTag = 41, kOther = 42;

struct Fixture : CleanThread {
  Fixture() { recordSourceLocations(kTag); }
  ~Fixture() {
    for (const short tag : {kTag, kOther})
      if (findTapePtr_(tag) != nullptr)
        ADOLC::removeTape(tag);
  }
};

/// Lines are known if this test was compiled with them, and if the library can read them.
bool linesAreKnown() {
#ifdef ADOLC_TEST_LINES
  static const bool loaded = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL) != nullptr;
  return loaded;
#else
  return false;
#endif
}

std::size_t numOperations(short tag) { return tapestats(tag)[NUM_OPERATIONS]; }

/// The line of the only operation with this code.
unsigned lineOf(short tag, OPCODES code) {
  const std::string text = ADOLC::tapeDoc(tag);
  const std::string name = ADOLC::opcodeName(code);
  for (std::size_t i = 0; i < numOperations(tag); ++i)
    if (ADOLC::tapeDoc(tag, ADOLC::TapeDocFormat::text, {.first = i, .last = i})
            .find(' ' + name + ' ') != std::string::npos)
      return sourceLocation(tag, i).value_or(SourceLocation{}).line;
  BOOST_ERROR(name << " is not on the tape:\n" << text);
  return 0;
}

template <class T> T square(const T &x) {
  return x * x; // SQUARE
}
constexpr unsigned kLineOfSquare = __LINE__ - 2;

} // namespace

BOOST_FIXTURE_TEST_SUITE(source_locations, Fixture)

BOOST_AUTO_TEST_CASE(each_kind_of_operation_knows_its_line) {
  std::map<OPCODES, unsigned> lines;
  const auto here = [&lines](OPCODES code, unsigned line) { lines[code] = line; };
  adouble before = 2.5;
  trace_on(kTag), here(take_stock_op, __LINE__);
  {
    const pdouble p(3.0);
    std::vector<adouble> x(4), sorted;
    x[0] <<= 0.5, here(assign_ind, __LINE__);
    x[1] = 0.25, here(assign_d, __LINE__);
    adouble y = square(x[0]);
    y = exp(-y) / x[1], here(exp_op, __LINE__), here(neg_sign_a, __LINE__);
    const adouble copy = x[1] - y;
    here(min_a_a, __LINE__ - 1);
    y += adouble(p), here(assign_p, __LINE__);
    if (y > 1.0)
      ++y;
    here(incr_a, __LINE__ - 1), here(branch_gt_a_d, __LINE__ - 2);
    adouble z = 0.0;
    z += x[0] * y;
    here(eq_plus_prod, __LINE__ - 1);
    condassign(z, y, copy), here(cond_assign_s, __LINE__);
    sorted = {x[1], before, x[0]};
    std::sort(sorted.begin(), sorted.end());
    here(branch_lt_a_a, __LINE__ - 1);
    double v = 0.0;
    z >>= v, here(assign_dep, __LINE__);
  }
  trace_off();
  here(mult_a_a, kLineOfSquare);

  std::size_t known = 0;
  for (std::size_t i = 1; i + 1 < numOperations(kTag); ++i)
    known += sourceLocation(kTag, i).has_value();
  BOOST_TEST(known == numOperations(kTag) - 2);
  BOOST_TEST(!sourceLocation(kTag, 0).has_value());
  BOOST_TEST(!sourceLocation(kTag, numOperations(kTag) - 1).has_value());
  BOOST_TEST(!sourceLocation(kTag, numOperations(kTag)).has_value());

  if (linesAreKnown()) {
    const auto listed = [](OPCODES code) { return code != branch_lt_a_a; };
    for (const auto &[code, line] : lines)
      if (listed(code))
        BOOST_TEST(lineOf(kTag, code) == line, ADOLC::opcodeName(code)
                                                   << " at " << lineOf(kTag, code) << ", not "
                                                   << line << ":\n"
                                                   << ADOLC::tapeDoc(kTag));
    // Several of them, within std::sort: a line of this file.
    const std::string where = "sources.cpp:" + std::to_string(lines[branch_lt_a_a]) + " (";
    const std::string text = ADOLC::tapeDoc(kTag);
    BOOST_TEST(text.find(where) != std::string::npos);
    const auto first = sourceLocation(kTag, 1);
    BOOST_TEST(first->file.ends_with("tapedoc/sources.cpp"));
    BOOST_TEST(first->function == "test_method");
  } else {
    const auto first = sourceLocation(kTag, 1);
    BOOST_TEST(!first->file.empty());
    BOOST_TEST(first->line == 0u);
  }
}

BOOST_AUTO_TEST_CASE(long_recordings_with_values_kept_and_budgets) {
  findTape(kTag).memoryBudget(std::size_t{1} << 20);
  static constexpr int count = kSanitized ? 2000 : 20000;
  const auto program = [](std::vector<adouble> &x) {
    adouble y = x[0];
    for (int i = 0; i < count; ++i) {
      y = y * x[1] + 1.0;
      y *= 0.5;
    }
    return y;
  };
  recordScalar(kTag, {1.0, 0.5}, program, 1);
  recordScalar(kOther, {1.0, 0.5}, program);
  std::vector<double> z(2), u{1.0};
  BOOST_TEST(fos_reverse(kTag, 1, 2, u.data(), z.data()) >= 0);
  const std::vector<double> x{1.0, 0.5};
  BOOST_TEST(ADOLC::gradient(kOther, x) == z, boost::test_tools::per_element());
  BOOST_TEST(sourceLocation(kTag, numOperations(kTag) - 2).has_value());
  BOOST_TEST(sourceLocation(kTag, numOperations(kTag) / 2).has_value());
}

BOOST_AUTO_TEST_CASE(of_the_last_recording_only) {
  const auto identity = [](std::vector<adouble> &x) { return x[0] * 1.5; };
  recordScalar(kTag, {1.0}, identity);
  BOOST_TEST(sourceLocation(kTag, 1).has_value());
  const TemporaryDirectory directory;
  ADOLC::saveTape(kTag, "tape");
  const short opened = ADOLC::openTape("tape");
  BOOST_TEST(!sourceLocation(opened, 1).has_value());
  BOOST_TEST(ADOLC::tapeDoc(opened).find("source") == std::string::npos);
  ADOLC::removeTape(opened);

  recordSourceLocations(kTag, false);
  BOOST_TEST(sourceLocation(kTag, 1).has_value()); // what was recorded stays
  recordScalar(kTag, {1.0}, identity);
  BOOST_TEST(!sourceLocation(kTag, 1).has_value());
  ADOLC::removeTape(kTag);
  trace_on(kTag), trace_off();
  BOOST_TEST(!sourceLocation(kTag, 1).has_value());
}

BOOST_AUTO_TEST_CASE(nested_recordings) {
  recordSourceLocations(kOther);
  trace_on(kTag);
  {
    adouble x, y;
    x <<= 2.0;
    y = x * x;
    trace_on(kOther);
    {
      adouble u, v;
      u <<= 3.0;
      v = sin(u);
      double out = 0.0;
      v >>= out;
    }
    trace_off();
    y = y + x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  for (const short tag : {kTag, kOther})
    for (std::size_t i = 1; i + 1 < numOperations(tag); ++i)
      BOOST_TEST(sourceLocation(tag, i).has_value());
  BOOST_TEST(ADOLC::gradient(kTag, std::vector{2.0})[0] == 5.0);
}

BOOST_AUTO_TEST_CASE(a_branch_switch_tells_where) {
  recordScalar(kTag, {2.0}, [](std::vector<adouble> &x) {
    if (x[0] > 1.0)
      return x[0] * 2.0;
    return x[0] * 3.0;
  });
  constexpr unsigned line = __LINE__ - 4;
  static std::string said;
  said.clear();
  const auto former = ADOLC::setDiagnosticsHook([](std::string_view text) { said = text; });
  double x = 0.5, y = 0.0;
  BOOST_TEST(::function(kTag, 1, 1, &x, &y) == -1);
  ADOLC::setDiagnosticsHook(former);
  const auto at = sourceLocation(kTag, findTape(kTag).lastBranchSwitch().operation);
  BOOST_REQUIRE(at.has_value());
  if (linesAreKnown()) {
    BOOST_TEST(at->line == line);
    BOOST_TEST(said.find("sources.cpp:" + std::to_string(line)) != std::string::npos, said);
  }
}

BOOST_AUTO_TEST_CASE(all_formats_show_them) {
  recordScalar(kTag, {2.0}, [](std::vector<adouble> &x) { return sin(x[0]); });
  const auto contains = [](ADOLC::TapeDocFormat format, const char *what) {
    return ADOLC::tapeDoc(kTag, format).find(what) != std::string::npos;
  };
  using ADOLC::TapeDocFormat;
  BOOST_TEST(contains(TapeDocFormat::text, "source"));
  BOOST_TEST(contains(TapeDocFormat::markdown, "| source |"));
  BOOST_TEST(contains(TapeDocFormat::latex, "paperwidth"));
  if (linesAreKnown())
    for (const auto format : {TapeDocFormat::text, TapeDocFormat::markdown, TapeDocFormat::latex,
                              TapeDocFormat::graphviz})
      BOOST_TEST(contains(format, "sources.cpp"));
}

BOOST_AUTO_TEST_CASE(misuse) {
  expectError(ErrorType::NO_TAPE_ID, {}, [] { recordSourceLocations(-1); });
  expectError(ErrorType::NO_TAPE_ID, {}, [] { sourceLocation(kOther, 0); });
  trace_on(kTag);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [] { recordSourceLocations(kTag, false); });
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [] { sourceLocation(kTag, 0); });
  trace_off();
}

BOOST_AUTO_TEST_CASE(several_threads) {
  std::vector<std::thread> threads;
  for (short tag = 100; tag < 104; ++tag)
    threads.emplace_back([tag] {
      recordSourceLocations(tag);
      recordScalar(tag, {2.0}, [](std::vector<adouble> &x) { return sin(x[0]) * x[0]; });
      ADOLC::tapeDoc(tag);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (short tag = 100; tag < 104; ++tag) {
    BOOST_TEST(sourceLocation(tag, 1).has_value());
    ADOLC::removeTape(tag);
  }
}

BOOST_AUTO_TEST_SUITE_END()
