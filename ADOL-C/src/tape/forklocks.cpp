#include "tape/forklocks.h"

#include <array>
#include <atomic>
#include <cstddef>

#include <pthread.h>

namespace ADOLC::detail {
namespace {

/// A part of the library that has a say in forks.
struct Part {
  std::mutex *mutex = nullptr; // or steps
  ForkSteps steps{};
  std::atomic<bool> registered{false};
  bool taken = false; // by the fork that is under way

  void prepare() {
    if (!registered.load(std::memory_order_acquire))
      return;
    if (mutex != nullptr)
      mutex->lock();
    else
      steps.prepare();
    taken = true; // only now: another thread may be forking, too
  }
  void finish(void (*ForkSteps::*step)()) {
    if (!taken)
      return;
    taken = false;
    if (steps.*step != nullptr)
      (steps.*step)();
    if (mutex != nullptr)
      mutex->unlock();
  }
};

constinit std::array<Part, static_cast<std::size_t>(ForkOrder::count)> parts;
constinit std::atomic<bool> handlersInstalled{false};

void prepare() {
  for (Part &part : parts)
    part.prepare();
}
void finish(void (*ForkSteps::*step)()) {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    part->finish(step);
}

void add(ForkOrder order, std::mutex *mutex, const ForkSteps &steps) noexcept {
  Part &part = parts[static_cast<std::size_t>(order)];
  part.mutex = mutex;
  part.steps = steps;
  part.registered.store(true, std::memory_order_release);
  if (!handlersInstalled.exchange(true))
    pthread_atfork(
        prepare, [] { finish(&ForkSteps::inParent); }, [] { finish(&ForkSteps::inChild); });
}

} // namespace

void duringFork(ForkOrder order, const ForkSteps &steps) noexcept { add(order, nullptr, steps); }

void lockDuringFork(ForkOrder order, std::mutex &mutex, void (*inChild)()) noexcept {
  add(order, &mutex, {nullptr, nullptr, inChild});
}

} // namespace ADOLC::detail
