// SPDX-License-Identifier: MIT
// The command-line tool, run as a program on tapes that this test saves.
#include "support/expect.h"

#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace test;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

struct Outcome {
  int status = -1;
  std::string out, error;
};

/// Two tapes in a directory of the test: f(x, y) = x² y + sin y, and F = (x y, |x|, x / y) of a
/// recorded comparison x < 5.
class Tool : public CleanThread {
public:
  Tool() {
    std::string name = (fs::temp_directory_path() / "tool-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    directory = name;
    record(
        2, [](auto &x) { return std::vector<adouble>{x[0] * x[0] * x[1] + sin(x[1])}; }, scalar);
    record(
        2,
        [](auto &x) {
          if (x[0] < 5.0)
            return std::vector<adouble>{x[0] * x[1], fabs(x[0]), x[0] / x[1]};
          return std::vector<adouble>{x[1]};
        },
        vector);
  }
  ~Tool() { fs::remove_all(directory); }

  template <class F> void record(int n, F &&f, const std::string &name) const {
    trace_on(75);
    {
      std::vector<adouble> x(static_cast<std::size_t>(n));
      for (adouble &xi : x)
        xi <<= 1.5;
      double y = 0.0;
      for (adouble &yi : f(x))
        yi >>= y;
    }
    trace_off();
    ADOLC::saveTape(75, directory / name);
    ADOLC::removeTape(75);
  }
  Outcome run(const std::string &arguments, const std::string &input = {}) const {
    std::ofstream(directory / "in") << input;
    const std::string command =
        "cd " + directory.string() + " && " ADOLC_TOOL " " + arguments + " <in >out 2>error";
    const int status = std::system(command.c_str());
    BOOST_REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), content("out"), content("error")};
  }
  std::string content(const std::string &name) const {
    std::ifstream in(directory / name);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(directory / name) << text;
  }

  fs::path directory;
  const std::string scalar = "scalar.tape", vector = "vector.tape";
};

std::vector<std::vector<double>> numbers(const std::string &text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');)
      rows.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return rows;
}
using Rows = std::vector<std::vector<double>>;

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// The tool while it runs: what it is sent, and what it answers to that.
class Conversation {
public:
  Conversation(const Tool &tool, const std::string &arguments) {
    const std::string name = (tool.directory / "to-the-tool").string();
    fs::remove(name);
    BOOST_REQUIRE(mkfifo(name.c_str(), 0600) == 0);
    const std::string command =
        "cd " + tool.directory.string() + " && exec " ADOLC_TOOL " " + arguments + " <to-the-tool";
    from_ = popen(command.c_str(), "r");
    BOOST_REQUIRE(from_ != nullptr);
    to_ = open(name.c_str(), O_WRONLY | O_CLOEXEC);
    BOOST_REQUIRE(to_ >= 0);
  }
  Conversation(const Conversation &) = delete;
  Conversation &operator=(const Conversation &) = delete;
  ~Conversation() {
    close(to_);
    while (std::fgetc(from_) != EOF) // what it says at the end
      continue;
    BOOST_TEST(pclose(from_) == 0);
  }

