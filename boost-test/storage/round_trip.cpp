// SPDX-License-Identifier: MIT
// What is saved and opened again gives the same bits: in every sweep, in another thread, in another
// process.
#include "support/expect.h"
#include "support/memory.h"
#include "tape_files.h"

#include "storage/format.h"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <bit>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace storage;
using test::ErrorType;
using test::expectError;

namespace {

constexpr short kTag = 1;

/// Saves the tape, opens the file and compares everything that can be seen.
void checkRoundTrip(short tag, const std::vector<double> &x, const std::string &where) {
  const Folder folder;
  const auto file = folder / "tape";
  const sweeps::Result expected = sweep(tag, x);
  ADOLC::saveTape(tag, file);
  BOOST_TEST(folder.names() == std::vector<std::string>{"tape"}, boost::test_tools::per_element());
  const short opened = ADOLC::openTape(file);
  BOOST_TEST(opened != tag);
  BOOST_TEST(tapestats(opened) == tapestats(tag), boost::test_tools::per_element());
  BOOST_TEST(ADOLC::opcodeHistogram(opened) == ADOLC::opcodeHistogram(tag),
             boost::test_tools::per_element());
  BOOST_TEST(ADOLC::tapeBytes(opened).total() == ADOLC::tapeBytes(tag).total());
  BOOST_TEST(findTape(opened).numLives() == 0u);
  BOOST_TEST(same(sweep(opened, x), expected), where << "another result after opening");
  // What was opened can be saved again, and is the same file then.
  ADOLC::saveTape(opened, folder / "again");
  BOOST_TEST(read(folder / "again") == read(file), where << "another file after opening");
  ADOLC::removeTape(opened);
}

void checkPrograms(std::uint64_t first, std::size_t count, std::size_t length) {
  const std::size_t number = test::kSanitized && count > 1 ? count / 10 : count;
  for (std::uint64_t seed = first; seed < first + number; ++seed)
    checkRoundTrip(kTag, recordProgram(kTag, seed, length),
                   "generate(" + std::to_string(seed) + ", " + std::to_string(length) + "): ");
}

struct Fixture : test::CleanThread {};

} // namespace

BOOST_FIXTURE_TEST_SUITE(saved_tapes, Fixture)

BOOST_AUTO_TEST_CASE(random_programs) {
  checkPrograms(1, 150, 12);
  checkPrograms(1001, 100, 80);
  checkPrograms(2001, 10, 1500);
  checkPrograms(3001, 1, test::kSanitized ? 3000 : 30000);
}

BOOST_AUTO_TEST_CASE(parameters_are_saved_with_their_present_values) {
  const Folder folder;
  const pdouble foreign(0.25); // made before, for the default store
  const short tag = createNewTape();
  setCurrentTape(tag);
  const pdouble unused(100.0), a(2.0), b(3.0);
  test::recordScalar(tag, {1.5},
                     [&](auto &x) { return x[0] * adouble(a) + adouble(b) * x[0] * x[0]; });
  BOOST_TEST(get_num_param(tag) == 3u);
  const double changed[] = {0.0, 5.0, 7.0};
  set_param_vec(tag, 3, changed);
  ADOLC::saveTape(tag, folder / "tape");
  const short opened = ADOLC::openTape(folder / "tape");
  BOOST_TEST(get_num_param(opened) == 3u);
  const std::vector<double> x{1.5};
  BOOST_TEST(ADOLC::gradient(opened, x) == std::vector<double>{5.0 + 7.0 * 3.0},
             boost::test_tools::per_element());
  std::vector<double> values(3);
  findTape(opened).getParamVec(values);
  BOOST_TEST(values == std::vector<double>(changed, changed + 3), boost::test_tools::per_element());
  const double again[] = {0.0, 1.0, 2.0};
  set_param_vec(opened, 3, again);
  BOOST_TEST(ADOLC::gradient(opened, x)[0] == 1.0 + 2.0 * 3.0);
  BOOST_TEST(ADOLC::gradient(tag, x)[0] == 5.0 + 7.0 * 3.0); // another tape
  setCurrentTape(nullptr);
}

