// SPDX-License-Identifier: MIT
// Active variables as C++ objects: copied, moved, assigned, in containers, across threads and
// tapes.
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <type_traits>

using namespace test;

namespace {

// ── what compiles ───────────────────────────────────────────────────────────────────────────────
static_assert(sizeof(adouble) == 8);
static_assert(std::is_nothrow_move_constructible_v<adouble>);
static_assert(std::is_nothrow_move_assignable_v<adouble>);
static_assert(std::is_nothrow_destructible_v<adouble>);
static_assert(std::is_copy_constructible_v<adouble> && std::is_copy_assignable_v<adouble>);
static_assert(std::is_swappable_v<adouble>);
static_assert(std::is_convertible_v<double, adouble> && std::is_convertible_v<int, adouble>);
static_assert(!std::is_convertible_v<adouble, double>);
static_assert(!std::is_convertible_v<adouble, float>);
static_assert(!std::is_convertible_v<adouble, int>);
static_assert(!std::is_convertible_v<adouble, bool>);
static_assert(!std::is_convertible_v<adouble, std::size_t>);
static_assert(std::is_constructible_v<double, const adouble &>); // explicitly
static_assert(!std::is_assignable_v<double &, adouble>);
static_assert(!std::is_assignable_v<int &, adouble>);
static_assert(std::is_same_v<adub, adouble> && std::is_same_v<badouble, adouble>);
static_assert(std::is_same_v<decltype(std::declval<adouble>() * std::declval<adouble>()), adouble>);
static_assert(std::is_same_v<decltype(std::declval<adouble &>() < 1), bool>);
static_assert(std::is_same_v<decltype(std::declval<const adouble &>().value()), double>);
static_assert(adouble_or_pdouble<adouble> && adouble_or_pdouble<pdouble> &&
              !adouble_or_pdouble<double>);
static_assert(std::numeric_limits<adouble>::is_specialized);
static_assert(std::numeric_limits<adouble>::digits == std::numeric_limits<double>::digits);
static_assert(std::numeric_limits<adouble>::max_exponent10 == 308);
static_assert(std::is_same_v<decltype(std::numeric_limits<adouble>::max()), double>);
static_assert(std::numeric_limits<adouble>::epsilon() == std::numeric_limits<double>::epsilon());
static_assert(std::numeric_limits<adouble>::lowest() == std::numeric_limits<double>::lowest());
static_assert(std::numeric_limits<adouble>::infinity() > 1e308);
static_assert(std::numeric_limits<adouble>::denorm_min() > 0.0);
static_assert(std::numeric_limits<adouble>::has_quiet_NaN &&
              std::numeric_limits<adouble>::is_iec559);

void expectInvalid(const std::function<void()> &f) {
  expectError(ErrorType::INVALID_ACTIVE_VARIABLE, {}, f);
}

std::vector<double> gradientOf(short tag, std::vector<double> x) {
  std::vector<double> g(x.size(), 99.0);
  BOOST_TEST(gradient(tag, static_cast<int>(x.size()), x.data(), g.data()) == 3);
  return g;
}

} // namespace

// Every case with a tape of its own being recorded, one that is not, and with nothing selected.
struct EveryState : CleanThread {
  template <class F> static void run(F &&f) {
    const short id = createNewTape();
    setCurrentTape(nullptr);
    f(); // default store
    setCurrentTape(id);
    f(); // a tape that is not recorded
    BOOST_TEST(currentTape().numLives() == 0u);
    for (const int keep : {0, 1}) {
      trace_on(id, keep);
      f();
      trace_off();
    }
    BOOST_TEST(currentTape().numLives() == 0u);
    setCurrentTape(nullptr);
    trace_on(id);
    trace_on(61);
    f();
    trace_off();
    trace_off();
    BOOST_TEST(findTape(id).numLives() == 0u);
  }
};

BOOST_FIXTURE_TEST_SUITE(handles, EveryState)

