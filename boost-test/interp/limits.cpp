// SPDX-License-Identifier: MIT
// Running out of memory and of locations, anywhere: the documented error, nothing stale, and a tape
// that works again when there is room.
#include "support/expect.h"

#include <adolc/valuetape/blockchain.h>
#include <adolc/valuetape/store.h>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

using namespace test;
using ADOLC::detail::BlockPool;
using ADOLC::detail::Store;

namespace {

constexpr short kTag = 141;
const std::string kTagText = std::to_string(kTag);

/// At most this many bytes more than now, for the time of a scope.
class Limit {
public:
  explicit Limit(std::size_t more) : former_(BlockPool::setLimit(BlockPool::bytesInUse() + more)) {}
  ~Limit() { BlockPool::setLimit(former_); }

private:
  std::size_t former_;
};
class MaxLocations {
public:
  explicit MaxLocations(std::size_t count) : former_(Store::setMaxLocations(count)) {}
  ~MaxLocations() { Store::setMaxLocations(former_); }

private:
  std::size_t former_;
};

/// y = x^(n+1) by n products that all have to be saved.
adouble power(const adouble &x, int n) {
  adouble y = x;
  for (int i = 0; i < n; ++i)
    y *= x;
  return y;
}
void recordPower(short tag, int n, int keep = 0) {
  recordScalar(
      tag, {1.0}, [n](auto &x) { return power(x[0], n); }, keep);
}
void checkPower(short tag, int n) {
  const double at = 1.0;
  double g = 99.0;
  BOOST_TEST(gradient(tag, 1, &at, &g) == 3);
  BOOST_TEST(g == n + 1.0);
}

struct Fixture : CleanThread {
  Fixture() { ADOLC::tryRemoveTape(kTag); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(limits, Fixture)

BOOST_AUTO_TEST_CASE(no_memory_at_all_for_a_recording) {
  for (const int keep : {0, 1}) {
    ADOLC::tryRemoveTape(kTag);
    {
      const Limit limit(0);
      expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText},
                  [&] { trace_on(kTag, keep); });
      BOOST_TEST(!isTaping());
      BOOST_TEST(currentTapePtr() == nullptr);
      expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText},
                  [&] { ADOLC::Recording recording(kTag, keep); });
    }
    recordPower(kTag, 10, keep);
    checkPower(kTag, 10);
  }
}

// The limit is met at each place where one of the streams needs a block.
BOOST_AUTO_TEST_CASE(memory_ends_during_a_recording) {
  for (const int keep : {0, 1})
    for (std::size_t kilobytes = 16; kilobytes <= 1024; kilobytes += 16) {
      ADOLC::tryRemoveTape(kTag);
      bool failed = false;
      {
        const Limit limit(kilobytes << 10);
        try {
          recordPower(kTag, 100000, keep);
        } catch (const ADOLCError::ADOLCError &error) {
          failed = true;
          BOOST_TEST((error.type() == ErrorType::TAPING_BUFFER_ALLOCATION_FAILED));
          BOOST_TEST(std::string(error.what()).find(kTagText) != std::string::npos);
          if (isTaping()) { // the catch handler of a program without scopes
            // Further operations throw as well, they do not crash.
            expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText},
                        [] { adouble x = 1.0; });
            adouble moved = adouble::borrow_location(0);
            expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText},
                        [&] { moved = moved * 2.0 + 1.0; });
            expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText},
                        [&] { moved <<= 1.0; });
            trace_off();
          }
        }
        BOOST_TEST(!isTaping());
        if (failed) { // there is nothing to be evaluated
          const double at = 1.0;
          double y = 99.0;
          expectError(ErrorType::FWD_COUNTS_MISMATCH, {kTagText},
                      [&] { function(kTag, 1, 1, &at, &y); });
          expectError(ErrorType::REVERSE_COUNTS_MISMATCH, {kTagText},
                      [&] { fos_reverse(kTag, 1, 1, &at, &y); });
          BOOST_TEST(y == 99.0);
          BOOST_TEST(tapestats(kTag)[NUM_OPERATIONS] == 0u);
        }
      }
      BOOST_TEST((failed || kilobytes > 256));
      recordPower(kTag, 100, keep);
      checkPower(kTag, 100);
    }
}

BOOST_AUTO_TEST_CASE(memory_ends_in_a_scope) {
  for (int round = 0; round < 100; ++round) {
    ADOLC::tryRemoveTape(kTag);
    const Limit limit(std::size_t{128} << 10);
    expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText}, [] {
      ADOLC::Recording recording(kTag);
      adouble x;
      x <<= 1.0;
      adouble y = power(x, 1000000);
    });
    BOOST_TEST(!isTaping());
  }
  recordPower(kTag, 10);
  checkPower(kTag, 10);
}

BOOST_AUTO_TEST_CASE(memory_ends_with_many_live_variables) {
  std::vector<adouble> live(100000);
  const Limit limit(std::size_t{256} << 10);
  expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {kTagText}, [] { trace_on(kTag); });
  BOOST_TEST(!isTaping());
  BOOST_TEST(live[7].value() == 0.0);
}

