// SPDX-License-Identifier: MIT
// A process forks while other threads are anywhere in the library: the child can use it, and the
// parent does not notice.
#include "support/expect.h"

#include <adolc/configuration.h>
#include <adolc/diagnostics.h>
#include <adolc/tapefile.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace test;

// ThreadSanitizer ends a child that makes a thread with the id of one that only the parent has.
#if defined(__SANITIZE_THREAD__)
#define ADOLC_TEST_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ADOLC_TEST_UNDER_TSAN 1
#endif
#endif
#if defined(ADOLC_TEST_UNDER_TSAN)
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }
constexpr bool kChildrenMakeThreads = false;
#else
constexpr bool kChildrenMakeThreads = true;
#endif

#if defined(__SANITIZE_ADDRESS__)
#define ADOLC_TEST_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADOLC_TEST_UNDER_ASAN 1
#endif
#endif
// The allocator of AddressSanitizer may be locked for ever in a child, also of programs without
// this library: there it is no failure that the alarm ends a child.
#if defined(ADOLC_TEST_UNDER_ASAN)
constexpr bool kMayHangInAllocator = true;
#else
constexpr bool kMayHangInAllocator = false;
#endif

namespace {

/// Runs f in a child, which must return true before long.
template <class F> bool inChild(F &&f) {
  const pid_t child = fork();
  if (child < 0)
    return false;
  if (child == 0) {
    alarm(kMayHangInAllocator ? 5 : 60); // whoever hangs is ended
    bool good = false;
    try {
      good = f();
    } catch (const std::exception &) {
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child)
    return false;
  if (kMayHangInAllocator && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// y = x (1 + steps), recorded and differentiated.
bool recordsAndDifferentiates(short tag, std::size_t budget, int steps) {
  findOrCreateTape(tag).memoryBudget(budget);
  trace_on(tag);
  {
    adouble x, y = 0.0;
    x <<= 2.0;
    y = x;
    for (int i = 0; i < steps; ++i)
      y += x;
    double value = 0.0;
    y >>= value;
  }
  trace_off();
  const double at = 3.0;
  double g = 0.0;
  return gradient(tag, 1, &at, &g) == 3 && g == steps + 1.0;
}

/// With this word in the text.
bool isInUse(const std::function<void()> &f, const char *word = "lost") {
  try {
    f();
  } catch (const ADOLCError::ADOLCError &error) {
    return error.type() == ErrorType::TAPING_TAPE_STILL_IN_USE &&
           std::string(error.what()).find(word) != std::string::npos;
  }
  return false;
}

struct Directory : CleanThread {
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "fork-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
    ADOLC::setTapeDirectory(path);
  }
  ~Directory() {
    ADOLC::setDiagnosticsHook({});
    ADOLC::setTapeDirectory({});
    std::filesystem::remove_all(path);
  }
  std::filesystem::path path;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(forks, Directory)

BOOST_AUTO_TEST_CASE(other_threads_are_anywhere_in_the_library) {
  // createNewTape hands out none of them.
  for (const short tag : {200, 201, 210, 211, 220, 221, 250, 251, 252})
    findOrCreateTape(tag);
  std::atomic<bool> ends = false, good = true;
  std::atomic<std::size_t> rounds = 0;
  std::vector<std::thread> threads;
  const auto repeat = [&](auto &&work) {
    threads.emplace_back([&, work] {
      while (!ends) {
        try {
          if (!work())
            good = false;
        } catch (const std::exception &) {
          good = false;
        }
        ++rounds;
      }
    });
  };
  for (short t = 0; t < 2; ++t) {
    repeat([t] { return recordsAndDifferentiates(static_cast<short>(200 + t), 0, 300); });
    repeat([t] { return recordsAndDifferentiates(static_cast<short>(210 + t), 1, 3000); });
  }
  repeat([] { // tapes, stores, ids, settings
    const short id = createNewTape();
    const bool recorded = recordsAndDifferentiates(id, 0, 10);
    setCurrentTape(nullptr);
    ADOLC::removeTape(id);
    return recorded;
  });
  repeat([] { // files of recordings, the hook, threads
    ADOLC::setDiagnosticsHook([](std::string_view) {});
    trace_on(220, 0, 0, 0, 0, 0);
    trace_off(1);
    std::thread([] { recordsAndDifferentiates(221, 0, 3); }).join();
    ADOLC::setTapeMemory(std::size_t{1} << 30);
    ADOLC::setTapeMemory({});
    return true;
  });
  repeat([] { // variables that are destroyed elsewhere
    adouble x = 1.0;
    std::thread([y = std::move(x)] {}).join();
    return true;
  });
  for (int i = 0; i < 50; ++i) {
    const std::size_t before = rounds;
    while (rounds == before)
      std::this_thread::yield();
    BOOST_TEST(inChild([] {
      const short id = createNewTape();
      const bool mine = recordsAndDifferentiates(id, 0, 1000);
      setCurrentTape(nullptr);
      ADOLC::removeTape(id);
      if (!kChildrenMakeThreads)
        return mine && recordsAndDifferentiates(250, 0, 3000);
      bool threads = false;
      std::thread([&threads] { threads = recordsAndDifferentiates(251, 1, 3000); }).join();
      ADOLC::setDiagnosticsHook({});
      ADOLC::configuration();
      trace_on(252);
      trace_off(1);
      ADOLC::removeTape(252);
      // Those of the others are theirs, or free.
      for (const short tag : {200, 201, 210, 211, 220}) {
        try {
          recordsAndDifferentiates(tag, 0, 5);
        } catch (const ADOLCError::ADOLCError &error) {
          threads = threads && error.type() == ErrorType::TAPING_TAPE_STILL_IN_USE;
        }
        ADOLC::tryRemoveTape(tag);
      }
      return mine && threads && recordsAndDifferentiates(250, 1, 3000);
    }));
  }
  ends = true;
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(good);
}

BOOST_AUTO_TEST_CASE(tapes_that_others_were_using) {
  constexpr short recorded = 230, evaluated = 231, free = 232;
  for (const short tag : {recorded, evaluated, free})
    BOOST_TEST(recordsAndDifferentiates(tag, 0, 5000));
  std::latch inside(2), done(1);
  std::thread recorder([&] {
    trace_on(recorded);
    {
      adouble x;
      x <<= 1.0;
      inside.count_down();
      done.wait();
      x = x * x;
    }
    trace_off();
  });
  std::thread evaluator([&] {
    bool first = true;
    ADOLC::setProgressHook([&](double) {
      if (std::exchange(first, false)) {
        inside.count_down();
        done.wait();
      }
    });
    const double at = 1.0;
    double y = 0.0;
    zos_forward(evaluated, 1, 1, 0, &at, &y);
  });
  inside.wait();
  BOOST_TEST(inChild([] {
    const double at = 1.0;
    double y = 0.0;
    bool good = true;
    for (const short tag : {recorded, evaluated})
      good = good && isInUse([&] { zos_forward(tag, 1, 1, 0, &at, &y); }) &&
             isInUse([&] { trace_on(tag); }) && !isTaping() && isInUse([&] { tapestats(tag); }) &&
             isInUse([&] { ADOLC::saveTape(tag, "never"); }) &&
             isInUse([&] { ADOLC::removeTape(tag); }) && !ADOLC::tryRemoveTape(tag);
    return good && recordsAndDifferentiates(free, 0, 10) && recordsAndDifferentiates(233, 0, 10);
  }));
  done.count_down();
  recorder.join();
  evaluator.join();
  for (const short tag : {recorded, evaluated, free})
    BOOST_TEST(recordsAndDifferentiates(tag, 0, 10));
}

// The forking thread itself has a tape: it goes on in the child.
BOOST_AUTO_TEST_CASE(while_recording_and_within_a_sweep) {
  constexpr short tag = 240;
  trace_on(tag);
  {
    adouble x, y;
    x <<= 2.0;
    y = x * x;
    std::latch waits(1);
    std::thread waiting([&waits] { // for the tape; not there in the child
      waits.count_down();
      recordsAndDifferentiates(tag, 0, 5000);
    });
    waits.wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    BOOST_TEST(inChild([&] {
      y *= x;
      double value = 0.0;
      y >>= value;
      trace_off();
      const double at = 3.0;
      double g = 0.0;
      const bool good = gradient(tag, 1, &at, &g) == 3 && g == 27.0 &&
                        tapestats(tag)[TapeInfos::NUM_INDEPENDENTS] == 1 &&
                        recordsAndDifferentiates(tag, 0, 10);
      new adouble(x); // never destroyed: whatever follows is the parent's
      return good;
    }));
    double value = 0.0;
    y >>= value;
    trace_off();
    waiting.join();
  }
  bool first = true;
  ADOLC::setProgressHook([&first](double) {
    if (std::exchange(first, false))
      BOOST_TEST(inChild([] {
        return recordsAndDifferentiates(241, 0, 10) && isInUse([] { trace_on(tag); }, "is being");
      }));
  });
  const double at = 3.0;
  double y = 0.0;
  BOOST_TEST(zos_forward(tag, 1, 1, 0, &at, &y) == 3);
  ADOLC::setProgressHook({});
}

BOOST_AUTO_TEST_SUITE_END()
