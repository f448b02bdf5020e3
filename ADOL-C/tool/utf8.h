// Text of unknown origin, such as names of files, in documents that are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tool {

/// The text as UTF-8 without control characters: a blank stands for each of these, U+FFFD for what
/// is no character, which includes U+FFFE and U+FFFF.
std::string printable(std::string_view text);

} // namespace tool
