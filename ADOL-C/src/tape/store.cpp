#include <adolc/valuetape/store.h>

#include <adolc/adolcerror.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>

namespace ADOLC::detail {

/// What beginRecording puts aside for the recording that is open already.
struct Store::OuterRecording {
  std::uint16_t *needed; // grows with the store
  std::vector<FreeBlock> freeBlocks; // the front block last
  std::size_t firstOwn;
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
    ADOLCError::fail(ADOLCError::ErrorType::TAPING_STORE_REALLOC_FAILED, CURRENT_LOCATION,
                     {.info5 = to});
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
      pushFree({loc, loc + std::size_t{1}});
    returned_.clear();
    hasReturned_ = false;
    orphanedLives_ = numLives();
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
    pushFree({loc, loc + std::size_t{1}});
  returned_.clear();
  hasReturned_ = false;
}

void Store::pushFree(FreeBlock block) noexcept {
  try {
    // Locations from before an inner recording wait until it ends.
    (block.first < firstOwn_ ? outer_.back()->freeBlocks : freeBlocks_).push_back(block);
  } catch (const std::bad_alloc &) {
    // the locations stay unused: they are lost, not handed out twice
  }
}

void Store::freeElsewhere(std::uint32_t loc) noexcept {
  if (loc >= capacity_)
    return; // not a location of this store: nothing to give back
  if (loc < firstOwn_) {
    pushFree({loc, loc + std::size_t{1}});
  } else if (loc == freeEnd) {
    ++freeEnd;
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
  if (capacity_ >= limit || limit - capacity_ < minimum)
    ADOLCError::fail(ADOLCError::ErrorType::SM_MAX_LIVES, CURRENT_LOCATION,
                     {.info5 = capacity_ + minimum, .info6 = limit});
  const std::size_t capacity = std::min(limit, capacity_ + std::max(capacity_, minimum));
  freeBlocks_.reserve(freeBlocks_.size() + 1);
  growArray(values, capacity_, capacity);
  growArray(needed, capacity_, capacity);
  for (const auto &recording : outer_)
    growArray(recording->needed, capacity_, capacity);
  freeBlocks_.push_back({capacity_, capacity});
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
  std::size_t idle = freeEnd - freeFirst;
  for (const FreeBlock &b : freeBlocks_)
    idle += b.end - b.first;
  for (const auto &recording : outer_)
    for (const FreeBlock &b : recording->freeBlocks)
      idle += b.end - b.first;
  return capacity_ - idle;
}

void Store::beginRecording() {
  if (recordings_ == 0) {
    std::memset(needed, 0, capacity_ * sizeof(std::uint16_t));
  } else {
    takeReturned();
    consolidate();
    auto outer = std::make_unique<OuterRecording>();
    outer_.reserve(outer_.size() + 1);
    freeBlocks_.reserve(freeBlocks_.size() + 2);
    // The inner recording gets free locations at the end whose values the outer one does not need;
    // everything else belongs to the outer recording. One location stays between, so that a freed
    // one never joins the inner front block.
    constexpr std::size_t least = 2 * kInitialCapacity;
    const std::size_t before = capacity_;
    const bool isFront = freeBlocks_.empty();
    const FreeBlock last = isFront ? FreeBlock{freeFirst, freeEnd} : freeBlocks_.front();
    std::size_t between = capacity_;
    while (last.end == capacity_ && between > last.first && needed[between - 1] == 0)
      --between;
    if (before - between <= least) {
      grow(least);
      freeBlocks_.pop_back();
      between = before;
    }
    auto *flags = static_cast<std::uint16_t *>(std::calloc(capacity_, sizeof(std::uint16_t)));
    if (flags == nullptr)
      throw std::bad_alloc();
    if (between == before)
      freeBlocks_.push_back({before, before + 1});
    else
      (isFront ? freeEnd : freeBlocks_.front().end) = between + 1;
    freeBlocks_.push_back({freeFirst, freeEnd});
    outer->needed = needed;
    outer->firstOwn = firstOwn_;
    outer->freeBlocks = std::move(freeBlocks_);
    outer_.push_back(std::move(outer));
    freeBlocks_.clear();
    needed = flags;
    firstOwn_ = between + 1;
    freeFirst = firstOwn_;
    freeEnd = capacity_;
  }
  ++recordings_;
}

void Store::endRecording() noexcept {
  if (--recordings_ == 0)
    trimParameters();
  if (outer_.empty())
    return;
  const std::unique_ptr<OuterRecording> outer = std::move(outer_.back());
  outer_.pop_back();
  firstOwn_ = outer->firstOwn;
  std::free(needed);
  needed = outer->needed;
  pushFree({freeFirst, freeEnd});
  for (const FreeBlock &b : outer->freeBlocks)
    pushFree(b);
  takeFreeBlock();
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
