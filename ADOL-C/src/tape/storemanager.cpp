#include <adolc/storemanager.h>

#include <adolc/adolcerror.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>

using ADOLC::detail::LocationArray;
using ADOLCError::ErrorType;
using ADOLCError::fail;

// ── what both have in common ────────────────────────────────────────────────────────────────────

StoreManager::~StoreManager() = default;

LocationArray::LocationArray(double *&store, std::size_t &capacity, std::size_t &lives)
    : handedOut(capacity, true), store_(&store), capacity_(&capacity), lives_(&lives) {}

void LocationArray::rebind(double *&store, std::size_t &capacity, std::size_t &lives) noexcept {
  store_ = &store;
  capacity_ = &capacity;
  lives_ = &lives;
}

namespace {

/// What `new double[]` may be asked for.
constexpr std::size_t kMaxCapacity = static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(double);

std::size_t saturatedSum(std::size_t a, std::size_t b) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  return b > most - a ? most : a + b;
}

[[noreturn]] void failWithoutMemory(std::size_t capacity) {
  fail(ErrorType::TAPING_STORE_REALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1, .info5 = capacity});
}

/// Whether the program has changed the capacity itself. If so, what it added counts as handed out,
/// and the caller has to forget the free locations that are gone.
bool capacityChanged(LocationArray &array) {
  if (array.capacity() == array.handedOut.size())
    return false;
  try {
    array.handedOut.resize(array.capacity(), true);
  } catch (const std::exception &) {
    failWithoutMemory(array.capacity());
  }
  return true;
}

/// Enlarges the array to max(2 capacity, capacity + minimum, atLeast) elements. Before that, makes
/// room in the list for `entries` more entries, or for one for each new element if it is 0.
template <class Entry>
void growArray(LocationArray &array, std::vector<Entry> &list, std::size_t entries,
               std::size_t minimum, std::size_t atLeast) {
  // The limit cuts off doubling, but there must be something to add.
  const std::size_t needed = saturatedSum(array.capacity(), std::max<std::size_t>(minimum, 1));
  if (needed > kMaxCapacity)
    fail(ErrorType::SM_MAX_LIVES, CURRENT_LOCATION,
         {.info1 = -1, .info5 = needed, .info6 = kMaxCapacity});
  const std::size_t larger =
      std::min(std::max({2 * array.capacity(), needed, atLeast}), kMaxCapacity);
  std::unique_ptr<double[]> values;
  try {
    values = std::make_unique<double[]>(larger); // zeros
    array.handedOut.reserve(larger);
    list.reserve(list.size() + (entries != 0 ? entries : larger - array.capacity()));
  } catch (const std::exception &) {
    failWithoutMemory(larger);
  }
  if (array.store() != nullptr)
    std::copy_n(array.store(), array.capacity(), values.get());
  delete[] array.store();
  array.store() = values.release();
  array.capacity() = larger;
  array.handedOut.resize(larger, false);
}

locint handOut(LocationArray &array, locint loc) {
  array.handedOut[loc] = true;
  ++array.lives();
  return loc;
}

bool isHandedOut(const LocationArray &array, locint loc) {
  return loc < array.capacity() && array.handedOut[loc];
}

void takeBack(LocationArray &array, locint loc) {
  array.handedOut[loc] = false;
  if (array.lives() != 0) // the program may have changed it
    --array.lives();
}

} // namespace

// ── blocks ──────────────────────────────────────────────────────────────────────────────────────

StoreManagerLocintBlock::StoreManagerLocintBlock(double *&store, std::size_t &capacity,
                                                 std::size_t &lives)
    : array_(store, capacity, lives) {}

StoreManagerLocintBlock::~StoreManagerLocintBlock() = default;

void StoreManagerLocintBlock::takeNote() {
  if (!capacityChanged(array_))
    return;
  const std::size_t end = array_.capacity();
  std::erase_if(blocks_, [end](Block &block) {
    block.size = block.next < end ? std::min(block.size, end - block.next) : 0;
    return block.size == 0;
  });
}

locint StoreManagerLocintBlock::next_loc() {
  takeNote();
  // Growth before the last free location is taken comes to the same as growth right after it, and
  // nothing is to be undone if it fails.
  if (blocks_.empty() || (blocks_.size() == 1 && blocks_.back().size == 1))
    grow();
  Block &front = blocks_.back();
  const locint loc = front.next++;
  if (--front.size == 0)
    blocks_.pop_back();
  return handOut(array_, loc);
}

