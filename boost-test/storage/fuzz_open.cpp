// SPDX-License-Identifier: MIT
// A target for libFuzzer: any bytes, with right checksums, are refused by openTape or can be swept
// over. Built where ADOLC_SANITIZE has fuzzer-no-link, see tests.cmake.
#include "tape_files.h"

#include <adolc/adolc.h>

// What the sweeps of the tests report with.
#define BOOST_TEST_NO_MAIN
#include <boost/test/included/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

const storage::Folder folder;

/// The input is a file in which runs of zeros are shortened: a byte 0 stands for itself and as many
/// zeros as the next two bytes say. Otherwise a mutation would hardly ever meet anything else.
storage::Bytes expanded(const std::uint8_t *data, std::size_t size) {
  storage::Bytes bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes.push_back(data[i]);
    if (data[i] == 0 && size - i > 2) {
      bytes.resize(bytes.size() + data[i + 1] + std::size_t{256} * data[i + 2]);
      i += 2;
    }
  }
  return bytes;
}
storage::Bytes shortened(const storage::Bytes &bytes) {
  storage::Bytes result;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    result.push_back(bytes[i]);
    if (bytes[i] != 0)
      continue;
    std::size_t more = 0;
    while (i + 1 < bytes.size() && bytes[i + 1] == 0 && more < 65535) {
      ++more;
      ++i;
    }
    result.push_back(static_cast<unsigned char>(more & 255));
    result.push_back(static_cast<unsigned char>(more >> 8));
  }
  return result;
}

} // namespace

/// Writes the first inputs where ADOLC_CORPUS says.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  if (const char *const corpus = std::getenv("ADOLC_CORPUS")) {
    const std::filesystem::path directory(corpus);
    std::filesystem::create_directories(directory);
    const auto add = [&directory](short tag, const std::string &name) {
      ADOLC::saveTape(tag, folder / "tape");
      const storage::Bytes bytes = storage::read(folder / "tape");
      const storage::Bytes input = shortened(bytes);
      if (expanded(input.data(), input.size()) != bytes)
        std::abort();
      storage::write(directory / name, input);
    };
    storage::recordSmall(1);
    add(1, "small");
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      storage::recordProgram(1, seed, 30);
      add(1, "program" + std::to_string(seed));
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  storage::Bytes bytes = expanded(data, size);
  if (bytes.size() > (std::size_t{1} << 20))
    return 0;
  storage::fixChecksums(bytes);
  storage::write(folder / "tape", bytes);
  short tag = -1;
  try {
    tag = ADOLC::openTape(folder / "tape");
  } catch (const ADOLCError::ADOLCError &) {
    return 0; // anything else is a fault
  }
  if (tapestats(tag)[NUM_INDEPENDENTS] < 100000)
    storage::sweepOver(tag);
  ADOLC::removeTape(tag);
  return 0;
}
