#include "tapedoc/format.h"

#include "tape/debuginfo.h"

#include <adolc/tape_interface.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <vector>

namespace ADOLC::detail {
namespace {

// ── the columns of an operation, as plain text ──────────────────────────────────────────────────

/// The shortest text that is read back as the same number.
std::string text(double number) {
  if (number != number)
    return "nan"; // its sign means nothing
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number);
  ADOLC_ASSERT(error == std::errc());
  return {digits.begin(), end};
}
std::string text(std::size_t number) { return std::to_string(number); }

/// The name of a location.
std::string variable(LocCell loc) {
  std::string name(1, 'v');
  name += text(std::size_t{loc});
  return name;
}

/// Appends an item to a list without blanks.
void append(std::string &list, std::string_view item) {
  if (!list.empty())
    list += ',';
  list += item;
}

std::string flagsOf(const Operation &operation) {
  std::string flags;
  if (operation.saves())
    flags += 's';
  if (operation.piece())
    flags += 'p';
  if (operation.unordered())
    flags += 'u';
  return flags;
}

std::string locationsOf(const Operation &operation) {
  if (operation.opcode() == take_stock_op) {
    const std::size_t first = operation.firstWritten();
    return text(first) + ".." + text(first + operation.numWritten() - 1);
  }
  std::string list;
  for (const LocCell loc : operation.locs)
    append(list, text(std::size_t{loc}));
  return list;
}

std::string constantsOf(const Operation &operation) {
  constexpr std::size_t most = 4;
  std::string list;
  for (const double constant : operation.vals.first(std::min(most, operation.vals.size())))
    append(list, text(constant));
  if (operation.vals.size() > most)
    append(list, "...");
  return list;
}

std::string operandText(const Operation &operation, OperandSource source) {
  switch (source.slot) {
  case ops::Slot::Active:
  case ops::Slot::Result:
    return variable(operation.location(source));
  case ops::Slot::Constant:
  case ops::Slot::Param:
    return text(operation.vals[source.cell]);
  case ops::Slot::Zero:
    return "0";
  case ops::Slot::One:
    return "1";
  }
  return {};
}

/// The text of the operation table with operands and result filled in.
std::string meaningOf(const Operation &operation) {
  std::string result;
  const std::string_view pattern = opcodeText(operation.opcode());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      result += pattern[i];
      continue;
    }
    const auto which = static_cast<std::size_t>(pattern[++i] - '0');
    ADOLC_ASSERT(which <= operation.operands().size());
    result += which == 0 ? variable(operation.firstWritten())
                         : operandText(operation, operation.operands()[which - 1]);
  }
  return result;
}

std::string resultOf(const OperationValues &values) {
  switch (values.kind) {
  case OperationValues::Kind::none:
    return {};
  case OperationValues::Kind::number:
    return text(values.result);
  case OperationValues::Kind::outcome:
    return values.result != 0.0 ? "true" : "false";
  case OperationValues::Kind::left:
    return values.result != 0.0 ? "true!" : "false!";
  case OperationValues::Kind::undefined:
    return "unknown!";
  }
  return {};
}

/// Values of the operands that the meaning does not show as numbers.
std::string operandsOf(const Operation &operation, const OperationValues &values) {
  std::string list;
  if (values.kind == OperationValues::Kind::none)
    return list;
  std::size_t i = 0;
  for (const OperandSource source : operation.operands()) {
    if (operation.located(source) || source.slot == ops::Slot::Param)
      append(list, text(values.operands[i]));
    ++i;
  }
  return list;
}

std::string sourceOf(const SourceLocation *source) {
  return source != nullptr ? shortText(*source) : std::string();
}

std::string nameOf(const Operation &operation) { return opcodeName(operation.opcode()); }

/// The text on one line, with each character mapped.
template <class Map> std::string escaped(std::string_view plain, Map &&map) {
  std::string result;
  for (const char c : plain) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f)
      result += ' ';
    else
      map(result, c);
  }
  return result;
}

// ── tables ──────────────────────────────────────────────────────────────────────────────────────

struct Column {
  enum Group { always, values, sources }; ///< only in listings with such
  const char *name;
  int width;         ///< characters of the text format
  const char *latex; ///< width in cm
  Group group = always;
};
constexpr std::size_t kNumColumns = 10;
constexpr std::array<Column, kNumColumns> columns{{
    {"number", 8, "1.4"},
    {"code", 4, "0.8"},
    {"name", 16, "2.4"},
    {"flags", 5, "0.7"},
    {"locations", 14, "3.0"},
    {"constants", 16, "3.6"},
    {"result", 22, "2.6", Column::values},
    {"operands", 22, "4.6", Column::values},
    {"operation", 24, "6.4"},
    {"source", 0, "5.8", Column::sources},
}};

