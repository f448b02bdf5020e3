#include "points.h"

#include "command.h"

#include <cctype>
#include <charconv>
#include <iostream>
#include <string_view>
#include <utility>

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

PointReader::PointReader(const std::string &name)
    : in_(name == "-" ? std::cin : file_), name_(name == "-" ? "standard input" : name) {
  if (name == "-")
    return;
  file_.open(name);
  if (!file_)
    throw UsageError(name + " cannot be opened");
}

bool PointReader::next(Point &x) {
  std::string line;
  while (std::getline(in_, line)) {
    if (++line_ == 1 && line.starts_with("\xef\xbb\xbf")) // what some programs begin texts with
      line.erase(0, 3);
    if (isBlank(line) || line.front() == '#')
      continue;
    if (!std::exchange(begun_, true) && isHeader(line))
      continue;
    x = parsePoint(line, name_ + ", line " + std::to_string(line_));
    return true;
  }
  if (in_.bad())
    throw UsageError(name_ + " cannot be read");
  return false;
}

Points::Points(std::size_t size, const std::vector<std::string> &arguments,
               const std::optional<std::string> &file)
    : size_(size) {
  for (const std::string &list : arguments) {
    fromArguments_.push_back(parsePoint(list, "--point"));
    requireSize(fromArguments_.back());
  }
  if (file)
    reader_.emplace(*file);
}

void Points::requireSize(const Point &x) const {
  if (x.size() != size_)
    throw UsageError("a point has " + std::to_string(x.size()) + " numbers, the tape has " +
                     std::to_string(size_) + " independents");
}

bool Points::next(Point &x) {
  if (count_ < fromArguments_.size()) {
    x = fromArguments_[count_];
  } else if (reader_ && reader_->next(x)) {
    requireSize(x);
  } else {
    if (count_ != 0 || size_ != 0)
      return false;
    x.clear();
  }
  ++count_;
  return true;
}

bool Points::nextRequired(Point &x) {
  if (next(x))
    return true;
  if (count_ == 0)
    throw UsageError("a point is needed: --point or --points");
  return false;
}

Point Points::only(const std::string &needed) {
  Point x, more;
  if (!next(x) || next(more))
    throw UsageError(needed + ": --point or --points");
  return x;
}

} // namespace tool
