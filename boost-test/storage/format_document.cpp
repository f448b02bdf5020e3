// SPDX-License-Identifier: MIT
// The dump in doc/tape-format.md is that of a real file.
#include "support/expect.h"
#include "tape_files.h"

#include "storage/format.h"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace storage;

namespace {

/// What another version of the library may have otherwise: its version, its table of operations,
/// and the checksum of the header therefore.
bool varies(std::size_t at) { return (at >= 0x28 && at < 0x40) || (at >= 0xe8 && at < 0xf0); }

/// Lines of 16 bytes as the document has them, without lines of zeros.
std::string dump(const Bytes &bytes) {
  std::string result;
  for (std::size_t from = 0; from < bytes.size(); from += 16) {
    const std::size_t to = std::min(bytes.size(), from + 16);
    std::string line;
    bool zero = true;
    for (std::size_t i = from; i < to; ++i) {
      char text[4];
      std::snprintf(text, sizeof text, " %02x", bytes[i]);
      line += varies(i) ? " .." : text;
      zero = zero && bytes[i] == 0;
    }
    char offset[24];
    std::snprintf(offset, sizeof offset, "%08zx ", from);
    if (!zero)
      result += offset + line + "\n";
  }
  return result;
}

/// The lines of the document that look like those, without their annotations.
std::string documented(const std::filesystem::path &file) {
  std::ifstream in(file);
  std::string result, line;
  while (std::getline(in, line)) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.size() < begin + 10 ||
        line.find_first_not_of("0123456789abcdef", begin) != begin + 8 ||
        line.compare(begin + 8, 2, "  ") != 0)
      continue;
    const std::size_t end = line.find("  ", begin + 10);
    result += line.substr(begin, end - begin) + "\n";
  }
  return result;
}

struct Fixture : test::CleanThread {};

} // namespace

BOOST_FIXTURE_TEST_SUITE(format_document, Fixture)

BOOST_AUTO_TEST_CASE(dump_of_a_small_tape) {
  const Folder folder;
  const short tag = createNewTape();
  setCurrentTape(tag);
  trace_on(tag);
  {
    adouble x, y;
    x <<= 3.0;
    y = 2.0 * x;
    y += sin(x); // in two statements: compilers choose which operand comes first
    double value = 0.0;
    y >>= value;
  }
  trace_off();
  setCurrentTape(nullptr);
  ADOLC::saveTape(tag, folder / "tape");
  const std::string real = dump(read(folder / "tape"));
  BOOST_TEST(documented(std::filesystem::path(ADOLC_SOURCE_DIR) / "doc" / "tape-format.md") == real,
             "doc/tape-format.md should have this dump:\n"
                 << real);
  ADOLC::removeTape(tag);
}

BOOST_AUTO_TEST_SUITE_END()
