/// @file tape/waiting.h
/// Threads that have tapes and wait for another one. They would wait for each other forever if each
/// waited for a tape that another one of them has.
#pragma once

#include <vector>

class ValueTape;

namespace ADOLC::detail {

/// A tape that a thread has or wants, for itself or to share it.
struct HeldTape {
  const ValueTape *tape;
  bool shares;
};

/// The calling thread waits, as long as this lives.
class WaitingThread {
public:
  WaitingThread(const HeldTape &wanted, std::vector<HeldTape> held);
  WaitingThread(const WaitingThread &) = delete;
  WaitingThread &operator=(const WaitingThread &) = delete;
  ~WaitingThread();
  /// Somebody who has the tape waits, directly or by others, for one that this thread has. Of the
  /// threads of a circle one at least, the last one that began to wait, learns this.
  bool isDeadlock() const { return isDeadlock_; }

private:
  bool keepsOut(const HeldTape &wanted) const;
  bool wouldWaitForItself();

  HeldTape wanted_;
  std::vector<HeldTape> held_;
  bool isDeadlock_ = false;
  mutable bool visited_ = false;
};

} // namespace ADOLC::detail
