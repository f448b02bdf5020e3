// SPDX-License-Identifier: MIT
// Parameters: constants of a recording that can be exchanged.
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <type_traits>

using namespace test;

namespace {

struct FreshTape : CleanThread {
  short id = createNewTape();
  FreshTape() { setCurrentTape(id); }

  double value(double x) const {
    double y = 99.0;
    BOOST_TEST(function(id, 1, 1, &x, &y) == 3);
    return y;
  }
  double derivative(double x) const {
    double g = 99.0;
    BOOST_TEST(gradient(id, 1, &x, &g) == 3);
    return g;
  }
};

static_assert(!std::is_copy_constructible_v<pdouble> && !std::is_copy_assignable_v<pdouble>);
static_assert(!std::is_default_constructible_v<pdouble>);
static_assert(std::is_nothrow_move_constructible_v<pdouble>);
static_assert(!std::is_convertible_v<double, pdouble>);
static_assert(!std::is_convertible_v<pdouble, adouble>);
static_assert(std::is_constructible_v<adouble, const pdouble &>);

} // namespace

BOOST_FIXTURE_TEST_SUITE(parameters, FreshTape)

BOOST_AUTO_TEST_CASE(exchange_without_recording_again) {
  trace_on(id);
  {
    pdouble p(2.0), q(5.0);
    BOOST_TEST(p.loc() == 0u);
    BOOST_TEST(q.loc() == 1u);
    BOOST_TEST(p.value() == 2.0);
    adouble x, y;
    x <<= 3.0;
    y = p * x * x + q;
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 23.0);
  }
  trace_off();
  BOOST_TEST(get_num_param(id) == 2u);
  BOOST_TEST(value(3.0) == 23.0);
  BOOST_TEST(derivative(3.0) == 12.0);
  const double p[] = {10.0, -1.0};
  set_param_vec(id, 2, p);
  BOOST_TEST(value(3.0) == 89.0);
  BOOST_TEST(derivative(3.0) == 60.0);
  const double q[] = {0.5, 0.25};
  currentTape().set_param_vec(id, 2, q);
  BOOST_TEST(value(3.0) == 4.75);
  findTape(id).setParamVec(p);
  BOOST_TEST(derivative(1.0) == 20.0);
  double read[2] = {};
  findTape(id).getParamVec(read);
  BOOST_TEST(read[0] == 10.0);
  BOOST_TEST(read[1] == -1.0);
}