BOOST_AUTO_TEST_CASE(values) {
  run([] {
    adouble zero;
    BOOST_TEST(zero.value() == 0.0);
    adouble one = 1, pi = 3.14, braces{}, half(0.5);
    BOOST_TEST(
        (one.value() == 1.0 && pi.value() == 3.14 && braces.value() == 0.0 && half.value() == 0.5));
    adouble negativeZero = -0.0;
    BOOST_TEST(std::signbit(negativeZero.value()));
    adouble copy(pi);
    copy += 1.0;
    BOOST_TEST(pi.value() == 3.14);
    BOOST_TEST(copy.value() == 4.140000000000001);
    copy = pi;
    BOOST_TEST(copy.value() == 3.14);
    copy.value(7.0);
    BOOST_TEST(copy.getValue() == 7.0);
    copy.setValue(8.0);
    BOOST_TEST(static_cast<double>(copy) == 8.0);
    BOOST_TEST(double(copy) == 8.0);
    BOOST_TEST(copy.loc() != pi.loc());
    const adouble constant = 5.0;
    BOOST_TEST(constant.value() == 5.0);
    BOOST_TEST(static_cast<double>(constant) == 5.0);
    adouble &same = copy;
    copy = same;
    BOOST_TEST(copy.value() == 8.0);
    for (const double c : {0.0, 1.0, -1.0, 2.5, kInf}) {
      copy = c;
      BOOST_TEST(copy.value() == c);
    }
  });
}

BOOST_AUTO_TEST_CASE(moving) {
  run([] {
    adouble a = 3.0;
    const std::size_t loc = a.loc();
    adouble b(std::move(a));
    BOOST_TEST(b.loc() == loc);
    BOOST_TEST(b.value() == 3.0);
    BOOST_TEST(!a.is_valid());
    BOOST_TEST(b.is_valid());
    adouble c = 4.0;
    c = std::move(b);
    BOOST_TEST(c.value() == 3.0);
    BOOST_TEST(!b.is_valid());
    adouble &same = c;
    c = std::move(same);
    BOOST_TEST(c.value() == 3.0);
    same = same;
    BOOST_TEST(c.value() == 3.0);
    std::swap(c, same);
    BOOST_TEST(c.value() == 3.0);
  });
}

BOOST_AUTO_TEST_CASE(moved_from_variables_throw_when_read) {
  run([] {
    adouble a = 3.0, b = 2.0, keeper;
    const auto emptied = [&]() -> adouble & {
      a = 3.0;
      keeper = std::move(a);
      return a;
    };
    double d = 0.0;
    adouble &m = emptied();
    expectInvalid([&] { m.value(); });
    expectInvalid([&] { m.value(1.0); });
    expectInvalid([&] { m.getValue(); });
    expectInvalid([&] { m.setValue(1.0); });
    expectInvalid([&] { m.loc(); });
    expectInvalid([&] { m.release_loc(); });
    expectInvalid([&] { static_cast<void>(static_cast<double>(m)); });
    expectInvalid([&] { adouble copy(m); });
    expectInvalid([&] { b = m; });
    expectInvalid([&] { b += m; });
    expectInvalid([&] { b -= m; });
    expectInvalid([&] { b *= m; });
    expectInvalid([&] { b /= m; });
    expectInvalid([&] { m += 1.0; });
    expectInvalid([&] { m -= b; });
    expectInvalid([&] { m *= 2.0; });
    expectInvalid([&] { m /= b; });
    expectInvalid([&] { m += b * b; });
    expectInvalid([&] { ++m; });
    expectInvalid([&] { --m; });
    expectInvalid([&] { m++; });
    expectInvalid([&] { m--; });
    expectInvalid([&] { m + b; });
    expectInvalid([&] { b - m; });
    expectInvalid([&] { m * 2.0; });
    expectInvalid([&] { 2.0 / m; });
    expectInvalid([&] { (b * b) * m; });
    expectInvalid([&] { m / (b * b); });
    expectInvalid([&] { -m; });
    expectInvalid([&] { +m; });
    expectInvalid([&] { sin(m); });
    expectInvalid([&] { sin(std::move(m)); });
    expectInvalid([&] { fabs(m); });
    expectInvalid([&] { fmax(b, m); });
    expectInvalid([&] { pow(m, 2.0); });
    expectInvalid([&] { pow(b, m); });
    expectInvalid([&] { atan2(m, b); });
    expectInvalid([&] { condassign(b, m, b, b); });
    expectInvalid([&] { condassign(b, b, m); });
    expectInvalid([&] { condassign(m, b, b); });
    expectInvalid([&] { static_cast<void>(m < b); });
    expectInvalid([&] { static_cast<void>(b == m); });
    expectInvalid([&] { static_cast<void>(m > 0.0); });
    expectInvalid([&] { static_cast<void>(isnan(m)); });
    expectInvalid([&] { m >>= d; });
    expectInvalid([&] { m.declareDependent(); });
    expectInvalid([&] { m.declareIndependent(); });
    expectInvalid([&] { std::ostringstream() << m; });
    BOOST_TEST(b.value() == 2.0); // nothing happened to the other operand
    BOOST_TEST(keeper.value() == 3.0);
  });
}

