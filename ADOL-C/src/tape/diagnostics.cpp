#include <adolc/diagnostics.h>

#include <memory>
#include <mutex>
#include <utility>

namespace ADOLC {
namespace {

using SharedHook = std::shared_ptr<const DiagnosticsHook>;

std::mutex hookMutex;
SharedHook &hook() {
  static SharedHook *const instance = new SharedHook; // outlives static objects
  return *instance;
}

/// The hook of a thread, as long as the thread's objects live.
struct OwnProgressHook {
  ProgressHook hook;
  ~OwnProgressHook() { detail::progressHook = nullptr; }
};
thread_local OwnProgressHook ownProgressHook;

} // namespace

constinit thread_local const ProgressHook *detail::progressHook = nullptr;

ProgressHook setProgressHook(ProgressHook hook) {
  std::swap(ownProgressHook.hook, hook);
  detail::progressHook = ownProgressHook.hook ? &ownProgressHook.hook : nullptr;
  return hook;
}

DiagnosticsHook setDiagnosticsHook(DiagnosticsHook newHook) {
  SharedHook former =
      newHook ? std::make_shared<const DiagnosticsHook>(std::move(newHook)) : nullptr;
  {
    const std::lock_guard lock(hookMutex);
    std::swap(hook(), former);
  }
  return former != nullptr ? *former : DiagnosticsHook();
}

void detail::diagnose(std::string_view message) {
  SharedHook present; // called without the lock: a hook may install another one
  {
    const std::lock_guard lock(hookMutex);
    present = hook();
  }
  if (present != nullptr)
    (*present)(message);
}

} // namespace ADOLC
