#include <adolc/valuetape/store.h>

#include <adolc/adolcerror.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <utility>

namespace ADOLC::detail {

/// What beginRecording puts aside for the recording that is open already.
struct Store::OuterRecording {
  std::uint16_t *needed; // grows with the store, as does own
  std::vector<char> own;
  std::vector<FreeBlock> freeBlocks; // not for inner recordings
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
Ids &ids() {
  static Ids *const instance = new Ids; // never destroyed, see Pool
  return *instance;
}

/// Owns the thread's default store; the pointer itself stays readable after the owner is gone.
thread_local Store *threadStore = nullptr;
struct ThreadStoreOwner {
  ~ThreadStoreOwner() {
    if (threadStore != nullptr)
      threadStore->removeOwner();
    threadStore = nullptr;
  }
};

/// Enlarges an array, new elements are 0. If one of several arrays cannot be enlarged, the others
/// are merely larger than needed.
template <class T> void growArray(T *&array, std::size_t from, std::size_t to) {
  void *memory = std::realloc(static_cast<void *>(array), to * sizeof(T));
  if (memory == nullptr)
    throw std::bad_alloc();
  array = static_cast<T *>(memory);
  std::memset(array + from, 0, (to - from) * sizeof(T));
}

} // namespace

Store *Store::create(std::size_t initialCapacity) { return new Store(initialCapacity); }

Store::Store(std::size_t initialCapacity) {
  try {
    grow(std::max(initialCapacity, kInitialCapacity));
    takeFreeBlock();
    id = ids().take(this);
  } catch (...) {
    std::free(values);
    std::free(needed);
    throw;
  }
}

Store::~Store() {
  ids().giveBack(id);
  std::free(values);
  std::free(needed);
}

Store *Store::find(StoreId id) noexcept {
  Store *store = stores[id & (kIndices - 1)].load(std::memory_order_acquire);
  return store != nullptr && store->id == (id & kStoreIdMask) ? store : nullptr;
}

Store &Store::threadDefault() {
  if (threadStore == nullptr) {
    thread_local ThreadStoreOwner owner; // its destructor runs at thread exit
    static_cast<void>(owner);
    threadStore = create();
  }
  return *threadStore;
}

Store *Store::threadDefaultIfAny() noexcept { return threadStore; }

std::size_t Store::setMaxLocations(std::size_t count) noexcept {
  return maxLocations.exchange(count);
}

void Store::addOwner() noexcept {
  const std::lock_guard lock(mutex_);
  ++owners_;
}

void Store::removeOwner() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (--owners_ != 0)
      return;
    for (const std::uint32_t loc : returned_)
      pushOwned(loc);
    returned_.clear();
    hasReturned_ = false;
    orphanedLives_ = livesHandedOut();
    if (orphanedLives_ != 0)
      return;
  }
  delete this;
}

void Store::returnLocation(std::uint32_t loc) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (owners_ != 0) {
      try {
        returned_.push_back(loc);
        hasReturned_.store(true, std::memory_order_release);
      } catch (const std::bad_alloc &) {
        // the location stays unused
      }
      return;
    }
    if (--orphanedLives_ != 0)
      return;
  }
  delete this;
}

void Store::takeReturned() noexcept {
  if (!hasReturned_.load(std::memory_order_acquire))
    return;
  const std::lock_guard lock(mutex_);
  for (const std::uint32_t loc : returned_)
    pushOwned(loc);
  returned_.clear();
  hasReturned_ = false;
}

void Store::pushFree(FreeBlock block) noexcept {
  try {
    freeBlocks_.push_back(block);
  } catch (const std::bad_alloc &) {
    // the locations stay unused: they are lost, not handed out twice
  }
}

void Store::pushOwned(std::uint32_t loc) noexcept {
  if (loc >= capacity_)
    return; // not a location of this store
  const FreeBlock block{loc, loc + std::size_t{1}};
  if (owned(loc)) {
    pushFree(block);
    return;
  }
  std::size_t level = outer_.size() - 1; // the outermost recording owns everything
  while (level > 0 && outer_[level]->own[loc] == 0)
    --level;
  try {
    outer_[level]->freeBlocks.push_back(block);
  } catch (const std::bad_alloc &) {
    // as in pushFree
  }
}