/// A format with a row of cells per operation.
class Table : public ListingFormat {
public:
  void begin(std::string &out, const Heading &heading) final {
    shown_ = {true, heading.values, heading.sources};
    head(out, heading);
  }
  void operation(std::string &out, const Operation &operation, const OperationValues &values,
                 const SourceLocation *source) final {
    const std::array<std::string, kNumColumns> cells{
        text(operation.number), text(std::size_t{operation.opcode()}),
        nameOf(operation),      flagsOf(operation),
        locationsOf(operation), constantsOf(operation),
        resultOf(values),       operandsOf(operation, values),
        meaningOf(operation),   sourceOf(source),
    };
    beginRow(out);
    forEachColumn([&](std::size_t i) { cell(out, i, cells[i]); });
    endRow(out);
  }

protected:
  bool shows(Column::Group group) const { return shown_[group]; }
  /// Calls f with the index of each column that the listing has.
  template <class F> void forEachColumn(F &&f) const {
    for (std::size_t i = 0; i < kNumColumns; ++i)
      if (shows(columns[i].group))
        f(i);
  }
  virtual void head(std::string &out, const Heading &heading) = 0;
  virtual void beginRow(std::string &) {}
  virtual void cell(std::string &out, std::size_t column, const std::string &content) = 0;
  virtual void endRow(std::string &out) = 0;

private:
  std::array<bool, 3> shown_{}; // by group
};

class TextTable final : public Table {
  void head(std::string &out, const Heading &heading) override {
    const auto asIs = [](std::string &to, char c) { to += c; };
    out += "# " + escaped(heading.title, asIs) + "\n# " + heading.range + "\n#\n";
    const std::size_t begin = out.size();
    forEachColumn([&](std::size_t i) { cell(out, i, columns[i].name); });
    endRow(out);
    out[begin] = '#'; // instead of a blank before the first name
  }
  void cell(std::string &out, std::size_t column, const std::string &content) override {
    const std::string shown = content.empty() ? "-" : content;
    const auto width = static_cast<std::size_t>(columns[column].width);
    const std::string padding(width > shown.size() ? width - shown.size() : 0, ' ');
    const bool isNumber = column < 2;
    if (column != 0)
      out += "  ";
    out += isNumber ? padding + shown : shown + padding;
  }
  void endRow(std::string &out) override {
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  void end(std::string &) override {}
};

class MarkdownTable final : public Table {
  void head(std::string &out, const Heading &heading) override {
    const std::string_view special = "\\`*_{}[]<>()#+-.!|~&";
    out += "# " + escaped(heading.title, [&](std::string &to, char c) {
             if (special.find(c) != std::string_view::npos)
               to += '\\';
             to += c;
           });
    out += "\n\n" + heading.range + "\n\n|";
    forEachColumn([&](std::size_t i) { out += std::string(" ") + columns[i].name + " |"; });
    out += "\n|";
    forEachColumn([&](std::size_t i) { out += i < 2 ? "---:|" : "---|"; });
    out += '\n';
  }
  void beginRow(std::string &out) override { out += '|'; }
  void cell(std::string &out, std::size_t, const std::string &content) override {
    if (!content.empty()) {
      out += " `";
      for (const char c : content) { // a bar ends the cell, also in code
        if (c == '|')
          out += '\\';
        out += c;
      }
      out += '`';
    }
    out += " |";
  }
  void endRow(std::string &out) override { out += '\n'; }
  void end(std::string &) override {}
};

class LatexTable final : public Table {
  void head(std::string &out, const Heading &heading) override {
    out += "\\documentclass[a4paper,landscape]{article}\n"
           "\\usepackage[margin=1cm" +
           std::string(heading.sources ? ",paperwidth=36cm" : "") +
           "]{geometry}\n"
           "\\usepackage{array,longtable}\n"
           "\\setlength{\\tabcolsep}{2pt}\n"
           "\\renewcommand{\\arraystretch}{1.2}\n"
           "\\setlength{\\LTleft}{0pt}\n"
           "\\begin{document}\n"
           "\\noindent\\textbf{" +
           latex(heading.title) + "}\\par\\noindent " + latex(heading.range) +
           ".\n"
           "\\tiny\\ttfamily\n"
           "\\begin{longtable}{@{}";
    forEachColumn([&](std::size_t i) {
      out += std::string("\n  >{\\ragged") + (i < 2 ? "left" : "right") + "}p{" + columns[i].latex +
             "cm}";
    });
    out += "@{}}\n";
    forEachColumn([&](std::size_t i) { cell(out, i, columns[i].name); });
    endRow(out);
    out += "\\hline\\endhead\n";
  }
  void cell(std::string &out, std::size_t column, const std::string &content) override {
    if (column != 0)
      out += " & ";
    out += latex(content);
  }
  void endRow(std::string &out) override { out += " \\tabularnewline\n"; }
  void end(std::string &out) override { out += "\\end{longtable}\n\\end{document}\n"; }

