/// @file valuetape/valuetape.h
/// The tape: a recording, the state of recording it, and the statistics.
///
/// A tape is owned by the process-wide registry. While it is recorded it belongs to the recording
/// thread; otherwise evaluations take turns, or share it.
#pragma once

#include <adolc/adolcerror.h>
#include <adolc/oplate.h>
#include <adolc/ops/layout.h>
#include <adolc/valuetape/spill.h>
#include <adolc/valuetape/store.h>
#include <adolc/valuetape/tapeevaluationcontext.h>
#include <adolc/valuetape/tapeinfos.h>
#include <adolc/valuetape/taperecordingcontext.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ADOLC::detail {
class CallSites;
class RecordingFile;
struct SavedTape;
} // namespace ADOLC::detail

class ADOLC_API ValueTape {
public:
  explicit ValueTape(short id);
  ~ValueTape();
  ValueTape(const ValueTape &) = delete;
  ValueTape &operator=(const ValueTape &) = delete;

  short tapeId() const { return infos_.tapeId_; }

  // ── recording ─────────────────────────────────────────────────────────────────────────────────
  /// Takes exclusive access, pushes a recording frame and selects this tape. Throws
  /// TAPING_TAPE_STILL_IN_USE, with nothing changed, when the calling thread records it already (or
  /// after a fork, see adolc/tape_interface.h);
  /// waits while another thread uses it; throws NO_TAPE_ID when it was removed meanwhile.
  void beginRecording();
  /// The same, but returns false when it was removed meanwhile.
  bool tryBeginRecording();
  /// Inverse of beginRecording: restores the previous selection, releases the tape.
  void endRecording() noexcept;
  /// This tape is the innermost one that the calling thread records.
  bool isRecording() const noexcept;
  /// The calling thread records this tape, innermost or not.
  bool isRecordedHere() const;
  /// Some thread records this tape.
  bool isRecorded() const noexcept { return recorded_.load(std::memory_order_relaxed); }
  /// The innermost recording of the calling thread that is open on a store, or nullptr.
  static ValueTape *openOn(const ADOLC::detail::Store &store);

  /// What trace_on does between beginRecording and the first operation: discards the previous
  /// recording and notes the values of all live variables. `minMaxAsAbs` asks for what
  /// enableMinMaxUsingAbs does, for this recording. `sizes` are buffer capacities for it alone; 0:
  /// that of the tape.
  void startStreams(int keep, bool minMaxAsAbs = false,
                    const ADOLC::detail::BufferSizes &sizes = {});
  /// What trace_off does before endRecording: closes the streams and makes the recording usable.
  void finishStreams();
  /// Discards the recording that is open.
  void discardStreams() noexcept;
  /// What trace_off with a flag does between finishStreams and endRecording: writes the recording
  /// to a file, see tapeFile in adolc/tapefile.h. If that fails the recording is usable
  /// nevertheless.
  void writeFile();
  /// Whether such a file outlives the recording (skipFileCleanup).
  void keepsFile(bool keeps) { keepsFile_ = keeps; }
  /// The file of the recording, or nullptr.
  const ADOLC::detail::RecordingFile *file() const { return file_.get(); }
  /// Takes over a recording that was made elsewhere. Precondition: nobody knows the tape yet.
  void adopt(ADOLC::detail::SavedTape &&saved) noexcept;

  // ── properties of recordings ──────────────────────────────────────────────────────────────────
  /// Later recordings replace minimum and maximum by absolute values. Throws
  /// ENABLE_MINMAX_USING_ABS / DISABLE_MINMAX_USING_ABS while the tape is recorded.
  void enableMinMaxUsingAbs();
  void disableMinMaxUsingAbs();
  bool minMaxUsingAbs() const { return minMaxUsingAbs_; }

  /// Whether sweeps that leave the recorded branch report to the diagnostics hook (default on).
  void enableBranchSwitchWarnings() { branchSwitchWarnings_ = true; }
  void disableBranchSwitchWarnings() { branchSwitchWarnings_ = false; }
  bool branchSwitchWarnings() const { return branchSwitchWarnings_; }

