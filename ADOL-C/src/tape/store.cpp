#include <adolc/valuetape/store.h>

#include "tape/forklocks.h"
#include "tape/perthread.h"
#include "tape/settings.h"

#include <adolc/adolcerror.h>
#include <adolc/valuetape/blockchain.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <new>
#include <utility>

namespace ADOLC::detail {

/// The flags of a recording while an inner one on the same store is open.
struct Store::OuterRecording {
  GrowingArray<Needed> needed; // grows with the store
};

namespace {

constexpr int kIndexBits = 20;
constexpr std::size_t kIndices = std::size_t{1} << kIndexBits;

// By index; untouched pages cost nothing.
std::atomic<Store *> stores[kIndices];
std::atomic<std::size_t> maxLocations{Store::kMaxLocations};

struct Ids {
  std::mutex mutex;
  std::vector<StoreId> generation;
  std::deque<StoreId> freed; // longest free first

  StoreId take(Store *store) {
    const std::lock_guard lock(mutex);
    StoreId index;
    if (!freed.empty() && (generation.size() == kIndices || freed.size() > 1024)) {
      index = freed.front();
      freed.pop_front();
    } else {
      if (generation.size() == kIndices)
        throw std::bad_alloc();
      index = static_cast<StoreId>(generation.size());
      generation.push_back(0);
    }
    // Generation 0 never occurs, so an id is never 0.
    constexpr StoreId generations = StoreId{1} << (kStoreIdBits - kIndexBits);
    generation[index] = generation[index] + 1 == generations ? 1 : generation[index] + 1;
    stores[index].store(store, std::memory_order_release);
    return generation[index] << kIndexBits | index;
  }
  void giveBack(StoreId id) noexcept {
    const std::lock_guard lock(mutex);
    const StoreId index = id & (kIndices - 1);
    stores[index].store(nullptr, std::memory_order_release);
    try {
      freed.push_back(index);
    } catch (const std::bad_alloc &) {
      // the index stays unused
    }
  }
};
/// For owners, orphaned lives and returned locations of all stores: a fork can wait for some
/// mutexes (see forklocks.h), not for one per store.
struct SharedMutexes {
  std::array<std::mutex, 16> mutexes;

