/// @file tape/settings.h
/// The settings as the library uses them, see adolc/configuration.h.
#pragma once

#include <adolc/configuration.h>

#include <memory>

namespace ADOLC::detail {

/// Looks whether the configuration file has changed and reads it again if so. May call the
/// diagnostics hook: to be called before a tape or a default store is made, with no lock held.
/// Without memory to read it the former settings stay.
void refreshSettings();

/// The settings when they were refreshed last, those of the program included; never null. The
/// snapshot does not change. Thread safe, and neither looks at files nor calls the hook.
std::shared_ptr<const Configuration> settings();

} // namespace ADOLC::detail
