// SPDX-License-Identifier: MIT
#include <adolc/adolc.h>

double valueOf(const adouble &x) {
#ifdef ADOLC_MUST_NOT_COMPILE
  double d = x;
#else
  double d = static_cast<double>(x);
#endif
  return d;
}
