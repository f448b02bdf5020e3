// SPDX-License-Identifier: MIT
// Every single allocation of a call fails once: only the library's own errors come out, and
// afterwards everything works as before.
#include "support/expect.h"
#include "support/memory.h"
#include "support/temporary_directory.h"

#include <adolc/configuration.h>
#include <adolc/diagnostics.h>
#include <adolc/tapedoc/sourcelocation.h>
#include <adolc/tapefile.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

using namespace test;

namespace {

/// Which allocation of the thread fails, counted from 1; 0: none. All later ones, too?
thread_local std::size_t failingAllocation = 0, allocations = 0;
thread_local bool fromThereOn = false;
/// The largest number of bytes asked for.
thread_local std::size_t largest = 0;

bool allocationFails() {
  if (failingAllocation == 0)
    return false;
  ++allocations;
  return fromThereOn ? allocations >= failingAllocation : allocations == failingAllocation;
}
void *allocated(std::size_t bytes, std::size_t alignment = 0) {
  largest = std::max(largest, bytes);
  void *const memory = allocationFails() ? nullptr
                       : alignment == 0
                           ? std::malloc(bytes != 0 ? bytes : 1)
                           : std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}

} // namespace

// Not inlined, as gcc would take them for mismatched then.
#define NOINLINE [[gnu::noinline]]
NOINLINE void *operator new(std::size_t bytes) { return allocated(bytes); }
NOINLINE void *operator new[](std::size_t bytes) { return allocated(bytes); }
NOINLINE void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, static_cast<std::size_t>(alignment));
}
NOINLINE void operator delete(void *memory) noexcept { std::free(memory); }
NOINLINE void operator delete[](void *memory) noexcept { std::free(memory); }
NOINLINE void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
NOINLINE void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
NOINLINE void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
NOINLINE void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

constexpr short kTag = 301;

/// What came of a call one allocation of which was to fail.
enum class Outcome { done, failed, otherException };

template <class F> Outcome withFailure(std::size_t allocation, bool andAllLater, F &&f) {
  Outcome outcome = Outcome::done;
  failingAllocation = allocation;
  fromThereOn = andAllLater;
  allocations = 0;
  try {
    f();
  } catch (const ADOLCError::ADOLCError &) {
    outcome = Outcome::failed;
  } catch (...) {
    outcome = Outcome::otherException;
  }
  failingAllocation = 0;
  return outcome;
}

/// Lets call() meet every failure until there are no more allocations. `before` and `after` are
/// called around it; after(done) tells whether it was done. Of more allocations than `all` some are
/// left out.
template <class Before, class Call, class After>
void everyAllocation(const char *name, Before &&before, Call &&call, After &&after,
                     std::size_t all = 10000) {
  for (const bool andAllLater : {false, true}) {
    std::size_t allocation = 0, needed = 0;
    do {
      allocation += allocation < all ? 1 : allocation / 2;
      BOOST_REQUIRE(allocation < 10000000);
      before();
      const Outcome outcome = withFailure(allocation, andAllLater, call);
      needed = allocations;
      BOOST_TEST((outcome != Outcome::otherException), name << ", allocation " << allocation);
      after(outcome == Outcome::done);
    } while (needed >= allocation);
    BOOST_TEST_MESSAGE(name << ": " << allocation - 1 << " allocations");
  }
}
template <class Call, class After>
void everyAllocation(const char *name, Call &&call, After &&after) {
  everyAllocation(
      name, [] {}, call, after);
}

void recordSquare(short tag, int keep = 0) {
  recordScalar(
      tag, {2.0}, [](auto &x) { return x[0] * x[0]; }, keep);
}
void works(short tag) {
  const double at = 3.0;
  double g = 0.0;
  BOOST_TEST(gradient(tag, 1, &at, &g) == 3);
  BOOST_TEST(g == 6.0);
}

/// Runs f in a thread that has not used the library yet.
template <class F> void inNewThread(F &&f) { std::thread(f).join(); }

