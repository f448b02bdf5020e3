#include <adolc/valuetape/blockchain.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ADOLC::detail {
namespace {

constexpr std::size_t kClasses =
    std::countr_zero(BlockPool::kLargest) - std::countr_zero(BlockPool::kSmallest) + 1;
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
  static Pool *const instance = new Pool;
  return *instance;
}

std::size_t classOf(std::size_t bytes) {
  return static_cast<std::size_t>(std::countr_zero(bytes) - std::countr_zero(BlockPool::kSmallest));
}

// The first touch of memory costs, measured on a virtual machine: 280 µs per MB page by page, 125
// if the pages are asked for at once, 60 with huge pages (but 120 for a single one, used or not).
void *systemAllocate(std::size_t bytes) {
  const bool huge = bytes >= BlockPool::kLargest;
  const bool populate = !huge && bytes >= std::size_t{1} << 16;
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
  bytes = bytes <= kSmallest  ? kSmallest
          : bytes <= kLargest ? std::bit_ceil(bytes)
                              : (bytes + kLargest - 1) / kLargest * kLargest;
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

void *BlockPool::array(std::size_t bytes) {
  constexpr std::size_t small = std::size_t{1} << 12;
  if (bytes > SIZE_MAX - kLargest)
    throw std::bad_alloc();
  const std::size_t unit = bytes < small ? 64 : bytes < kLargest ? small : kLargest;
  return systemAllocate((bytes + unit - 1) / unit * unit);
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