BOOST_AUTO_TEST_CASE(memory_ends_in_a_nested_recording) {
  trace_on(kTag, 1);
  {
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    {
      const Limit limit(std::size_t{128} << 10);
      expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {std::to_string(kTag + 1)},
                  [] { recordPower(kTag + 1, 100000); });
      trace_off();
      BOOST_TEST(currentTape().tapeId() == kTag);
    }
    {
      ADOLC::tryRemoveTape(kTag + 1);
      const Limit limit(0);
      expectError(ErrorType::TAPING_BUFFER_ALLOCATION_FAILED, {std::to_string(kTag + 1)},
                  [] { trace_on(kTag + 1); });
      BOOST_TEST(currentTape().tapeId() == kTag);
    }
    y *= x; // the outer one goes on
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const double u = 1.0;
  double z = 0.0;
  BOOST_TEST(fos_reverse(kTag, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 27.0);
}

// Sweeps and drivers with every amount of memory: either right or refused.
BOOST_AUTO_TEST_CASE(memory_ends_in_sweeps_and_drivers) {
  constexpr int n = 20000;
  double x = 1.0;
  const double seed = 1.0;
  std::vector<double> wide(40, 1.0), wideOut(40, 99.0), wideZ(40, 99.0);
  const double *seedRow[1] = {wide.data()};
  double *resultRow[1] = {wideOut.data()};
  std::vector<const double *> weights(40, &seed);
  std::vector<double *> results(40);
  for (std::size_t i = 0; i < 40; ++i)
    results[i] = &wideZ[i];

  struct Sweep {
    const char *name;
    bool writesTaylors;
    std::function<int(double *, double *)> call;
  };
  const std::vector<Sweep> sweeps = {
      {"zos_forward", false,
       [&](double *y, double *) { return zos_forward(kTag, 1, 1, 0, &x, y); }},
      {"zos_forward", true, [&](double *y, double *) { return zos_forward(kTag, 1, 1, 1, &x, y); }},
      {"fos_forward", false,
       [&](double *y, double *Y) { return fos_forward(kTag, 1, 1, 0, &x, &seed, y, Y); }},
      {"fos_forward", true,
       [&](double *y, double *Y) { return fos_forward(kTag, 1, 1, 1, &x, &seed, y, Y); }},
      {"fos_forward", true,
       [&](double *y, double *Y) { return fos_forward(kTag, 1, 1, 2, &x, &seed, y, Y); }},
      {"fov_forward", false,
       [&](double *y, double *) { return fov_forward(kTag, 1, 1, 40, &x, seedRow, y, resultRow); }},
      {"function", false, [&](double *y, double *) { return function(kTag, 1, 1, &x, y); }},
      {"gradient", true, [&](double *, double *g) { return gradient(kTag, 1, &x, g); }},
      {"jacobian", false, [&](double *, double *J) { return jacobian(kTag, 1, 1, &x, &J); }},
      {"large_jacobian", false,
       [&](double *y, double *J) { return large_jacobian(kTag, 1, 1, 1, &x, y, &J); }},
      {"vec_jac", true, [&](double *, double *z) { return vec_jac(kTag, 1, 1, 0, &x, &seed, z); }},
      {"jac_vec", false, [&](double *, double *w) { return jac_vec(kTag, 1, 1, &x, &seed, w); }},
      {"jac_solv", false,
       [&](double *, double *b) {
         *b = n + 1.0;
         return jac_solv(static_cast<unsigned short>(kTag), 1, &x, b, 2);
       }},
  };
  for (const Sweep &sweep : sweeps) {
    bool everFailed = false, everWorked = false;
    for (std::size_t kilobytes = 0; kilobytes <= 1024 && !everWorked; kilobytes += 16)
      BOOST_TEST_CONTEXT(sweep.name << " with " << kilobytes << " KiB") {
        ADOLC::tryRemoveTape(kTag);
        recordPower(kTag, n);
        double y = 99.0, derivative = 99.0;
        {
          const Limit limit(kilobytes << 10);
          try {
            BOOST_TEST(sweep.call(&y, &derivative) == 3);
            everWorked = true;
            BOOST_TEST((y == 99.0 || y == 1.0));
            BOOST_TEST((derivative == 99.0 || derivative == n + 1.0 || derivative == 1.0));
          } catch (const ADOLCError::ADOLCError &error) {
            everFailed = true;
            BOOST_TEST((error.type() == ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED));
            const std::string text = error.what();
            BOOST_TEST(text.find(kTagText) != std::string::npos);
            BOOST_TEST(text.find(sweep.name) != std::string::npos);
            if (sweep.writesTaylors) {
              double z = 99.0;
              try {
                fos_reverse(kTag, 1, 1, &seed, &z);
                // The stack may be complete when the second sweep of a driver failed.
                BOOST_TEST(z == n + 1.0);
              } catch (const ADOLCError::ADOLCError &second) {
                BOOST_TEST((second.type() == ErrorType::REVERSE_NO_FOWARD ||
                            second.type() == ErrorType::REVERSE_NO_TAYLOR_STACK ||
                            second.type() == ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED));
                BOOST_TEST(std::isnan(z));
              }
            }
          }
        }
        checkPower(kTag, n); // the tape itself is as good as before
      }
    BOOST_TEST_CONTEXT(sweep.name) {
      BOOST_TEST(everFailed);
      BOOST_TEST(everWorked);
    }
  }

  // Reverse sweeps: the results are NaN, the Taylor stack stays valid.
  ADOLC::tryRemoveTape(kTag);
  recordPower(kTag, n, 1);
  {
    const Limit limit(0);
    double z = 99.0;
    expectError(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, {"fos_reverse", kTagText},
                [&] { fos_reverse(kTag, 1, 1, &seed, &z); });
    expectError(ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED, {"fov_reverse", kTagText},
                [&] { fov_reverse(kTag, 1, 1, 40, weights.data(), results.data()); });
    BOOST_TEST(std::isnan(z));
    BOOST_TEST(allNaN(wideZ));
  }
  double z = 99.0;
  BOOST_TEST(fos_reverse(kTag, 1, 1, &seed, &z) == 3);
  BOOST_TEST(z == n + 1.0);
  BOOST_TEST(fov_reverse(kTag, 1, 1, 40, weights.data(), results.data()) == 3);
  BOOST_TEST(wideZ[39] == n + 1.0);
}

BOOST_AUTO_TEST_CASE(many_directions_need_the_memory_of_eight) {
  constexpr int n = 1000, directions = 10000;
  ADOLC::tryRemoveTape(kTag);
  recordPower(kTag, n);
  const double at = 1.0;
  double y = 99.0;
  std::vector<double> seed(directions), result(directions, 99.0);
  for (int l = 0; l < directions; ++l)
    seed[static_cast<std::size_t>(l)] = l;
  const double *seeds[1] = {seed.data()};
  double *results[1] = {result.data()};
  const Limit limit(std::size_t{1} << 20);
  BOOST_TEST(fov_forward(kTag, 1, 1, directions, &at, seeds, &y, results) == 3);
  BOOST_TEST(y == 1.0);
  for (std::size_t l = 0; l < directions; ++l)
    BOOST_REQUIRE(result[l] == (n + 1.0) * seed[l]);
}

// ── live variables ──────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(too_many_live_variables) {
  for (const bool recorded : {false, true}) {
    const short id = createNewTape();
    setCurrentTape(id);
    if (recorded)
      trace_on(id);
    {
      const MaxLocations limit(64);
      std::vector<adouble> v;
      v.reserve(200);
      expectError(ErrorType::SM_MAX_LIVES, {"64"}, [&] {
        for (int i = 0; i < 200; ++i)
          v.push_back(adouble(1.0 * i));
      });
      BOOST_TEST(v.size() >= 60u);
      BOOST_TEST(v.size() <= 64u);
      for (std::size_t i = 0; i < v.size(); ++i)
        BOOST_TEST(v[i].value() == static_cast<double>(i));
      // again and again, and it goes on when something is freed
      for (int i = 0; i < 10; ++i)
        expectError(ErrorType::SM_MAX_LIVES, {},
                    [] { adouble a = 1.0, b = 2.0, c = 3.0, d = 4.0; });
      expectError(ErrorType::SM_MAX_LIVES, {},
                  [] { currentTape().ensureContiguousLocations(100); });
      v.resize(40);
      v.push_back(v[0] * 2.0 + v[1]);
      BOOST_TEST(v.back().value() == 1.0);
    }
    adouble many[200];
    BOOST_TEST(many[199].value() == 0.0);
    if (recorded)
      trace_off();
  }
}

