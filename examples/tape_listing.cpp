// SPDX-License-Identifier: MIT
//
// What is on a tape: a listing of Newton's iteration for the square root.
//
// A tape is a list of the operations that were executed. Here it is read like
// a program: loops are unrolled, every row has its operands (v3 is location 3)
// and its value at a point of our choice. This helps to see why a derivative
// is what it is, where a NaN comes from, or what makes a tape long.
//
// usage: tape_listing [steps] [text|latex|markdown|graphviz]
//
// For a picture:  tape_listing 2 graphviz | dot -Tsvg -o tape.svg

#include <adolc/adolc.h>

#include "check.h"

#include <cstring>
#include <sstream>
#include <string>

namespace {

using ADOLC::TapeDocFormat;

// Solves s * s = a, beginning with s = a.
template <class T> T root(const T &a, int steps) {
  T s = a;
  for (int i = 0; i < steps; ++i)
    s = 0.5 * (s + a / s);
  return s;
}

// The format with a name; ends the program if there is none.
TapeDocFormat format_argument(int argc, char **argv) {
  if (argc < 3)
    return TapeDocFormat::text;
  constexpr const char *names[] = {"latex", "text", "markdown", "graphviz"};
  constexpr TapeDocFormat formats[] = {TapeDocFormat::latex, TapeDocFormat::text,
                                       TapeDocFormat::markdown, TapeDocFormat::graphviz};
  for (std::size_t i = 0; i < 4; ++i)
    if (std::strcmp(argv[2], names[i]) == 0)
      return formats[i];
  std::fprintf(stderr, "%s: argument 2 must be text, latex, markdown or graphviz\n", argv[0]);
  std::exit(2);
}

// The column `result` in the row of the dependent: what the listing says that
// the function is.
double listed_value(const std::string &listing) {
  std::istringstream in(listing);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string number, code, name, flags, locations, constants, result;
    words >> number >> code >> name >> flags >> locations >> constants >> result;
    if (name == "assign_dep")
      return std::strtod(result.c_str(), nullptr);
  }
  return std::nan("");
}

} // namespace

int main(int argc, char **argv) {
  const int steps = example::argument(argc, argv, 1, 2, 0, 100);
  const TapeDocFormat format = format_argument(argc, argv);
  constexpr short tag = 1;
  example::Checks checks;

  trace_on(tag);
  {
    double ignored = 0.0;
    adouble a, s;
    a <<= 1.5; // any point will do: there are no comparisons
    s = root(a, steps);
    s >>= ignored;
  }
  trace_off();

  // Values are shown at a point that need not be the one of the recording.
  ADOLC::TapeDocOptions options;
  options.title = "Newton's iteration for the square root of 4";
  options.point = std::vector<double>{4.0};
  if (format != TapeDocFormat::text) {
    std::cout << ADOLC::tapeDoc(tag, format, options);
    return EXIT_SUCCESS;
  }
  const std::string listing = ADOLC::tapeDoc(tag, format, options);
  std::printf("%s\n", listing.c_str());

  // The same in numbers. Each step is a division, a sum and a product by a
  // constant; only the division needs values for its derivative.
  const ADOLC::TapeStatistics statistics = ADOLC::tapeStatistics(tag);
  std::printf("  %llu operations of %.1f bytes, at most %llu locations in use at one time\n",
              static_cast<unsigned long long>(statistics.operations),
              statistics.bytesPerOperation(),
              static_cast<unsigned long long>(statistics.peakLocations));
  std::printf("  a reverse sweep needs %llu saved values; otherwise it would be %llu more\n",
              static_cast<unsigned long long>(statistics.taylorsSaved),
              static_cast<unsigned long long>(statistics.taylorsAvoided));
  const auto divisions = statistics.histogram[div_a_a];
  checks.require("one division per step", divisions == static_cast<std::uint64_t>(steps));
  checks.below("value in the listing against plain double: error",
               example::error(listed_value(listing), root(4.0, steps)), 0.0);
  return checks.exit_code();
}
