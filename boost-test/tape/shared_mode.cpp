// SPDX-License-Identifier: MIT
// Modes of access: who may use a tape at the same time, and what evaluations leave behind.
#include "support/expect.h"
#include "support/memory.h"
#include "support/temporary_directory.h"

#include <adolc/diagnostics.h>
#include <adolc/tapefile.h>
#include <adolc/workspace.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>

using namespace test;
using namespace std::chrono_literals;
using ADOLC::Workspace;
using ADOLC::detail::TapeEvaluationContext;
using ADOLC::detail::TapeUse;

namespace {

constexpr short kTag = 51, kOther = 52;

adouble program(std::vector<adouble> &x) {
  adouble y = x[0];
  for (int i = 0; i < 2000; ++i)
    y = sin(y) * x[1] + x[0] * 0.5;
  if (y > 1e6)
    y = 0.0;
  return y;
}

struct Fixture : CleanThread {
  std::vector<double> x{0.7, 0.3}, expected{0.0, 0.0};
  Fixture() {
    recordScalar(kTag, x, program);
    expected = ADOLC::gradient(kTag, x);
    findTape(kTag).setSharedMode();
  }
  ~Fixture() {
    for (const short tag : {kTag, kOther})
      if (findTapePtr_(tag) != nullptr)
        ADOLC::removeTape(tag);
  }
  ValueTape &tape() { return findTape(kTag); }
};

/// What another thread gets from f.
template <class F> auto elsewhere(F &&f) { return std::async(std::launch::async, f).get(); }
bool canShare(ValueTape &tape) {
  return elsewhere(
      [&] { return std::shared_lock(tape.accessMutex(), std::try_to_lock).owns_lock(); });
}
bool canHave(ValueTape &tape) {
  return elsewhere(
      [&] { return std::unique_lock(tape.accessMutex(), std::try_to_lock).owns_lock(); });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(shared_mode, Fixture)

BOOST_AUTO_TEST_CASE(modes) {
  BOOST_TEST(!tape().isExclusiveNonLocking());
  BOOST_TEST(!tape().isExclusiveLocking());
  tape().setSharedMode(); // nothing to do
  tape().setExclusiveMode();
  BOOST_TEST(tape().isExclusiveNonLocking());
  BOOST_TEST(tape().isExclusiveLocking());
  tape().setExclusiveMode();
  // A new tape begins in exclusive mode, also with the id of a removed one.
  tape().setSharedMode();
  ADOLC::removeTape(kTag);
  trace_on(kTag), trace_off();
  BOOST_TEST(tape().isExclusiveNonLocking());
}

BOOST_AUTO_TEST_CASE(modes_do_not_change_while_the_tape_is_in_use) {
  trace_on(kTag);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [&] { tape().setExclusiveMode(); });
  trace_off();
  BOOST_TEST(!tape().isExclusiveNonLocking());
  std::future<void> change;
  {
    TapeEvaluationContext context(kTag, "here", TapeUse::reads);
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [&] { tape().setExclusiveMode(); });
    change = std::async(std::launch::async, [&] { tape().setExclusiveMode(); });
    BOOST_TEST((change.wait_for(50ms) == std::future_status::timeout));
    BOOST_TEST(!tape().isExclusiveNonLocking());
  }
  change.get();
  BOOST_TEST(tape().isExclusiveNonLocking());
}