  /// Whether later recordings note where in the program their operations are, see
  /// adolc/tapedoc/sourcelocation.h (default off). Throws TAPING_TAPE_STILL_IN_USE while the
  /// calling thread records or evaluates the tape; waits for other threads.
  void enableSourceLocations() { notesSources(true); }
  void disableSourceLocations() { notesSources(false); }
  /// Those of the last recording, or nullptr.
  const ADOLC::detail::CallSites *callSites() const { return callSites_.get(); }

  /// The next n variables that are made on this tape are in consecutive ascending locations.
  void ensureContiguousLocations(std::size_t n);
  std::size_t ensureContiguousLocations_(std::size_t n) {
    ensureContiguousLocations(n);
    return n;
  }

  /// Tuning of the joining of free blocks, see adolc/storemanager.h. The tape's own allocator is
  /// one fast stack, which has nothing to tune: the values are only remembered. Any will do.
  void setStoreManagerControl(double gcTriggerRatio, std::size_t gcTriggerMaxSize) {
    gcTriggerRatio_ = gcTriggerRatio;
    gcTriggerMaxSize_ = gcTriggerMaxSize;
  }
  double gcTriggerRatio() const { return gcTriggerRatio_; }
  std::size_t gcTriggerMaxSize() const { return gcTriggerMaxSize_; }
  /// Asks for a type of location manager: StoreManager::ADOLC_LOCATION_BLOCKS (0, default) or
  /// ADOLC_LOCATION_SINGLETONS (1) of adolc/storemanager.h. The tape's own allocator is the same
  /// fast stack whatever the type: the call checks and remembers the type, and has no other effect.
  /// Throws, with nothing changed, ARGUMENT_OUT_OF_RANGE for another type, SM_ACTIVE_VARS while
  /// active variables live on the tape's store, SM_SAME_TYPE if the type is set already.
  void setStoreManagerType(unsigned char type);
  unsigned char storeManagerType() const { return storeManagerType_; }
  /// Number of locations that a store has room for at first.
  static constexpr std::size_t get_initialSize() { return ADOLC::detail::Store::kInitialCapacity; }

  /// New values for all parameters, in creation order; `tag` is used in messages only. Discards the
  /// Taylor stack. Throws PARAM_COUNTS_MISMATCH unless np is the recorded count, and
  /// TAPING_TAPE_STILL_IN_USE when the calling thread records the tape.
  void set_param_vec(short tag, std::size_t np, const double *p);
  void setParamVec(std::span<const double> p);
  /// Copies the current values of the parameters; the size must be the recorded count. Throws as
  /// set_param_vec.
  void getParamVec(std::span<double> p) const;

  /// Buffer capacities in elements, for every later trace_on that is given none: see memoryBudget.
  /// A new tape has those of the configuration, see adolc/configuration.h. An impossible capacity
  /// is replaced by the nearest possible one (see there), 0 changes nothing; the diagnostics hook
  /// is told of either.
  void operationBufferSize(std::size_t n) { setBufferSize(0, n); }
  void locationBufferSize(std::size_t n) { setBufferSize(1, n); }
  void valueBufferSize(std::size_t n) { setBufferSize(2, n); }
  void taylorBufferSize(std::size_t n) { setBufferSize(3, n); }
  std::size_t operationBufferSize() const { return bufferSizes_[0]; }
  std::size_t locationBufferSize() const { return bufferSizes_[1]; }
  std::size_t valueBufferSize() const { return bufferSizes_[2]; }
  std::size_t taylorBufferSize() const { return bufferSizes_[3]; }

  /// Bytes of memory that the streams of this tape may take; blocks that do not fit are moved to a
  /// private file. 0 (default): if buffer capacities were set, what these add up to; else what is
  /// configured for all tapes (TAPE_MEMORY). Effective from the next trace_on on. Each workspace of
  /// an evaluation that shares the tape may take as much for its Taylor stack.
  void memoryBudget(std::size_t bytes) noexcept { memoryBudget_ = bytes; }
  std::size_t memoryBudget() const noexcept { return memoryBudget_; }
  /// Bytes of the streams that are on disk now, and those written to and read from disk so far.
  struct SpillStatistics {
    std::size_t onDisk = 0;
    std::uint64_t written = 0, read = 0;
  };
  SpillStatistics spillStatistics() const;

