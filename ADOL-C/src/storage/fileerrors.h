/// @file storage/fileerrors.h
/// Errors that name a file.
#pragma once

#include <adolc/adolcerror.h>

#include <filesystem>
#include <string>
#include <utility>

namespace ADOLC::detail {

/// What a function does with a file; fails with messages that tell both.
class FileErrors {
public:
  /// `function` is a literal; the tape is the one that is saved.
  FileErrors(const char *function, std::filesystem::path file, short tapeId = -1)
      : function_(function), file_(std::move(file)), tapeId_(tapeId) {}

  [[noreturn]] void fail(ADOLCError::ErrorType type, const std::string &what) const;
  /// The same with what the system says about an error number.
  [[noreturn]] void fail(ADOLCError::ErrorType type, const std::string &what, int error) const;

  /// Fails if the name has a zero character: the system would see it only up to there.
  void requireName(ADOLCError::ErrorType type) const;

  const std::filesystem::path &file() const { return file_; }

private:
  const char *function_;
  std::filesystem::path file_;
  short tapeId_;
};

} // namespace ADOLC::detail
