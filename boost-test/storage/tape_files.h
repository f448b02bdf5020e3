// SPDX-License-Identifier: MIT
/// What the tests of tape files share: folders, bytes, checksums, and tapes worth saving.
#pragma once

#include "interp/all_sweeps.h"
#include "interp/random_program.h"

#include <adolc/adolc.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace storage {

/// A folder of its own, which is removed with all that is in it.
class Folder {
public:
  Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder();
  std::filesystem::path operator/(const std::string &name) const { return path_ / name; }
  const std::filesystem::path &path() const { return path_; }
  /// The names of what is in it, in alphabetical order.
  std::vector<std::string> names() const;

private:
  std::filesystem::path path_;
};

/// Works in another directory for the time of a scope.
class WorkingDirectory {
public:
  explicit WorkingDirectory(const std::filesystem::path &directory)
      : former_(std::filesystem::current_path()) {
    std::filesystem::current_path(directory);
  }
  WorkingDirectory(const WorkingDirectory &) = delete;
  WorkingDirectory &operator=(const WorkingDirectory &) = delete;
  ~WorkingDirectory() { std::filesystem::current_path(former_); }

private:
  std::filesystem::path former_;
};

/// Has no more rights than other users for the time of a scope. Root, whom permissions do not stop,
/// becomes nobody.
class Unprivileged {
public:
  Unprivileged();
  Unprivileged(const Unprivileged &) = delete;
  Unprivileged &operator=(const Unprivileged &) = delete;
  ~Unprivileged();
  /// Whether it was possible.
  explicit operator bool() const;
};

using Bytes = std::vector<unsigned char>;
Bytes read(const std::filesystem::path &file);
void write(const std::filesystem::path &file, const Bytes &bytes);

/// Makes the checksums of a file right that was changed, so that what it says is believed. Does
/// what it can with any bytes.
void fixChecksums(Bytes &bytes);

std::size_t numTapes();

/// Records a random program on a tape; the values of its independents.
std::vector<double> recordProgram(short tag, std::uint64_t seed, std::size_t length);
/// Records y = x0 sin(x1) p + max(x0, x1), with a variable that lives before. On tapes that were
/// just made the recording is always the same.
inline const std::vector<double> kSmallPoint{3.0, 0.5};
void recordSmall(short tag);

/// All sweeps, at a point.
sweeps::Result sweep(short tag, const std::vector<double> &x);
/// The same bits in all results.
bool same(const sweeps::Result &a, const sweeps::Result &b);
/// Sweeps forward and back with all interpreters, whatever comes out.
void sweepOver(short tag);

} // namespace storage
