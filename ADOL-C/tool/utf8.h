// Text of unknown origin, such as names of files, in documents that are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tool {

/// Whether the text begins with a letter: those of Latin-1 if it is not UTF-8.
bool beginsWithLetter(std::string_view text);

/// The text as UTF-8 without control characters: a blank stands for each of these, U+FFFD for what
/// is no character, which includes U+FFFE and U+FFFF.
std::string printable(std::string_view text);

} // namespace tool