BOOST_AUTO_TEST_CASE(no_location_for_an_inner_recording) {
  trace_on(kTag, 1);
  {
    adouble x, y;
    x <<= 3.0;
    y = x * x;
    const std::size_t capacity = currentTape().storeSize();
    std::vector<adouble> v;
    {
      const MaxLocations limit(capacity);
      while (currentTape().numLives() + 1 < capacity)
        v.push_back(adouble(1.0));
      // One location is left, and the inner recording needs one more to go on.
      expectError(ErrorType::SM_MAX_LIVES, {}, [] {
        ADOLC::Recording inner(kTag + 1);
        adouble a = 1.0, b = 2.0;
      });
      BOOST_TEST(currentTape().tapeId() == kTag);
    }
    v.clear();
    recordPower(kTag + 1, 3);
    y *= x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const double u = 1.0;
  double z = 0.0;
  BOOST_TEST(fos_reverse(kTag, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 27.0);
  checkPower(kTag + 1, 3);
}

BOOST_AUTO_TEST_CASE(all_memory_comes_back) {
  ADOLC::tryRemoveTape(kTag);
  ADOLC::tryRemoveTape(kTag + 1);
  const std::size_t before = BlockPool::bytesInUse();
  for (int round = 0; round < 3; ++round) {
    recordPower(kTag, 200000, 1);
    checkPower(kTag, 200000);
    BOOST_TEST(BlockPool::bytesInUse() > before + (std::size_t{2} << 20));
    ADOLC::removeTape(kTag);
    BOOST_TEST(BlockPool::bytesInUse() == before);
  }
}

BOOST_AUTO_TEST_SUITE_END()
