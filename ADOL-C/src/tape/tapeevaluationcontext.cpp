#include <adolc/valuetape/tapeevaluationcontext.h>

#include <adolc/valuetape/taperegistry.h>

#include <cstdlib>
#include <new>

using ADOLCError::ErrorType;
using ADOLCError::fail;

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

OwnWorkspace::OwnWorkspace() = default;
OwnWorkspace::~OwnWorkspace() = default;

namespace {

[[noreturn]] void unknownTape(short tag, const char *caller) {
  fail(ErrorType::NO_TAPE_ID, {__FILE__, caller, __LINE__}, {.info1 = tag});
}
ValueTape &knownTape(short tag, const char *caller) {
  ValueTape *const tape = findTapePtr_(tag);
  if (tape == nullptr)
    unknownTape(tag, caller);
  return *tape;
}

ADOLC_INITIAL_EXEC constinit thread_local TapeEvaluationContext *innermostHere = nullptr;
/// Where evaluations of the thread work; those within one that does so work elsewhere.
ADOLC_INITIAL_EXEC constinit thread_local OwnWorkspace *workspaceHere = nullptr;

} // namespace

InWorkspace::InWorkspace(OwnWorkspace &workspace) noexcept
    : outer_(std::exchange(workspaceHere, &workspace)) {}
InWorkspace::~InWorkspace() { workspaceHere = outer_; }

TapeEvaluationContext *&TapeEvaluationContext::innermost() noexcept { return innermostHere; }

const TapeEvaluationContext *TapeEvaluationContext::openHere(const ValueTape &tape) noexcept {
  const TapeEvaluationContext *c = innermostHere;
  while (c != nullptr && c->tape_ != &tape)
    c = c->outer_;
  return c;
}
bool TapeEvaluationContext::anyOpenHere() noexcept { return innermostHere != nullptr; }

void TapeEvaluationContext::enlist() noexcept { outer_ = std::exchange(innermostHere, this); }

TapeEvaluationContext::TapeEvaluationContext(short tag, const char *caller, TapeUse use)
    : TapeEvaluationContext(knownTape(tag, caller), caller, use) {}

TapeEvaluationContext::TapeEvaluationContext(ValueTape &tape, const char *caller, TapeUse use)
    : tape_(&tape), recording_(&tape.recording()), caller_(caller), taylors_(&recording_->taylors) {
  tape.requireUsableHere(caller);
  const bool mayWorkElsewhere = use != TapeUse::alone && use != TapeUse::looks;
  OwnWorkspace *own = mayWorkElsewhere ? workspaceHere : nullptr;
  for (const TapeEvaluationContext *c = innermostHere; c != nullptr; c = c->outer_)
    if (c->ofCaller_ == own)
      own = nullptr;
  lock(use == TapeUse::pairs || use == TapeUse::reads || use == TapeUse::looks || own != nullptr);
  if (!tape.isRegistered())
    unknownTape(tape.tapeId(), caller);
  if (isOwner())
    workspace_ = &tape.workspace();
  else if (recording_->hasExtDiff && use != TapeUse::looks)
    fail(ErrorType::EXT_DIFF_SHARED_MODE, {__FILE__, caller, __LINE__}, {.info1 = tape.tapeId()});
  if (own != nullptr) {
    if (own->isInUse.exchange(true))
      fail(ErrorType::WORKSPACE_IN_USE, {__FILE__, caller, __LINE__}, {.info1 = tape.tapeId()});
    ofCaller_ = own;
    workIn(*own);
  } else if (use == TapeUse::pairs && !isOwner()) {
    borrowWorkspace();
    workIn(*borrowed_);
  }
  enlist();
}

/// The mode may change until the tape is locked.
void TapeEvaluationContext::lock(bool toShare) {
  while (toShare && !tape_->isExclusiveNonLocking()) {
    shared_ = tape_->lockToShare(caller_);
    if (!tape_->isExclusiveNonLocking())
      return;
    shared_.unlock();
  }
  exclusive_ = tape_->lockExclusively(caller_);
}

void TapeEvaluationContext::workIn(OwnWorkspace &own) noexcept {
  workspace_ = &own;
  taylorsOf_ = &own;
  taylors_ = &own.taylors;
}

SweepMemory &TapeEvaluationContext::borrowWorkspace() {
  borrowed_ = tape_->borrowWorkspace();
  return *(workspace_ = borrowed_.get());
}

TapeEvaluationContext::TapeEvaluationContext(TapeEvaluationContext &owner, OwnWorkspace &own,
                                             Stacks stacks)
    : tape_(owner.tape_), recording_(owner.recording_), caller_(owner.caller_),
      taylors_(owner.taylors_), taylorsOf_(owner.taylorsOf_), workspace_(&own), takesPart_(true),
      outer_(&owner) {
  ADOLC_ASSERT(innermostHere == nullptr);
  if (stacks == Stacks::own)
    workIn(own);
  innermostHere = this;
}

TapeEvaluationContext::TapeEvaluationContext(TapeEvaluationContext &&other) noexcept
    : tape_(std::exchange(other.tape_, nullptr)), recording_(other.recording_),
      caller_(other.caller_), taylors_(other.taylors_), taylorsOf_(other.taylorsOf_),
      workspace_(other.workspace_), ofCaller_(std::exchange(other.ofCaller_, nullptr)),
      borrowed_(std::move(other.borrowed_)), exclusive_(std::move(other.exclusive_)),
      shared_(std::move(other.shared_)), takesPart_(other.takesPart_), outer_(other.outer_) {
  for (TapeEvaluationContext **c = &innermostHere; *c != nullptr; c = &(*c)->outer_)
    if (*c == &other)
      *c = this;
}

bool TapeEvaluationContext::hasTaylors() const {
  return taylorsOf_ == nullptr || taylorsOf_->recordedAs == recording_->stamp;
}

void TapeEvaluationContext::claimTaylors() {
  if (taylorsOf_ == nullptr)
    return;
  tape_->adapt(*taylorsOf_);
  taylorsOf_->recordedAs = recording_->stamp;
}

void TapeEvaluationContext::close() noexcept {
  if (tape_ == nullptr)
    return;
  // Most often it is the innermost one.
  for (TapeEvaluationContext **c = &innermostHere; *c != nullptr; c = &(*c)->outer_)
    if (*c == this) {
      *c = takesPart_ ? nullptr : outer_;
      break;
    }
  if (ofCaller_ != nullptr)
    ofCaller_->isInUse = false;
  if (borrowed_ != nullptr)
    tape_->giveBack(std::move(borrowed_));
  if (shared_.owns_lock())
    shared_.unlock();
  if (exclusive_.owns_lock())
    exclusive_.unlock();
  tape_ = nullptr;
}

} // namespace ADOLC::detail
