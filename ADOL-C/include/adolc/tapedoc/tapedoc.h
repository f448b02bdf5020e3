/// @file tapedoc/tapedoc.h
/// Listings of recordings: what was recorded, operation by operation.
#pragma once

#include <adolc/internal/common.h>

#ifdef __cplusplus
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>
#endif

BEGIN_C_DECLS

/// Evaluates the tape at x[n], writes the values of the dependents to y[m] and a listing with the
/// values at x to the file tape_<id>.tex in the working directory: a LaTeX document, one row per
/// operation. Where a recorded comparison has another outcome at x, y is NaN and the listing has
/// values up to this comparison.
/// @throws ADOLCError  NO_TAPE_ID; TAPE_DOC_COUNTS_MISMATCH (m or n are not the recorded counts, or
///                     nothing was recorded); NULL_ARGUMENT; CANNOT_OPEN_FILE, with y unchanged;
///                     TAPING_FATAL_IO_ERROR (writing failed, the file is incomplete)
ADOLC_API void tape_doc(short id, int m, int n, const double *x, double *y);

END_C_DECLS

#ifdef __cplusplus
namespace ADOLC {

enum class TapeDocFormat {
  latex,    ///< a document with one long table
  text,     ///< columns between blanks, "-" for an empty one; other lines begin with #
  markdown, ///< a heading and a table
  graphviz, ///< a graph for `dot`: who computes what from what
};

/// What is listed, and how.
struct TapeDocOptions {
  /// Values at this point are shown: of operands and result, as far as the point stays on the
  /// recorded branch. One number per independent, else SIZE_MISMATCH.
  std::optional<std::vector<double>> point = {};
  /// The operations `first` to `last` are listed, counted from 0 (start_of_tape). Numbers beyond
  /// the end of the tape, or a `last` before `first`, are no error: the listing ends at the end of
  /// the tape, or is empty and says so.
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();
  /// Any text; if empty, the number of the tape. The LaTeX format shows a question mark for each
  /// character outside ASCII.
  std::string title = {};
};

/// A listing of the last finished recording of a tape, one row per operation:
///
///  - its running number, and number and name of its code;
///  - flags: s, it saves the value that it overwrites for reverse sweeps; p, the first piece of a
///    function with pieces was active, or a comparison was true; u, a comparison that was recorded
///    as its opposite and holds with NaN as little;
///  - its locations: operands in the order of the text, then the result;
///  - its constants, of many the first ones; a parameter by its index;
///  - with a point: its result (of a comparison the outcome, with ! where it is another one than at
///    recording, behind which nothing is known) and the values of operands that are locations or
///    parameters;
///  - what it does, where v3 is location 3;
///  - where it was recorded, if the recording has noted that (adolc/tapedoc/sourcelocation.h).
///
/// In the graph operations are nodes, and each location that an operation reads is an edge from the
/// one that has written it last. Nodes outside the range of the listing are numbers only; start and
/// end of the tape are left out.
///
/// @throws ADOLCError  NO_TAPE_ID; TAPING_TAPE_STILL_IN_USE (this thread records or evaluates the
///                     tape); SIZE_MISMATCH (point); ARGUMENT_OUT_OF_RANGE (format)
ADOLC_API std::string tapeDoc(short id, TapeDocFormat format = TapeDocFormat::text,
                              const TapeDocOptions &options = {});
/// The same into a stream, row by row: of large tapes. The tape is held meanwhile. A stream that
/// fails ends the listing and tells the caller itself.
ADOLC_API void tapeDoc(std::ostream &out, short id, TapeDocFormat format = TapeDocFormat::text,
                       const TapeDocOptions &options = {});

} // namespace ADOLC
#endif
