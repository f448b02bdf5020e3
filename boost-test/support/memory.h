// SPDX-License-Identifier: MIT
/// How much memory the process uses.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

#include <unistd.h>

namespace test {

/// Resident bytes, 0 where the system does not tell.
inline std::size_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace test
