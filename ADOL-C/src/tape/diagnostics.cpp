#include <adolc/diagnostics.h>

#include "tape/forklocks.h"
#include "tape/perthread.h"

#include <adolc/adolcerror.h>

#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace ADOLC {

constinit thread_local const ProgressHook *detail::progressHook = nullptr;

namespace {

using SharedHook = std::shared_ptr<const DiagnosticsHook>;

/// The hook of the process.
struct Present {
  std::mutex mutex;
  SharedHook hook;
};
Present &present() {
  static Present *const instance = [] {
    Present *const made = new Present; // outlives static objects
    detail::lockDuringFork(detail::ForkOrder::hook, made->mutex);
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const Present &atLoad = present(); // see lockDuringFork

/// The hook of a thread. It ends after the thread's objects, whose destructors may install one.
struct OwnProgressHook {
  ProgressHook hook;

  ProgressHook replace(ProgressHook next) noexcept {
    std::swap(hook, next);
    detail::progressHook = hook ? &hook : nullptr;
    return next;
  }
  /// What a hook has captured may install another one when it ends.
  ~OwnProgressHook() {
    while (hook)
      replace({});
  }
};

} // namespace

ProgressHook setProgressHook(ProgressHook hook) {
  OwnProgressHook *const mine = detail::PerThread<OwnProgressHook>::ifAny();
  if (mine == nullptr && !hook)
    return {};
  try {
    return detail::PerThread<OwnProgressHook>::get().replace(std::move(hook));
  } catch (const std::bad_alloc &) {
    ADOLCError::fail(ADOLCError::ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1});
  }
}

DiagnosticsHook setDiagnosticsHook(DiagnosticsHook newHook) try {
  SharedHook former =
      newHook ? std::make_shared<const DiagnosticsHook>(std::move(newHook)) : nullptr;
  {
    const std::lock_guard lock(present().mutex);
    std::swap(present().hook, former);
  }
  return former != nullptr ? *former : DiagnosticsHook();
} catch (const std::bad_alloc &) {
  ADOLCError::fail(ADOLCError::ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1});
}

void detail::diagnose(std::string_view message) {
  SharedHook hook; // called without the lock: a hook may install another one
  {
    const std::lock_guard lock(present().mutex);
    hook = present().hook;
  }
  if (hook != nullptr)
    (*hook)(message);
}

} // namespace ADOLC
