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
