/// @file tape/settings.h
/// The settings as the library uses them, see adolc/configuration.h.
#pragma once

#include <adolc/configuration.h>
#include <adolc/valuetape/store.h>
#include <adolc/valuetape/taperecordingcontext.h>

#include <atomic>
#include <cstddef>
#include <memory>

namespace ADOLC::detail {

/// In the working directory, unless the program names another one.
inline constexpr char kConfigurationFile[] = ".adolcrc";

/// What a tape or a store takes over when it is made.
struct TapeDefaults {
  BufferSizes bufferSizes{OBUFSIZE, LBUFSIZE, VBUFSIZE, TBUFSIZE};
  bool buffersLimited = false; ///< one of them is not a default
  std::size_t initialStoreSize = Store::kInitialCapacity;
};

/// Looks whether the configuration file has changed and reads it again if so. May call the
/// diagnostics hook: to be called before a tape or a default store is made, with no lock held.
/// Without memory to read it the former settings stay.
void refreshSettings();

/// Those of the settings when they were refreshed last, the program's included. Thread safe, and
/// neither looks at files nor calls the hook.
TapeDefaults tapeDefaults();

/// All settings, never null; the snapshot does not change. As tapeDefaults, but slower.
std::shared_ptr<const Configuration> settings();

// Between settings.cpp, which is all that most programs need, and configuration.cpp: as long as no
// file or variable was found and the program has set nothing, there are only the defaults.
extern std::atomic<bool> settingsInUse;
void refreshSettingsInUse();
TapeDefaults tapeDefaultsInUse();

} // namespace ADOLC::detail
