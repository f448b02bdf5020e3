// SPDX-License-Identifier: MIT
/// How much memory the process uses.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

#include <unistd.h>

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// Resident bytes, 0 where the system does not tell, and under sanitizers, which keep freed memory.
inline std::size_t residentBytes() {
  if (kSanitized)
    return 0;
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace test