BOOST_AUTO_TEST_CASE(moved_from_variables_can_be_assigned_in_every_form) {
  run([] {
    adouble a, b = 2.0, keeper;
    const auto emptied = [&]() -> adouble & {
      a = 3.0;
      keeper = std::move(a);
      BOOST_TEST(!a.is_valid());
      return a;
    };
    emptied() = 5.0;
    BOOST_TEST(a.value() == 5.0);
    emptied() = 0.0;
    BOOST_TEST(a.value() == 0.0);
    emptied() = b;
    BOOST_TEST(a.value() == 2.0);
    emptied() = b * b;
    BOOST_TEST(a.value() == 4.0);
    emptied() <<= 7.0;
    BOOST_TEST(a.value() == 7.0);
    pdouble p(9.0);
    emptied() = p;
    BOOST_TEST(a.value() == 9.0);
    condassign(emptied(), b, b, b);
    BOOST_TEST(a.value() == 2.0);
    condeqassign(emptied(), b, b, b);
    BOOST_TEST(a.value() == 2.0);
    std::istringstream("2.5") >> emptied();
    BOOST_TEST(a.value() == 2.5);
    std::swap(emptied(), b); // an invalid variable may be swapped
    BOOST_TEST(a.value() == 2.0);
    BOOST_TEST(!b.is_valid());
    std::swap(a, b);
    BOOST_TEST(b.value() == 2.0);
    emptied() = std::move(b);
    BOOST_TEST(a.value() == 2.0);
    b = 1.0;
    emptied();
    a = std::move(a); // self-move of an invalid one
    BOOST_TEST(!a.is_valid());
  });
}

BOOST_AUTO_TEST_CASE(borrowed_and_released) {
  run([] {
    adouble owner = 3.0;
    {
      adouble view = adouble::borrow_location(owner.loc());
      BOOST_TEST(view.value() == 3.0);
      view = 4.0; // writes to the location
      BOOST_TEST(owner.value() == 4.0);
      view = owner * 2.0;
      BOOST_TEST(owner.value() == 8.0);
      adouble copy = view;
      copy = 1.0;
      BOOST_TEST(owner.value() == 8.0);
      adouble result = std::move(view) + 1.0; // works on a location of its own
      BOOST_TEST(owner.value() == 8.0);
      BOOST_TEST(result.value() == 9.0);
    }
    adouble other = 1.0;
    BOOST_TEST(owner.value() == 8.0); // not freed by the view
    BOOST_TEST(other.loc() != owner.loc());
    const std::size_t loc = owner.release_loc();
    BOOST_TEST(!owner.is_valid());
    {
      tape_location<adouble> holder(loc); // takes it over and frees it
      BOOST_TEST(holder.owns_location());
      BOOST_TEST(holder.is_valid());
      BOOST_TEST(holder.loc() == loc);
    }
    adouble again = 6.0;
    BOOST_TEST(again.loc() == loc);
    expectError(ErrorType::INVALID_ACTIVE_VARIABLE, {},
                [] { adouble::borrow_location(1000000).value(); });
    expectError(ErrorType::INVALID_ACTIVE_VARIABLE, {},
                [] { adouble::borrow_location(std::size_t{1} << 32).value(); });
  });
}

