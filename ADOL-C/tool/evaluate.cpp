// Values, gradients and Jacobians at points.
#include "command.h"
#include "progress.h"

#include <adolc/adolc.h>

#include <iostream>

namespace tool {
namespace {

const Points &required(const Points &points) {
  if (points.empty())
    throw UsageError("a point is needed: --point or --points");
  return points;
}

/// Collects what all points give: JSON at the end, or rows at once.
class Results {
public:
  explicit Results(const Options &options) : asJson_(options.count("json") != 0) {}

  /// The result is one row, or several.
  void add(const Point &x, int code, const char *name, const Matrix &rows, bool severalRows) {
    clearProgress();
    worst_ = std::min(worst_, code);
    if (asJson_) {
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
      results_.push_back(std::move(result));
      return;
    }
    if (const std::string note = remark(code); !note.empty())
      std::cerr << "point " << count_ + 1 << ": " << note << '\n';
    if (severalRows && count_ != 0)
      std::cout << '\n';
    for (std::size_t i = 0; i < rows.size(); ++i)
      printRow(rows[i], rows.columns());
    ++count_;
  }
  int finish() const {
    if (asJson_)
      std::cout << Json{{"results", results_}}.dump(2) << '\n';
    return worst_ < 0 ? failure : success;
  }

private:
  bool asJson_;
  int worst_ = 3;
  std::size_t count_ = 0;
  Json results_ = Json::array();
};

} // namespace

void describeEvaluate(Description &) {}

int runEval(OpenTape &tape, const Points &points, const Options &options) {
  Results results(options);
  for (const Point &x : required(points)) {
    Matrix y(1, tape.dependents);
    const int code = zos_forward(tape.id, tape.m(), tape.n(), 0, x.data(), y[0]);
    results.add(x, code, "y", y, false);
  }
  return results.finish();
}

int runGradient(OpenTape &tape, const Points &points, const Options &options) {
  if (tape.dependents != 1)
    throw UsageError("the tape has " + std::to_string(tape.dependents) +
                     " dependents: a gradient needs one, see jacobian");
  Results results(options);
  for (const Point &x : required(points)) {
    Matrix g(1, tape.independents);
    const int code = gradient(tape.id, tape.n(), x.data(), g[0]);
    results.add(x, code, "gradient", g, false);
  }
  return results.finish();
}

int runJacobian(OpenTape &tape, const Points &points, const Options &options) {
  Results results(options);
  for (const Point &x : required(points)) {
    Matrix jacobian(tape.dependents, tape.independents);
    const int code = ::jacobian(tape.id, tape.m(), tape.n(), x.data(), jacobian.rows());
    results.add(x, code, "jacobian", jacobian, true);
  }
  return results.finish();
}

} // namespace tool
