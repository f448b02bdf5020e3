// SPDX-License-Identifier: MIT
// Sweeps tell how far they are, and can be ended there.
#include "support/expect.h"

#include <adolc/diagnostics.h>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <thread>

using namespace test;

namespace {

constexpr short kTag = 74;

struct Recorded : CleanThread {
  Recorded() {
    recordScalar(
        kTag, {0.5},
        [](auto &x) {
          adouble y = 1.0;
          for (int i = 0; i < 20000; ++i)
            y = y * x[0] + 1.0;
          return y;
        },
        1);
  }
  ~Recorded() {
    ADOLC::setProgressHook({});
    ADOLC::removeTape(kTag);
  }
  double x = 0.25, y = 0.0, g = 0.0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(progress, Recorded)

BOOST_AUTO_TEST_CASE(grows_to_the_end_in_both_directions) {
  std::vector<double> told;
  ADOLC::setProgressHook([&told](double fraction) { told.push_back(fraction); });
  const auto check = [&told] {
    BOOST_TEST(told.size() > 10u);
    for (std::size_t i = 0; i < told.size(); ++i)
      BOOST_TEST((told[i] > (i == 0 ? 0.0 : told[i - 1]) && told[i] < 1.0));
    BOOST_TEST(told.back() > 0.9);
    told.clear();
  };
  BOOST_TEST(zos_forward(kTag, 1, 1, 1, &x, &y) == 3);
  check();
  const double weight = 1.0;
  BOOST_TEST(fos_reverse(kTag, 1, 1, &weight, &g) == 3);
  check();
  std::thread([] { // another thread has none
    double at = 0.25, value = 0.0;
    zos_forward(kTag, 1, 1, 0, &at, &value);
  })
      .join();
  BOOST_TEST(told.empty());
  ADOLC::setProgressHook({});
  BOOST_TEST(gradient(kTag, 1, &x, &g) == 3);
  BOOST_TEST(told.empty());
}

BOOST_AUTO_TEST_CASE(an_exception_ends_the_sweep) {
  BOOST_TEST(gradient(kTag, 1, &x, &g) == 3);
  const double expected = g, weight = 1.0;
  for (const bool reverse : {false, true}) {
    ADOLC::setProgressHook([](double fraction) {
      if (fraction > 0.5)
        throw std::runtime_error("enough");
    });
    y = g = 1.0;
    if (reverse)
      BOOST_CHECK_THROW(fos_reverse(kTag, 1, 1, &weight, &g), std::runtime_error);
    else
      BOOST_CHECK_THROW(zos_forward(kTag, 1, 1, 1, &x, &y), std::runtime_error);
    BOOST_TEST(std::isnan(reverse ? g : y));
    ADOLC::setProgressHook({});
    if (!reverse) // the Taylor stack is half of one
      expectError(ErrorType::REVERSE_NO_FOWARD, {}, [&] { fos_reverse(kTag, 1, 1, &weight, &g); });
    BOOST_TEST(gradient(kTag, 1, &x, &g) == 3);
    BOOST_TEST(g == expected);
  }
}

BOOST_AUTO_TEST_CASE(hooks_are_exchanged) {
  int first = 0, second = 0;
  BOOST_TEST(!ADOLC::setProgressHook([&first](double) { ++first; }));
  const auto former = ADOLC::setProgressHook([&second](double) { ++second; });
  BOOST_REQUIRE(former);
  former(0.5);
  zos_forward(kTag, 1, 1, 0, &x, &y);
  BOOST_TEST(first == 1);
  BOOST_TEST(second > 1);
}

/// Installs a hook when the thread ends, before and after its own hooks might have ended.
struct AtEndOfThread {
  int *calls;
  ~AtEndOfThread() {
    ADOLC::setProgressHook([this](double) { ++*calls; });
    const double at = 0.25;
    double value = 0.0;
    zos_forward(kTag, 1, 1, 0, &at, &value);
  }
};
/// A hook that another one follows when it ends.
struct Followed {
  int *ended;
  ~Followed() {
    ++*ended;
    ADOLC::setProgressHook([](double) {});
  }
};

BOOST_AUTO_TEST_CASE(installed_at_the_end_of_a_thread) {
  static int calls = 0, ended = 0;
  calls = 0;
  std::thread([] {
    static thread_local const AtEndOfThread before{&calls}; // ends last
    ADOLC::setProgressHook([](double) {});
    static thread_local const AtEndOfThread after{&calls};
    static_cast<void>(before.calls);
    static_cast<void>(after.calls);
  }).join();
  BOOST_TEST(calls > 20);
  std::thread([] {
    ADOLC::setProgressHook([last = std::make_shared<Followed>(&ended)](double) {});
  }).join();
  BOOST_TEST(ended == 1);
}

BOOST_AUTO_TEST_SUITE_END()
