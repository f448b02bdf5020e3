/// @file tapedoc/sourcelocation.h
/// From which line of the program an operation was recorded: of the comparison that made a sweep
/// return -1, of the operation whose result is NaN.
///
/// It is noted on request, because it costs some microseconds per operation and 8 bytes of memory
/// that no budget counts. Lines and functions are known for code that was compiled with -g and has
/// its debug information in itself, if libdw (Debian: libdw1) is installed and the library was
/// built with its header; otherwise programs or libraries and their exported functions are. They
/// are looked up when they are shown: what recorded must still be loaded then. Looking up the first
/// takes milliseconds; a listing does it once for all, sourceLocation at each call.
///
///     ADOLC::recordSourceLocations(tag);
///     trace_on(tag);
///     …
///     trace_off();
///     std::cout << ADOLC::tapeDoc(tag); // has a column "source"
///
/// This header is not part of the umbrella adolc.h. All functions may be called from any thread.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <optional>
#include <string>

namespace ADOLC {

/// Whether later recordings on the tape note where their operations come from (default: no). A tape
/// that does not exist is made, as trace_on would. Such a recording gives the same results, but may
/// have other codes and locations: v1 = v1 + v2 as plus_a_a in place of eq_plus_a.
/// @throws ADOLCError  NO_TAPE_ID (negative); TAPING_TAPE_STILL_IN_USE while it is recorded
ADOLC_API void recordSourceLocations(short id, bool on = true);

/// The innermost place in the program's own code: what stands in headers of this library or of the
/// system, such as std::sort, is passed over if it was called from elsewhere.
struct SourceLocation {
  std::string file;     ///< the source file, or the program or library if its line is not known
  unsigned line = 0;    ///< from 1; 0: not known
  std::string function; ///< without its arguments; may be empty
};

/// Where an operation of the last finished recording was recorded; its number is counted as in
/// tapeDoc. nullopt if the recording has not noted it, as one that was opened from a file, or if
/// there is no such operation.
/// @throws ADOLCError  NO_TAPE_ID; TAPING_TAPE_STILL_IN_USE (this thread records it); MALLOC_FAILED
ADOLC_API std::optional<SourceLocation> sourceLocation(short id, std::size_t operation);

} // namespace ADOLC
