#include "utf8.h"

#include <cstddef>
#include <cstdint>

namespace tool {
namespace {

constexpr char32_t none = 0xffffffff;

/// The character at the begin of a text and its bytes. `none` stands for one byte, or for all bytes
/// of one that is none.
struct Character {
  char32_t code;
  std::size_t bytes;
};
Character first(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes)
    return {none, 1};
  char32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u)
      return {none, 1};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  // Neither longer than needed, nor a half of a pair, nor beyond what there is.
  constexpr char32_t least[] = {0x80, 0x800, 0x10000};
  if (code < least[bytes - 2] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
    return {none, 1};
  return {code == 0xfffe || code == 0xffff ? none : code, bytes};
}

} // namespace

bool beginsWithLetter(std::string_view text) {
  if (text.empty())
    return false;
  const char32_t code = first(text).code;
  const char32_t letter = code == none ? static_cast<unsigned char>(text.front()) : code;
  // Beyond ASCII and signs: what digits, signs and blanks of other scripts are taken to be matters
  // only if somebody writes numbers with them.
  if (letter < 0x80)
    return (letter | 0x20u) >= 'a' && (letter | 0x20u) <= 'z';
  struct Range {
    char32_t first, last;
  };
  constexpr Range others[] = {
      {0x80, 0xa9},     {0xab, 0xb4},      {0xb6, 0xb9},     {0xbb, 0xbf},     {0xd7, 0xd7},
      {0xf7, 0xf7},     {0x660, 0x66d},    {0x6f0, 0x6f9},   {0x966, 0x96f},   {0x1680, 0x1680},
      {0x2000, 0x2070}, {0x2072, 0x207e},  {0x2080, 0x208f}, {0x20a0, 0x20ff}, {0x2150, 0x2bff},
      {0x2e00, 0x3004}, {0x3007, 0x3030},  {0xe000, 0xf8ff}, {0xfe00, 0xfe6f}, {0xfeff, 0xff20},
      {0xffe0, 0xffff}, {0x1d7ce, 0x1d7ff}};
  for (const auto [begin, end] : others)
    if (letter >= begin && letter <= end)
      return false;
  return true;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [code, bytes] = first(text);
    if (code == none)
      result += "\xef\xbf\xbd";
    else if (code < 0x20 || (code >= 0x7f && code < 0xa0))
      result += ' ';
    else
      result += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

} // namespace tool