  /// First-order reverse sweeps add to the caller's result instead of overwriting it.
  void nestedReverseEval(bool on) { nestedReverseEval_ = on; }
  bool nestedReverseEval() const { return nestedReverseEval_; }

  std::size_t numLives() const { return store_->numLives(); }
  std::size_t storeSize() const { return store_->capacity(); }
  double *store() const { return store_->values; }

  /// Statistics of the last finished recording; waits while another thread records or evaluates.
  TapeInfos::StatArray tapestats() const;
  void tapestats(std::size_t *stats) const;

  // ── access ────────────────────────────────────────────────────────────────────────────────────
  /// In exclusive mode (default) evaluations of this tape take turns. In shared mode those that
  /// leave nothing behind with the tape run at the same time: forward sweeps without keep, reverse
  /// sweeps (on the Taylor stack that the last forward sweep with keep has left), drivers, and all
  /// that work in an ADOLC::Workspace. Forward sweeps with keep, jac_solv, vec_jac with repeat = 0,
  /// set_param_vec and recording are exclusive in both modes.
  enum class DataAccess { Exclusive, Shared };
  /// Waits until nobody uses the tape. Does nothing if that is the mode already. Throws
  /// TAPING_TAPE_STILL_IN_USE when the calling thread records or evaluates the tape.
  void setSharedMode() { setAccess(DataAccess::Shared); }
  void setExclusiveMode() { setAccess(DataAccess::Exclusive); }
  /// The mode, as it is at the moment.
  bool isExclusiveNonLocking() const noexcept { return access_ == DataAccess::Exclusive; }
  /// The mode, once a change that is under way has been made.
  bool isExclusiveLocking() const;

  /// Names for init_sweep.
  struct Forward {};
  struct Reverse {};
  /// Begins an evaluation as the sweeps do: in exclusive mode or with keep the tape is taken
  /// exclusively (isOwner), otherwise it is shared.
  template <class Mode> ADOLC::detail::TapeEvaluationContext init_sweep(int keep = 0) {
    static_assert(std::is_same_v<Mode, Forward> || std::is_same_v<Mode, Reverse>);
    return ADOLC::detail::TapeEvaluationContext(*this, "init_sweep", ADOLC::detail::useWith(keep));
  }
  /// Ends it. (Destroying the context does the same.)
  void end_sweep(ADOLC::detail::TapeEvaluationContext &context) noexcept { context.close(); }
  void end_sweep(ADOLC::detail::TapeEvaluationContext &&context) noexcept { context.close(); }

  /// The recording that the calling thread has opened calls external functions; otherwise throws
  /// TAPING_NOT_ACTUALLY_TAPING.
  void registerExtDiff();
  bool containsExtDiff() const;

  /// Held exclusively while the tape is recorded or evaluated exclusively, shared while it is
  /// shared.
  std::shared_mutex &accessMutex() noexcept { return accessMutex_; }
  /// Take the mutex. Throw TAPING_TAPE_STILL_IN_USE where waiting would never end, because the
  /// thread that has this tape waits for one that the calling thread has.
  std::unique_lock<std::shared_mutex> lockExclusively(const char *caller) const;
  std::shared_lock<std::shared_mutex> lockToShare(const char *caller) const;
  /// Access for reading; none is taken when the calling thread has the tape, recording or
  /// evaluating it. Throws NO_TAPE_ID when the tape was removed meanwhile.
  std::shared_lock<std::shared_mutex> readAccess() const;
  /// Whether the registry has this tape. To be asked after waiting for the accessMutex: the tape
  /// may have been removed meanwhile, and its object may stand for a new one later.
  bool isRegistered() const noexcept;

