// The library under measurement: which headers, and the facts that differ between the two.
//
// The same sources are compiled twice: with BENCH_REFERENCE against the system's ADOL-C 2.7.2,
// without it against this library. Both have headers named adolc/adolc.h, so a wrong include path
// would silently measure one library under the name of the other; the checks below make that a
// compile error.
#pragma once

#include <adolc/adolc.h>

#include <cstddef>

namespace bench::backend {

#ifdef BENCH_REFERENCE

#if __has_include(<adolc/valuetape/taperegistry.h>)
#error                                                                                             \
    "bench_reference found the headers of this library; it needs those of the system's ADOL-C 2.7.2"
#endif
inline constexpr const char *name = "reference";
inline constexpr std::size_t operationBytes = 1;
inline std::size_t locationBytes(short, std::size_t locations) {
  return locations * sizeof(locint);
}
// Its default buffers hold 2^19 elements and then spill to files. Sized buffers keep the tape in
// memory.
inline constexpr bool sizesBuffersFirst = true;
// There is no statistic that says whether the Taylor stack is on disk: it is when its buffer is too
// small.
inline constexpr bool taylorsSpillBeyondBuffer = true;

#else

#if !__has_include(<adolc/valuetape/taperegistry.h>)
#error "bench_adolc found the headers of another ADOL-C"
#endif
inline constexpr const char *name = "adolc";
inline constexpr std::size_t operationBytes = 2;
// A location is a size_t in the interface; on the tape it takes 2 or 4 bytes, by segment.
inline std::size_t locationBytes(short tag, std::size_t) { return ADOLC::tapeBytes(tag).locations; }
inline constexpr bool sizesBuffersFirst = false;
inline constexpr bool taylorsSpillBeyondBuffer = false;

#endif

inline constexpr std::size_t valueBytes = sizeof(double);
inline constexpr std::size_t taylorBytes = sizeof(double);

} // namespace bench::backend
