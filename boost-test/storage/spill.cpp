// SPDX-License-Identifier: MIT
// Streams that do not fit into their budget: every sweep gives the same bits as in memory, and what
// goes wrong with the disk is told and spoils nothing.
#include "interp/all_sweeps.h"
#include "interp/program_check.h"
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/configuration.h>
#include <adolc/valuetape/spill.h>

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using ADOLC::detail::BlockChain;
using ADOLC::detail::SpillGroup;
using ADOLC::detail::StreamPosition;
using namespace test;

#if defined(__SANITIZE_THREAD__)
// The forked children below make a thread of their own.
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }
#endif

namespace {

constexpr short kTag = 71, kInner = 72;

/// A directory of the test, which must be empty again at its end.
class SpillDirectory : public CleanThread {
public:
  SpillDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "spill-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    ADOLC::setTapeDirectory(name);
  }
  ~SpillDirectory() {
    ADOLC::setTapeDirectory({});
    SpillGroup::failWrites(0, 0);
    SpillGroup::failReads(0, 0);
    SpillGroup::firstOffset(0);
    ADOLC::setTapeMemory({});
    ADOLC::setProcessMemory({});
    BOOST_TEST(std::filesystem::is_empty(path_));
    std::filesystem::remove_all(path_);
    for (const short tag : {kTag, kInner})
      ADOLC::tryRemoveTape(tag);
  }
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// y = Π (1 + x/i) · c, with constants, saved values and more than one independent.
double record(short tag, int n, int steps, int keep, std::size_t budget) {
  findOrCreateTape(tag).memoryBudget(budget);
  double y = 0.0;
  trace_on(tag, keep);
  {
    std::vector<adouble> x(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      x[static_cast<std::size_t>(i)] <<= 0.1 + 0.01 * i;
    adouble product = 1.0;
    for (int i = 1; i <= steps; ++i) {
      const adouble t = x[static_cast<std::size_t>(i % n)] / (i * 1.25);
      product *= 1.0 + t * t;
      product += sin(t) * 1e-3;
    }
    product >>= y;
  }
  trace_off();
  return y;
}

std::vector<double> gradientAt(short tag, int n, double shift) {
  std::vector<double> x(static_cast<std::size_t>(n)), g(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 0.1 + 0.01 * static_cast<double>(i) + shift;
  BOOST_TEST(gradient(tag, n, x.data(), g.data()) == 3);
  return g;
}

std::size_t bytesOnDisk(short tag) { return findTape(tag).spillStatistics().onDisk; }

} // namespace

BOOST_FIXTURE_TEST_SUITE(spill, SpillDirectory)

BOOST_AUTO_TEST_CASE(all_sweeps_give_the_same_bits) {
  constexpr int n = 3;
  const std::vector<double> x{0.15, 0.25, -0.5};
  sweeps::Checks checks;
  const sweeps::Matrix seeds = sweeps::usualSeeds(n), weights = sweeps::usualWeights(1);
  const double inMemory = record(kTag, n, 2000, 1, 0);
  const auto expected = runAll({kTag, 1, n}, x, seeds, weights, "in memory", checks);
  BOOST_TEST(bytesOnDisk(kTag) == 0u);
  for (const std::size_t budget : {std::size_t{1}, std::size_t{50000}}) {
    BOOST_TEST(record(kTag, n, 2000, 1, budget) == inMemory);
    const auto result = runAll({kTag, 1, n}, x, seeds, weights, "spilled", checks);
    BOOST_TEST(bytesOnDisk(kTag) > 10000u);
    BOOST_TEST(sweeps::same(result.y, expected.y));
    BOOST_TEST(sweeps::same(result.dy, expected.dy));
    BOOST_TEST(sweeps::same(result.z, expected.z));
    const auto stats = tapestats(kTag);
    BOOST_TEST(stats[TapeInfos::OP_FILE_ACCESS] == 1u);
    BOOST_TEST(stats[TapeInfos::LOC_FILE_ACCESS] == 1u);
    BOOST_TEST(stats[TapeInfos::VAL_FILE_ACCESS] == 1u);
  }
  BOOST_TEST(checks.failures() == 0u);
}

// As programs of 2.7 do it: capacities given to trace_on.
BOOST_AUTO_TEST_CASE(buffer_sizes_are_a_budget) {
  const auto product = [](bool small) {
    double y = 0.0;
    if (small)
      trace_on(kTag, 1, 16, 16, 16, 16, 0);
    else
      trace_on(kTag, 1);
    {
      adouble x, p = 1.0;
      x <<= 0.1;
      for (int i = 1; i <= 1000; ++i)
        p *= 1.0 + x / i;
      p >>= y;
    }
    trace_off();
    double g = 0.0;
    const double one = 1.0;
    BOOST_TEST(fos_reverse(kTag, 1, 1, &one, &g) == 3);
    return std::pair(y, g);
  };
  const auto expected = product(false);
  BOOST_TEST(bytesOnDisk(kTag) == 0u);
  BOOST_TEST((product(true) == expected));
  BOOST_TEST(bytesOnDisk(kTag) > 0u);
  // Γ(1001.1) / (Γ(1.1) 1000!), d ln y / dx = ψ(1001.1) - ψ(1.1)
  BOOST_TEST(expected.first == 2.0978, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(random_programs) {
  for (const std::size_t budget : {std::size_t{1}, std::size_t{30000}}) {
    ADOLC::setTapeMemory(budget);
    sweeps::Checks checks;
    programs::Coverage coverage;
    const std::size_t share = kSanitized ? 1 : 4;
    programs::checkPrograms(70001, 5 * share, 3000, programs::Stores::threadDefault, checks,
                            coverage);
    programs::checkPrograms(80001, 5 * share, 3000, programs::Stores::ownOfTape, checks, coverage);
    BOOST_TEST(checks.failures() == 0u);
    BOOST_TEST(checks.count() > 1000u);
  }
}

BOOST_AUTO_TEST_CASE(recording_again_larger_smaller_and_in_memory) {
  for (const int steps : {3000, 100, 6000, 1000, 3000}) {
    record(kInner, 2, steps, 1, 0);
    const auto expected = gradientAt(kInner, 2, 0.125);
    for (const std::size_t budget :
         {std::size_t{1}, std::size_t{200000}, std::size_t{0}, std::size_t{20000}}) {
      record(kTag, 2, steps, 1, budget);
      BOOST_TEST((gradientAt(kTag, 2, 0.125) == expected));
      BOOST_TEST((gradientAt(kTag, 2, 0.0) == gradientAt(kInner, 2, 0.0)));
      if (budget == 0)
        BOOST_TEST(bytesOnDisk(kTag) == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(nested_recordings) {
  findOrCreateTape(kTag).memoryBudget(1);
  double y = 0.0;
  trace_on(kTag, 1);
  {
    adouble x, sum = 0.0;
    x <<= 0.5;
    for (int i = 0; i < 2000; ++i) {
      sum += x * (1.0 + 1e-3 * i);
      if (i % 500 == 0)
        record(kInner, 2, 1500, 1, 1);
    }
    (sum * x) >>= y;
  }
  trace_off();
  BOOST_TEST(bytesOnDisk(kTag) > 0u);
  BOOST_TEST(bytesOnDisk(kInner) > 0u);
  const double slope = 2000.0 + 1e-3 * 1999000.0, at = 0.5;
  double g = 0.0;
  BOOST_TEST(gradient(kTag, 1, &at, &g) == 3);
  BOOST_TEST(g == 2.0 * slope * at, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(memory_stays_within_the_budget) {
  constexpr std::size_t budget = 4u << 20;
  record(kTag, 5, 400000, 1, budget); // some 30 MB
  const SpillGroup *const group = findTape(kTag).recording().ops.group();
  BOOST_REQUIRE(group != nullptr);
  BOOST_TEST(group->resident() <= budget);
  for (int i = 0; i < 3; ++i) {
    gradientAt(kTag, 5, 0.01 * i);
    BOOST_TEST(group->resident() <= budget);
  }
  BOOST_TEST(bytesOnDisk(kTag) > 15u << 20);
  // One that fits stays in memory.
  record(kInner, 5, 10000, 1, budget);
  gradientAt(kInner, 5, 0.0);
  BOOST_TEST(bytesOnDisk(kInner) == 0u);
}

BOOST_AUTO_TEST_CASE(budget_of_the_process) {
  constexpr std::size_t budget = 2u << 20;
  record(kInner, 3, 60000, 1, 0);
  const auto expected = gradientAt(kInner, 3, 0.25);
  ADOLC::setProcessMemory(budget);
  const std::size_t before = SpillGroup::processResident();
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (short t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      const auto tag = static_cast<short>(2000 + t);
      for (int i = 0; i < 3; ++i) {
        record(tag, 3, 60000, 1, 0);
        std::vector<double> x{0.35, 0.36, 0.37}, g(3);
        if (gradient(tag, 3, x.data(), g.data()) != 3 || g != expected ||
            findTape(tag).spillStatistics().onDisk == 0)
          ++failures;
      }
      ADOLC::removeTape(tag);
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(failures == 0);
  BOOST_TEST(SpillGroup::processResident() == before);
}

// The blocks stand behind 2³³ bytes of nothing.
BOOST_AUTO_TEST_CASE(large_files) {
  record(kInner, 2, 3000, 1, 0);
  const auto expected = gradientAt(kInner, 2, 0.5);
  SpillGroup::firstOffset((std::uint64_t{1} << 33) + 12345);
  record(kTag, 2, 3000, 1, 1);
  BOOST_TEST((gradientAt(kTag, 2, 0.5) == expected));
}

BOOST_AUTO_TEST_CASE(disk_full_while_recording) {
  record(kInner, 2, 3000, 1, 0);
  const auto expected = gradientAt(kInner, 2, 0.5);
  findOrCreateTape(kTag).memoryBudget(1);
  for (const std::size_t after : {0u, 1u, 2u, 5u, 20u}) {
    SpillGroup::failWrites(after, ENOSPC);
    expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"tape 71", "No space left", path().c_str()}, [] {
      ADOLC::Recording recording(kTag, 1);
      adouble x, p = 1.0;
      x <<= 0.1;
      for (int i = 1; i <= 20000; ++i)
        p *= 1.0 + x / i;
    });
    BOOST_TEST(!isTaping());
    SpillGroup::failWrites(0, 0);
    record(kTag, 2, 3000, 1, 1);
    BOOST_TEST((gradientAt(kTag, 2, 0.5) == expected));
  }
}

BOOST_AUTO_TEST_CASE(disk_full_while_sweeping) {
  constexpr int n = 2;
  record(kTag, n, 3000, 0, 1);
  const double x[n] = {0.6, 0.61};
  const auto expected = gradientAt(kTag, n, 0.5);
  record(kTag, n, 3000, 0, 1);
  for (const std::size_t after : {0u, 1u, 2u, 5u}) {
    SpillGroup::failWrites(after, ENOSPC);
    double g[n] = {1.0, 1.0}, y = 1.0;
    expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"tape 71", "No space left"},
                [&] { zos_forward(kTag, 1, n, 1, x, &y); });
    BOOST_TEST(std::isnan(y));
    SpillGroup::failWrites(0, 0);
    const double weight = 1.0;
    expectError(ErrorType::REVERSE_NO_FOWARD, {}, [&] { fos_reverse(kTag, 1, n, &weight, g); });
    BOOST_TEST(zos_forward(kTag, 1, n, 0, x, &y) == 3); // the recording is as good as before
    record(kInner, n, 3000, 0, 0);
    double inMemory = 0.0;
    zos_forward(kInner, 1, n, 0, x, &inMemory);
    BOOST_TEST(y == inMemory);
  }
  BOOST_TEST((gradientAt(kTag, n, 0.5) == expected));
}

BOOST_AUTO_TEST_CASE(blocks_that_cannot_be_read) {
  constexpr int n = 2;
  record(kTag, n, 3000, 1, 1);
  const double x[n] = {0.6, 0.61};
  const auto expected = gradientAt(kTag, n, 0.5);
  for (const std::size_t after : {0u, 1u, 2u, 3u, 10u, 25u}) {
    double g[n] = {1.0, 1.0}, y = 1.0;
    const double weight = 1.0;
    SpillGroup::failReads(after, EIO);
    const auto expectFailure = [&](auto &&sweep) {
      try {
        sweep();
        BOOST_ERROR("nothing was thrown");
      } catch (const ADOLCError::ADOLCError &error) {
        const ErrorType type = error.type();
        BOOST_TEST((type == ErrorType::EVAL_OP_TAPE_READ_FAILED ||
                    type == ErrorType::EVAL_LOC_TAPE_READ_FAILED ||
                    type == ErrorType::EVAL_VAL_TAPE_READ_FAILED ||
                    type == ErrorType::EVAL_TAY_TAPE_READ_FAILED));
      }
    };
    expectFailure([&] { zos_forward(kTag, 1, n, 0, x, &y); });
    BOOST_TEST(std::isnan(y));
    SpillGroup::failReads(0, 0);
    BOOST_TEST((gradientAt(kTag, n, 0.5) == expected));
    SpillGroup::failReads(after, EIO);
    expectFailure([&] { fos_reverse(kTag, 1, n, &weight, g); });
    BOOST_TEST((std::isnan(g[0]) && std::isnan(g[1])));
    SpillGroup::failReads(0, 0);
    BOOST_TEST((gradientAt(kTag, n, 0.5) == expected));
  }
}

// Many live variables: their values are written by trace_on itself.
BOOST_AUTO_TEST_CASE(disk_full_in_trace_on_and_trace_off) {
  std::vector<adouble> live(60000, 1.0);
  findOrCreateTape(kTag).memoryBudget(1);
  SpillGroup::failWrites(0, ENOSPC);
  expectError(ErrorType::TAPING_FATAL_IO_ERROR, {"tape 71"}, [] { trace_on(kTag, 1); });
  BOOST_TEST(!isTaping());
  BOOST_TEST(!findTape(kTag).streamsOpen());
  double y = 0.0;
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {}, // nothing is recorded
              [&y] { zos_forward(kTag, 0, 0, 0, &y, &y); });
  live.clear();
  SpillGroup::failWrites(0, 0);
  // Which write is the one of trace_off depends on sizes: all are tried.
  bool inTraceOff = false;
  for (std::size_t after = 0; after < 40; ++after) {
    SpillGroup::failWrites(after, ENOSPC);
    bool recorded = false;
    try {
      trace_on(kTag, 1);
      {
        adouble x, p = 1.0;
        x <<= 0.1;
        for (int i = 1; i <= 9000; ++i)
          p *= 1.0 + x / i;
      }
      recorded = true;
      trace_off();
    } catch (const ADOLCError::ADOLCError &) {
      inTraceOff = inTraceOff || recorded;
      if (!recorded)
        trace_off(); // as a program does that catches it
    }
    BOOST_TEST(!isTaping());
  }
  SpillGroup::failWrites(0, 0);
  record(kTag, 2, 3000, 1, 1);
  record(kInner, 2, 3000, 1, 0);
  BOOST_TEST((gradientAt(kTag, 2, 0.5) == gradientAt(kInner, 2, 0.5)));
}

// Blocks of an earlier recording that are too small for a later one are passed over.
BOOST_AUTO_TEST_CASE(blocks_of_other_sizes) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t lives = random() % 3 == 0 ? 1 + random() % 30000 : 1;
    const std::size_t budget = std::size_t{1} << random() % 20;
    const int steps = 1 + static_cast<int>(random() % 4000);
    std::vector<double> results[2];
    for (const bool spilled : {false, true}) {
      const std::vector<adouble> live(lives, 1.0);
      const short tag = spilled ? kTag : kInner;
      record(tag, 2, steps, static_cast<int>(round % 2), spilled ? budget : 0);
      for (const double shift : {0.5, 0.25}) {
        const auto g = gradientAt(tag, 2, shift);
        results[spilled].insert(results[spilled].end(), g.begin(), g.end());
      }
    }
    BOOST_TEST((results[0] == results[1]));
  }
}

BOOST_AUTO_TEST_CASE(smaller_budget) {
  constexpr std::size_t budget = 1000000;
  record(kTag, 3, 200000, 1, std::size_t{500} << 20);
  record(kTag, 3, 200000, 1, budget);
  BOOST_TEST(findTape(kTag).recording().ops.group()->resident() <= budget);
  gradientAt(kTag, 3, 0.5);
  BOOST_TEST(findTape(kTag).recording().ops.group()->resident() <= budget);
}

BOOST_AUTO_TEST_CASE(directory_that_does_not_exist) {
  const std::filesystem::path missing = path() / "missing";
  std::filesystem::create_directory(missing);
  ADOLC::setTapeDirectory(missing);
  std::filesystem::remove(missing);
  expectError(ErrorType::CANNOT_OPEN_FILE, {"tape 71", "missing", "No such file"},
              [] { record(kTag, 2, 20000, 1, 1); });
  while (isTaping())
    trace_off();
  ADOLC::setTapeDirectory(path());
  record(kTag, 2, 3000, 1, 1);
  record(kInner, 2, 3000, 1, 0);
  BOOST_TEST((gradientAt(kTag, 2, 0.5) == gradientAt(kInner, 2, 0.5)));
}

// Both sides read what was on disk before, and neither sees what the other one writes.
BOOST_AUTO_TEST_CASE(fork_after_recording) {
  record(kTag, 2, 3000, 1, 1);
  const auto before = gradientAt(kTag, 2, 0.5);
  const auto work = [&](double shift) {
    bool good = gradientAt(kTag, 2, 0.5) == before;
    for (int i = 0; i < 3; ++i) {
      record(kInner, 2, 2000 + i, 1, 1);
      const auto mine = gradientAt(kInner, 2, shift);
      record(kInner, 2, 2000 + i, 1, 0);
      good = good && mine == gradientAt(kInner, 2, shift) && gradientAt(kTag, 2, 0.5) == before;
    }
    record(kTag, 2, 2500, 1, 1);
    const auto again = gradientAt(kTag, 2, shift);
    record(kTag, 2, 2500, 1, 0);
    return good && again == gradientAt(kTag, 2, shift);
  };
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0)
    _exit(work(0.25) ? 0 : 1);
  BOOST_TEST(work(0.75));
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

// A limit of the system, in place of a full disk: the signal that comes with it ends nobody.
BOOST_AUTO_TEST_CASE(limit_of_file_sizes) {
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit limit{20000, 20000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      record(kTag, 2, 20000, 1, 1);
      _exit(1);
    } catch (const ADOLCError::ADOLCError &error) {
      _exit(error.type() == ErrorType::TAPING_FATAL_IO_ERROR ? 0 : 2);
    }
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

// Also at other times the files have no names: see the end of the fixture.
BOOST_AUTO_TEST_CASE(killed_process_leaves_nothing) {
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    record(kTag, 2, 3000, 1, 1);
    raise(SIGKILL);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(std::filesystem::is_empty(path()));
}

// A chain against a vector, in any order of reading.
BOOST_AUTO_TEST_CASE(chain_against_a_model) {
  std::mt19937 random(7);
  const std::size_t before = SpillGroup::processResident();
  for (const std::size_t budget : {std::size_t{1}, std::size_t{40000}, std::size_t{1} << 20}) {
    SpillGroup group(-1);
    group.budget(budget);
    BlockChain<std::uint32_t> chain, other;
    chain.attach(&group, ErrorType::EVAL_OP_TAPE_READ_FAILED);
    other.attach(&group, ErrorType::EVAL_LOC_TAPE_READ_FAILED);
    for (int round = 0; round < 4; ++round) {
      struct Area {
        StreamPosition at;
        std::uint32_t first;
        std::size_t count;
      };
      std::vector<Area> areas;
      chain.rewind();
      other.rewind();
      auto number = static_cast<std::uint32_t>(round * 1000003);
      const int count = 1 + static_cast<int>(random() % 600);
      for (int i = 0; i < count; ++i) {
        const std::size_t wanted = 1 + random() % 900, used = random() % (wanted + 1);
        std::uint32_t *const area = chain.reserve(wanted);
        areas.push_back({chain.position(), number, used});
        for (std::size_t k = 0; k < used; ++k)
          area[k] = number++;
        chain.commit(used);
        std::uint32_t *const noise = other.reserve(100);
        std::fill_n(noise, 100, 0xffffffffu);
        other.commit(100);
      }
      std::vector<Area> order = areas;
      for (int pass = 0; pass < 3; ++pass) {
        if (pass == 1)
          std::reverse(order.begin(), order.end());
        if (pass == 2)
          std::shuffle(order.begin(), order.end(), random);
        for (const Area &area : order) {
          const std::uint32_t *const data = chain.pin(area.at);
          const Area &second = areas[random() % areas.size()];
          const std::uint32_t *const more = chain.pin(second.at);
          for (std::size_t k = 0; k < area.count; ++k)
            BOOST_REQUIRE(data[k] == area.first + k);
          for (std::size_t k = 0; k < second.count; ++k)
            BOOST_REQUIRE(more[k] == second.first + k);
          chain.unpin(second.at);
          chain.unpin(area.at);
        }
      }
      BlockChain<std::uint32_t> moved(std::move(chain));
      chain = std::move(moved);
    }
  }
  BOOST_TEST(SpillGroup::processResident() == before);
}

BOOST_AUTO_TEST_SUITE_END()
