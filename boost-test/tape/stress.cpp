// SPDX-License-Identifier: MIT
// Everything at once: threads that record tapes of their own, sweep shared ones in every way,
// change modes, make and remove tapes, change their selection, and throw within recordings. Results
// are those of one thread, bit for bit. Under ThreadSanitizer this is what finds races.
//
// ADOLC_STRESS_SECONDS: for how long (default: some seconds); the soak run says minutes.
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/drivers/parallel_drivers.h>
#include <adolc/tapedoc/tapedoc.h>
#include <adolc/workspace.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

using namespace test;
using ADOLC::Workspace;

namespace {

constexpr std::size_t kNumInds = 5, kNumPoints = 4, kNumShared = 3;
/// Of the shared tapes; those that threads make get ids of their own.
constexpr short kFirstTag = 200;

std::chrono::seconds duration() {
  if (const char *const seconds = std::getenv("ADOLC_STRESS_SECONDS"))
    return std::chrono::seconds(std::atoi(seconds));
  return std::chrono::seconds(kSanitized ? 8 : 4);
}

/// As many operations as several segments have.
adouble program(const std::vector<adouble> &x, int variant) {
  adouble sum = 0.0;
  for (int i = 0; i < 300 * (variant + 1); ++i) {
    const adouble &a = x[static_cast<std::size_t>(i) % kNumInds];
    sum = sin(sum + a) * a + 0.125 * variant;
    if (sum > 1e3)
      sum -= 1.0;
  }
  return sum;
}

struct Point {
  std::vector<double> x, y, gradient, tangent, hessian, product, coefficients;
};

/// Of a curve of this degree.
constexpr int kDegree = 4;
std::vector<double> taylor(short tag, const std::vector<double> &x) {
  std::vector<double> curve, y(1), coefficients(kDegree);
  for (std::size_t i = 0; i < kNumInds * kDegree; ++i)
    curve.push_back(0.5 - 0.1 * static_cast<double>(i % 7));
  ADOLC::hos_forward(tag, kDegree, 0, x, curve, y, coefficients);
  return coefficients;
}

/// What one thread has computed.
struct Expected {
  std::vector<Point> points;
  std::vector<std::size_t> histogram;
};

std::vector<double> directions() {
  std::vector<double> v(kNumInds);
  for (std::size_t i = 0; i < kNumInds; ++i)
    v[i] = 1.0 - 0.3 * static_cast<double>(i);
  return v;
}
const std::vector<double> kDirection = directions();

void recordVariant(short tag, int variant) {
  recordScalar(tag, std::vector<double>(kNumInds, 0.4),
               [variant](std::vector<adouble> &x) { return program(x, variant); });
}

Expected serial(short tag) {
  Expected result;
  for (std::size_t p = 0; p < kNumPoints; ++p) {
    std::vector<double> x(kNumInds);
    for (std::size_t i = 0; i < kNumInds; ++i)
      x[i] = 0.1 + 0.07 * static_cast<double>(i + p);
    result.points.push_back({x, ADOLC::function(tag, x), ADOLC::gradient(tag, x),
                             ADOLC::jac_vec(tag, x, kDirection), ADOLC::hessian(tag, x),
                             ADOLC::hess_vec(tag, x, kDirection), taylor(tag, x)});
  }
  const auto histogram = ADOLC::opcodeHistogram(tag);
  result.histogram.assign(histogram.begin(), histogram.end());
  return result;
}

/// What went wrong, from any thread.
class Failures {
public:
  void check(bool ok, const char *what) {
    if (ok)
      return;
    const std::lock_guard lock(mutex_);
    if (++count_ <= 5)
      text_ << what << "; ";
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return count_ == 0 ? "" : std::to_string(count_) + ": " + text_.str();
  }

private:
  std::mutex mutex_;
  std::size_t count_ = 0;
  std::ostringstream text_;
};

struct Fixture : CleanThread {
  std::vector<Expected> expected;
  Failures failures;
  Fixture() {
    for (std::size_t t = 0; t < kNumShared; ++t) {
      const auto tag = static_cast<short>(kFirstTag + t);
      if (t == 2) // its streams are on disk for the most part
        findOrCreateTape(tag).memoryBudget(1 << 15);
      recordVariant(tag, static_cast<int>(t));
      expected.push_back(serial(tag));
      findTape(tag).setSharedMode();
    }
  }
  ~Fixture() {
    for (std::size_t t = 0; t < kNumShared; ++t)
      ADOLC::removeTape(static_cast<short>(kFirstTag + t));
  }
};

/// One thread of the test.
class Worker {
public:
  Worker(Fixture &shared, unsigned seed) : shared_(shared), random_(seed) {}

