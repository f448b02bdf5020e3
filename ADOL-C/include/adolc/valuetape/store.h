/// @file valuetape/store.h
/// The active store: the values of active variables by location, and the allocator of locations.
///
/// A store is used by one thread at a time (by the thread whose current tape is bound to it, or
/// whose default store it is); only `returnLocation` may be called from any thread. A store lives
/// as long as a tape or a thread owns it or one of its locations is still held by a variable.
#pragma once

#include <adolc/internal/common.h>
#include <adolc/valuetape/blockchain.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace ADOLC::detail {

/// Name of a store in a handle: 20 bits index, 10 bits generation; never 0.
using StoreId = std::uint32_t;
inline constexpr int kStoreIdBits = 30;
inline constexpr StoreId kStoreIdMask = (StoreId{1} << kStoreIdBits) - 1;

/// Flags of a handle, above the store id.
inline constexpr std::uint64_t kPinnedBit = std::uint64_t{1} << 62;   ///< keeps its location
inline constexpr std::uint64_t kBorrowedBit = std::uint64_t{1} << 63; ///< does not own it

/// Whether an operation of the open recording needs the value that a location holds. Not bool,
/// whose value a compiler extends again after loading it, nor a character type, which may alias
/// anything.
enum class Needed : std::uint8_t { no, yes };

class ADOLC_API Store {
public:
  static constexpr std::size_t kInitialCapacity = 4;
  /// More live variables than this do not fit the 32-bit cells of a tape.
  static constexpr std::size_t kMaxLocations = 0xffffffffu;

  /// A new store, owned once.
  static Store *create(std::size_t initialCapacity = kInitialCapacity);
  /// A new store with the initial capacity of the configuration, as far as there is room for that.
  static Store *createConfigured();
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

  /// The next location: the one that was freed last, else the lowest that was never used. Grows as
  /// soon as the last free location has been handed out.
  std::uint32_t allocate() {
    const std::uint32_t loc = *--freeTop;
    if (freeTop == freeBase) [[unlikely]]
      refill();
    return loc;
  }
  /// Gives a location back; its value stays readable until it is handed out again.
  void free(std::uint32_t loc) noexcept {
    if (freeTag != idTag()) [[unlikely]] {
      freeCarefully(loc);
      return;
    }
    *freeTop++ = loc;
  }
  /// As free, for a location that somebody says is his: one that was not handed out or has been
  /// given back already is left alone. Looks through all free locations.
  void freeIfLive(std::uint32_t loc) noexcept;
  /// As freeIfLive, from a thread that does not use this store; may end the life of an orphaned
  /// store.
  void returnLocation(std::uint32_t loc) noexcept;

  /// The next `count` variables that are made are consecutive and ascending; they are pinned. While
  /// locations are reserved, `tag` fits no handle, so that every operation comes out of line.
  void ensureContiguous(std::size_t count);
  /// The location of the next variable: a reserved one if there are any.
  std::uint32_t allocateNext();
  /// As free, for a pinned variable: a temporary gives its location back to the reservation.
  void freePinned(std::uint32_t loc) noexcept;

  /// Locations handed out and not given back.
  std::size_t numLives() noexcept;
  std::size_t capacity() const noexcept { return capacity_; }
  /// For a thread that does not use this store: as long as it holds the lock, `values` and
  /// capacity() stay as they are.
  std::unique_lock<std::mutex> lockValues() noexcept;
  /// Every location that lives, and every one that the open recording has used, is below this one.
  std::size_t handedOut() const noexcept { return unused_; }

  /// Calls f(first, end) for every run of live locations in ascending order. Only right after
  /// beginRecording.
  template <class F> void forEachLiveRun(F &&f);
  /// Calls f(loc) for every location below handedOut() that is not live.
  template <class F> void forEachFree(F &&f) const {
    std::for_each(freeBase, freeTop, f);
    std::for_each(held_.begin(), held_.end(), f);
    std::for_each(reservedBack_.begin(), reservedBack_.end(), f);
    for (std::uint32_t i = 0; i < reserved; ++i)
      f(nextReserved_ + i);
  }

  /// A recording opens: all needed-flags are cleared. An inner recording on the same store gets
  /// fresh flags and allocates none of the locations whose last value the outer recording still
  /// needs, also if they are free.
  void beginRecording();
  /// The innermost recording closes; what it must not use is free for the outer one.
  void endRecording() noexcept;
  bool isRecorded() const noexcept { return recordings_ != 0; }