  static std::string latex(std::string_view plain) {
    return escaped(plain, [](std::string &to, char c) {
      constexpr std::string_view escapable = "&#%_", onlyInTypewriter = "\\{}$~^<>|\"";
      const auto code = static_cast<unsigned char>(c);
      if (escapable.find(c) != std::string_view::npos) {
        to += '\\';
        to += c;
      } else if (onlyInTypewriter.find(c) != std::string_view::npos) {
        to += "{\\ttfamily\\char" + std::to_string(code) + "}";
      } else if (c == '-' || c == '\'' || c == '`') { // two of them are another character
        to += c;
        to += "{}";
      } else if (c == ',') { // lists have no blanks
        to += ",\\allowbreak{}";
      } else if (code < 0x80) {
        to += c;
      } else if (code >= 0xc0) { // the first byte of a character
        to += '?';
      }
    });
  }
};

// ── the graph ───────────────────────────────────────────────────────────────────────────────────

class Graph final : public ListingFormat {
public:
  explicit Graph(std::size_t numLocations) : writers_(numLocations, kNobody) {}

  void begin(std::string &out, const Heading &heading) override {
    out += "digraph \"tape " + std::to_string(heading.tape) + "\" {\n  label=\"" +
           quoted(heading.title) + "\\n" + quoted(heading.range) +
           "\";\n"
           "  labelloc=t;\n"
           "  node [shape=box, fontname=monospace];\n"
           "  edge [fontname=monospace];\n";
  }
  void operation(std::string &out, const Operation &operation, const OperationValues &values,
                 const SourceLocation *source) override {
    const OPCODES opcode = operation.opcode();
    if (opcode == start_of_tape || opcode == end_of_tape)
      return;
    const std::string number = text(operation.number);
    out += "  " + number + " [label=\"" + number + ": " + quoted(meaningOf(operation));
    if (opcode == take_stock_op)
      out += ", v" + locationsOf(operation);
    if (const std::string result = resultOf(values); !result.empty())
      out += "\\n" + result;
    if (const std::string place = sourceOf(source); !place.empty())
      out += "\\n" + quoted(place);
    out += '"';
    if (opcode == assign_ind || opcode == assign_dep)
      out += ", shape=ellipse";
    out += "];\n";

    std::vector<LocCell> drawn;
    for (const OperandSource operand : operation.operands()) {
      if (!operation.located(operand))
        continue;
      const LocCell loc = operation.location(operand);
      if (writers_[loc] == kNobody || std::count(drawn.begin(), drawn.end(), loc) != 0)
        continue;
      drawn.push_back(loc);
      out += "  " + text(writers_[loc]) + " -> " + number + " [label=\"" + variable(loc) + "\"];\n";
    }
    skipped(operation);
  }
  void skipped(const Operation &operation) override {
    if (const std::size_t count = operation.numWritten(); count != 0)
      std::fill_n(writers_.begin() + static_cast<std::ptrdiff_t>(operation.firstWritten()), count,
                  operation.number);
  }
  bool wantsSkipped() const override { return true; }
  void end(std::string &out) override { out += "}\n"; }

private:
  static std::string quoted(std::string_view plain) {
    return escaped(plain, [](std::string &to, char c) {
      if (c == '"' || c == '\\')
        to += '\\';
      to += c;
    });
  }

  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> writers_; // the operation that has written a location last
};

} // namespace

std::unique_ptr<ListingFormat> listingFormat(TapeDocFormat format, std::size_t numLocations) {
  switch (format) {
  case TapeDocFormat::latex:
    return std::make_unique<LatexTable>();
  case TapeDocFormat::text:
    return std::make_unique<TextTable>();
  case TapeDocFormat::markdown:
    return std::make_unique<MarkdownTable>();
  case TapeDocFormat::graphviz:
    return std::make_unique<Graph>(numLocations);
  }
  return nullptr;
}

} // namespace ADOLC::detail
