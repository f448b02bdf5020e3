// SPDX-License-Identifier: MIT
// Disks that are really full or read-only: a file system in memory, which only this process sees.
#include "support/expect.h"
#include "tape_files.h"

#include <adolc/configuration.h>

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iostream>
#include <string>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

using namespace storage;
using test::ErrorType;
using test::expectError;
namespace fs = std::filesystem;

namespace {

constexpr short kTag = 1, kOther = 2;
constexpr std::size_t kDiskBytes = std::size_t{1} << 20;

void writeText(const char *file, const std::string &text) { std::ofstream(file) << text; }

/// Gives this process mounts of its own, if need be as root of users of its own; whether that is
/// possible. If not, says so; CTest counts the test as skipped then.
bool canMount() {
  static const bool can = [] {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(CLONE_NEWNS) != 0) {
      if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
      writeText("/proc/self/setgroups", "deny");
      writeText("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
      writeText("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
    }
    const Folder folder;
    return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("adolc-test", folder.path().c_str(), "tmpfs", 0, "size=64k") == 0 &&
           umount(folder.path().c_str()) == 0;
  }();
  if (!can)
    std::cout << "skipped: nothing can be mounted here\n";
  return can;
}

/// y = Π (1 + x/i).
void record(short tag, int steps, int flag = 0) {
  trace_on(tag, 1);
  {
    adouble x, product = 1.0;
    x <<= 0.5;
    for (int i = 1; i <= steps; ++i)
      product *= 1.0 + x / i;
    double y = 0.0;
    product >>= y;
  }
  trace_off(flag);
}
/// Steps whose recording fits on the disk, and far from it.
constexpr int kFew = 100, kMany = 100000;

double derivative(short tag) { return ADOLC::gradient(tag, std::vector<double>{0.25})[0]; }

class SmallDisk : public test::CleanThread {
public:
  SmallDisk() : mounted_(canMount()) {
    if (!mounted_)
      return;
    BOOST_REQUIRE(mount("adolc-test", folder_.path().c_str(), "tmpfs", 0,
                        ("size=" + std::to_string(kDiskBytes)).c_str()) == 0);
    expected_[0] = (record(kTag, kFew), derivative(kTag));
    expected_[1] = (record(kTag, kMany), derivative(kTag));
  }
  ~SmallDisk() {
    ADOLC::setTapeDirectory({});
    for (const short tag : {kTag, kOther})
      ADOLC::tryRemoveTape(tag);
    if (!mounted_)
      return;
    // Files without names are gone, too.
    BOOST_TEST(freeBytes() == kDiskBytes);
    BOOST_TEST(umount(folder_.path().c_str()) == 0);
  }

  bool mounted() const { return mounted_; }
  fs::path operator/(const std::string &name) const { return folder_ / name; }
  const fs::path &path() const { return folder_.path(); }
  std::vector<std::string> names() const { return folder_.names(); }
  std::uintmax_t freeBytes() const { return fs::space(path()).free; }
  void readOnly(bool on) const {
    BOOST_REQUIRE(
        mount(nullptr, path().c_str(), nullptr, MS_REMOUNT | (on ? MS_RDONLY : 0), nullptr) == 0);
  }
  /// A tape is what record() has made of it.
  void requireRecording(short tag, int steps) const {
    BOOST_TEST(derivative(tag) == expected_[steps == kMany]);
  }

private:
  Folder folder_;
  bool mounted_;
  double expected_[2] = {};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(small_disk, SmallDisk)

BOOST_AUTO_TEST_CASE(saving_on_a_full_disk) {
  if (!mounted())
    return;
  const fs::path file = *this / "tape";
  record(kOther, kFew);
  ADOLC::saveTape(kOther, file);
  const Bytes former = read(file);
  for (int i = 0; i < 3; ++i) { // nor does anything pile up
    expectError(ErrorType::TAPING_FATAL_IO_ERROR,
                {"saveTape", "tape 1", file.string(), "No space left on device"},
                [&file] { ADOLC::saveTape(kTag, file); });
    BOOST_TEST(names() == std::vector<std::string>{"tape"}, boost::test_tools::per_element());
    BOOST_TEST(read(file) == former);
    requireRecording(kTag, kMany);
  }
  // Nothing at all fits beside a file that fills the disk.
  write(*this / "filler", Bytes(freeBytes()));
  expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"No space left on device"},
              [&file] { ADOLC::saveTape(kOther, file); });
  BOOST_TEST(read(file) == former);
  fs::remove(*this / "filler");
  requireRecording(ADOLC::openTape(file), kFew);
  fs::remove(file);
}

BOOST_AUTO_TEST_CASE(trace_off_on_a_full_disk) {
  if (!mounted())
    return;
  const WorkingDirectory inside(path());
  expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"trace_off", "tape 1", "No space left on device"},
              [] { record(kTag, kMany, 1); });
  BOOST_TEST(!isTaping());
  BOOST_TEST(names().empty());
  BOOST_TEST(ADOLC::tapeFile(kTag).empty());
  requireRecording(kTag, kMany);
  record(kTag, kFew, 1); // there is room for this one
  BOOST_TEST(names().size() == 1u);
  requireRecording(ADOLC::openTape(ADOLC::tapeFile(kTag)), kFew);
}

