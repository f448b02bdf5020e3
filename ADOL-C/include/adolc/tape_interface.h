/// @file tape_interface.h
/// Recording: where it begins and ends, and what it recorded.
///
/// A process that forks: the child may use the library, whatever other threads of the parent were
/// doing in it. Only the tapes that they were just recording or evaluating are lost in the child:
/// whoever uses one, or removes it, gets TAPING_TAPE_STILL_IN_USE.
#pragma once

#include <adolc/adtb_types.h>
#include <adolc/valuetape/taperegistry.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Begins recording on tape `id`: discards the tape's previous recording and Taylor stack, selects
/// the tape and notes the values of all live variables. An unknown id >= 0 is created; such a tape
/// records on the default store of the thread, where variables made before live as well.
/// @param keepTaylors  not 0: save values while recording, so that a first-order reverse sweep may
///                     follow trace_off without a forward sweep
/// @return 0
/// @throws ADOLCError  NO_TAPE_ID (negative id); TAPING_TAPE_STILL_IN_USE (this thread records the
///                     tape); selection and recordings are unchanged then.
///                     TAPING_BUFFER_ALLOCATION_FAILED, MALLOC_FAILED (no memory), errors of the
///                     disk: nothing is recorded then. Waits while another thread records or
///                     evaluates the tape.
ADOLC_API int trace_on(short id, int keepTaylors = 0);
/// The same with buffer capacities in elements for operations, locations, constants and Taylor
/// entries of this recording; later ones have those of the tape again. 0 is the capacity of the
/// tape, another impossible one (see adolc/configuration.h) becomes the nearest possible one; the
/// diagnostics hook is told of either. `skipFileCleanup` not 0: a file that trace_off writes is not
/// removed.
ADOLC_API int trace_on(short id, int keepTaylors, std::size_t obs, std::size_t lbs, std::size_t vbs,
                       std::size_t tbs, int skipFileCleanup = 0);
/// Ends the recording of the current tape and restores the selection before it. `flag` not 0: also
/// writes the recording to a file, see tapeFile in adolc/tapefile.h.
/// @throws ADOLCError  TAPING_NOT_ACTUALLY_TAPING unless this thread records the current tape;
///                     TAPING_FATAL_IO_ERROR if the file cannot be written: the recording has
///                     ended and can be used nevertheless
ADOLC_API void trace_off(int flag = 0);
/// Whether the calling thread is recording.
ADOLC_API bool isTaping();

/// Statistics of the last finished recording (indices: TapeInfos::StatEntries); NO_TAPE_ID.
ADOLC_API std::array<std::size_t, TapeInfos::STAT_SIZE> tapestats(short id);
/// The same into stats[STAT_SIZE] (form of 2.7).
ADOLC_API void tapestats(short id, std::size_t *stats);
/// Prints these and those of ADOLC::tapeStatistics with labels to standard output.
ADOLC_API void printTapeStats(short id);
/// Number of parameters recorded: those of the tape, and those of others that it uses.
ADOLC_API std::size_t get_num_param(short id);
/// Number of recorded absolute values; NO_MINMAX unless recorded with minimum and maximum as
/// absolute values.
ADOLC_API std::size_t get_num_switches(short id);

/// Whether first-order reverse sweeps on the tape add to the result arrays (trace_on resets it).
ADOLC_API void nestedReverseEval(short id, bool on);
ADOLC_API bool nestedReverseEval(short id);

/// New parameter values (form of 2.7); see ValueTape::set_param_vec.
ADOLC_API void set_param_vec(short tag, std::size_t np, const double *p);
/// The next n allocations on the current tape (or default store) are consecutive.
ADOLC_API void ensureContiguousLocations(std::size_t n);
/// As the members of the current tape. With nothing selected, as in programs for 2.7: for the later
/// recordings of this thread on tapes made by trace_on.
ADOLC_API void enableMinMaxUsingAbs();
ADOLC_API void disableMinMaxUsingAbs();

