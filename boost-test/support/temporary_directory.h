// SPDX-License-Identifier: MIT
/// A place for the files of a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace test {

/// A directory of its own, which is the working directory for the time of a scope and is removed
/// with everything in it.
class TemporaryDirectory {
public:
  TemporaryDirectory() : former_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "adolc-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no directory " + name);
    path_ = name;
    std::filesystem::current_path(path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::current_path(former_, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

private:
  std::filesystem::path former_, path_;
};

} // namespace test
