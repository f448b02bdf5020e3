/// @file fo_rev.h
/// The first-order reverse interpreter: one loop, instantiated for one and for several weights.
///
/// Per operation, in this order: the overwritten value is restored first, so that the operands are
/// what the operation saw; the result's adjoints are taken (and zeroed) before operands receive
/// theirs, so that x = f(x) needs no special order.
#pragma once

#include "interp/dispatch.h"
#include "interp/lanes.h"
#include "interp/sweep.h"
#include "uni5_for.h"

#include <cstdint>
#include <cstring>
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

/// Restores what the operation with this result overwrote.
template <bool Save, class Loc>
ADOLC_ALWAYS_INLINE void restore(Cursor<Loc> &c, double *v, Loc result,
                                 std::ptrdiff_t taylorBytes) {
  if constexpr (Save) {
    c.tay = previousEntry(c.tay, taylorBytes);
    v[result] = *c.tay;
  } else if constexpr (kPoison) {
    v[result] = kPoisonValue;
  }
}

template <class Rule, class L, bool Save, int P, class Loc>
ADOLC_ALWAYS_INLINE void stepReverse(OpCell cell, Cursor<Loc> &c, double *v, const double *params,
                                     std::ptrdiff_t taylorBytes, const Lanes<P> &lanes, int &code) {
  c.loc -= L::numLocs + 1;
  c.val -= L::numVals;
  const Loc *const locs = c.loc;
  const std::size_t result = locs[L::numLocs];
  const double value = v[result];
  restore<Save>(c, v, locs[L::numLocs], taylorBytes);
  if constexpr (activeCount<L>() == 0) {
    zeroRow(lanes, lanes.row(result));
  } else {
    if constexpr (asksForAdjoints<Rule, L, P>())
      if (!anyNonZero(lanes, lanes.row(result)))
        return;
    const auto x = readOperands<L>(locs, c.val, v, params);
    if constexpr (ops::hasPiece<Rule> && (ops::needs<Rule, L>() & ~ops::kResult) != 0)
      if (ADOLC_CALL_RULE(Rule, piece, x) != ((cell & kPieceBit) != 0)) [[unlikely]]
        lower(code, 2);
    if constexpr (ops::hasBoundary<Rule>)
      if (ADOLC_CALL_RULE(Rule, boundary, x)) [[unlikely]]
        lower(code, 0);
    if constexpr (ops::hasTie<Rule>)
      if (ADOLC_CALL_RULE(Rule, tie, x)) [[unlikely]]
        lower(code, 1);
    adjoints<Rule, L>(lanes, x, value, locs);
  }
}

/// With one weight: the operations before one of s *= y that multiply s, too. The adjoint of s
/// stays in a register, see continueSum.
///   ȳ += s w,  s̄ = y w  with w = s̄
template <bool Save, class Loc>
ADOLC_ALWAYS_INLINE void continueProduct(Cursor<Loc> &c, double *v, double *adjoints,
                                         std::ptrdiff_t taylorBytes) {
  constexpr OpCell cell = opCell(eq_mult_a, Save);
  const Loc result = c.loc[1];
  if (*c.op != cell || c.loc[-1] != result) [[likely]]
    return;
  double w = adjoints[result];
  Loc factor;
  do {
    c.op -= 1;
    c.loc -= 2;
    factor = c.loc[0];
    restore<Save>(c, v, result, taylorBytes);
    if (w != 0.0) {
      const double share = v[result] * w;
      w *= v[factor];
      adjoints[result] = w;
      adjoints[factor] += share;
    }
  } while (*c.op == cell && c.loc[-1] == result && factor != result);
}

