// SPDX-License-Identifier: MIT
// Variables that are made before main and destroyed after it, in this program without any
// framework: it has to end with code 0, also under sanitizers.
#include <adolc/adolc.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

adouble before = 2.0; // constructed while nothing is selected
std::vector<adouble> many(100, adouble(1.0));
thread_local adouble ofThread = 3.0;

struct Late {
  adouble x = 1.0;
  ~Late() {
    x = x + before; // still computes
    if (x.value() != 42.0)
      std::abort();
    recordsAndSweeps();
  }
  static void recordsAndSweeps() {
    trace_on(2);
    adouble u, v;
    u <<= 3.0;
    v = u * u;
    double y = 0.0;
    v >>= y;
    trace_off();
    const double at = 5.0;
    double g = 0.0;
    if (gradient(2, 1, &at, &g) != 3 || g != 10.0)
      std::abort();
  }
} late;
thread_local struct LateInThread {
  adouble x = 1.0;
  ~LateInThread() { Late::recordsAndSweeps(); }
} lateInThread;

bool check(bool condition, const char *text) {
  if (!condition)
    std::fprintf(stderr, "wrong: %s\n", text);
  return condition;
}

} // namespace

int main() {
  bool right = check(before.value() == 2.0, "value from before main");
  static adouble inside = ofThread * before;
  right &= check(inside.value() == 6.0, "static variable of a function");

  trace_on(1);
  before <<= 3.0;
  many[7] = before * before;
  double y = 0.0;
  many[7] >>= y;
  trace_off();
  const double at = 5.0;
  double g = 0.0;
  right &= check(gradient(1, 1, &at, &g) == 3 && g == 10.0, "gradient with static variables");

  std::thread([&right] {
    ofThread = ofThread * 2.0;
    lateInThread.x = 2.0;
    right &= check(ofThread.value() == 6.0, "thread-local variable");
    many[3] = 7.0; // bound to this thread, destroyed by the main thread
  }).join();
  right &= check(many[3].value() == 7.0, "variable of a thread that has ended");

  setCurrentTape(createNewTape()); // still selected when static variables are destroyed
  static adouble ofTape = 4.0;
  before = 40.0;
  lateInThread.x = 2.0;
  late.x = 2.0;
  right &= check(ofTape.value() == 4.0, "static variable of a tape");
  return right ? 0 : 1;
}
