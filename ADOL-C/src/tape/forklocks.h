/// @file tape/forklocks.h
/// What lets a forked child use the library, whatever other threads of its parent did in it.
///
/// The child has one thread, the one that called fork. A mutex that another one held would stay
/// locked for ever, over data that are half changed. So fork takes all mutexes of the process
/// before and gives them back after it, on both sides. Those of a single tape are held as long as
/// somebody records or evaluates it, and cannot be waited for: see forgetOtherThreads in
/// taperegistry.cpp.
#pragma once

#include <mutex>

namespace ADOLC::detail {

/// The mutexes in the order in which a thread takes them, if it holds several: outermost first.
enum class ForkOrder {
  registry,
  threads,
  settings,
  temporaries,
  storeIds,
  stores,
  pool,
  hook,
  io,
  waiting,
  debugInfo,
  count
};

/// What happens before a fork and after it. Called in the forking thread.
struct ForkSteps {
  void (*prepare)();
  void (*inParent)();
  void (*inChild)();
};

/// Registers what is done at every fork from now on; once for each place in the order. Whoever owns
/// a mutex in a static object does this when it is made, and makes it when the library is loaded:
/// another thread that is just making one would keep the child out of it.
void duringFork(ForkOrder order, const ForkSteps &steps) noexcept;

/// The same for a mutex that is just to be held; `inChild` is called before it is given back there.
void lockDuringFork(ForkOrder order, std::mutex &mutex, void (*inChild)() = nullptr) noexcept;

} // namespace ADOLC::detail
