/// @file interp/series.h
/// Truncated Taylor series: what the sweeps of higher order compute with. A series is a number, its
/// coefficient of order 0, which all curves of a sweep share, and coefficients 1 … d, for each
/// order a chunk of W neighbouring curves. All loops add their terms in the same order for any W,
/// so that a curve has the same coefficients, bit for bit, alone and among others. (Of degree 1 the
/// interpreters of first order do a single one.)
///
/// A coefficient that is infinite or NaN has no influence on those of lower order.
#pragma once

#include "interp/lanes.h"

#include <algorithm>
#include <type_traits>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// Curves per location of a sweep along several: a multiple of this.
inline constexpr std::size_t kCurves = 8;
/// Orders that one instruction works on, along a single curve. Rows are a multiple of this.
inline constexpr int kOrders = kChunk < 4 ? kChunk : 4;
inline constexpr std::size_t kRowPadding = 4;
static_assert(kRowPadding % kOrders == 0);
/// The width of the chunks of a sweep along several curves.
inline constexpr int kWide = kChunk < 2 ? 1 : kChunk;

/// In a loop of few turns: no vectors. One that overlaps what was just stored is loaded only when
/// that has reached the cache. `i` counts the turns.
#if defined(__GNUC__)
#define ADOLC_NO_VECTORS(i) __asm__("" : "+r"(i))
#else
#define ADOLC_NO_VECTORS(i) static_cast<void>(i)
#endif

/// The degree of a sweep, if it is known to the compiler; D = 0: it is not.
template <int D> struct Degree {
  constexpr Degree(std::size_t) {}
  constexpr operator std::size_t() const { return D; }
};
template <> struct Degree<0> {
  std::size_t d;
  constexpr Degree(std::size_t degree) : d(degree) {}
  constexpr operator std::size_t() const { return d; }
};
/// Whether the orders of W curves are gone through in blocks.
template <int W, class D>
inline constexpr bool inBlocks = W == 1 && kOrders > 1 && std::is_same_v<D, Degree<0>>;

/// Coefficients of W curves, of orders from 1 on; `stride` doubles from an order to the next
/// one.
template <int W> struct Series {
  double *data = nullptr;
  std::size_t stride = W;

  ADOLC_ALWAYS_INLINE double *at(std::size_t order) const { return data + (order - 1) * stride; }
  ADOLC_ALWAYS_INLINE Chunk<W> operator[](std::size_t order) const { return load<W>(at(order)); }
  ADOLC_ALWAYS_INLINE void set(std::size_t order, const Chunk<W> &c) const {
    store<W>(at(order), c);
  }
};

template <int W> ADOLC_ALWAYS_INLINE bool allFinite(const Chunk<W> &c) {
  if constexpr (W == 1) {
    return std::isfinite(c);
  } else {
    const Chunk<W> zero = c - c; // NaN where c is not finite
#if defined(__AVX__)
    if constexpr (W == 4)
      return __builtin_ia32_movmskpd256(reinterpret_cast<Chunk<W>>(zero != zero)) == 0;
#endif
#if defined(__SSE2__)
    if constexpr (W == 2)
      return __builtin_ia32_movmskpd(reinterpret_cast<Chunk<W>>(zero != zero)) == 0;
#endif
    bool finite = true;
    for (int i = 0; i < W; ++i)
      finite = finite && zero[i] == 0.0;
    return finite;
  }
}

/// Whether the first n numbers of a chunk are finite.
template <int W> ADOLC_ALWAYS_INLINE bool firstFinite(const Chunk<W> &c, std::size_t n) {
  if (n >= W) [[likely]]
    return allFinite<W>(c);
  bool finite = true;
  for (std::size_t i = 0; i < n; ++i)
    finite = finite && std::isfinite(c[i]);
  return finite;
}

/// Memory for intermediate series of one operation. A copy begins where the original is.
struct Scratch {
  double *next;
  template <int W> Series<W> series(std::size_t degree) {
    const Series<W> s{next, W};
    next += (degree + 1 + 2 * kRowPadding) * W;
    return s;
  }
};
/// Doubles that an operation needs at most.
inline std::size_t scratchSize(std::size_t degree) {
  return 24 * (degree + 1 + 2 * kRowPadding) * kCurves;
}

