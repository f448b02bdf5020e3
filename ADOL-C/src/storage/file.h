/// @file storage/file.h
/// Files of tapes on the level of the operating system: whole transfers, and a file that appears
/// under its name when it is complete.
#pragma once

#include "storage/fileerrors.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <sys/types.h>

namespace ADOLC::detail {

/// The system calls that can fail. A test puts others in their place.
struct SystemCalls {
  int (*open)(const char *name, int flags, mode_t mode);
  ssize_t (*pread)(int descriptor, void *to, std::size_t bytes, off_t offset);
  ssize_t (*pwrite)(int descriptor, const void *from, std::size_t bytes, off_t offset);
  int (*fsync)(int descriptor);
  int (*close)(int descriptor);
  int (*link)(int descriptor, const char *name); ///< names a file that has no name
  int (*rename)(const char *from, const char *to);
};
SystemCalls &systemCalls();

/// An open file.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor();
  int number() const { return number_; }
  /// Closes; false, with errno set, if the system says that something was not written.
  bool close();

private:
  int number_;
};

/// Opens a regular file for reading; INTEGER_TAPE_FOPEN_FAILED. `bytes` becomes its length.
Descriptor openForReading(const FileErrors &errors, std::uint64_t &bytes);
/// Reads up to the end of the file; the number of bytes read. Fails with `type`.
std::size_t readAt(const Descriptor &file, void *to, std::size_t bytes, std::uint64_t offset,
                   ADOLCError::ErrorType type, const FileErrors &errors);

/// A new file beside the one that it will replace. Where the file system has files without a name
/// it is one until it is complete, so that nothing is left of it if the process dies. Fails with
/// TAPING_FATAL_IO_ERROR; a file that has not been published is removed.
class NewFile {
public:
  /// A durable one is on the disk when it gets its name.
  NewFile(const FileErrors &errors, bool durable);
  ~NewFile();
  void writeAt(const void *from, std::size_t bytes, std::uint64_t offset);
  /// Gives it its name.
  void publish();

private:
  void nameIt();

  const FileErrors &errors_;
  bool durable_;
  std::filesystem::path name_; // temporary; empty: none
  Descriptor file_;
  bool published_ = false;
};

} // namespace ADOLC::detail
