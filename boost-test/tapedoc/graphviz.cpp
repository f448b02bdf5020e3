// SPDX-License-Identifier: MIT
// Graphs go through dot.
#include "program.h"
#include "support/temporary_directory.h"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

using namespace test;
using namespace listings;

namespace {

constexpr short kTag = 172;

/// What dot says about a graph in its plain format, where each line begins with graph, node, edge
/// or stop.
std::string plain(const ADOLC::TapeDocOptions &options) {
  const TemporaryDirectory directory;
  {
    std::ofstream file("graph.dot");
    ADOLC::tapeDoc(file, kTag, ADOLC::TapeDocFormat::graphviz, options);
  }
  BOOST_REQUIRE(std::system("dot -Tplain graph.dot >graph.plain 2>graph.messages") == 0);
  std::ostringstream result, messages;
  messages << std::ifstream("graph.messages").rdbuf();
  BOOST_TEST(messages.str().empty(), messages.str());
  result << std::ifstream("graph.plain").rdbuf();
  return result.str();
}

int countLines(const std::string &text, const std::string &begin) {
  int count = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    count += line.rfind(begin, 0) == 0;
  return count;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(graphviz, CleanThread)

BOOST_AUTO_TEST_CASE(graphs_are_drawn) {
  if (!available("dot"))
    return;
  recordScalar(kTag, {2.0, 3.0}, [](auto &x) { return fabs(x[0] * x[1]) + x[0]; });
  const std::string small =
      plain({.point = std::vector<double>{4.0, 5.0}, .title = everyCharacter()});
  const auto operations = static_cast<int>(tapestats(kTag)[TapeInfos::NUM_OPERATIONS]);
  BOOST_TEST(countLines(small, "node ") == operations - 2);
  // Two operands of the product and of the sum, one of the absolute value and of the dependent.
  BOOST_TEST(countLines(small, "edge ") == 2 + 2 + 1 + 1);
  BOOST_TEST(small.find("|v") != std::string::npos);
  BOOST_TEST(small.find("\\n20\"") != std::string::npos);

  recordForProgram(kTag);
  const std::string part = plain({.first = 20, .last = 60});
  BOOST_TEST(countLines(part, "node ") > 41); // and those that have written their operands
  BOOST_TEST(countLines(part, "node ") < 60);
  BOOST_TEST(countLines(plain({.first = 5, .last = 4}), "node ") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