void StoreManagerLocintBlock::free_loc(locint loc) noexcept {
  try {
    takeNote();
    if (!isHandedOut(array_, loc))
      return;
    if (!blocks_.empty() && loc + 1 == blocks_.back().next) {
      --blocks_.back().next;
      ++blocks_.back().size;
    } else if (!blocks_.empty() && loc == blocks_.back().next + blocks_.back().size) {
      ++blocks_.back().size;
    } else {
      blocks_.push_back({loc, 1});
    }
  } catch (const std::exception &) {
    return; // the location is lost, not handed out twice
  }
  takeBack(array_, loc);
}

void StoreManagerLocintBlock::ensure_block(std::size_t n) {
  takeNote();
  if (n == 0 || (!blocks_.empty() && blocks_.back().size >= n))
    return;
  if (static_cast<double>(maxSize()) > gcTriggerRatio() * static_cast<double>(size()) ||
      maxSize() > gcTriggerMaxSize())
    joinBlocks();
  auto longEnough = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                 [n](const Block &block) { return block.size >= n; });
  if (longEnough == blocks_.rend()) {
    grow(n);
    longEnough = std::find_if(blocks_.rbegin(), blocks_.rend(), [this](const Block &block) {
      return block.next + block.size == array_.capacity();
    });
  }
  std::rotate(longEnough.base() - 1, longEnough.base(), blocks_.end()); // to the front
}

/// Joins adjacent blocks; the lowest comes to the front.
void StoreManagerLocintBlock::joinBlocks() {
  if (blocks_.empty())
    return;
  std::sort(blocks_.begin(), blocks_.end(),
            [](const Block &a, const Block &b) { return a.next > b.next; });
  auto last = blocks_.begin(); // of the joined ones
  for (auto block = last + 1; block != blocks_.end(); ++block)
    if (block->next + block->size == last->next) {
      last->next = block->next;
      last->size += block->size;
    } else {
      *++last = *block;
    }
  blocks_.erase(last + 1, blocks_.end());
}

void StoreManagerLocintBlock::grow(std::size_t mingrow) {
  takeNote();
  const std::size_t end = array_.capacity();
  growArray(array_, blocks_, 1, mingrow, get_initialSize());
  const std::size_t added = array_.capacity() - end;
  const auto adjacent = std::find_if(blocks_.begin(), blocks_.end(), [end](const Block &block) {
    return block.next + block.size == end;
  });
  if (adjacent != blocks_.end())
    adjacent->size += added;
  else
    blocks_.insert(blocks_.begin(), {end, added}); // what was freed is used first
}

void StoreManagerLocintBlock::rebind(double *&store, std::size_t &capacity,
                                     std::size_t &lives) noexcept {
  array_.rebind(store, capacity, lives);
}

// ── single locations ────────────────────────────────────────────────────────────────────────────

StoreManagerLocint::StoreManagerLocint(double *&store, std::size_t &capacity, std::size_t &lives)
    : array_(store, capacity, lives) {
  if (capacity != 0)
    array_.handedOut[0] = false;
}

StoreManagerLocint::~StoreManagerLocint() = default;

void StoreManagerLocint::takeNote() {
  if (!capacityChanged(array_))
    return;
  std::erase_if(free_, [this](locint loc) { return loc >= array_.capacity(); });
  if (array_.capacity() != 0)
    array_.handedOut[0] = false;
}

locint StoreManagerLocint::next_loc() {
  takeNote();
  if (free_.empty())
    grow();
  const locint loc = free_.back();
  free_.pop_back();
  return handOut(array_, loc);
}

void StoreManagerLocint::free_loc(locint loc) noexcept {
  try {
    takeNote();
    if (!isHandedOut(array_, loc))
      return;
    free_.push_back(loc);
  } catch (const std::exception &) {
    return; // the location is lost, not handed out twice
  }
  takeBack(array_, loc);
}

void StoreManagerLocint::ensure_block(std::size_t n) {
  if (n > 1)
    fail(ErrorType::SM_LOCINT_BLOCK, CURRENT_LOCATION, {.info1 = -1, .info5 = n});
}

void StoreManagerLocint::grow(std::size_t mingrow) {
  takeNote();
  const std::size_t first = std::max<std::size_t>(array_.capacity(), 1); // 0 is reserved
  growArray(array_, free_, 0, mingrow, 2 * get_initialSize());
  // What is free already is used first, of the new ones the lowest.
  const std::size_t idle = free_.size();
  for (locint loc = array_.capacity(); loc-- > first;)
    free_.push_back(loc);
  std::rotate(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(idle), free_.end());
}

void StoreManagerLocint::rebind(double *&store, std::size_t &capacity,
                                std::size_t &lives) noexcept {
  array_.rebind(store, capacity, lives);
}
