#include <adolc/convolut.h>

#include "drivers/results.h"

#include <algorithm>
#include <initializer_list>

namespace {

int checked(const char *caller, int dim, std::initializer_list<const revreal *> arrays) {
  const std::size_t size = ADOLC::detail::checkedNumber(caller, dim);
  for (const revreal *const array : arrays)
    ADOLC::detail::checkArray(caller, array, size);
  return dim;
}

double coefficient(int i, const revreal *a, const revreal *b) {
  double sum = 0.0;
  for (int j = 0; j <= i; ++j)
    sum += a[i - j] * b[j];
  return sum;
}

/// set(c_i, coefficient i of a∗b) for all of them.
template <class Set>
void convolve(const char *caller, int dim, const revreal *a, const revreal *b, revreal *c,
              Set &&set) {
  checked(caller, dim, {a, b, c});
  for (int i = 0; i < dim; ++i)
    set(c[i], coefficient(i, a, b));
}
constexpr auto assign = [](revreal &c, double value) { c = value; };
constexpr auto add = [](revreal &c, double value) { c += value; };
constexpr auto subtract = [](revreal &c, double value) { c -= value; };

/// c = a/b with the coefficients first(i) of a.
template <class Numerator>
void quotient(int dim, Numerator &&numerator, const revreal *b, revreal *c) {
  for (int i = 0; i < dim; ++i) {
    double value = numerator(i);
    for (int j = 1; j <= i; ++j)
      value -= b[j] * c[i - j];
    c[i] = value / b[0];
  }
}

} // namespace

extern "C" {

void conv(int dim, const revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, assign);
}
void conv0(int dim, revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, assign);
  zeroset(dim, a);
}
void inconv(int dim, const revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, add);
}
void inconv0(int dim, revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, add);
  zeroset(dim, a);
}
void inconv1(int dim, const revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, add);
}
void deconv(int dim, const revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, subtract);
}
void deconv0(int dim, revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, subtract);
  zeroset(dim, a);
}
void deconv1(int dim, const revreal *a, const revreal *b, revreal *c) {
  convolve(__func__, dim, a, b, c, subtract);
}

void divide(int dim, const revreal *a, const revreal *b, revreal *c) {
  quotient(
      checked(__func__, dim, {a, b, c}), [a](int i) { return a[i]; }, b, c);
}
void recipr(int dim, double a, const revreal *b, revreal *c) {
  quotient(
      checked(__func__, dim, {b, c}), [a](int i) { return i == 0 ? a : 0.0; }, b, c);
}

void zeroset(int dim, double *a) { std::fill_n(a, checked(__func__, dim, {a}), 0.0); }
void copyAndZeroset(int dim, revreal *a, revreal *tmp) {
  std::copy_n(a, checked(__func__, dim, {a, tmp}), tmp);
  zeroset(dim, a);
}

} // extern "C"
