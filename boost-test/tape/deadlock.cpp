// SPDX-License-Identifier: MIT
// Threads that have a tape and want another one: none waits for ever, whatever they do in whatever
// order.
#include "support/expect.h"

#include <adolc/diagnostics.h>
#include <adolc/valuetape/tapeevaluationcontext.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>

using namespace test;
using namespace std::chrono_literals;
using ADOLC::detail::TapeEvaluationContext;
using ADOLC::detail::TapeUse;

// ThreadSanitizer would report the orders of locks that this test is about.
extern "C" const char *__tsan_default_options();
extern "C" const char *__tsan_default_options() { return "detect_deadlocks=0"; }

namespace {

constexpr short kTags[] = {61, 62};
const std::vector<double> kPoint{0.5};

adouble program(std::vector<adouble> &x) { return sin(x[0]) * x[0]; }

/// Ends the program if a test hangs: threads that wait for each other cannot be ended otherwise.
class Watchdog {
public:
  explicit Watchdog(std::chrono::seconds limit)
      : thread_([this, limit] {
          std::unique_lock lock(mutex_);
          if (!ended_.wait_for(lock, limit, [this] { return isEnded_; })) {
            std::cerr << "deadlock\n";
            std::abort();
          }
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      isEnded_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }

private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool isEnded_ = false;
  std::thread thread_;
};

/// What a thread does with a tape; `within` happens while it has the tape.
using Action = void (*)(short tag, const std::function<void()> &within);

void recordIt(short tag, const std::function<void()> &within) {
  trace_on(tag);
  try {
    adouble x;
    x <<= 0.5;
    adouble y = sin(x) * x;
    within();
    double v = 0.0;
    y >>= v;
  } catch (...) {
    trace_off();
    throw;
  }
  trace_off();
}
void evaluate(short tag, TapeUse use, const std::function<void()> &within) {
  const TapeEvaluationContext context(tag, "here", use);
  within();
}
void keep(short tag, const std::function<void()> &within) { evaluate(tag, TapeUse::keeps, within); }
void share(short tag, const std::function<void()> &within) {
  evaluate(tag, TapeUse::reads, within);
}
void changeMode(short tag, const std::function<void()> &within) {
  ValueTape &tape = findTape(tag);
  tape.isExclusiveNonLocking() ? tape.setSharedMode() : tape.setExclusiveMode();
  within();
}
constexpr Action kActions[] = {recordIt, keep, share, changeMode};
constexpr std::size_t kNumActions = std::size(kActions);

struct Step {
  Action action;
  short tag;
};

/// One within the other. A tape that cannot be had without waiting for ever is an error.
bool perform(const std::vector<Step> &steps, std::size_t from = 0) {
  if (from == steps.size())
    return true;
  bool done = true;
  try {
    steps[from].action(steps[from].tag, [&] { done = perform(steps, from + 1); });
  } catch (const ADOLCError::ADOLCError &error) {
    if (error.type() != ErrorType::TAPING_TAPE_STILL_IN_USE)
      throw;
    return false;
  }
  return done;
}

struct Fixture : CleanThread {
  Fixture() {
    for (const short tag : kTags)
      recordScalar(tag, kPoint, program);
  }
  ~Fixture() {
    for (const short tag : kTags) {
      BOOST_TEST(ADOLC::function(tag, kPoint).size() == 1u); // can be used as before
      ADOLC::removeTape(tag);
    }
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(deadlocks, Fixture)

// Two threads, each has one tape and wants the other's: one is refused, the other goes on.
BOOST_AUTO_TEST_CASE(crosswise) {
  const Watchdog watchdog(60s);
  for (const short tag : kTags)
    findTape(tag).setSharedMode();
  for (const Action first : {recordIt, keep, share})
    for (const Action second : {recordIt, keep, share}) {
      const bool neverWaits = first == share && second == share;
      std::barrier both(2);
      std::atomic<int> refused = 0, done = 0;
      const auto run = [&](short mine, short other) {
        first(mine, [&] {
          both.arrive_and_wait();
          perform({{second, other}}) ? ++done : ++refused;
        });
      };
      std::thread a([&] { run(kTags[0], kTags[1]); }), b([&] { run(kTags[1], kTags[0]); });
      a.join();
      b.join();
      BOOST_TEST(refused == (neverWaits ? 0 : 1));
      BOOST_TEST(done == 2 - refused);
    }
  for (const short tag : kTags)
    findTape(tag).setExclusiveMode();
}

// All nestings of two actions on two tapes, in four threads at once.
BOOST_AUTO_TEST_CASE(all_orders) {
  const Watchdog watchdog(240s);
  std::vector<std::vector<Step>> orders;
  for (const Action first : kActions)
    for (const Action second : kActions)
      for (const int tape : {0, 1})
        orders.push_back({{first, kTags[tape]}, {second, kTags[1 - tape]}});
  std::atomic<std::size_t> done = 0, refused = 0;
  std::vector<std::thread> threads;
  const std::size_t rounds = 40;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < rounds * orders.size(); ++i) // each with each sooner or later
        perform(orders[(i * (2 * t + 1) + t) % orders.size()]) ? ++done : ++refused;
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(done + refused == 4 * rounds * orders.size());
  BOOST_TEST(done > 0u);
  for (const short tag : kTags)
    findTape(tag).setExclusiveMode();
}

// Without nesting nobody is ever refused.
BOOST_AUTO_TEST_CASE(one_after_the_other) {
  const Watchdog watchdog(240s);
  std::vector<std::thread> threads;
  std::atomic<bool> refused = false;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 2000; ++i)
        if (!perform({{kActions[(i + t) % kNumActions], kTags[(i / kNumActions + t) % 2]}}))
          refused = true;
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(!refused);
  for (const short tag : kTags)
    findTape(tag).setExclusiveMode();
}

BOOST_AUTO_TEST_SUITE_END()
