// SPDX-License-Identifier: MIT
// Recordings within recordings, and the recording of a scope.
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/valuetape/blockchain.h>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>

using namespace test;

namespace {

double derivative(short tag, double at) {
  double g = 99.0;
  BOOST_TEST(gradient(tag, 1, &at, &g) == 3);
  return g;
}
/// From the Taylor stack of the recording itself.
double recordedDerivative(short tag) {
  const double u = 1.0;
  double z = 99.0;
  BOOST_TEST(fos_reverse(tag, 1, 1, &u, &z) == 3);
  return z;
}

/// y = x³ on `tag`, with a value overwritten, and `inside` executed in the middle.
template <class F> void recordCube(short tag, double at, F &&inside) {
  trace_on(tag, 1);
  {
    adouble x, y;
    x <<= at;
    y = x;
    {
      adouble t = y * x; // freed while needed
      y = t * x;
    }
    inside();
    adouble z = 1.0;
    z *= y;
    double out = 0.0;
    z >>= out;
    BOOST_TEST(out == at * at * at);
  }
  trace_off();
}

void checkCube(short tag, double at) {
  BOOST_TEST(recordedDerivative(tag) == 3.0 * at * at);
  BOOST_TEST(derivative(tag, 2.0) == 12.0);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(nested_recordings, CleanThread)

BOOST_AUTO_TEST_CASE(three_deep_on_one_store) {
  recordCube(1, 3.0, [] {
    BOOST_TEST(currentTape().tapeId() == 1);
    recordCube(2, 5.0, [] {
      recordCube(3, 7.0, [] { BOOST_TEST(currentTapeStack().size() == 4u); });
      checkCube(3, 7.0);
      BOOST_TEST(currentTape().tapeId() == 2);
    });
    checkCube(2, 5.0);
    BOOST_TEST(currentTape().tapeId() == 1);
  });
  checkCube(1, 3.0);
  BOOST_TEST(currentTapePtr() == nullptr);
}

BOOST_AUTO_TEST_CASE(three_deep_on_stores_of_their_own) {
  const short a = createNewTape(), b = createNewTape(), c = createNewTape();
  setCurrentTape(a);
  recordCube(a, 3.0, [&] {
    recordCube(b, 5.0, [&] {
      recordCube(c, 7.0, [] {});
      checkCube(c, 7.0);
    });
    checkCube(b, 5.0);
  });
  checkCube(a, 3.0);
  BOOST_TEST(currentTape().tapeId() == a);
}

BOOST_AUTO_TEST_CASE(own_and_default_stores_mixed) {
  const short own = createNewTape();
  setCurrentTape(nullptr);
  recordCube(4, 3.0, [&] {
    recordCube(own, 5.0, [&] {
      recordCube(5, 7.0, [] {});
      checkCube(5, 7.0);
    });
    checkCube(own, 5.0);
  });
  checkCube(4, 3.0);
}

// The inner recording would write over what the outer one still needs from locations that it freed.
BOOST_AUTO_TEST_CASE(inner_recording_keeps_off_freed_locations) {
  trace_on(1, 1);
  {
    adouble x, y;
    x <<= 2.0;
    {
      adouble a = x * x, b = a * x, c = b * a; // 4, 8, 32
      y = c * b;                               // x^8
    }
    trace_on(2);
    {
      std::vector<adouble> many(100, adouble(-1.0));
      adouble s = 0.0;
      for (adouble &m : many)
        s += m;
      BOOST_TEST(s.value() == -100.0);
    }
    trace_off();
    std::vector<adouble> more(100, adouble(-1.0)); // takes the freed locations in the outer one
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 256.0);
  }
  trace_off();
  BOOST_TEST(recordedDerivative(1) == 1024.0); // 8 x^7
  BOOST_TEST(derivative(1, 2.0) == 1024.0);
}

// Variables of the outer recording that die while the inner one is open.
BOOST_AUTO_TEST_CASE(outer_variables_destroyed_inside) {
  trace_on(1, 1);
  {
    adouble x, y;
    x <<= 2.0;
    auto a = std::make_unique<adouble>(x * x);
    auto b = std::make_unique<adouble>(*a * x);
    y = *b * *a; // x^5
    trace_on(2);
    {
      b.reset();
      a.reset();
      std::vector<adouble> many(50, adouble(-1.0));
      double out = 0.0;
      many[7] >>= out;
    }
    trace_off();
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  BOOST_TEST(recordedDerivative(1) == 80.0);
}

BOOST_AUTO_TEST_CASE(variables_of_the_inner_recording_survive_it) {
  adouble kept;
  trace_on(1, 1);
  {
    adouble x, y;
    x <<= 3.0;
    trace_on(2);
    {
      adouble u;
      u <<= 4.0;
      kept = u * u;
      double out = 0.0;
      kept >>= out;
    }
    trace_off();
    y = x * x;
    y *= 2.0;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  BOOST_TEST(kept.value() == 16.0);
  BOOST_TEST(recordedDerivative(1) == 12.0);
  BOOST_TEST(derivative(2, 4.0) == 8.0);
}

// A loop of inner recordings must not need more and more locations.
BOOST_AUTO_TEST_CASE(many_inner_recordings_on_one_store) {
  trace_on(1, 1);
  {
    adouble x, y;
    x <<= 2.0;
    y = x * x;
    const std::size_t capacity = currentTape().storeSize();
    for (int i = 0; i < 100; ++i) {
      trace_on(2);
      {
        adouble u, v;
        u <<= 1.0 + i;
        v = u * u + 1.0;
        double out = 0.0;
        v >>= out;
      }
      trace_off();
      y += x;
    }
    BOOST_REQUIRE(currentTape().storeSize() <= 8 * capacity);
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  BOOST_TEST(recordedDerivative(1) == 104.0);
  BOOST_TEST(derivative(2, 5.0) == 10.0);
}

BOOST_AUTO_TEST_CASE(locations_are_all_free_in_the_end) {
  const short id = createNewTape();
  setCurrentTape(nullptr);
  ADOLC::detail::Store &store = ADOLC::detail::Store::threadDefault();
  const std::size_t before = store.numLives();
  recordCube(1, 3.0, [&] {
    recordCube(2, 5.0, [&] { recordCube(3, 2.0, [&] { recordCube(id, 4.0, [] {}); }); });
    recordCube(3, 7.0, [] {});
  });
  BOOST_TEST(store.numLives() == before);
  BOOST_TEST(findTape(id).numLives() == 0u);
}

// ── selecting another tape while recording ──────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(select_another_tape_and_back) {
  const short other = createNewTape();
  setCurrentTape(nullptr);
  trace_on(6, 1);
  {
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    setCurrentTape(other); // not recorded: operations only compute
    {
      adouble u = 5.0, v = u * u;
      BOOST_TEST(v.value() == 25.0);
      BOOST_TEST(x.value() == 3.0); // of the other store, still readable
      expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {}, [] { trace_off(); });
    }
    setCurrentTape(short{6});
    y *= x;
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 27.0);
  }
  trace_off();
  BOOST_TEST(recordedDerivative(6) == 27.0);
  BOOST_TEST(derivative(6, 2.0) == 12.0);
}

BOOST_AUTO_TEST_CASE(select_nothing_and_back) {
  trace_on(6, 1);
  {
    adouble x, y;
    x <<= 3.0;
    setCurrentTape(nullptr);
    adouble t = x * x; // computed, not recorded
    BOOST_TEST(t.value() == 9.0);
    setCurrentTape(short{6});
    y = x * t; // but its value is there
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 27.0);
  }
  trace_off();
}

