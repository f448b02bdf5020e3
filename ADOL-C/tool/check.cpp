// Whether the derivatives of all modes agree with each other and with differences.
#include "command.h"
#include "progress.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

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

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Entry {
  std::size_t dependent, independent;
  double scalarForward = kNone, vectorForward = kNone;
  double scalarReverse = kNone, vectorReverse = kNone;
  /// A difference, and how far it may be off: by rounding, and by its dependence on the step.
  double difference = kNone, uncertainty = kNone;
  /// The largest relative deviations; differences beyond their uncertainty.
  double modes = 0.0, differences = 0.0;
  bool comparable = false;
};

/// The largest deviations that count as agreement.
struct Tolerances {
  double modes, differences;
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
        entries_.push_back({.dependent = i, .independent = j});
  }

  void run() {
    forward();
    reverse();
    if (code_ < 0)
      return;
    differences();
    compare();
  }
  int code() const { return code_; }
  bool sampled() const {
    return rows_.size() < tape_.dependents || columns_.size() < tape_.independents;
  }
  std::size_t comparable() const {
    return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                  [](const Entry &e) { return e.comparable; }));
  }
  bool agrees(const Tolerances &allowed) const {
    return code_ >= 0 && worst(&Entry::modes) <= allowed.modes &&
           worst(&Entry::differences) <= allowed.differences &&
           (comparable() != 0 || entries_.empty());
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

  /// Central differences with steps of 10^-2 … 10^-10 of the variable, or of 1 if that is less.
  /// Each has an uncertainty: what rounding of the values makes of it, and how far the next one is
  /// from it; the least counts.
  void differences() {
    constexpr std::array steps{1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
    Point x = x_;
    std::vector<double> ahead(tape_.dependents), behind(tape_.dependents);
    std::vector<double> former(rows_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      double &xi = x[columns_[c]];
      const double at = xi, size = at != 0.0 ? std::min(std::fabs(at), 1.0) : 1.0;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        const double right = at + steps[k] * size, left = at - steps[k] * size;
        xi = right;
        zos_forward(tape_.id, tape_.m(), tape_.n(), 0, x.data(), ahead.data());
        xi = left;
        zos_forward(tape_.id, tape_.m(), tape_.n(), 0, x.data(), behind.data());
        xi = at;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
          Entry &e = entry(r, c);
          const double f = ahead[rows_[r]], g = behind[rows_[r]], width = right - left;
          const double difference = (f - g) / width;
          const double rounding =
              4.0 * std::numeric_limits<double>::epsilon() * (std::fabs(f) + std::fabs(g)) / width;
          const double uncertainty = std::fabs(difference - former[r]) + rounding;
          if (k != 0 && std::isfinite(uncertainty) && !(uncertainty >= e.uncertainty)) {
            e.difference = difference;
            e.uncertainty = uncertainty;
          }
          former[r] = difference;
        }
      }
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
        e.modes = std::max(deviation(e.scalarForward, e.vectorForward, scale),
                           deviation(e.scalarReverse, e.vectorReverse, scale));
        // At a tie a forward sweep takes one side, a reverse sweep the mean of both.
        if (code_ != 1)
          e.modes = std::max(e.modes, deviation(e.scalarReverse, e.scalarForward, scale));
        // No difference where a neighbour lies outside of what was recorded, or has no value.
        e.comparable = std::isfinite(e.scalarReverse) && std::isfinite(e.difference);
        if (e.comparable) {
          const double beyond = std::fabs(e.scalarReverse - e.difference) - 10.0 * e.uncertainty;
          const double size =
              std::max({std::fabs(e.scalarReverse), std::fabs(e.difference), scale});
          e.differences = beyond > 0.0 ? beyond / size : 0.0;
        }
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
          {"uncertainty", json(e.uncertainty)},
          {"modes", json(e.modes)},
          {"differences", json(e.differences)}};
}

