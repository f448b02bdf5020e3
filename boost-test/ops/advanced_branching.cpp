// SPDX-License-Identifier: MIT
// Comparisons that give active numbers need a translation unit of their own.
#define ADOLC_ADVANCED_BRANCHING
#include "op_row.h"

#include <type_traits>

namespace rows {

#define ROWS_INDICATOR(name, symbol)                                                               \
  adouble name(const adouble &a, const adouble &b) {                                               \
    static_assert(std::is_same_v<decltype(a symbol b), adouble>);                                  \
    return a symbol b;                                                                             \
  }
ROWS_INDICATORS(ROWS_INDICATOR)
#undef ROWS_INDICATOR

} // namespace rows