struct Fixture : CleanThread {
  Fixture() { ADOLC::tryRemoveTape(kTag); }
  ~Fixture() { ADOLC::tryRemoveTape(kTag); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(no_memory, Fixture)

BOOST_AUTO_TEST_CASE(trace_on_and_off) {
  for (const int keep : {0, 1})
    for (const bool known : {false, true})
      for (const bool firstUse : {false, true}) {
        const auto before = [&] {
          ADOLC::tryRemoveTape(kTag);
          if (known)
            recordSquare(kTag);
        };
        // Thread and all: what is under test is trace_on.
        const auto once = [&](std::size_t allocation, bool andAllLater) {
          before();
          std::size_t needed = 0;
          const auto work = [&] {
            const Outcome outcome =
                withFailure(allocation, andAllLater, [&] { trace_on(kTag, keep); });
            needed = allocations;
            BOOST_TEST((outcome != Outcome::otherException), "allocation " << allocation);
            BOOST_TEST(isTaping() == (outcome == Outcome::done));
            if (outcome == Outcome::done)
              trace_off();
            BOOST_TEST(!isTaping());
            recordSquare(kTag, keep);
            works(kTag);
          };
          if (firstUse)
            inNewThread(work);
          else
            work();
          return needed;
        };
        for (const bool andAllLater : {false, true}) {
          std::size_t allocation = 1;
          while (once(allocation, andAllLater) >= allocation)
            BOOST_REQUIRE(++allocation < 1000);
        }
      }
}

BOOST_AUTO_TEST_CASE(trace_off_alone) {
  for (const int flag : {0, 1}) {
    const TemporaryDirectory folder;
    everyAllocation(
        "trace_off",
        [] {
          ADOLC::tryRemoveTape(kTag);
          trace_on(kTag, 1);
          adouble x;
          x <<= 2.0;
          const adouble y = x * x;
          y.value();
        },
        [flag] { trace_off(flag); },
        [](bool) {
          BOOST_TEST(!isTaping());
          recordSquare(kTag);
          works(kTag);
        });
    ADOLC::tryRemoveTape(kTag);
    BOOST_TEST(std::filesystem::is_empty(std::filesystem::current_path()));
  }
}

BOOST_AUTO_TEST_CASE(with_impossible_buffer_sizes) {
  ADOLC::setDiagnosticsHook([](std::string_view) {});
  everyAllocation(
      "trace_on", [] { trace_on(kTag, 0, 0, 1, 1, SIZE_MAX); },
      [](bool done) {
        BOOST_TEST(isTaping() == done);
        if (done)
          trace_off();
        recordSquare(kTag);
        works(kTag);
      });
  ADOLC::setDiagnosticsHook({});
}

BOOST_AUTO_TEST_CASE(save_and_open) {
  const TemporaryDirectory folder;
  recordSquare(kTag);
  everyAllocation(
      "saveTape", [] { std::filesystem::remove("tape"); }, [] { ADOLC::saveTape(kTag, "tape"); },
      [](bool done) {
        BOOST_TEST(std::filesystem::exists("tape") == done);
        works(kTag);
      });
  ADOLC::saveTape(kTag, "tape");
  std::vector<short> before, now;
  cachedTraceTags(before);
  short opened = -1;
  everyAllocation(
      "openTape", [&opened] { opened = ADOLC::openTape("tape"); },
      [&](bool done) {
        if (done) {
          works(opened);
          ADOLC::removeTape(opened);
        }
        cachedTraceTags(now);
        BOOST_TEST(now == before, boost::test_tools::per_element());
      });
  // What is wrong is told, or that there was no memory to tell it.
  everyAllocation(
      "openTape", [] { ADOLC::openTape("missing"); },
      [&](bool done) {
        BOOST_TEST(!done);
        cachedTraceTags(now);
        BOOST_TEST(now == before, boost::test_tools::per_element());
      });
}

BOOST_AUTO_TEST_CASE(removing_and_making) {
  bool removed = false;
  everyAllocation(
      "tryRemoveTape",
      [] {
        if (findTapePtr_(kTag) == nullptr)
          recordSquare(kTag);
      },
      [&removed] { removed = ADOLC::tryRemoveTape(kTag); },
      [&removed](bool done) {
        BOOST_TEST(done); // it tells with its result
        BOOST_TEST(removed == (findTapePtr_(kTag) == nullptr));
        if (!removed)
          works(kTag);
      });
  everyAllocation(
      "tryRemoveTape of none", [&removed] { removed = ADOLC::tryRemoveTape(31234); },
      [&removed](bool done) { BOOST_TEST((done && !removed)); });
  int code = 0;
  everyAllocation(
      "removeTape", [] { recordSquare(kTag); },
      [&code] { code = removeTape(kTag, ADOLC_REMOVE_COMPLETELY); },
      [&code](bool done) {
        BOOST_TEST(done);
        BOOST_TEST((code == 0) == (findTapePtr_(kTag) == nullptr));
      });
  short id = -1, last = createNewTape();
  everyAllocation(
      "createNewTape", [&id] { id = createNewTape(); },
      [&](bool done) {
        if (done) {
          BOOST_TEST(id == last + 1); // what failed has used none up
          last = id;
        }
      });
  for (const bool andAllLater : {false, true}) // also where nobody has used the library yet
    for (std::size_t allocation = 1; allocation < 30; ++allocation)
      inNewThread([=] {
        short made = -1;
        const Outcome outcome =
            withFailure(allocation, andAllLater, [&made] { made = createNewTape(); });
        BOOST_TEST((outcome != Outcome::otherException));
        if (made >= 0) {
          setCurrentTape(nullptr);
          ADOLC::removeTape(made);
        }
      });
}

BOOST_AUTO_TEST_CASE(sweeps_are_the_first_use_in_a_thread) {
  const double at = 3.0, weight = 1.0;
  const auto each = [&](auto &&sweep) {
    for (const bool andAllLater : {false, true})
      for (std::size_t allocation = 1; allocation < 10; ++allocation)
        inNewThread([&] {
          double result = 99.0;
          const Outcome outcome = withFailure(allocation, andAllLater, [&] { sweep(&result); });
          BOOST_TEST((outcome != Outcome::otherException));
          BOOST_TEST((outcome == Outcome::done ? result == 9.0 || result == 6.0 || result == 2.0
                                               : std::isnan(result)));
        });
  };
  recordSquare(kTag, 1);
  each([&](double *y) { zos_forward(kTag, 1, 1, 1, &at, y); });
  each([&](double *z) { fos_reverse(kTag, 1, 1, &weight, z); });
  each([&](double *g) { gradient(kTag, 1, &at, g); });
  each([&](double *y) { function(kTag, 1, 1, &at, y); });
  each([&](double *J) { ADOLC::jacobian(kTag, std::span(&at, 1), std::span(J, 1)); });
  each([&](double *g) {
    *g = kNaN;
    *g = ADOLC::gradient(kTag, std::span(&at, 1))[0];
  });
  each([&](double *H) { hessian(kTag, 1, &at, &H); });
  each([&](double *w) { hess_vec(kTag, 1, &at, &weight, w); });
  each([&](double *H) { ADOLC::hessian(kTag, std::span(&at, 1), std::span(H, 1)); });
  each([&](double *w) { ADOLC::hess_mat(kTag, 1, {&at, 1}, {&weight, 1}, {w, 1}); });
  each([&](double *w) {
    double y[1];
    ADOLC::hos_forward(kTag, 1, 0, {&at, 1}, {&weight, 1}, y, {w, 1});
  });
  each([&](double *y) {
    double **const rows = &y;
    double *const point = const_cast<double *>(&at);
    forward(kTag, 1, 1, 0, 0, const_cast<double **>(&point), rows);
  });
  works(kTag);
}

// The forms that copy arrays leave nothing behind in any of them.
BOOST_AUTO_TEST_CASE(fortran_forms) {
  recordSquare(kTag);
  const fint tag = kTag, one = 1, two = 2;
  const double x = 3.0, X[] = {1.0, 0.0};
  fint code = 0;
  double y = 0.0, Y[] = {0.0, 0.0};
  const auto each = [&](const char *name, auto &&form) {
    everyAllocation(
        name, [&] { y = Y[0] = Y[1] = 99.0; }, [&] { code = form(); },
        [&](bool done) {
          BOOST_TEST(done); // it tells with its code
          BOOST_TEST((code == 3 || code < -100));
          if (code == 3)
            BOOST_TEST((y == 9.0 && Y[0] == 6.0 && (Y[1] == 1.0 || Y[1] == 99.0)));
          else
            BOOST_TEST((std::isnan(y) && std::isnan(Y[0])));
        });
  };
  each("fov_forward_", [&] { return fov_forward_(&tag, &one, &one, &one, &x, X, &y, Y); });
  each("hos_forward_", [&] { return hos_forward_(&tag, &one, &one, &two, &one, &x, X, &y, Y); });
  each("hov_forward_", [&] { return hov_forward_(&tag, &one, &one, &two, &one, &x, X, &y, Y); });
  each("hov_wk_forward_",
       [&] { return hov_wk_forward_(&tag, &one, &one, &two, &one, &one, &x, X, &y, Y); });
}

// Room for one copy of an array with its pointers, not for two.
BOOST_AUTO_TEST_CASE(fortran_forms_without_room_for_seeds) {
  if (kSanitized)
    return; // they have reserved more than any limit
  recordSquare(kTag);
  const fint tag = kTag, one = 1, directions = 1 << 22;
  const double x = 3.0;
  double y = 99.0;
  const std::vector<double> X(1 << 22, 1.0);
  std::vector<double> Y(1 << 22, 99.0);
  rlimit before{};
  BOOST_REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit tight = before;
  tight.rlim_cur =
      pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + X.size() * 3 * sizeof(double);
  BOOST_REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
  const fint code = hov_forward_(&tag, &one, &one, &one, &directions, &x, X.data(), &y, Y.data());
  BOOST_REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  BOOST_TEST(code < -100);
  BOOST_TEST(std::isnan(y));
  BOOST_TEST(std::all_of(Y.begin(), Y.end(), [](double value) { return std::isnan(value); }));
  works(kTag);
}

// Thousands of directions, hundreds of dependents: what they give is added up block by block.
BOOST_AUTO_TEST_CASE(memory_of_mixed_derivatives) {
  constexpr std::size_t n = 13, m = 200;
  trace_on(kTag);
  {
    std::vector<adouble> x(n);
    adouble product = 1.0;
    for (adouble &xi : x) {
      xi <<= 1.0;
      product *= xi;
    }
    for (std::size_t i = 0; i < m; ++i) {
      const adouble y = product * static_cast<double>(i);
      double value = 0.0;
      const_cast<adouble &>(y) >>= value;
    }
  }
  trace_off();
  const std::vector<double> at(n, 1.0);
  std::vector<double> result(m);
  largest = 0;
  BOOST_TEST(ADOLC::derivative(kTag, at, std::vector<int>(n, 1), result) == 3);
  for (std::size_t i = 0; i < m; ++i)
    BOOST_TEST(result[i] == static_cast<double>(i), boost::test_tools::tolerance(1e-11));
  BOOST_TEST(largest < (std::size_t{16} << 20)); // 4096 directions of 13 coefficients were 85 MB
}

// Everything else that allocates, in a thread that has used the library and in one that has not.
BOOST_AUTO_TEST_CASE(other_calls) {
  struct Call {
    const char *name;
    void (*run)();
  };
  static const double one = 1.0;
  const Call calls[] = {
      {"tapestats", [] { tapestats(kTag); }},
      {"get_num_param", [] { get_num_param(kTag); }},
      {"tapeBytes", [] { ADOLC::tapeBytes(kTag); }},
      {"opcodeHistogram", [] { ADOLC::opcodeHistogram(kTag); }},
      {"tapeStatistics", [] { ADOLC::tapeStatistics(kTag); }},
      {"liveProfile", [] { ADOLC::liveProfile(kTag, 10); }},
      {"tapeFile", [] { ADOLC::tapeFile(kTag); }},
      {"set_param_vec", [] { set_param_vec(kTag, 1, &one); }},
      {"setCurrentTape",
       [] {
         setCurrentTape(kTag);
         setCurrentTape(nullptr);
       }},
      {"currentTapePtr", [] { currentTapePtr(); }},
      {"currentTapeStack", [] { currentTapeStack(); }},
      {"cachedTraceTags",
       [] {
         std::vector<short> tags;
         cachedTraceTags(tags);
       }},
      {"ensureContiguousLocations", [] { ensureContiguousLocations(100); }},
      {"a variable", [] { adouble x = 1.0; }},
      {"variables", [] { adouble x[100], y = x[7] * 2.0 + 1.0; }},
      {"a parameter", [] { const pdouble p(1.0); }},
      {"Recording", [] { ADOLC::Recording recording(kTag + 1); }},
      {"setProgressHook", [] { ADOLC::setProgressHook([](double) {}); }},
      {"setDiagnosticsHook", [] { ADOLC::setDiagnosticsHook([](std::string_view) {}); }},
  };
  trace_on(kTag);
  {
    const pdouble p(2.0);
    adouble x;
    x <<= 2.0;
    const adouble y = x * p;
    double value = 0.0;
    const_cast<adouble &>(y) >>= value;
  }
  trace_off(1);
  for (const Call &call : calls)
    for (const bool andAllLater : {false, true})
      for (const bool firstUse : {false, true})
        for (std::size_t allocation = 1, needed = 1; allocation <= needed; ++allocation) {
          const auto work = [&] {
            const Outcome outcome = withFailure(allocation, andAllLater, call.run);
            needed = allocations;
            BOOST_TEST((outcome != Outcome::otherException),
                       call.name << ", allocation " << allocation);
            BOOST_TEST(!isTaping());
          };
          if (firstUse)
            inNewThread(work);
          else
            work();
        }
  ADOLC::setProgressHook({});
  ADOLC::setDiagnosticsHook({});
  ADOLC::tryRemoveTape(kTag + 1);
}

BOOST_AUTO_TEST_CASE(settings) {
  const TemporaryDirectory folder;
  // One that says something in a warning.
  std::ofstream(".adolcrc") << "\"TAPE_MEMORY\" \"3G\"\n\"NONSENSE\" \"a value that is long\"\n";
  const auto none = [](bool) {};
  everyAllocation(
      "readConfiguration", [] { ADOLC::readConfiguration(); }, none);
  const std::filesystem::path other(std::string(100, 'o')); // a name that needs memory
  everyAllocation(
      "readConfiguration of another file", [&other] { ADOLC::readConfiguration(other); }, none);
  ADOLC::readConfiguration();
  everyAllocation(
      "configuration", [] { ADOLC::configuration(); }, none);
  BOOST_TEST(ADOLC::configuration().tapeMemory.value == std::size_t{3} << 30);
  std::size_t set = 0;
  const auto isSet = [&set](std::size_t now, bool done) {
    BOOST_TEST(now == (done ? set : set - 1)); // all of it, or nothing
  };
  everyAllocation(
      "setTapeMemory", [&set] { ADOLC::setTapeMemory(set++); },
      [&set] { ADOLC::setTapeMemory(set); },
      [&](bool done) { isSet(ADOLC::configuration().tapeMemory.value, done); });
  everyAllocation(
      "setProcessMemory", [&set] { ADOLC::setProcessMemory(set++); },
      [&set] { ADOLC::setProcessMemory(set); },
      [&](bool done) { isSet(ADOLC::configuration().processMemory.value, done); });
  const std::filesystem::path here = std::filesystem::current_path();
  everyAllocation(
      "setTapeDirectory", [] { ADOLC::setTapeDirectory({}); },
      [&here] { ADOLC::setTapeDirectory(here); },
      [&here](bool done) {
        BOOST_TEST((ADOLC::configuration().tapeDirectory.value == here) == done);
      });
  everyAllocation(
      "setTapeDirectory of none", [] { ADOLC::setTapeDirectory("nowhere"); },
      [](bool done) { BOOST_TEST(!done); });
  ADOLC::setTapeMemory(std::nullopt);
  ADOLC::setProcessMemory(std::nullopt);
  ADOLC::setTapeDirectory({});
  std::filesystem::remove(".adolcrc");
  ADOLC::readConfiguration();
}

BOOST_AUTO_TEST_CASE(source_locations) {
  ADOLC::recordSourceLocations(kTag);
  recordSquare(kTag);
  everyAllocation(
      "sourceLocation", [] { ADOLC::recordSourceLocations(kTag), recordSquare(kTag); },
      [] { ADOLC::sourceLocation(kTag, 2); },
      [](bool) {
        BOOST_TEST(ADOLC::sourceLocation(kTag, 2).has_value());
        works(kTag);
      },
      30); // there are thousands where this file has debug information
}

BOOST_AUTO_TEST_CASE(texts_of_errors) {
  for (std::size_t allocation = 1; allocation < 10; ++allocation)
    for (const bool andAllLater : {false, true}) {
      std::string text;
      failingAllocation = allocation;
      fromThereOn = andAllLater;
      allocations = 0;
      try {
        findTape(31234);
      } catch (const ADOLCError::ADOLCError &error) {
        failingAllocation = 0;
        text = error.what();
        BOOST_TEST((error.type() == ErrorType::NO_TAPE_ID));
        BOOST_TEST(error.tapeId() == 31234);
      }
      failingAllocation = 0;
      BOOST_TEST(text.find("NO_TAPE_ID") != std::string::npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()