void Store::freeElsewhere(std::uint32_t loc) noexcept {
  if (loc >= capacity_)
    return; // not a location of this store: nothing to give back
  if (!owned(loc)) {
    pushOwned(loc);
  } else if (loc == freeEnd) {
    ++freeEnd;
  } else if (reserved != 0) {
    pushOwned(loc); // the front block is what ensureContiguous promised
  } else {
    pushFree({freeFirst, freeEnd});
    freeFirst = loc;
    freeEnd = loc + std::size_t{1};
  }
}

bool Store::takeFreeBlock() noexcept {
  if (freeBlocks_.empty())
    return false;
  freeFirst = freeBlocks_.back().first;
  freeEnd = freeBlocks_.back().end;
  freeBlocks_.pop_back();
  return true;
}

void Store::refill() {
  if (takeFreeBlock())
    return;
  takeReturned();
  if (takeFreeBlock())
    return;
  try {
    grow(1);
  } catch (...) {
    --freeFirst; // the location that was just taken is free again
    throw;
  }
  takeFreeBlock();
}

/// Doubles the capacity, at least by `minimum`; the new locations become a free block.
void Store::grow(std::size_t minimum) {
  const std::size_t limit = maxLocations.load(std::memory_order_relaxed);
  if (!outer_.empty())
    ++minimum; // for the one that stays between
  if (capacity_ >= limit || limit - capacity_ < minimum)
    ADOLCError::fail(ADOLCError::ErrorType::SM_MAX_LIVES, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = capacity_ + minimum, .info6 = limit});
  const std::size_t capacity = std::min(limit, capacity_ + std::max(capacity_, minimum));
  try {
    freeBlocks_.reserve(freeBlocks_.size() + 1);
    growArray(values, capacity_, capacity);
    growArray(needed, capacity_, capacity);
    for (const auto &recording : outer_)
      growArray(recording->needed, capacity_, capacity);
    std::size_t first = capacity_;
    if (!outer_.empty()) {
      // New locations belong to all recordings, but one of them stays between: see divideFree.
      outer_.front()->freeBlocks.reserve(outer_.front()->freeBlocks.size() + 1);
      const auto extend = [&](std::vector<char> &own) {
        own.resize(capacity, 1);
        own[first] = 0;
      };
      extend(own_);
      for (std::size_t level = 1; level < outer_.size(); ++level)
        extend(outer_[level]->own);
      outer_.front()->freeBlocks.push_back({first, first + 1});
      ++first;
    }
    freeBlocks_.push_back({first, capacity});
  } catch (const std::bad_alloc &) {
    ADOLCError::fail(ADOLCError::ErrorType::TAPING_STORE_REALLOC_FAILED, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = capacity});
  }
  capacity_ = capacity;
}

