/// @file tape/callsites.h
/// From where in the program the operations of a recording were recorded.
#pragma once

#include <adolc/tapedoc/sourcelocation.h>

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <vector>

namespace ADOLC::detail {

/// The return addresses around an operation, innermost first; null behind the last.
using CallSite = std::array<const void *, 32>;

/// One call site per operation. Operations of a loop share one.
class CallSites {
public:
  /// The operation with this number is recorded now.
  void note(std::size_t operation);
  /// Whether addresses within the library are left out, as they are where it is a shared one.
  static bool knowLibrary();
  /// The site of an operation, or nullptr.
  const CallSite *find(std::size_t operation) const noexcept {
    return operation < sites_.size() ? sites_[operation] : nullptr;
  }

  /// What was found out about the sites of this recording so far.
  struct Found {
    std::mutex mutex;
    std::map<const CallSite *, SourceLocation> locations;
  };
  Found &found() const { return found_; }
  /// In a forked child: another thread of the parent may just have been adding to it.
  void forgetHalfFound() noexcept {
    if (found_.mutex.try_lock())
      found_.mutex.unlock();
    else
      new (&found_) Found; // what is there is in no state to be destroyed
  }

private:
  std::set<CallSite> known_;
  std::vector<const CallSite *> sites_; // by operation
  mutable Found found_;
};

} // namespace ADOLC::detail
