#include <adolc/valuetape/blockchain.h>

#include "tape/forklocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ADOLC::detail {
namespace {

/// Sizes of blocks: powers of two up to kFine, then four sizes per octave, so that of what is first
/// touched little stays unused.
constexpr std::size_t kFine = std::size_t{1} << 14;
constexpr std::size_t kSteps = 4;

std::size_t roundedUp(std::size_t bytes) {
  if (bytes <= kFine)
    return std::bit_ceil(std::max(bytes, BlockPool::kSmallest));
  const std::size_t step = std::bit_floor(bytes - 1) / kSteps;
  return (bytes + step - 1) / step * step;
}
/// Index of a rounded size.
constexpr std::size_t classOf(std::size_t bytes) {
  const std::size_t octave = std::bit_floor(bytes - 1); // the size is above it, at most twice it
  const auto doublings = [](std::size_t size) {
    return static_cast<std::size_t>(std::countr_zero(size));
  };
  if (bytes <= kFine)
    return doublings(bytes) - doublings(BlockPool::kSmallest);
  return doublings(kFine / BlockPool::kSmallest) + kSteps * doublings(octave / kFine) +
         (bytes - octave) / (octave / kSteps);
}
constexpr std::size_t kClasses = classOf(BlockPool::kLargest) + 1;

/// More idle memory than this goes back to the system at once.
constexpr std::size_t kMaxIdle = std::size_t{1} << 30;

struct Pool {
  std::mutex mutex;
  std::array<std::vector<void *>, kClasses> idle;
  std::size_t bytesInUse = 0;
  std::size_t bytesIdle = 0;
  std::size_t limit = SIZE_MAX;
};

// Never destroyed: tapes and static variables may outlive every static object.
Pool &pool() {
  static Pool *const instance = [] {
    Pool *const made = new Pool;
    lockDuringFork(ForkOrder::pool, made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const Pool &atLoad = pool(); // see lockDuringFork

// What the first touch of memory costs stands in doc/architecture.md.
void *systemAllocate(std::size_t bytes) {
  const bool huge = bytes >= BlockPool::kLargest;
  const bool populate = !huge && bytes > 2 * kFine; // of smaller ones a small tape uses a part
  constexpr std::size_t page = 4096, cacheLine = 64;
  void *memory = std::aligned_alloc(huge       ? BlockPool::kLargest
                                    : populate ? page
                                               : cacheLine,
                                    bytes);
  if (memory == nullptr)
    throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  if (huge)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
#if defined(MADV_POPULATE_WRITE)
  if (populate)
    madvise(memory, bytes, MADV_POPULATE_WRITE);
#endif
  return memory;
}

} // namespace

void *BlockPool::acquire(std::size_t &bytes) {
  if (bytes > SIZE_MAX - kLargest) // would wrap around below
    throw std::bad_alloc();
  bytes = bytes <= kLargest ? roundedUp(bytes) : (bytes + kLargest - 1) / kLargest * kLargest;
  Pool &p = pool();
  const std::lock_guard lock(p.mutex);
  if (p.limit < bytes || p.bytesInUse > p.limit - bytes)
    throw std::bad_alloc();
  void *memory = nullptr;
  if (bytes <= kLargest && !p.idle[classOf(bytes)].empty()) {
    memory = p.idle[classOf(bytes)].back();
    p.idle[classOf(bytes)].pop_back();
    p.bytesIdle -= bytes;
  } else {
    memory = systemAllocate(bytes);
  }
  p.bytesInUse += bytes;
  return memory;
}

void BlockPool::release(void *memory, std::size_t bytes) noexcept {
  Pool &p = pool();
  const std::lock_guard lock(p.mutex);
  p.bytesInUse -= bytes;
  if (bytes <= kLargest && p.bytesIdle + bytes <= kMaxIdle) {
    try {
      p.idle[classOf(bytes)].push_back(memory);
      p.bytesIdle += bytes;
      return;
    } catch (const std::bad_alloc &) {
      // no room in the free list: give the block back
    }
  }
  std::free(memory);
}

// An address sanitizer sees only what malloc gives.
#if defined(__SANITIZE_ADDRESS__)
#define ADOLC_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADOLC_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(MREMAP_MAYMOVE) && !defined(ADOLC_ADDRESS_SANITIZER)
#define ADOLC_REMAPS_MEMORY 1
namespace {
/// From this size on an array has pages of its own.
constexpr std::size_t kMapped = std::size_t{1} << 18;

/// Pages are moved, not copied, and new ones are zero without being touched.
void *resizedPages(void *memory, std::size_t from, std::size_t to) {
  void *const pages = from >= kMapped ? mremap(memory, from, to, MREMAP_MAYMOVE)
                                      : mmap(nullptr, to, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    throw std::bad_alloc();
  if (to >= BlockPool::kLargest)
    madvise(pages, to, MADV_HUGEPAGE);
  if (from < kMapped && from != 0) {
    std::memcpy(pages, memory, from);
    std::free(memory);
  }
  return pages;
}
} // namespace
#endif

void *resizedMemory(void *memory, std::size_t from, std::size_t to) {
#if defined(ADOLC_REMAPS_MEMORY)
  if (to >= kMapped)
    return resizedPages(memory, from, to);
#endif
  void *const larger = std::realloc(memory, to);
  if (larger == nullptr)
    throw std::bad_alloc();
  std::memset(static_cast<char *>(larger) + from, 0, to - from);
  return larger;
}

void releaseMemory(void *memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(ADOLC_REMAPS_MEMORY)
  if (bytes >= kMapped) {
    munmap(memory, bytes);
    return;
  }
#endif
  std::free(memory);
}

std::size_t BlockPool::bytesInUse() noexcept {
  const std::lock_guard lock(pool().mutex);
  return pool().bytesInUse;
}
std::size_t BlockPool::bytesIdle() noexcept {
  const std::lock_guard lock(pool().mutex);
  return pool().bytesIdle;
}
void BlockPool::trim() noexcept {
  Pool &p = pool();
  const std::lock_guard lock(p.mutex);
  for (auto &blocks : p.idle) {
    for (void *memory : blocks)
      std::free(memory);
    blocks.clear();
  }
  p.bytesIdle = 0;
}
std::size_t BlockPool::setLimit(std::size_t bytes) noexcept {
  const std::lock_guard lock(pool().mutex);
  return std::exchange(pool().limit, bytes);
}

} // namespace ADOLC::detail
