// SPDX-License-Identifier: MIT
// Whatever fails while a tape is saved: the former file of that name stays, nothing is left beside
// it, and the recording can be used.
#include "support/expect.h"
#include "tape_files.h"

#include "storage/file.h"
#include "storage/format.h"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace storage;
using namespace ADOLC::detail;
using test::ErrorType;
using test::expectError;

namespace {

constexpr short kTag = 1;

/// System calls that fail when they are told to, transfer little, and are interrupted.
struct Faults {
  int failAt = 0;                   ///< the call, counted from 1; 0: none
  int error = 0;                    ///< with which number
  std::size_t mostBytes = SIZE_MAX; ///< of one transfer
  bool interrupted = false;         ///< every other call of those that are repeated
  int calls = 0, interruptions = 0;
} faults;

const SystemCalls original = systemCalls();

/// Whether the present call fails.
bool fails() {
  if (++faults.calls != faults.failAt)
    return false;
  errno = faults.error;
  return true;
}
bool isInterrupted() {
  if (!faults.interrupted || ++faults.interruptions % 2 == 0)
    return false;
  errno = EINTR;
  return true;
}

/// Puts such calls in place for the time of a scope.
struct WithFaults {
  explicit WithFaults(const Faults &wanted) {
    faults = wanted;
    SystemCalls &calls = systemCalls();
    calls.open = [](const char *name, int flags, mode_t mode) {
      return isInterrupted() || fails() ? -1 : original.open(name, flags, mode);
    };
    calls.pread = [](int file, void *to, std::size_t bytes, off_t offset) -> ssize_t {
      return isInterrupted() || fails()
                 ? -1
                 : original.pread(file, to, std::min(bytes, faults.mostBytes), offset);
    };
    calls.pwrite = [](int file, const void *from, std::size_t bytes, off_t offset) -> ssize_t {
      return isInterrupted() || fails()
                 ? -1
                 : original.pwrite(file, from, std::min(bytes, faults.mostBytes), offset);
    };
    calls.fsync = [](int file) { return isInterrupted() || fails() ? -1 : original.fsync(file); };
    calls.close = [](int file) {
      const bool fail = fails();
      const int result = original.close(file);
      if (fail)
        errno = faults.error;
      return fail ? -1 : result;
    };
    calls.link = [](int file, const char *name) {
      return isInterrupted() || fails() ? -1 : original.link(file, name);
    };
    calls.rename = [](const char *from, const char *to) {
      return fails() ? -1 : original.rename(from, to);
    };
  }
  ~WithFaults() { systemCalls() = original; }
};

bool hasFilesWithoutName(const std::filesystem::path &directory) {
#if defined(O_TMPFILE)
  const Descriptor file(::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  return file.number() >= 0 && ::access("/proc/self/fd", F_OK) == 0;
#else
  return false;
#endif
}

struct Fixture : test::CleanThread {
  Fixture() : file(folder / "tape") {
    recordSmall(kTag);
    expected = sweep(kTag, kSmallPoint);
  }
  /// Saving fails like this, and that is all that happens.
  template <class Save>
  void failing(const Save &save, std::initializer_list<std::string_view> words) {
    const Bytes former = read(file);
    const std::vector<std::string> names = folder.names();
    expectError(ErrorType::TAPING_FATAL_IO_ERROR, words, save);
    BOOST_TEST(read(file) == former);
    BOOST_TEST(folder.names() == names, boost::test_tools::per_element());
    BOOST_TEST(same(sweep(kTag, kSmallPoint), expected));
  }
  void save() { ADOLC::saveTape(kTag, file); }

  Folder folder;
  std::filesystem::path file;
  sweeps::Result expected;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(saving, Fixture)

BOOST_AUTO_TEST_CASE(every_call_failing) {
  for (const bool thereIsOne : {false, true}) {
    if (thereIsOne)
      write(file, {1, 2, 3});
    int calls = 0;
    {
      const WithFaults none({});
      ADOLC::saveTape(kTag, folder / "other");
      calls = faults.calls;
    }
    BOOST_TEST(calls >= 8); // open, four writes and the header, fsync, (link,) close, rename
    for (int call = 1; call <= calls; ++call) {
      const WithFaults one({.failAt = call, .error = ENOSPC});
      failing([this] { save(); }, {"saveTape", "tape 1", file.string(), "No space left"});
    }
  }
  save();
  BOOST_TEST(read(file) == read(folder / "other"));
}

BOOST_AUTO_TEST_CASE(messages_tell_what_failed) {
  write(file, {1, 2, 3});
  int calls = 0;
  {
    const WithFaults none({});
    ADOLC::saveTape(kTag, folder / "other");
    calls = faults.calls;
  }
  const auto failingAt = [this](int call, int error, const char *first, const char *second) {
    const WithFaults one({.failAt = call, .error = error});
    failing([this] { save(); }, {first, second});
  };
  failingAt(1, EACCES, "cannot be created", "Permission denied");
  failingAt(2, EIO, "writing at byte 4096 failed", "Input/output error");
  if (hasFilesWithoutName(folder.path()))
    failingAt(calls - 2, EMLINK, "cannot be given its name (first", "Too many links");
  failingAt(calls - (hasFilesWithoutName(folder.path()) ? 3 : 2), EDQUOT,
            "the disk did not take all of it", "quota exceeded");
  failingAt(calls - 1, EIO, "cannot be closed", "Input/output error");
  failingAt(calls, EROFS, "cannot be given its name", "Read-only file system");
}

BOOST_AUTO_TEST_CASE(short_and_interrupted_transfers) {
  ADOLC::saveTape(kTag, folder / "usual");
  {
    const WithFaults small({.mostBytes = 7, .interrupted = true});
    save();
    BOOST_TEST(faults.interruptions > 100);
  }
  BOOST_TEST(read(file) == read(folder / "usual"));
  const WithFaults small({.mostBytes = 7, .interrupted = true});
  const short opened = ADOLC::openTape(file);
  BOOST_TEST(same(sweep(opened, kSmallPoint), expected));
  ADOLC::removeTape(opened);
}

BOOST_AUTO_TEST_CASE(reading_fails) {
  save();
  int calls = 0;
  {
    const WithFaults none({});
    ADOLC::removeTape(ADOLC::openTape(file));
    calls = faults.calls;
  }
  const std::size_t before = numTapes();
  const ErrorType header = ErrorType::INTEGER_TAPE_FREAD_FAILED,
                  ops = ErrorType::EVAL_OP_TAPE_READ_FAILED,
                  locs = ErrorType::EVAL_LOC_TAPE_READ_FAILED,
                  vals = ErrorType::EVAL_VAL_TAPE_READ_FAILED;
  // open; header, zeros behind it, tables; each block and the zeros behind it; close
  const ErrorType types[] = {ErrorType::INTEGER_TAPE_FOPEN_FAILED,
                             header,
                             header,
                             header,
                             ops,
                             ops,
                             locs,
                             locs,
                             vals,
                             vals};
  BOOST_TEST_REQUIRE(calls == static_cast<int>(std::size(types)) + 1);
  for (int call = 1; call < calls; ++call) {
    const WithFaults one({.failAt = call, .error = EIO});
    expectError(types[call - 1], {"Input/output error"}, [this] { ADOLC::openTape(file); });
    BOOST_TEST(numTapes() == before);
  }
}

BOOST_AUTO_TEST_CASE(names_of_all_lengths) {
  const bool unnamed = hasFilesWithoutName(folder.path());
  for (const bool possible : {unnamed, false})
    for (const std::size_t length : {1u, 240u, 255u}) { // the most that file systems have
      SystemCalls &calls = systemCalls();
      if (!possible)
        calls.open = [](const char *name, int flags, mode_t mode) {
#if defined(O_TMPFILE)
          if ((flags & O_TMPFILE) == O_TMPFILE) {
            errno = EOPNOTSUPP;
            return -1;
          }
#endif
          return original.open(name, flags, mode);
        };
      const std::filesystem::path name = folder / std::string(length, 'n');
      ADOLC::saveTape(kTag, name);
      calls = original;
      const short opened = ADOLC::openTape(name);
      BOOST_TEST(same(sweep(opened, kSmallPoint), expected));
      ADOLC::removeTape(opened);
      std::filesystem::remove(name);
      BOOST_TEST(folder.names().empty());
    }
  failing([this] { ADOLC::saveTape(kTag, folder / std::string(256, 'n')); }, {"name too long"});
}

BOOST_AUTO_TEST_CASE(names_with_a_zero) {
  save();
  using namespace std::string_literals;
  for (const std::string &name : {"tape\0"s, "tape\0.other"s, "\0"s, "new\0"s}) {
    failing([&] { ADOLC::saveTape(kTag, folder / name); }, {"saveTape", "zero character"});
    const std::size_t before = numTapes();
    expectError(ErrorType::INTEGER_TAPE_FOPEN_FAILED, {"openTape", "zero character"},
                [&] { ADOLC::openTape(folder / name); });
    BOOST_TEST(numTapes() == before);
  }
}

/// The process dies at the next system call of this kind.
ssize_t dies() {
  raise(SIGKILL);
  return -1;
}

BOOST_AUTO_TEST_CASE(killed_processes_leave_nothing) {
  if (!hasFilesWithoutName(folder.path()))
    return;
  recordProgram(2, 5, 30000);
  write(file, {1, 2, 3});
  static int writes = 0;
  const std::vector<void (*)()> deaths = {
      [] { systemCalls().pwrite = [](int, const void *, std::size_t, off_t) { return dies(); }; },
      [] {
        systemCalls().pwrite = [](int to, const void *from, std::size_t bytes, off_t offset) {
          return ++writes == 5 ? dies() : original.pwrite(to, from, bytes / 2 + 1, offset);
        };
      },
      [] { systemCalls().fsync = [](int) { return static_cast<int>(dies()); }; },
      [] { systemCalls().link = [](int, const char *) { return static_cast<int>(dies()); }; }};
  for (const auto &death : deaths)
    for (const char *const name : {"tape", "new"}) {
      const pid_t child = fork();
      BOOST_REQUIRE(child >= 0);
      if (child == 0) {
        death();
        ADOLC::saveTape(2, folder / name);
        _exit(0);
      }
      int status = 0;
      BOOST_REQUIRE(waitpid(child, &status, 0) == child);
      BOOST_TEST(WIFSIGNALED(status));
      BOOST_TEST(read(file) == (Bytes{1, 2, 3}));
      BOOST_TEST(folder.names() == std::vector<std::string>{"tape"},
                 boost::test_tools::per_element());
    }
}

// As on file systems that have no files without a name, and without /proc.
BOOST_AUTO_TEST_CASE(files_that_always_have_a_name) {
  ADOLC::saveTape(kTag, folder / "usual");
  struct stat mode {
  }, former{};
  BOOST_REQUIRE(stat((folder / "usual").c_str(), &former) == 0);
  for (const int error : {EOPNOTSUPP, EISDIR, EINVAL}) {
    {
      const WithFaults first({.failAt = 1, .error = error});
      save();
    }
    BOOST_TEST(read(file) == read(folder / "usual"));
    BOOST_TEST(stat(file.c_str(), &mode) == 0);
    BOOST_TEST(mode.st_mode == former.st_mode);
    BOOST_TEST(folder.names() == (std::vector<std::string>{"tape", "usual"}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(limit_of_the_file_size) {
  write(file, {1, 2, 3});
  struct rlimit former {};
  BOOST_TEST_REQUIRE(getrlimit(RLIMIT_FSIZE, &former) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlim_t limit = 8192 + 100; // within the second block
  const struct rlimit small { limit, former.rlim_max };
  BOOST_TEST_REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string text;
  try {
    recordProgram(2, 5, 3000);
    ADOLC::saveTape(2, file);
  } catch (const ADOLCError::ADOLCError &error) {
    text = error.what();
  }
  BOOST_TEST_REQUIRE(setrlimit(RLIMIT_FSIZE, &former) == 0);
  std::signal(SIGXFSZ, handler);
  BOOST_TEST(text.find("File too large") != std::string::npos, text);
  BOOST_TEST(read(file) == (Bytes{1, 2, 3}));
  BOOST_TEST(folder.names() == std::vector<std::string>{"tape"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(places_where_nothing_can_be_saved) {
  const auto at = [](const std::filesystem::path &place) {
    return [place] { ADOLC::saveTape(kTag, place); };
  };
  failing(at(folder / "missing/tape"), {"No such file or directory"});
  failing(at(folder.path()), {"is a directory"});
  failing(at(""), {"cannot be given its name"});
  failing(at("/dev/full"), {"is not a regular file"}); // and is still there
  const auto pipe = folder / "pipe";
  BOOST_TEST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  failing(at(pipe), {"is not a regular file"});
  BOOST_TEST(std::filesystem::is_fifo(pipe));
  const auto closed = folder / "closed";
  BOOST_TEST_REQUIRE(mkdir(closed.c_str(), 0555) == 0);
  if (const Unprivileged user; user)
    failing(at(closed / "tape"), {"cannot be created", "Permission denied"});
}

BOOST_AUTO_TEST_CASE(replacing) {
  write(file, Bytes(100000, 1));
  save();
  BOOST_TEST(same(sweep(ADOLC::openTape(file), kSmallPoint), expected));
  const auto target = folder / "target", link = folder / "link";
  write(target, {1, 2, 3});
  std::filesystem::create_symlink(target, link);
  ADOLC::saveTape(kTag, link); // the name is replaced, not what it stands for
  BOOST_TEST(read(target) == (Bytes{1, 2, 3}));
  BOOST_TEST(read(link) == read(file));
}

BOOST_AUTO_TEST_CASE(relative_names) {
  const WorkingDirectory inside(folder.path());
  ADOLC::saveTape(kTag, "relative");
  BOOST_TEST(same(sweep(ADOLC::openTape("./relative"), kSmallPoint), expected));
}

BOOST_AUTO_TEST_CASE(tapes_that_cannot_be_saved) {
  const auto saving = [this](short tag) { return [this, tag] { ADOLC::saveTape(tag, file); }; };
  expectError(ErrorType::NO_TAPE_ID, {"saveTape", "12345"}, saving(12345));
  expectError(ErrorType::NO_TAPE_ID, {"-1"}, saving(-1));
  const short tag = createNewTape();
  setCurrentTape(nullptr);
  expectError(ErrorType::NO_RECORDING, {"saveTape", "tape " + std::to_string(tag)}, saving(tag));
  trace_on(tag);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"saveTape", std::to_string(tag)}, saving(tag));
  save(); // another one can be saved meanwhile
  trace_off();
  BOOST_TEST(folder.names() == std::vector<std::string>{"tape"}, boost::test_tools::per_element());
  ADOLC::removeTape(tag);
  expectError(ErrorType::NO_TAPE_ID, {std::to_string(tag)}, saving(tag));
  expectError(ErrorType::NO_TAPE_ID, {std::to_string(tag)}, [tag] { ADOLC::tapeFile(tag); });
}

// Threads save different tapes under one name, and others open it: they always find a whole one.
BOOST_AUTO_TEST_CASE(one_name_for_many) {
  constexpr int numTags = 3, times = 15;
  std::vector<sweeps::Result> results;
  std::vector<Bytes> files;
  for (short t = 0; t < numTags; ++t) {
    test::recordScalar(static_cast<short>(10 + t), kSmallPoint,
                       [t](auto &x) { return x[0] * x[1] + double(t); });
    ADOLC::saveTape(static_cast<short>(10 + t), file);
    files.push_back(read(file));
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (short t = 0; t < numTags; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < times; ++i)
        ADOLC::saveTape(static_cast<short>(10 + t), file);
    });
    threads.emplace_back([&] {
      for (int i = 0; i < times; ++i)
        try {
          const short opened = ADOLC::openTape(file);
          double y = 0.0;
          zos_forward(opened, 1, 2, 0, kSmallPoint.data(), &y);
          wrong += y != 1.5 && y != 2.5 && y != 3.5;
          ADOLC::removeTape(opened);
        } catch (const std::exception &) {
          ++wrong;
        }
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(folder.names() == std::vector<std::string>{"tape"}, boost::test_tools::per_element());
  BOOST_TEST((std::find(files.begin(), files.end(), read(file)) != files.end()));
}

BOOST_AUTO_TEST_SUITE_END()
