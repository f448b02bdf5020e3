// Points at which a tape is evaluated: from arguments, from a CSV file or from standard input.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace tool {

using Point = std::vector<double>;
using Points = std::vector<Point>;

/// One point from a list of numbers, separated by commas, semicolons or blanks.
/// Throws UsageError with the place of what is no number.
Point parsePoint(const std::string &text, const std::string &where);

/// One point per line; empty lines and those that begin with # are skipped, as is a first line of
/// column names.
Points readPoints(std::istream &in, const std::string &name);

} // namespace tool
