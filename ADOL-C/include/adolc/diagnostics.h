/// @file diagnostics.h
/// Where the library's messages go. It prints nothing by itself; a program that wants to see, for
/// example, which comparison made a sweep leave the recorded branch installs a hook.
#pragma once

#include <adolc/internal/common.h>

#include <functional>
#include <string_view>

namespace ADOLC {

using DiagnosticsHook = std::function<void(std::string_view message)>;

/// Installs the hook of the process and returns the former one; an empty function silences it
/// (default). The hook may be called from any thread, from several at once, and a last time after
/// it was replaced. It must not throw. It may install another hook and use other tapes; the tape of
/// the message is still in its sweep, so that evaluating or recording it there throws
/// TAPING_TAPE_STILL_IN_USE.
ADOLC_API DiagnosticsHook setDiagnosticsHook(DiagnosticsHook hook);

namespace detail {
void diagnose(std::string_view message);
}

} // namespace ADOLC