  void step() {
    using Action = void (Worker::*)();
    constexpr Action actions[] = {&Worker::noKeepSweeps, &Worker::gradients,   &Worker::inWorkspace,
                                  &Worker::keepSweep,    &Worker::parallel,    &Worker::changeMode,
                                  &Worker::tapeOfItsOwn, &Worker::throwing,    &Worker::select,
                                  &Worker::look,         &Worker::gradients,   &Worker::inWorkspace,
                                  &Worker::secondOrder,  &Worker::taylorSweeps};
    tape_ = random_() % kNumShared;
    point_ = random_() % kNumPoints;
    (this->*actions[random_() % std::size(actions)])();
  }

private:
  short tag() const { return static_cast<short>(kFirstTag + tape_); }
  const Point &at() const { return shared_.expected[tape_].points[point_]; }
  void check(bool ok, const char *what) { shared_.failures.check(ok, what); }

  void noKeepSweeps() {
    check(ADOLC::function(tag(), at().x) == at().y, "function");
    check(ADOLC::jac_vec(tag(), at().x, kDirection) == at().tangent, "jac_vec");
  }
  void gradients() {
    check(ADOLC::gradient(tag(), at().x) == at().gradient, "gradient");
    check(ADOLC::jacobian(tag(), at().x) == at().gradient, "jacobian");
  }
  void secondOrder() {
    check(ADOLC::hessian(tag(), at().x) == at().hessian, "hessian");
    check(ADOLC::hess_vec(tag(), at().x, kDirection) == at().product, "hess_vec");
    check(ADOLC::parallelHessian(tag(), at().x, 2) == at().hessian, "parallelHessian");
    std::vector<double> w(kNumInds);
    ADOLC::hess_vec(tag(), workspace_, at().x, kDirection, w);
    check(w == at().product, "hess_vec in a workspace");
  }
  void taylorSweeps() {
    check(taylor(tag(), at().x) == at().coefficients, "hos_forward");
    std::vector<double> y(1), Y(1), Z(kNumInds * 2);
    ADOLC::hos_forward(tag(), workspace_, 1, 2, at().x, kDirection, y, Y);
    ADOLC::hos_reverse(tag(), workspace_, 1, std::vector{1.0}, Z);
    bool right = true;
    for (std::size_t i = 0; i < kNumInds; ++i)
      right = right && Z[2 * i] == at().gradient[i] && Z[2 * i + 1] == at().product[i];
    check(Y == at().tangent && right, "hos_reverse in a workspace");
  }
  void inWorkspace() {
    std::vector<double> g(kNumInds), y(1), u{1.0};
    ADOLC::gradient(tag(), workspace_, at().x, g);
    check(g == at().gradient, "gradient in a workspace");
    const std::vector<double> x = at().x;
    ADOLC::zos_forward(tag(), workspace_, 1, x, y);
    ADOLC::fos_reverse(tag(), workspace_, u, g);
    check(g == at().gradient, "reverse in a workspace");
  }
  /// What another thread publishes in between is a stack at another point, but a whole one.
  void keepSweep() {
    std::vector<double> y(1), z(kNumInds), u{1.0};
    ADOLC::zos_forward(tag(), 1, at().x, y);
    check(y == at().y, "zos_forward with keep");
    ADOLC::fos_reverse(tag(), u, z);
    bool isOne = false;
    for (const Point &point : shared_.expected[tape_].points)
      isOne = isOne || z == point.gradient;
    check(isOne, "fos_reverse on the tape's stack");
  }
  void parallel() {
    std::vector<double> points, gradients;
    for (const Point &point : shared_.expected[tape_].points) {
      points.insert(points.end(), point.x.begin(), point.x.end());
      gradients.insert(gradients.end(), point.gradient.begin(), point.gradient.end());
    }
    check(ADOLC::gradientBatch(tag(), points, 2) == gradients, "gradientBatch");
    check(ADOLC::parallelJacobian(tag(), at().x, 2) == at().gradient, "parallelJacobian");
  }
  void changeMode() {
    if (random_() % 4 == 0)
      findTape(tag()).setExclusiveMode();
    else
      findTape(tag()).setSharedMode();
    static_cast<void>(findTape(tag()).isExclusiveLocking());
  }
  void tapeOfItsOwn() {
    const short mine = createNewTape();
    setCurrentTape(mine);
    recordVariant(mine, static_cast<int>(tape_));
    check(ADOLC::gradient(mine, at().x) == at().gradient, "a tape of the thread's own");
    setCurrentTape(nullptr);
    check(ADOLC::tryRemoveTape(mine), "removing it");
  }
  void throwing() {
    const short mine = createNewTape();
    try {
      trace_on(mine);
      std::vector<adouble> x(kNumInds);
      for (adouble &a : x)
        a <<= 0.5;
      program(x, 0);
      throw std::runtime_error("in the middle");
    } catch (const std::runtime_error &) {
      trace_off();
    }
    setCurrentTape(nullptr);
    check(ADOLC::tryRemoveTape(mine), "removing a tape that was given up");
  }
  void select() {
    setCurrentTape(tag());
    check(currentTapePtr() == findTapePtr_(tag()), "selection");
    setCurrentTape(nullptr);
  }
  void look() {
    const auto histogram = ADOLC::opcodeHistogram(tag());
    check(std::equal(histogram.begin(), histogram.end(), shared_.expected[tape_].histogram.begin()),
          "histogram");
    check(tapestats(tag())[NUM_INDEPENDENTS] == kNumInds, "statistics");
    check(!ADOLC::tapeDoc(tag(), ADOLC::TapeDocFormat::text, {.first = 1, .last = 20}).empty(),
          "listing");
  }