BOOST_AUTO_TEST_CASE(functions_of_several_operands) {
  trace_on(id);
  {
    pdouble p(2.0), q(-3.75);
    adouble x, y, whole;
    x <<= 3.0;
    const auto expect = [](const adouble &a, double value) { BOOST_TEST(a.value() == value); };
    expect(y = fma(p, x, 1.0), 7.0);
    expect(fma(x, 2.0, p), 8.0);
    expect(fma(p, p, q), 0.25);
    expect(hypot(p, x, 6.0), 7.0);
    expect(hypot(x, 6, p), 7.0);
    expect(nearbyint(q), -4.0);
    expect(scalbn(p, 3), 16.0);
    expect(modf(q, &whole), -0.75);
    expect(whole, -3.0);
    expect(quadrature(x, 7.0, p), 7.0);
    adouble r = 0.0;
    condassign(r, p, x, q);
    expect(r, 3.0);
    condassign(r, q, 1.0, p);
    expect(r, 2.0);
    condeqassign(r, x, q);
    expect(r, -3.75);
    condeqassign(r, 0.0, p);
    expect(r, 2.0);
    condassign(r, q, x);
    expect(r, 2.0);
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const double other[] = {5.0, -1.0};
  set_param_vec(id, 2, other);
  double y = 0.0;
  const double at = 3.0;
  BOOST_TEST(function(id, 1, 1, &at, &y) >= 0);
  BOOST_TEST(y == 16.0);
}

BOOST_AUTO_TEST_CASE(exchange_discards_the_taylor_stack) {
  trace_on(id, 1);
  {
    pdouble p(2.0);
    adouble x, y;
    x <<= 3.0;
    y = p * x * x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const double u = 1.0, p = 4.0, at = 3.0;
  double z = 99.0;
  BOOST_TEST(fos_reverse(id, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 12.0);
  set_param_vec(id, 1, &p);
  z = 99.0;
  expectError(ErrorType::REVERSE_NO_FOWARD, {std::to_string(id), "fos_reverse"},
              [&] { fos_reverse(id, 1, 1, &u, &z); });
  expectError(ErrorType::REVERSE_NO_FOWARD, {"vec_jac"},
              [&] { vec_jac(id, 1, 1, 1, nullptr, &u, &z); });
  BOOST_TEST(std::isnan(z));
  double y = 0.0;
  BOOST_TEST(zos_forward(id, 1, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 36.0);
  BOOST_TEST(fos_reverse(id, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 24.0);
}

BOOST_AUTO_TEST_CASE(wrong_number_of_parameters) {
  trace_on(id);
  {
    pdouble p(2.0);
    adouble x, y;
    x <<= 3.0;
    y = p * x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  double p[3] = {7.0, 7.0, 7.0};
  for (const std::size_t n : {0u, 2u, 3u})
    expectError(ErrorType::PARAM_COUNTS_MISMATCH, {std::to_string(id), "1", std::to_string(n)},
                [&] { set_param_vec(id, n, p); });
  expectError(ErrorType::PARAM_COUNTS_MISMATCH, {},
              [&] { findTape(id).setParamVec(std::span<const double>(p)); });
  expectError(ErrorType::PARAM_COUNTS_MISMATCH, {},
              [&] { findTape(id).getParamVec(std::span<double>(p)); });
  expectError(ErrorType::NULL_ARGUMENT, {std::to_string(id)},
              [&] { set_param_vec(id, 1, nullptr); });
  BOOST_TEST(value(3.0) == 6.0); // nothing changed
}

BOOST_AUTO_TEST_CASE(no_parameters_at_all) {
  recordScalar(id, {1.0}, [](auto &x) { return x[0] * x[0]; });
  BOOST_TEST(get_num_param(id) == 0u);
  set_param_vec(id, 0, nullptr);
  BOOST_TEST(derivative(2.0) == 4.0);
}

BOOST_AUTO_TEST_CASE(made_before_the_recording) {
  pdouble p(2.0);
  trace_on(id);
  {
    adouble x, y;
    x <<= 3.0;
    y = p * x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  BOOST_TEST(get_num_param(id) == 1u);
  const double v = 5.0;
  set_param_vec(id, 1, &v);
  BOOST_TEST(value(3.0) == 15.0);
  BOOST_TEST(p.value() == 2.0); // the object keeps its own
}

// In the reference a parameter used in a second recording read outside the table.
BOOST_AUTO_TEST_CASE(used_in_later_recordings) {
  std::optional<pdouble> before(std::in_place, -1.0);
  pdouble p(2.0);
  before.reset(); // its index is not given to anybody while p lives
  for (int round = 0; round < 5; ++round) {
    trace_on(id);
    {
      pdouble q(10.0 + round);
      adouble x, y;
      x <<= 3.0;
      y = p * x + q;
      double out = 0.0;
      y >>= out;
      BOOST_TEST(out == 16.0 + round);
    }
    trace_off();
    BOOST_TEST(value(3.0) == 16.0 + round);
    BOOST_TEST(derivative(3.0) == 2.0);
    BOOST_TEST(get_num_param(id) == 3u); // does not grow
    const double values[] = {0.0, 4.0, 1.0};
    set_param_vec(id, 3, values);
    BOOST_TEST(value(3.0) == 13.0);
  }
}

BOOST_AUTO_TEST_CASE(value_is_set_without_recording) {
  pdouble p(2.0);
  p.value(7.0);
  BOOST_TEST(p.value() == 7.0);
  trace_on(id);
  {
    adouble x, y;
    x <<= 3.0;
    y = p * x;
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 21.0);
  }
  trace_off();
  p.value(8.0); // a replay uses what was there at trace_off
  BOOST_TEST(value(3.0) == 21.0);
}

BOOST_AUTO_TEST_CASE(moved) {
  pdouble p(2.0), q(3.0);
  const std::size_t index = q.loc();
  p = std::move(q);
  BOOST_TEST(p.loc() == index);
  BOOST_TEST(p.value() == 3.0);
  expectError(ErrorType::INVALID_ACTIVE_VARIABLE, {}, [&] { q.value(); });
  expectError(ErrorType::INVALID_ACTIVE_VARIABLE, {}, [&] { q.value(1.0); });
  BOOST_CHECK_THROW(static_cast<void>(static_cast<adouble>(q)), ADOLCError::ADOLCError);
  pdouble r(std::move(p));
  BOOST_TEST(r.value() == 3.0);
  pdouble &alias = r;
  r = std::move(alias);
  BOOST_TEST(r.value() == 3.0);
  q = std::move(r);
  BOOST_TEST(q.value() == 3.0);
}

BOOST_AUTO_TEST_CASE(of_another_tape) {
  pdouble p(2.0);
  const short other = createNewTape();
  setCurrentTape(other);
  expectError(ErrorType::PARAM_OOB, {std::to_string(other)},
              [&] { static_cast<void>(static_cast<adouble>(p)); });
  BOOST_TEST(p.value() == 2.0);
  setCurrentTape(id);
  BOOST_TEST(static_cast<adouble>(p).value() == 2.0);
}

BOOST_AUTO_TEST_CASE(outlives_its_tape) {
  pdouble p(2.0);
  setCurrentTape(nullptr);
  ADOLC::removeTape(id);
  expectError(ErrorType::INVALID_ACTIVE_VARIABLE, {}, [&] { p.value(); });
}

BOOST_AUTO_TEST_CASE(expressions) {
  trace_on(id);
  {
    pdouble p(2.0), q(3.0);
    adouble x, y;
    x <<= 5.0;
    y = +p;
    BOOST_TEST(y.value() == 2.0);
    BOOST_TEST((-p).value() == -2.0);
    BOOST_TEST((p + x).value() == 7.0);
    BOOST_TEST((x + p).value() == 7.0);
    BOOST_TEST((p - x).value() == -3.0);
    BOOST_TEST((x - p).value() == 3.0);
    BOOST_TEST((p * x).value() == 10.0);
    BOOST_TEST((x / p).value() == 2.5);
    BOOST_TEST((p / x).value() == 0.4);
    BOOST_TEST((p + 1.0).value() == 3.0);
    BOOST_TEST((1 - p).value() == -1.0);
    BOOST_TEST((p * q).value() == 6.0);
    BOOST_TEST((p / q).value() == 2.0 / 3.0);
    BOOST_TEST((x + x * p).value() == 15.0);
    BOOST_TEST(fmin(p, x).value() == 2.0);
    BOOST_TEST(fmin(p, q).value() == 2.0);
    BOOST_TEST(fmax(p, 1.0).value() == 2.0);
    BOOST_TEST(max(p, x).value() == 5.0);
    BOOST_TEST(min(1.0, p).value() == 1.0);
    BOOST_TEST(pow(x, p).value() == 25.0);
    BOOST_TEST(pow(p, x).value() == 32.0);
    BOOST_TEST(pow(p, 3.0).value() == 8.0);
    BOOST_TEST(pow(3.0, p).value() == 9.0);
    BOOST_TEST(atan2(p, x).value() == std::atan2(2.0, 5.0));
    BOOST_TEST(atan2(x, p).value() == std::atan2(5.0, 2.0));
    BOOST_TEST(exp(p).value() == std::exp(2.0));
    BOOST_TEST(fabs(-p).value() == 2.0);
    BOOST_TEST(abs(p).value() == 2.0);
    BOOST_TEST((p < x && x > p && p <= x && x >= p && p != x && !(p == x)));
    BOOST_TEST((p < 3.0 && 3.0 > p && p == 2.0 && 2.0 == p && p < q));
    BOOST_TEST((isfinite(p) && isnormal(p) && !isnan(p) && !isinf(p)));
    y = p;
    BOOST_TEST(y.value() == 2.0);
    y += p;
    y *= q;
    y -= p;
    y /= p;
    BOOST_TEST(y.value() == 5.0);
    condassign(y, x, static_cast<adouble>(p));
    y *= x;
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 10.0);
  }
  trace_off();
  const double other[] = {3.0, 3.0}; // on the other side of none of the comparisons with x …
  set_param_vec(id, 2, other);
  const double at = 5.0;
  double y = 99.0;
  BOOST_TEST(function(id, 1, 1, &at, &y) == -1); // … but p == 2 and p < q were recorded
  BOOST_TEST(std::isnan(y));
}

// Tapes that record on the store of the thread share it, but not their parameters.
BOOST_AUTO_TEST_CASE(of_tapes_on_one_store) {
  setCurrentTape(nullptr);
  pdouble shared(7.0); // belongs to the tape that is recorded next
  trace_on(52);
  adouble x;
  x <<= 3.0;
  pdouble p(2.0);
  adouble y = p * x;
  double out = 0.0;
  y >>= out;
  trace_off();
  BOOST_TEST((shared.loc() == 0u && p.loc() == 1u));
  BOOST_TEST(get_num_param(52) == 2u);

  trace_on(53);
  pdouble q(5.0), r(1.0);
  BOOST_TEST((q.loc() == 0u && r.loc() == 1u));
  x <<= 3.0;
  y = x * r + q;
  y >>= out;
  trace_off();
  BOOST_TEST(get_num_param(53) == 2u);
  const double two[] = {10.0, 4.0};
  set_param_vec(53, 2, two);
  const double at = 3.0;
  double value = 0.0;
  BOOST_TEST(function(53, 1, 1, &at, &value) == 3);
  BOOST_TEST(value == 22.0);
  std::vector<double> read(2);
  findTape(53).getParamVec(read);
  BOOST_TEST((read[0] == 10.0 && read[1] == 4.0));

  trace_on(54); // none of its own, but uses one
  x <<= 3.0;
  y = x * q;
  y >>= out;
  trace_off();
  BOOST_TEST(get_num_param(54) == 1u);
  const double one = 6.0;
  set_param_vec(54, 1, &one);
  BOOST_TEST(function(54, 1, 1, &at, &value) == 3);
  BOOST_TEST(value == 18.0);

  trace_on(52); // the tape's own are still in use
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"52"}, [&] { findTape(52).getParamVec(read); });
  trace_off();
  BOOST_TEST(get_num_param(52) == 2u);
}

BOOST_AUTO_TEST_CASE(many) {
  std::vector<pdouble> p;
  for (int i = 0; i < 200000; ++i)
    p.emplace_back(1.0 * i);
  trace_on(id);
  trace_off();
  BOOST_TEST(get_num_param(id) == p.size());
  BOOST_TEST(p.back().loc() == p.size() - 1);
}

// ── the names of 2.7 ────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(mkparam_and_getparam) {
  setCurrentTape(nullptr);
  for (int round = 0; round < 3; ++round) {
    trace_on(51);
    {
      adouble x, y;
      x <<= 3.0;
      y = mkparam(2.0) * x;
      const locint index = mkparam_idx(5.0);
      BOOST_TEST(index == 1u);
      y += getparam(index) * getparam(index);
      expectError(ErrorType::PARAM_OOB, {"51", "2"}, [] { getparam(2); });
      double out = 0.0;
      y >>= out;
      BOOST_TEST(out == 31.0);
    }
    trace_off();
    BOOST_TEST(get_num_param(51) == 2u);
    double p[] = {4.0, 1.0};
    set_param_vec(51, 2, p);
    const double at = 3.0;
    double y = 0.0, g = 0.0;
    BOOST_TEST(function(51, 1, 1, &at, &y) == 3);
    BOOST_TEST(y == 13.0);
    BOOST_TEST(gradient(51, 1, &at, &g) == 3);
    BOOST_TEST(g == 4.0);
  }
  expectError(ErrorType::PARAM_OOB, {}, [] { getparam(0); });
}

// Indices that were released must not accumulate in long-running programs.
BOOST_AUTO_TEST_CASE(no_parameters_accumulate) {
  for (int i = 0; i < 1000; ++i) {
    pdouble p(1.0 * i);
    BOOST_TEST(p.loc() == 0u);
  }
  pdouble held(1.0);
  for (int i = 0; i < 1000; ++i)
    pdouble p(1.0 * i);
  trace_on(id);
  trace_off();
  BOOST_TEST(get_num_param(id) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
