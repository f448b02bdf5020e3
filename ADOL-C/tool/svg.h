// Pictures: bars, a curve, a pattern of dots. SVG by hand, PNG through a converter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tool {

/// Horizontal bars with a name and a number each.
std::string barChart(const std::string &title,
                     const std::vector<std::pair<std::string, std::uint64_t>> &bars);
/// A curve through heights that are evenly spread from left to right.
std::string areaChart(const std::string &title, const std::string &across,
                      const std::string &upwards, double width, const std::vector<double> &heights);
/// A matrix with a dot for each (row, column).
std::string dotPattern(const std::string &title, std::size_t rows, std::size_t columns,
                       const std::vector<std::pair<std::size_t, std::size_t>> &dots);

/// Writes a picture to a file: a name that ends in .png needs rsvg-convert, inkscape or
/// ImageMagick's convert.
void writePicture(const std::string &svg, const std::string &file);

} // namespace tool