// Going back to an outer recording on the same store while the inner one is open would mark the
// values that the outer one needs in the wrong place. Either it is right or it is refused.
BOOST_AUTO_TEST_CASE(select_the_outer_recording_from_the_inner_one) {
  for (const bool sameStore : {true, false}) {
    const short a = sameStore ? short{7} : createNewTape();
    const short b = sameStore ? short{8} : createNewTape();
    setCurrentTape(nullptr);
    bool refused = false;
    trace_on(a, 1);
    {
      adouble x, y;
      x <<= 1.0;
      trace_on(b, 1);
      setCurrentTape(a);
      try {
        y = exp(x);
      } catch (const ADOLCError::ADOLCError &error) {
        BOOST_TEST((error.type() == ErrorType::TAPING_TAPE_STILL_IN_USE));
        refused = true;
      }
      setCurrentTape(b);
      trace_off();
      if (refused)
        y = exp(x);
      adouble z = y * 2.0;
      y = 0.0;
      double out = 0.0;
      z >>= out;
    }
    trace_off();
    BOOST_TEST(recordedDerivative(a) == 2.0 * std::exp(1.0));
    BOOST_TEST(derivative(a, 1.0) == 2.0 * std::exp(1.0));
    BOOST_TEST((sameStore || !refused));
  }
}