BOOST_AUTO_TEST_CASE(locations_with_ownership) {
  run([] {
    using Location = tape_location<adouble>;
    static_assert(!std::is_copy_constructible_v<Location> && !std::is_copy_assignable_v<Location>);
    static_assert(std::is_nothrow_move_constructible_v<Location>);
    Location a;
    const std::size_t loc = a.loc();
    BOOST_TEST(a.owns_location());
    Location b(std::move(a));
    BOOST_TEST(!a.is_valid());
    BOOST_TEST(b.loc() == loc);
    Location &same = b;
    b = std::move(same);
    BOOST_TEST(b.is_valid());
    a = std::move(b);
    BOOST_TEST(a.owns_location());
    Location borrowed(loc, Location::BORROWED);
    BOOST_TEST(borrowed.is_valid());
    BOOST_TEST(!borrowed.owns_location());
    BOOST_TEST(a.release() == loc);
    BOOST_TEST(!a.is_valid());
    Location back(loc);
  });
}

// A location goes back to the store that it came from, whatever is selected then.
BOOST_AUTO_TEST_CASE(location_of_another_tape) {
  const short a = createNewTape(), b = createNewTape();
  setCurrentTape(b);
  adouble y[4] = {1.0, 2.0, 3.0, 4.0};
  setCurrentTape(a);
  {
    tape_location<adouble> location;
    setCurrentTape(b);
  }
  BOOST_TEST(currentTape().numLives() == 4u);
  adouble z = 5.0, w = 6.0;
  for (int i = 0; i < 4; ++i)
    BOOST_TEST(y[i].value() == i + 1.0);
  setCurrentTape(a);
  BOOST_TEST(currentTape().numLives() == 0u);
}

// ── containers and algorithms ───────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(vector_growth) {
  const short id = createNewTape();
  setCurrentTape(id);
  for (const bool shuffle : {false, true}) {
    trace_on(id);
    {
      adouble x, y = 0.0;
      x <<= 2.0;
      std::vector<adouble> v;
      for (int k = 0; k < 1000; ++k)
        v.push_back(k * x);
      if (shuffle) {
        v.insert(v.begin(), x * 17.0);
        v.insert(v.begin() + 500, 3, x);
        v.erase(v.begin() + 500, v.begin() + 503);
        v.erase(v.begin());
        v.shrink_to_fit();
        std::reverse(v.begin(), v.end());
        std::rotate(v.begin(), v.begin() + 333, v.end());
      }
      for (const adouble &vk : v)
        y += vk;
      double out = 0.0;
      y >>= out;
      BOOST_TEST(out == 999000.0);
      BOOST_TEST(currentTape().numLives() == 1002u);
      v.resize(10);
      BOOST_TEST(currentTape().numLives() == 12u);
      v.resize(20);
      v.assign(5, x);
      BOOST_TEST(currentTape().numLives() == 7u);
    }
    BOOST_TEST(currentTape().numLives() == 0u);
    trace_off();
    BOOST_TEST(gradientOf(id, {2.0})[0] == 499500.0);
  }
}

BOOST_AUTO_TEST_CASE(sorting) {
  recordScalar(62, {3.0, 1.0, 2.0}, [](auto &x) {
    std::vector<adouble> s = x;
    std::sort(s.begin(), s.end());
    adouble y = 0.0;
    for (int k = 0; k < 3; ++k)
      y += (k + 1.0) * s[static_cast<std::size_t>(k)];
    BOOST_TEST(y.value() == 14.0);
    return y;
  });
  BOOST_TEST(gradientOf(62, {3.0, 1.0, 2.0}) == (std::vector<double>{3.0, 1.0, 2.0}),
             boost::test_tools::per_element());
  // in another order the recorded comparisons flip
  const double other[] = {1.0, 2.0, 3.0};
  double y = 0.0;
  BOOST_TEST(function(62, 1, 3, other, &y) == -1);
  // many elements
  std::vector<double> at(500);
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = static_cast<double>((i * 7919) % 500);
  recordScalar(62, at, [](auto &x) {
    std::vector<adouble> s = x;
    std::stable_sort(s.begin(), s.end(), [](const adouble &a, const adouble &b) { return a > b; });
    adouble y = 0.0;
    for (std::size_t k = 0; k < s.size(); ++k)
      y += static_cast<double>(k) * s[k];
    return y;
  });
  const auto g = gradientOf(62, at);
  for (std::size_t i = 0; i < at.size(); ++i)
    BOOST_TEST(g[i] == 499.0 - at[i]);
}

