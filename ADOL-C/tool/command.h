// What the commands of the tool have in common: options, results, errors.
#pragma once

#include "points.h"

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tool {

using Json = nlohmann::ordered_json;

// Exit codes. They are part of the interface: see adolc.1.
enum ExitCode { success = 0, failure = 1, wrongUsage = 2, noTape = 3 };

/// The user's mistake: printed with a hint at --help, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A tape from a file, removed at the end.
class OpenTape {
public:
  explicit OpenTape(const std::string &file);
  OpenTape(const OpenTape &) = delete;
  OpenTape &operator=(const OpenTape &) = delete;
  ~OpenTape();

  short id = -1;
  std::size_t independents = 0, dependents = 0, operations = 0;
  int n() const { return static_cast<int>(independents); }
  int m() const { return static_cast<int>(dependents); }
};

/// Rows that the sweeps take and fill.
class Matrix {
public:
  Matrix(std::size_t rows, std::size_t columns) : numbers_(rows * columns), columns_(columns) {
    for (std::size_t i = 0; i < rows; ++i)
      rows_.push_back(numbers_.data() + i * columns);
  }
  double *operator[](std::size_t i) { return rows_[i]; }
  const double *operator[](std::size_t i) const { return rows_[i]; }
  double **rows() { return rows_.data(); }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return rows_.size(); }

private:
  std::vector<double> numbers_;
  std::vector<double *> rows_;
  std::size_t columns_;
};

using Options = boost::program_options::variables_map;
using Description = boost::program_options::options_description;

struct Command {
  const char *name, *summary;
  bool takesPoints;
  void (*describe)(Description &options);
  int (*run)(OpenTape &tape, Points &points, const Options &options);
};
extern const std::vector<Command> commands;

/// 17 digits, so that reading gives the same number; "nan", "inf", "-inf".
std::string text(double number);
/// Infinities and NaN, which JSON lacks, become strings.
Json json(double number);
Json json(const double *numbers, std::size_t count);
/// On standard output. What is not UTF-8 in strings, such as names of files, is replaced.
void print(const Json &document);
/// The same without a line's end, with so many blanks before all lines but the first.
void print(const Json &part, std::size_t indent);
/// One JSON document with a list, whose items are written as soon as they are known.
class Document {
public:
  /// `begin` is all that stands before the first item.
  explicit Document(std::string begin) : begin_(std::move(begin)) {}
  Document(const Document &) = delete;
  Document &operator=(const Document &) = delete;
  /// Also if a point could not be read: what there is of the document is one.
  ~Document();
  /// Done by the first item. Without it and without items nothing is written.
  void begin();
  void add(const Json &item);

private:
  std::string begin_;
  bool begun_ = false, empty_ = true;
};
/// Numbers separated by commas, and a line's end.
void printRow(const double *numbers, std::size_t count);

/// The value of an option that is not negative; what is, is wrong usage.
template <class T> auto *notNegative(const char *name, std::optional<T> otherwise) {
  auto *const option = boost::program_options::value<T>()->notifier([name](const T &value) {
    if (!(value >= T{}))
      throw UsageError(std::string("--") + name + ": expected a number from 0 on, came " +
                       std::to_string(value));
  });
  return otherwise ? option->default_value(*otherwise) : option;
}
template <class T> auto *notNegative(const char *name, T otherwise) {
  return notNegative(name, std::optional(otherwise));
}
/// One that counts something. Signed, because the reader of an unsigned one takes -1 for the most.
inline auto *countOption(const char *name, std::optional<long long> otherwise) {
  return notNegative(name, otherwise);
}

/// Sends what was printed on its way. Throws if it cannot be written: nobody has to wait for more.
void flushOutput();

/// The code of a sweep in words, or empty for 3: the values may be used, but ...
std::string remark(int code);

// The commands, see the files of these names.
void describeStats(Description &options);
int runStats(OpenTape &, Points &, const Options &);
void describeDoc(Description &options);
int runDoc(OpenTape &, Points &, const Options &);
void describeEvaluate(Description &options);
int runEval(OpenTape &, Points &, const Options &);
int runGradient(OpenTape &, Points &, const Options &);
int runJacobian(OpenTape &, Points &, const Options &);
void describeHessian(Description &options);
int runHessian(OpenTape &, Points &, const Options &);
void describeTaylor(Description &options);
int runTaylor(OpenTape &, Points &, const Options &);
void describeCheck(Description &options);
int runCheck(OpenTape &, Points &, const Options &);
void describePlot(Description &options);
int runPlot(OpenTape &, Points &, const Options &);
void describeBench(Description &options);
int runBench(OpenTape &, Points &, const Options &);

} // namespace tool