BOOST_AUTO_TEST_CASE(contexts) {
  using Forward = ValueTape::Forward;
  using Reverse = ValueTape::Reverse;
  {
    TapeEvaluationContext shared = tape().init_sweep<Forward>();
    BOOST_TEST(!shared.isOwner());
    BOOST_TEST(canShare(tape()));
    BOOST_TEST(!canHave(tape()));
    TapeEvaluationContext moved = std::move(shared);
    BOOST_TEST(!canHave(tape()));
    BOOST_TEST(tape().evaluatedHere());
    tape().end_sweep(std::move(moved));
    BOOST_TEST(canHave(tape()));
    BOOST_TEST(!tape().evaluatedHere());
  }
  {
    TapeEvaluationContext keeping = tape().init_sweep<Forward>(1);
    BOOST_TEST(keeping.isOwner());
    BOOST_TEST(!canShare(tape()));
    tape().end_sweep(keeping);
    BOOST_TEST(canHave(tape()));
  }
  BOOST_TEST(!tape().init_sweep<Reverse>().isOwner());
  tape().setExclusiveMode();
  BOOST_TEST(tape().init_sweep<Reverse>().isOwner());
  BOOST_TEST(tape().init_sweep<Forward>().isOwner());
  BOOST_TEST(canHave(tape()));
  // Recording.
  trace_on(kTag);
  BOOST_TEST(!canShare(tape()));
  auto change = std::async(std::launch::async, [&] { tape().setSharedMode(); });
  auto mode = std::async(std::launch::async, [&] { return tape().isExclusiveLocking(); });
  BOOST_TEST((change.wait_for(50ms) == std::future_status::timeout));
  BOOST_TEST((mode.wait_for(0ms) == std::future_status::timeout));
  trace_off();
  change.get();
  mode.get();
  BOOST_TEST(canShare(tape()));
}

BOOST_AUTO_TEST_CASE(the_same_thread_does_not_wait_for_itself) {
  TapeEvaluationContext context(kTag, "here", TapeUse::reads);
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [&] { ADOLC::gradient(kTag, x); });
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [&] { trace_on(kTag); });
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {}, [&] { ADOLC::removeTape(kTag); });
  BOOST_TEST(tapestats(kTag)[NUM_INDEPENDENTS] == 2u); // reading is possible
}

// As long as somebody reads what the tape owns, nobody replaces or removes it.
BOOST_AUTO_TEST_CASE(who_shares_the_tape_keeps_it) {
  std::future<void> recording;
  {
    TapeEvaluationContext context(kTag, "here", TapeUse::reads);
    recording = std::async(std::launch::async, [&] { recordScalar(kTag, x, program); });
    BOOST_TEST((recording.wait_for(50ms) == std::future_status::timeout));
    BOOST_TEST(!elsewhere([&] { return ADOLC::tryRemoveTape(kTag); }));
    BOOST_TEST(context.recording().numInds == 2u);
  }
  recording.get();
  BOOST_TEST(elsewhere([&] { return ADOLC::tryRemoveTape(kTag); }));
}

