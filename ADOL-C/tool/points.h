// Points at which a tape is evaluated: from arguments, from a CSV file or from standard input.
#pragma once

#include <cstddef>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace tool {

using Point = std::vector<double>;

/// One point from a list of numbers, separated by commas, semicolons or blanks.
/// Throws UsageError with the place of what is no number.
Point parsePoint(const std::string &text, const std::string &where);

/// The points of a text as they arrive, one per line; empty lines and those that begin with #,
/// after blanks or not, are skipped, as is a first line of column names.
class PointReader {
public:
  /// A file, or standard input if the name is -.
  explicit PointReader(const std::string &name);
  /// Waits for the next one; false at the end.
  bool next(Point &x);
  /// File and line of the last one.
  std::string where() const { return name_ + ", line " + std::to_string(line_); }

private:
  std::ifstream file_;
  std::istream &in_;
  std::string name_;
  std::size_t line_ = 0;
  bool begun_ = false; // a line was not skipped
};

/// All points of a command line: those of arguments, then those of a file. They are read one by
/// one, so that the results of the first are there before the last is known. A tape without
/// independents has one point, which need not be given.
class Points {
public:
  /// Throws UsageError unless the points of arguments have `size` numbers, or if the file cannot be
  /// opened.
  Points(std::size_t size, const std::vector<std::string> &arguments,
         const std::optional<std::string> &file);

  /// The next one, if there is one. Throws UsageError with the place of what is wrong.
  bool next(Point &x);
  /// The same, but that there is none at all is an error.
  bool nextRequired(Point &x);
  /// The one that must be given; `needed` says for what.
  Point only(const std::string &needed);

private:
  void requireSize(const Point &x, const std::string &where) const;

  std::size_t size_;
  std::vector<Point> fromArguments_;
  std::optional<PointReader> reader_;
  std::size_t count_ = 0; // of those that were given away
};

} // namespace tool