// ── what was written elsewhere is a constant for the outer recording ────────────────────────────

BOOST_AUTO_TEST_CASE(variable_that_ends_in_an_inner_recording) {
  trace_on(1, 1);
  {
    adouble x;
    x <<= 3.0;
    auto p = std::make_unique<adouble>(x * 2.0);
    const adouble y = *p * x; // needs the value of *p
    double out = 0.0;
    trace_on(2);
    adouble w;
    w <<= 1.0;
    *p = 100.0;
    w *= *p;
    p.reset();
    w >>= out;
    trace_off();
    BOOST_TEST(out == 100.0);
    adouble z = y;
    z >>= out;
    BOOST_TEST(out == 18.0);
  }
  trace_off();
  BOOST_TEST(recordedDerivative(1) == 12.0);
  BOOST_TEST(derivative(1, 5.0) == 20.0);
}

BOOST_AUTO_TEST_CASE(middle_recording_without_memory) {
  using ADOLC::detail::BlockPool;
  double out = 0.0;
  trace_on(1);
  {
    adouble x, k;
    x <<= 3.0;
    k = x * 1.0;
    trace_on(2);
    {
      adouble w;
      w <<= 1.0;
      const std::size_t former = BlockPool::setLimit(0);
      BOOST_CHECK_THROW(
          [&] {
            for (;;)
              w *= 1.5;
          }(),
          ADOLCError::ADOLCError);
      BlockPool::setLimit(former);
      trace_on(3);
      {
        adouble q;
        q <<= 5.0;
        k = q * q;
        adouble r = k;
        r >>= out;
      }
      trace_off();
    }
    // The middle one cannot tell the outer one what k has become: both are lost.
    trace_off();
    BOOST_CHECK_THROW(k = k + x, ADOLCError::ADOLCError);
  }
  trace_off();
  const double at = 3.0;
  for (const short tag : {1, 2})
    BOOST_CHECK_THROW(function(tag, 1, 1, &at, &out), ADOLCError::ADOLCError);
}