BOOST_AUTO_TEST_CASE(minimum_and_maximum_as_absolute_values) {
  const Folder folder;
  const short tag = createNewTape();
  setCurrentTape(tag);
  findTape(tag).enableMinMaxUsingAbs();
  test::recordScalar(tag, {1.0, 2.0}, [](auto &x) { return fmax(x[0], x[1]) + fmin(x[0], x[1]); });
  setCurrentTape(nullptr);
  checkRoundTrip(tag, {1.0, 2.0}, "");
  ADOLC::saveTape(tag, folder / "tape");
  const short opened = ADOLC::openTape(folder / "tape");
  BOOST_TEST(get_num_switches(opened) == 2u);
  BOOST_TEST(tapestats(opened)[NO_MIN_MAX] == 1u);
}

// The values of live variables stand on the tape in runs of 2^14, and locations that far from each
// other need 32 bits.
BOOST_AUTO_TEST_CASE(live_variables_and_wide_locations) {
  constexpr std::size_t count = 70000;
  std::vector<adouble> live(count);
  for (std::size_t i = 0; i < count; ++i)
    live[i] = 1.0 / static_cast<double>(i + 1);
  test::recordScalar(kTag, {2.0, 3.0}, [&](auto &x) {
    return x[0] * live[0] + x[1] * live[count - 1] * live[count / 2];
  });
  const auto &recording = findTape(kTag).recording();
  BOOST_TEST(std::any_of(recording.segments.begin(), recording.segments.end(),
                         [](const auto &segment) { return segment.wide; }));
  BOOST_TEST(ADOLC::opcodeHistogram(kTag)[take_stock_op] > 4u);
  checkRoundTrip(kTag, {2.0, 3.0}, "");
}

BOOST_AUTO_TEST_CASE(several_blocks) {
  test::recordScalar(kTag, {1.0001, 0.5}, [](auto &x) {
    adouble sum = 0.0;
    for (int i = 0; i < (test::kSanitized ? 100000 : 1500000); ++i) {
      sum *= 0.9999;
      sum += x[i % 2];
    }
    return adouble(sum);
  });
  const Folder folder;
  ADOLC::saveTape(kTag, folder / "tape");
  const Bytes bytes = read(folder / "tape");
  const auto header = ADOLC::detail::decode(bytes);
  BOOST_TEST(header.numBlocks > 10u); // they grow
  BOOST_TEST(ADOLC::detail::alignedUp(header.tablesOffset) == header.tablesOffset);
  const short opened = ADOLC::openTape(folder / "tape");
  const std::vector<double> x{0.75, -2.0};
  BOOST_TEST(ADOLC::gradient(opened, x) == ADOLC::gradient(kTag, x),
             boost::test_tools::per_element());
  BOOST_TEST(ADOLC::function(opened, x) == ADOLC::function(kTag, x),
             boost::test_tools::per_element());
  ADOLC::removeTape(opened);
}

// A chain that was used before for something larger has blocks of which little is used.
BOOST_AUTO_TEST_CASE(small_recording_after_a_large_one) {
  recordProgram(kTag, 7, 30000);
  checkRoundTrip(kTag, recordProgram(kTag, 8, 12), "after a large recording: ");
  recordProgram(kTag, 7, 300);
  std::vector<adouble> live(3000); // more constants than the first blocks have room for
  checkRoundTrip(kTag, recordProgram(kTag, 9, 50), "with blocks left out: ");
}

BOOST_AUTO_TEST_CASE(nothing_but_the_marks) {
  trace_on(kTag);
  trace_off();
  const Folder folder;
  ADOLC::saveTape(kTag, folder / "tape");
  const short opened = ADOLC::openTape(folder / "tape");
  BOOST_TEST(tapestats(opened) == tapestats(kTag), boost::test_tools::per_element());
  BOOST_TEST(zos_forward(opened, 0, 0, 0, nullptr, nullptr) == 3);
}

