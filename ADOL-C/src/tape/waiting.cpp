#include "tape/waiting.h"

#include <algorithm>
#include <mutex>

namespace ADOLC::detail {
namespace {

struct Waiting {
  std::mutex mutex;
  std::vector<const WaitingThread *> threads;
};
Waiting &all() {
  static Waiting *const instance = new Waiting; // threads may outlive static objects
  return *instance;
}

} // namespace

WaitingThread::WaitingThread(const ValueTape &tape, std::vector<const ValueTape *> held)
    : tape_(&tape), held_(std::move(held)) {
  const std::lock_guard lock(all().mutex);
  isDeadlock_ = leadsHere(tape_, all().threads.size());
  all().threads.push_back(this);
}

WaitingThread::~WaitingThread() {
  const std::lock_guard lock(all().mutex);
  std::erase(all().threads, this);
}

/// No path has more steps than there are threads.
bool WaitingThread::leadsHere(const ValueTape *tape, std::size_t steps) const {
  const auto has = [](const WaitingThread &thread, const ValueTape *which) {
    return std::find(thread.held_.begin(), thread.held_.end(), which) != thread.held_.end();
  };
  if (has(*this, tape))
    return true;
  if (steps == 0)
    return false;
  return std::any_of(all().threads.begin(), all().threads.end(), [&](const WaitingThread *other) {
    return has(*other, tape) && leadsHere(other->tape_, steps - 1);
  });
}

} // namespace ADOLC::detail
