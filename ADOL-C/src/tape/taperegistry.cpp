#include <adolc/valuetape/taperegistry.h>

#include "storage/savedtape.h"
#include "tape/forklocks.h"
#include "tape/perthread.h"
#include "tape/settings.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;
using namespace ADOLC::detail;

namespace ADOLC::detail {
constinit thread_local ValueTape *currentTapeSlot = nullptr;
}

namespace {

constexpr std::size_t kMaxTapes = std::size_t{std::numeric_limits<short>::max()} + 1;

// Tapes by id, for look-up without a lock; untouched pages cost nothing.
std::atomic<ValueTape *> tapesById[kMaxTapes];

/// Never destroyed: adoubles with static storage may outlive every static object.
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<ValueTape>> tapes;
  // Objects of removed tapes by id. They are used again when the id is, and never deleted: a thread
  // may still wait for one.
  std::vector<std::unique_ptr<ValueTape>> removed;
  std::size_t nextId = 0;
  std::deque<short> freedIds; // longest free first

  /// Adds a tape with an id of its own. If that fails, the id is free as before.
  ValueTape &addNew(SavedTape *content = nullptr) {
    while (nextId < kMaxTapes && tapesById[nextId].load() != nullptr)
      ++nextId;
    if (nextId < kMaxTapes) {
      ValueTape &tape = add(static_cast<short>(nextId), true, content);
      ++nextId;
      return tape;
    }
    while (!freedIds.empty() && tapesById[freedIds.front()].load() != nullptr)
      freedIds.pop_front();
    if (freedIds.empty())
      throw std::overflow_error("ADOL-C: 32768 tapes exist, no id is left");
    ValueTape &tape = add(freedIds.front(), true, content);
    freedIds.pop_front();
    return tape;
  }

  /// A thread that waited for a removed tape and has its object's mutex now touches nothing: until
  /// the last statement the tape is not registered. `content` goes to the tape, if there is any.
  ValueTape &add(short id, bool ownsStore, SavedTape *content = nullptr) try {
    const auto index = static_cast<std::size_t>(id);
    if (tapes.size() == tapes.capacity())
      tapes.reserve(2 * tapes.size() + 1);
    std::unique_ptr<ValueTape> tape;
    if (index < removed.size() && removed[index] != nullptr) {
      const StoreHolder fresh; // if this fails, the object must not be lost
      tape = std::move(removed[index]);
      tape->bindStore(*fresh.store);
      tape->configure();
    } else {
      tape = std::make_unique<ValueTape>(id);
    }
    tape->ownsStore(ownsStore);
    if (content != nullptr)
      tape->adopt(std::move(*content));
    tapes.push_back(std::move(tape));
    tapesById[index].store(tapes.back().get(), std::memory_order_release);
    return *tapes.back();
  } catch (const std::bad_alloc &) {
    fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = id, .info5 = sizeof(ValueTape)});
  }

  void remove(short id) {
    const auto index = static_cast<std::size_t>(id);
    // From behind: most often the newest goes first.
    const auto it = std::find_if(tapes.rbegin(), tapes.rend(),
                                 [id](const auto &tape) { return tape->tapeId() == id; });
    if (removed.size() <= index)
      removed.resize(index + 1);
    Store &none = noStore();
    freedIds.push_back(id);
    (*it)->reset();
    (*it)->bindStore(none);
    tapesById[index].store(nullptr, std::memory_order_release);
    removed[index] = std::move(*it);
    tapes.erase(std::next(it).base());
  }

private:
  /// A store that bindStore can become the only owner of.
  struct StoreHolder {
    Store *store = Store::createConfigured();
    ~StoreHolder() { store->removeOwner(); }
  };
  /// What removed tapes are bound to, so that they hold no memory.
  static Store &noStore() {
    static Store *const store = Store::create();
    return *store;
  }
};

Registry &registry();

/// In a forked child, which has none of its parent's other threads.
void forgetOtherUsers() {
  for (const auto &tape : registry().tapes)
    tape->forgetOtherThreads();
  for (const auto &tape : registry().removed)
    if (tape != nullptr)
      tape->forgetOtherThreads();
}

Registry &registry() {
  static Registry *const instance = [] {
    auto *const made = new Registry;
    lockDuringFork(ForkOrder::registry, made->mutex, forgetOtherUsers);
    return made;
  }();
  return *instance;
}

/// The thread's recordings and, for the removal of tapes, where its selections are.
struct ThreadTapes {
  std::vector<RecordingFrame> frames{RecordingFrame{}};
  ValueTape **const slot = &currentTapeSlot;
  std::mutex mutex; // writing the selections, and reading them from another thread

  ThreadTapes() {
    const std::lock_guard lock(all().mutex);
    all().threads.push_back(this);
  }
  /// A thread that ends while it records gives its tapes back.
  ~ThreadTapes() {
    while (frames.size() > 1) {
      ValueTape *const tape = frames.back().current;
      tape->discardStreams();
      tape->endRecording();
    }
    select(nullptr); // another thread may be removing the tape
    const std::lock_guard lock(all().mutex);
    std::erase(all().threads, this);
  }

  static ThreadTapes &mine() {
    try {
      return PerThread<ThreadTapes>::get();
    } catch (const std::bad_alloc &) {
      fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1, .info5 = sizeof(ThreadTapes)});
    }
  }
  /// As long as a thread neither records nor selects anything, it has none.
  static ThreadTapes *mineIfAny() noexcept { return PerThread<ThreadTapes>::ifAny(); }
  void select(ValueTape *tape) {
    const std::lock_guard lock(mutex);
    *slot = tape;
  }
  /// No thread has the tape selected any more, nor will have when a recording ends.
  static void deselect(const ValueTape *tape) noexcept {
    const std::lock_guard lock(all().mutex);
    for (ThreadTapes *const thread : all().threads) {
      const std::lock_guard lockThread(thread->mutex);
      if (*thread->slot == tape)
        *thread->slot = nullptr;
      for (RecordingFrame &frame : thread->frames)
        if (frame.prev == tape)
          frame.prev = nullptr;
    }
  }