  /// Sends a text, and waits for an answer that ends like this, but not for long.
  std::string answer(const std::string &text, const std::string &end) const {
    BOOST_TEST(write(to_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    std::string all;
    pollfd ready{fileno(from_), POLLIN, 0};
    while (!all.ends_with(end) && poll(&ready, 1, 60000) == 1) {
      char part[4096];
      const ssize_t count = read(fileno(from_), part, sizeof part);
      if (count <= 0)
        break;
      all.append(part, static_cast<std::size_t>(count));
    }
    return all;
  }

private:
  std::FILE *from_;
  int to_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tool, Tool)

BOOST_AUTO_TEST_CASE(values_gradients_and_jacobians) {
  const double y = 2.0, value = 9.0 * y + std::sin(y);
  Outcome result = run("eval scalar.tape -x 3,2");
  BOOST_TEST(result.status == 0);
  BOOST_TEST((numbers(result.out) == Rows{{value}}));
  BOOST_TEST(result.error.empty());
  result = run("gradient scalar.tape -x 3,2 --point=-1,2");
  BOOST_TEST(result.status == 0);
  BOOST_TEST((numbers(result.out) == Rows{{12.0, 9.0 + std::cos(y)}, {-4.0, 1.0 + std::cos(y)}}));
  result = run("jacobian vector.tape -x '3 2'");
  BOOST_TEST(result.status == 0);
  BOOST_TEST((numbers(result.out) == Rows{{2.0, 3.0}, {1.0, 0.0}, {0.5, -0.75}}));
  const Json json = Json::parse(run("jacobian vector.tape -x 3,2 --json").out);
  BOOST_TEST(json["results"][0]["jacobian"][2][1] == -0.75);
  BOOST_TEST(json["results"][0]["code"] == 3);
}

BOOST_AUTO_TEST_CASE(hessians) {
  const double y = 2.0;
  const Outcome result = run("hessian scalar.tape -x 3,2 -x 1,2");
  BOOST_TEST(result.status == 0, result.error);
  BOOST_TEST((numbers(result.out) ==
              Rows{{2.0 * y, 6.0}, {6.0, -std::sin(y)}, {}, {2.0 * y, 2.0}, {2.0, -std::sin(y)}}));
  BOOST_TEST(run("hessian scalar.tape -x 3,2 --weights 1").out ==
             run("hessian scalar.tape -x 3,2").out);
  // x y and x / y.
  BOOST_TEST(
      (numbers(run("hessian vector.tape -x 3,2 -w 1,7,0").out) == Rows{{0.0, 1.0}, {1.0, 0.0}}));
  BOOST_TEST(
      (numbers(run("hessian vector.tape -x 3,2 -w 0,0,8").out) == Rows{{0.0, -2.0}, {-2.0, 6.0}}));
  const Json json = Json::parse(run("hessian scalar.tape -x 3,2 --json").out);
  BOOST_TEST(json["results"][0]["hessian"][1][0] == 6.0);
  BOOST_TEST(json["results"][0]["code"] == 3);
  Outcome wrong = run("hessian vector.tape -x 3,2");
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(contains(wrong.error, "--weights"));
  wrong = run("hessian vector.tape -x 3,2 -w 1,2");
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(contains(wrong.error, "--weights: 2 numbers, the tape has 3 dependents"));
  const Outcome outside = run("hessian vector.tape -x 7,2 -w 1,1,1");
  BOOST_TEST(outside.status == 1);
  BOOST_TEST(std::isnan(numbers(outside.out).at(1).at(0)));
}

BOOST_AUTO_TEST_CASE(taylor_coefficients) {
  // (3+t) 2, |3+t|, (3+t) / 2
  BOOST_TEST((numbers(run("taylor vector.tape -x 3,2 -v 1,0").out) ==
              Rows{{6.0, 2.0}, {3.0, 1.0}, {1.5, 0.5}}));
  // x = 3 + t, y = 2 + 2t: 6 + 8t + 2t^2; and 3/2 (1 + t/3) (1 - t + t^2 - t^3)
  const Outcome result = run("taylor vector.tape -x 3,2 -v 1,2 -d 3");
  BOOST_TEST(result.status == 0, result.error);
  BOOST_TEST((numbers(result.out) ==
              Rows{{6.0, 8.0, 2.0, 0.0}, {3.0, 1.0, 0.0, 0.0}, {1.5, -1.0, 1.0, -1.0}}));
  // A curve: x = 3 + t, y = 2 + t^2.
  BOOST_TEST((numbers(run("taylor vector.tape -x 3,2 -v 1,0 -v 0,1").out) ==
              Rows{{6.0, 2.0, 3.0}, {3.0, 1.0, 0.0}, {1.5, 0.5, -0.75}}));
  BOOST_TEST(
      (numbers(run("taylor vector.tape -x 3,2 -x 2,2 --direction=-1,0").out) ==
       Rows{{6.0, -2.0}, {3.0, -1.0}, {1.5, -0.5}, {}, {4.0, -2.0}, {2.0, -1.0}, {1.0, -0.5}}));
  const Json json = Json::parse(run("taylor vector.tape -x 3,2 -v 1,2 -d 2 --json").out);
  BOOST_TEST(json["results"][0]["coefficients"][0][2] == 2.0);
  BOOST_TEST(json["results"][0]["code"] == 3);
  for (const auto &[arguments, complaint] :
       {std::pair("", "--direction"), std::pair("-v 1", "--direction: 1 numbers"),
        std::pair("-v 1,x", "--direction, column 3"), std::pair("-v 1,0 -d 0", "less than the 1"),
        std::pair("-v 1,0 -d -1", "--degree"), std::pair("-v 1,0 -d 99999999999", "too high")}) {
    const Outcome wrong = run(std::string("taylor vector.tape -x 3,2 ") + arguments);
    BOOST_TEST(wrong.status == 2, arguments);
    BOOST_TEST(wrong.out.empty());
    BOOST_TEST(contains(wrong.error, complaint), wrong.error);
  }
  const Outcome outside = run("taylor vector.tape -x 7,2 -v 1,0");
  BOOST_TEST(outside.status == 1);
  BOOST_TEST((numbers(outside.out).size() == 3u && std::isnan(numbers(outside.out)[2][1])));
}

BOOST_AUTO_TEST_CASE(points_from_files_and_standard_input) {
  const std::string csv = "\xef\xbb\xbf# points\n\nx,y\n# a comment\n1,2\n\n 3 ; 4\r\n5\t6e0\n";
  const Rows expected{{2.0 + std::sin(2.0)}, {36.0 + std::sin(4.0)}, {150.0 + std::sin(6.0)}};
  write("points.csv", csv);
  BOOST_TEST((numbers(run("eval scalar.tape --points points.csv").out) == expected));
  BOOST_TEST((numbers(run("eval scalar.tape -f -", csv).out) == expected));
  for (const auto &[input, complaint] :
       {std::pair("1,2\n3,x\n", "line 2, column 3: \"x\" is not a number"),
        std::pair("1,2,3\n", "3 numbers, the tape has 2"), std::pair("1\n", "1 numbers"),
        std::pair("1,2e\n", "\"2e\""), std::pair("1,1e999\n", "out of the range"),
        std::pair("1,,2\n", "a number is missing"), std::pair("1,2,\n", "missing at the end"),
        std::pair(",1,2\n", "a number is missing"), std::pair("$1,$2\n", "\"$1\"")}) {
    const Outcome result = run("eval scalar.tape -f -", input);
    BOOST_TEST(result.status == 2);
    // What came before the wrong line has its result.
    BOOST_TEST(numbers(result.out).size() == (std::string(input).starts_with("1,2\n") ? 1u : 0u));
    BOOST_TEST(contains(result.error, complaint), result.error);
  }
  const Outcome broken = run("eval scalar.tape -f - --json", "1,2\n3,x\n");
  BOOST_TEST(broken.status == 2);
  BOOST_TEST(Json::parse(broken.out)["results"].size() == 1u);
  BOOST_TEST(
      Json::parse(run("eval scalar.tape -x 1,2 -f - --json", "3,4\n5,6\n").out)["results"].size() ==
      3u);
  for (const char *option : {"", " --json"}) { // no points
    const Outcome none = run(std::string("eval scalar.tape -f -") + option, "x,y\n");
    BOOST_TEST(none.status == 2);
    BOOST_TEST(none.out.empty());
  }
}

// Each result is there before the next point is sent.
BOOST_AUTO_TEST_CASE(points_one_by_one) {
  const Conversation eval(*this, "eval scalar.tape -f - ");
  BOOST_TEST(contains(eval.answer("x,y\n1,2\n", "\n"), "2.909"));
  BOOST_TEST(contains(eval.answer("# more\n3,4\n", "\n"), "35.24"));
  const Conversation gradient(*this, "gradient scalar.tape -x 3,2 -f -");
  BOOST_TEST(contains(gradient.answer("", "\n"), "12,"));
  BOOST_TEST(contains(gradient.answer("-1,2\n", "\n"), "-4,"));
  const Conversation jacobian(*this, "jacobian vector.tape --points /dev/stdin");
  BOOST_TEST(contains(jacobian.answer("3,2\n", "-0.75\n"), "2,3\n1,0\n"));
  const Conversation document(*this, "eval scalar.tape -f - --json");
  BOOST_TEST(contains(document.answer("1,2\n", "}"), "2.909"));
  BOOST_TEST(contains(document.answer("3,4\n", "}"), "35.24"));
  const Conversation check(*this, "check scalar.tape -f -");
  BOOST_TEST(contains(check.answer("1,2\n", ": ok\n"), "derivatives"));
  BOOST_TEST(contains(check.answer("3,4\n", ": ok\n"), "derivatives"));
  const Conversation checkDocument(*this, "check scalar.tape -f - --json");
  BOOST_TEST(contains(checkDocument.answer("1,2\n", "\n    }"), "\"agrees\": true"));
  BOOST_TEST(contains(checkDocument.answer("3,4\n", "\n    }"), "\"agrees\": true"));
}

// What is no name of a column must not be passed over: all results would be those of other lines.
BOOST_AUTO_TEST_CASE(lines_of_column_names) {
  const std::string point = "1,2\n";
  const Rows expected{{2.0 + std::sin(2.0)}};
  for (const std::string header : {"x,y", "x1 x_2", "_a;_b", "\"a 1\",\"b\"", "\"a, 1\";\" b \"",
                                   "\"a \"\"1\"\"\",b", "\xc3\xa4,\xce\xb1", "\xe4,\xf6",
                                   "\xce\xb1"
                                   "1\t\"\xce\xb2 2\"",
                                   "Na,Cl", ",x,y"}) {
    const Outcome result = run("eval scalar.tape -f -", header + '\n' + point);
    BOOST_TEST(result.status == 0, header << ": " << result.error);
    BOOST_TEST((numbers(result.out) == expected), header);
  }
  for (const std::string line :
       {"NA,NA", "x,NA", "n/a null", "None;None", "missing,missing", "true,false", "\"1\",\"2\"",
        "\"1,5\",\"2,5\"", "\"NA\",\"NA\"", "\"nan\",x", "\"\",\"\"", "\"x,y", "\"x\"1,y",
        "\xe2\x88\x92"
        "1,x",
        "\xef\xbc\x91,\xef\xbc\x92", "\xe2\x88\x9e,x", "x,-"}) {
    const Outcome result = run("eval scalar.tape -f -", line + '\n' + point);
    BOOST_TEST(result.status == 2, line);
    BOOST_TEST(result.out.empty(), line);
    BOOST_TEST(contains(result.error, "standard input, line 1, column "), result.error);
  }
}

BOOST_AUTO_TEST_CASE(numbers_and_lines_at_the_edge) {
  // Too small for a double is zero, or nearly so.
  BOOST_TEST((numbers(run("eval scalar.tape --point=1e-400,2 -x 1,-1e-400 -x 1e-320,2").out) ==
              Rows{{std::sin(2.0)}, {0.0}, {std::sin(2.0)}}));
  BOOST_TEST(run("eval scalar.tape --point=-1e400,2").status == 2);
  write("points.csv", "# one\n  # two\n\t#three,3\n1,2\n 1,2,3\n");
  const Outcome result = run("eval scalar.tape -f points.csv");
  BOOST_TEST(numbers(result.out).size() == 1u);
  BOOST_TEST(contains(result.error, "points.csv, line 5: 3 numbers, the tape has 2"), result.error);
  const std::string many(100000, 'x'), umlauts = [] {
    std::string text = "1";
    while (text.size() < 1000)
      text += "\xc3\xa4";
    return text;
  }();
  for (const std::string &word : {many, umlauts, "1e" + std::string(1000, '9')}) {
    const Outcome wrong = run("eval scalar.tape -f -", "1," + word + '\n');
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST((contains(wrong.error, word.substr(0, 39)) && contains(wrong.error, "...")),
               wrong.error);
    BOOST_TEST(wrong.error.size() < 200u);
  }
}

// The results of a check are written as those of the other commands.
BOOST_AUTO_TEST_CASE(checks_up_to_a_wrong_line) {
  for (const auto &[lines, count] :
       {std::pair("1,2\n3,x\n", 1u), std::pair("1,2\n3,4\n5\n", 2u), std::pair("1;2;x\n", 0u)}) {
    const Outcome broken = run("check scalar.tape -f - --json", lines);
    BOOST_TEST(broken.status == 2);
    const Json json = Json::parse(broken.out);
    BOOST_TEST(json["integrity"] == true);
    BOOST_TEST(json["points"].size() == count);
  }
  const Outcome none = run("check scalar.tape --json");
  BOOST_TEST(none.status == 0);
  BOOST_TEST(Json::parse(none.out)["points"].empty());
}

BOOST_AUTO_TEST_CASE(tapes_without_independents) {
  record(
      0,
      [](auto &) {
        return std::vector<adouble>{2.0, 3.0};
      },
      "constant.tape");
  record(
      0, [](auto &) { return std::vector<adouble>{adouble(2.0)}; }, "one.tape");
  for (const char *point : {"", " -x ''"}) {
    const auto with = [&](const char *arguments) { return run(arguments + std::string(point)); };
    BOOST_TEST((numbers(with("eval constant.tape").out) == Rows{{2.0, 3.0}}));
    for (const char *arguments :
         {"eval constant.tape", "jacobian constant.tape", "gradient one.tape", "hessian one.tape",
          "hessian constant.tape -w 1,1", "taylor constant.tape -d 2", "check constant.tape",
          "doc constant.tape", "plot constant.tape --what jacobian",
          "bench constant.tape --repeat 1"})
      BOOST_TEST(with(arguments).status == 0, arguments << with(arguments).error);
  }
  BOOST_TEST(contains(run("check constant.tape").out, "derivatives: modes"));
  BOOST_TEST(numbers(run("eval constant.tape -f -").out).size() == 1u);
  BOOST_TEST(run("eval constant.tape -x 1").status == 2);
}

BOOST_AUTO_TEST_CASE(points_that_take_another_branch) {
  const Outcome result = run("eval vector.tape -x 7,2 -x 3,2");
  BOOST_TEST(result.status == 1);
  const auto rows = numbers(result.out);
  BOOST_REQUIRE(rows.size() == 2u);
  BOOST_TEST(std::isnan(rows[0][0]));
  BOOST_TEST(rows[1][0] == 6.0);
  BOOST_TEST(contains(result.error, "another outcome"));
  const Json json = Json::parse(run("eval vector.tape -x 7,2 --json").out);
  BOOST_TEST(json["results"][0]["code"] == -1);
  BOOST_TEST(json["results"][0]["y"][0] == "nan");
}

BOOST_AUTO_TEST_CASE(statistics) {
  const Outcome result = run("stats scalar.tape");
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.out, "sin_op"));
  const Json json = Json::parse(run("stats scalar.tape --json").out);
  BOOST_TEST(json["independents"] == 2);
  BOOST_TEST(json["dependents"] == 1);
  BOOST_TEST(json["histogram"]["sin_op"] == 1);
  std::size_t total = 0;
  for (const auto &[name, count] : json["histogram"].items())
    total += count.get<std::size_t>();
  BOOST_TEST(json["operations"] == total);
}