/// Σ a_j b_{k-j} over 0 < j < k.
template <int W>
ADOLC_ALWAYS_INLINE Chunk<W> inner(const Series<W> &a, const Series<W> &b, std::size_t k) {
  Chunk<W> sum{};
  for (std::size_t j = 1; j < k; ++j)
    sum += a[j] * b[k - j];
  return sum;
}

/// The same in four sums, which do not wait for each other: for recurrences, where what follows
/// waits for the result.
template <int W>
ADOLC_ALWAYS_INLINE Chunk<W> recurrence(const Series<W> &a, const Series<W> &b, std::size_t k) {
  Chunk<W> sum{}, second{}, third{}, fourth{};
  std::size_t j = 1;
  for (; j + 3 < k; j += 4) {
    sum += a[j] * b[k - j];
    second += a[j + 1] * b[k - j - 1];
    third += a[j + 2] * b[k - j - 2];
    fourth += a[j + 3] * b[k - j - 3];
  }
  for (; j < k; ++j) {
    ADOLC_NO_VECTORS(j);
    sum += a[j] * b[k - j];
  }
  return (sum + second) + (third + fourth);
}

/// Calls emit(k, chunk) with the coefficients k = d … 1 of x y: one, or along a single curve
/// several at a time (the last ones may lie beyond d). Where emit stores a coefficient, x or y may
/// have had theirs.
template <int W, class D, class Emit>
ADOLC_ALWAYS_INLINE void product(D d, double x0, const Series<W> &x, double y0, const Series<W> &y,
                                 Scratch s, Emit &&emit) {
  if constexpr (!inBlocks<W, D>) {
    for (std::size_t k = d; k >= 1; --k) {
      const Chunk<W> outer = y0 * x[k] + x0 * y[k];
      emit.template operator()<W>(k, outer + inner(x, y, k));
    }
  } else {
    // Blocks of orders K+1 … K+V. Orders beyond that of a result meet the zeros before b.
    constexpr std::size_t V = kOrders;
    const std::size_t degree = d;
    if (degree == 0)
      return;
    double *const b = s.series<1>(degree).data;
    store<kOrders>(b, Chunk<kOrders>{});
    for (std::size_t i = 0; i < degree; i += V)
      store<kOrders>(b + V + i, load<kOrders>(y.data + i));
    for (std::size_t K = (degree - 1) / V * V;; K -= V) {
      const std::size_t terms = std::min(K + V - 1, degree - 1);
      Chunk<kOrders> sum{};
      for (std::size_t i = 0; i < terms; ++i)
        sum += x.data[i] * load<kOrders>(b + V + K - 1 - i);
      sum = (y0 * load<kOrders>(x.data + K) + x0 * load<kOrders>(b + V + K)) + sum;
      if (firstFinite<kOrders>(sum, degree - K)) [[likely]] {
        emit.template operator()<kOrders>(K + 1, sum);
      } else {
        const Series<1> copy{b + V, 1};
        for (std::size_t k = std::min(K + V, degree); k > K; --k) {
          const double outer = y0 * x[k] + x0 * copy[k];
          emit.template operator()<1>(k, outer + inner(x, copy, k));
        }
      }
      if (K == 0)
        break;
    }
  }
}