void Store::consolidate() {
  if (freeBlocks_.empty())
    return;
  pushFree({freeFirst, freeEnd});
  std::sort(freeBlocks_.begin(), freeBlocks_.end(),
            [](const FreeBlock &a, const FreeBlock &b) { return a.first > b.first; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < freeBlocks_.size(); ++i) {
    if (freeBlocks_[i].end == freeBlocks_[last].first)
      freeBlocks_[last].first = freeBlocks_[i].first;
    else
      freeBlocks_[++last] = freeBlocks_[i];
  }
  freeBlocks_.resize(last + 1);
  takeFreeBlock();
}

void Store::ensureContiguous(std::size_t count) {
  makeContiguous(count);
  reserved = count;
}

void Store::makeContiguous(std::size_t count) {
  // One location more than asked for, since the front block is never left empty.
  if (count >= maxLocations.load(std::memory_order_relaxed))
    ADOLCError::fail(ADOLCError::ErrorType::SM_MAX_LIVES, CURRENT_LOCATION,
                     {.info1 = -1, .info5 = count, .info6 = maxLocations.load()});
  const auto fits = [count](std::size_t first, std::size_t end) { return end - first > count; };
  if (fits(freeFirst, freeEnd))
    return;
  takeReturned();
  consolidate();
  if (fits(freeFirst, freeEnd))
    return;
  auto found = std::find_if(freeBlocks_.rbegin(), freeBlocks_.rend(),
                            [&](const FreeBlock &b) { return fits(b.first, b.end); });
  if (found == freeBlocks_.rend()) {
    grow(count + 1);
    found = freeBlocks_.rbegin();
  }
  const FreeBlock front{freeFirst, freeEnd};
  freeFirst = found->first;
  freeEnd = found->end;
  *found = front;
}

std::size_t Store::numLives() noexcept {
  const std::lock_guard lock(mutex_);
  return livesHandedOut() - returned_.size();
}

std::size_t Store::livesHandedOut() const noexcept {
  std::size_t idle = freeEnd - freeFirst;
  for (const FreeBlock &b : freeBlocks_)
    idle += b.end - b.first;
  for (const auto &recording : outer_)
    for (const FreeBlock &b : recording->freeBlocks)
      idle += b.end - b.first;
  return capacity_ - idle;
}

void Store::beginRecording() {
  if (recordings_ == 0)
    std::memset(needed, 0, capacity_ * sizeof(std::uint16_t));
  else
    beginInnerRecording();
  ++recordings_;
}

void Store::divideFree(std::vector<FreeBlock> &usable, std::vector<FreeBlock> &held) {
  consolidate();
  const auto divide = [&](std::size_t first, std::size_t end) {
    while (first != end) {
      const bool flagged = needed[first] != 0;
      std::size_t last = first + 1;
      while (last != end && (needed[last] != 0) == flagged)
        ++last;
      // One location stays between: what `free` joins to the front block without asking, because
      // it lies right before it, is then owned by the same recording.
      const std::size_t firstUsable = flagged ? last : first + 1;
      held.push_back({first, firstUsable});
      if (firstUsable != last)
        usable.push_back({firstUsable, last});
      first = last;
    }
  };
  for (const FreeBlock &b : freeBlocks_)
    divide(b.first, b.end);
  divide(freeFirst, freeEnd);
}

void Store::beginInnerRecording() {
  takeReturned();
  std::vector<FreeBlock> usable, held;
  divideFree(usable, held);
  if (usable.empty()) {
    grow(2 * kInitialCapacity);
    held.clear();
    divideFree(usable, held);
  }
  auto outer = std::make_unique<OuterRecording>();
  outer_.reserve(outer_.size() + 1);
  std::vector<char> own(capacity_, 0);
  for (const FreeBlock &b : usable)
    std::fill(own.begin() + static_cast<std::ptrdiff_t>(b.first),
              own.begin() + static_cast<std::ptrdiff_t>(b.end), char{1});
  auto *flags = static_cast<std::uint16_t *>(std::calloc(capacity_, sizeof(std::uint16_t)));
  if (flags == nullptr)
    throw std::bad_alloc();
  // Nothing fails from here on.
  outer->needed = std::exchange(needed, flags);
  outer->own = std::exchange(own_, std::move(own));
  outer->freeBlocks = std::move(held);
  outer_.push_back(std::move(outer));
  freeBlocks_ = std::move(usable);
  takeFreeBlock();
}

void Store::endRecording() noexcept {
  if (--recordings_ == 0)
    trimParameters();
  if (outer_.empty())
    return;
  const std::unique_ptr<OuterRecording> outer = std::move(outer_.back());
  outer_.pop_back();
  std::free(needed);
  needed = outer->needed;
  own_ = std::move(outer->own);
  for (const FreeBlock &b : outer->freeBlocks)
    pushFree(b);
  consolidate();
}

std::size_t Store::addParameter(double value, bool heldByObject) {
  parameterHeld_.reserve(parameterHeld_.size() + 1);
  parameterValues.push_back(value);
  parameterHeld_.push_back(heldByObject ? 1 : 0);
  return parameterValues.size() - 1;
}

void Store::releaseParameter(std::size_t index) noexcept {
  if (index < parameterHeld_.size())
    parameterHeld_[index] = 0;
  if (recordings_ == 0)
    trimParameters();
}

void Store::trimParameters() noexcept {
  while (!parameterHeld_.empty() && parameterHeld_.back() == 0) {
    parameterHeld_.pop_back();
    parameterValues.pop_back();
  }
}

} // namespace ADOLC::detail