BOOST_AUTO_TEST_CASE(listings) {
  BOOST_TEST(contains(run("doc scalar.tape").out, "sin"));
  BOOST_TEST(contains(run("doc scalar.tape --format latex").out, "\\begin{longtable}"));
  BOOST_TEST(contains(run("doc scalar.tape --format graphviz -x 1,2").out, "digraph"));
  BOOST_TEST(run("doc scalar.tape --format markdown -o list.md").status == 0);
  BOOST_TEST(contains(content("list.md"), "|"));
  const std::string all = run("doc scalar.tape").out, some = run("doc scalar.tape --range 2-3").out;
  BOOST_TEST(some.size() < all.size());
  BOOST_TEST(run("doc scalar.tape --range 2-x").status == 2);
  BOOST_TEST(run("doc scalar.tape --format word").status == 2);
  BOOST_TEST(run("doc scalar.tape -o missing/list").status == 1);
}

BOOST_AUTO_TEST_CASE(checks_of_derivatives) {
  Outcome result = run("check vector.tape -x 3,2");
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.out, "integrity: ok"));
  BOOST_TEST(contains(result.out, ": ok"));
  result = run("check vector.tape");
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.out, "not checked"));
  // On the kink the modes differ on purpose: one-sided forward, symmetric in reverse.
  result = run("check vector.tape -x 0,2");
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.out, "at a tie"));
  // Where rounding and the size of the variable matter, and where there is nothing to compare.
  BOOST_TEST(run("check scalar.tape -x 1e5,1e5 -x 0,0 -x 1e-9,1e9").status == 0);
  for (const char *point : {"1e-7,1e-7", "0,0.1", "4.9999999,1", "1,0"})
    BOOST_TEST(run(std::string("check vector.tape -x ") + point).status == 0, point);
  for (const char *point : {"nan,1", "7,1"})
    BOOST_TEST(run(std::string("check vector.tape -x ") + point).status == 1, point);
  const Json outside = Json::parse(run("check vector.tape -x 7,1 --json").out);
  BOOST_TEST(outside["points"][0]["agrees"] == false);
  BOOST_TEST(outside["points"][0]["worst"].empty());
  const Json json = Json::parse(run("check scalar.tape -x 3,2 --json").out);
  BOOST_TEST(json["points"][0]["agrees"] == true);
  BOOST_TEST(json["points"][0]["differences"].get<double>() < 1e-6);
  BOOST_TEST(json["points"][0]["worst"].size() == 2u);
  BOOST_TEST(json["points"][0]["worst"][0]["uncertainty"].get<double>() < 1e-6);
}

