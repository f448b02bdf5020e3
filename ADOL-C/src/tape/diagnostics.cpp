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

} // namespace

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
