// SPDX-License-Identifier: MIT
#include <adolc/adolc.h>

int roundedValueOf(const adouble &x) {
#ifdef ADOLC_MUST_NOT_COMPILE
  int n = x;
#else
  int n = static_cast<int>(x.value());
#endif
  return n;
}
