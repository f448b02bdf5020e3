#include "storage/recordingfile.h"

#include "storage/file.h"
#include "tape/forklocks.h"
#include "tape/settings.h"

#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include <fcntl.h>
#include <unistd.h>

using ADOLCError::ErrorType;

namespace ADOLC::detail {
namespace {

/// The files that are to be removed, each with the process that has made it.
class Temporaries {
public:
  static Temporaries &all() {
    static Temporaries *const instance = new Temporaries; // outlives static objects
    return *instance;
  }
  void add(const std::filesystem::path &name) {
    const std::lock_guard lock(mutex_);
    if (!removedAtExit_)
      removedAtExit_ = std::atexit([] { all().removeAll(); }) == 0;
    owners_[name] = ::getpid();
  }
  void forget(const std::filesystem::path &name) noexcept {
    const std::lock_guard lock(mutex_);
    owners_.erase(name);
  }
  void remove(const std::filesystem::path &name) noexcept {
    const std::lock_guard lock(mutex_);
    if (const auto it = owners_.find(name); it != owners_.end()) {
      unlinkOwn(*it);
      owners_.erase(it);
    }
  }

private:
  Temporaries() { lockDuringFork(ForkOrder::temporaries, mutex_); }
  using Owned = std::pair<const std::filesystem::path, pid_t>;
  static void unlinkOwn(const Owned &file) noexcept {
    if (file.second == ::getpid())
      static_cast<void>(::unlink(file.first.c_str()));
  }
  void removeAll() noexcept {
    const std::lock_guard lock(mutex_);
    removedAtExit_ = false; // static objects that are destroyed later may record, too
    for (const Owned &file : owners_)
      unlinkOwn(file);
    owners_.clear();
  }

  std::mutex mutex_;
  std::map<std::filesystem::path, pid_t> owners_;
  bool removedAtExit_ = false;
};
[[maybe_unused]] const Temporaries &atLoad = Temporaries::all(); // see lockDuringFork

} // namespace

std::filesystem::path tapeDirectory() {
  const auto chosen = settings();
  return chosen->tapeDirectory.origin != SettingOrigin::Default ? chosen->tapeDirectory.value
                                                                : std::filesystem::current_path();
}

// The name of 2.7's file of operations, with the process: now one file has all streams. The process
// makes names of one machine different, creating the file exclusively those of any machines.
RecordingFile::RecordingFile(short tapeId) {
  const std::string stem = "ADOLC-Operations_process-" + std::to_string(::getpid()) +
                           "_thread-0_tape-" + std::to_string(tapeId);
  std::filesystem::path directory;
  try {
    directory = tapeDirectory();
  } catch (const std::filesystem::filesystem_error &error) {
    FileErrors("trace_off", stem, tapeId)
        .fail(ErrorType::TAPING_FATAL_IO_ERROR, "there is no directory for it",
              error.code().value());
  }
  for (unsigned number = 0;; ++number) {
    std::string name = stem;
    if (number != 0)
      name.append("-").append(std::to_string(number));
    name_ = directory / name.append(".tap");
    const int descriptor =
        systemCalls().open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      static_cast<void>(systemCalls().close(descriptor));
      break;
    }
    if (errno != EEXIST && errno != EINTR)
      FileErrors("trace_off", name_, tapeId)
          .fail(ErrorType::TAPING_FATAL_IO_ERROR, "cannot be created", errno);
  }
  try {
    Temporaries::all().add(name_);
  } catch (...) {
    static_cast<void>(::unlink(name_.c_str()));
    throw;
  }
}

RecordingFile::~RecordingFile() { Temporaries::all().remove(name_); }

void RecordingFile::keep() noexcept { Temporaries::all().forget(name_); }

} // namespace ADOLC::detail