BOOST_AUTO_TEST_CASE(result_of_an_inner_recording) {
  trace_on(1, 1);
  {
    adouble x, y;
    x <<= 3.0;
    double out = 0.0;
    trace_on(2);
    adouble t;
    t <<= 2.0;
    adouble z = t * t;
    z >>= out;
    trace_off();
    y = x * z;
    y >>= out;
    BOOST_TEST(out == 12.0);
  }
  trace_off();
  const double at = 5.0;
  double y = 99.0;
  BOOST_TEST(recordedDerivative(1) == 4.0);
  BOOST_TEST(function(1, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 20.0);
  BOOST_TEST(derivative(1, 5.0) == 4.0);
}

BOOST_AUTO_TEST_CASE(computed_while_nothing_or_another_tape_is_selected) {
  trace_on(6);
  trace_off();
  for (const bool nothing : {true, false}) {
    trace_on(1, 1);
    {
      adouble x, y;
      x <<= 3.0;
      nothing ? setCurrentTape(nullptr) : setCurrentTape(short{6});
      adouble t = x * x;
      adouble u;
      u <<= 2.0;
      setCurrentTape(short{1});
      y = x * t + u;
      double out = 0.0;
      y >>= out;
      BOOST_TEST(out == 29.0);
    }
    trace_off();
    BOOST_TEST(recordedDerivative(1) == 9.0);
    BOOST_TEST(derivative(1, 5.0) == 9.0);
  }
}

BOOST_AUTO_TEST_CASE(outer_variable_assigned_inside) {
  for (const bool discarded : {false, true}) {
    trace_on(1, 1);
    {
      adouble x, y, z, same;
      x <<= 3.0;
      y = x * x; // 9
      z = y * x; // 27, needs this y
      same = x;
      try {
        ADOLC::Recording inner(2);
        y = 5.0;
        same = 3.0; // the number that it has, but a constant now
        if (discarded)
          throw 42;
      } catch (int) {
      }
      z += y * x + same; // 27 + 15 + 3
      double out = 0.0;
      z >>= out;
      BOOST_TEST(out == 45.0);
    }
    trace_off();
    BOOST_TEST(recordedDerivative(1) == 32.0);
    BOOST_TEST(derivative(1, 3.0) == 32.0);
    BOOST_TEST(derivative(1, 2.0) == 17.0);
  }
}

namespace {

/// Values and, for every open recording, derivatives with respect to its independent: numbers that
/// were computed elsewhere are constants.
struct Interleaved {
  static constexpr std::size_t kVariables = 6, kLevels = 3;
  std::mt19937 random;
  std::vector<std::unique_ptr<adouble>> x;
  std::array<double, kVariables> value{};
  std::array<std::array<double, kVariables>, kLevels> slope{};
  std::size_t open = 0; // recordings

  explicit Interleaved(unsigned seed) : random(seed) {
    for (std::size_t i = 0; i < kVariables; ++i) {
      value[i] = 0.1 * static_cast<double>(i + 1);
      x.push_back(std::make_unique<adouble>(value[i]));
    }
  }
  std::size_t pick(std::size_t count) { return random() % count; }

  void operation(bool recorded) {
    const std::size_t t = pick(kVariables), a = pick(kVariables), b = pick(kVariables);
    double v = 0.0, da = 0.0, db = 0.0, dt = 0.0;
    switch (pick(6)) {
    case 0:
      v = std::sin(value[a] + value[b]);
      da = db = std::cos(value[a] + value[b]);
      *x[t] = sin(*x[a] + *x[b]);
      break;
    case 1:
      v = 0.5 * value[a] * value[b];
      da = 0.5 * value[b];
      db = 0.5 * value[a];
      x[t] = std::make_unique<adouble>(0.5 * *x[a] * *x[b]);
      break;
    case 2:
      v = 0.5 * value[t];
      dt = 0.5;
      *x[t] *= 0.5;
      break;
    case 3:
      v = value[t] + value[a] * value[b];
      dt = 1.0;
      da = value[b];
      db = value[a];
      *x[t] += *x[a] * *x[b];
      if (std::fabs(v) > 2.0) { // stay bounded
        v = std::sin(v);
        const double c = std::cos(value[t] + value[a] * value[b]);
        dt *= c;
        da *= c;
        db *= c;
        *x[t] = sin(*x[t]);
      }
      break;
    case 4:
      v = value[a];
      da = 1.0;
      x[t] = std::make_unique<adouble>(*x[a]);
      break;
    default:
      v = value[t]; // the same number, but constant
      *x[t] = v;
    }
    for (std::size_t level = 0; level < open; ++level) {
      auto &s = slope[level];
      s[t] = recorded && level + 1 == open ? dt * s[t] + da * s[a] + db * s[b] : 0.0;
    }
    value[t] = v;
  }

  void recording(short tag) {
    const int keep = static_cast<int>(pick(2));
    trace_on(tag, keep);
    const double at = 0.3;
    const std::size_t level = open++;
    slope[level].fill(0.0);
    *x[0] <<= at;
    value[0] = at;
    for (std::size_t outer = 0; outer < level; ++outer)
      slope[outer][0] = 0.0;
    slope[level][0] = 1.0;
    for (int step = 0; step < 40; ++step) {
      const std::size_t dice = pick(12);
      if (dice == 0 && open < kLevels) {
        recording(static_cast<short>(tag + 1));
      } else if (dice == 1) {
        setCurrentTape(nullptr);
        operation(false);
        operation(false);
        setCurrentTape(tag);
      } else {
        operation(true);
      }
    }
    const std::size_t result = pick(kVariables);
    double out = 0.0;
    *x[result] >>= out;
    const double expected = slope[level][result];
    trace_off();
    --open;
    const double near = 1e-10;
    BOOST_TEST(std::fabs(out - value[result]) < near);
    if (keep != 0)
      BOOST_TEST(std::fabs(recordedDerivative(tag) - expected) < near);
    double y = 99.0;
    BOOST_TEST(function(tag, 1, 1, &at, &y) == 3);
    BOOST_TEST(y == out);
    BOOST_TEST(std::fabs(derivative(tag, at) - expected) < near);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(random_interleaved_recordings) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Interleaved program(seed);
    program.recording(41);
  }
}

// ── ADOLC::Recording ────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(scope_ends_the_recording) {
  {
    ADOLC::Recording recording(9, 1);
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    double out = 0.0;
    y >>= out;
    BOOST_TEST(isTaping());
  }
  BOOST_TEST(!isTaping());
  BOOST_TEST(recordedDerivative(9) == 6.0);
}

BOOST_AUTO_TEST_CASE(finish_ends_it_earlier) {
  ADOLC::Recording recording(9);
  {
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    double out = 0.0;
    y >>= out;
  }
  recording.finish();
  BOOST_TEST(!isTaping());
  BOOST_TEST(derivative(9, 4.0) == 8.0);
  recordScalar(9, {1.0}, [](auto &x) { return 5.0 * x[0]; });
  BOOST_TEST(derivative(9, 4.0) == 5.0); // and the end of the scope leaves that one alone
}

BOOST_AUTO_TEST_CASE(finish_with_another_tape_selected) {
  const short other = createNewTape();
  setCurrentTape(nullptr);
  {
    ADOLC::Recording recording(9);
    setCurrentTape(other);
    expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {std::to_string(other)},
                [&] { recording.finish(); });
  } // the scope still ends it
  BOOST_TEST(!isTaping());
  setCurrentTape(nullptr);
  recordScalar(9, {1.0}, [](auto &x) { return 5.0 * x[0]; });
}

