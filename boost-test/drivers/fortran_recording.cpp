// SPDX-License-Identifier: MIT
// What fortran_program.f90 evaluates.
#include <adolc/adolc.h>

extern "C" void record_for_fortran() {
  double y = 0.0;
  {
    ADOLC::Recording recording(1);
    adouble x[2];
    x[0] <<= 1.0;
    x[1] <<= 1.0;
    adouble product = x[0] * x[1];
    product >>= y;
  }
  ADOLC::Recording recording(2);
  adouble x[2];
  x[0] <<= 1.0;
  x[1] <<= 1.0;
  adouble product = x[0] * x[1], sum = x[0] * x[0] + x[1];
  product >>= y;
  sum >>= y;
}
