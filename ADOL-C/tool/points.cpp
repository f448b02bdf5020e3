#include "points.h"

#include "command.h"
#include "utf8.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string_view>
#include <utility>

namespace tool {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view separators = " \t\r,;";

/// What programs write where they have no number. It must not be taken for a name: the results
/// would be those of other lines.
bool isMissingValue(std::string_view word) {
  constexpr std::string_view known[] = {"na",    "n/a",     "n.a.",  "nil",       "null",
                                        "none",  "missing", "undef", "undefined", "unknown",
                                        "infty", "true",    "false"};
  std::string lower(word);
  for (char &c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word != "Na" && // sodium
         std::find(std::begin(known), std::end(known), lower) != std::end(known);
}

bool isName(std::string_view word) {
  double number = 0.0; // nan and inf
  return (beginsWithLetter(word) || word.starts_with('_')) && !isMissingValue(word) &&
         std::from_chars(word.data(), word.data() + word.size(), number).ptr !=
             word.data() + word.size();
}

/// Where a word ends that begins with a quote: behind the other one. Two are one of the word.
std::size_t endOfQuoted(std::string_view line, std::size_t begin) {
  std::size_t end = line.find('"', begin + 1);
  while (end != std::string_view::npos && line.substr(end + 1).starts_with('"'))
    end = line.find('"', end + 2);
  return end == std::string_view::npos ? end : end + 1;
}

/// Whether a line is one of column names, in quotes or not.
bool isHeader(std::string_view line) {
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;
       at = line.find_first_not_of(separators, at)) {
    const bool quoted = line[at] == '"';
    const std::size_t end =
        quoted ? endOfQuoted(line, at) : std::min(line.find_first_of(separators, at), line.size());
    if (end == std::string_view::npos ||
        (end != line.size() && separators.find(line[end]) == std::string_view::npos))
      return false;
    std::string_view word = line.substr(at, end - at);
    if (quoted) {
      word = word.substr(1, word.size() - 2);
      word.remove_prefix(std::min(word.find_first_not_of(blanks), word.size()));
      word = word.substr(0, word.find_last_not_of(blanks) + 1);
    }
    if (!isName(word))
      return false;
    at = end;
  }
  return true;
}

/// For a message: the begin of a word, which may be all of a file.
std::string shortened(std::string_view word) {
  constexpr std::size_t most = 40;
  if (word.size() <= most)
    return printable(word);
  std::size_t end = most;
  while (end != most - 3 && (static_cast<unsigned char>(word[end]) & 0xc0u) == 0x80u)
    --end; // not within a character
  return printable(word.substr(0, end)) + "...";
}

double parseNumber(std::string_view word, const std::string &where) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-')
    digits.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size() || digits.empty())
    throw UsageError(where + ": \"" + shortened(word) + "\" is not a number");
  if (error == std::errc())
    return number;
  // Too small, which is zero or nearly so, or too large.
  number = std::strtod(std::string(digits).c_str(), nullptr);
  if (std::isinf(number))
    throw UsageError(where + ": " + shortened(word) + " is out of the range of a double");
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
    if (const std::size_t first = line.find_first_not_of(blanks);
        first == std::string::npos || line[first] == '#')
      continue;
    if (!std::exchange(begun_, true) && isHeader(line))
      continue;
    x = parsePoint(line, where());
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
    requireSize(fromArguments_.back(), "--point");
  }
  if (file)
    reader_.emplace(*file);
}

void Points::requireSize(const Point &x, const std::string &where) const {
  if (x.size() != size_)
    throw UsageError(where + ": " + std::to_string(x.size()) + " numbers, the tape has " +
                     std::to_string(size_) + " independents");
}

bool Points::next(Point &x) {
  if (count_ < fromArguments_.size()) {
    x = fromArguments_[count_];
  } else if (reader_ && reader_->next(x)) {
    requireSize(x, reader_->where());
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