BOOST_AUTO_TEST_CASE(pictures) {
  for (const char *what : {"operations", "live", "jacobian"}) {
    const Outcome result =
        run(std::string("plot vector.tape --what ") + what + " -x 3,2 --title 'a < b & c'");
    BOOST_TEST(result.status == 0, result.error);
    BOOST_TEST(contains(result.out, "<svg"));
    BOOST_TEST(contains(result.out, "</svg>"));
    BOOST_TEST(contains(result.out, "a &lt; b &amp; c"));
  }
  BOOST_TEST(contains(run("plot vector.tape --what jacobian -x 3,2").out, "5 of 3 x 2 entries"));
  BOOST_TEST(run("plot vector.tape --what jacobian").status == 2);
  BOOST_TEST(run("plot vector.tape --what nothing").status == 2);
  BOOST_TEST(run("plot vector.tape -o picture.gif").status == 2);
  // Not over the tape that is read.
  const std::string before = content(vector);
  BOOST_TEST(run("doc vector.tape -o ./vector.tape").status == 2);
  BOOST_TEST(content(vector) == before);
  // Nor over the points.
  write("points.csv", "3,2\n");
  fs::create_hard_link(directory / "points.csv", directory / "points.svg");
  for (const char *arguments : {"doc vector.tape -f points.csv -o points.csv",
                                "doc vector.tape -f points.csv -o ./points.csv",
                                "plot vector.tape -f points.csv --what jacobian -o points.svg"}) {
    const Outcome result = run(arguments);
    BOOST_TEST(result.status == 2, arguments);
    BOOST_TEST(contains(result.error, "is the points file"), result.error);
    BOOST_TEST(content("points.csv") == "3,2\n");
  }
  BOOST_TEST(run("doc vector.tape -f - -o in", "3,2\n").status == 2); // its standard input
  BOOST_TEST(content("in") == "3,2\n");
  BOOST_TEST(run("doc vector.tape -x 3,2 -o points.csv").status == 0);
  BOOST_TEST(run("plot vector.tape -o picture.svg").status == 0);
  BOOST_TEST(contains(content("picture.svg"), "</svg>"));
  const Outcome png = run("plot vector.tape -o picture.png");
  if (png.status == 0)
    BOOST_TEST(content("picture.png").substr(1, 3) == "PNG");
  else
    BOOST_TEST(contains(png.error, "PNG needs"));
}

