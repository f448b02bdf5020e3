/// @file storage/recordingfile.h
/// The file that trace_off writes for a recording.
#pragma once

#include <filesystem>

#include <sys/types.h>

namespace ADOLC::detail {

/// The directory of such files.
std::filesystem::path tapeDirectory();

/// A file name that no other process has, and how long the file lives: as long as this object, but
/// not beyond the end of the process, unless it is to be kept. A child that a process forks removes
/// none of its parent's files.
class RecordingFile {
public:
  /// Creates an empty file in tapeDirectory(); TAPING_FATAL_IO_ERROR.
  explicit RecordingFile(short tapeId);
  RecordingFile(const RecordingFile &) = delete;
  RecordingFile &operator=(const RecordingFile &) = delete;
  ~RecordingFile();

  const std::filesystem::path &name() const { return name_; }
  void keep() noexcept;

private:
  std::filesystem::path name_;
};

} // namespace ADOLC::detail
