#include "storage/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using ADOLCError::ErrorType;

namespace ADOLC::detail {

void FileErrors::fail(ErrorType type, const std::string &what) const {
  std::string text =
      "ADOL-C error " + std::string(ADOLCError::errorName(type)) + " in " + function_ + ": ";
  if (tapeId_ >= 0)
    text += "tape " + std::to_string(tapeId_) + ", ";
  std::string name = file_.string();
  std::replace(name.begin(), name.end(), '\0', '?'); // a message would end there
  throw ADOLCError::ADOLCError(text + "file " + name + ": " + what, {__FILE__, function_, __LINE__},
                               type, tapeId_);
}
void FileErrors::fail(ErrorType type, const std::string &what, int error) const {
  fail(type, what + ": " + std::generic_category().message(error));
}
void FileErrors::requireName(ErrorType type) const {
  if (file_.native().find('\0') != std::filesystem::path::string_type::npos)
    fail(type, "a name cannot have a zero character");
}

namespace {

int openFile(const char *name, int flags, mode_t mode) { return ::open(name, flags, mode); }

/// One call transfers at most this much.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

/// Repeats a call that a signal has interrupted.
template <class Call> auto uninterrupted(Call &&call) {
  auto result = call();
  while (result < 0 && errno == EINTR)
    result = call();
  return result;
}

std::filesystem::path directoryOf(const std::filesystem::path &file) {
  std::filesystem::path directory = file.parent_path();
  return directory.empty() ? "." : directory;
}

/// Where the system shows an open file, by which one without a name can be given one.
struct Shown {
  explicit Shown(int descriptor) {
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  }
  char name[32];
};

int linkFile(int descriptor, const char *name) {
  return ::linkat(AT_FDCWD, Shown(descriptor).name, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/// Calls create(name) with names that do not exist yet, beside the file: the process and a number.
/// Not the name of the file, which may be as long as names can be.
template <class Create>
int withTemporaryName(const std::filesystem::path &file, std::filesystem::path &name,
                      Create &&create) {
  static std::atomic<unsigned> next{0};
  for (;;) {
    std::string text = "adolc-" + std::to_string(::getpid());
    text.append("-").append(std::to_string(next++)).append(".tmp");
    name = file.parent_path() / text;
    const int result = uninterrupted([&] { return create(name.c_str()); });
    if (result >= 0 || errno != EEXIST)
      return result;
  }
}

/// Opens a file without a name, or else one with a temporary name.
int openNew(const std::filesystem::path &file, std::filesystem::path &name) {
#if defined(O_TMPFILE)
  const std::filesystem::path directory = directoryOf(file);
  const int descriptor = uninterrupted([&directory] {
    return systemCalls().open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  });
  const bool unknown = errno == EOPNOTSUPP || errno == EINVAL || errno == EISDIR || errno == ENOENT;
  if (descriptor >= 0 && ::access(Shown(descriptor).name, F_OK) == 0)
    return descriptor;
  if (descriptor >= 0)
    static_cast<void>(systemCalls().close(descriptor)); // it could not be given a name
  else if (!unknown)
    return descriptor;
#endif
  return withTemporaryName(file, name, [](const char *text) {
    return systemCalls().open(text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  });
}

/// A new name survives a crash of the machine only if the directory is on the disk, too. The file
/// is complete and has its name already: where this does not work, nothing is to be done.
void syncDirectory(const std::filesystem::path &directory) {
  const int number = ::open(directory.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (number < 0)
    return;
  static_cast<void>(::fsync(number));
  static_cast<void>(::close(number));
}

} // namespace

SystemCalls &systemCalls() {
  static constinit SystemCalls calls{openFile, ::pread,  ::pwrite,   ::fsync,
                                     ::close,  linkFile, std::rename};
  return calls;
}

Descriptor::~Descriptor() {
  if (number_ >= 0)
    static_cast<void>(systemCalls().close(number_));
}
bool Descriptor::close() {
  // Not repeated when it is interrupted: the descriptor may belong to another thread by then.
  const int number = std::exchange(number_, -1);
  return systemCalls().close(number) == 0 || errno == EINTR;
}

Descriptor openForReading(const FileErrors &errors, std::uint64_t &bytes) {
  errors.requireName(ErrorType::INTEGER_TAPE_FOPEN_FAILED);
  // Without O_NONBLOCK a pipe would wait for somebody who writes.
  const int number = uninterrupted([&errors] {
    return systemCalls().open(errors.file().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                              0);
  });
  if (number < 0)
    errors.fail(ErrorType::INTEGER_TAPE_FOPEN_FAILED, "cannot be opened", errno);
  struct stat status {};
  if (::fstat(number, &status) != 0 || !S_ISREG(status.st_mode)) {
    static_cast<void>(systemCalls().close(number));
    errors.fail(ErrorType::INTEGER_TAPE_FOPEN_FAILED,
                S_ISDIR(status.st_mode) ? "is a directory, expected a saved tape"
                                        : "is not a regular file, expected a saved tape");
  }
  bytes = static_cast<std::uint64_t>(status.st_size);
  return Descriptor(number);
}

std::size_t readAt(const Descriptor &file, void *to, std::size_t bytes, std::uint64_t offset,
                   ErrorType type, const FileErrors &errors) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t read = uninterrupted([&] {
      return systemCalls().pread(file.number(), static_cast<char *>(to) + done,
                                 std::min(bytes - done, kMostAtOnce),
                                 static_cast<off_t>(offset + done));
    });
    if (read < 0)
      errors.fail(type, "reading at byte " + std::to_string(offset + done) + " failed", errno);
    if (read == 0)
      break;
    done += static_cast<std::size_t>(read);
  }
  return done;
}

NewFile::NewFile(const FileErrors &errors, bool durable)
    : errors_(errors), durable_(durable), file_(openNew(errors.file(), name_)) {
  if (file_.number() < 0)
    errors_.fail(ErrorType::TAPING_FATAL_IO_ERROR, "cannot be created", errno);
}

NewFile::~NewFile() {
  if (!published_ && !name_.empty())
    static_cast<void>(::unlink(name_.c_str()));
}

void NewFile::writeAt(const void *from, std::size_t bytes, std::uint64_t offset) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t written = uninterrupted([&] {
      return systemCalls().pwrite(file_.number(), static_cast<const char *>(from) + done,
                                  std::min(bytes - done, kMostAtOnce),
                                  static_cast<off_t>(offset + done));
    });
    if (written <= 0)
      errors_.fail(ErrorType::TAPING_FATAL_IO_ERROR,
                   "writing at byte " + std::to_string(offset + done) + " failed",
                   written < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(written);
  }
}

/// Just before it gets its own name: a name cannot be linked to something else in one step.
void NewFile::nameIt() {
  std::filesystem::path name;
  const auto link = [this](const char *text) { return systemCalls().link(file_.number(), text); };
  if (withTemporaryName(errors_.file(), name, link) != 0)
    errors_.fail(ErrorType::TAPING_FATAL_IO_ERROR,
                 "cannot be given its name (first " + name.string() + ")", errno);
  name_ = std::move(name);
}

void NewFile::publish() {
  if (durable_ && uninterrupted([this] { return systemCalls().fsync(file_.number()); }) != 0)
    errors_.fail(ErrorType::TAPING_FATAL_IO_ERROR, "the disk did not take all of it", errno);
  if (name_.empty())
    nameIt();
  if (!file_.close())
    errors_.fail(ErrorType::TAPING_FATAL_IO_ERROR, "cannot be closed", errno);
  if (systemCalls().rename(name_.c_str(), errors_.file().c_str()) != 0)
    errors_.fail(ErrorType::TAPING_FATAL_IO_ERROR,
                 "cannot be given its name (it was written as " + name_.string() + ")", errno);
  published_ = true;
  if (durable_)
    syncDirectory(directoryOf(errors_.file()));
}

} // namespace ADOLC::detail
