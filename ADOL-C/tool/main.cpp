// adolc: look at, evaluate and check a saved tape.
#include "command.h"
#include "progress.h"

#include <adolc/adolc.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace po = boost::program_options;

namespace tool {

const std::vector<Command> commands{
    {"stats", "what was recorded: counts, bytes, operations", false, describeStats, runStats},
    {"doc", "list the operations as text, Markdown, LaTeX or a graph", true, describeDoc, runDoc},
    {"eval", "values of the dependents", true, describeEvaluate, runEval},
    {"gradient", "gradient of the one dependent", true, describeEvaluate, runGradient},
    {"jacobian", "Jacobian, a line per dependent", true, describeEvaluate, runJacobian},
    {"hessian", "Hessian of the one dependent, or of a weighted sum", true, describeHessian,
     runHessian},
    {"taylor", "Taylor coefficients along a direction or a curve", true, describeTaylor, runTaylor},
    {"check", "integrity, and derivatives of all modes against each other and differences", true,
     describeCheck, runCheck},
    {"plot", "operations, live variables or non-zeros of the Jacobian as SVG or PNG", true,
     describePlot, runPlot},
    {"bench", "time of each sweep on this tape", true, describeBench, runBench},
};

OpenTape::OpenTape(const std::string &file) : id(ADOLC::openTape(file)) {
  const auto stats = tapestats(id);
  independents = stats[TapeInfos::NUM_INDEPENDENTS];
  dependents = stats[TapeInfos::NUM_DEPENDENTS];
  operations = stats[TapeInfos::NUM_OPERATIONS];
}
OpenTape::~OpenTape() { ADOLC::tryRemoveTape(id); }

std::string text(double number) {
  if (std::isnan(number))
    return "nan"; // whatever its sign
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

Json json(double number) {
  if (std::isfinite(number))
    return number;
  return text(number);
}
Json json(const double *numbers, std::size_t count) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(json(numbers[i]));
  return list;
}

void print(const Json &part, std::size_t indent) {
  const std::string lines = part.dump(2, ' ', false, Json::error_handler_t::replace);
  for (const char c : lines) {
    std::cout << c;
    if (c == '\n')
      std::cout << std::string(indent, ' ');
  }
}
void print(const Json &document) {
  print(document, 0);
  std::cout << '\n';
}

void Document::begin() {
  if (!std::exchange(begun_, true))
    std::cout << begin_;
}
void Document::add(const Json &item) {
  begin();
  std::cout << (std::exchange(empty_, false) ? "\n    " : ",\n    ");
  print(item, 4);
}
Document::~Document() {
  if (begun_)
    std::cout << (empty_ ? "]\n}" : "\n  ]\n}") << std::endl;
}

void flushOutput() {
  std::cout.flush();
  // Some is written with printf.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    throw std::runtime_error("the output cannot be written");
}

void printRow(const double *numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::cout << (i == 0 ? "" : ",") << text(numbers[i]);
  std::cout << '\n';
}

std::string remark(int code) {
  switch (code) {
  case 3:
    return {};
  case 2:
    return "on another piece than at recording";
  case 1:
    return "at a tie: one-sided derivatives";
  case 0:
    return "on the boundary of a comparison";
  default:
    return "outside of what was recorded";
  }
}

namespace {

Description commonOptions() {
  Description options("Options");
  options.add_options()                   //
      ("help,h", "this text")             //
      ("json", "machine-readable output") //
      ("no-progress", "no progress bar");
  return options;
}
Description pointOptions() {
  Description options("Where to evaluate");
  options.add_options() //
      ("point,x", po::value<std::vector<std::string>>()->composing(),
       "numbers separated by commas; may be given several times (--point=-1,2 begins with a "
       "minus)")("points,f", po::value<std::string>(),
                 "CSV file with one point per line, - for standard input");
  return options;
}

int printUsage(std::FILE *out) {
  std::fputs("usage: adolc <command> <tape file> [<option>...]\n\n", out);
  for (const Command &command : commands)
    std::fprintf(out, "  %-9s %s\n", command.name, command.summary);
  std::fputs("\nadolc <command> --help lists the options of a command. Exit status: 0 success,\n"
             "1 the tape cannot be evaluated there or a check failed, 2 wrong usage, 3 the file\n"
             "cannot be read or is not a sound tape.\n",
             out);
  return out == stdout ? success : wrongUsage;
}

/// What is written must not be a file that is read.
void refuseSameFile(const std::string &output, const std::string &input, const char *what) {
  std::error_code ignored;
  // Devices may be both.
  if (std::filesystem::is_regular_file(output, ignored) &&
      std::filesystem::equivalent(output, input, ignored))
    throw UsageError(output + " is the " + what + " file");
}
void refuseInputs(const Options &options) {
  const auto &output = options["output"].as<std::string>();
  refuseSameFile(output, options["tape"].as<std::string>(), "tape");
  if (options.count("points") != 0) {
    const auto &points = options["points"].as<std::string>();
    refuseSameFile(output, points == "-" ? "/dev/stdin" : points, "points");
  }
}

Points pointsOf(const Options &options, const OpenTape &tape) {
  std::vector<std::string> arguments;
  std::optional<std::string> file;
  if (options.count("point") != 0)
    arguments = options["point"].as<std::vector<std::string>>();
  if (options.count("points") != 0)
    file = options["points"].as<std::string>();
  return {tape.independents, arguments, file};
}

int run(const Command &command, int argc, char **argv) {
  Description visible = commonOptions();
  if (command.takesPoints)
    visible.add(pointOptions());
  Description own(std::string("Options of ") + command.name);
  command.describe(own);
  if (!own.options().empty())
    visible.add(own);
  Description all;
  all.add(visible).add_options()("tape", po::value<std::string>());
  po::positional_options_description positional;
  positional.add("tape", 1);
  Options options;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(),
              options);
    po::notify(options);
  } catch (const po::error &error) {
    throw UsageError(error.what());
  }
  if (options.count("help") != 0) {
    std::cout << "usage: adolc " << command.name << " <tape file> [<option>...]\n"
              << command.summary << "\n\n"
              << visible;
    return success;
  }
  if (options.count("tape") == 0)
    throw UsageError("a tape file is missing");

