/// @file interp/reverse_loop.h
/// The loop of the reverse interpreters, for adjoints of any kind (fo_rev.h, ho_rev.h).
///
/// Per operation, in this order: the overwritten value is restored first, so that the operands are
/// what the operation saw; the result's adjoints are taken (and zeroed) before operands receive
/// theirs, so that x = f(x) needs no special order.
#pragma once

#include "interp/dispatch.h"
#include "interp/sweep.h"
#include "uni5_for.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

#ifdef ADOLC_TBR_POISON
// A value that the to-be-recorded analysis did not save must never be read: let it be NaN.
inline constexpr bool kPoison = true;
#else
inline constexpr bool kPoison = false;
#endif
inline constexpr double kPoisonValue = std::numeric_limits<double>::signaling_NaN();

/// The entry of the Taylor stack below. Its size comes in bytes, which spares a multiplication.
inline double *previousEntry(double *tay, std::ptrdiff_t bytes) {
  return reinterpret_cast<double *>(reinterpret_cast<char *>(tay) - bytes);
}

/// What an operation at x does to the code of a reverse sweep; whether x lies on a kink.
template <class Rule, class L>
ADOLC_ALWAYS_INLINE bool noteCode(OpCell cell, const std::array<double, Rule::arity> &x,
                                  int &code) {
  if constexpr (ops::hasPiece<Rule> && (ops::needs<Rule, L>() & ~ops::kResult) != 0)
    if (ADOLC_CALL_RULE(Rule, piece, x) != ((cell & kPieceBit) != 0)) [[unlikely]]
      lower(code, 2);
  if constexpr (ops::hasBoundary<Rule>)
    if (ADOLC_CALL_RULE(Rule, boundary, x)) [[unlikely]]
      lower(code, 0);
  if constexpr (ops::hasTie<Rule>)
    if (ADOLC_CALL_RULE(Rule, tie, x)) [[unlikely]] {
      lower(code, 1);
      return true;
    }
  return false;
}

/// The operation that was read last, going backwards.
template <class Loc> const OpCell *following(const Cursor<Loc> &c) { return c.op + 1; }

/// What a reverse sweep carries from segment to segment.
struct ReverseState {
  std::size_t independent = 0, dependent = 0;
  int code = 3;
  StopAt stop = {};
};

/// Interprets one segment backwards. `v` and `adjoints` are shifted to the base of its locations.
template <class Adjoints, class Loc, class Sweep>
Stop reverseSegment(const Sweep &sweep, ReverseState &state, const Place &place, double *const v,
                    const double *const params, const Adjoints adjoints) {
  using namespace ADOLC::ops;
  int code = state.code;
  Cursor<Loc> c(place);

#ifdef ADOLC_LABEL_TABLE
  static const std::int32_t labels[] = {
#define ADOLC_OP(op, rule, layout, depend, text) ADOLC_LABELS(label_##op##_0, label_##op##_1)
#define ADOLC_BRANCH(op, relation, layout, text) ADOLC_LABELS(label_##op##_0, label_unknown)
#define ADOLC_STRUCT(op, text) ADOLC_LABELS(label_##op##_0, label_##op##_1)
#define ADOLC_RESERVED(op) ADOLC_LABELS(label_unknown, label_unknown)
#include <adolc/internal/oplist_expand.h>
  };
#endif
#define ADOLC_FETCH *c.op--
#define ADOLC_CELL c.op[1]

  ADOLC_LOOP_BEGIN

#define ADOLC_STEP(op, rule, layout, save)                                                         \
  ADOLC_CASE(op, save) {                                                                           \
    adjoints.template step<op, rule, layouts::layout, save>(ADOLC_CELL, c, v, params, code);       \
  }                                                                                                \
  ADOLC_NEXT;
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  ADOLC_STEP(op, rule, layout, 0)                                                                  \
  ADOLC_STEP(op, rule, layout, 1)
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  ADOLC_CASE(op, 0) {                                                                              \
    using L = layouts::layout;                                                                     \
    c.loc -= L::numLocs;                                                                           \
    c.val -= L::numVals;                                                                           \
    sameBranch<relation>(ADOLC_CELL, readOperands<L>(c.loc, c.val, v, params), code);              \
  }                                                                                                \
  ADOLC_NEXT;
#include <adolc/internal/oplist_expand.h>
#undef ADOLC_STEP

  // Independents come in runs.
  ADOLC_CASE(assign_ind, 0)
  ADOLC_CASE(assign_ind, 1) {
    std::size_t i = state.independent;
    for (;;) {
      const std::size_t loc = *--c.loc;
      if ((ADOLC_CELL & kSaveBit) != 0)
        adjoints.template restore<true>(c, v, loc);
      adjoints.take(sweep, --i, loc);
      if (opcodeOf(*c.op) != assign_ind)
        break;
      static_cast<void>(ADOLC_FETCH);
    }
    state.independent = i;
  }
  ADOLC_NEXT;

  ADOLC_CASE(assign_dep, 0)
  ADOLC_CASE(assign_dep, 1) {
    const std::size_t loc = *--c.loc;
    --state.dependent;
    adjoints.give(sweep, state.dependent, loc);
  }
  ADOLC_NEXT;

  ADOLC_CASE(take_stock_op, 0)
  ADOLC_CASE(take_stock_op, 1)
  --c.loc;
  c.val -= static_cast<std::size_t>(c.val[-1]) + 2;
  ADOLC_NEXT;

  ADOLC_CASE(end_of_tape, 0)
  ADOLC_CASE(end_of_tape, 1)
  ADOLC_CASE(death_not, 0)
  ADOLC_CASE(death_not, 1)
  ADOLC_CASE(ignore_me, 0)
  ADOLC_CASE(ignore_me, 1)
  ADOLC_NEXT;

  ADOLC_CASE(end_of_op, 0)
  ADOLC_CASE(end_of_op, 1)
  state.code = code;
  return Stop::segmentEnd;

  ADOLC_CASE(start_of_tape, 0)
  ADOLC_CASE(start_of_tape, 1)
  state.code = code;
  return Stop::tapeEnd;

  ADOLC_UNKNOWN_CASE
  state.stop = {following(c), {}};
  return Stop::unknownOperation;

  ADOLC_LOOP_END
#undef ADOLC_FETCH
#undef ADOLC_CELL
}

/// @return the code of the sweep: 3 … 0
template <class Adjoints, class Sweep>
int reverseLoop(const Sweep &sweep, const Adjoints &adjoints) {
  const TapeRecordingContext &recording = sweep.context.recording();
  SegmentWalk walk(sweep.context);
  const std::size_t count = recording.numLocations;
  double *const v = sweep.context.workspace().values.require(count);
  const double *const params = recording.paramstore.data();
  ReverseState state{.independent = recording.numInds, .dependent = recording.numDeps};
  adjoints.begin(count);
  if constexpr (kPoison)
    std::fill_n(v, count, kPoisonValue);
  Stop stop = Stop::segmentEnd;
  Place place = walk.reverseBegin();
  walk.loadFinals([&](std::size_t loc, const double *entry) { adjoints.loadEntry(v, loc, entry); });
  for (;; place = walk.reverseNext()) {
    stop = (place.wide ? reverseSegment<Adjoints, WideLoc, Sweep>
                       : reverseSegment<Adjoints, NarrowLoc, Sweep>)(sweep, state, place,
                                                                     v + place.base, params,
                                                                     adjoints.shifted(place.base));
    if (stop != Stop::segmentEnd)
      break;
  }
  if (stop == Stop::unknownOperation)
    unknownOperation(sweep.context, state.stop);
  return state.code;
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