BOOST_AUTO_TEST_CASE(sharing_a_tape_changes_nothing_of_it) {
  const TemporaryDirectory directory;
  const auto bytes = [](const char *name) {
    ADOLC::saveTape(kTag, name);
    std::ifstream file(name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = bytes("before");
  const auto stats = tapestats(kTag);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      Workspace workspace;
      std::vector<double> g(2), seed{1.0, 2.0};
      for (int i = 0; i < 20; ++i) {
        ADOLC::function(kTag, x);
        ADOLC::gradient(kTag, x);
        ADOLC::gradient(kTag, workspace, x, g);
        ADOLC::jac_vec(kTag, x, seed);
        ADOLC::jacobian(kTag, x);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST((bytes("after") == before));
  BOOST_TEST(tapestats(kTag) == stats, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(drivers_leave_the_published_stack_alone) {
  std::vector<double> y(1), z(2), again(2), u{1.0}, other{0.1, 0.9};
  BOOST_TEST(zos_forward(kTag, 1, 2, 1, x.data(), y.data()) == 3);
  const auto reverse = [&](std::vector<double> &to) {
    BOOST_TEST(fos_reverse(kTag, 1, 2, u.data(), to.data()) == 3);
  };
  reverse(z);
  BOOST_TEST(z == expected, boost::test_tools::per_element());
  const std::vector<double> elsewhereGradient = ADOLC::gradient(kTag, other);
  BOOST_TEST((elsewhereGradient != expected));
  ADOLC::jacobian(kTag, other);
  ADOLC::function(kTag, other);
  reverse(again);
  BOOST_TEST(again == z, boost::test_tools::per_element());
  // In a workspace neither.
  Workspace workspace;
  ADOLC::zos_forward(kTag, workspace, 1, other, y);
  std::vector<double> mine(2);
  ADOLC::fos_reverse(kTag, workspace, u, mine);
  BOOST_TEST(mine == elsewhereGradient, boost::test_tools::per_element());
  reverse(again);
  BOOST_TEST(again == z, boost::test_tools::per_element());
}

// Only sweeps that are complete publish.
BOOST_AUTO_TEST_CASE(a_sweep_that_fails_publishes_nothing_and_gives_everything_back) {
  std::vector<double> y(1), z(2), u{1.0};
  zos_forward(kTag, 1, 2, 1, x.data(), y.data());
  const auto former = ADOLC::setProgressHook([](double) { throw std::runtime_error("enough"); });
  BOOST_CHECK_THROW(zos_forward(kTag, 1, 2, 1, x.data(), y.data()), std::runtime_error);
  BOOST_CHECK_THROW(ADOLC::gradient(kTag, x), std::runtime_error);
  ADOLC::setProgressHook(former);
  BOOST_TEST(canHave(tape()));
  expectError(ErrorType::REVERSE_NO_FOWARD, {},
              [&] { fos_reverse(kTag, 1, 2, u.data(), z.data()); });
  BOOST_TEST(ADOLC::gradient(kTag, x) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(external_functions_are_refused) {
  BOOST_TEST(!tape().containsExtDiff());
  trace_on(kTag);
  {
    adouble a;
    a <<= 1.0;
    tape().registerExtDiff();
    double v = 0.0;
    a >>= v;
  }
  trace_off();
  BOOST_TEST(tape().containsExtDiff());
  const std::vector<double> one{1.0};
  expectError(ErrorType::EXT_DIFF_SHARED_MODE, {}, [&] { ADOLC::function(kTag, one); });
  BOOST_TEST(canHave(tape()));
  // What sweeps nothing, and what has the tape for itself.
  BOOST_TEST(ADOLC::tapeShape(kTag).n == 1u);
  std::vector<double> y(1);
  BOOST_TEST(ADOLC::zos_forward(kTag, 1, one, y) == 3);
  expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {}, [&] { tape().registerExtDiff(); });
  tape().setExclusiveMode();
  BOOST_TEST(ADOLC::function(kTag, one)[0] == 1.0);
  recordScalar(kTag, x, program);
  BOOST_TEST(!tape().containsExtDiff());
}

// ── workspaces ──────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(all_drivers_in_a_workspace) {
  for (const bool exclusive : {false, true}) {
    exclusive ? tape().setExclusiveMode() : tape().setSharedMode();
    Workspace workspace;
    std::vector<double> y(1), g(2), J(2), z(2), w(1), Y(1), v{1.0, -2.0}, u{2.0}, yy(1), ww(1);
    BOOST_TEST(ADOLC::function(kTag, workspace, x, y) == 3);
    BOOST_TEST(y == ADOLC::function(kTag, x), boost::test_tools::per_element());
    BOOST_TEST(ADOLC::gradient(kTag, workspace, x, g) == 3);
    BOOST_TEST(g == expected, boost::test_tools::per_element());
    BOOST_TEST(ADOLC::jacobian(kTag, workspace, x, J) == 3);
    BOOST_TEST(J == ADOLC::jacobian(kTag, x), boost::test_tools::per_element());
    BOOST_TEST(ADOLC::vec_jac(kTag, workspace, x, u, z) == 3);
    BOOST_TEST(z == ADOLC::vec_jac(kTag, x, u), boost::test_tools::per_element());
    BOOST_TEST(ADOLC::jac_vec(kTag, workspace, x, v, w) == 3);
    BOOST_TEST(w == ADOLC::jac_vec(kTag, x, v), boost::test_tools::per_element());
    for (const int keep : {1, 2}) {
      BOOST_TEST(ADOLC::fos_forward(kTag, workspace, keep, x, v, yy, Y) == 3);
      BOOST_TEST(Y == w, boost::test_tools::per_element());
      BOOST_TEST(ADOLC::fos_reverse(kTag, workspace, std::vector{1.0}, z) == 3);
      BOOST_TEST(z == expected, boost::test_tools::per_element());
    }
    std::vector<double> seeds{1.0, 1.0, -2.0, -2.0}, YY(2);
    BOOST_TEST(ADOLC::fov_forward(kTag, workspace, 2, x, seeds, yy, YY) == 3);
    BOOST_TEST(YY[1] == w[0]);
    std::vector<double> Z(4);
    BOOST_TEST(ADOLC::fov_reverse(kTag, workspace, 2, std::vector{1.0, 2.0}, Z) == 3);
    BOOST_TEST(Z[0] == expected[0]);
    BOOST_TEST(Z[3] == 2.0 * expected[1]);
    std::vector<double> H(4), W(4), h(2), X2(4), Y2(4), Z2(8), Z1(4);
    BOOST_TEST(ADOLC::hessian(kTag, workspace, x, H) == 3);
    BOOST_TEST(H == ADOLC::hessian(kTag, x), boost::test_tools::per_element());
    BOOST_TEST(ADOLC::hess_vec(kTag, workspace, x, v, h) == 3);
    BOOST_TEST(h == ADOLC::hess_vec(kTag, x, v), boost::test_tools::per_element());
    BOOST_TEST(ADOLC::hess_mat(kTag, workspace, 2, x, seeds, W) == 3);
    BOOST_TEST(W == ADOLC::hess_mat(kTag, 2, x, seeds), boost::test_tools::per_element());
    BOOST_TEST(ADOLC::lagra_hess_vec(kTag, workspace, x, v, u, z) == 3);
    BOOST_TEST(z == ADOLC::lagra_hess_vec(kTag, x, v, u), boost::test_tools::per_element());
    // Along v to first order; then the product is the coefficient 1 of the adjoints.
    BOOST_TEST(ADOLC::hos_forward(kTag, workspace, 1, 2, x, v, yy, Y) == 3);
    BOOST_TEST(Y == w, boost::test_tools::per_element());
    BOOST_TEST(ADOLC::hos_reverse(kTag, workspace, 1, std::vector{1.0}, Z1) == 3);
    BOOST_TEST((Z1[0] == expected[0] && Z1[1] == h[0] && Z1[2] == expected[1] && Z1[3] == h[1]));
    BOOST_TEST(ADOLC::hos_ti_reverse(kTag, workspace, 1, std::vector{1.0, 0.0}, Z2 = Z1) == 3);
    BOOST_TEST(Z2 == Z1, boost::test_tools::per_element());
    Z2.assign(8, 0.0);
    std::vector<short> nz(4);
    BOOST_TEST(ADOLC::hov_reverse(kTag, workspace, 1, 2, std::vector{0.0, 1.0}, Z2, nz) == 3);
    BOOST_TEST((Z2[1] == 0.0 && Z2[4] == Z1[0] && Z2[5] == Z1[1] && nz[0] == 0 && nz[2] != 0));
    BOOST_TEST(ADOLC::hov_ti_reverse(kTag, workspace, 1, 2, std::vector{0.0, 0.0, 1.0, 0.0}, Z2) ==
               3);
    BOOST_TEST((Z2[1] == 0.0 && Z2[4] == Z1[0] && Z2[5] == Z1[1]));
    X2 = {v[0], 1.0, v[1], 0.0}; // along v and along (1, 0), to first order
    Y2.assign(2, 0.0);
    BOOST_TEST(ADOLC::hov_forward(kTag, workspace, 1, 2, x, X2, yy, Y2) == 3);
    BOOST_TEST(Y2[0] == w[0]);
    BOOST_TEST(ADOLC::hov_wk_forward(kTag, workspace, 1, 2, 2, x, X2, yy, Y2) == 3);
    BOOST_TEST(Y2[0] == w[0]);
    BOOST_TEST(ADOLC::hos_ov_reverse(kTag, workspace, 1, 2, std::vector{1.0, 0.0}, Z2) == 3);
    BOOST_TEST((Z2[0] == Z1[0] && Z2[1] == Z1[1] && Z2[5] == H[0]));
    BOOST_TEST(ADOLC::zos_forward(kTag, workspace, 1, x, yy) == 3);
    // Any form, of which there need not be one with a workspace.
    BOOST_TEST(
        workspace.run([&] { return ::vec_jac(kTag, 1, 2, 1, nullptr, u.data(), z.data()); }) == 3);
    BOOST_TEST(z[0] == 2.0 * expected[0]);
  }
}

BOOST_AUTO_TEST_CASE(a_stack_of_another_recording_is_refused) {
  Workspace workspace;
  std::vector<double> y(1), z(2), u{1.0};
  const auto refused = [&] {
    z.assign(2, 1.0);
    expectError(ErrorType::REVERSE_NO_FOWARD, {},
                [&] { ADOLC::fos_reverse(kTag, workspace, u, z); });
    BOOST_TEST(allNaN(z));
  };
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {},
              [&] { ADOLC::fos_reverse(kTag, workspace, u, z); });
  ADOLC::zos_forward(kTag, workspace, 1, x, y);
  recordScalar(kTag, x, program);
  refused();
  ADOLC::zos_forward(kTag, workspace, 1, x, y);
  tape().setParamVec({});
  refused();
  // Of another tape.
  recordScalar(kOther, x, program);
  ADOLC::zos_forward(kOther, workspace, 1, x, y);
  refused();
  BOOST_TEST(ADOLC::fos_reverse(kOther, workspace, u, z) == 3);
  // A tape that is removed meanwhile.
  ADOLC::removeTape(kOther);
  recordScalar(kOther, x, program);
  expectError(ErrorType::REVERSE_NO_FOWARD, {},
              [&] { ADOLC::fos_reverse(kOther, workspace, u, z); });
}

BOOST_AUTO_TEST_CASE(one_workspace_is_not_used_twice_at_a_time) {
  Workspace workspace;
  std::vector<double> g(2, 1.0);
  workspace.run([&] {
    const TapeEvaluationContext context(kTag, "here", TapeUse::reads);
    elsewhere([&] {
      expectError(ErrorType::WORKSPACE_IN_USE, {}, [&] { ADOLC::gradient(kTag, workspace, x, g); });
      return 0;
    });
    BOOST_TEST(allNaN(g));
    // An evaluation within this one works elsewhere.
    recordScalar(kOther, x, program);
    BOOST_TEST(ADOLC::gradient(kOther, x) == expected, boost::test_tools::per_element());
    return 0;
  });
  BOOST_TEST(ADOLC::gradient(kTag, workspace, x, g) == 3);
  BOOST_TEST(g == expected, boost::test_tools::per_element());
}

// What begins in a workspace may end elsewhere.
BOOST_AUTO_TEST_CASE(evaluations_that_leave_the_scope_of_their_workspace) {
  std::vector<double> g(2);
  {
    Workspace workspace;
    TapeEvaluationContext context =
        workspace.run([&] { return tape().init_sweep<ValueTape::Forward>(); });
    tape().end_sweep(context);
    BOOST_TEST(ADOLC::gradient(kTag, workspace, x, g) == 3);
  }
  BOOST_TEST(ADOLC::gradient(kTag, x) == expected, boost::test_tools::per_element());
  // A workspace that was moved from, and one in another thread.
  Workspace first, second = std::move(first);
  BOOST_TEST(ADOLC::gradient(kTag, first, x, g) == 3);
  BOOST_TEST(elsewhere([&] { return ADOLC::gradient(kTag, second, x, g); }) == 3);
  BOOST_TEST(g == expected, boost::test_tools::per_element());
}

// Reading another tape in a workspace leaves its stack alone.
BOOST_AUTO_TEST_CASE(the_stack_is_that_of_the_last_sweep_with_keep) {
  Workspace workspace;
  findOrCreateTape(kOther).memoryBudget(std::size_t{1} << 16);
  recordScalar(kOther, x, program);
  std::vector<double> y(1), z(2), u{1.0};
  ADOLC::zos_forward(kTag, workspace, 1, x, y);
  ADOLC::function(kOther, workspace, x, y);
  BOOST_TEST(ADOLC::fos_reverse(kTag, workspace, u, z) == 3);
  BOOST_TEST(z == expected, boost::test_tools::per_element());
  ADOLC::gradient(kOther, workspace, x, z);
  BOOST_TEST(z == expected, boost::test_tools::per_element());
  expectError(ErrorType::REVERSE_NO_FOWARD, {}, [&] { ADOLC::fos_reverse(kTag, workspace, u, z); });
}

BOOST_AUTO_TEST_CASE(a_disk_that_fails_in_one_of_several_sweeps) {
  tape().memoryBudget(std::size_t{1} << 16);
  const auto longProgram = [](std::vector<adouble> &a) {
    adouble y = a[0];
    for (int i = 0; i < 30000; ++i)
      y = y * a[1] + a[0];
    return y;
  };
  recordScalar(kTag, x, longProgram);
  const std::vector<double> right = ADOLC::function(kTag, x);
  std::atomic<int> failed = 0, wrong = 0;
  ADOLC::detail::SpillGroup::failReads(10, EIO);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      std::vector<double> y(1, 1.0);
      for (int i = 0; i < 3; ++i)
        try {
          ADOLC::function(kTag, x, y);
          if (y != right)
            ++wrong;
        } catch (const ADOLCError::ADOLCError &) {
          ++failed;
          if (!std::isnan(y[0]))
            ++wrong;
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  ADOLC::detail::SpillGroup::failReads(0, 0);
  BOOST_TEST(failed > 0);
  BOOST_TEST(wrong == 0);
  BOOST_TEST(canHave(tape()));
  BOOST_TEST(ADOLC::function(kTag, x) == right, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(workspaces_under_a_budget) {
  constexpr int count = kSanitized ? 20000 : 100000;
  findTape(kTag).memoryBudget(std::size_t{1} << (kSanitized ? 17 : 20));
  const auto longProgram = [](std::vector<adouble> &a) {
    adouble y = a[0];
    for (int i = 0; i < count; ++i)
      y = sin(y) * a[1] + a[0];
    return y;
  };
  recordScalar(kTag, x, longProgram);
  const std::vector<double> right = ADOLC::gradient(kTag, x);
  std::vector<std::future<bool>> threads;
  for (int t = 0; t < 3; ++t)
    threads.push_back(std::async(std::launch::async, [&, t] {
      Workspace workspace;
      std::vector<double> g(2), y(1), z(2), u{1.0};
      bool same = true;
      for (int i = 0; i < 2; ++i) {
        ADOLC::gradient(kTag, workspace, x, g);
        same = same && g == right;
        if (t == 0)
          same = same && ADOLC::gradient(kTag, x) == right;
      }
      return same;
    }));
  for (auto &thread : threads)
    BOOST_TEST(thread.get());
  BOOST_TEST(tape().spillStatistics().onDisk > 0u);
  // On one published stack, which is on disk for the most part.
  std::vector<double> y(1), u{1.0};
  zos_forward(kTag, 1, 2, 1, x.data(), y.data());
  threads.clear();
  for (int t = 0; t < 3; ++t)
    threads.push_back(std::async(std::launch::async, [&] {
      std::vector<double> z(2);
      fos_reverse(kTag, 1, 2, u.data(), z.data());
      return z == right;
    }));
  for (auto &thread : threads)
    BOOST_TEST(thread.get());
}

BOOST_AUTO_TEST_CASE(branch_switches_are_those_of_the_thread) {
  const auto branches = [](std::vector<adouble> &a) {
    adouble y = a[0];
    for (int i = 0; i < 10; ++i)
      if (a[0] > i)
        y *= 2.0;
    return y;
  };
  recordScalar(kTag, {20.0}, branches);
  const auto operationAt = [](double at) {
    try {
      ADOLC::function(kTag, std::vector{at});
    } catch (const ADOLCError::ADOLCError &error) {
      const std::string text = error.what();
      return text.substr(0, text.find('\n'));
    }
    return std::string();
  };
  const std::string first = operationAt(0.5), second = operationAt(7.5);
  BOOST_TEST(first != second);
  auto other = std::async(std::launch::async, [&] {
    bool right = true;
    for (int i = 0; i < 500; ++i)
      right = right && operationAt(7.5) == second;
    return right;
  });
  for (int i = 0; i < 500; ++i)
    BOOST_REQUIRE(operationAt(0.5) == first);
  BOOST_TEST(other.get());
}

// Also not by those who have another tape meanwhile.
BOOST_AUTO_TEST_CASE(sharing_with_another_tape_in_hand_does_not_either) {
  std::atomic<bool> ends = false;
  std::vector<std::thread> readers;
  for (int t = 0; t < 4; ++t)
    readers.emplace_back([&] {
      const short mine = createNewTape();
      trace_on(mine);
      std::vector<double> y(1);
      while (!ends)
        for (int i = 0; i < 20; ++i)
          zos_forward(kTag, 1, 2, 0, x.data(), y.data());
      trace_off();
      setCurrentTape(nullptr);
      ADOLC::removeTape(mine);
    });
  std::vector<double> y(1);
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(zos_forward(kTag, 1, 2, 1, x.data(), y.data()) == 3);
  ends = true;
  for (std::thread &reader : readers)
    reader.join();
}

// Trying to remove a tape leaves alone what its recording thread works on.
BOOST_AUTO_TEST_CASE(a_tape_that_is_recorded_is_not_looked_into) {
  std::atomic<bool> ends = false;
  std::thread remover([&] {
    while (!ends)
      ADOLC::tryRemoveTape(kOther);
  });
  for (int round = 0; round < 20; ++round) {
    const short tag = kOther;
    trace_on(tag);
    {
      std::vector<adouble> given(300);
      std::thread([taken = std::move(given)] {}).join(); // its locations come back from elsewhere
      std::vector<adouble> many(3000);
      many[0] <<= 1.0;
      double v = 0.0;
      many[0] >>= v;
    }
    trace_off();
  }
  ends = true;
  remover.join();
}

// Whoever wants the tape for himself has his turn, however many share it without a pause.
BOOST_AUTO_TEST_CASE(sharing_does_not_keep_others_out_for_ever) {
  std::atomic<bool> ends = false;
  std::vector<std::thread> readers;
  for (int t = 0; t < 4; ++t)
    readers.emplace_back([&] {
      while (!ends)
        ADOLC::function(kTag, x);
    });
  std::vector<double> y(1);
  for (int i = 0; i < 20; ++i)
    BOOST_TEST(zos_forward(kTag, 1, 2, 1, x.data(), y.data()) == 3);
  tape().setExclusiveMode();
  tape().setSharedMode();
  ends = true;
  for (std::thread &reader : readers)
    reader.join();
}

BOOST_AUTO_TEST_SUITE_END()