Json toJson(const Comparison &comparison, const Point &x, bool agrees, std::size_t worst) {
  const std::size_t entries = comparison.entries().size();
  Json listed = Json::array();
  for (std::size_t k = 0; k < std::min(worst, entries) && comparison.code() >= 0; ++k)
    listed.push_back(toJson(comparison.entries()[k]));
  return {{"x", json(x.data(), x.size())},
          {"code", comparison.code()},
          {"agrees", agrees},
          {"modes", json(comparison.worst(&Entry::modes))},
          {"differences", json(comparison.worst(&Entry::differences))},
          {"entries", entries},
          {"compared_with_differences", comparison.comparable()},
          {"sampled", comparison.sampled()},
          {"worst", listed}};
}

void printWorst(const Comparison &comparison, std::size_t worst) {
  std::printf("%9s %11s %23s %23s %23s %11s %9s %11s\n", "dependent", "independent", "reverse",
              "forward", "difference", "uncertainty", "modes", "differences");
  for (std::size_t k = 0; k < std::min(worst, comparison.entries().size()); ++k) {
    const Entry &e = comparison.entries()[k];
    std::printf("%9zu %11zu %23.15e %23.15e %23.15e %11.1e %9.1e %11.1e\n", e.dependent,
                e.independent, e.scalarReverse, e.scalarForward, e.difference, e.uncertainty,
                e.modes, e.differences);
  }
}

void print(const Comparison &comparison, bool agrees, const Tolerances &allowed,
           std::size_t worst) {
  if (const std::string note = remark(comparison.code()); !note.empty())
    std::printf("point: %s\n", note.c_str());
  if (comparison.code() < 0) {
    std::printf("derivatives: FAILED, there are none at this point\n");
    return;
  }
  printWorst(comparison, worst);
  std::printf(
      "derivatives%s: modes differ by %.1e (allowed %.1e); %zu of %zu could be compared with "
      "differences, which differ by %.1e more than they are uncertain (allowed %.1e): %s\n",
      comparison.sampled() ? " (a sample of rows and columns)" : "",
      comparison.worst(&Entry::modes), allowed.modes, comparison.comparable(),
      comparison.entries().size(), comparison.worst(&Entry::differences), allowed.differences,
      agrees ? "ok" : "FAILED");
}

} // namespace

void describeCheck(Description &options) {
  options.add_options()                                                       //
      ("worst", countOption("worst", 10), "entries to list, the worst first") //
      ("most", countOption("most", 30),
       "rows and columns of the Jacobian to compare, evenly spread") //
      ("modes-tolerance", notNegative("modes-tolerance", 1e-9),
       "relative deviation between modes that is allowed") //
      ("differences-tolerance", notNegative("differences-tolerance", 1e-4),
       "relative deviation from differences that is allowed");
}

int runCheck(OpenTape &tape, Points &points, const Options &options) {
  const bool asJson = options.count("json") != 0;
  const auto worst = static_cast<std::size_t>(options["worst"].as<long long>());
  const auto most = static_cast<std::size_t>(std::max(options["most"].as<long long>(), 1LL));
  const Tolerances allowed{options["modes-tolerance"].as<double>(),
                           options["differences-tolerance"].as<double>()};
  bool good = true, none = true;
  Document document("{\n  \"integrity\": true,\n  \"points\": [");
  // Opening has verified checksums and structure.
  if (asJson)
    document.begin();
  else
    std::printf("integrity: ok (%zu operations, %zu independents, %zu dependents)\n",
                tape.operations, tape.independents, tape.dependents);
  for (Point x; points.next(x); none = false) {
    Comparison comparison(tape, x, most);
    comparison.run();
    clearProgress();
    const bool agrees = comparison.agrees(allowed);
    good = good && agrees;
    if (asJson)
      document.add(toJson(comparison, x, agrees, worst));
    else
      print(comparison, agrees, allowed, worst);
    flushOutput(); // the next point may come late
  }
  if (!asJson && none)
    std::printf("derivatives: not checked, no point was given (--point, --points)\n");
  return good ? success : failure;
}

} // namespace tool