// A name may be any bytes, a picture and a document are UTF-8 without control characters.
BOOST_AUTO_TEST_CASE(titles_that_are_no_text) {
  const std::string cross = "\xef\xbf\xbd";
  const std::pair<std::string, std::string> titles[] = {
      {"h\xc3\xa9 \xf0\x9f\x98\x80", "h\xc3\xa9 \xf0\x9f\x98\x80"}, // right as it is
      {"caf\xe9", "caf" + cross},
      {"\xe2\x82", cross + cross},                         // not all of it
      {"\xc0\xaf", cross + cross},                         // longer than needed
      {"\xe0\x80\xaf", cross + cross + cross},             //
      {"\xed\xa0\x80", cross + cross + cross},             // a half of a pair
      {"\xf4\x90\x80\x80", cross + cross + cross + cross}, // beyond the last
      {"\xff\xfe", cross + cross},
      {"\xef\xbf\xbe|", cross + "|"}, // U+FFFE
      {"a\x01\x1b[1m\tb\x7f\xc2\x85|", "a  [1m b  |"}};
  for (const auto &[title, shown] : titles) {
    fs::copy_file(directory / vector, directory / title);
    for (const std::string &result :
         {run("plot vector.tape --title '" + title + "'").out, run("plot '" + title + "'").out})
      BOOST_TEST(contains(result, "<title>" + shown + "</title>"), result.substr(0, 300));
    for (const char *format : {"text", "markdown", "graphviz"}) {
      const Outcome listing = run("doc '" + title + "' --format " + format);
      BOOST_TEST(listing.status == 0);
      BOOST_TEST(listing.out ==
                 run("doc vector.tape --title '" + shown + "' --format " + format).out);
    }
    for (const char *command : {"stats", "check", "eval -x 3,2", "bench --repeat 1 -x 3,2"})
      BOOST_TEST(Json::accept(run(command + (" --json '" + title + "'")).out));
    fs::remove(directory / title);
  }
}

