#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;

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
  // may still have one selected.
  std::vector<std::unique_ptr<ValueTape>> removed;
  std::size_t nextId = 0;
  std::deque<short> freedIds; // longest free first

  short freeId() {
    while (nextId < kMaxTapes && tapesById[nextId].load() != nullptr)
      ++nextId;
    if (nextId < kMaxTapes)
      return static_cast<short>(nextId++);
    while (!freedIds.empty()) {
      const short id = freedIds.front();
      freedIds.pop_front();
      if (tapesById[id].load() == nullptr)
        return id;
    }
    throw std::overflow_error("ADOL-C: 32768 tapes exist, no id is left");
  }

  ValueTape &add(short id, bool ownsStore) {
    const auto index = static_cast<std::size_t>(id);
    if (tapes.size() == tapes.capacity())
      tapes.reserve(2 * tapes.size() + 1);
    std::unique_ptr<ValueTape> tape;
    if (index < removed.size() && removed[index] != nullptr) {
      tape = std::move(removed[index]);
      tape->bindStore(*freshStore());
    } else {
      tape = std::make_unique<ValueTape>(id);
    }
    tape->ownsStore(ownsStore);
    tapes.push_back(std::move(tape));
    tapesById[index].store(tapes.back().get(), std::memory_order_release);
    return *tapes.back();
  }

  void remove(short id) {
    const auto index = static_cast<std::size_t>(id);
    // From behind: most often the newest goes first.
    const auto it = std::find_if(tapes.rbegin(), tapes.rend(),
                                 [id](const auto &tape) { return tape->tapeId() == id; });
    if (removed.size() <= index)
      removed.resize(index + 1);
    freedIds.push_back(id);
    (*it)->reset();
    tapesById[index].store(nullptr, std::memory_order_release);
    removed[index] = std::move(*it);
    tapes.erase(std::next(it).base());
  }

private:
  /// A store that bindStore can become the only owner of.
  struct StoreHolder {
    ADOLC::detail::Store *store = ADOLC::detail::Store::create();
    ~StoreHolder() { store->removeOwner(); }
    ADOLC::detail::Store &operator*() const { return *store; }
  };
  static StoreHolder freshStore() { return {}; }
};

Registry &registry() {
  static Registry *const instance = new Registry;
  return *instance;
}

/// The thread's stack of recordings. A thread that ends while it records gives its tapes back.
struct RecordingStack {
  std::vector<RecordingFrame> frames{RecordingFrame{}};
  ~RecordingStack() {
    while (frames.size() > 1) {
      ValueTape *const tape = frames.back().current;
      tape->discardStreams();
      tape->endRecording();
    }
  }
};

} // namespace

short createNewTape() {
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  ValueTape &tape = r.add(r.freeId(), true);
  if (currentTapePtr() == nullptr)
    setCurrentTape(&tape);
  return tape.tapeId();
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
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  if (ValueTape *const tape = findTapePtr_(id)) // another thread was faster
    return *tape;
  return r.add(id, false);
}

ValueTape &currentTape() {
  ValueTape *const tape = currentTapePtr();
  if (tape == nullptr)
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = -1});
  return *tape;
}

void setCurrentTape(short id) { setCurrentTape(findTapePtr(id)); }
void setCurrentTape(int id) {
  // No tape has an id that does not fit a short.
  setCurrentTape(std::in_range<short>(id) ? static_cast<short>(id) : short{-1});
}

std::vector<RecordingFrame> &currentTapeStack() {
  thread_local RecordingStack stack;
  return stack.frames;
}

void cachedTraceTags(std::vector<short> &result) {
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  result.clear();
  for (const auto &tape : r.tapes)
    result.push_back(tape->tapeId());
}

namespace ADOLC {

void removeTape(short id) {
  Registry &r = registry();
  const std::lock_guard lock(r.mutex);
  ValueTape &tape = findTape(id);
  for (const RecordingFrame &frame : currentTapeStack())
    if (frame.current == &tape || frame.prev == &tape)
      fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION, {.info1 = id});
  tape.requireNotEvaluatedHere(__func__);
  const std::unique_lock use(tape.accessMutex(), std::try_to_lock);
  const std::size_t lives = tape.ownsStore() ? tape.numLives() : 0;
  if (!use.owns_lock() || lives != 0)
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION, {.info1 = id, .info5 = lives});
  r.remove(id);
  if (currentTapePtr() == &tape)
    setCurrentTape(nullptr);
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
