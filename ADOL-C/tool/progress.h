// A bar on the terminal while a sweep takes longer than a second.
#pragma once

namespace tool {

/// Removes a bar that is shown, before something else is written.
void clearProgress();

/// Shows the progress of the sweeps of this thread on standard error while it lives, if that is a
/// terminal.
class ProgressBar {
public:
  ProgressBar();
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;
  ~ProgressBar();
};

} // namespace tool
