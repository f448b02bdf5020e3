#include "points.h"

#include "command.h"

#include <cctype>
#include <charconv>
#include <string_view>

namespace tool {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view separators = " \t\r,;";

bool isBlank(std::string_view line) {
  return line.find_first_not_of(blanks) == std::string_view::npos;
}

/// Whether a line is one of column names: every word begins like a name.
bool isHeader(std::string_view line) {
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;
       at = line.find_first_not_of(separators, at)) {
    const char first = line[at];
    if (std::isalpha(static_cast<unsigned char>(first)) == 0 && first != '_' && first != '"')
      return false;
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    double number = 0.0; // nan and inf
    if (std::from_chars(line.data() + at, line.data() + end, number).ptr == line.data() + end)
      return false;
    at = end;
  }
  return true;
}

double parseNumber(std::string_view word, const std::string &where) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-')
    digits.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size() || digits.empty())
    throw UsageError(where + ": \"" + std::string(word) + "\" is not a number");
  if (error != std::errc())
    throw UsageError(where + ": " + std::string(word) + " is out of the range of a double");
  return number;
}

} // namespace

Point parsePoint(const std::string &text, const std::string &where) {
  Point point;
  const std::string_view all = text;
  // Blanks separate, commas and semicolons stand between two numbers.
  std::size_t at = all.find_first_not_of(blanks);
  bool wanted = false;
  while (at != std::string_view::npos) {
    const std::string place = where + ", column " + std::to_string(at + 1);
    const std::size_t end = std::min(all.find_first_of(separators, at), all.size());
    if (end == at)
      throw UsageError(place + ": a number is missing");
    point.push_back(parseNumber(all.substr(at, end - at), place));
    at = all.find_first_not_of(blanks, end);
    wanted = at != std::string_view::npos && (all[at] == ',' || all[at] == ';');
    if (wanted)
      at = all.find_first_not_of(blanks, at + 1);
  }
  if (wanted)
    throw UsageError(where + ": a number is missing at the end");
  return point;
}

Points readPoints(std::istream &in, const std::string &name) {
  Points points;
  bool named = false; // the columns
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) // what some programs begin texts with
      line.erase(0, 3);
    if (isBlank(line) || line.front() == '#')
      continue;
    if (points.empty() && !named && isHeader(line)) {
      named = true;
      continue;
    }
    points.push_back(parsePoint(line, name + ", line " + std::to_string(number)));
  }
  if (in.bad())
    throw UsageError(name + " cannot be read");
  return points;
}

} // namespace tool