  /// Whether the calling thread is within a sweep on this tape, as a diagnostics hook may be.
  bool evaluatedHere() const noexcept;
  /// The same, or records it.
  bool isInUseHere() const;
  /// Throws TAPING_TAPE_STILL_IN_USE if it does: the thread would wait for itself; or if it would
  /// wait for a thread that only the parent of this process has.
  void requireUsableHere(const char *caller) const;
  /// A forked child has no use of it, see there.
  bool isLost() const noexcept { return lost_; }
  /// In a forked child: those who waited for the tape are not there, and a tape that another thread
  /// was recording or evaluating exclusively is half changed and cannot be used any more.
  void forgetOtherThreads() noexcept;

  /// The comparison that made the last sweep return -1, or the quadrature that made it return -2.
  struct BranchSwitch {
    std::size_t operation = 0; ///< running number of the operation, from 0 (start_of_tape)
    OPCODES opcode = ignore_me;
    double operands[2] = {0.0, 0.0};
  };
  BranchSwitch lastBranchSwitch() const noexcept;
  void noteBranchSwitch(const BranchSwitch &at) noexcept;

  // ── used by the recorder, the registry and the interpreters ───────────────────────────────────
  /// Hot state of recording. While the tape is not recorded, `op` equals `opLimit`, so that the one
  /// test for a full segment also sends everything else out of line.
  struct Recorder {
    ADOLC::detail::OpCell *op = nullptr;
    ADOLC::detail::OpCell *opLimit = nullptr;
    ADOLC::detail::LocCell *loc = nullptr;
    double *val = nullptr;
    double *tay = nullptr; ///< with keep only
    bool keeps = false;
  };
  Recorder recorder;

  ADOLC::detail::Store &activeStore() { return *store_; }
  /// Binds the tape to a store (of which it becomes an owner).
  void bindStore(ADOLC::detail::Store &store) noexcept;
  /// The tape made its store itself; otherwise it records on the default store of a thread.
  bool ownsStore() const { return ownsStore_; }
  void ownsStore(bool owns) { ownsStore_ = owns; }

  /// Makes room for at least one more operation of the table. Precondition: the tape is recorded.
  void nextSegment();
  /// An operation with one location and any number of constants: room is made first. Returns the
  /// cells of the constants.
  double *appendLarge(OPCODES op, ADOLC::detail::LocCell loc, std::size_t numVals);
  bool streamsOpen() const { return streamsOpen_; }
  void countIndependent() { ++recording_.numInds; }
  void countDependent() { ++recording_.numDeps; }
  void countSwitch() { ++recording_.numSwitches; }
  void countFusedProduct() { ++recording_.num_eq_prod; }
  /// The recording uses a parameter of its store.
  void noteParameter(std::size_t index) {
    if (!store_->ownsParameter(this, index))
      foreignParameters_.insert(index);
  }

  ADOLC::detail::TapeRecordingContext &recording() { return recording_; }
  const ADOLC::detail::TapeRecordingContext &recording() const { return recording_; }
  ADOLC::detail::SweepMemory &workspace() { return workspace_; }
  /// A workspace for an evaluation that shares the tape.
  std::unique_ptr<ADOLC::detail::OwnWorkspace> borrowWorkspace();
  void giveBack(std::unique_ptr<ADOLC::detail::OwnWorkspace> workspace) noexcept;
  void freeWorkspaces() noexcept;
  /// Makes the Taylor stack of a workspace keep to the budget of this tape, which the calling
  /// thread has. Throws std::bad_alloc.
  void adapt(ADOLC::detail::OwnWorkspace &workspace) const;
  /// Takes what the configuration says about new tapes.
  void configure();
  /// Empties everything that a removed tape may still hold.
  void reset() noexcept;