BOOST_AUTO_TEST_CASE(times) {
  const Json json = Json::parse(run("bench scalar.tape -x 3,2 --repeat 1 --json").out);
  BOOST_TEST(json["sweeps"].size() == 6u);
  for (const Json &sweep : json["sweeps"])
    BOOST_TEST(sweep["seconds"].get<double>() > 0.0);
  BOOST_TEST(contains(run("bench scalar.tape -x 3,2 --repeat 1").out, "fov_reverse"));
  BOOST_TEST(run("bench scalar.tape").status == 2);
  // Where there is nothing to measure.
  const Outcome outside = run("bench vector.tape -x 7,2 --json");
  BOOST_TEST(outside.status == 1);
  const Json none = Json::parse(outside.out);
  BOOST_TEST(none["code"] == -1);
  BOOST_TEST(none["sweeps"].empty());
  BOOST_TEST(contains(outside.error, "outside"));
}

BOOST_AUTO_TEST_CASE(files_that_are_no_tapes) {
  write("other", "not a tape");
  std::string damaged = content(scalar);
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  write("damaged", damaged);
  for (const char *name : {"missing", "other", "damaged", "."}) {
    const Outcome result = run(std::string("check ") + name);
    BOOST_TEST(result.status == 3);
    BOOST_TEST(result.out.empty());
    BOOST_TEST(contains(result.error, "adolc: "));
  }
}