BOOST_AUTO_TEST_CASE(opened_tapes_are_tapes) {
  const Folder folder;
  const short tag = createNewTape();
  setCurrentTape(nullptr);
  trace_on(tag, 1, 100, 200, 300, 400);
  {
    adouble x;
    x <<= 2.0;
    adouble y = x * x;
    double value = 0.0;
    y >>= value;
  }
  trace_off();
  findTape(tag).operationBufferSize(77); // for the next one
  ADOLC::saveTape(tag, folder / "tape");
  const std::size_t before = numTapes();
  const short opened = ADOLC::openTape(folder / "tape");
  BOOST_TEST(numTapes() == before + 1);
  BOOST_TEST(currentTapePtr() == nullptr); // the selection stays
  const auto stats = tapestats(opened);
  BOOST_TEST(stats[OP_BUFFER_SIZE] == 100u);
  BOOST_TEST(stats[LOC_BUFFER_SIZE] == 200u);
  BOOST_TEST(stats[VAL_BUFFER_SIZE] == 300u);
  BOOST_TEST(stats[TAY_BUFFER_SIZE] == 400u);

  // The Taylor stack is not saved.
  const double x = 3.0, weight = 1.0;
  double y = 0.0, z = 0.0;
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {std::to_string(opened)},
              [&] { fos_reverse(opened, 1, 1, &weight, &z); });
  BOOST_TEST(zos_forward(opened, 1, 1, 1, &x, &y) == 3);
  BOOST_TEST(fos_reverse(opened, 1, 1, &weight, &z) == 3);
  BOOST_TEST(y == 9.0);
  BOOST_TEST(z == 6.0);

  // It can be recorded, and then it is another one.
  setCurrentTape(opened);
  test::recordScalar(opened, {1.0}, [](auto &v) { return 5.0 * v[0]; });
  setCurrentTape(nullptr);
  fos_forward(opened, 1, 1, 0, &x, &weight, &y, &z);
  BOOST_TEST(y == 15.0);
  BOOST_TEST(z == 5.0);
  ADOLC::removeTape(opened);
  BOOST_TEST(numTapes() == before);
  const short again = ADOLC::openTape(folder / "tape");
  fos_forward(again, 1, 1, 0, &x, &weight, &y, &z);
  BOOST_TEST(y == 9.0);
  ADOLC::removeTape(again);
  ADOLC::removeTape(tag);
}

BOOST_AUTO_TEST_CASE(in_other_threads) {
  const Folder folder;
  recordSmall(kTag);
  const auto file = folder / "tape";
  ADOLC::saveTape(kTag, file);
  const sweeps::Result expected = sweep(kTag, kSmallPoint);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const short opened = ADOLC::openTape(file);
        double value = 0.0;
        right +=
            zos_forward(opened, 1, 2, 0, kSmallPoint.data(), &value) == 3 && value == expected.y[0];
        ADOLC::removeTape(opened);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(right == 80);
}

// Run by the next test case in a process of its own: opens the file that the last argument names.
BOOST_AUTO_TEST_CASE(child_opens_a_tape, *boost::unit_test::disabled()) {
  const auto &suite = boost::unit_test::framework::master_test_suite();
  if (suite.argc < 2)
    return; // somebody runs all tests by name
  const std::filesystem::path file(suite.argv[suite.argc - 1]);
  const short tag = ADOLC::openTape(file);
  const std::vector<double> gradient = ADOLC::gradient(tag, kSmallPoint);
  Bytes bytes(gradient.size() * sizeof(double));
  std::memcpy(bytes.data(), gradient.data(), bytes.size());
  write(file.string() + ".gradient", bytes);
}

BOOST_AUTO_TEST_CASE(in_another_process) {
  const Folder folder;
  recordSmall(kTag);
  const auto file = folder / "tape";
  ADOLC::saveTape(kTag, file);
  std::string program = "/proc/self/exe", test = "--run_test=saved_tapes/child_opens_a_tape",
              name = file.string(), separator = "--";
  char *arguments[] = {program.data(), test.data(), separator.data(), name.data(), nullptr};
  pid_t child = 0;
  BOOST_TEST_REQUIRE(posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) ==
                     0);
  int status = -1;
  BOOST_TEST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  const std::vector<double> expected = ADOLC::gradient(kTag, kSmallPoint);
  Bytes bytes(expected.size() * sizeof(double));
  std::memcpy(bytes.data(), expected.data(), bytes.size());
  BOOST_TEST(read(file.string() + ".gradient") == bytes, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