  std::unique_ptr<OpenTape> tape;
  try {
    tape = std::make_unique<OpenTape>(options["tape"].as<std::string>());
  } catch (const ADOLCError::ADOLCError &error) {
    std::cerr << "adolc: " << error.what() << '\n';
    return noTape;
  }
  Points points = pointsOf(options, *tape);
  if (options.count("output") != 0)
    refuseInputs(options);
  std::unique_ptr<ProgressBar> progress;
  if (options.count("no-progress") == 0)
    progress = std::make_unique<ProgressBar>();
  ADOLC::setDiagnosticsHook([](std::string_view message) {
    clearProgress();
    std::cerr << message << '\n';
  });
  return command.run(*tape, points, options);
}

/// The command that the arguments name.
int runNamed(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help")
    return printUsage(stdout);
  if (name == "--version") {
    std::puts("adolc " ADOLC_TOOL_VERSION);
    return success;
  }
  for (const Command &command : commands)
    if (name == command.name)
      return run(command, argc - 1, argv + 1);
  if (!name.empty())
    std::fprintf(stderr, "adolc: unknown command: %s\n\n", name.c_str());
  return printUsage(stderr);
}

} // namespace
} // namespace tool

int main(int argc, char **argv) {
  using namespace tool;
  const std::string name = argc > 1 ? std::string("adolc ") + argv[1] : "adolc";
  try {
    const int code = runNamed(argc, argv);
    flushOutput();
    return code;
  } catch (const UsageError &error) {
    std::fprintf(stderr, "%s: %s\nTry %s --help.\n", name.c_str(), error.what(), name.c_str());
    return wrongUsage;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "%s: not enough memory for results of this size\n", name.c_str());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
  }
  return failure;
}