private:
  struct All {
    std::mutex mutex;
    std::vector<ThreadTapes *> threads;
  };
  static All &all() {
    static All *const instance = [] {
      All *const made = new All; // never destroyed, see Registry
      lockDuringFork(ForkOrder::threads, made->mutex, forgetOthers);
      return made;
    }();
    return *instance;
  }
  /// In a forked child: where the slots of other threads were there may be something else.
  static void forgetOthers() {
    std::erase_if(all().threads, [](const ThreadTapes *thread) { return thread != mineIfAny(); });
  }

public:
  static inline const bool atLoad = (all(), true); // see lockDuringFork
};
[[maybe_unused]] const bool atLoad = (registry(), ThreadTapes::atLoad);

} // namespace

namespace ADOLC::detail {

std::span<const RecordingFrame> recordingFrames() noexcept {
  const ThreadTapes *const mine = ThreadTapes::mineIfAny();
  return mine != nullptr ? std::span<const RecordingFrame>(mine->frames)
                         : std::span<const RecordingFrame>();
}

void pushRecording(ValueTape &tape) {
  ThreadTapes &mine = ThreadTapes::mine();
  const std::lock_guard lock(mine.mutex);
  mine.frames.push_back({*mine.slot, &tape});
  *mine.slot = &tape;
}

void popRecording() noexcept {
  ThreadTapes &mine = ThreadTapes::mine();
  const std::lock_guard lock(mine.mutex);
  *mine.slot = mine.frames.back().prev;
  mine.frames.pop_back();
}

} // namespace ADOLC::detail

short createNewTape() {
  refreshSettings();
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  ValueTape &tape = r.addNew();
  if (currentTapeSlot == nullptr)
    setCurrentTape(&tape);
  return tape.tapeId();
}

short ADOLC::detail::addTape(SavedTape &&content) {
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  return r.addNew(&content).tapeId();
}

std::vector<std::unique_ptr<ValueTape>> &tapeBuffer() { return registry().tapes; }

ValueTape *findTapePtr_(short id) {
  return id < 0 ? nullptr : tapesById[static_cast<std::size_t>(id)].load(std::memory_order_acquire);
}

ValueTape *findTapePtr(short id) {
  ValueTape *const tape = findTapePtr_(id);
  if (tape == nullptr)
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = id});
  return tape;
}

ValueTape &findTape(short id) { return *findTapePtr(id); }

ValueTape &findOrCreateTape(short id) {
  if (ValueTape *const tape = findTapePtr_(id))
    return *tape;
  if (id < 0)
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = id});
  refreshSettings();
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  if (ValueTape *const tape = findTapePtr_(id)) // another thread was faster
    return *tape;
  return r.add(id, false);
}

ValueTape &currentTape() {
  ValueTape *const tape = currentTapeSlot;
  if (tape == nullptr)
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = -1});
  return *tape;
}

ValueTape *&currentTapePtr() {
  ThreadTapes::mine(); // a selection that is made through the reference must be known
  return currentTapeSlot;
}

void setCurrentTape(ValueTape *tape) noexcept {
  try {
    ThreadTapes::mine().select(tape);
  } catch (const ADOLCError::ADOLCError &) { // no memory
    currentTapeSlot = tape;                  // merely not noticed by the removal of tapes
  }
}
void setCurrentTape(short id) {
  ValueTape *const tape = findTapePtr(id);
  if (tape->isRecorded() && !tape->isRecordedHere())
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION, {.info1 = id});
  ValueTape *const former = currentTapeSlot;
  setCurrentTape(tape);
  if (findTapePtr_(id) != tape) { // removed meanwhile, perhaps too early to be deselected by that
    setCurrentTape(former != nullptr && former->isRegistered() ? former : nullptr);
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = id});
  }
}
void setCurrentTape(int id) {
  if (!std::in_range<short>(id)) // not a number that the text of the error can hold
    throw ADOLCError::ADOLCError("no tape with id " + std::to_string(id) + " exists",
                                 CURRENT_LOCATION, ErrorType::NO_TAPE_ID);
  setCurrentTape(static_cast<short>(id));
}

std::vector<RecordingFrame> &currentTapeStack() { return ThreadTapes::mine().frames; }

void cachedTraceTags(std::vector<short> &result) try {
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  result.clear();
  for (const auto &tape : r.tapes)
    result.push_back(tape->tapeId());
} catch (const std::bad_alloc &) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1});
}

namespace ADOLC {

void removeTape(short id) try {
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  ValueTape &tape = findTape(id);
  for (const RecordingFrame &frame : recordingFrames())
    if (frame.current == &tape || frame.prev == &tape)
      fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION, {.info1 = id});
  tape.requireUsableHere(__func__);
  const std::unique_lock use(tape.accessMutex(), std::try_to_lock);
  // Whoever records the tape uses its store.
  const std::size_t lives = use.owns_lock() && tape.ownsStore() ? tape.numLives() : 0;
  if (!use.owns_lock() || lives != 0)
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION, {.info1 = id, .info5 = lives});
  r.remove(id);
  ThreadTapes::deselect(&tape);
} catch (const std::bad_alloc &) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = id});
}

bool tryRemoveTape(short id) {
  try {
    removeTape(id);
    return true;
  } catch (const ADOLCError::ADOLCError &) {
    return false;
  }
}

} // namespace ADOLC