  Fixture &shared_;
  std::mt19937 random_;
  Workspace workspace_;
  std::size_t tape_ = 0, point_ = 0;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(stress, Fixture) {
  const auto end = std::chrono::steady_clock::now() + duration();
  std::atomic<std::size_t> steps = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      try {
        Worker worker(*this, 1000 + t);
        while (std::chrono::steady_clock::now() < end) {
          worker.step();
          ++steps;
        }
      } catch (const std::exception &error) {
        failures.check(false, error.what());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(failures.text() == "");
  BOOST_TEST(steps > 20u);
  BOOST_TEST_MESSAGE(steps << " steps");
  for (std::size_t t = 0; t < kNumShared; ++t)
    BOOST_TEST(ADOLC::gradient(static_cast<short>(kFirstTag + t), expected[t].points[0].x) ==
               expected[t].points[0].gradient);
}

// The case that sent many users away: one small tape, eight threads, all sweeps, no preparation.
BOOST_AUTO_TEST_CASE(one_tape_many_threads) {
  constexpr short tag = 220;
  constexpr int count = kSanitized ? 2000 : 20000;
  recordScalar(tag, {1.0}, [](std::vector<adouble> &x) { return x[0] * x[0] * x[0] + cos(x[0]); });
  for (const bool shared : {false, true}) {
    if (shared)
      findTape(tag).setSharedMode();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        constexpr double values[] = {7.583853163452858, 26.010007503399554};
        constexpr double slopes[] = {11.090702573174318, 26.858879991940133};
        const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-15 * b; };
        Workspace workspace;
        for (int i = 0; i < count; ++i) {
          const std::vector<double> x{2.0 + i % 2};
          std::vector<double> y(1), g(1), one{1.0};
          const double value = values[i % 2], slope = slopes[i % 2];
          ADOLC::function(tag, x, y);
          bool right = close(y[0], value);
          i % 3 == 0 ? ADOLC::gradient(tag, workspace, x, g) : ADOLC::gradient(tag, x, g);
          right = right && close(g[0], slope);
          ADOLC::fos_forward(tag, 0, x, one, y, g);
          right = right && close(g[0], slope);
          if (!right)
            ++wrong;
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    BOOST_TEST(wrong == 0);
  }
  ADOLC::removeTape(tag);
}
