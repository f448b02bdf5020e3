#include "progress.h"

#include <adolc/diagnostics.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include <unistd.h>

namespace tool {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the sweep that is under way; it begins anew where the fraction falls.
class Bar {
public:
  void show(double fraction) {
    const auto now = Clock::now();
    if (fraction < last_)
      begin_ = now;
    last_ = fraction;
    using namespace std::chrono_literals;
    if (now - begin_ < 1s || now - drawn_ < 100ms)
      return;
    drawn_ = now;
    constexpr int width = 40;
    const auto full = static_cast<std::size_t>(fraction * width);
    std::fprintf(stderr, "\r[%s%s] %3.0f %%", std::string(full, '#').c_str(),
                 std::string(width - full, ' ').c_str(), 100.0 * fraction);
    std::fflush(stderr);
    visible_ = true;
  }
  void clear() {
    if (std::exchange(visible_, false))
      std::fputs("\r\033[K", stderr);
  }

private:
  double last_ = 2.0;
  Clock::time_point begin_, drawn_;
  bool visible_ = false;
};

Bar bar;

} // namespace

void clearProgress() { bar.clear(); }

ProgressBar::ProgressBar() {
  if (isatty(STDERR_FILENO) != 0)
    ADOLC::setProgressHook([](double fraction) { bar.show(fraction); });
}
ProgressBar::~ProgressBar() {
  ADOLC::setProgressHook({});
  clearProgress();
}

} // namespace tool
