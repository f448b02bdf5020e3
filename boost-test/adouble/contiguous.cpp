// SPDX-License-Identifier: MIT
// Variables in consecutive locations, and what must not tear them apart.
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <memory>

using namespace test;

namespace {

template <class Range> bool consecutive(const Range &v) {
  for (std::size_t i = 1; i < v.size(); ++i)
    if (v[i].loc() != v[0].loc() + i)
      return false;
  return true;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(contiguous, CleanThread)

BOOST_AUTO_TEST_CASE(any_assignment_keeps_the_block) {
  const short id = createNewTape();
  setCurrentTape(id);
  for (const bool recorded : {false, true}) {
    if (recorded)
      trace_on(id);
    {
      adouble x;
      if (recorded)
        x <<= 2.0;
      else
        x = 2.0;
      const std::size_t n = currentTape().ensureContiguousLocations_(6);
      BOOST_TEST(n == 6u);
      std::vector<adouble> v(6);
      BOOST_TEST(consecutive(v));
      const std::size_t first = v[0].loc();
      for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = x * static_cast<double>(i + 1); // from a temporary
      v[0] = std::move(x);
      BOOST_TEST(v[0].value() == 2.0);
      v[1] = v[2] + v[3];
      std::swap(v[0], v[5]);
      BOOST_TEST(v[0].value() == 12.0);
      BOOST_TEST(v[5].value() == 2.0);
      std::sort(v.begin(), v.end());
      std::rotate(v.begin(), v.begin() + 2, v.end());
      std::swap_ranges(v.begin(), v.begin() + 3, v.begin() + 3);
      v[2] = 5.0;
      v[3] += v[2] * v[2];
      ++v[4];
      v[5] <<= 1.0;
      adouble taken = std::move(v[1]); // a copy: the block keeps its element
      BOOST_TEST(v[1].is_valid());
      taken = 17.0;
      v[1] = std::move(taken);
      BOOST_TEST(v[1].value() == 17.0);
      BOOST_TEST(consecutive(v));
      BOOST_TEST(v[0].loc() == first);
    }
    if (recorded)
      trace_off();
    BOOST_TEST(currentTape().numLives() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(derivatives_of_a_shuffled_block) {
  recordScalar(101, {3.0, 1.0, 2.0}, [](auto &x) {
    ensureContiguousLocations(3);
    std::array<adouble, 3> v;
    for (std::size_t i = 0; i < 3; ++i)
      v[i] = x[i];
    std::sort(v.begin(), v.end());
    BOOST_TEST(consecutive(v));
    return 1.0 * v[0] + 2.0 * v[1] + 3.0 * v[2];
  });
  const double at[] = {3.0, 1.0, 2.0};
  double g[3];
  BOOST_TEST(gradient(101, 3, at, g) == 3);
  BOOST_TEST((g[0] == 3.0 && g[1] == 1.0 && g[2] == 2.0));
}

BOOST_AUTO_TEST_CASE(in_a_fragmented_store) {
  const short id = createNewTape();
  setCurrentTape(id);
  std::vector<std::unique_ptr<adouble>> scattered;
  for (int i = 0; i < 100; ++i)
    scattered.push_back(std::make_unique<adouble>(1.0 * i));
  for (std::size_t i = 0; i < 100; i += 2)
    scattered[i].reset();
  for (const std::size_t n : {1u, 2u, 3u, 17u, 64u, 500u}) {
    currentTape().ensureContiguousLocations(n);
    std::vector<adouble> block(n);
    BOOST_TEST(consecutive(block));
    for (std::size_t i = 1; i < 100; i += 2)
      BOOST_TEST(scattered[i]->value() == static_cast<double>(i));
  }
  scattered.clear();
  BOOST_TEST(currentTape().numLives() == 0u);
}

BOOST_AUTO_TEST_CASE(variables_freed_meanwhile) {
  const short id = createNewTape();
  setCurrentTape(id);
  std::vector<std::unique_ptr<adouble>> others;
  for (int i = 0; i < 10; ++i)
    others.push_back(std::make_unique<adouble>(1.0 * i));
  currentTape().ensureContiguousLocations(5);
  std::vector<adouble> block;
  block.reserve(5);
  for (std::size_t i = 0; i < 5; ++i) {
    block.emplace_back();
    others[2 * i].reset(); // a free location elsewhere
  }
  BOOST_TEST(consecutive(block));
}

// Elements made of expressions, recorded or not: in place, or by moving a temporary.
BOOST_AUTO_TEST_CASE(elements_made_of_expressions) {
  const short id = createNewTape();
  setCurrentTape(id);
  for (const bool recorded : {false, true}) {
    if (recorded)
      trace_on(id);
    {
      adouble x = 2.0, y = 3.0, other;
      currentTape().ensureContiguousLocations(4);
      std::array<adouble, 4> a{x * y, x * y + 1.0, -(sin(x) * y), adouble(x)};
      BOOST_TEST(consecutive(a));
      BOOST_TEST((a[0].value() == 6.0 && a[1].value() == 7.0));
      currentTape().ensureContiguousLocations(5);
      std::vector<adouble> v;
      v.reserve(5);
      other = x - y * x; // its temporary does not use up the reservation
      v.push_back(x * y);
      v.emplace_back(2.0 * x + y);
      v.push_back(1.0 / x - y);
      v.emplace_back(4.0);
      BOOST_TEST(other.value() == -4.0);
      v.push_back(x);
      BOOST_TEST(consecutive(v));
      const std::size_t first = v[0].loc();
      std::swap(v[0], v[3]);
      std::sort(v.begin(), v.end());
      BOOST_TEST(consecutive(v));
      BOOST_TEST(v[0].loc() == first);
      BOOST_TEST(v[4].value() == 7.0);
      adouble z = 1.0; // nothing is left of the reservation
      adouble w = std::move(z);
      BOOST_TEST(!z.is_valid());
    }
    if (recorded)
      trace_off();
    BOOST_TEST(currentTape().numLives() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(reservation_within_a_program) {
  const auto f = [](auto &x) {
    ensureContiguousLocations(1000); // more than is used
    std::vector<adouble> v;
    v.reserve(3);
    v.push_back(x[0] * x[1]);
    v.push_back(v[0] * x[0] - 9.0);
    v.push_back(sin(v[1]) * x[1]);
    BOOST_TEST(consecutive(v));
    adouble y = 0.0;
    y += v[0] * v[1];
    y += v[2];
    ensureContiguousLocations(0);
    return y;
  };
  recordScalar(102, {2.0, 3.0}, f, 1);
  const double u = 1.0;
  double z[2], g[2], at[] = {2.0, 3.0}, y = 0.0;
  BOOST_TEST(fos_reverse(102, 1, 2, &u, z) == 3);
  BOOST_TEST(gradient(102, 2, at, g) == 3);
  BOOST_TEST((z[0] == g[0] && z[1] == g[1]));
  BOOST_TEST(function(102, 1, 2, at, &y) == 3);
  BOOST_TEST(y == 6.0 * 3.0 + std::sin(3.0) * 3.0);
  // y = p q + sin(q) b with p = a b, q = p a - 9
  BOOST_TEST(g[0] == 3.0 * 3.0 + 6.0 * 12.0 + std::cos(3.0) * 12.0 * 3.0,
             boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(large_reservation_costs_no_time) {
  const short id = createNewTape();
  setCurrentTape(id);
  std::vector<adouble> others(200000, adouble(1.0));
  currentTape().ensureContiguousLocations(200000);
  others.clear(); // while the reservation is open
  std::vector<adouble> block(200000);
  BOOST_TEST(consecutive(block));
  currentTape().ensureContiguousLocations(200001);
  std::vector<adouble>(200000).clear(); // given back lowest first, one is still reserved
  std::vector<adouble> again(200001);
  BOOST_TEST(consecutive(again));
}

BOOST_AUTO_TEST_CASE(without_a_tape_and_nothing) {
  ensureContiguousLocations(4); // on the default store
  std::vector<adouble> v(4);
  BOOST_TEST(consecutive(v));
  ensureContiguousLocations(0);
  adouble x = 1.0;
  adouble y = std::move(x);
  BOOST_TEST(!x.is_valid()); // not pinned
}

BOOST_AUTO_TEST_CASE(impossible_amounts) {
  for (const std::size_t n :
       {std::numeric_limits<std::size_t>::max(), std::size_t{1} << 33, std::size_t{0xffffffff}})
    expectError(ErrorType::SM_MAX_LIVES, {std::to_string(n)},
                [&] { ensureContiguousLocations(n); });
  adouble x = 1.0, y = 2.0;
  BOOST_TEST(x.value() + y.value() == 3.0);
}

BOOST_AUTO_TEST_SUITE_END()