  /// Data that a driver caches with the tape (jac_solv); dropped by trace_on and set_param_vec.
  struct DriverCache;
  std::unique_ptr<DriverCache> driverCache;

private:
  void setBufferSize(std::size_t stream, std::size_t n);
  void setAccess(DataAccess access);
  void applyBudget();
  void noteFiles() noexcept;
  void openSegment(OPCODES mark);
  void closeSegment(OPCODES mark);
  void packLocations(ADOLC::detail::Segment &segment, std::size_t count);
  void takeStock();
  void finalValues();
  void rememberOuter();
  void suspendOuter() noexcept;
  void resumeOuter() noexcept;
  void noteResults() noexcept;
  void continueAfter(const ValueTape &inner) noexcept;
  std::size_t segmentRoom() const;
  void updateLimits();
  void notesSources(bool on);
  void noteSource();

  ADOLC::detail::Store *store_;
  bool ownsStore_ = true;
  bool streamsOpen_ = false;
  bool keep_ = false;
  bool broken_ = false; // no memory for an operation: the recording is lost
  bool minMaxUsingAbs_ = false;
  std::atomic<bool> branchSwitchWarnings_ = true;
  std::atomic<bool> nestedReverseEval_ = false;
  ADOLC::detail::BufferSizes bufferSizes_{};
  bool buffersLimited_ = false; // a capacity was set, by whomever
  // The same for the present recording, which trace_on may have been given.
  ADOLC::detail::BufferSizes recordingSizes_{};
  bool recordingLimited_ = false;
  std::size_t memoryBudget_ = 0;

  // The segment being recorded. Locations are collected in a buffer that stays in the cache and are
  // packed when the segment is closed.
  struct {
    ADOLC::detail::OpCell *ops = nullptr; // its mark
    double *vals = nullptr;
    double *tays = nullptr;
    std::size_t opRoom = 0, valRoom = 0, tayRoom = 0;
  } open_;
  ADOLC::detail::BlockChain<ADOLC::detail::LocCell> stagedLocs_;
  ADOLC::detail::LocCell *stage_ = nullptr;
  ADOLC::detail::LocCell narrowBase_ = 0; // of the last narrow segment

  // While an inner recording on the same store is open, the outer one has no room for operations.
  ValueTape *outerTape_ = nullptr; // what this recording suspends
  Recorder suspendedRecorder_;
  bool suspended_ = false;
  // What the outer one must be told: the values when this recording began, and the locations that
  // it has written since.
  std::vector<double> outerValues_;
  std::vector<bool> written_;
  bool lostTrack_ = false; // no memory for them

  std::set<std::size_t> foreignParameters_; // in use here, but made on another tape

  std::unique_ptr<ADOLC::detail::SpillGroup> spill_; // with a budget only
  ADOLC::detail::TapeRecordingContext recording_;
  bool notesSources_ = false;
  std::unique_ptr<ADOLC::detail::CallSites> callSites_; // of this recording, if it notes them
  std::size_t opsBefore_ = 0;                           // the open segment
  std::unique_ptr<ADOLC::detail::RecordingFile> file_;
  bool keepsFile_ = false;
  ADOLC::detail::SweepMemory workspace_;
  TapeInfos infos_;
  BranchSwitch branchSwitch_;
  std::atomic<bool> recorded_{false};
  std::atomic<bool> lost_{false}; // to a thread that a forked child does not have
  std::atomic<DataAccess> access_{DataAccess::Exclusive};
  mutable std::shared_mutex accessMutex_;
  mutable std::mutex gate_; // of those who want to share the tape, while others wait to have it
  mutable std::atomic<unsigned> numWaitingForAll_{0};
  mutable std::mutex workspacesMutex_; // idle workspaces, branch switch
  std::vector<std::unique_ptr<ADOLC::detail::OwnWorkspace>> idleWorkspaces_;

  // Without effect, see setStoreManagerControl and setStoreManagerType. The defaults are those of
  // StoreManager.
  static constexpr double kGcTriggerRatio = 1.5;
  static constexpr std::size_t kGcTriggerMaxSize = 4;
  double gcTriggerRatio_ = kGcTriggerRatio;
  std::size_t gcTriggerMaxSize_ = kGcTriggerMaxSize;
  unsigned char storeManagerType_ = 0;
};
