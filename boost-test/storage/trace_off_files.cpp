// SPDX-License-Identifier: MIT
// The file that trace_off(1) writes, and how long it lives.
#include "support/expect.h"
#include "tape_files.h"

#include "storage/file.h"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdlib>
#include <iostream>

#include <sys/wait.h>
#include <unistd.h>

using namespace storage;
using test::ErrorType;
using test::expectError;

namespace {

constexpr short kTag = 1;

struct Fixture : test::CleanThread {
  // Tapes of earlier tests have no files any more.
  Fixture() : inside(folder.path()) {}
  ~Fixture() { ADOLC::tryRemoveTape(kTag); }

  /// Records y = 3 x².
  static void record(int flag, int skipFileCleanup = 0, short tag = kTag) {
    trace_on(tag, 0, 1000, 1000, 1000, 1000, skipFileCleanup);
    {
      adouble x;
      x <<= 2.0;
      adouble y = 3.0 * x * x;
      double value = 0.0;
      y >>= value;
    }
    trace_off(flag);
  }
  static double derivative(short tag, double at) {
    return ADOLC::gradient(tag, std::vector<double>{at})[0];
  }
  /// What the child did: its exit code.
  template <class Child> static int inChild(const Child &child) {
    std::cout.flush(); // or the child writes it again
    const pid_t id = fork();
    if (id == 0) {
      child();
      std::exit(0); // with everything that happens at the end of a process
    }
    int status = -1;
    waitpid(id, &status, 0);
    return status;
  }

  Folder folder;
  WorkingDirectory inside;
};

/// Older than all recordings: what it runs comes after what the first of them has registered for
/// the end of the process.
struct AtEnd {
  void (*run)() = nullptr;
  ~AtEnd() {
    if (run != nullptr)
      run();
  }
};
AtEnd atEnd, beforeThat;

std::array<std::size_t, 3> fileAccess(short tag) {
  const auto stats = tapestats(tag);
  return {stats[OP_FILE_ACCESS], stats[LOC_FILE_ACCESS], stats[VAL_FILE_ACCESS]};
}
constexpr std::array<std::size_t, 3> kInMemory{0, 0, 0}, kInFile{1, 1, 1};

} // namespace

BOOST_FIXTURE_TEST_SUITE(trace_off_files, Fixture)