BOOST_AUTO_TEST_CASE(finish_with_an_inner_recording_open) {
  {
    ADOLC::Recording outer(9, 1);
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    double out = 0.0;
    y >>= out;
    ADOLC::Recording inner(10);
    expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {"10"}, [&] { outer.finish(); });
    BOOST_TEST(currentTape().tapeId() == 10); // it goes on
    inner.finish();
    expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {"9"}, [&] { inner.finish(); });
    outer.finish();
  }
  BOOST_TEST(recordedDerivative(9) == 6.0);
}

BOOST_AUTO_TEST_CASE(exception_discards_the_recording) {
  std::size_t before = 0;
  for (int round = 0; round < 10000; ++round) {
    if (round == 1000)
      before = residentBytes();
    try {
      ADOLC::Recording recording(10, round % 2);
      adouble x, y;
      x <<= 3.0;
      y = x;
      for (int i = 0; i < 100; ++i)
        y = y * x + 1.0;
      throw 42;
    } catch (int) {
    }
    if (isTaping() || currentTapePtr() != nullptr)
      BOOST_FAIL("still recording in round " << round);
    if (round % 100 == 0) {
      const double at = 1.0;
      double y = 99.0;
      expectError(ErrorType::FWD_COUNTS_MISMATCH, {"10"}, [&] { function(10, 1, 1, &at, &y); });
      recordScalar(10, {3.0}, [](auto &x) { return x[0] * x[0]; });
      BOOST_TEST(derivative(10, 3.0) == 6.0);
    }
  }
  BOOST_TEST(residentBytes() < before + (std::size_t{4} << 20));
}

