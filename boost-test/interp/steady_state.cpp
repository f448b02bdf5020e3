// SPDX-License-Identifier: MIT
// Nothing is allocated by repeating a sweep, a driver or a recording of the same size; and memory
// stays flat over a hundred thousand recordings.
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/valuetape/blockchain.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

namespace {
std::atomic<std::size_t> allocations{0};
void *counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void *memory =
      alignment == 0
          ? std::malloc(bytes != 0 ? bytes : 1)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}
} // namespace

// Replaces the operators of the whole program, also of the shared library.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void *operator new(std::size_t bytes) { return counted(bytes, 0); }
void *operator new[](std::size_t bytes) { return counted(bytes, 0); }
void *operator new(std::size_t bytes, std::align_val_t a) { return counted(bytes, std::size_t(a)); }
void *operator new[](std::size_t bytes, std::align_val_t a) {
  return counted(bytes, std::size_t(a));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

using namespace test;
using ADOLC::detail::BlockPool;

namespace {

/// Runs f twice to warm up and then counts what five more runs allocate: calls of operator new, and
/// blocks from the pool (which takes its memory from elsewhere).
std::size_t allocationsOf(const std::function<void()> &f) {
  f();
  f();
  const std::size_t blocks = BlockPool::bytesInUse() + BlockPool::bytesIdle();
  const std::size_t inUse = BlockPool::bytesInUse();
  const std::size_t before = allocations;
  for (int i = 0; i < 5; ++i)
    f();
  const std::size_t after = allocations;
  BOOST_TEST(BlockPool::bytesInUse() == inUse);
  BOOST_TEST(BlockPool::bytesInUse() + BlockPool::bytesIdle() == blocks);
  return after - before;
}

constexpr short kTag = 151;
constexpr int kM = 5, kN = 24;

/// No vectors here: this must not allocate by itself.
void recordFunction(int keep, int length) {
  static adouble x[kN], y[kM];
  double out = 0.0;
  trace_on(kTag, keep);
  for (int j = 0; j < kN; ++j)
    x[j] <<= 0.1 * j;
  for (int i = 0; i < kM; ++i) {
    y[i] = 1.0;
    for (int k = 0; k < length; ++k)
      y[i] = y[i] * sin(x[(i + k) % kN]) + x[k % kN];
    y[i] += x[0] * x[i];
    if (y[i] > 1e300)
      std::abort();
    y[i] >>= out;
  }
  trace_off();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(steady_state, CleanThread)

BOOST_AUTO_TEST_CASE(the_counter_counts) {
  static int *volatile pointer = nullptr; // keeps the compiler from leaving the pair out
  BOOST_TEST(allocationsOf([] {
               pointer = new int;
               delete pointer;
             }) == 5u);
  BOOST_TEST(allocationsOf([] {}) == 0u);
}

BOOST_AUTO_TEST_CASE(sweeps_and_drivers) {
  for (const int length : {3, 3000}) { // one segment, many segments
    recordFunction(0, length);
    std::vector<double> x(kN), y(kM), X(kN, 1.0), Y(kM), u(kM, 1.0), z(kN);
    for (int j = 0; j < kN; ++j)
      x[static_cast<std::size_t>(j)] = 0.05 * j;
    Matrix seeds = Matrix::unit(kN), columns(kM, kN), weights = Matrix::unit(kM), rows(kM, kN);
    const auto none = [&](const char *name, const std::function<void()> &f) {
      BOOST_TEST_CONTEXT(name << ", length " << length)
      BOOST_TEST(allocationsOf(f) == 0u);
    };
    none("zos", [&] { zos_forward(kTag, kM, kN, 0, x.data(), y.data()); });
    none("zos keep", [&] { zos_forward(kTag, kM, kN, 1, x.data(), y.data()); });
    none("fos_reverse", [&] { fos_reverse(kTag, kM, kN, u.data(), z.data()); });
    none("fov_reverse", [&] { fov_reverse(kTag, kM, kN, kM, weights.get(), rows.get()); });
    for (const int keep : {0, 1, 2})
      none("fos", [&] { fos_forward(kTag, kM, kN, keep, x.data(), X.data(), y.data(), Y.data()); });
    for (const int p : {1, 3, 8, 16, 24})
      none("fov",
           [&] { fov_forward(kTag, kM, kN, p, x.data(), seeds.get(), y.data(), columns.get()); });
    none("function", [&] { function(kTag, kM, kN, x.data(), y.data()); });
    none("jacobian, reverse", [&] { jacobian(kTag, kM, kN, x.data(), rows.get()); });
    none("vec_jac", [&] { vec_jac(kTag, kM, kN, 0, x.data(), u.data(), z.data()); });
    none("jac_vec", [&] { jac_vec(kTag, kM, kN, x.data(), X.data(), Y.data()); });
    none("mixed", [&] {
      zos_forward(kTag, kM, kN, 1, x.data(), y.data());
      fov_forward(kTag, kM, kN, 24, x.data(), seeds.get(), y.data(), columns.get());
      fov_reverse(kTag, kM, kN, kM, weights.get(), rows.get());
      fos_forward(kTag, kM, kN, 2, x.data(), X.data(), y.data(), Y.data());
      fos_reverse(kTag, kM, kN, u.data(), z.data());
    });
  }
}

BOOST_AUTO_TEST_CASE(gradient_and_forward_jacobian) {
  trace_on(kTag + 1);
  {
    static adouble x[3];
    adouble y = 0.0;
    double out = 0.0;
    for (adouble &xi : x)
      y += (xi <<= 1.0) * xi;
    y >>= out;
  }
  trace_off();
  const double at[] = {1.0, 2.0, 3.0};
  double g[3];
  BOOST_TEST(allocationsOf([&] { gradient(kTag + 1, 3, at, g); }) == 0u);
  BOOST_TEST(g[2] == 6.0);
  trace_on(kTag + 2);
  {
    static adouble x, y[3];
    double out = 0.0;
    x <<= 1.0;
    for (adouble &yi : y) {
      yi = x * x;
      yi >>= out;
    }
  }
  trace_off();
  Matrix J(3, 1);
  BOOST_TEST(allocationsOf([&] { jacobian(kTag + 2, 3, 1, at, J.get()); }) == 0u);
  BOOST_TEST(J[2][0] == 2.0);
}

BOOST_AUTO_TEST_CASE(second_order) {
  for (const int length : {3, 3000}) {
    recordFunction(0, length);
    std::vector<double> x(kN), v(kN, 1.0), w(kN), u(kM, 1.0);
    for (int j = 0; j < kN; ++j)
      x[static_cast<std::size_t>(j)] = 0.05 * j;
    BOOST_TEST(allocationsOf([&] {
                 lagra_hess_vec(kTag, kM, kN, x.data(), v.data(), u.data(), w.data());
               }) == 0u);
    trace_on(kTag + 5);
    {
      static adouble a[kN], y;
      double out = 0.0;
      for (adouble &ai : a)
        ai <<= 0.5;
      y = 1.0;
      for (int k = 0; k < length; ++k)
        y = y * sin(a[k % kN]) + a[(k + 1) % kN] * a[k % 7];
      y >>= out;
    }
    trace_off();
    Matrix H(kN, kN), V(kN, 11, 1.0), W(kN, 11);
    for (auto &f : {std::function<int()>([&] { return hessian(kTag + 5, kN, x.data(), H.get()); }),
                    std::function<int()>(
                        [&] { return hess_vec(kTag + 5, kN, x.data(), v.data(), w.data()); }),
                    std::function<int()>(
                        [&] { return hess_mat(kTag + 5, kN, 11, x.data(), V.get(), W.get()); })})
      BOOST_TEST(allocationsOf([&] { f(); }) == 0u);
    BOOST_TEST(hess_vec(kTag + 5, kN, x.data(), v.data(), w.data()) == 3);
  }
}

BOOST_AUTO_TEST_CASE(recording_again) {
  for (const int keep : {0, 1})
    for (const int length : {3, 3000})
      BOOST_TEST(allocationsOf([=] { recordFunction(keep, length); }) == 0u);
}

BOOST_AUTO_TEST_CASE(recording_again_and_evaluating) {
  static double x[kN], z[kN], u[kM] = {1.0};
  BOOST_TEST(allocationsOf([] {
               recordFunction(1, 500);
               fos_reverse(kTag, kM, kN, u, z);
               vec_jac(kTag, kM, kN, 0, x, u, z);
             }) == 0u);
}

BOOST_AUTO_TEST_CASE(scoped_recording) {
  BOOST_TEST(allocationsOf([] {
               ADOLC::Recording recording(kTag + 3, 1);
               adouble x, y;
               x <<= 2.0;
               y = sin(x) * x + fmax(x, 1.0) / x;
               y += x * x;
               double out = 0.0;
               y >>= out;
             }) == 0u);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_recordings) {
  std::size_t before = 0;
  const double at = 3.0;
  for (int round = 0; round < 100000; ++round) {
    if (round == 1000)
      before = residentBytes();
    trace_on(kTag + 4, round % 2);
    {
      adouble x, y;
      x <<= 3.0;
      y = x;
      for (int i = 0; i < round % 64; ++i)
        y = y + x * 0.0;
      y = y * x;
      double out = 0.0;
      y >>= out;
    }
    trace_off();
    double g = 0.0;
    if (round % 10 == 0 && (gradient(kTag + 4, 1, &at, &g) != 3 || g != 6.0))
      BOOST_FAIL("round " << round);
  }
  BOOST_TEST(residentBytes() < before + (std::size_t{1} << 20));
}

BOOST_AUTO_TEST_SUITE_END()
