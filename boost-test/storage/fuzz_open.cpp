// SPDX-License-Identifier: MIT
// A target for libFuzzer: any bytes, with right checksums, are refused by openTape or can be swept
// over. Built where ADOLC_SANITIZE has fuzzer-no-link, see tests.cmake.
#include "ops/recording.h"
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

/// Records y = x0² of a tape, with more if `more` adds something.
template <class More> void recordSquare(short tag, const More &more) {
  trace_on(tag);
  {
    adouble x;
    x <<= 1.5;
    adouble y = x * x;
    more(y);
    double value = 0.0;
    y >>= value;
  }
  trace_off();
}

/// What the tables and the streams may have that single operations do not.
template <class Add> void recordOther(const Add &add) {
  trace_on(1);
  trace_off();
  add(1, "empty");

  const short withParameters = createNewTape();
  setCurrentTape(withParameters);
  {
    const pdouble unused(100.0), a(2.0), b(3.0);
    recordSquare(withParameters, [&](adouble &y) { y = y * adouble(a) + adouble(b); });
  }
  setCurrentTape(nullptr);
  add(withParameters, "parameters");

  const short asAbsolute = createNewTape();
  setCurrentTape(asAbsolute);
  findTape(asAbsolute).enableMinMaxUsingAbs();
  recordSquare(asAbsolute, [](adouble &y) { y = fmax(y, 2.0 * y); });
  setCurrentTape(nullptr);
  add(asAbsolute, "absolute-values");

  { // zeros, which are short here
    std::vector<adouble> live(70000);
    for (adouble &variable : live)
      variable = 0.0;
    recordSquare(1, [&live](adouble &y) { y += live.front() * live.back(); });
  }
  add(1, "wide-locations");

  const auto sum = [](adouble &y) {
    for (int i = 0; i < 1200; ++i)
      y += 2.0 * y;
  };
  recordSquare(1, sum);
  add(1, "blocks");
  findOrCreateTape(2).memoryBudget(4096);
  recordSquare(2, sum);
  add(2, "spilled");
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
    for (const rows::OpRow &row : rows::allRows()) {
      rows::recordRow(row, row.points().front());
      add(rows::kTag, std::string("operation-") + row.name);
    }
    recordOther(add);
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
