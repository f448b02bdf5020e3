// SPDX-License-Identifier: MIT
// What both plug-ins contain. Only the three functions of plugin.h are visible outside.
#include "plugin.h"

#include <adolc/adolc.h>

void *tape_slot() { return &currentTapePtr(); }

void record(short tag) {
  trace_on(tag);
  adouble x[2], y;
  x[0] <<= 3.0;
  x[1] <<= 4.0;
  y = x[0] * x[1] + sin(x[0]);
  double value = 0.0;
  y >>= value;
  trace_off();
}

void differentiate(short tag, const double *at, double *g) { gradient(tag, 2, at, g); }
