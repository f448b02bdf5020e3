// SPDX-License-Identifier: MIT
// Several threads and one tape: recording in turn, removal, selections, the end of threads.
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/valuetape/store.h>

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <thread>

using namespace test;

namespace {

double derivative(short tag, double at) {
  double g = 99.0;
  if (gradient(tag, 1, &at, &g) != 3)
    return -99.0;
  return g;
}

void recordSquare(short tag, double factor = 1.0) {
  recordScalar(tag, {3.0}, [factor](auto &x) { return factor * x[0] * x[0]; });
}

/// Runs both at the same time; what they throw is an error of the test.
template <class F, class G> void together(F &&f, G &&g) {
  std::thread other(std::forward<G>(g));
  f();
  other.join();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(threads, CleanThread)

BOOST_AUTO_TEST_CASE(record_one_tape_in_turn) {
  const int rounds = kSanitized ? 2000 : 20000;
  const auto work = [rounds] {
    for (int i = 0; i < rounds; ++i) {
      trace_on(201);
      trace_off();
    }
  };
  together(work, work);
  recordSquare(201);
  BOOST_TEST(derivative(201, 3.0) == 6.0);
}

BOOST_AUTO_TEST_CASE(record_and_sweep_one_tape_in_turn) {
  recordSquare(202);
  std::atomic<int> wrong{0};
  const auto work = [&wrong](double factor) {
    for (int i = 0; i < 500; ++i) {
      recordSquare(202, factor);
      const double g = derivative(202, 1.0); // of either thread's recording
      if (g != 2.0 && g != 4.0)
        ++wrong;
    }
  };
  together([&] { work(1.0); }, [&] { work(2.0); });
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(object_of_a_removed_tape) {
  recordSquare(203);
  ValueTape &tape = findTape(203);
  ADOLC::removeTape(203);
  // What a thread finds that waited for the mutex of the tape.
  expectError(ErrorType::NO_TAPE_ID, {"203"}, [&] { tape.beginRecording(); });
  BOOST_TEST(!tape.tryBeginRecording());
  BOOST_TEST(currentTapeStack().size() == 1u);
  expectError(ErrorType::NO_TAPE_ID, {"203", "here"}, [&] {
    ADOLC::detail::TapeEvaluationContext(tape, "here", ADOLC::detail::TapeUse::reads);
  });
  expectError(ErrorType::NO_TAPE_ID, {"203"}, [&] { tape.tapestats(); });
  recordSquare(203); // all locks are free
  BOOST_TEST(derivative(203, 3.0) == 6.0);
}

BOOST_AUTO_TEST_CASE(removal_while_others_wait) {
  const int rounds = kSanitized ? 500 : 5000;
  std::atomic<int> wrong{0};
  const auto record = [&] {
    for (int i = 0; i < rounds; ++i) {
      recordSquare(204);
      try {
        if (derivative(204, 3.0) != 6.0)
          ++wrong;
      } catch (const ADOLCError::ADOLCError &error) {
        // removed, or made anew and not recorded yet
        if (error.type() != ErrorType::NO_TAPE_ID &&
            error.type() != ErrorType::WRONG_DEPENDENT_COUNT)
          ++wrong;
      }
    }
  };
  std::atomic<bool> done{false};
  std::thread remover([&] {
    while (!done)
      ADOLC::tryRemoveTape(204);
  });
  together(record, record);
  done = true;
  remover.join();
  BOOST_TEST(wrong == 0);
  ADOLC::tryRemoveTape(204);
}

BOOST_AUTO_TEST_CASE(selection_of_a_tape_that_another_thread_removes) {
  trace_on(205);
  trace_off();
  const short own = createNewTape();
  setCurrentTape(nullptr);
  std::promise<void> selected, removed;
  together(
      [&] {
        selected.get_future().wait();
        ADOLC::removeTape(205);
        ADOLC::removeTape(own);
        recordSquare(205); // on the object of the removed tape
        trace_on(205);
        removed.set_value();
      },
      [&] {
        setCurrentTape(short{205});
        trace_on(206);
        setCurrentTape(own);
        selected.set_value();
        removed.get_future().wait();
        BOOST_TEST(currentTapePtr() == nullptr);
        expectError(ErrorType::NO_TAPE_ID, {}, [] { currentTape(); });
        adouble x = 2.0; // on the store of this thread, not on that of the new tape 205
        BOOST_TEST((x * x).value() == 4.0);
        setCurrentTape(short{206});
        trace_off();
        BOOST_TEST(currentTapePtr() == nullptr); // nor is it selected again
      });
  trace_off();
  BOOST_TEST(tapestats(205)[NUM_OPERATIONS] == 2u);
}

BOOST_AUTO_TEST_CASE(selection_of_a_tape_that_another_thread_records) {
  trace_on(207);
  std::thread([] {
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"207"}, [] { setCurrentTape(short{207}); });
    BOOST_TEST(currentTapePtr() == nullptr);
  }).join();
  setCurrentTape(nullptr);
  setCurrentTape(short{207}); // the thread that records it may
  trace_off();
  std::thread([] { setCurrentTape(short{207}); }).join();
}

BOOST_AUTO_TEST_CASE(ids_that_are_no_tape_ids) {
  expectError(ErrorType::NO_TAPE_ID, {"70000"}, [] { setCurrentTape(70000); });
  expectError(ErrorType::NO_TAPE_ID, {"-40000"}, [] { setCurrentTape(-40000); });
}

// Statistics and parameters are read while another thread records again.
BOOST_AUTO_TEST_CASE(readers_and_a_recorder) {
  const auto record = [](int size) {
    recordScalar(208, {1.0, 2.0}, [size](auto &x) {
      adouble y = x[0] * x[1];
      std::vector<pdouble> p;
      for (int i = 0; i < size; ++i) {
        p.emplace_back(1.0 + i);
        y += p.back() * x[0];
      }
      return y;
    });
  };
  record(3);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    const std::vector<double> x{1.0, 2.0};
    while (!done) {
      const std::size_t count = get_num_param(208);
      wrong += count != 3 && count != 4;
      wrong += ADOLC::tapeBytes(208).operations == 0;
      wrong += ADOLC::opcodeHistogram(208)[assign_p] < 3;
      const ADOLC::TapeShape shape = ADOLC::tapeShape(208);
      wrong += shape.n != 2 || shape.m != 1;
      wrong += ADOLC::gradient(208, x)[1] != 1.0;
      std::vector<double> p(3);
      try {
        findTape(208).getParamVec(p);
        findTape(208).setParamVec(p);
        wrong += p[2] != 3.0;
      } catch (const ADOLCError::ADOLCError &error) {
        wrong += error.type() != ErrorType::PARAM_COUNTS_MISMATCH;
      }
    }
  });
  for (int i = 0; i < 300; ++i)
    record(3 + i % 2);
  done = true;
  reader.join();
  BOOST_TEST(wrong == 0);
}

