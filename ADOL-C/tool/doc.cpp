// Listings of the operations.
#include "command.h"
#include "utf8.h"

#include <adolc/adolc.h>

#include <charconv>
#include <fstream>
#include <iostream>

namespace po = boost::program_options;

namespace tool {
namespace {

ADOLC::TapeDocFormat formatOf(const std::string &name) {
  using enum ADOLC::TapeDocFormat;
  for (const auto &[known, format] :
       {std::pair("text", text), {"markdown", markdown}, {"latex", latex}, {"graphviz", graphviz}})
    if (name == known)
      return format;
  throw UsageError("unknown format: " + name + " (text, markdown, latex, graphviz)");
}

/// "a-b", "a-" or "a".
void setRange(ADOLC::TapeDocOptions &listing, const std::string &range) {
  const auto parse = [&range](std::string_view number) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size())
      throw UsageError("a range is <first>-<last>, not " + range);
    return value;
  };
  const std::string_view all = range;
  const std::size_t dash = all.find('-');
  listing.first = parse(all.substr(0, dash));
  if (dash == std::string_view::npos)
    listing.last = listing.first;
  else if (dash + 1 < all.size())
    listing.last = parse(all.substr(dash + 1));
}

} // namespace

void describeDoc(Description &options) {
  options.add_options() //
      ("format", po::value<std::string>()->default_value("text"),
       "text, markdown, latex or graphviz")                                         //
      ("range", po::value<std::string>(), "operations <first>-<last> only, from 0") //
      ("title", po::value<std::string>()->default_value(""), "a title")             //
      ("output,o", po::value<std::string>(), "a file instead of standard output");
}

int runDoc(OpenTape &tape, Points &points, const Options &options) {
  ADOLC::TapeDocOptions listing;
  if (Point x, more; points.next(x)) {
    if (points.next(more))
      throw UsageError("at most one point can be shown");
    listing.point = x;
  }
  if (options.count("range") != 0)
    setRange(listing, options["range"].as<std::string>());
  listing.title = options["title"].as<std::string>();
  if (listing.title.empty())
    listing.title = options["tape"].as<std::string>();
  listing.title = printable(listing.title);
  if (options.count("json") != 0)
    throw UsageError("doc has no JSON form");
  const ADOLC::TapeDocFormat format = formatOf(options["format"].as<std::string>());
  if (options.count("output") == 0) {
    ADOLC::tapeDoc(std::cout, tape.id, format, listing);
    return success;
  }
  const auto &name = options["output"].as<std::string>();
  std::ofstream out(name);
  if (!out)
    throw std::runtime_error(name + " cannot be opened");
  ADOLC::tapeDoc(out, tape.id, format, listing);
  if (!out.flush())
    throw std::runtime_error(name + " cannot be written");
  return success;
}

} // namespace tool
