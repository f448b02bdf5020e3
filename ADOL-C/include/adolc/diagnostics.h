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

/// Is called with the fraction that is done, from 0 to 1, again and again during sweeps of the
/// calling thread: at each segment of some thousand operations, so it should be quick. An exception
/// that it throws ends the sweep, whose results are NaN then, and reaches the caller.
using ProgressHook = std::function<void(double fraction)>;

/// Installs the hook of the calling thread and returns the former one; an empty function: none
/// (default). Not to be called from the hook. Destructors of thread_local objects may call it, too:
/// the thread has its hook until they all have ended.
ADOLC_API ProgressHook setProgressHook(ProgressHook hook);

namespace detail {
/// The hook of the calling thread, or nullptr.
extern constinit thread_local const ProgressHook *progressHook;
void diagnose(std::string_view message);
} // namespace detail

} // namespace ADOLC
