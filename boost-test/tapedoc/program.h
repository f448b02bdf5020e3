// SPDX-License-Identifier: MIT
// What the listings of a program in the file system are tried with.
#pragma once

#include "support/expect.h"

#include <cstdlib>
#include <iostream>
#include <string>

namespace listings {

/// Whether a program is there. If not, says so; CTest counts the test as skipped then.
inline bool available(const std::string &program) {
  if (std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0)
    return true;
  std::cout << "skipped: " << program << " is not installed\n";
  return false;
}

/// A tape with live variables, a parameter, comparisons, constants of all sizes and many pages.
inline void recordForProgram(short id) {
  const adouble before[6] = {1.0, -1e-300, 1e300, 0.1, test::kInf, test::kNaN};
  trace_on(id);
  {
    const pdouble p(0.3);
    adouble x, y, z;
    x <<= 0.5;
    y = fabs(x) * p + before[3];
    for (int i = 0; i < 200; ++i) {
      if (y < 1e9)
        y = fmax(x, y * -1.2345678901234567e-5) - sin(y);
      condassign(z, y, x, before[0]);
      y += z * x;
    }
    double out = 0.0;
    y >>= out;
  }
  trace_off();
}

/// What a title may consist of.
inline std::string everyCharacter() {
  std::string all;
  for (int c = 1; c < 128; ++c)
    all += static_cast<char>(c);
  return all + " -- --- ?` !` '' `` << >> ,, \xc3\xa9\xe2\x86\x92";
}

} // namespace listings
