#include "svg.h"

#include "utf8.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tool {
namespace {

std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : printable(text))
    switch (c) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

class Svg {
public:
  Svg(double width, double height, const std::string &title) {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\""
         << height << "\" viewBox=\"0 0 " << width << ' ' << height
         << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
         << "<title>" << escaped(title) << "</title>\n"
         << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text(width / 2.0, 20.0, "middle", title, 14);
  }
  void text(double x, double y, const char *anchor, const std::string &content, int size = 12) {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
         << "\" font-size=\"" << size << "\">" << escaped(content) << "</text>\n";
  }
  void box(double x, double y, double width, double height, const char *style) {
    out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\""
         << height << "\" " << style << "/>\n";
  }
  std::ostringstream &raw() { return out_; }
  std::string finish() {
    out_ << "</svg>\n";
    return out_.str();
  }

private:
  std::ostringstream out_;
};

constexpr const char *filled = "fill=\"#4472a8\"";

std::string shortNumber(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", number);
  return digits;
}

/// Runs a program; false if there is none of that name, or it fails.
bool run(const std::vector<std::string> &words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
    return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void writeFile(const std::string &content, const std::string &file) {
  std::ofstream out(file);
  if (!out || !(out << content) || !out.flush())
    throw std::runtime_error(file + " cannot be written: " + std::strerror(errno));
}

} // namespace

std::string barChart(const std::string &title,
                     const std::vector<std::pair<std::string, std::uint64_t>> &bars) {
  constexpr double height = 20.0, left = 140.0, longest = 480.0, top = 36.0;
  Svg svg(left + longest + 120.0, top + height * static_cast<double>(bars.size()) + 10.0, title);
  std::uint64_t most = 1;
  for (const auto &bar : bars)
    most = std::max(most, bar.second);
  double y = top;
  for (const auto &[name, count] : bars) {
    const double length = longest * static_cast<double>(count) / static_cast<double>(most);
    svg.text(left - 6.0, y + 14.0, "end", name);
    svg.box(left, y + 2.0, std::max(length, 1.0), height - 4.0, filled);
    svg.text(left + length + 6.0, y + 14.0, "start", std::to_string(count));
    y += height;
  }
  return svg.finish();
}

std::string areaChart(const std::string &title, const std::string &across,
                      const std::string &upwards, double width,
                      const std::vector<double> &heights) {
  constexpr double left = 70.0, top = 36.0, right = 660.0, bottom = 336.0;
  Svg svg(right + 30.0, bottom + 50.0, title);
  const double most =
      std::max(heights.empty() ? 0.0 : *std::max_element(heights.begin(), heights.end()), 1.0);
  auto &out = svg.raw();
  out << "<path " << filled << " d=\"M" << left << ' ' << bottom;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double step = (right - left) / static_cast<double>(heights.size());
    const double y = bottom - (bottom - top) * heights[i] / most;
    out << 'L' << left + step * static_cast<double>(i) << ' ' << y << 'L'
        << left + step * static_cast<double>(i + 1) << ' ' << y;
  }
  out << 'L' << right << ' ' << bottom << "Z\"/>\n";
  svg.box(left, top, right - left, bottom - top, "fill=\"none\" stroke=\"black\"");
  svg.text(left - 6.0, bottom, "end", "0");
  svg.text(left - 6.0, top + 10.0, "end", shortNumber(most));
  svg.text(left, bottom + 18.0, "start", "0");
  svg.text(right, bottom + 18.0, "end", shortNumber(width));
  svg.text((left + right) / 2.0, bottom + 36.0, "middle", across);
  out << "<text transform=\"translate(18 " << (top + bottom) / 2.0
      << ") rotate(-90)\" text-anchor=\"middle\">" << escaped(upwards) << "</text>\n";
  return svg.finish();
}

std::string dotPattern(const std::string &title, std::size_t rows, std::size_t columns,
                       const std::vector<std::pair<std::size_t, std::size_t>> &dots) {
  constexpr double longest = 600.0, left = 60.0, top = 36.0;
  const double cell =
      longest / static_cast<double>(std::max<std::size_t>({rows, columns, std::size_t{1}}));
  const double width = std::max(cell * static_cast<double>(columns), 1.0);
  const double height = std::max(cell * static_cast<double>(rows), 1.0);
  Svg svg(left + std::max(width, 200.0) + 30.0, top + height + 40.0, title);
  svg.box(left, top, width, height, "fill=\"none\" stroke=\"black\"");
  // A dot is seen even where cells are smaller than a pixel.
  const double size = std::max(0.9 * cell, 0.75);
  for (const auto &[row, column] : dots)
    svg.box(left + cell * (static_cast<double>(column) + 0.5) - size / 2.0,
            top + cell * (static_cast<double>(row) + 0.5) - size / 2.0, size, size, filled);
  svg.text(left - 6.0, top + 10.0, "end", "0");
  svg.text(left - 6.0, top + height, "end", std::to_string(rows));
  svg.text(left + width, top + height + 16.0, "end", std::to_string(columns));
  svg.text(left, top + height + 32.0, "start",
           std::to_string(dots.size()) + " of " + std::to_string(rows) + " x " +
               std::to_string(columns) + " entries");
  return svg.finish();
}

void writePicture(const std::string &svg, const std::string &file) {
  if (!file.ends_with(".png")) {
    writeFile(svg, file);
    return;
  }
  std::string source = (std::filesystem::temp_directory_path() / "adolc-plot-XXXXXX").string();
  const int descriptor = mkstemp(source.data());
  if (descriptor < 0)
    throw std::runtime_error("no temporary file: " + std::string(std::strerror(errno)));
  close(descriptor);
  struct Remove {
    const std::string &name;
    ~Remove() { unlink(name.c_str()); }
  } const remove{source};
  writeFile(svg, source);
  if (!run({"rsvg-convert", "-o", file, source}) &&
      !run({"inkscape", "--export-type=png", "--export-filename=" + file, source}) &&
      !run({"convert", "svg:" + source, "png:" + file}))
    throw std::runtime_error("PNG needs rsvg-convert, inkscape or ImageMagick's convert, and none "
                             "of them has made one; SVG needs nothing");
}

} // namespace tool
