#include <adolc/valuetape/tapeevaluationcontext.h>

#include <adolc/valuetape/taperegistry.h>

#include <cstdlib>
#include <new>

namespace ADOLC::detail {

Buffer::~Buffer() {
  if (data_ != nullptr)
    BlockPool::release(data_, capacity_ * sizeof(double));
}

double *Buffer::require(std::size_t count) {
  if (count > capacity_ || data_ == nullptr) {
    std::size_t bytes = count * sizeof(double);
    if (bytes / sizeof(double) != count)
      throw std::bad_alloc();
    void *const memory = BlockPool::acquire(bytes);
    if (data_ != nullptr)
      BlockPool::release(data_, capacity_ * sizeof(double));
    data_ = static_cast<double *>(memory);
    capacity_ = bytes / sizeof(double);
  }
  return data_;
}

namespace {
[[noreturn]] void unknownTape(short tag, const char *caller) {
  ADOLCError::fail(ADOLCError::ErrorType::NO_TAPE_ID, {__FILE__, caller, __LINE__}, {.info1 = tag});
}
ValueTape &knownTape(short tag, const char *caller) {
  ValueTape *const tape = findTapePtr_(tag);
  if (tape == nullptr)
    unknownTape(tag, caller);
  return *tape;
}
} // namespace

TapeEvaluationContext::TapeEvaluationContext(short tag, const char *caller)
    : TapeEvaluationContext(knownTape(tag, caller), caller) {}

TapeEvaluationContext::TapeEvaluationContext(ValueTape &tape, const char *caller)
    : tape_(&tape), recording_(&tape.recording()), caller_(caller) {
  tape.requireUsableHere(caller);
  if (tape.isRecordedHere())
    ADOLCError::fail(ADOLCError::ErrorType::TAPING_TAPE_STILL_IN_USE, {__FILE__, caller, __LINE__},
                     {.info1 = tape.tapeId(), .info5 = tape.numLives()});
  lock_ = std::unique_lock(tape.accessMutex());
  if (!tape.isRegistered())
    unknownTape(tape.tapeId(), caller);
  tape.evaluatedHere(true);
  workspace_ = std::move(tape.workspace());
}

TapeEvaluationContext::TapeEvaluationContext(TapeEvaluationContext &&other) noexcept
    : tape_(std::exchange(other.tape_, nullptr)), recording_(other.recording_),
      caller_(other.caller_), lock_(std::move(other.lock_)),
      workspace_(std::move(other.workspace_)) {}

TapeEvaluationContext::~TapeEvaluationContext() {
  if (tape_ == nullptr)
    return;
  tape_->workspace() = std::move(workspace_);
  tape_->evaluatedHere(false);
}

} // namespace ADOLC::detail