BOOST_AUTO_TEST_CASE(exception_through_nested_recordings) {
  const short own = createNewTape();
  setCurrentTape(nullptr);
  for (int round = 0; round < 100; ++round) {
    try {
      ADOLC::Recording outer(11);
      adouble x;
      x <<= 1.0;
      ADOLC::Recording middle(own);
      trace_on(12); // without a scope of its own
      adouble y;
      y <<= 2.0;
      throw std::runtime_error("user");
    } catch (const std::runtime_error &) {
    }
    BOOST_TEST(currentTapeStack().size() == 1u);
    BOOST_TEST(currentTapePtr() == nullptr);
  }
  for (const short tag : {short{11}, short{12}, own}) {
    recordScalar(tag, {3.0}, [](auto &x) { return x[0] * x[0]; });
    BOOST_TEST(derivative(tag, 3.0) == 6.0);
  }
}

BOOST_AUTO_TEST_CASE(exception_caught_within_the_outer_scope) {
  {
    ADOLC::Recording outer(11, 1);
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    try {
      ADOLC::Recording inner(12);
      adouble u;
      u <<= 1.0;
      throw std::runtime_error("user");
    } catch (const std::runtime_error &) {
    }
    BOOST_TEST(currentTape().tapeId() == 11);
    y *= x;
    double out = 0.0;
    y >>= out;
  }
  BOOST_TEST(recordedDerivative(11) == 27.0);
}

namespace {
struct RecordsWhileUnwinding {
  ~RecordsWhileUnwinding() {
    ADOLC::Recording recording(13);
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    double out = 0.0;
    y >>= out;
  }
};
} // namespace

BOOST_AUTO_TEST_CASE(recording_made_while_an_exception_is_under_way) {
  try {
    RecordsWhileUnwinding object;
    throw 42;
  } catch (int) {
  }
  BOOST_TEST(derivative(13, 3.0) == 6.0); // it is complete, not discarded
}

BOOST_AUTO_TEST_CASE(scope_left_with_an_inner_recording_open) {
  {
    ADOLC::Recording recording(14);
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    double out = 0.0;
    y >>= out;
    trace_on(15);
  }
  BOOST_TEST(!isTaping());
  BOOST_TEST(currentTapePtr() == nullptr);
  BOOST_TEST(derivative(14, 3.0) == 6.0);
  recordScalar(15, {3.0}, [](auto &x) { return x[0] * x[0]; });
}

BOOST_AUTO_TEST_CASE(ended_by_hand_within_the_scope) {
  {
    ADOLC::Recording recording(16);
    trace_off();
  }
  BOOST_TEST(!isTaping());
}

BOOST_AUTO_TEST_CASE(constructor_that_throws_records_nothing) {
  ADOLC::Recording outer(17);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"17"}, [] { ADOLC::Recording again(17); });
  expectError(ErrorType::NO_TAPE_ID, {"-1"}, [] { ADOLC::Recording none(-1); });
  BOOST_TEST(currentTape().tapeId() == 17);
}

BOOST_AUTO_TEST_SUITE_END()