  std::mutex &of(const Store &store) { return mutexes[store.id % mutexes.size()]; }
  void lock() {
    for (std::mutex &mutex : mutexes)
      mutex.lock();
  }
  void unlock() {
    for (std::mutex &mutex : mutexes)
      mutex.unlock();
  }
};
SharedMutexes &sharedMutexes() {
  static SharedMutexes *const instance = [] {
    auto *const made = new SharedMutexes;
    duringFork(ForkOrder::stores, {[] { sharedMutexes().lock(); }, [] { sharedMutexes().unlock(); },
                                   [] { sharedMutexes().unlock(); }});
    return made;
  }();
  return *instance;
}

Ids &ids() {
  static Ids *const instance = [] {
    Ids *const made = new Ids; // never destroyed, see Pool
    lockDuringFork(ForkOrder::storeIds, made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const bool atLoad = (ids(), sharedMutexes(), true); // see lockDuringFork

/// Owns the thread's default store.
struct ThreadStore {
  Store *store = Store::createConfigured();
  ~ThreadStore() { store->removeOwner(); }
};

} // namespace

namespace {
/// Never used locations go to the stack in batches.
constexpr std::size_t kBatch = 64;
} // namespace

Store *Store::create(std::size_t initialCapacity) { return new Store(initialCapacity); }

Store *Store::createConfigured() {
  const std::size_t wanted = tapeDefaults().initialStoreSize;
  if (wanted > kInitialCapacity) {
    try {
      return create(wanted);
    } catch (const std::exception &) {
      // It was only meant to save growing: begin small.
    }
  }
  return create();
}

Store::Store(std::size_t initialCapacity) {
  grow(std::max(initialCapacity, kInitialCapacity));
  takeUnused(kBatch);
  id = ids().take(this);
  updateTags();
}

Store::~Store() { ids().giveBack(id); }

Store *Store::find(StoreId id) noexcept {
  Store *store = stores[id & (kIndices - 1)].load(std::memory_order_acquire);
  return store != nullptr && store->id == (id & kStoreIdMask) ? store : nullptr;
}

Store &Store::threadDefault() {
  if (PerThread<ThreadStore>::ifAny() == nullptr)
    refreshSettings();
  try {
    return *PerThread<ThreadStore>::get().store;
  } catch (const std::bad_alloc &) {
    ADOLCError::fail(ADOLCError::ErrorType::MALLOC_FAILED, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = sizeof(Store)});
  }
}

Store *Store::threadDefaultIfAny() noexcept {
  const ThreadStore *const mine = PerThread<ThreadStore>::ifAny();
  return mine != nullptr ? mine->store : nullptr;
}

std::size_t Store::setMaxLocations(std::size_t count) noexcept {
  return maxLocations.exchange(count);
}

void Store::addOwner() noexcept {
  const std::lock_guard lock(sharedMutexes().of(*this));
  ++owners_;
}

void Store::removeOwner() noexcept {
  {
    const std::lock_guard lock(sharedMutexes().of(*this));
    if (--owners_ != 0)
      return;
    freeReturned();
    orphanedLives_ = livesHandedOut();
    if (orphanedLives_ != 0) {
      // No recording needs the flags any more: they tell which locations live.
      std::fill_n(needed, unused_, Needed::yes);
      forEachFree([this](std::uint32_t loc) { needed[loc] = Needed::no; });
      return;
    }
  }
  delete this;
}

void Store::returnLocation(std::uint32_t loc) noexcept {
  {
    const std::lock_guard lock(sharedMutexes().of(*this));
    if (owners_ != 0) {
      try {
        returned_.push_back(loc);
        hasReturned_.store(true, std::memory_order_release);
      } catch (const std::bad_alloc &) {
        // the location stays unused
      }
      return;
    }
    if (loc >= unused_ || std::exchange(needed[loc], Needed::no) == Needed::no ||
        --orphanedLives_ != 0)
      return;
  }
  delete this;
}

template <class F> bool Store::forEachReturned(F &&f) noexcept {
  try {
    std::vector<bool> isFree(unused_);
    forEachFree([&isFree](std::uint32_t loc) { isFree[loc] = true; });
    for (const std::uint32_t loc : returned_)
      if (loc < isFree.size() && !isFree[loc]) {
        isFree[loc] = true;
        f(loc);
      }
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

void Store::takeReturned() noexcept {
  if (!hasReturned_.load(std::memory_order_acquire))
    return;
  const std::lock_guard lock(sharedMutexes().of(*this));
  freeReturned();
}

void Store::freeReturned() noexcept {
  if (!returned_.empty() && !forEachReturned([this](std::uint32_t loc) { free(loc); }))
    return; // they wait until there is memory
  returned_.clear();
  hasReturned_ = false;
}

bool Store::takeUnused(std::size_t most) noexcept {
  const std::size_t count = std::min(most, capacity_ - unused_);
  for (std::size_t i = count; i-- > 0;) // the lowest on top
    *freeTop++ = static_cast<std::uint32_t>(unused_ + i);
  unused_ += count;
  return count != 0;
}

void Store::refill() {
  try {
    replenish();
  } catch (...) {
    ++freeTop; // the location that was just taken is free again
    throw;
  }
}

/// The stack is empty: more locations for it.
void Store::replenish() {
  if (takeUnused(kBatch))
    return;
  takeReturned();
  if (freeTop != freeBase)
    return;
  grow(1);
  takeUnused(kBatch);
}

bool Store::heldByOuter(std::uint32_t loc) const noexcept {
  return std::any_of(outer_.begin(), outer_.end(),
                     [loc](const auto &outer) { return outer->needed.data()[loc] == Needed::yes; });
}

void Store::freeIfLive(std::uint32_t loc) noexcept {
  takeReturned();
  bool isFree = loc >= unused_;
  forEachFree([&isFree, loc](std::uint32_t other) { isFree |= other == loc; });
  if (!isFree)
    free(loc);
}

/// While an inner recording is open.
void Store::freeCarefully(std::uint32_t loc) noexcept {
  if (heldByOuter(loc)) {
    try {
      held_.push_back(loc);
    } catch (const std::bad_alloc &) {
      // the location stays unused: it is lost, not handed out too early
    }
    return;
  }
  *freeTop++ = loc;
}

void Store::updateTags() noexcept {
  // No handle has both flags and may own its location.
  constexpr std::uint64_t fitsNone = kPinnedBit | kBorrowedBit;
  tag = reserved == 0 ? idTag() : idTag() | fitsNone;
  freeTag = outer_.empty() ? idTag() : idTag() | fitsNone;
}

/// Doubles the capacity, at least by `minimum`; the new locations are unused.
void Store::grow(std::size_t minimum) {
  const std::size_t limit = maxLocations.load(std::memory_order_relaxed);
  if (capacity_ >= limit || limit - capacity_ < minimum)
    ADOLCError::fail(ADOLCError::ErrorType::SM_MAX_LIVES, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = capacity_ + minimum, .info6 = limit});
  const std::size_t capacity = std::min(limit, capacity_ + std::max(capacity_, minimum));
  try {
    // If not all of them can be enlarged, some are merely larger than needed.
    values_.grow(capacity);
    values = values_.data();
    needed_.grow(capacity);
    needed = needed_.data();
    for (const auto &recording : outer_)
      recording->needed.grow(capacity);
    const std::ptrdiff_t idle = freeTop - freeBase;
    free_.grow(capacity);
    freeBase = free_.data();
    freeTop = freeBase + idle;
  } catch (const std::bad_alloc &) {
    ADOLCError::fail(ADOLCError::ErrorType::TAPING_STORE_REALLOC_FAILED, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = capacity});
  }
  capacity_ = capacity;
}

void Store::ensureContiguous(std::size_t count) {
  cancelReservation();
  if (count == 0)
    return;
  makeContiguous(count);
  const std::uint32_t first = freeTop[-1];
  freeTop -= count;
  if (freeTop == freeBase) {
    try {
      replenish();
    } catch (...) {
      freeTop = freeBase + count;
      throw;
    }
  }
  firstReserved_ = nextReserved_ = first;
  reserved = count;
  updateTags();
}

std::uint32_t Store::allocateNext() {
  if (reserved == 0)
    return allocate();
  const std::uint32_t loc = nextReserved_++;
  if (--reserved == 0)
    endReservation();
  return loc;
}

void Store::freePinned(std::uint32_t loc) noexcept {
  if (reserved == 0 || loc < firstReserved_ || loc >= nextReserved_) {
    free(loc);
    return;
  }
  auto &back = reservedBack_; // a heap, the highest location on top
  if (loc != nextReserved_ - 1) {
    try {
      back.push_back(loc);
    } catch (const std::bad_alloc &) {
      return; // the location stays unused
    }
    std::push_heap(back.begin(), back.end());
    return;
  }
  --nextReserved_;
  ++reserved;
  while (!back.empty() && back.front() == nextReserved_ - 1) {
    std::pop_heap(back.begin(), back.end());
    back.pop_back();
    --nextReserved_;
    ++reserved;
  }
}

/// Returns how many locations were still reserved.
std::size_t Store::cancelReservation() noexcept {
  const std::size_t count = std::exchange(reserved, 0);
  for (std::size_t i = count; i-- > 0;)
    *freeTop++ = nextReserved_ + static_cast<std::uint32_t>(i);
  endReservation();
  return count;
}

void Store::endReservation() noexcept {
  updateTags();
  for (const std::uint32_t loc : reservedBack_)
    free(loc);
  reservedBack_.clear();
}

/// Brings `count` consecutive free locations to the top of the stack.
void Store::makeContiguous(std::size_t count) {
  if (count < 2)
    return;
  if (count >= maxLocations.load(std::memory_order_relaxed))
    ADOLCError::fail(ADOLCError::ErrorType::SM_MAX_LIVES, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = count, .info6 = maxLocations.load()});
  takeReturned();
  // Descending, so that the lowest are handed out first.
  std::sort(freeBase, freeTop, std::greater<>());
  std::uint32_t *first = freeTop; // of a run that ends at the highest address seen
  std::size_t run = 0;
  for (std::uint32_t *loc = freeTop; loc-- != freeBase;) {
    run = run != 0 && *loc == loc[1] + 1 ? run + 1 : 1;
    if (run == count) {
      first = loc;
      break;
    }
  }
  if (run == count) {
    std::rotate(first, first + count, freeTop);
    return;
  }
  // No such run: never used locations, behind a growth if there are too few of them.
  if (capacity_ - unused_ < count + 1)
    grow(count + 1);
  takeUnused(count);
}

std::size_t Store::numLives() noexcept {
  const std::lock_guard lock(sharedMutexes().of(*this));
  std::size_t lives = livesHandedOut();
  if (!returned_.empty())
    forEachReturned([&lives](std::uint32_t) { --lives; });
  return lives;
}

std::size_t Store::livesHandedOut() const noexcept {
  return unused_ - static_cast<std::size_t>(freeTop - freeBase) - held_.size() - reserved -
         reservedBack_.size();
}

/// The lowest free locations come first, since sweeps need room up to the highest one of a
/// recording. Those above the highest live one count as unused again, so that a small recording
/// after a large one costs no more than any other. In linear time; the flags serve as marks
/// meanwhile.
void Store::sortFree() noexcept {
  if (livesHandedOut() == 0) {
    unused_ = 0;
    freeTop = freeBase;
  } else {
    for (const std::uint32_t *loc = freeBase; loc != freeTop; ++loc)
      needed[*loc] = Needed::yes;
    freeTop = freeBase;
    while (unused_ != 0 && needed[unused_ - 1] == Needed::yes)
      needed[--unused_] = Needed::no;
    for (std::size_t loc = unused_; loc-- > 0;)
      if (needed[loc] == Needed::yes) {
        needed[loc] = Needed::no;
        *freeTop++ = static_cast<std::uint32_t>(loc);
      }
  }
  if (freeTop == freeBase)
    takeUnused(kBatch);
}

void Store::beginRecording() {
  if (recordings_ != 0) {
    beginInnerRecording();
  } else {
    std::memset(needed, 0, unused_ * sizeof *needed);
    takeReturned();
    if (reserved == 0)
      sortFree();
  }
  ++recordings_;
}

void Store::beginInnerRecording() {
  takeReturned();
  const std::size_t promised = cancelReservation(); // some may be needed by the outer recording
  auto outer = std::make_unique<OuterRecording>();
  outer_.reserve(outer_.size() + 1);
  held_.reserve(unused_);
  GrowingArray<Needed> flags(capacity_);
  // Free locations whose value the outer recording needs wait until the inner one ends.
  std::uint32_t *const usable = std::stable_partition(
      freeBase, freeTop, [this](std::uint32_t loc) { return needed[loc] == Needed::no; });
  held_.insert(held_.end(), usable, freeTop);
  freeTop = usable;
  outer->needed = std::exchange(needed_, std::move(flags));
  needed = needed_.data();
  outer_.push_back(std::move(outer));
  updateTags();
  try {
    if (freeTop == freeBase)
      replenish();
    ensureContiguous(promised);
  } catch (...) {
    endInnerRecording();
    throw;
  }
}

void Store::endInnerRecording() noexcept {
  needed_ = std::move(outer_.back()->needed);
  needed = needed_.data();
  outer_.pop_back();
  updateTags();
  for (const std::uint32_t loc : std::exchange(held_, {}))
    free(loc); // those that a recording further out needs are held again
}

void Store::endRecording() noexcept {
  if (--recordings_ == 0)
    trimParameters();
  if (!outer_.empty())
    endInnerRecording();
}

std::size_t Store::addParameter(double value, bool heldByObject, const void *owner) try {
  std::size_t &number = parametersOf_[owner];
  parameterValues.push_back(value);
  try {
    parameters_.push_back({owner, number, heldByObject});
  } catch (...) {
    parameterValues.pop_back();
    throw;
  }
  ++number;
  return parameterValues.size() - 1;
} catch (const std::bad_alloc &) {
  ADOLCError::fail(ADOLCError::ErrorType::MALLOC_FAILED, CURRENT_LOCATION,
                   {.info1 = -1, .info5 = sizeof(Parameter)});
}

void Store::releaseParameter(std::size_t index) noexcept {
  if (index < parameters_.size())
    parameters_[index].held = false;
  if (recordings_ == 0)
    trimParameters();
}

std::size_t Store::parameterNumber(std::size_t index) const noexcept {
  return index < parameters_.size() ? parameters_[index].number : index;
}

std::size_t Store::findParameter(const void *owner, std::size_t number) const noexcept {
  // The number is never above the index, and mostly the index itself.
  for (std::size_t index = number; index < parameters_.size(); ++index)
    if (parameters_[index].owner == owner && parameters_[index].number == number)
      return index;
  return parameters_.size();
}

void Store::adoptParameters(const void *owner) {
  if (parametersOf_.count(nullptr) == 0)
    return;
  std::size_t &number = parametersOf_[owner];
  number = 0;
  for (Parameter &parameter : parameters_)
    if (parameter.owner == nullptr || parameter.owner == owner) {
      parameter.owner = owner;
      parameter.number = number++;
    }
  parametersOf_.erase(nullptr);
}

/// The last parameter is the last one of its owner, too.
void Store::trimParameters() noexcept {
  while (!parameters_.empty() && !parameters_.back().held) {
    const auto owner = parametersOf_.find(parameters_.back().owner);
    if (--owner->second == 0)
      parametersOf_.erase(owner);
    parameters_.pop_back();
    parameterValues.pop_back();
  }
}

} // namespace ADOLC::detail