// ── the end of threads ──────────────────────────────────────────────────────────────────────────

namespace {

/// Records, sweeps and leaves variables behind in the destructor of a thread_local object.
struct WorksAtTheEnd {
  adouble x = 2.0;
  ADOLC::detail::StoreId *storeAfter = nullptr;
  double *result = nullptr;
  ~WorksAtTheEnd() {
    x = x * x;
    recordSquare(211);
    trace_on(212); // and never ends it
    *result = derivative(211, x.value());
    *storeAfter = ADOLC::detail::Store::threadDefault().id;
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(destructors_of_thread_local_objects) {
  double result = 0.0;
  ADOLC::detail::StoreId store = 0;
  for (const bool libraryFirst : {false, true}) {
    std::thread([&] {
      if (libraryFirst)
        recordSquare(211);
      thread_local WorksAtTheEnd object;
      object.result = &result;
      object.storeAfter = &store;
      if (!libraryFirst)
        trace_on(213);
    }).join();
    BOOST_TEST(result == 8.0);
    for (const short tag : {short{211}, short{212}, short{213}})
      recordSquare(tag); // nobody records any more, and the store of the thread is not in use
    BOOST_TEST(ADOLC::detail::Store::find(store) == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(many_threads_come_and_go) {
  std::size_t before = 0;
  for (int round = 0; round < 400; ++round) {
    if (round == 100)
      before = residentBytes();
    std::thread([] {
      setCurrentTape(nullptr);
      std::vector<adouble> x(2000, adouble(1.0));
      trace_on(214);
      trace_off();
    }).join();
  }
  recordSquare(214);
  BOOST_TEST(residentBytes() < before + (std::size_t{4} << 20));
}

BOOST_AUTO_TEST_CASE(removed_tapes_hold_no_memory) {
  std::size_t before = 0;
  for (int round = 0; round < 60; ++round) {
    if (round == 10)
      before = residentBytes();
    const short id = createNewTape();
    setCurrentTape(id);
    { std::vector<adouble> x(100000, adouble(1.0)); }
    setCurrentTape(nullptr);
    ADOLC::removeTape(id);
  }
  BOOST_TEST(residentBytes() < before + (std::size_t{8} << 20));
}

BOOST_AUTO_TEST_SUITE_END()
