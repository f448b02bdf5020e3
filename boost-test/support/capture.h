// SPDX-License-Identifier: MIT
/// What a program writes to file descriptors 1 and 2, by whatever way.
#pragma once

#include <cstdio>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace test {

/// Redirects standard output and standard error to a file for the time of a scope.
class Capture {
public:
  Capture() {
    flush();
    file_ = std::tmpfile();
    saved_[0] = dup(1);
    saved_[1] = dup(2);
    dup2(fileno(file_), 1);
    dup2(fileno(file_), 2);
  }
  ~Capture() {
    restore();
    std::fclose(file_);
  }
  Capture(const Capture &) = delete;
  Capture &operator=(const Capture &) = delete;

  /// Ends the redirection; what was written meanwhile.
  std::string finish() {
    restore();
    std::string text;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_))
      text += static_cast<char>(c);
    return text;
  }

private:
  static void flush() {
    std::cout.flush();
    std::cerr.flush();
    std::fflush(stdout);
    std::fflush(stderr);
  }
  void restore() {
    if (saved_[0] < 0)
      return;
    flush();
    for (int i = 0; i < 2; ++i) {
      dup2(saved_[i], i + 1);
      close(saved_[i]);
      saved_[i] = -1;
    }
  }

  std::FILE *file_;
  int saved_[2];
};

} // namespace test
