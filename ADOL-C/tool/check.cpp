// Whether the derivatives of all modes agree with each other and with differences.
#include "command.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>

namespace po = boost::program_options;

namespace tool {
namespace {

/// At most `most` of `count` indices, evenly spread.
std::vector<std::size_t> selection(std::size_t count, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t size = std::min(count, most);
  for (std::size_t i = 0; i < size; ++i)
    chosen.push_back(i * count / size);
  return chosen;
}

struct Entry {
  std::size_t dependent, independent;
  double scalarForward, vectorForward, scalarReverse, vectorReverse, difference;
  double modes = 0.0, differences = 0.0; // largest relative deviations
};

double deviation(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0.0;
  const double size = std::max({std::fabs(a), std::fabs(b), scale});
  return std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) / size
                                              : std::numeric_limits<double>::infinity();
}

/// Entries of the Jacobian in the chosen rows and columns, by every mode.
class Comparison {
public:
  Comparison(OpenTape &tape, const Point &x, std::size_t most)
      : tape_(tape), x_(x), rows_(selection(tape.dependents, most)),
        columns_(selection(tape.independents, most)) {
    for (const std::size_t i : rows_)
      for (const std::size_t j : columns_)
        entries_.push_back({i, j, 0, 0, 0, 0, 0});
  }

  void run() {
    forward();
    reverse();
    differences();
    compare();
  }
  int code() const { return code_; }
  bool sampled() const {
    return rows_.size() < tape_.dependents || columns_.size() < tape_.independents;
  }
  /// The worst first.
  const std::vector<Entry> &entries() const { return entries_; }
  double worst(double Entry::*which) const {
    double most = 0.0;
    for (const Entry &entry : entries_)
      most = std::max(most, entry.*which);
    return most;
  }

private:
  Entry &entry(std::size_t row, std::size_t column) {
    return entries_[row * columns_.size() + column];
  }
  void note(int code) { code_ = std::min(code_, code); }

  void forward() {
    std::vector<double> direction(tape_.independents), y(tape_.dependents), dy(tape_.dependents);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      direction[columns_[c]] = 1.0;
      note(fos_forward(tape_.id, tape_.m(), tape_.n(), 0, x_.data(), direction.data(), y.data(),
                       dy.data()));
      direction[columns_[c]] = 0.0;
      for (std::size_t r = 0; r < rows_.size(); ++r)
        entry(r, c).scalarForward = dy[rows_[r]];
    }
    Matrix seeds(tape_.independents, columns_.size()), all(tape_.dependents, columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c)
      seeds[columns_[c]][c] = 1.0;
    note(fov_forward(tape_.id, tape_.m(), tape_.n(), static_cast<int>(columns_.size()), x_.data(),
                     seeds.rows(), y.data(), all.rows()));
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        entry(r, c).vectorForward = all[rows_[r]][c];
  }

  void reverse() {
    std::vector<double> weight(tape_.dependents), z(tape_.independents), y(tape_.dependents);
    note(zos_forward(tape_.id, tape_.m(), tape_.n(), 1, x_.data(), y.data()));
    if (code_ < 0)
      return;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      weight[rows_[r]] = 1.0;
      note(fos_reverse(tape_.id, tape_.m(), tape_.n(), weight.data(), z.data()));
      weight[rows_[r]] = 0.0;
      for (std::size_t c = 0; c < columns_.size(); ++c)
        entry(r, c).scalarReverse = z[columns_[c]];
    }
    Matrix weights(rows_.size(), tape_.dependents), all(rows_.size(), tape_.independents);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      weights[r][rows_[r]] = 1.0;
    note(fov_reverse(tape_.id, tape_.m(), tape_.n(), static_cast<int>(rows_.size()), weights.rows(),
                     all.rows()));
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        entry(r, c).vectorReverse = all[r][columns_[c]];
  }

  /// Central differences with a step of the cube root of the rounding unit.
  void differences() {
    if (code_ < 0)
      return;
    const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
    Point x = x_;
    std::vector<double> ahead(tape_.dependents), behind(tape_.dependents);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      double &xi = x[columns_[c]];
      const double at = xi, step = relative * std::max(std::fabs(at), 1.0);
      const double right = at + step, left = at - step;
      xi = right;
      zos_forward(tape_.id, tape_.m(), tape_.n(), 0, x.data(), ahead.data());
      xi = left;
      zos_forward(tape_.id, tape_.m(), tape_.n(), 0, x.data(), behind.data());
      xi = at;
      for (std::size_t r = 0; r < rows_.size(); ++r)
        entry(r, c).difference = (ahead[rows_[r]] - behind[rows_[r]]) / (right - left);
    }
  }

  void compare() {
    // Where a row has large entries, small ones are exact to less than their last digit.
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      double largest = 0.0;
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (std::isfinite(entry(r, c).scalarReverse))
          largest = std::max(largest, std::fabs(entry(r, c).scalarReverse));
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        Entry &e = entry(r, c);
        const double scale = 1e-3 * largest;
        for (const double other : {e.scalarForward, e.vectorForward, e.vectorReverse})
          e.modes = std::max(e.modes, deviation(e.scalarReverse, other, scale));
        // Where a neighbour lies outside of what was recorded there is no difference.
        if (!std::isnan(e.difference))
          e.differences = deviation(e.scalarReverse, e.difference, scale);
      }
    }
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry &a, const Entry &b) {
      return std::max(a.modes, a.differences) > std::max(b.modes, b.differences);
    });
  }

  OpenTape &tape_;
  const Point &x_;
  std::vector<std::size_t> rows_, columns_;
  std::vector<Entry> entries_; // by rows, until compare sorts them
  int code_ = 3;
};

