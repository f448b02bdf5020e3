/// @file valuetape/taperegistry.h
/// The process-wide registry of tapes, and the thread-local selection of the current one.
///
/// Look-up by id works from every thread. The selection and the stack of nested recordings belong
/// to a thread; a new thread starts with nothing selected.
#pragma once

#include <adolc/valuetape/valuetape.h>

#include <memory>
#include <span>
#include <vector>

namespace ADOLC::detail {
/// The slot of the thread's current tape. One symbol, defined once in the library: an inline
/// variable would become one per module under hidden visibility. Initial-exec, so that operators
/// reach it with one instruction.
extern ADOLC_API ADOLC_INITIAL_EXEC constinit thread_local ValueTape *currentTapeSlot;
} // namespace ADOLC::detail

/// Creates a tape with the next free id (0, 1, 2, …; a removed id is reused only when all others
/// are taken) and returns the id. Selects it when the thread has nothing selected. Throws
/// std::overflow_error when 32768 tapes exist.
ADOLC_API short createNewTape();
/// The registry, in order of creation. Iterating is not synchronised with other threads.
ADOLC_API std::vector<std::unique_ptr<ValueTape>> &tapeBuffer();
/// The tape with this id, or nullptr.
ADOLC_API ValueTape *findTapePtr_(short id);
/// The tape with this id; throws NO_TAPE_ID.
ADOLC_API ValueTape *findTapePtr(short id);
ADOLC_API ValueTape &findTape(short id);
/// As findTape, but creates an unknown tape with id >= 0 that records on default stores.
ADOLC_API ValueTape &findOrCreateTape(short id);

/// The thread's slot itself; assignable. (An assignment through it is not synchronised with the
/// removal of tapes by other threads; setCurrentTape is.)
ADOLC_API ValueTape *&currentTapePtr();
/// The selected tape; throws NO_TAPE_ID when nothing is selected.
ADOLC_API ValueTape &currentTape();
/// Selects by pointer; nullptr deselects.
ADOLC_API void setCurrentTape(ValueTape *tape) noexcept;
/// Selects by id; throws NO_TAPE_ID, or TAPING_TAPE_STILL_IN_USE while another thread records the
/// tape, with the selection unchanged.
ADOLC_API void setCurrentTape(short id);
/// For literals: 0 would be a null pointer as well as a short.
ADOLC_API void setCurrentTape(int id);

/// One level of nested recording.
struct RecordingFrame {
  ValueTape *prev{nullptr};    ///< selected before
  ValueTape *current{nullptr}; ///< being recorded
};
/// The thread's recordings, outermost first, behind one empty frame.
ADOLC_API std::vector<RecordingFrame> &currentTapeStack();
namespace ADOLC::detail {
/// The same for reading; empty if the thread has never recorded anything. Allocates nothing.
ADOLC_API std::span<const RecordingFrame> recordingFrames() noexcept;
/// A recording of the calling thread begins or ends: frame and selection.
void pushRecording(ValueTape &tape);
void popRecording() noexcept;
} // namespace ADOLC::detail

/// Replaces the content of `result` by the ids of all tapes in order of creation.
ADOLC_API void cachedTraceTags(std::vector<short> &result);

namespace ADOLC {
/// Removes a tape with its recording. Threads that had it selected have nothing selected then; none
/// may compute with it meanwhile. Throws NO_TAPE_ID for an unknown id, TAPING_TAPE_STILL_IN_USE
/// while it is recorded or evaluated or while variables live in a store that it owns.
/// MALLOC_FAILED: there was no memory for it, and nothing has changed.
ADOLC_API void removeTape(short id);
/// As removeTape, but returns whether it was done.
ADOLC_API bool tryRemoveTape(short id);
} // namespace ADOLC
