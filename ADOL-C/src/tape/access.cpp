/// Who may use a tape when: locks, modes, and the workspaces of evaluations that share it.
#include <adolc/valuetape/valuetape.h>

#include "tape/callsites.h"
#include "tape/waiting.h"

#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using ADOLCError::ErrorType;
using ADOLCError::fail;
using namespace ADOLC::detail;

bool ValueTape::isRecording() const noexcept {
  const auto frames = recordingFrames();
  return !frames.empty() && frames.back().current == this;
}

bool ValueTape::isRecordedHere() const {
  const auto stack = recordingFrames();
  return std::any_of(stack.begin(), stack.end(),
                     [this](const RecordingFrame &frame) { return frame.current == this; });
}

bool ValueTape::isRegistered() const noexcept { return findTapePtr_(tapeId()) == this; }

bool ValueTape::isInUseHere() const { return evaluatedHere() || isRecordedHere(); }
bool ValueTape::evaluatedHere() const noexcept {
  return TapeEvaluationContext::openHere(*this) != nullptr;
}

void ValueTape::requireUsableHere(const char *caller) const {
  if (lost_) {
    char text[256]; // takes no memory, as fail does not
    std::snprintf(
        text, sizeof text,
        "ADOL-C error TAPING_TAPE_STILL_IN_USE in %s: when this process was forked, "
        "another thread of its parent was recording or evaluating tape %d; it is lost here",
        caller, static_cast<int>(tapeId()));
    throw ADOLCError::ADOLCError(text, {__FILE__, caller, __LINE__},
                                 ErrorType::TAPING_TAPE_STILL_IN_USE, tapeId());
  }
  if (isInUseHere())
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, {__FILE__, caller, __LINE__},
         {.info1 = tapeId(), .info5 = numLives()});
}

// ── locks ───────────────────────────────────────────────────────────────────────────────────────

namespace {

/// The tapes that the calling thread has.
std::vector<HeldTape> heldHere() {
  std::vector<HeldTape> held;
  TapeEvaluationContext::forEachOpenHere([&held](const TapeEvaluationContext &context) {
    held.push_back({&context.tape(), !context.isOwner()});
  });
  for (const RecordingFrame &frame : recordingFrames())
    if (frame.current != nullptr)
      held.push_back({frame.current, false});
  return held;
}
bool hasAnyTapeHere() noexcept {
  return TapeEvaluationContext::anyOpenHere() || recordingFrames().size() > 1;
}

/// Waits by `lock`. Who has another tape meanwhile looks whether that would end, and throws if not.
template <class Lock>
void waitFor(const HeldTape &wanted, short tapeId, const char *caller, Lock &&lock) {
  if (!hasAnyTapeHere())
    return lock();
  try {
    const WaitingThread waiting(wanted, heldHere());
    if (!waiting.isDeadlock())
      return lock();
  } catch (const std::bad_alloc &) {
    fail(ErrorType::MALLOC_FAILED, {__FILE__, caller, __LINE__}, {.info1 = tapeId});
  }
  throw ADOLCError::ADOLCError("ADOL-C error TAPING_TAPE_STILL_IN_USE in " + std::string(caller) +
                                   ": waiting for tape " + std::to_string(tapeId) +
                                   " would never end: who has it waits for a tape that this thread "
                                   "has",
                               {__FILE__, caller, __LINE__}, ErrorType::TAPING_TAPE_STILL_IN_USE,
                               tapeId);
}

/// Counts up for the time of a scope.
class Counted {
public:
  explicit Counted(std::atomic<unsigned> &count) : count_(count) { ++count_; }
  Counted(const Counted &) = delete;
  Counted &operator=(const Counted &) = delete;
  ~Counted() { --count_; }

private:
  std::atomic<unsigned> &count_;
};

} // namespace

std::unique_lock<std::shared_mutex> ValueTape::lockExclusively(const char *caller) const {
  std::unique_lock lock(accessMutex_, std::defer_lock);
  // Not past those who wait already, unless they may wait for this thread.
  const bool waits = numWaitingForAll_ != 0 && !hasAnyTapeHere();
  if (waits || !lock.try_lock())
    waitFor({this, false}, tapeId(), caller, [&] {
      // Whoever comes to share the tape meanwhile waits, too, or this might never have its turn.
      const Counted counted(numWaitingForAll_);
      const std::lock_guard gate(gate_);
      lock.lock();
    });
  return lock;
}

std::shared_lock<std::shared_mutex> ValueTape::lockToShare(const char *caller) const {
  std::shared_lock<std::shared_mutex> lock(accessMutex_, std::defer_lock);
  if (numWaitingForAll_ != 0) {
    // Not for ever if this thread has another tape: who waits for this one may wait for that one in
    // the end.
    std::unique_lock gate(gate_, std::defer_lock);
    if (!hasAnyTapeHere())
      gate.lock();
    for (int pause = 1; !gate.owns_lock() && !gate.try_lock() && pause <= 64; pause *= 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
  }
  if (!lock.try_lock())
    waitFor({this, true}, tapeId(), caller, [&] { lock.lock(); });
  return lock;
}

std::shared_lock<std::shared_mutex> ValueTape::readAccess() const {
  if (isInUseHere())
    return {};
  requireUsableHere(__func__); // not in use, but perhaps lost
  auto lock = lockToShare(__func__);
  if (!isRegistered())
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = tapeId()});
  return lock;
}

void ValueTape::beginRecording() {
  if (!tryBeginRecording())
    fail(ErrorType::NO_TAPE_ID, CURRENT_LOCATION, {.info1 = tapeId()});
}

