// SPDX-License-Identifier: MIT
#include <adolc/adolc.h>

#include <utility>

pdouble passedOn(pdouble p) {
#ifdef ADOLC_MUST_NOT_COMPILE
  pdouble q = p;
#else
  pdouble q = std::move(p);
#endif
  return q;
}
