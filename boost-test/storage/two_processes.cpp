// SPDX-License-Identifier: MIT
// Several processes with one tag in one directory, at the same time: each has its own files.
#include "support/expect.h"
#include "tape_files.h"

#include <adolc/configuration.h>

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace storage;
namespace fs = std::filesystem;
extern char **environ;

namespace {

constexpr short kTag = 1;
constexpr int kSteps = 20000, kRounds = 5;

/// y = Π (1 + c x/i) with a number that each process has another one of.
double record(short tag, double c, int flag) {
  double y = 0.0;
  trace_on(tag, 1);
  {
    adouble x, product = 1.0;
    x <<= 0.5;
    for (int i = 1; i <= kSteps; ++i)
      product *= 1.0 + c * x / i;
    product >>= y;
  }
  trace_off(flag);
  return y;
}
double derivative(short tag) { return ADOLC::gradient(tag, std::vector<double>{0.25})[0]; }

/// Everything wrong in a process of the test is an exit code of its own.
[[noreturn]] void fail(int code) { std::_Exit(code); }

/// Waits until the other end of a pipe sends or closes.
void awaitEnd(int descriptor) {
  char ignored;
  while (::read(descriptor, &ignored, 1) < 0 && errno == EINTR) {
  }
}

/// A process that runs one of the disabled test cases of this program.
class Process {
public:
  Process(const std::string &testCase, const std::string &argument) {
    int in[2], out[2];
    BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0);
    BOOST_REQUIRE(pipe2(out, O_CLOEXEC) == 0);
    std::string program = "/proc/self/exe", test = "--run_test=two_processes/" + testCase,
                separator = "--", name = argument;
    char *arguments[] = {program.data(), test.data(), separator.data(), name.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], kIn);
    posix_spawn_file_actions_adddup2(&actions, out[1], kOut);
    BOOST_REQUIRE(posix_spawn(&id_, program.c_str(), &actions, nullptr, arguments, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;
  ~Process() {
    release();
    close(from_);
    int status = -1;
    BOOST_TEST(waitpid(id_, &status, 0) == id_);
    BOOST_TEST(status == 0, "process " << number_ << " ended with " << status);
  }
  /// It has come to where all wait for each other, or has ended.
  void await() const { awaitEnd(from_); }
  /// It goes on.
  void release() {
    if (to_ >= 0)
      close(to_);
    to_ = -1;
  }

  static constexpr int kIn = 0, kOut = 3;

private:
  pid_t id_ = -1;
  int to_ = -1, from_ = -1;
  static inline int next_ = 0;
  int number_ = ++next_;
};

/// In such a process: the others have come here, too.
void meet() {
  if (::write(Process::kOut, "", 1) != 1)
    fail(10);
  awaitEnd(Process::kIn);
}

std::string lastArgument() {
  const auto &suite = boost::unit_test::framework::master_test_suite();
  return suite.argc < 2 ? "" : suite.argv[suite.argc - 1];
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(two_processes, test::CleanThread)

// Run by the next test case in processes of its own. The argument is the number of the process.
BOOST_AUTO_TEST_CASE(child_records_and_reads_back, *boost::unit_test::disabled()) {
  if (lastArgument().empty())
    return; // somebody runs all tests by name
  const double c = std::strtod(lastArgument().c_str(), nullptr);
  constexpr short inMemory = 2;
  record(inMemory, c, 0);
  const double expected = derivative(inMemory);
  ADOLC::setTapeDirectory(fs::current_path());
  findOrCreateTape(kTag).memoryBudget(1);
  for (int round = 0; round < kRounds; ++round) {
    record(kTag, c, 1);
    if (round == 0)
      meet(); // all have their files at the same time
    if (findTape(kTag).spillStatistics().onDisk == 0)
      fail(11);
    if (derivative(kTag) != expected)
      fail(12);
    const fs::path file = ADOLC::tapeFile(kTag);
    if (file.parent_path() != fs::current_path())
      fail(13);
    const short opened = ADOLC::openTape(file);
    if (derivative(opened) != expected)
      fail(14);
    ADOLC::removeTape(opened);
  }
}

BOOST_AUTO_TEST_CASE(one_tag_in_one_directory) {
  const Folder folder;
  const WorkingDirectory inside(folder.path());
  {
    Process first("child_records_and_reads_back", "0.75"),
        second("child_records_and_reads_back", "1.25");
    first.await();
    second.await();
    BOOST_TEST(folder.names().size() == 2u);
    first.release();
    second.release();
  }
  BOOST_TEST(folder.names().empty());
}

// Two processes have the same number where they do not see each other, on two machines or in two
// containers, and share a directory: the name is there already.
BOOST_AUTO_TEST_CASE(one_name_for_both) {
  const Folder folder;
  const WorkingDirectory inside(folder.path());
  const std::string stem = "ADOLC-Operations_process-" + std::to_string(getpid()) +
                           "_thread-0_tape-" + std::to_string(kTag);
  record(kTag, 2.0, 1);
  const fs::path first = ADOLC::tapeFile(kTag);
  BOOST_TEST(first.filename() == stem + ".tap");
  const Bytes its = read(first);
  const double expected = derivative(kTag);
  const pid_t child = fork(); // its file has the name that the child would take as its parent
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    const std::string mine = "ADOLC-Operations_process-" + std::to_string(getpid()) +
                             "_thread-0_tape-" + std::to_string(kTag);
    // What the other process of this number has written, and is about to write.
    fs::copy_file(first, mine + ".tap");
    write(mine + "-1.tap", {1, 2, 3});
    try {
      record(kTag, 3.0, 1);
      if (ADOLC::tapeFile(kTag).filename() != mine + "-2.tap")
        fail(1);
      const double own = derivative(kTag);
      if (own == expected || derivative(ADOLC::openTape(ADOLC::tapeFile(kTag))) != own)
        fail(2);
      // The temporary name of saving, which this process would take next.
      const auto temporary = [](int number) {
        return "adolc-" + std::to_string(getpid()) + "-" + std::to_string(number) + ".tmp";
      };
      for (int number = 0; number < 50; ++number)
        write(temporary(number), {4});
      ADOLC::saveTape(kTag, "saved");
      if (derivative(ADOLC::openTape("saved")) != own)
        fail(3);
      for (int number = 0; number < 50; ++number)
        if (const fs::path other = temporary(number); read(other) != Bytes{4} || !fs::remove(other))
          fail(4);
      ADOLC::removeTape(kTag);
      if (read(mine + ".tap") != its || read(mine + "-1.tap") != Bytes{1, 2, 3})
        fail(5);
      if (fs::exists(mine + "-2.tap"))
        fail(6);
      for (const std::string &name : {mine + ".tap", mine + "-1.tap", std::string("saved")})
        fs::remove(name);
    } catch (...) {
      fail(7);
    }
    std::_Exit(0);
  }
  int status = -1;
  BOOST_TEST(waitpid(child, &status, 0) == child);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0), "status " << status);
  BOOST_TEST(read(first) == its);
  BOOST_TEST(derivative(ADOLC::openTape(first)) == expected);
  ADOLC::removeTape(kTag);
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_SUITE_END()
