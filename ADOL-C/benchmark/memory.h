// What the operating system says about memory, and work in a process of its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bench {

// Peak resident size of this process. Not getrusage(): its peak is inherited from the process that
// started this one.
inline std::size_t peakResidentBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      std::size_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  return 0;
}

inline std::size_t levelTwoCacheBytes() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t{1} << 20;
}

// Runs `work` in a forked process, so that this one stays as if nothing had been recorded yet.
template <class Result, class Work> Result inChildProcess(Work &&work) {
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("pipe failed");
  std::fflush(nullptr); // else the child prints once more what waits in the buffers
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("fork failed");
  if (child == 0) {
    const Result result = work();
    const bool written = write(ends[1], &result, sizeof result) == sizeof result;
    std::exit(written ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  Result result{};
  const bool complete = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!complete || status != 0)
    throw std::runtime_error("the trial recording failed");
  return result;
}

} // namespace bench
