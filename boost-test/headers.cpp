// SPDX-License-Identifier: MIT
// Linked with one generated file per public header: that this program exists is the test.
#include <adolc/adolc.h>
#include <adolc/adolc_version.h>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_CASE(version_number_and_text_agree) {
  const std::string text = std::to_string(ADOLC_VERSION_NUMBER / 10000) + '.' +
                           std::to_string(ADOLC_VERSION_NUMBER / 100 % 100) + '.' +
                           std::to_string(ADOLC_VERSION_NUMBER % 100);
  BOOST_TEST(text == ADOLC_VERSION_STRING);
}
