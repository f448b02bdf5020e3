// Values, gradients and Jacobians at points.
#include "command.h"
#include "progress.h"

#include <adolc/adolc.h>

#include <iostream>

namespace tool {
namespace {

/// Prints the results of each point at once: rows, or one JSON document.
class Results {
public:
  explicit Results(const Options &options) : asJson_(options.count("json") != 0) {}

  /// The result is one row, or several.
  void add(const Point &x, int code, const char *name, const Matrix &rows, bool severalRows) {
    clearProgress();
    worst_ = std::min(worst_, code);
    ++count_;
    if (asJson_)
      addJson(x, code, name, rows, severalRows);
    else
      addRows(code, rows, severalRows);
    flushOutput();
  }
  int code() const { return worst_ < 0 ? failure : success; }

private:
  void addJson(const Point &x, int code, const char *name, const Matrix &rows, bool severalRows) {
    Json result;
    result["x"] = json(x.data(), x.size());
    result["code"] = code;
    if (severalRows) {
      result[name] = Json::array();
      for (std::size_t i = 0; i < rows.size(); ++i)
        result[name].push_back(json(rows[i], rows.columns()));
    } else {
      result[name] = json(rows[0], rows.columns());
    }
    document_.add(result);
  }
  void addRows(int code, const Matrix &rows, bool severalRows) const {
    if (const std::string note = remark(code); !note.empty())
      std::cerr << "point " << count_ << ": " << note << '\n';
    if (severalRows && count_ != 1)
      std::cout << '\n';
    for (std::size_t i = 0; i < rows.size(); ++i)
      printRow(rows[i], rows.columns());
  }

  bool asJson_;
  Document document_{"{\n  \"results\": ["};
  int worst_ = 3;
  std::size_t count_ = 0;
};

} // namespace

void describeEvaluate(Description &) {}

int runEval(OpenTape &tape, Points &points, const Options &options) {
  Results results(options);
  for (Point x; points.nextRequired(x);) {
    Matrix y(1, tape.dependents);
    const int code = zos_forward(tape.id, tape.m(), tape.n(), 0, x.data(), y[0]);
    results.add(x, code, "y", y, false);
  }
  return results.code();
}

int runGradient(OpenTape &tape, Points &points, const Options &options) {
  if (tape.dependents != 1)
    throw UsageError("the tape has " + std::to_string(tape.dependents) +
                     " dependents: a gradient needs one, see jacobian");
  Results results(options);
  for (Point x; points.nextRequired(x);) {
    Matrix g(1, tape.independents);
    const int code = gradient(tape.id, tape.n(), x.data(), g[0]);
    results.add(x, code, "gradient", g, false);
  }
  return results.code();
}

int runJacobian(OpenTape &tape, Points &points, const Options &options) {
  Results results(options);
  for (Point x; points.nextRequired(x);) {
    Matrix jacobian(tape.dependents, tape.independents);
    const int code = ::jacobian(tape.id, tape.m(), tape.n(), x.data(), jacobian.rows());
    results.add(x, code, "jacobian", jacobian, true);
  }
  return results.code();
}

} // namespace tool
