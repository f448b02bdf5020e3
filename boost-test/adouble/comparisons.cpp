// SPDX-License-Identifier: MIT
// Recorded comparisons: outcomes, replay on both sides, on the boundary, with NaN; and what a sweep
// that leaves the recorded branch leaves behind.
#include "support/capture.h"
#include "support/expect.h"

#include <adolc/diagnostics.h>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace test;

namespace {

constexpr short kTag = 81;

/// y = x, and the comparison of x with something on the way.
void recordComparison(double at, const std::function<bool(const adouble &)> &compare,
                      bool expected) {
  recordScalar(kTag, {at}, [&](auto &x) {
    BOOST_TEST(compare(x[0]) == expected);
    return x[0];
  });
}
int codeAt(double x) {
  double y = 99.0;
  const int code = zos_forward(kTag, 1, 1, 0, &x, &y);
  BOOST_TEST(same(y, code < 0 ? kNaN : x));
  return code;
}

struct Case {
  const char *name;
  std::function<bool(const adouble &)> active;
  std::function<bool(double)> plain;
};

std::vector<Case> cases(double c) {
#define CASE(symbol)                                                                               \
  Case{"x " #symbol " c", [c](const adouble &x) { return x symbol c; },                            \
       [c](double x) { return x symbol c; }},                                                      \
      Case{"c " #symbol " x", [c](const adouble &x) { return c symbol x; },                        \
           [c](double x) { return c symbol x; }},                                                  \
      Case{"x " #symbol " y", [c](const adouble &x) { return x symbol adouble(c); },               \
           [c](double x) { return x symbol c; }},                                                  \
      Case {                                                                                       \
    "y " #symbol " x", [c](const adouble &x) { return adouble(c) symbol x; },                      \
        [c](double x) { return c symbol x; }                                                       \
  }
  return {CASE(==), CASE(!=), CASE(<), CASE(<=), CASE(>), CASE(>=)};
#undef CASE
}

struct Hook : CleanThread {
  std::vector<std::string> messages;
  Hook() {
    ADOLC::setDiagnosticsHook([this](std::string_view text) { messages.emplace_back(text); });
  }
  ~Hook() { ADOLC::setDiagnosticsHook({}); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(comparisons, Hook)

// All relations in all forms, recorded at and evaluated at points on both sides, on the boundary,
// and at NaN and infinities: the code is -1 exactly where the outcome differs, 0 on the boundary.
BOOST_AUTO_TEST_CASE(every_relation_everywhere) {
  for (const double c : {0.0, 1.5, -2.0, kInf, kNaN})
    for (const Case &relation : cases(c)) {
      const double points[] = {c, c - 1.0, c + 1.0, kNaN, kInf, -kInf, 0.0, -0.0};
      for (const double at : points) {
        recordComparison(at, relation.active, relation.plain(at));
        for (const double x : points) {
          const int expected = relation.plain(x) != relation.plain(at) ? -1 : x == c ? 0 : 3;
          BOOST_TEST_CONTEXT(relation.name << " with c = " << c << ", recorded at " << at
                                           << ", evaluated at " << x)
          BOOST_TEST(codeAt(x) == expected);
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(integers_and_mixed_types) {
  adouble x = 2.0;
  BOOST_TEST((x == 2 && x != 3 && x < 3 && 1 < x && x <= 2u && x > 1.0f && !(2 > x) && x >= 2L));
}

BOOST_AUTO_TEST_CASE(code_of_the_boundary_in_every_sweep) {
  recordScalar(kTag, {1.0}, [](auto &x) {
    BOOST_TEST(!(x[0] > 1.0));
    return 2.0 * x[0];
  });
  const double at = 1.0, seed = 1.0;
  double y = 0.0, Y = 0.0, z = 0.0;
  double *row = &Y;
  const double *seedRow = &seed;
  BOOST_TEST(zos_forward(kTag, 1, 1, 1, &at, &y) == 0);
  BOOST_TEST(fos_reverse(kTag, 1, 1, &seed, &z) == 0);
  BOOST_TEST(z == 2.0);
  BOOST_TEST(fos_forward(kTag, 1, 1, 0, &at, &seed, &y, &Y) == 0);
  BOOST_TEST(Y == 2.0);
  BOOST_TEST(fov_forward(kTag, 1, 1, 1, &at, &seedRow, &y, &row) == 0);
  BOOST_TEST(fov_reverse(kTag, 1, 1, 1, &seedRow, &row) == 0);
  BOOST_TEST(gradient(kTag, 1, &at, &z) == 0);
  BOOST_TEST(jacobian(kTag, 1, 1, &at, &row) == 0);
  BOOST_TEST(ADOLC::gradient(kTag, std::span(&at, 1)).at(0) == 2.0); // not an error
}

BOOST_AUTO_TEST_CASE(branch_flip_leaves_nothing_stale) {
  const auto f = [](auto &x) { return x[0] > 0.0 ? x[0] * x[0] : -x[0]; };
  recordScalar(kTag, {2.0}, f);
  const double at = -3.0, seed = 1.0;
  const double *seedRow = &seed;
  const auto expectFlip = [&](const char *what,
                              const std::function<int(double *, double *)> &sweep) {
    double a = 99.0, b = 99.0;
    BOOST_TEST_CONTEXT(what) {
      BOOST_TEST(sweep(&a, &b) == -1);
      BOOST_TEST(std::isnan(a));
      BOOST_TEST((b == 99.0 || std::isnan(b)));
    }
    return b;
  };
  expectFlip("zos", [&](double *y, double *) { return zos_forward(kTag, 1, 1, 0, &at, y); });
  expectFlip("zos keep", [&](double *y, double *) { return zos_forward(kTag, 1, 1, 1, &at, y); });
  for (const int keep : {0, 1, 2})
    BOOST_TEST(std::isnan(expectFlip("fos", [&](double *y, double *Y) {
      return fos_forward(kTag, 1, 1, keep, &at, &seed, y, Y);
    })));
  BOOST_TEST(std::isnan(expectFlip("fov", [&](double *y, double *Y) {
    return fov_forward(kTag, 1, 1, 1, &at, &seedRow, y, &Y);
  })));
  expectFlip("function", [&](double *y, double *) { return function(kTag, 1, 1, &at, y); });
  expectFlip("gradient", [&](double *g, double *) { return gradient(kTag, 1, &at, g); });
  expectFlip("jacobian", [&](double *J, double *) { return jacobian(kTag, 1, 1, &at, &J); });
  BOOST_TEST(std::isnan(expectFlip("large_jacobian", [&](double *y, double *J) {
    double x = at;
    return large_jacobian(kTag, 1, 1, 1, &x, y, &J);
  })));
  expectFlip("vec_jac", [&](double *z, double *) { return vec_jac(kTag, 1, 1, 0, &at, &seed, z); });
  expectFlip("jac_vec", [&](double *w, double *) { return jac_vec(kTag, 1, 1, &at, &seed, w); });
  expectFlip("jac_solv", [&](double *b, double *) {
    return jac_solv(static_cast<unsigned short>(kTag), 1, &at, b, 2);
  });
  expectFlip("forward", [&](double *y, double *) { return forward(kTag, 1, 1, 0, &at, y); });
  expectFlip("span function", [&](double *y, double *) {
    return ADOLC::function(kTag, std::span(&at, 1), std::span(y, 1));
  });
  expectFlip("Fortran", [&](double *g, double *) {
    const fint tag = kTag, n = 1;
    return static_cast<int>(gradient_(&tag, &n, &at, g));
  });
  for (const char *what : {"function", "gradient", "jacobian"})
    expectError(ErrorType::BRANCH_SWITCH, {std::to_string(kTag), what, "operation"}, [&] {
      const std::span<const double> x(&at, 1);
      if (what == std::string("function"))
        ADOLC::function(kTag, x);
      else if (what == std::string("gradient"))
        ADOLC::gradient(kTag, x);
      else
        ADOLC::jacobian(kTag, x);
    });
  // The Taylor stack of the sweep that was stopped is not used.
  double z = 99.0;
  expectError(ErrorType::REVERSE_NO_FOWARD, {std::to_string(kTag)},
              [&] { fos_reverse(kTag, 1, 1, &seed, &z); });
  BOOST_TEST(std::isnan(z));
  // The tape still works on its own branch, and after recording again on the other one.
  BOOST_TEST(ADOLC::gradient(kTag, std::vector{5.0}).at(0) == 10.0);
  recordScalar(kTag, {-3.0}, f);
  BOOST_TEST(ADOLC::function(kTag, std::span(&at, 1)).at(0) == 3.0);
  BOOST_TEST(ADOLC::gradient(kTag, std::span(&at, 1)).at(0) == -1.0);
}

BOOST_AUTO_TEST_CASE(all_outputs_of_many_are_poisoned) {
  record(kTag, std::vector<double>(20, 1.0), [](auto &x) {
    std::vector<adouble> y;
    for (int i = 0; i < 5; ++i)
      y.push_back(x[0] * i);
    BOOST_TEST((x[19] > 0.0)); // after the first outputs have been computed
    for (int i = 0; i < 5; ++i)
      y.push_back(x[1] * i);
    return y;
  });
  std::vector<double> at(20, 1.0), y(10, 99.0);
  at[19] = -1.0;
  Matrix J(10, 20, 99.0), K(10, 20, 99.0);
  BOOST_TEST(jacobian(kTag, 10, 20, at.data(), J.get()) == -1);
  BOOST_TEST(allNaN(J.flat()));
  BOOST_TEST(large_jacobian(kTag, 10, 20, 3, at.data(), y.data(), K.get()) == -1);
  BOOST_TEST(allNaN(K.flat()));
  BOOST_TEST(allNaN(y));
}

BOOST_AUTO_TEST_CASE(which_comparison_flipped) {
  recordScalar(kTag, {2.0, 1.0}, [](auto &x) {
    BOOST_TEST((x[0] > 0.0));
    adouble t = x[0] * x[1];
    BOOST_TEST((t < x[0] + 5.0));
    return t;
  });
  const double at[] = {2.0, 10.0};
  double y = 0.0;
  BOOST_TEST(function(kTag, 1, 2, at, &y) == -1);
  ValueTape::BranchSwitch flip = findTape(kTag).lastBranchSwitch();
  BOOST_TEST(flip.opcode == branch_lt_a_a);
  BOOST_TEST(flip.operands[0] == 20.0);
  BOOST_TEST(flip.operands[1] == 7.0);
  // start, 2 assign_d_zero, 2 assign_ind, gt_zero, mult, plus, then the comparison
  BOOST_TEST(flip.operation >= 6u);
  const double early[] = {-1.0, 10.0};
  const std::size_t before = flip.operation;
  BOOST_TEST(function(kTag, 1, 2, early, &y) == -1);
  flip = findTape(kTag).lastBranchSwitch();
  BOOST_TEST(flip.opcode == gt_zero);
  BOOST_TEST(flip.operation == before - 3);
}

BOOST_AUTO_TEST_CASE(far_behind_in_a_long_recording) {
  recordScalar(kTag, {1.0}, [](auto &x) {
    adouble y = 0.0;
    for (int i = 0; i < 50000; ++i)
      y += x[0];
    BOOST_TEST((y > 0.0));
    return y;
  });
  const double at = -1.0;
  double y = 0.0;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  const auto stats = tapestats(kTag);
  // the last operations are the comparison, assign_dep, end_of_tape and perhaps a copy
  BOOST_TEST(findTape(kTag).lastBranchSwitch().operation + 4 >= stats[NUM_OPERATIONS] - 1);
  BOOST_TEST(findTape(kTag).lastBranchSwitch().operation < stats[NUM_OPERATIONS]);
}

BOOST_AUTO_TEST_CASE(hook_is_called_only_when_enabled) {
  recordScalar(kTag, {2.0}, [](auto &x) { return x[0] > 0.0 ? x[0] : -x[0]; });
  const double at = -3.0, good = 1.0;
  double y = 0.0;
  Capture capture;
  BOOST_TEST(function(kTag, 1, 1, &good, &y) == 3);
  BOOST_TEST(messages.empty());
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_TEST(messages.size() == 1u);
  findTape(kTag).disableBranchSwitchWarnings();
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_TEST(messages.size() == 1u);
  findTape(kTag).enableBranchSwitchWarnings();
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_TEST(messages.size() == 2u);
  ADOLC::setDiagnosticsHook({});
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  try {
    function(32000, 1, 1, &at, &y);
  } catch (const ADOLCError::ADOLCError &) {
  }
  const std::string printed = capture.finish();
  BOOST_TEST(messages.size() == 2u);
  BOOST_TEST(printed == "");
  BOOST_REQUIRE(!messages.empty());
  BOOST_TEST(messages[0].find("tape " + std::to_string(kTag)) != std::string::npos);
  BOOST_TEST(messages[0].find("-3") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_is_printed_by_ordinary_work) {
  Capture capture;
  recordScalar(kTag, {0.0, 0.0}, [](auto &x) { return fmin(x[0], x[1]) + fabs(x[0]); });
  const double at[] = {0.0, 0.0};
  double g[2] = {};
  const int code = gradient(kTag, 2, at, g); // a tie
  std::string text;
  try {
    gradient(kTag, 3, at, g);
  } catch (const ADOLCError::ADOLCError &error) {
    text = error.what();
  }
  ADOLC::tryRemoveTape(32001);
  const std::string printed = capture.finish();
  BOOST_TEST(printed == "");
  BOOST_TEST(code == 1);
  BOOST_TEST(!text.empty());
}

BOOST_AUTO_TEST_CASE(former_hook_is_returned) {
  int calls = 0;
  auto former = ADOLC::setDiagnosticsHook([&calls](std::string_view) { ++calls; });
  BOOST_TEST(static_cast<bool>(former));
  former("direct");
  BOOST_TEST(messages.size() == 1u);
  ADOLC::setDiagnosticsHook(former);
  BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_CASE(hook_may_install_another_hook) {
  recordScalar(kTag, {2.0}, [](auto &x) { return x[0] > 0.0 ? x[0] : -x[0]; });
  const double at = -3.0;
  double y = 0.0;
  int calls = 0;
  ADOLC::setDiagnosticsHook([&calls](std::string_view) {
    ++calls;
    ADOLC::setDiagnosticsHook([&calls](std::string_view) { calls += 10; });
  });
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_TEST(calls == 1);
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_TEST(calls == 11);
}

// The tape of the message is in its sweep; others are not.
BOOST_AUTO_TEST_CASE(hook_may_use_other_tapes_only) {
  recordScalar(kTag, {2.0}, [](auto &x) { return x[0] > 0.0 ? x[0] : -x[0]; });
  recordScalar(kTag + 1, {2.0}, [](auto &x) { return x[0] * x[0]; });
  const double at = -3.0;
  int calls = 0;
  ADOLC::setDiagnosticsHook([&](std::string_view) {
    ++calls;
    double y = 99.0, *row = &y;
    const auto refused = [](const std::function<void()> &f) {
      expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {std::to_string(kTag)}, f);
    };
    refused([&] { zos_forward(kTag, 1, 1, 1, &at, &y); });
    refused([&] { gradient(kTag, 1, &at, &y); });
    refused([&] { jacobian(kTag, 1, 1, &at, &row); });
    refused([&] { ADOLC::function(kTag, std::span(&at, 1)); });
    refused([&] { trace_on(kTag); });
    refused([&] { set_param_vec(kTag, 0, nullptr); });
    refused([&] { ADOLC::removeTape(kTag); });
    BOOST_TEST(y == 99.0);
    BOOST_TEST(findTape(kTag).lastBranchSwitch().operands[0] == -3.0);
    BOOST_TEST(function(kTag + 1, 1, 1, &at, &y) == 3);
    BOOST_TEST(y == 9.0);
  });
  double y = 0.0, g = 0.0;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_TEST(gradient(kTag, 1, &at, &g) == -1);
  BOOST_TEST(calls == 2);
  ADOLC::setDiagnosticsHook({});
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1); // and the tape is free again
  BOOST_TEST(trace_on(kTag) == 0);
  trace_off();
}

BOOST_AUTO_TEST_CASE(messages_tell_what_was_refused_in_full_digits) {
  recordScalar(kTag, {2.0}, [](auto &x) { return x[0] > 1e-12 ? x[0] : -x[0]; });
  double at = 1e-13, y = 0.0;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -1);
  BOOST_REQUIRE(messages.size() == 1u);
  const auto last = [&](const char *word) {
    return messages.back().find(word) != std::string::npos;
  };
  BOOST_TEST((last("comparison") && last("1e-13") && last("9.9999999999999998e-13")));
  recordScalar(kTag, {0.1}, [](auto &x) { return quadrature(x[0], 8.0, 3.0 * x[0]); });
  at = 0.25;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -2);
  BOOST_REQUIRE(messages.size() == 2u);
  BOOST_TEST((last("quadrature") && last("0.25") && last("0.10000000000000001")));
  BOOST_TEST(!last("comparison"));
  expectError(ErrorType::QUADRATURE_ELSEWHERE, {std::to_string(kTag), "quadrature"},
              [&] { ADOLC::function(kTag, std::span<const double>(&at, 1)); });
}

// advanced_branching.cpp, in the same program, has these operators with another result.
BOOST_AUTO_TEST_CASE(comparisons_with_parameters_are_bool_here) {
  static_assert(std::is_same_v<decltype(std::declval<pdouble>() < std::declval<adouble>()), bool>);
  pdouble p(2.0);
  adouble x = 3.0;
  BOOST_TEST((p < x && p <= x && p != x && x > p && x >= p && !(p == x)));
}

BOOST_AUTO_TEST_CASE(quadrature_elsewhere) {
  recordScalar(kTag, {2.0}, [](auto &x) { return quadrature(x[0], 8.0, 3.0 * x[0] * x[0]); });
  double at = 2.0, y = 99.0, g = 99.0;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 8.0);
  BOOST_TEST(gradient(kTag, 1, &at, &g) == 3);
  BOOST_TEST(g == 12.0);
  at = 2.5;
  BOOST_TEST(function(kTag, 1, 1, &at, &y) == -2);
  BOOST_TEST(std::isnan(y));
  BOOST_TEST(gradient(kTag, 1, &at, &g) == -2);
  BOOST_TEST(std::isnan(g));
}

BOOST_AUTO_TEST_CASE(nan_and_infinite_inputs) {
  record(kTag, {1.0, 2.0}, [](auto &x) {
    std::vector<adouble> y;
    y.push_back(x[0] * 2.0);
    y.push_back(x[1] + x[0] * 0.0);
    y.push_back(fmax(x[0], x[1]));
    return y;
  });
  double y[3];
  const double nan[] = {kNaN, 2.0};
  BOOST_TEST(function(kTag, 3, 2, nan, y) >= 0);
  BOOST_TEST((std::isnan(y[0]) && std::isnan(y[1]) && y[2] == 2.0));
  const double infinite[] = {kInf, -kInf};
  BOOST_TEST(function(kTag, 3, 2, infinite, y) >= 0);
  BOOST_TEST((y[0] == kInf && std::isnan(y[1]) && y[2] == kInf));
  const double fine[] = {3.0, 4.0};
  BOOST_TEST(function(kTag, 3, 2, fine, y) >= 0);
  BOOST_TEST((y[0] == 6.0 && y[1] == 4.0 && y[2] == 4.0));
}

BOOST_AUTO_TEST_SUITE_END()