/// z + x y (Sign 1), z - x y (-1) or, without z, x y, along a single curve, order by order for low
/// degrees. out may be any of the operands.
template <int Sign, bool WithZ>
ADOLC_NOINLINE void productRow(std::size_t d, double x0, const double *x, double y0,
                               const double *y, const double *z, double *out, double *scratch) {
  const auto emit = [&]<int V>(std::size_t k, const Chunk<V> &c) {
    if constexpr (!WithZ)
      store<V>(out + k - 1, Sign > 0 ? c : -c);
    else if constexpr (Sign > 0)
      store<V>(out + k - 1, load<V>(z + k - 1) + c);
    else
      store<V>(out + k - 1, load<V>(z + k - 1) - c);
  };
  const Series<1> a{const_cast<double *>(x), 1}, b{const_cast<double *>(y), 1};
  const auto fixed = [&]<int D>(Degree<D> degree) {
    if constexpr (D == 0) {
      product<1>(degree, x0, a, y0, b, Scratch{scratch}, emit);
    } else { // nothing to count, and no vectors, see ADOLC_NO_VECTORS
#pragma GCC unroll 12
      for (std::size_t k = D; k >= 1; --k) {
        double sum = 0.0; // as `inner` does
#pragma GCC unroll 12
        for (std::size_t j = 1; j < k; ++j)
          sum += a[j] * b[k - j];
        emit.template operator()<1>(k, (y0 * a[k] + x0 * b[k]) + sum);
      }
    }
  };
  switch (d) {
#define ADOLC_CASE_OF_DEGREE(D)                                                                    \
  case D:                                                                                          \
    return fixed(Degree<D>(D));
    ADOLC_CASE_OF_DEGREE(1)
    ADOLC_CASE_OF_DEGREE(2)
    ADOLC_CASE_OF_DEGREE(3)
    ADOLC_CASE_OF_DEGREE(4)
    ADOLC_CASE_OF_DEGREE(5)
    ADOLC_CASE_OF_DEGREE(6)
    ADOLC_CASE_OF_DEGREE(7)
    ADOLC_CASE_OF_DEGREE(8)
    ADOLC_CASE_OF_DEGREE(9)
    ADOLC_CASE_OF_DEGREE(10)
    ADOLC_CASE_OF_DEGREE(11)
    ADOLC_CASE_OF_DEGREE(12)
#undef ADOLC_CASE_OF_DEGREE
  default:
    return fixed(Degree<0>(d));
  }
}

/// What `product` computes, to a series (which may be x or y).
template <int W, class D>
ADOLC_ALWAYS_INLINE void multiply(D d, double x0, const Series<W> &x, double y0, const Series<W> &y,
                                  const Series<W> &out, Scratch s) {
  product<W>(d, x0, x, y0, y, s,
             [&]<int V>(std::size_t k, const Chunk<V> &c) { store<V>(out.at(k), c); });
}

/// Up to here one order at a time is faster, see ADOLC_NO_VECTORS.
inline constexpr std::size_t kLowDegree = 16;

/// Solves v_k = factor(k) (rest_k - Σ v_j b_{k-j}) over 0 < j < k, along a single curve: as soon as
/// v_j is known, its products with all of b are subtracted, several orders at a time. There are
/// zeros before b.
template <class Factor>
ADOLC_ALWAYS_INLINE void substitute(std::size_t degree, double *rest, const double *b, double *out,
                                    Factor &&factor) {
  constexpr std::size_t V = kOrders;
  for (std::size_t i = 0; i < degree; ++i) {
    const double v = rest[i] * factor(i + 1);
    if (degree <= kLowDegree)
      for (std::size_t k = i + 1; k < degree; ++k) {
        ADOLC_NO_VECTORS(k);
        rest[k] -= v * b[k - 1 - i];
      }
    else
      for (std::size_t K = (i + 1) / V * V; K < degree; K += V)
        store<kOrders>(rest + K, load<kOrders>(rest + K) - v * load<kOrders>(b + K - 1 - i));
    out[i] = v;
  }
}

/// Coefficients 1 … d of x/y, where y0 is inverted already: v y = x.
template <int W, class D>
ADOLC_ALWAYS_INLINE void divide(D d, double v0, const Series<W> &x, double inverse,
                                const Series<W> &y, const Series<W> &out, Scratch s) {
  if constexpr (!inBlocks<W, D>) {
    // In scratch memory, as out may be y.
    const Series<W> v = s.series<W>(d);
    for (std::size_t k = 1; k <= d; ++k) {
      Chunk<W> rest = x[k] - v0 * y[k];
      for (std::size_t j = 1; j < k; ++j)
        rest -= v[j] * y[k - j];
      v.set(k, rest * inverse);
    }
    for (std::size_t k = 1; k <= d; ++k)
      out.set(k, v[k]);
  } else {
    constexpr std::size_t V = kOrders;
    const std::size_t degree = d;
    double *const b = s.series<1>(degree).data, *const rest = s.series<1>(degree).data;
    store<kOrders>(b, Chunk<kOrders>{});
    for (std::size_t i = 0; i < degree; i += V) {
      const Chunk<kOrders> yi = load<kOrders>(y.data + i);
      store<kOrders>(b + V + i, yi);
      store<kOrders>(rest + i, load<kOrders>(x.data + i) - v0 * yi);
    }
    substitute(degree, rest, b + V, out.data, [inverse](std::size_t) { return inverse; });
  }
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
