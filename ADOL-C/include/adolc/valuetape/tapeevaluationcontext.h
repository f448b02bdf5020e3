/// @file valuetape/tapeevaluationcontext.h
/// One evaluation of a tape: the lock on the tape, and the workspaces that the sweep uses. In
/// exclusive mode the workspaces are the tape's own, moved in for the time of the sweep and back at
/// its end, so that a repeated sweep allocates nothing.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <utility>

class ValueTape;

namespace ADOLC::detail {

struct TapeRecordingContext;

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
struct Workspace {
  Buffer values; ///< by location
  Buffer lanes;  ///< tangents or adjoints by location, all lanes of one location together
  Buffer driver; ///< seeds and results of drivers
};

/// Holds a tape for one evaluation, or for several in a row (a driver that pairs a forward with a
/// reverse sweep). Destroying it gives workspaces and lock back, also on the path of an exception.
class ADOLC_API TapeEvaluationContext {
public:
  /// Takes exclusive access. Throws TAPING_TAPE_STILL_IN_USE when the calling thread records the
  /// tape, or evaluates it already; waits while another thread does; throws NO_TAPE_ID when the
  /// tape was removed meanwhile.
  explicit TapeEvaluationContext(ValueTape &tape, const char *caller);
  /// The same by id; NO_TAPE_ID.
  TapeEvaluationContext(short tag, const char *caller);
  TapeEvaluationContext(TapeEvaluationContext &&other) noexcept;
  TapeEvaluationContext &operator=(TapeEvaluationContext &&) = delete;
  ~TapeEvaluationContext();

  ValueTape &tape() const { return *tape_; }
  TapeRecordingContext &recording() const { return *recording_; }
  Workspace &workspace() { return workspace_; }
  /// The function that the user called, for messages.
  const char *caller() const { return caller_; }

private:
  ValueTape *tape_;
  TapeRecordingContext *recording_;
  const char *caller_;
  std::unique_lock<std::shared_mutex> lock_;
  Workspace workspace_;
};

} // namespace ADOLC::detail
