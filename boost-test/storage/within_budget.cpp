// SPDX-License-Identifier: MIT
// Saved tapes that are opened under a memory budget: blocks stay in the file until a sweep needs
// them, and what happens to the file meanwhile is noticed.
#include "support/expect.h"
#include "tape_files.h"

#include <adolc/configuration.h>
#include <adolc/valuetape/spill.h>

#include <boost/test/unit_test.hpp>

using namespace storage;
using test::ErrorType;

namespace {

constexpr short kTag = 3;

/// A saved tape of many blocks, and what its sweeps give in memory.
struct Saved : test::CleanThread {
  Saved() : x(recordProgram(kTag, 4711, 20000)), expected(sweep(kTag, x)), file(folder / "tape") {
    ADOLC::saveTape(kTag, file);
    bytes = read(file);
    // Private files of the sweeps go elsewhere: what is in the folder is what was saved.
    ADOLC::setTapeMemory(1);
  }
  ~Saved() {
    ADOLC::setTapeMemory({});
    ADOLC::tryRemoveTape(kTag);
  }
  /// The sweeps throw one of the errors of reading, or give the right results: nothing else.
  void expectReadError(short id) const {
    try {
      sweep(id, x);
      BOOST_ERROR("nothing was thrown");
    } catch (const ADOLCError::ADOLCError &error) {
      const ErrorType type = error.type();
      BOOST_TEST((type == ErrorType::EVAL_OP_TAPE_READ_FAILED ||
                  type == ErrorType::EVAL_LOC_TAPE_READ_FAILED ||
                  type == ErrorType::EVAL_VAL_TAPE_READ_FAILED));
      const std::string text = error.what(); // names the file, not the folder of private files
      BOOST_TEST(text.find(file.string()) != std::string::npos, text);
      BOOST_TEST(error.tapeId() == id);
    }
  }

  Folder folder;
  std::vector<double> x;
  sweeps::Result expected;
  std::filesystem::path file;
  Bytes bytes;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(within_budget, Saved)

BOOST_AUTO_TEST_CASE(sweeps_read_blocks_as_they_need_them) {
  const short id = ADOLC::openTape(file);
  const ADOLC::detail::TapeRecordingContext &recording = findTape(id).recording();
  BOOST_REQUIRE(recording.ops.group() != nullptr);
  const std::size_t total =
      recording.ops.bytesOnDisk() + recording.locs.bytesOnDisk() + recording.vals.bytesOnDisk();
  BOOST_TEST(total > 100000u);
  BOOST_TEST(recording.ops.group()->resident() < total / 2);
  BOOST_TEST(same(sweep(id, x), expected));
  BOOST_TEST(tapestats(id)[TapeInfos::OP_FILE_ACCESS] == 1u);
  BOOST_TEST(ADOLC::opcodeHistogram(id) == ADOLC::opcodeHistogram(kTag),
             boost::test_tools::per_element());
  // Saved again it is the same file.
  ADOLC::saveTape(id, folder / "again");
  BOOST_TEST((read(folder / "again") == bytes));
  // Recording on it leaves the file alone.
  recordProgram(id, 815, 20000);
  ADOLC::removeTape(id);
  BOOST_TEST((read(file) == bytes));
}

// Blocks of the file make place for those of a recording, which is saved and swept in turn.
BOOST_AUTO_TEST_CASE(recorded_again_and_saved) {
  for (const std::size_t length : {100u, 3000u, 30000u}) {
    const short id = ADOLC::openTape(file);
    const std::vector<double> at = recordProgram(id, 99, length);
    const sweeps::Result result = sweep(id, at);
    ADOLC::saveTape(id, folder / "new");
    const short again = ADOLC::openTape(folder / "new");
    BOOST_TEST(same(sweep(again, at), result));
    ADOLC::removeTape(again);
    ADOLC::removeTape(id);
  }
  BOOST_TEST((read(file) == bytes));
}

BOOST_AUTO_TEST_CASE(deleted_or_replaced_files_stay_readable) {
  const short id = ADOLC::openTape(file);
  std::filesystem::remove(file);
  BOOST_TEST(same(sweep(id, x), expected));
  write(file, Bytes(100, 7)); // another file of the same name
  BOOST_TEST(same(sweep(id, x), expected));
  ADOLC::removeTape(id);
}

BOOST_AUTO_TEST_CASE(damage_and_truncation_are_noticed) {
  const short id = ADOLC::openTape(file);
  for (std::size_t at = 8192; at < bytes.size() / 2; at += bytes.size() / 7) {
    Bytes changed = bytes;
    changed[at] ^= 1;
    write(file, changed); // in place: the same file
    expectReadError(id);
  }
  write(file, bytes);
  BOOST_TEST(same(sweep(id, x), expected));
  std::filesystem::resize_file(file, 8192);
  expectReadError(id);
  write(file, bytes);
  BOOST_TEST(same(sweep(id, x), expected));
  ADOLC::removeTape(id);
}

BOOST_AUTO_TEST_SUITE_END()
