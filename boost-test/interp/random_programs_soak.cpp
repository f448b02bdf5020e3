// SPDX-License-Identifier: MIT
// The same as random_programs.cpp with many more programs.
#include "program_check.h"

#include <boost/test/unit_test.hpp>

using namespace programs;
using sweeps::Checks;

BOOST_AUTO_TEST_CASE(many_programs) {
  Checks checks;
  Coverage coverage;
  checkPrograms(1000001, 100000, 15, Stores::threadDefault, checks, coverage);
  checkPrograms(2000001, 50000, 80, Stores::threadDefault, checks, coverage);
  checkPrograms(3000001, 50000, 40, Stores::ownOfTape, checks, coverage);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(coverage.nested > 10000);
}

BOOST_AUTO_TEST_CASE(many_long_programs) {
  Checks checks;
  Coverage coverage;
  checkPrograms(4000001, 200, 3000, Stores::threadDefault, checks, coverage);
  checkPrograms(5000001, 20, 100000, Stores::threadDefault, checks, coverage);
  checkPrograms(6000001, 20, 100000, Stores::ownOfTape, checks, coverage);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(coverage.mostOperations > 100000);
}