/// With one weight: the operations before one of s += x y or s -= x y that are the same and have
/// the same x. Its adjoint stays in a register.
///   x̄ += ±y w,  ȳ += ±x w  with w = s̄
template <OPCODES Op, bool Save, class Loc>
ADOLC_ALWAYS_INLINE void continueProducts(Cursor<Loc> &c, double *v, double *adjoints,
                                          std::ptrdiff_t taylorBytes) {
  constexpr OpCell cell = opCell(Op, Save);
  const Loc first = c.loc[0];
  if (*c.op != cell || c.loc[-3] != first) [[likely]]
    return;
  double sum = adjoints[first];
  Loc second;
  do {
    c.op -= 1;
    c.loc -= 3;
    second = c.loc[1];
    const Loc result = c.loc[2];
    restore<Save>(c, v, result, taylorBytes);
    if (const double w = adjoints[result]; w != 0.0) {
      const auto p = ops::partials<typename OpTraits<Op>::Rule>({v[first], v[second], 0.0}, 0.0);
      sum += p[0] * w;
      adjoints[first] = sum;
      adjoints[second] += p[1] * w;
    }
  } while (*c.op == cell && c.loc[-3] == first && second != first);
}

/// The operation that was read last, going backwards.
template <class Loc> const OpCell *following(const Cursor<Loc> &c) { return c.op + 1; }

/// What a reverse sweep carries from segment to segment.
struct ReverseState {
  std::size_t independent = 0, dependent = 0;
  int code = 3;
  StopAt stop = {};
};

/// Interprets one segment backwards. `v` and `lanes` are shifted to the base of its locations.
template <int P, class Loc>
Stop reverseSegment(const ReverseSweep &sweep, ReverseState &state, const Place &place,
                    double *const v, const double *const params, const Lanes<P> lanes,
                    const std::ptrdiff_t taylorBytes) {
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
    stepReverse<rule, layouts::layout, save>(ADOLC_CELL, c, v, params, taylorBytes, lanes, code);  \
    if constexpr (P == 1 && op == eq_mult_a)                                                       \
      continueProduct<save>(c, v, lanes.data, taylorBytes);                                        \
    if constexpr (P == 1 && (op == eq_plus_prod || op == eq_min_prod))                             \
      continueProducts<op, save>(c, v, lanes.data, taylorBytes);                                   \
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
      if ((ADOLC_CELL & kSaveBit) != 0) {
        c.tay = previousEntry(c.tay, taylorBytes);
        v[loc] = *c.tay;
      }
      --i;
      double *const row = lanes.row(loc);
      for (std::size_t l = 0; l < (P == 1 ? 1 : sweep.lanes); ++l) {
        double &result = sweep.results[l][i];
        result = row[l] + (sweep.accumulate ? result : 0.0); // + 0: never -0
      }
      zeroRow(lanes, row);
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
    for (std::size_t l = 0; l < sweep.lanes; ++l)
      lanes.row(loc)[l] += sweep.weight(l, state.dependent);
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
template <int P> int reverseLoop(ReverseSweep &sweep, const Lanes<P> lanes) {
  const TapeRecordingContext &recording = sweep.context.recording();
  SegmentWalk walk(sweep.context);
  const std::size_t count = recording.numLocations;
  double *const v = sweep.context.workspace().values.require(count);
  const double *const params = recording.paramstore.data();
  const auto taylorBytes =
      static_cast<std::ptrdiff_t>(sweep.context.taylors().width() * sizeof(double));
  ReverseState state{.independent = recording.numInds, .dependent = recording.numDeps};
  std::memset(lanes.data, 0, count * P * sizeof(double));
  if constexpr (kPoison)
    for (std::size_t i = 0; i < count; ++i)
      v[i] = kPoisonValue;
  Stop stop = Stop::segmentEnd;
  Place place = walk.reverseBegin();
  walk.loadFinals(v);
  for (;; place = walk.reverseNext()) {
    const Lanes<P> shifted{lanes.row(place.base)};
    stop = (place.wide ? reverseSegment<P, WideLoc>
                       : reverseSegment<P, NarrowLoc>)(sweep, state, place, v + place.base, params,
                                                       shifted, taylorBytes);
    if (stop != Stop::segmentEnd)
      break;
  }
  if (stop == Stop::unknownOperation)
    unknownOperation(sweep.context, state.stop);
  return state.code;
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