Json toJson(const Entry &e) {
  return {{"dependent", e.dependent},
          {"independent", e.independent},
          {"fos_forward", json(e.scalarForward)},
          {"fov_forward", json(e.vectorForward)},
          {"fos_reverse", json(e.scalarReverse)},
          {"fov_reverse", json(e.vectorReverse)},
          {"difference", json(e.difference)},
          {"modes", json(e.modes)},
          {"differences", json(e.differences)}};
}

void print(const Comparison &comparison, std::size_t worst) {
  std::printf("%9s %11s %23s %23s %23s %9s %11s\n", "dependent", "independent", "reverse",
              "forward", "difference", "modes", "differences");
  for (std::size_t k = 0; k < std::min(worst, comparison.entries().size()); ++k) {
    const Entry &e = comparison.entries()[k];
    std::printf("%9zu %11zu %23.15e %23.15e %23.15e %9.1e %11.1e\n", e.dependent, e.independent,
                e.scalarReverse, e.scalarForward, e.difference, e.modes, e.differences);
  }
}

} // namespace

void describeCheck(Description &options) {
  options.add_options()                                                                          //
      ("worst", po::value<std::size_t>()->default_value(10), "entries to list, the worst first") //
      ("most", po::value<std::size_t>()->default_value(100),
       "rows and columns of the Jacobian to compare, evenly spread") //
      ("modes-tolerance", po::value<double>()->default_value(1e-9),
       "relative deviation between modes that is allowed") //
      ("differences-tolerance", po::value<double>()->default_value(1e-4),
       "relative deviation from differences that is allowed");
}

int runCheck(OpenTape &tape, const Points &points, const Options &options) {
  const bool asJson = options.count("json") != 0;
  const auto worst = options["worst"].as<std::size_t>();
  const auto most = std::max<std::size_t>(options["most"].as<std::size_t>(), 1);
  const double modes = options["modes-tolerance"].as<double>();
  const double differences = options["differences-tolerance"].as<double>();
  bool good = true;
  Json results = Json::array();
  // Opening has verified checksums and structure.
  if (!asJson)
    std::printf("integrity: ok (%zu operations, %zu independents, %zu dependents)\n",
                tape.operations, tape.independents, tape.dependents);
  if (points.empty() && !asJson)
    std::printf("derivatives: not checked, no point was given (--point, --points)\n");
  for (const Point &x : points) {
    Comparison comparison(tape, x, most);
    comparison.run();
    const bool agrees = comparison.code() >= 0 && comparison.worst(&Entry::modes) <= modes &&
                        comparison.worst(&Entry::differences) <= differences;
    good = good && agrees;
    if (asJson) {
      Json entries = Json::array();
      for (std::size_t k = 0; k < std::min(worst, comparison.entries().size()); ++k)
        entries.push_back(toJson(comparison.entries()[k]));
      results.push_back({{"x", json(x.data(), x.size())},
                         {"code", comparison.code()},
                         {"agrees", agrees},
                         {"modes", json(comparison.worst(&Entry::modes))},
                         {"differences", json(comparison.worst(&Entry::differences))},
                         {"sampled", comparison.sampled()},
                         {"worst", entries}});
      continue;
    }
    if (const std::string note = remark(comparison.code()); !note.empty())
      std::printf("point: %s\n", note.c_str());
    if (comparison.code() >= 0)
      print(comparison, worst);
    std::printf("derivatives%s: modes differ by %.1e (allowed %.1e), differences by %.1e (allowed "
                "%.1e): %s\n",
                comparison.sampled() ? " (a sample of rows and columns)" : "",
                comparison.worst(&Entry::modes), modes, comparison.worst(&Entry::differences),
                differences, agrees ? "ok" : "FAILED");
  }
  if (asJson)
    std::cout << Json{{"integrity", true}, {"points", results}}.dump(2) << '\n';
  return good ? success : failure;
}

} // namespace tool
