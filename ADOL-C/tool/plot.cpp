// Pictures of a tape.
#include "command.h"
#include "svg.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <iostream>

namespace po = boost::program_options;

namespace tool {
namespace {

std::string histogram(const OpenTape &tape, const std::string &title) {
  const auto counts = ADOLC::opcodeHistogram(tape.id);
  std::vector<std::pair<std::string, std::uint64_t>> bars;
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] != 0)
      bars.emplace_back(ADOLC::opcodeName(static_cast<OPCODES>(code)), counts[code]);
  std::stable_sort(bars.begin(), bars.end(),
                   [](const auto &a, const auto &b) { return a.second > b.second; });
  return barChart(title, bars);
}

std::string liveVariables(const OpenTape &tape, const std::string &title) {
  constexpr std::size_t samples = 500;
  const std::vector<std::uint64_t> profile = ADOLC::liveProfile(tape.id, samples);
  return areaChart(title, "operations", "live locations", static_cast<double>(tape.operations),
                   {profile.begin(), profile.end()});
}

std::string nonZeros(OpenTape &tape, const std::string &title, Points &points) {
  const Point x = points.only("the Jacobian needs one point");
  Matrix values(tape.dependents, tape.independents);
  const int code = ::jacobian(tape.id, tape.m(), tape.n(), x.data(), values.rows());
  if (code < 0)
    throw std::runtime_error("the point is " + remark(code));
  std::vector<std::pair<std::size_t, std::size_t>> dots;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.columns(); ++j)
      if (values[i][j] != 0.0)
        dots.emplace_back(i, j);
  return dotPattern(title, values.size(), values.columns(), dots);
}

} // namespace

void describePlot(Description &options) {
  options.add_options() //
      ("what", po::value<std::string>()->default_value("operations"),
       "operations (how often each was recorded), live (variables along the tape) or jacobian "
       "(non-zeros at a point)") //
      ("output,o", po::value<std::string>(),
       "a .svg or .png file; without, SVG on standard output") //
      ("title", po::value<std::string>(), "instead of the name of the tape file");
}

int runPlot(OpenTape &tape, Points &points, const Options &options) {
  if (options.count("json") != 0)
    throw UsageError("plot has no JSON form");
  if (options.count("output") != 0)
    if (const auto &name = options["output"].as<std::string>();
        !name.ends_with(".svg") && !name.ends_with(".png"))
      throw UsageError("a picture's name ends in .svg or .png, not " + name);
  const auto &what = options["what"].as<std::string>();
  const std::string title =
      options[options.count("title") != 0 ? "title" : "tape"].as<std::string>();
  const std::string svg = what == "operations" ? histogram(tape, title)
                          : what == "live"     ? liveVariables(tape, title)
                          : what == "jacobian" ? nonZeros(tape, title, points)
                                               : throw UsageError("unknown picture: " + what);
  if (options.count("output") != 0)
    writePicture(svg, options["output"].as<std::string>());
  else
    std::cout << svg;
  return success;
}

} // namespace tool