BOOST_AUTO_TEST_CASE(written_on_demand) {
  record(0);
  BOOST_TEST(folder.names().empty());
  BOOST_TEST(ADOLC::tapeFile(kTag).empty());
  BOOST_TEST((fileAccess(kTag) == kInMemory));
  record(1);
  BOOST_TEST((fileAccess(kTag) == kInFile));
  const std::string name = "ADOLC-Operations_process-" + std::to_string(getpid()) +
                           "_thread-0_tape-" + std::to_string(kTag) + ".tap";
  BOOST_TEST(folder.names() == std::vector<std::string>{name}, boost::test_tools::per_element());
  BOOST_TEST(ADOLC::tapeFile(kTag) == std::filesystem::current_path() / name);
  BOOST_TEST(derivative(kTag, 5.0) == 30.0);
  const short opened = ADOLC::openTape(ADOLC::tapeFile(kTag));
  BOOST_TEST(derivative(opened, 5.0) == 30.0);
  BOOST_TEST(ADOLC::tapeFile(opened).empty()); // it is not its file
  BOOST_TEST((fileAccess(opened) == kInMemory));
  ADOLC::removeTape(opened);
  BOOST_TEST(folder.names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(removed_with_the_recording) {
  record(1);
  record(1);
  BOOST_TEST(folder.names().size() == 1u); // the former one is gone
  trace_on(kTag);
  BOOST_TEST(folder.names().empty());
  trace_off();
  BOOST_TEST((fileAccess(kTag) == kInMemory));
  record(1);
  {
    const WorkingDirectory elsewhere("/");
    ADOLC::removeTape(kTag);
  }
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(kept_on_demand) {
  record(1, 1);
  const auto file = ADOLC::tapeFile(kTag);
  const Bytes first = read(file);
  record(1); // a kept file is not replaced either
  BOOST_TEST(ADOLC::tapeFile(kTag) != file);
  BOOST_TEST(folder.names().size() == 2u);
  record(0, 1);
  BOOST_TEST(folder.names().size() == 1u);
  ADOLC::removeTape(kTag);
  BOOST_TEST(read(file) == first);
  const short opened = ADOLC::openTape(file);
  BOOST_TEST(derivative(opened, 1.0) == 6.0);
  ADOLC::removeTape(opened);
  BOOST_TEST(folder.names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(removed_at_the_end_of_the_process) {
  BOOST_TEST(inChild([] {
               record(1, 0, 7);
               record(1, 1, 8);
               if (!std::filesystem::exists(ADOLC::tapeFile(7)))
                 std::_Exit(1);
             }) == 0);
  const auto names = folder.names();
  BOOST_TEST_REQUIRE(names.size() == 1u);
  BOOST_TEST(names[0].find("tape-8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(removed_when_static_objects_record) {
  BOOST_TEST(inChild([] {
               atEnd.run = [] {
                 record(1, 0, 7);
                 record(1, 1, 8);
                 if (ADOLC::tapeFile(7).empty() || !std::filesystem::exists(ADOLC::tapeFile(7)))
                   std::_Exit(1);
               };
               beforeThat.run = [] { record(1, 0, 9); };
               record(1, 0, 10);
             }) == 0);
  const auto names = folder.names();
  BOOST_TEST_REQUIRE(names.size() == 1u);
  BOOST_TEST(names[0].find("tape-8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_child_removes_nothing_of_its_parent) {
  record(1);
  BOOST_TEST(inChild([] {}) == 0);
  BOOST_TEST(folder.names().size() == 1u);
  BOOST_TEST(inChild([] { record(0); }) == 0);
  BOOST_TEST(inChild([] { ADOLC::removeTape(kTag); }) == 0);
  BOOST_TEST(folder.names().size() == 1u);
  BOOST_TEST(derivative(ADOLC::openTape(ADOLC::tapeFile(kTag)), 1.0) == 6.0);
}

BOOST_AUTO_TEST_CASE(names_that_are_taken) {
  const std::string name = "ADOLC-Operations_process-" + std::to_string(getpid()) +
                           "_thread-0_tape-" + std::to_string(kTag);
  write(name + ".tap", {1});
  write(name + "-1.tap", {2});
  record(1);
  BOOST_TEST(ADOLC::tapeFile(kTag).filename() == name + "-2.tap");
  ADOLC::removeTape(kTag);
  BOOST_TEST(read(name + ".tap") == Bytes{1});
  BOOST_TEST(read(name + "-1.tap") == Bytes{2});
  BOOST_TEST(folder.names().size() == 2u);
}

BOOST_AUTO_TEST_CASE(nested_recordings) {
  double inner = 0.0;
  trace_on(kTag);
  {
    adouble x;
    x <<= 2.0;
    record(1, 0, 9);
    inner = derivative(9, 1.0);
    adouble y = x * inner;
    y >>= inner;
  }
  trace_off(1);
  BOOST_TEST(folder.names().size() == 2u);
  BOOST_TEST(derivative(kTag, 4.0) == 6.0);
  ADOLC::removeTape(9);
  BOOST_TEST(folder.names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(not_written) {
  // Each system call fails once.
  static int countdown = 0;
  static const ADOLC::detail::SystemCalls original = ADOLC::detail::systemCalls();
  const auto fails = [] {
    if (--countdown != 0)
      return false;
    errno = ENOSPC;
    return true;
  };
  static const auto failsNow = fails;
  ADOLC::detail::SystemCalls &calls = ADOLC::detail::systemCalls();
  calls.open = [](const char *name, int flags, mode_t mode) {
    return failsNow() ? -1 : original.open(name, flags, mode);
  };
  calls.pwrite = [](int file, const void *from, std::size_t bytes, off_t offset) -> ssize_t {
    return failsNow() ? -1 : original.pwrite(file, from, bytes, offset);
  };
  calls.rename = [](const char *from, const char *to) {
    return failsNow() ? -1 : original.rename(from, to);
  };
  for (int call = 1; call <= 6; ++call)
    for (const int skipFileCleanup : {0, 1}) {
      countdown = call;
      expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"trace_off", "tape 1", "No space left"},
                  [=] { record(1, skipFileCleanup); });
      BOOST_TEST(folder.names().empty());
      BOOST_TEST(ADOLC::tapeFile(kTag).empty());
      BOOST_TEST((fileAccess(kTag) == kInMemory));
      // The recording has ended and is usable.
      BOOST_TEST(!isTaping());
      BOOST_TEST(currentTapePtr() == nullptr);
      BOOST_TEST(derivative(kTag, 5.0) == 30.0);
    }
  calls = original;
}

BOOST_AUTO_TEST_CASE(no_directory) {
  auto gone = std::make_unique<Folder>();
  {
    const WorkingDirectory elsewhere(gone->path());
    gone.reset();
    expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"trace_off", "No such file"}, [] { record(1); });
  }
  BOOST_TEST(derivative(kTag, 5.0) == 30.0);
}

BOOST_AUTO_TEST_SUITE_END()