// The names of 2.7 for statistics.
enum StatEntries27 : int {
#define ADOLC_STAT(name) name = TapeInfos::name
  ADOLC_STAT(NUM_INDEPENDENTS),
  ADOLC_STAT(NUM_DEPENDENTS),
  ADOLC_STAT(NUM_MAX_LIVES),
  ADOLC_STAT(NUM_TAYS),
  ADOLC_STAT(OP_BUFFER_SIZE),
  ADOLC_STAT(NUM_OPERATIONS),
  ADOLC_STAT(OP_FILE_ACCESS),
  ADOLC_STAT(NUM_LOCATIONS),
  ADOLC_STAT(LOC_FILE_ACCESS),
  ADOLC_STAT(NUM_VALUES),
  ADOLC_STAT(VAL_FILE_ACCESS),
  ADOLC_STAT(LOC_BUFFER_SIZE),
  ADOLC_STAT(VAL_BUFFER_SIZE),
  ADOLC_STAT(TAY_BUFFER_SIZE),
  ADOLC_STAT(NUM_EQ_PROD),
  ADOLC_STAT(NO_MIN_MAX),
  ADOLC_STAT(NUM_SWITCHES),
  ADOLC_STAT(NUM_PARAM),
  ADOLC_STAT(STAT_SIZE),
  ADOLC_STAT(TAY_STACK_SIZE)
#undef ADOLC_STAT
};

/// Names of 2.7 for what removeTape does with files. Here skipFileCleanup decides, see trace_on.
enum TapeRemovalType { ADOLC_REMOVE_FROM_CORE, ADOLC_REMOVE_COMPLETELY };
/// Removes a tape (form of 2.7). @return 0, or -1 if the tape does not exist or is in use
ADOLC_API int removeTape(short id, short type);

namespace ADOLC {

/// Records for the time of a scope. Leaving the scope ends the recording; leaving it by an
/// exception discards it. Recordings nested in it that are still open then are discarded in either
/// case.
///
///     { ADOLC::Recording rec(1); x <<= 2.0; y = f(x); y >>= out; }
class ADOLC_API Recording {
public:
  explicit Recording(short id, int keepTaylors = 0);
  ~Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;
  /// Ends the recording before the scope does. @throws as trace_off, also while another recording
  /// or another tape is current: that one is not ended in its place.
  void finish();

private:
  ValueTape *tape_;
  int exceptions_;
};

/// Bytes that the last recording of a tape uses.
struct TapeBytes {
  std::size_t operations = 0;
  std::size_t locations = 0;
  std::size_t constants = 0;
  std::size_t taylors = 0; ///< of a keep = 1 sweep
  std::size_t total() const { return operations + locations + constants + taylors; }
};
ADOLC_API TapeBytes tapeBytes(short id);

/// How often each operation code was recorded, by code; NO_TAPE_ID. While the calling thread
/// records the tape: in the segments that are complete.
ADOLC_API std::array<std::size_t, detail::kNumOpcodes> opcodeHistogram(short id);
/// What tapeStatistics tells about a recording.
struct TapeStatistics {
  std::uint64_t operations = 0; ///< start_of_tape and end_of_tape included
  TapeBytes bytes;
  /// How often each operation code was recorded, by code.
  std::array<std::uint64_t, detail::kNumOpcodes> histogram{};
  /// Values that a keep = 1 sweep saves: those that are overwritten and needed in reverse, and
  /// final ones.
  std::uint64_t taylorsSaved = 0;
  /// Results that overwrite a value which is not needed in reverse, so that nothing is saved.
  std::uint64_t taylorsAvoided = 0;
  /// The largest number of locations that live at one time, each from the first operation that
  /// writes or reads it to the last one; those of variables made before from the beginning.
  std::uint64_t peakLocations = 0;
  std::uint64_t spilledBytes = 0; ///< of the streams, on disk

  /// Of the recording, without the Taylor stack; 0 if nothing was recorded.
  double bytesPerOperation() const {
    const std::size_t recorded = bytes.total() - bytes.taylors;
    return operations != 0 ? static_cast<double>(recorded) / static_cast<double>(operations) : 0.0;
  }
};
/// Reads the whole recording; NO_TAPE_ID; MALLOC_FAILED (needs 16 bytes per location). While the
/// calling thread records the tape: of the segments that are complete.
ADOLC_API TapeStatistics tapeStatistics(short id);

/// How many locations live, as in TapeStatistics::peakLocations, at `samples` operations that are
/// evenly spread over the recording. Errors as tapeStatistics.
ADOLC_API std::vector<std::uint64_t> liveProfile(short id, std::size_t samples);

/// Name of an operation code, as in the enumeration.
ADOLC_API const char *opcodeName(OPCODES op);
/// What an operation code does, with %0 for the result and %1 … for operands.
ADOLC_API const char *opcodeText(OPCODES op);

} // namespace ADOLC
