/// @file valuetape/tapeevaluationcontext.h
/// One evaluation of a tape: the lock on the tape, the workspace that its sweeps use, and the
/// Taylor stack that they write and read.
///
/// In exclusive mode (default) an evaluation has the tape for itself and works in the tape's own
/// workspace, so that a repeated sweep allocates nothing. In shared mode evaluations that leave
/// nothing behind with the tape share it: each reads the streams by cursors of its own and works in
/// a workspace of its own.
#pragma once

#include <adolc/valuetape/taperecordingcontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

class ValueTape;

namespace ADOLC::detail {

/// Uninitialised doubles, aligned to 64 bytes; grows, never shrinks.
class ADOLC_API Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Buffer();
  /// At least `count` doubles; the former content is lost when the buffer grows.
  double *require(std::size_t count);
  std::size_t capacity() const { return capacity_; }

private:
  double *data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Working memory of sweeps.
struct SweepMemory {
  Buffer values; ///< by location
  Buffer lanes;  ///< tangents or adjoints by location, all lanes of one location together
  Buffer
      series; ///< of higher order: intermediate results, in reverse also coefficients by location
  Buffer driver; ///< seeds and results of drivers
};

/// A workspace of one evaluation among several on a tape: with a Taylor stack, which under a budget
/// of the tape keeps to the same one.
struct ADOLC_API OwnWorkspace : SweepMemory {
  std::unique_ptr<SpillGroup> spill;
  TaylorStack taylors;
  std::uint64_t recordedAs = 0;      ///< TapeRecordingContext::stamp of the stack's recording
  std::atomic<bool> isInUse = false; ///< by an evaluation

  OwnWorkspace();
  OwnWorkspace(const OwnWorkspace &) = delete;
  OwnWorkspace &operator=(const OwnWorkspace &) = delete;
  ~OwnWorkspace();
};

/// What an evaluation does with the tape.
enum class TapeUse {
  alone, ///< it changes the tape: exclusive in both modes, whatever the workspace
  keeps, ///< it leaves a Taylor stack: exclusive, unless that is left in a workspace
  pairs, ///< a forward sweep with keep, then reverse sweeps: in shared mode on a stack of its own
  reads, ///< it leaves nothing; reverse sweeps read the Taylor stack of the tape or the workspace
  looks, ///< it sweeps nothing: counts, streams
};
/// Of a forward sweep.
inline TapeUse useWith(int keep) { return keep != 0 ? TapeUse::keeps : TapeUse::reads; }

/// Evaluations that the calling thread begins meanwhile work in this workspace.
class ADOLC_API InWorkspace {
public:
  explicit InWorkspace(OwnWorkspace &workspace) noexcept;
  InWorkspace(const InWorkspace &) = delete;
  InWorkspace &operator=(const InWorkspace &) = delete;
  ~InWorkspace();

private:
  OwnWorkspace *outer_;
};

/// Of an evaluation that takes part in another one: whose Taylor stack it uses, for reading if it
/// is the other one's.
enum class Stacks { own, ofOwner };

/// Holds a tape for one evaluation, or for several in a row (a driver that pairs a forward with a
/// reverse sweep). Destroying it gives everything back, also on the path of an exception. It is
/// destroyed by the thread that has made it.
class ADOLC_API TapeEvaluationContext {
public:
  /// Waits while another thread has the tape for itself, or, to have it, while any does.
  /// InWorkspace the Taylor stack is the one there. Throws NO_TAPE_ID when the tape was removed
  /// meanwhile; EXT_DIFF_SHARED_MODE when it has external functions and is in shared mode;
  /// WORKSPACE_IN_USE; TAPING_TAPE_STILL_IN_USE when the calling thread records or evaluates the
  /// tape already, and where waiting would never end: other threads wait for a tape that this one
  /// has.
  TapeEvaluationContext(ValueTape &tape, const char *caller, TapeUse use);
  /// The same by id; NO_TAPE_ID.
  TapeEvaluationContext(short tag, const char *caller, TapeUse use);
  /// Takes part in an evaluation of another thread, which outlives this and changes nothing
  /// meanwhile. To be made in a thread that evaluates nothing else.
  TapeEvaluationContext(TapeEvaluationContext &owner, OwnWorkspace &own, Stacks stacks);
  TapeEvaluationContext(TapeEvaluationContext &&other) noexcept;
  TapeEvaluationContext &operator=(TapeEvaluationContext &&) = delete;
  ~TapeEvaluationContext() { close(); }

  ValueTape &tape() const { return *tape_; }
  const TapeRecordingContext &recording() const { return *recording_; }
  TaylorStack &taylors() const { return *taylors_; }
  SweepMemory &workspace() { return workspace_ != nullptr ? *workspace_ : borrowWorkspace(); }
  /// The function that the user called, for messages.
  const char *caller() const { return caller_; }
  /// The evaluation has the tape for itself.
  bool isOwner() const { return exclusive_.owns_lock(); }
  /// It takes part in an evaluation of another thread, which has the lock.
  bool takesPart() const { return takesPart_; }
  /// The Taylor stack belongs to the present recording.
  bool hasTaylors() const;
  /// A sweep is about to write the Taylor stack. Throws std::bad_alloc.
  void claimTaylors();
  /// Gives everything back.
  void close() noexcept;

  /// The evaluation of the tape by the calling thread, or nullptr; whether it evaluates any.
  static const TapeEvaluationContext *openHere(const ValueTape &tape) noexcept;
  static bool anyOpenHere() noexcept;
  /// Calls f with each evaluation of the calling thread.
  template <class F> static void forEachOpenHere(F &&f) {
    for (const TapeEvaluationContext *c = innermost(); c != nullptr; c = c->outer_)
      f(*c);
  }

private:
  static TapeEvaluationContext *&innermost() noexcept;
  SweepMemory &borrowWorkspace();
  void lock(bool toShare);
  void workIn(OwnWorkspace &own) noexcept;
  void enlist() noexcept;

  ValueTape *tape_;
  TapeRecordingContext *recording_;
  const char *caller_;
  TaylorStack *taylors_; // the recording's or that of taylorsOf_
  OwnWorkspace *taylorsOf_ = nullptr;
  SweepMemory *workspace_ = nullptr; // nullptr: in shared mode, before it is needed
  OwnWorkspace *ofCaller_ = nullptr;
  std::unique_ptr<OwnWorkspace> borrowed_; // of the tape, in shared mode
  std::unique_lock<std::shared_mutex> exclusive_;
  std::shared_lock<std::shared_mutex> shared_;
  bool takesPart_ = false;
  TapeEvaluationContext *outer_ = nullptr; // of the same thread, or the one that this takes part in
};

} // namespace ADOLC::detail