  // What the inline recorder touches; `needed` is that of the innermost open recording.
  double *values = nullptr;
  Needed *needed = nullptr;
  // Free locations, the next one on top; never empty, and never more than there are locations.
  std::uint32_t *freeTop = nullptr;
  std::uint32_t *freeBase = nullptr;
  std::size_t reserved = 0; // locations of ensureContiguous that are still to be handed out
  std::uint64_t unnamed =
      0; // the result in a reserved location that was made last, as a handle has it
  const void *unnamedSince = nullptr; // the place on the tape then
  StoreId id = 0;
  std::uint64_t tag = 0;     // the id where a handle has it; fits none while locations are reserved
  std::uint64_t freeTag = 0; // the same, but while locations must be freed carefully
  std::uint64_t idTag() const noexcept { return std::uint64_t{id} << 32; }

  /// Values of the parameters in the order of creation. An index is kept while its pdouble lives
  /// and at least until the recording that was open when it was made ends.
  std::vector<double> parameterValues;
  /// Returns the index. The owner is the tape on which the parameter is made, or nullptr.
  std::size_t addParameter(double value, bool heldByObject, const void *owner = nullptr);
  void releaseParameter(std::size_t index) noexcept;
  /// Which parameter of its owner it is, in the order of creation, and the way back: the number of
  /// parameters where there is none.
  std::size_t parameterNumber(std::size_t index) const noexcept;
  std::size_t findParameter(const void *owner, std::size_t number) const noexcept;
  std::size_t numParameters(const void *owner) const noexcept {
    const auto found = parametersOf_.find(owner);
    return found != parametersOf_.end() ? found->second : 0;
  }
  bool ownsParameter(const void *owner, std::size_t index) const noexcept {
    return parameters_[index].owner == owner;
  }
  /// Parameters without an owner get one: the tape that is recorded next.
  void adoptParameters(const void *owner);

private:
  struct OuterRecording;

  explicit Store(std::size_t initialCapacity);
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  ADOLC_COLD void refill();
  void replenish();
  /// Lowest free locations first.
  void sortFree() noexcept;
  /// Hands never used locations to the stack, at most `most`; false if there are none.
  bool takeUnused(std::size_t most) noexcept;
  ADOLC_COLD void freeCarefully(std::uint32_t loc) noexcept;
  void updateTags() noexcept;
  std::size_t cancelReservation() noexcept;
  /// What came back since reservation began and did not join the reserved locations again.
  void endReservation() noexcept;
  /// Calls f for every location that came back from other threads, if it is one that lives.
  template <class F> bool forEachReturned(F &&f) noexcept;
  void takeReturned() noexcept;
  void freeReturned() noexcept;
  void grow(std::size_t minimum);
  void makeContiguous(std::size_t count);
  /// An outer recording needs the value that a location holds.
  bool heldByOuter(std::uint32_t loc) const noexcept;
  void beginInnerRecording();
  void endInnerRecording() noexcept;
  std::size_t livesHandedOut() const noexcept;
  void trimParameters() noexcept;

  GrowingArray<double> values_;
  GrowingArray<Needed> needed_;
  GrowingArray<std::uint32_t> free_;
  std::size_t capacity_ = 0;
  std::size_t unused_ = 0; // locations from here on are neither live nor on the stack
  std::vector<std::unique_ptr<OuterRecording>> outer_;
  std::size_t recordings_ = 0;
  std::vector<std::uint32_t> held_; // freed in inner recordings, but needed by an outer one

  // The reservation: locations from firstReserved_ were handed out, the next one is nextReserved_.
  std::uint32_t firstReserved_ = 0, nextReserved_ = 0;
  std::vector<std::uint32_t> reservedBack_; // handed out of it and given back

  struct Parameter {
    const void *owner;
    std::size_t number; // among those of the owner
    bool held;
  };
  std::vector<Parameter> parameters_;
  std::map<const void *, std::size_t> parametersOf_;

  // Under a mutex that stores share, see store.cpp; so are capacity_ and values_, where they
  // change.
  std::size_t owners_ = 1;
  std::size_t orphanedLives_ = 0;
  std::vector<std::uint32_t> returned_;
  std::atomic<bool> hasReturned_{false};
};

template <class F> void Store::forEachLiveRun(F &&f) {
  takeReturned();
  if (livesHandedOut() == 0)
    return;
  // The flags of the recording that begins are all clear: free locations borrow theirs meanwhile.
  const auto markFree = [this](Needed mark) {
    forEachFree([this, mark](std::uint32_t loc) { needed[loc] = mark; });
  };
  markFree(Needed::yes);
  for (std::size_t first = 0; first < unused_;) {
    std::size_t end = first;
    while (end < unused_ && needed[end] == Needed::no)
      ++end;
    if (end != first)
      f(first, end);
    first = end + 1;
  }
  markFree(Needed::no);
}

} // namespace ADOLC::detail
