// SPDX-License-Identifier: MIT
#include "listing.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

namespace listings {
namespace {

std::string cell(const std::string &text) { return text == "-" ? "" : text; }

std::vector<std::string> items(const std::string &list) {
  std::vector<std::string> result;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');)
    result.push_back(item);
  return result;
}

std::vector<std::size_t> locations(const std::string &list) {
  std::vector<std::size_t> result;
  if (const std::size_t dots = list.find(".."); dots != std::string::npos) {
    const std::size_t last = std::stoul(list.substr(dots + 2));
    for (std::size_t loc = std::stoul(list.substr(0, dots)); loc <= last; ++loc)
      result.push_back(loc);
  } else {
    for (const std::string &item : items(list))
      result.push_back(std::stoul(item));
  }
  return result;
}

} // namespace

Listing parse(const std::string &text) {
  Listing listing;
  std::vector<std::string> header;
  std::istringstream in(text);
  bool withValues = false;
  for (std::string line; std::getline(in, line);) {
    BOOST_REQUIRE(!line.empty());
    if (line[0] == '#') {
      header.push_back(line);
      withValues = line.find("operands") != std::string::npos;
      continue;
    }
    std::istringstream words(line);
    Row row;
    std::string locs, constants, operands;
    words >> row.number >> row.code >> row.name >> row.flags >> locs >> constants;
    if (withValues)
      words >> row.result >> operands;
    std::getline(words >> std::ws, row.operation);
    BOOST_REQUIRE_MESSAGE(!words.fail(), "not a row: " << line);
    row.flags = cell(row.flags);
    row.result = cell(row.result);
    row.locations = locations(cell(locs));
    row.constants = items(cell(constants));
    row.operands = items(cell(operands));
    listing.rows.push_back(row);
  }
  BOOST_REQUIRE(header.size() == 4u);
  listing.title = header[0].substr(2);
  listing.range = header[1].substr(2);
  return listing;
}

Listing list(short id, const ADOLC::TapeDocOptions &options) {
  return parse(ADOLC::tapeDoc(id, ADOLC::TapeDocFormat::text, options));
}

const Row &Listing::only(const std::string &name) const {
  const Row *found = nullptr;
  for (const Row &row : rows)
    if (row.name == name) {
      BOOST_REQUIRE_MESSAGE(found == nullptr, name << " is listed twice");
      found = &row;
    }
  BOOST_REQUIRE_MESSAGE(found != nullptr, name << " is not listed");
  return *found;
}

std::map<std::string, std::size_t> Listing::histogram() const {
  std::map<std::string, std::size_t> counts;
  for (const Row &row : rows)
    ++counts[row.name];
  return counts;
}

std::string shown(double number) {
  if (std::isnan(number))
    return "nan";
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

double number(const std::string &text) {
  double result = 0.0;
  const char *const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, result);
  BOOST_REQUIRE_MESSAGE(read.ec == std::errc() && read.ptr == end, "not a number: " << text);
  return result;
}

} // namespace listings