BOOST_AUTO_TEST_CASE(usage) {
  BOOST_TEST(run("--help").status == 0);
  BOOST_TEST(contains(run("--help").out, "jacobian"));
  BOOST_TEST(run("--version").status == 0);
  for (const char *command : {"stats", "doc", "eval", "gradient", "jacobian", "hessian", "taylor",
                              "check", "plot", "bench"}) {
    const Outcome result = run(std::string(command) + " --help");
    BOOST_TEST(result.status == 0);
    BOOST_TEST(contains(result.out, std::string("usage: adolc ") + command));
  }
  for (const char *wrong :
       {"", "fly scalar.tape", "eval", "eval scalar.tape", "eval scalar.tape -x",
        "eval scalar.tape -x 1,2 --fast", "eval scalar.tape vector.tape -x 1,2",
        "gradient vector.tape -x 1,2", "eval scalar.tape -f missing.csv", "plot scalar.tape --json",
        "check scalar.tape --most x", "check scalar.tape --worst -1", "check scalar.tape --most=-1",
        "check scalar.tape --worst -99999999999999999999", "check scalar.tape --modes-tolerance=-1",
        "check scalar.tape --differences-tolerance nan", "bench scalar.tape -x 1,2 --repeat -1",
        "doc scalar.tape --range -1"}) {
    const Outcome result = run(wrong);
    BOOST_TEST(result.status == 2, "adolc " << wrong << " ended with " << result.status);
    BOOST_TEST(result.out.empty());
    BOOST_TEST(!result.error.empty());
  }
}

