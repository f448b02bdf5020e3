/// @file valuetape/store.h
/// The active store: the values of active variables by location, and the allocator of locations.
///
/// A store is used by one thread at a time (by the thread whose current tape is bound to it, or
/// whose default store it is); only `returnLocation` may be called from any thread. A store lives as
/// long as a tape or a thread owns it or one of its locations is still held by a variable.
#pragma once

#include <adolc/internal/common.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ADOLC::detail {

/// Name of a store in a handle: 20 bits index, 10 bits generation; never 0.
using StoreId = std::uint32_t;
inline constexpr int kStoreIdBits = 30;
inline constexpr StoreId kStoreIdMask = (StoreId{1} << kStoreIdBits) - 1;

/// Flag of a handle: element of a contiguous block, which keeps its location.
inline constexpr std::uint32_t kPinned = 1u << kStoreIdBits;

class ADOLC_API Store {
public:
  static constexpr std::size_t kInitialCapacity = 4;
  /// More live variables than this do not fit the 32-bit cells of a tape.
  static constexpr std::size_t kMaxLocations = 0xffffffffu;

  /// A new store, owned once.
  static Store *create(std::size_t initialCapacity = kInitialCapacity);
  /// The store with this id, or nullptr.
  static Store *find(StoreId id) noexcept;
  /// The default store of the calling thread: where variables live while no tape is selected, and
  /// what tapes made by `trace_on` with a new tag record on.
  static Store &threadDefault();
  /// The default store of the calling thread, or nullptr if it has none yet.
  static Store *threadDefaultIfAny() noexcept;
  /// Test hook: growth beyond this many locations fails with SM_MAX_LIVES. Returns the former one.
  static std::size_t setMaxLocations(std::size_t count) noexcept;

  void addOwner() noexcept;
  void removeOwner() noexcept;

  /// The next location. Grows as soon as the last free location has been handed out.
  std::uint32_t allocate() {
    const std::size_t loc = freeFirst++;
    if (freeFirst == freeEnd) [[unlikely]]
      refill();
    return static_cast<std::uint32_t>(loc);
  }
  /// Gives a location back; its value stays readable until it is handed out again.
  void free(std::uint32_t loc) noexcept {
    if (loc + std::size_t{1} == freeFirst)
      freeFirst = loc;
    else
      freeElsewhere(loc);
  }
  /// As free, from a thread that does not use this store; may end the life of an orphaned store.
  void returnLocation(std::uint32_t loc) noexcept;

  /// The next `count` allocations are consecutive and ascending; variables made there are pinned.
  void ensureContiguous(std::size_t count);
  /// The flag for the variable that was just made: one reserved location less.
  std::uint32_t takeReserved() noexcept {
    --reserved;
    return kPinned;
  }

  /// Locations handed out and not given back.
  std::size_t numLives() noexcept;
  std::size_t capacity() const noexcept { return capacity_; }

  /// Calls f(first, end) for every run of live locations in ascending order.
  template <class F> void forEachLiveRun(F &&f);

  /// A recording opens: all needed-flags are cleared. An inner recording on the same store gets
  /// fresh flags, and allocates no location whose value the outer recording may need, freed or not.
  void beginRecording();
  /// The innermost recording closes; the free locations of both are joined again.
  void endRecording() noexcept;

  // What the inline recorder touches. `needed[loc]` tells that an operation of the innermost open
  // recording needs the value that loc holds now.
  double *values = nullptr;
  std::uint16_t *needed = nullptr;
  std::size_t freeFirst = 0; // front free block: freeFirst … freeEnd-1, never empty
  std::size_t freeEnd = 0;
  std::size_t reserved = 0;  // locations of ensureContiguous that are still to be handed out
  StoreId id = 0;

  /// Values of the parameters by index. An index is kept while its pdouble lives and at least until
  /// the recording that was open when it was made ends.
  std::vector<double> parameterValues;
  std::size_t addParameter(double value, bool heldByObject);
  void releaseParameter(std::size_t index) noexcept;

private:
  struct FreeBlock {
    std::size_t first, end;
  };
  struct OuterRecording;

  explicit Store(std::size_t initialCapacity);
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  ADOLC_COLD void refill();
  ADOLC_NOINLINE void freeElsewhere(std::uint32_t loc) noexcept;
  bool takeFreeBlock() noexcept;
  void takeReturned() noexcept;
  void grow(std::size_t minimum);
  /// Joins adjacent free blocks: the front block is the lowest, the others follow in descending
  /// order, so that they are taken in ascending order.
  void consolidate();
  void pushFree(FreeBlock block) noexcept;
  void trimParameters() noexcept;
  void makeContiguous(std::size_t count);

  std::size_t capacity_ = 0;
  std::vector<FreeBlock> freeBlocks_; // behind the front block
  std::vector<std::unique_ptr<OuterRecording>> outer_;
  std::size_t recordings_ = 0;
  std::size_t firstOwn_ = 0; // locations below belong to outer recordings
  std::vector<char> parameterHeld_;

  std::mutex mutex_; // owners_, orphaned lives, returned locations
  std::size_t owners_ = 1;
  std::size_t orphanedLives_ = 0;
  std::vector<std::uint32_t> returned_;
  std::atomic<bool> hasReturned_{false};
};

template <class F> void Store::forEachLiveRun(F &&f) {
  takeReturned();
  consolidate();
  std::size_t live = 0; // first location behind the free block before
  const auto visit = [&](std::size_t first, std::size_t end) {
    if (live < first)
      f(live, first);
    live = end;
  };
  visit(freeFirst, freeEnd);
  for (auto it = freeBlocks_.rbegin(); it != freeBlocks_.rend(); ++it)
    visit(it->first, it->end);
  if (live < capacity_)
    f(live, capacity_);
}

} // namespace ADOLC::detail
