// Burgers' equation recorded and differentiated within a memory budget, against the same in memory
// and against the time that the disk takes for the bytes that were moved.
//
//   bench_spill [budget in MiB] [cells per side]
#include "timing.h"

#include "workloads/burgers.h"

#include <adolc/adolc.h>
#include <adolc/valuetape/spill.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr short kTag = 1;
constexpr int kRepeats = 5;

/// Seconds of one recording and one gradient; sets g.
double recordAndGradient(const bench::Burgers &program, const std::vector<double> &x,
                         std::vector<double> &g) {
  const bench::Stopwatch watch;
  double y = 0.0;
  trace_on(kTag);
  {
    std::vector<adouble> active(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      active[i] <<= x[i];
    adouble result = program(std::move(active));
    result >>= y;
  }
  trace_off();
  gradient(kTag, static_cast<int>(x.size()), x.data(), g.data());
  return watch.seconds();
}

/// The same stream of blocks through the same calls, and nothing but moving it.
double secondsToMove(std::size_t bytes, std::size_t budget) {
  using namespace ADOLC::detail;
  SpillGroup group(kTag);
  group.budget(budget);
  BlockChain<double> chain;
  chain.attach(&group, ADOLCError::ErrorType::EVAL_VAL_TAPE_READ_FAILED);
  const std::size_t count = bytes / sizeof(double), step = 4096;
  double best = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    const bench::Stopwatch watch;
    std::vector<StreamPosition> areas;
    chain.rewind();
    for (std::size_t done = 0; done < count; done += step) {
      chain.reserve(step)[0] = 1.0;
      areas.push_back(chain.position());
      chain.commit(step);
    }
    for (auto area = areas.rbegin(); area != areas.rend(); ++area) {
      chain.pin(*area);
      chain.unpin(*area);
    }
    best = std::min(best, watch.seconds());
  }
  const double moved = static_cast<double>(group.written() + group.read()) / kRepeats;
  return best / moved;
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

/// Opening a saved tape and one gradient, against a gradient and reading the file.
void openAndGradient(const std::vector<double> &x) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "bench_spill.tape";
  ADOLC::saveTape(kTag, file);
  std::vector<double> g(x.size());
  std::vector<double> opening, inMemory, reading;
  std::vector<char> content(std::filesystem::file_size(file));
  for (int i = 0; i < kRepeats; ++i) {
    const bench::Stopwatch read;
    std::ifstream(file, std::ios::binary)
        .read(content.data(), static_cast<std::streamsize>(content.size()));
    reading.push_back(read.seconds());
    const bench::Stopwatch watch;
    const short opened = ADOLC::openTape(file);
    gradient(opened, static_cast<int>(x.size()), x.data(), g.data());
    opening.push_back(watch.seconds());
    const bench::Stopwatch again;
    gradient(opened, static_cast<int>(x.size()), x.data(), g.data());
    inMemory.push_back(again.seconds());
    ADOLC::removeTape(opened);
  }
  std::filesystem::remove(file);
  std::printf(
      "opening a tape of %.1f MB and one gradient: %.1f ms; twice a gradient and reading the "
      "file: %.1f ms\n",
      static_cast<double>(content.size()) / 1e6, 1e3 * median(opening),
      1e3 * (2.0 * median(inMemory) + median(reading)));
}

} // namespace

int main(int argc, char **argv) {
  const auto number = [&](int i, long fallback) {
    return argc > i ? std::max(1L, std::strtol(argv[i], nullptr, 10)) : fallback;
  };
  const auto budget = static_cast<std::size_t>(number(1, 16)) << 20;
  const bench::Burgers program(static_cast<std::size_t>(number(2, 100)));
  const std::vector<double> x = program.point();
  std::vector<double> expected(x.size()), g(x.size());
  std::vector<double> inMemory, spilled;
  recordAndGradient(program, x, expected);
  ValueTape &tape = findTape(kTag);
  double moved = 0.0;
  // Both take turns, so that what else the machine does counts for both.
  for (int i = 0; i < kRepeats; ++i) {
    tape.memoryBudget(SIZE_MAX);
    recordAndGradient(program, x, g); // its memory must be there again
    inMemory.push_back(recordAndGradient(program, x, g));
    tape.memoryBudget(budget);
    recordAndGradient(program, x, g);
    const auto before = tape.spillStatistics();
    spilled.push_back(recordAndGradient(program, x, g));
    const auto after = tape.spillStatistics();
    moved = static_cast<double>(after.written - before.written + after.read - before.read);
    if (g != expected) {
      std::fputs("the spilled gradient differs\n", stderr);
      return EXIT_FAILURE;
    }
  }
  const double memory = median(inMemory), disk = median(spilled);
  const double floor =
      std::max(memory, moved * secondsToMove(static_cast<std::size_t>(moved / 2.0), budget));
  std::printf("budget %zu MiB, moved %.1f MB\n"
              "record + gradient: in memory %.1f ms, spilled %.1f ms\n"
              "spilled / max(in memory, moved / bandwidth of %.2f GB/s): %.2f (wanted: <= 1.3)\n",
              budget >> 20, moved / 1e6, memory * 1e3, disk * 1e3,
              1e-9 / secondsToMove(static_cast<std::size_t>(moved / 2.0), budget), disk / floor);
  tape.memoryBudget(SIZE_MAX);
  recordAndGradient(program, x, g);
  openAndGradient(x);
}
