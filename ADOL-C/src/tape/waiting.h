/// @file tape/waiting.h
/// Threads that have tapes and wait for another one. They would wait for each other forever if each
/// waited for a tape that another one of them has.
#pragma once

#include <vector>

class ValueTape;

namespace ADOLC::detail {

/// The calling thread waits, as long as this lives.
class WaitingThread {
public:
  WaitingThread(const ValueTape &tape, std::vector<const ValueTape *> held);
  WaitingThread(const WaitingThread &) = delete;
  WaitingThread &operator=(const WaitingThread &) = delete;
  ~WaitingThread();
  /// Somebody who has the tape waits, directly or by others, for one that this thread has. Of the
  /// threads of a circle one at least, the last one that began to wait, learns this.
  bool isDeadlock() const { return isDeadlock_; }

private:
  bool leadsHere(const ValueTape *tape, std::size_t steps) const;

  const ValueTape *tape_;
  std::vector<const ValueTape *> held_;
  bool isDeadlock_ = false;
};

} // namespace ADOLC::detail