BOOST_AUTO_TEST_CASE(spilling_to_a_full_disk) {
  if (!mounted())
    return;
  ADOLC::setTapeDirectory(path());
  findOrCreateTape(kOther).memoryBudget(1);
  for (int i = 0; i < 3; ++i) {
    expectError(ErrorType::TAPING_FATAL_IO_ERROR,
                {"tape 2", path().c_str(), "No space left on device"}, [] {
                  const ADOLC::Recording recording(kOther, 1);
                  adouble x, product = 1.0;
                  x <<= 0.5;
                  for (int k = 1; k <= kMany; ++k)
                    product *= 1.0 + x / k;
                });
    BOOST_TEST(!isTaping());
    BOOST_TEST(names().empty());
    requireRecording(kTag, kMany); // the one in memory
  }
  // The tape itself can be used again, and what fits is spilled.
  record(kOther, 5 * kFew);
  BOOST_TEST(findTape(kOther).spillStatistics().onDisk > 0u);
  record(kTag, 5 * kFew);
  BOOST_TEST(derivative(kOther) == derivative(kTag));
}

// The recording fits, the values of a sweep do not.
BOOST_AUTO_TEST_CASE(sweeping_on_a_full_disk) {
  if (!mounted())
    return;
  ADOLC::setTapeDirectory(path());
  findOrCreateTape(kOther).memoryBudget(1);
  record(kOther, 10 * kFew);
  const double expected = derivative(kOther);
  record(kOther, 10 * kFew);
  write(*this / "filler", Bytes(freeBytes()));
  const double x = 0.25;
  double y = 0.0;
  bool failed = false;
  try {
    zos_forward(kOther, 1, 1, 1, &x, &y); // may find room in its own file
  } catch (const ADOLCError::ADOLCError &error) {
    failed = true;
    BOOST_TEST(ADOLCError::errorName(error.type()) ==
               ADOLCError::errorName(ErrorType::TAPING_FATAL_IO_ERROR));
    BOOST_TEST(std::string(error.what()).find("No space left on device") != std::string::npos);
    BOOST_TEST(std::isnan(y));
  }
  BOOST_TEST_MESSAGE("the sweep has " << (failed ? "failed" : "found room"));
  fs::remove(*this / "filler");
  BOOST_TEST(derivative(kOther) == expected);
}

BOOST_AUTO_TEST_CASE(read_only) {
  if (!mounted())
    return;
  const fs::path file = *this / "tape";
  record(kOther, kFew);
  ADOLC::saveTape(kOther, file);
  readOnly(true);
  expectError(ErrorType::TAPING_FATAL_IO_ERROR,
              {"saveTape", "tape 1", file.string(), "Read-only file system"},
              [&file] { ADOLC::saveTape(kTag, file); });
  {
    const WorkingDirectory inside(path());
    expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"trace_off", "tape 1", "Read-only file system"},
                [] { record(kTag, kMany, 1); });
    BOOST_TEST(!isTaping());
  }
  requireRecording(kTag, kMany);
  ADOLC::setTapeDirectory(path());
  findOrCreateTape(kOther).memoryBudget(1);
  expectError(ErrorType::CANNOT_OPEN_FILE, {"tape 2", path().c_str(), "Read-only file system"}, [] {
    const ADOLC::Recording recording(kOther, 1);
    adouble x, product = 1.0;
    x <<= 0.5;
    for (int k = 1; k <= kMany; ++k)
      product *= 1.0 + x / k;
  });
  BOOST_TEST(!isTaping());
  requireRecording(kTag, kMany);
  // Reading is possible.
  requireRecording(ADOLC::openTape(file), kFew);
  BOOST_TEST(names() == std::vector<std::string>{"tape"}, boost::test_tools::per_element());
  readOnly(false);
  record(kOther, 5 * kFew); // with a file again
  record(kTag, 5 * kFew);
  BOOST_TEST(derivative(kOther) == derivative(kTag));
  fs::remove(file);
}

BOOST_AUTO_TEST_SUITE_END()
