#include "tape/waiting.h"

#include "tape/forklocks.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace ADOLC::detail {
namespace {

struct Waiting {
  std::mutex mutex;
  std::vector<const WaitingThread *> threads;
};
Waiting &all() {
  static Waiting *const instance = [] {
    auto *const made = new Waiting; // threads may outlive static objects
    // The thread that forks does not wait, and a child has no other.
    lockDuringFork(ForkOrder::waiting, made->mutex, [] { all().threads.clear(); });
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const Waiting &atLoad = all(); // see lockDuringFork

} // namespace

WaitingThread::WaitingThread(const HeldTape &wanted, std::vector<HeldTape> held)
    : wanted_(wanted), held_(std::move(held)) {
  const std::lock_guard lock(all().mutex);
  isDeadlock_ = wouldWaitForItself();
  all().threads.push_back(this);
}

WaitingThread::~WaitingThread() {
  const std::lock_guard lock(all().mutex);
  std::erase(all().threads, this);
}

bool WaitingThread::keepsOut(const HeldTape &wanted) const {
  return std::any_of(held_.begin(), held_.end(), [&wanted](const HeldTape &mine) {
    return mine.tape == wanted.tape && !(mine.shares && wanted.shares);
  });
}

/// Goes from each thread to those that keep it out.
bool WaitingThread::wouldWaitForItself() {
  for (const WaitingThread *const other : all().threads)
    other->visited_ = false;
  std::vector<HeldTape> wanted{wanted_};
  while (!wanted.empty()) {
    const HeldTape next = wanted.back();
    wanted.pop_back();
    if (keepsOut(next))
      return true;
    for (const WaitingThread *const other : all().threads)
      if (!other->visited_ && other->keepsOut(next)) {
        other->visited_ = true;
        wanted.push_back(other->wanted_);
      }
  }
  return false;
}

} // namespace ADOLC::detail
