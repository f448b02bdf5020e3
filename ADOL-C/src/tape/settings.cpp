/// The first tape of a process should not wait for settings that nobody has made.
#include "tape/settings.h"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace ADOLC::detail {

std::atomic<bool> settingsInUse{false};

namespace {

bool anyVariable() {
  constexpr char prefix[] = "ADOLC_";
  for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (std::strncmp(*variable, prefix, sizeof prefix - 1) == 0)
      return true;
  return false;
}

bool anyFile() {
  struct stat status {};
  return stat(kConfigurationFile, &status) == 0 || errno != ENOENT;
}

} // namespace

void refreshSettings() {
  if (settingsInUse || anyFile() || anyVariable())
    refreshSettingsInUse();
}

TapeDefaults tapeDefaults() { return settingsInUse ? tapeDefaultsInUse() : TapeDefaults{}; }

} // namespace ADOLC::detail
