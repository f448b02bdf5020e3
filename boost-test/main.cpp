// SPDX-License-Identifier: MIT
// The test framework and main(), compiled once for all test programs. Test files include
// <boost/test/unit_test.hpp> only.
#define BOOST_TEST_MODULE adolc
#include <boost/test/included/unit_test.hpp>
