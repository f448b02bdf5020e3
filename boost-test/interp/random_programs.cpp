// SPDX-License-Identifier: MIT
// Random programs with fixed seeds. A failure names the seed; --log_level=message lists the
// program. Sanitizers take a tenth of the programs, in a multiple of the time.
#include "program_check.h"
#include "support/memory.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace programs;
using sweeps::Checks;

namespace {
constexpr std::size_t share(std::size_t count) {
  return test::kSanitized && count > 1 ? (count + 9) / 10 : count;
}
} // namespace

BOOST_AUTO_TEST_CASE(short_programs_on_the_default_store) {
  Checks checks;
  Coverage coverage;
  checkPrograms(1, share(2000), 12, Stores::threadDefault, checks, coverage);
  checkPrograms(10001, share(2000), 60, Stores::threadDefault, checks, coverage);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > share(500000));
  BOOST_TEST(coverage.nested > share(100));
  BOOST_TEST(coverage.branchesLeft > share(100));
  BOOST_TEST(coverage.elsewhere > share(500));

  // What programs do not contain: parameters, quadratures, comparisons as numbers, and marks that
  // are not counted.
  const std::vector<std::string> absent{"death_not", "ignore_me", "end_of_op", "assign_p",
                                        "gen_quad",  "eq_a_a",    "neq_a_a",   "le_a_a",
                                        "gt_a_a",    "ge_a_a",    "lt_a_a"};
  for (std::size_t op = 0; op < coverage.opcodes.size(); ++op) {
    const auto code = static_cast<OPCODES>(op);
    const std::string name = ADOLC::opcodeName(code);
    if (std::string(ADOLC::opcodeText(code)).empty()) // reserved
      continue;
    const bool expected = std::find(absent.begin(), absent.end(), name) == absent.end();
    if (expected)
      BOOST_TEST(coverage.opcodes[op] > 0, name << " occurs in no program");
  }
}

BOOST_AUTO_TEST_CASE(short_programs_on_the_store_of_a_tape) {
  Checks checks;
  Coverage coverage;
  checkPrograms(20001, share(1000), 40, Stores::ownOfTape, checks, coverage);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > share(100000));
  BOOST_TEST(coverage.nested > share(20));
}

// The first segments of a tape hold some hundred operations, no segment more than 2^14.
BOOST_AUTO_TEST_CASE(programs_across_segments) {
  Checks checks;
  Coverage coverage;
  checkPrograms(30001, share(10), 1500, Stores::threadDefault, checks, coverage);
  checkPrograms(40001, share(2), 30000, Stores::threadDefault, checks, coverage);
  checkPrograms(50001, share(1), 30000, Stores::ownOfTape, checks, coverage);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(checks.count() > share(5000));
  BOOST_TEST(coverage.mostOperations > 2 * (std::size_t{1} << 14));
}
