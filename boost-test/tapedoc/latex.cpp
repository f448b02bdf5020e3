// SPDX-License-Identifier: MIT
// Listings go through pdflatex.
#include "program.h"
#include "support/temporary_directory.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

using namespace test;
using namespace listings;

namespace {

constexpr short kTag = 171;

void compile(const std::string &name) {
  const std::string command =
      "pdflatex -interaction=nonstopmode -halt-on-error " + name + ".tex >" + name + ".out 2>&1";
  const bool done = std::system(command.c_str()) == 0;
  std::ifstream log(name + ".log");
  std::string warnings;
  for (std::string line; std::getline(log, line);)
    if (!done || line.find("Warning") != std::string::npos ||
        line.find("Missing character") != std::string::npos ||
        line.find("Overfull") != std::string::npos)
      warnings += line + "\n";
  BOOST_TEST(done, warnings);
  BOOST_TEST(warnings.empty(), warnings);
  BOOST_TEST(std::filesystem::exists(name + ".pdf"));
}

void write(const std::string &name, const ADOLC::TapeDocOptions &options) {
  std::ofstream file(name + ".tex");
  ADOLC::tapeDoc(file, kTag, ADOLC::TapeDocFormat::latex, options);
  file.close();
  BOOST_REQUIRE(file.good());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(latex, CleanThread)

BOOST_AUTO_TEST_CASE(documents_compile_without_a_warning) {
  if (!available("pdflatex"))
    return;
  const TemporaryDirectory directory;
  recordForProgram(kTag);
  const double x = 0.5;
  double y = 0.0;
  tape_doc(kTag, 1, 1, &x, &y);
  compile("tape_171");
  write("title", {.last = 20, .title = everyCharacter()});
  compile("title");
  write("none", {.point = std::vector<double>{0.5}, .first = 5, .last = 4});
  compile("none");
}

BOOST_AUTO_TEST_SUITE_END()
