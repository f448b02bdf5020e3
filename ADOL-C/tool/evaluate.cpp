// Values, derivatives and Taylor coefficients at points.
#include "command.h"
#include "progress.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <iostream>
#include <limits>

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

namespace po = boost::program_options;

/// The numbers of an option, as many as expected.
Point numbersOf(const std::string &list, const std::string &option, std::size_t expected,
                const char *what) {
  Point numbers = parsePoint(list, "--" + option);
  if (numbers.size() != expected)
    throw UsageError("--" + option + ": " + std::to_string(numbers.size()) +
                     " numbers, the tape has " + std::to_string(expected) + ' ' + what);
  return numbers;
}

/// The coefficients 1 … degree of a curve, a row per independent.
Matrix curveOf(const OpenTape &tape, const Options &options) {
  std::vector<std::string> directions;
  if (options.count("direction") != 0)
    directions = options["direction"].as<std::vector<std::string>>();
  else if (tape.independents != 0)
    throw UsageError("a direction is needed: --direction");
  const auto degree = options.count("degree") != 0 ? options["degree"].as<long long>()
                                                   : static_cast<long long>(directions.size());
  if (degree > std::numeric_limits<int>::max())
    throw UsageError("--degree: " + std::to_string(degree) + " is too high");
  const auto columns = static_cast<std::size_t>(degree);
  if (columns < directions.size())
    throw UsageError("--degree: " + std::to_string(degree) + " is less than the " +
                     std::to_string(directions.size()) + " coefficients of the curve");
  Matrix curve(tape.independents, columns);
  for (std::size_t k = 0; k < directions.size(); ++k) {
    const Point coefficient =
        numbersOf(directions[k], "direction", tape.independents, "independents");
    for (std::size_t i = 0; i < tape.independents; ++i)
      curve[i][k] = coefficient[i];
  }
  return curve;
}

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

void describeHessian(Description &options) {
  options.add_options()("weights,w", po::value<std::string>(),
                        "of the dependents, whose sum it is of; not needed for one dependent");
}

int runHessian(OpenTape &tape, Points &points, const Options &options) {
  std::vector<double> weights(1, 1.0);
  if (options.count("weights") != 0)
    weights =
        numbersOf(options["weights"].as<std::string>(), "weights", tape.dependents, "dependents");
  else if (tape.dependents != 1)
    throw UsageError("the tape has " + std::to_string(tape.dependents) +
                     " dependents: a Hessian needs one, or their --weights");
  Results results(options);
  std::vector<double> column(tape.independents), unit(tape.independents);
  for (Point x; points.nextRequired(x);) {
    Matrix hessian(tape.independents, tape.independents);
    int code = 3;
    if (options.count("weights") == 0) {
      code = ::hessian(tape.id, tape.n(), x.data(), hessian.rows());
    } else {
      for (std::size_t j = 0; j < tape.independents; ++j) {
        unit[j] = 1.0;
        code = std::min(code, lagra_hess_vec(tape.id, tape.m(), tape.n(), x.data(), unit.data(),
                                             weights.data(), column.data()));
        unit[j] = 0.0;
        for (std::size_t i = j; i < tape.independents; ++i)
          hessian[i][j] = column[i];
      }
    }
    for (std::size_t i = 0; i < tape.independents; ++i)
      for (std::size_t j = 0; j < i; ++j)
        hessian[j][i] = hessian[i][j];
    results.add(x, code, "hessian", hessian, true);
  }
  return results.code();
}

void describeTaylor(Description &options) {
  options.add_options() //
      ("direction,v", po::value<std::vector<std::string>>()->composing(),
       "numbers separated by commas: how the point moves; given several times, the coefficients of "
       "t, t^2, ... of its curve")                      //
      ("degree,d", countOption("degree", std::nullopt), //
       "up to which coefficients are computed; as many as the curve has if not given");
}

int runTaylor(OpenTape &tape, Points &points, const Options &options) {
  Matrix curve = curveOf(tape, options);
  const std::size_t degree = curve.columns();
  Results results(options);
  std::vector<double> y(tape.dependents);
  for (Point x; points.nextRequired(x);) {
    Matrix all(tape.dependents, degree + 1);
    std::vector<double *> coefficients(tape.dependents);
    for (std::size_t i = 0; i < tape.dependents; ++i)
      coefficients[i] = all[i] + 1;
    const int code = hos_forward(tape.id, tape.m(), tape.n(), static_cast<int>(degree), 0, x.data(),
                                 curve.rows(), y.data(), coefficients.data());
    for (std::size_t i = 0; i < tape.dependents; ++i)
      all[i][0] = y[i];
    results.add(x, code, "coefficients", all, true);
  }
  return results.code();
}

} // namespace tool
