// SPDX-License-Identifier: MIT
// Loads two plug-ins that do not see each other's symbols. They must share one library with one
// current-tape slot: else each would record on a tape the other cannot find.
#include "plugin.h"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#ifdef HOST_LINKS_ADOLC
#include <adolc/adolc.h>
#endif

namespace {

void check(bool right, const char *what) {
  if (!right) {
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
  }
}

struct Plugin {
  explicit Plugin(const char *path) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle)
      std::fprintf(stderr, "%s\n", dlerror());
    check(handle != nullptr, "loading a plug-in");
    slot = symbol<decltype(&tape_slot)>("tape_slot");
    record_on = symbol<decltype(&record)>("record");
    gradient_of = symbol<decltype(&differentiate)>("differentiate");
  }
  template <typename Function> Function symbol(const char *name) const {
    void *address = dlsym(handle, name);
    check(address != nullptr, name);
    return reinterpret_cast<Function>(address);
  }

  void *handle;
  decltype(&tape_slot) slot;
  decltype(&record) record_on;
  decltype(&differentiate) gradient_of;
};

void check_gradient(const Plugin &plugin, short tag) {
  const double at[2] = {0.5, -2.0};
  double g[2] = {0.0, 0.0};
  plugin.gradient_of(tag, at, g);
  check(std::abs(g[0] - (-2.0 + std::cos(0.5))) < 1e-14 && g[1] == 0.5, "gradient");
}

} // namespace

int main() {
  const Plugin a(PLUGIN_A);
  const Plugin b(PLUGIN_B);
  check(a.record_on != b.record_on, "the plug-ins are two modules");
  const auto same_slot_everywhere = [&] {
    check(a.slot() == b.slot(), "both plug-ins see one slot");
#ifdef HOST_LINKS_ADOLC
    check(a.slot() == &currentTapePtr(), "host and plug-ins see one slot");
#endif
  };

  same_slot_everywhere();
  void *slot_of_main = a.slot();
  std::thread([&] {
    same_slot_everywhere();
    check(a.slot() != slot_of_main, "every thread has its own slot");
  }).join();

  a.record_on(1);
  b.record_on(2);
  check_gradient(a, 1);
  check_gradient(b, 2);
  check_gradient(b, 1); // a tape that the other plug-in recorded
  check_gradient(a, 2);
  std::puts("plug-ins share the library");
  return 0;
}
