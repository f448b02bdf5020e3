#include "points.h"

#include "command.h"

#include <charconv>
#include <string_view>

namespace tool {
namespace {

constexpr std::string_view separators = " \t\r,;";

/// The number that a text begins with; nullptr if there is none.
const char *parseNumber(std::string_view text, double &number) {
  if (!text.empty() && text.front() == '+')
    text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? end : nullptr;
}

bool isBlank(const std::string &line) {
  return line.find_first_not_of(separators) == std::string::npos;
}

/// Whether nothing in a line is a number.
bool isHeader(std::string_view line) {
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;
       at = line.find_first_not_of(separators, at)) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    double number = 0.0;
    if (parseNumber(line.substr(at, end - at), number) != nullptr)
      return false;
    at = end;
  }
  return true;
}

} // namespace

Point parsePoint(const std::string &text, const std::string &where) {
  Point point;
  const std::string_view all = text;
  std::size_t at = all.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(all.find_first_of(separators, at), all.size());
    const std::string_view word = all.substr(at, end - at);
    double number = 0.0;
    if (parseNumber(word, number) != word.data() + word.size())
      throw UsageError(where + ", column " + std::to_string(at + 1) + ": \"" + std::string(word) +
                       "\" is not a number");
    point.push_back(number);
    at = all.find_first_not_of(separators, end);
  }
  return point;
}

Points readPoints(std::istream &in, const std::string &name) {
  Points points;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (isBlank(line) || line.front() == '#')
      continue;
    if (points.empty() && number == 1 && isHeader(line))
      continue;
    points.push_back(parsePoint(line, name + ", line " + std::to_string(number)));
  }
  if (in.bad())
    throw UsageError(name + " cannot be read");
  return points;
}

} // namespace tool