BOOST_AUTO_TEST_CASE(swapping) {
  recordScalar(62, {2.0, 3.0}, [](auto &x) {
    adouble a = x[0], b = x[1];
    std::swap(a, b);
    using std::swap;
    swap(a, b);
    std::swap(a, b);
    BOOST_TEST(a.value() == 3.0);
    std::vector<adouble> v{a, b}, w{b};
    std::swap(v, w);
    std::iter_swap(w.begin(), w.begin() + 1);
    return w[0] * 10.0 + w[1] + v[0] * 100.0; // b, a, b
  });
  BOOST_TEST(gradientOf(62, {2.0, 3.0}) == (std::vector<double>{110.0, 1.0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(standard_types) {
  run([] {
    std::array<adouble, 3> array{1.0, 2.0, 3.0};
    std::array<adouble, 3> copy = array;
    copy[1] = 9.0;
    BOOST_TEST(array[1].value() == 2.0);
    std::map<std::string, adouble> map;
    map["a"] = 1.0;
    map["b"] += 2.0;
    map.emplace("c", 3.0);
    map.erase("a");
    BOOST_TEST(map["b"].value() + map.at("c").value() == 5.0);
    std::optional<adouble> optional;
    optional = 4.0;
    optional = *optional * 2.0;
    BOOST_TEST(optional->value() == 8.0);
    std::optional<adouble> taken = std::move(optional);
    optional.reset();
    BOOST_TEST(taken->value() == 8.0);
    auto shared = std::make_shared<adouble>(3.0);
    std::weak_ptr<adouble> weak = shared;
    shared.reset();
    BOOST_TEST(weak.expired());
    std::pair<adouble, adouble> pair{1.0, 2.0};
    std::swap(pair.first, pair.second);
    BOOST_TEST(pair.first.value() == 2.0);
    std::map<adouble, int> byValue; // ordered by recorded comparisons
    byValue[adouble(2.0)] = 2;
    byValue[adouble(1.0)] = 1;
    BOOST_TEST(byValue.begin()->second == 1);
    auto *raw = new adouble[5];
    raw[3] = 7.0;
    BOOST_TEST(raw[3].value() == 7.0);
    delete[] raw;
  });
}

// ── language ────────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(ternary_auto_max_lambda) {
  recordScalar(62, {2.0, 3.0}, [](auto &x) {
    auto r = (x[0] > 0) ? x[0] * x[1] : x[0];
    BOOST_TEST(r.value() == 6.0);
    const auto t = x[0] + x[1];
    const auto square = [](const auto &v) { return v * v; };
    const auto make = [&] {
      adouble local = t;
      return local;
    };
    adouble big = std::max(x[0] * x[1], x[0]);
    adouble small = std::min<adouble>(x[0] * x[1], x[0]);
    BOOST_TEST(big.value() == 6.0);
    BOOST_TEST(small.value() == 2.0);
    using T = adouble;
    T zero{}, one(1.0), two = T(2);
    return square(make()) + zero * one * two + (r - r) + (big - r) + (small - x[0]);
  });
  BOOST_TEST(gradientOf(62, {2.0, 3.0}) == (std::vector<double>{10.0, 10.0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(increments_with_a_copy) {
  const auto check = [](double value, double derivative, auto f) {
    recordScalar(62, {3.0}, f);
    const double at = 3.0;
    double y = 0.0;
    BOOST_TEST(function(62, 1, 1, &at, &y) == 3);
    BOOST_TEST(y == value);
    BOOST_TEST(gradientOf(62, {3.0})[0] == derivative);
  };
  check(12.0, 7.0, [](auto &x) {
    adouble a = x[0];
    return (++a) * x[0];
  });
  check(9.0, 6.0, [](auto &x) {
    adouble a = x[0];
    return (a++) * x[0];
  });
  check(6.0, 5.0, [](auto &x) {
    adouble a = x[0];
    return (--a) * x[0];
  });
  check(9.0, 6.0, [](auto &x) {
    adouble a = x[0];
    return (a--) * x[0];
  });
}

BOOST_AUTO_TEST_CASE(operand_and_target_are_the_same) {
  const auto check = [](double value, double derivative, auto f) {
    recordScalar(62, {3.0}, f, 1);
    const double u = 1.0, at = 3.0;
    double z = 99.0, y = 99.0, Y = 99.0;
    BOOST_TEST(fos_reverse(62, 1, 1, &u, &z) == 3);
    BOOST_TEST(z == derivative);
    BOOST_TEST(gradientOf(62, {3.0})[0] == derivative);
    BOOST_TEST(fos_forward(62, 1, 1, 0, &at, &u, &y, &Y) == 3);
    BOOST_TEST(y == value);
    BOOST_TEST(Y == derivative);
  };
  check(0.0, 0.0, [](auto &x) {
    x[0] -= x[0];
    return x[0];
  });
  check(1.0, 0.0, [](auto &x) {
    x[0] /= x[0];
    return x[0];
  });
  check(6.0, 2.0, [](auto &x) {
    x[0] += x[0];
    return x[0];
  });
  check(9.0, 6.0, [](auto &x) {
    x[0] *= x[0];
    return x[0];
  });
  check(0.0, 0.0, [](auto &x) {
    x[0] = x[0] - x[0];
    return x[0];
  });
  check(81.0, 108.0, [](auto &x) {
    x[0] *= x[0];
    x[0] *= x[0];
    return x[0];
  });
  check(1.0 / 3.0, -1.0 / 9.0, [](auto &x) {
    x[0] = 1.0 / x[0];
    return x[0];
  });
  check(3.0, 1.0, [](auto &x) {
    x[0] = -x[0];
    x[0] = -x[0];
    return x[0];
  });
}

BOOST_AUTO_TEST_CASE(long_statements) {
  recordScalar(62, {0.5}, [](auto &v) {
    const adouble &x = v[0];
#define TEN(n)                                                                                     \
  (n) * x + (n + 1) * x + (n + 2) * x + (n + 3) * x + (n + 4) * x + (n + 5) * x + (n + 6) * x +    \
      (n + 7) * x + (n + 8) * x + (n + 9) * x
#define HUNDRED(n)                                                                                 \
  TEN(n) + TEN(n + 10) + TEN(n + 20) + TEN(n + 30) + TEN(n + 40) + TEN(n + 50) + TEN(n + 60) +     \
      TEN(n + 70) + TEN(n + 80) + TEN(n + 90)
    return adouble(HUNDRED(1.0) + HUNDRED(101.0) + HUNDRED(201.0));
#undef HUNDRED
#undef TEN
  });
  const double at = 0.5;
  double y = 0.0;
  BOOST_TEST(function(62, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 22575.0);
  BOOST_TEST(gradientOf(62, {0.5})[0] == 45150.0);
}

BOOST_AUTO_TEST_CASE(expressions_with_temporaries_equal_those_without) {
  recordScalar(62, {0.7, -1.3, 2.1}, [](auto &v) {
    const adouble &a = v[0], &b = v[1], &c = v[2];
    return ((a * b) - (b * c)) / ((a + b) * (c - a)) - (a / (b * c)) + (-(a * c)) +
           (2.0 - (a * b)) + (3.0 / (a * b)) + (a * b) * 1.0 + (b * c) * -1.0 + (a * c) / 4.0 +
           sin(a * b) + (c - (a * b)) + (c / (a + b));
  });
  recordScalar(63, {0.7, -1.3, 2.1}, [](auto &v) {
    const adouble &a = v[0], &b = v[1], &c = v[2];
    const adouble ab = a * b, bc = b * c, ac = a * c, apb = a + b, cma = c - a;
    const adouble n = ab - bc, d = apb * cma, q = n / d, r = a / bc, nac = -ac, e = 2.0 - ab,
                  f = 3.0 / ab, g = ab * 1.0, h = bc * -1.0, i = ac / 4.0, s = sin(ab), t = c - ab,
                  u = c / apb;
    const adouble s1 = q - r, s2 = s1 + nac, s3 = s2 + e, s4 = s3 + f, s5 = s4 + g, s6 = s5 + h,
                  s7 = s6 + i, s8 = s7 + s, s9 = s8 + t;
    return adouble(s9 + u);
  });
  const double at[] = {0.3, 1.9, -0.8};
  double y[2], g[2][3];
  for (const short k : {short{0}, short{1}}) {
    BOOST_TEST(function(static_cast<short>(62 + k), 1, 3, at, y + k) == 3);
    BOOST_TEST(gradient(static_cast<short>(62 + k), 3, at, g[k]) == 3);
  }
  BOOST_TEST(y[0] == y[1]);
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(g[0][i] == g[1][i], boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(complex_numbers) {
  const double big = 1e200;
  recordScalar(62, {big, big}, [](auto &x) {
    const std::complex<adouble> z(x[0], x[1]);
    return adouble(abs(z));
  });
  const double at[] = {big, big};
  double y = 0.0, g[2];
  BOOST_TEST(function(62, 1, 2, at, &y) >= 0);
  BOOST_TEST(y == 1.4142135623730951e200, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(gradient(62, 2, at, g) >= 0);
  BOOST_TEST(g[0] == std::sqrt(0.5), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(g[1] == std::sqrt(0.5), boost::test_tools::tolerance(1e-15));
  run([] {
    std::complex<adouble> z(1.0, 2.0), w(3.0, -1.0);
    const std::complex<adouble> p = z * w, q = z / w, s = z + w - z;
    BOOST_TEST(p.real().value() == 5.0);
    BOOST_TEST(p.imag().value() == 5.0);
    BOOST_TEST(q.real().value() == 0.1, boost::test_tools::tolerance(1e-15));
    BOOST_TEST(s.real().value() == 3.0);
    BOOST_TEST(norm(z).value() == 5.0);
    BOOST_TEST(conj(z).imag().value() == -2.0);
    BOOST_TEST((z == z));
  });
}

BOOST_AUTO_TEST_CASE(streams) {
  run([] {
    std::ostringstream out;
    adouble x = 2.5;
    out << x << ' ' << adouble(-1);
    BOOST_TEST(out.str() == "2.5(a) -1(a)");
    std::istringstream in("4.5 nonsense");
    in >> x;
    BOOST_TEST(x.value() == 4.5);
    in >> x;
    BOOST_TEST(in.fail());
    BOOST_TEST(x.value() == 4.5);
  });
}

BOOST_AUTO_TEST_CASE(classification_is_not_recorded) {
  trace_on(62);
  {
    adouble x, inf = kInf, nan = kNaN, tiny = 1e-310;
    x <<= 1.0;
    BOOST_TEST((isfinite(x) && isnormal(x) && !isnan(x) && !isinf(x)));
    BOOST_TEST((isinf(inf) && !isfinite(inf) && isnan(nan) && !isnormal(nan) && !isnormal(tiny)));
    BOOST_TEST((!signbit(x) && fpclassify(inf) == FP_INFINITE && ilogb(x) == 0 && lround(x) == 1));
    double out = 0.0;
    x >>= out;
  }
  trace_off();
  const double at = -kInf;
  double y = 0.0;
  BOOST_TEST(function(62, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == -kInf);
}

// Owned twice, or by nobody: freed once, and never handed out to two variables.
BOOST_AUTO_TEST_CASE(locations_with_several_owners) {
  const short id = createNewTape();
  setCurrentTape(id);
  for (const bool elsewhere : {false, true}) {
    {
      tape_location<adouble> mine;
      tape_location<adouble> again(mine.loc()), unknown(77777), huge(std::size_t{1} << 40);
      if (elsewhere)
        setCurrentTape(nullptr);
    }
    setCurrentTape(id);
    BOOST_TEST(currentTape().numLives() == 0u);
    std::vector<adouble> all(300);
    std::set<std::size_t> locations;
    for (const adouble &a : all)
      BOOST_TEST(locations.insert(a.loc()).second);
    BOOST_TEST(currentTape().numLives() == 300u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