BOOST_AUTO_TEST_CASE(output_that_cannot_be_written) {
  if (!fs::exists("/dev/full"))
    return;
  for (const std::string arguments :
       {"--help", "--version", "stats --help", "stats scalar.tape", "stats scalar.tape --json",
        "doc scalar.tape", "doc scalar.tape -o /dev/full", "eval scalar.tape -x 3,2",
        "eval scalar.tape -x 3,2 --json", "jacobian vector.tape -x 3,2", "check scalar.tape -x 3,2",
        "hessian scalar.tape -x 3,2", "taylor scalar.tape -x 3,2 -v 1,0",
        "check scalar.tape --json", "plot scalar.tape", "bench scalar.tape -x 3,2 --repeat 1",
        "bench scalar.tape -x 3,2 --repeat 1 --json", "bench vector.tape -x 7,2 --json"}) {
    const int status = std::system(
        ("cd " + directory.string() + " && " ADOLC_TOOL " " + arguments + " >/dev/full 2>error")
            .c_str());
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 1), arguments);
    BOOST_TEST(contains(content("error"), "be written"), arguments << content("error"));
  }
  // It ends although its input does not.
  for (const char *command : {"eval scalar.tape -f -", "check scalar.tape -f -",
                              "eval scalar.tape -f - --json", "check scalar.tape -f - --json"}) {
    const int endless =
        std::system(("cd " + directory.string() + " && yes 3,2 | timeout 60 " ADOLC_TOOL " " +
                     command + " >/dev/full 2>error")
                        .c_str());
    BOOST_TEST(WEXITSTATUS(endless) == 1, command);
  }
}

BOOST_AUTO_TEST_SUITE_END()
