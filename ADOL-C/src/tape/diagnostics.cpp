#include <adolc/diagnostics.h>

#include <mutex>
#include <utility>

namespace ADOLC {
namespace {
std::mutex hookMutex;
DiagnosticsHook &hook() {
  static DiagnosticsHook *const instance = new DiagnosticsHook; // outlives static objects
  return *instance;
}
} // namespace

DiagnosticsHook setDiagnosticsHook(DiagnosticsHook newHook) {
  const std::lock_guard lock(hookMutex);
  return std::exchange(hook(), std::move(newHook));
}

void detail::diagnose(std::string_view message) {
  const std::lock_guard lock(hookMutex);
  if (hook())
    hook()(message);
}

} // namespace ADOLC