bool ValueTape::tryBeginRecording() {
  requireUsableHere(__func__);
  // Not a lock that is a member: until such a lock has noted that it is open, it belongs to this
  // thread, although the next one has the mutex already.
  std::unique_lock lock = lockExclusively("beginRecording");
  if (!isRegistered())
    return false;
  try {
    pushRecording(*this);
  } catch (const std::bad_alloc &) {
    fail(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
  }
  recorded_ = true;
  lock.release();
  return true;
}

void ValueTape::endRecording() noexcept {
  popRecording();
  recorded_ = false;
  accessMutex_.unlock();
}

namespace {
/// In a forked child: a mutex that nobody has. True if nobody had it; then it was given back.
template <class Mutex> bool renew(Mutex &mutex) noexcept {
  const bool wasFree = mutex.try_lock();
  if (wasFree)
    mutex.unlock();
  new (&mutex) Mutex;
  return wasFree;
}
} // namespace

// What other threads have shared stays as it is, apart from blocks that they have pinned.
void ValueTape::forgetOtherThreads() noexcept {
  const TapeEvaluationContext *const evaluation = TapeEvaluationContext::openHere(*this);
  const bool mine = isRecordedHere() || (evaluation != nullptr && !evaluation->takesPart());
  const bool isShared = !mine && accessMutex_.try_lock_shared(); // by others, or by nobody
  if (isShared)
    accessMutex_.unlock_shared();
  // Those who waited for it are not here. (A lock of this thread names the thread by its number in
  // the parent, and could not be given back.)
  new (&accessMutex_) std::shared_mutex;
  if (mine)
    evaluation == nullptr || evaluation->isOwner() ? accessMutex_.lock()
                                                   : accessMutex_.lock_shared();
  numWaitingForAll_ = 0;
  renew(gate_);
  const bool hasWorkspaces = renew(workspacesMutex_),
             hasBlocks = spill_ == nullptr || renew(spill_->mutex());
  lost_ = lost_ || (isRegistered() && !((mine || isShared) && hasWorkspaces && hasBlocks));
  if (callSites_ != nullptr && !lost_)
    callSites_->forgetHalfFound();
}

// ── modes ───────────────────────────────────────────────────────────────────────────────────────

void ValueTape::setAccess(DataAccess access) {
  if (access_ == access)
    return;
  const char *const caller = access == DataAccess::Shared ? "setSharedMode" : "setExclusiveMode";
  requireUsableHere(caller);
  const auto lock = lockExclusively(caller);
  if (!isRegistered())
    fail(ErrorType::NO_TAPE_ID, {__FILE__, caller, __LINE__}, {.info1 = tapeId()});
  access_ = access;
  if (access == DataAccess::Exclusive)
    freeWorkspaces();
}

bool ValueTape::isExclusiveLocking() const {
  const auto access = readAccess();
  return isExclusiveNonLocking();
}

void ValueTape::registerExtDiff() {
  if (!isRecordedHere())
    fail(ErrorType::TAPING_NOT_ACTUALLY_TAPING, CURRENT_LOCATION, {.info1 = tapeId()});
  recording_.hasExtDiff = true;
}
bool ValueTape::containsExtDiff() const {
  const auto access = readAccess();
  return recording_.hasExtDiff;
}

// ── evaluations ─────────────────────────────────────────────────────────────────────────────────

std::unique_ptr<OwnWorkspace> ValueTape::borrowWorkspace() try {
  std::unique_ptr<OwnWorkspace> workspace;
  {
    const std::lock_guard lock(workspacesMutex_);
    if (!idleWorkspaces_.empty()) {
      workspace = std::move(idleWorkspaces_.back());
      idleWorkspaces_.pop_back();
    }
  }
  if (workspace == nullptr)
    workspace = std::make_unique<OwnWorkspace>();
  return workspace;
} catch (const std::bad_alloc &) {
  fail(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, CURRENT_LOCATION, {.info1 = tapeId()});
}

void ValueTape::giveBack(std::unique_ptr<OwnWorkspace> workspace) noexcept {
  try {
    const std::lock_guard lock(workspacesMutex_);
    constexpr std::size_t most = 16; // of a crowd, that many stay for the next one
    if (idleWorkspaces_.size() < most)
      idleWorkspaces_.push_back(std::move(workspace));
  } catch (const std::bad_alloc &) {
    // then another one is made when it is needed
  }
}
void ValueTape::freeWorkspaces() noexcept {
  const std::lock_guard lock(workspacesMutex_);
  idleWorkspaces_.clear();
}

/// Its Taylor stack keeps to the budget of the tape.
void ValueTape::adapt(OwnWorkspace &workspace) const {
  if (spill_ == nullptr) {
    if (workspace.spill == nullptr)
      return;
    workspace.recordedAs = 0;
    workspace.taylors.rewind();
    workspace.taylors.data.attach(nullptr, ErrorType::EVAL_TAY_TAPE_READ_FAILED);
    workspace.spill.reset();
    return;
  }
  if (workspace.spill == nullptr || workspace.spill->budget() != spill_->budget()) {
    auto group = std::make_unique<SpillGroup>(tapeId());
    group->budget(spill_->budget());
    workspace.recordedAs = 0;
    workspace.taylors.rewind();
    workspace.taylors.data.attach(group.get(), ErrorType::EVAL_TAY_TAPE_READ_FAILED);
    workspace.spill = std::move(group);
  }
  workspace.spill->tapeId(tapeId());
}

void ValueTape::noteBranchSwitch(const BranchSwitch &at) noexcept {
  const std::lock_guard lock(workspacesMutex_);
  branchSwitch_ = at;
}
ValueTape::BranchSwitch ValueTape::lastBranchSwitch() const noexcept {
  const std::lock_guard lock(workspacesMutex_);
  return branchSwitch_;
}
