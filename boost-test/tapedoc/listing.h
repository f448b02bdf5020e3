// SPDX-License-Identifier: MIT
// Listings in the text format, read back.
#pragma once

#include <adolc/tapedoc/tapedoc.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace listings {

/// A row; columns that are empty or missing are empty.
struct Row {
  std::size_t number = 0;
  int code = 0;
  std::string name, flags, result, operation;
  std::vector<std::string> constants, operands;
  /// Of initial values: all of them.
  std::vector<std::size_t> locations;
};

struct Listing {
  std::string title, range;
  std::vector<Row> rows;

  /// The only row with this operation; fails the test if there is another number of them.
  const Row &only(const std::string &name) const;
  std::map<std::string, std::size_t> histogram() const;
};

Listing parse(const std::string &text);
/// The text format of a tape.
Listing list(short id, const ADOLC::TapeDocOptions &options = {});

/// A number as a listing shows it, and back.
std::string shown(double number);
double number(const std::string &text);

} // namespace listings
