// SPDX-License-Identifier: MIT
// x += b*c is one operation, and the same number.
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace test;

namespace {

/// Value, forward derivative, reverse derivative from the recording and from a sweep.
struct Results {
  double y = 99.0, forward = 99.0, recorded = 99.0, swept = 99.0;
  std::size_t fused = 0;
  bool operator==(const Results &other) const {
    return same(y, other.y) && same(forward, other.forward) && same(recorded, other.recorded) &&
           same(swept, other.swept);
  }
};
std::ostream &operator<<(std::ostream &out, const Results &r) {
  return out << '(' << r.y << ' ' << r.forward << ' ' << r.recorded << ' ' << r.swept << ')';
}

template <class F> Results evaluate(double recordAt, double at, F &&f) {
  Results r;
  recordScalar(91, {recordAt}, f, 1);
  const double u = 1.0;
  BOOST_TEST(fos_reverse(91, 1, 1, &u, &r.recorded) >= 0);
  r.fused = tapestats(91)[NUM_EQ_PROD];
  BOOST_TEST(fos_forward(91, 1, 1, 0, &at, &u, &r.y, &r.forward) >= 0);
  BOOST_TEST(gradient(91, 1, &at, &r.swept) >= 0);
  return r;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(fusion, CleanThread)

// The reference undoes a fused sum by subtraction and loses everything here.
BOOST_AUTO_TEST_CASE(nothing_is_recomputed_by_subtraction) {
  const auto check = [](auto f) {
    const Results r = evaluate(1e-8, 1e-8, f);
    BOOST_TEST(r.fused == 1u);
    BOOST_TEST(r.forward == 2e-8);
    BOOST_TEST(r.recorded == 2e-8);
    BOOST_TEST(r.swept == 2e-8);
  };
  check([](auto &x) {
    adouble s = x[0], b = 1e10;
    adouble w = s * s;
    s += b * b;
    return w;
  });
  check([](auto &x) {
    adouble s = x[0], b = 1e10;
    adouble w = s * s;
    s -= b * b;
    return w;
  });
}

BOOST_AUTO_TEST_CASE(equals_the_unfused_form) {
  for (const double recordAt : {2.0, 0.7})
    for (const double at : {2.0, -1.3, 0.0, 1e160, kInf}) {
      const Results fused = evaluate(recordAt, at, [](auto &x) {
        adouble s = 3.0, b = x[0] + 1.0, c = x[0] - 5.0;
        for (int i = 0; i < 3; ++i) {
          s += b * c;
          s -= b * x[0];
          b *= 0.5;
        }
        return s * s;
      });
      const Results plain = evaluate(recordAt, at, [](auto &x) {
        adouble s = 3.0, b = x[0] + 1.0, c = x[0] - 5.0;
        for (int i = 0; i < 3; ++i) {
          adouble t = b * c;
          s += t;
          adouble u = b * x[0];
          s -= u;
          b *= 0.5;
        }
        return s * s;
      });
      BOOST_TEST(fused.fused == 6u);
      BOOST_TEST(plain.fused == 0u);
      BOOST_TEST(fused == plain);
    }
}

BOOST_AUTO_TEST_CASE(constant_factor) {
  for (const double c : {3.0, -0.1, 0.0, -0.0, 1e300, kInf})
    for (const double at : {2.0, -1.3, 0.0, 1e160, kInf}) {
      const Results fused = evaluate(0.7, at, [c](auto &x) {
        adouble s = x[0], t = 1.0;
        s += c * x[0];
        t -= x[0] * c;
        s -= 3.0 * t;
        return s * t;
      });
      const Results plain = evaluate(0.7, at, [c](auto &x) {
        adouble s = x[0], t = 1.0;
        const adouble a = c * x[0], b = x[0] * c;
        s += a;
        t -= b;
        const adouble d = 3.0 * t;
        s -= d;
        return s * t;
      });
      BOOST_TEST(fused.fused == 3u);
      BOOST_TEST(plain.fused == 0u);
      BOOST_TEST(fused == plain);
    }
  // Products with 1 and -1 are copies, and what reads the target is not one with it.
  const Results apart = evaluate(2.0, 3.0, [](auto &x) {
    adouble s = x[0];
    s += 1.0 * x[0];
    s -= -1.0 * x[0];
    s += 2.0 * s;
    return s;
  });
  BOOST_TEST(apart.fused == 0u);
  BOOST_TEST(apart.y == 27.0);
  BOOST_TEST(apart.swept == 9.0);
}

BOOST_AUTO_TEST_CASE(target_is_a_factor) {
  const Results r = evaluate(3.0, 2.0, [](auto &x) {
    adouble s = x[0];
    s += s * x[0]; // s + s x
    s -= x[0] * s;
    s += s * s;
    return s;
  });
  const Results plain = evaluate(3.0, 2.0, [](auto &x) {
    adouble s = x[0];
    const adouble a = s * x[0];
    s += a;
    const adouble b = x[0] * s;
    s -= b;
    const adouble c = s * s;
    s += c;
    return s;
  });
  BOOST_TEST(r.fused == 0u);
  BOOST_TEST(r == plain);
}

// Undoing the product must restore what its location held: a saved value that is needed later.
// Otherwise the derivative of x⁴ is 56 instead of 32 at 2.
BOOST_AUTO_TEST_CASE(location_of_the_product_held_a_needed_value) {
  const Results r = evaluate(2.0, 2.0, [](auto &x) {
    adouble y;
    {
      adouble t = x[0] * x[0];
      y = t * t; // t is needed; its location is free now
    }
    y += x[0] * x[0] - x[0] * x[0];
    adouble s = 0.0;
    s += x[0] * x[0];
    s += x[0] * x[0];
    return y + (s - s);
  });
  BOOST_TEST(r.y == 16.0);
  BOOST_TEST(r.forward == 32.0);
  BOOST_TEST(r.recorded == 32.0);
  BOOST_TEST(r.swept == 32.0);
}

BOOST_AUTO_TEST_CASE(product_that_is_not_the_last_operation) {
  const Results r = evaluate(2.0, 3.0, [](auto &x) {
    adouble s = 1.0;
    adouble product = x[0] * x[0];
    adouble other = x[0] + 1.0;
    s += std::move(product);
    return s * other;
  });
  BOOST_TEST(r.fused == 0u);
  BOOST_TEST(r.y == 40.0);
  BOOST_TEST(r.swept == 34.0);
}

BOOST_AUTO_TEST_CASE(named_product_moved_into_the_sum) {
  const Results r = evaluate(2.0, 3.0, [](auto &x) {
    adouble s = 1.0;
    adouble product = x[0] * x[0];
    s += std::move(product);
    product = 5.0; // may be assigned again
    return s + product;
  });
  BOOST_TEST(r.y == 15.0);
  BOOST_TEST(r.swept == 6.0);
}

BOOST_AUTO_TEST_CASE(pinned_and_borrowed_operands) {
  const Results r = evaluate(2.0, 3.0, [](auto &x) {
    ensureContiguousLocations(3);
    std::vector<adouble> block(3);
    const std::size_t first = block[0].loc();
    block[1] += x[0] * x[0];
    block[2] -= x[0] * block[1];
    adouble view = adouble::borrow_location(block[0].loc());
    view += x[0] * x[0];
    BOOST_TEST(block[0].loc() == first);
    BOOST_TEST(block[2].loc() == first + 2);
    return block[0] + block[1] + block[2]; // 2 x² - x³
  });
  BOOST_TEST(r.y == -9.0);
  BOOST_TEST(r.swept == -15.0);
  BOOST_TEST(r.recorded == -4.0);
}

// Random programs with and without temporaries that can be fused, saved values and all.
BOOST_AUTO_TEST_CASE(random_programs) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const auto program = [seed](auto &x, bool fuse) {
      std::mt19937 random(seed);
      std::vector<adouble> v(5, x[0]);
      const auto pick = [&]() -> adouble & { return v[random() % v.size()]; };
      for (int i = 0; i < 40; ++i) {
        adouble &target = pick();
        adouble &a = pick(), &b = pick();
        switch (random() % 7) {
        case 0:
          target = sin(a) * b;
          break;
        case 1:
          target = adouble(0.25 * (1 + static_cast<int>(random() % 4)));
          break;
        case 2:
          if (fuse) {
            target += a * b;
          } else {
            adouble product = a * b;
            target += product;
          }
          target *= 0.25;
          break;
        case 3:
          if (fuse) {
            target -= a * b;
          } else {
            adouble product = a * b;
            target -= product;
          }
          target *= 0.5;
          break;
        case 4:
          if (fuse) {
            target += 0.75 * a;
          } else {
            adouble product = 0.75 * a;
            target += product;
          }
          break;
        case 5:
          if (fuse) {
            target -= a * 1.25;
          } else {
            adouble product = a * 1.25;
            target -= product;
          }
          break;
        default:
          target = cos(target);
        }
      }
      return adouble(v[0] + v[1] + v[2] + v[3] + v[4]);
    };
    const Results fused = evaluate(0.9, 0.4, [&](auto &x) { return program(x, true); });
    const Results plain = evaluate(0.9, 0.4, [&](auto &x) { return program(x, false); });
    BOOST_TEST(plain.fused == 0u);
    BOOST_TEST_CONTEXT("seed " << seed)
    BOOST_TEST(fused == plain);
  }
}

BOOST_AUTO_TEST_SUITE_END()
