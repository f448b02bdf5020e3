/// @file tapefile.h
/// Recordings in files: saved in one process, opened and swept in another. The format is described
/// in doc/tape-format.md.
#pragma once

#include <adolc/internal/common.h>

#include <filesystem>

namespace ADOLC {

/// Writes the recording of a tape to a file of its own: operations, locations, constants,
/// parameters with their present values, and statistics; not the Taylor stack. The file appears
/// under its name when it is complete: until then it has none, or, where the file system knows no
/// such files, a temporary one beside it, ending in ".tmp". A file (or symbolic link) that had the
/// name is replaced; if anything fails it stays as it was, and so does the recording.
/// Waits while another thread records or evaluates the tape.
/// @throws ADOLCError  NO_TAPE_ID; TAPING_TAPE_STILL_IN_USE (the calling thread records or
///                     evaluates the tape); NO_RECORDING; TAPING_FATAL_IO_ERROR with what the
///                     system says, also where the name belongs to a directory or a device, or
///                     has a zero character; MALLOC_FAILED
ADOLC_API void saveTape(short id, const std::filesystem::path &file);

/// Makes a tape of a saved recording and returns its id, as createNewTape would; the selection of
/// the thread stays. Statistics are those of the recording that was saved; before a reverse sweep
/// there must be a forward sweep with keep. Everything in the file is checked first: whatever a
/// file holds, it is refused or its sweeps stay within their memory. No tape is left if it is
/// refused.
/// @throws ADOLCError  INTEGER_TAPE_FOPEN_FAILED (cannot be opened); INTEGER_TAPE_FREAD_FAILED (not
///                     a saved tape, truncated, header or tables damaged);
///                     EVAL_OP_TAPE_READ_FAILED, EVAL_LOC_TAPE_READ_FAILED,
///                     EVAL_VAL_TAPE_READ_FAILED (operations, locations, constants damaged),
///                     VALUE_TAPE_FREAD_FAILED (parameters); NO_SUCH_OP; TAPE_TO_OLD, TAPE_TOO_NEW
///                     (version of the format); WRONG_ENDIANNESS, WRONG_PLATFORM_32,
///                     WRONG_PLATFORM_64, WRONG_LOCINT_SIZE (another machine or build);
///                     WRONG_OPERATION_TABLE; MALLOC_FAILED; std::overflow_error when 32768 tapes
///                     exist
ADOLC_API short openTape(const std::filesystem::path &file);

/// The file that trace_off(flag) with flag != 0 has written for the present recording of a tape, or
/// an empty path. It can be opened like a saved one. It is removed when the tape is recorded again
/// or removed and when the process ends, unless the recording was begun with skipFileCleanup != 0.
/// @throws ADOLCError  NO_TAPE_ID
ADOLC_API std::filesystem::path tapeFile(short id);

} // namespace ADOLC
