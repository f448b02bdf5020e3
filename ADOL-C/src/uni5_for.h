/// @file uni5_for.h
/// The forward interpreter: one loop, instantiated for zos, fos, fov, hos and hov sweeps with and
/// without keep. Every elemental is handled by one template from its rule; only operations that are
/// not functions of numbers have a case of their own.
#pragma once

#include "interp/dispatch.h"
#include "interp/lanes.h"
#include "interp/sweep.h"

#include <adolc/internal/recorder.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

/// Values of the operands of the operation at the cursor.
template <class L>
ADOLC_ALWAYS_INLINE std::array<double, L::arity>
readOperands(const auto *locs, const double *vals, const double *v, const double *params) {
  using ops::Slot;
  const auto read = [&]<int I>(std::integral_constant<int, I>) -> double {
    if constexpr (L::slots[I] == Slot::Active)
      return v[locs[L::cell(I)]];
    else if constexpr (L::slots[I] == Slot::Result)
      return v[locs[L::numLocs]];
    else if constexpr (L::slots[I] == Slot::Constant)
      return vals[L::cell(I)];
    else if constexpr (L::slots[I] == Slot::Param)
      return params[static_cast<std::size_t>(vals[L::cell(I)])];
    else
      return L::slots[I] == Slot::One ? 1.0 : 0.0;
  };
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::array<double, L::arity>{read(std::integral_constant<int, I>{})...};
  }
  (std::make_integer_sequence<int, L::arity>{});
}

/// Rows of Taylor coefficients (taylor_rows.h) have ways of their own.
template <class LaneSet> inline constexpr bool isTaylors = requires { LaneSet::isTaylors; };

/// What is about to be overwritten, to the Taylor stack.
template <int Keep, class LaneSet, class Loc>
ADOLC_ALWAYS_INLINE void saveEntry(Cursor<Loc> &c, const double *v, const LaneSet &lanes,
                                   std::size_t loc) {
  if constexpr (isTaylors<LaneSet>)
    if (!lanes.keeps())
      return;
  *c.tay++ = v[loc];
  if constexpr (Keep == 2)
    c.tay = lanes.save(c.tay, loc);
}

/// One elemental: values, return code, tangents, keep; false where the function has no value.
///
/// Everything is computed before anything is written, so that x = f(x) needs no special order; the
/// overwritten value goes to the Taylor stack before it is lost, with its derivatives if Keep is 2.
template <OPCODES Op, class Rule, class L, bool Save, int Keep, class LaneSet, class Loc>
ADOLC_ALWAYS_INLINE bool stepForward(OpCell cell, Cursor<Loc> &c, double *v, const double *params,
                                     const LaneSet &lanes, int &code) {
  constexpr bool withLanes = !std::is_same_v<LaneSet, NoLanes>;
  const Loc *const locs = c.loc;
  const double *const vals = c.val;
  c.loc += L::numLocs + 1;
  c.val += L::numVals;
  const std::size_t result = locs[L::numLocs];
  const auto x = readOperands<L>(locs, vals, v, params);
  const double value = ADOLC_CALL_RULE(Rule, value, x);

  if constexpr (ops::hasDomain<Rule>)
    if (!ADOLC_CALL_RULE(Rule, defined, x)) [[unlikely]]
      return false;
  if constexpr (ops::hasPiece<Rule>)
    if (ADOLC_CALL_RULE(Rule, piece, x) != ((cell & kPieceBit) != 0)) [[unlikely]]
      lower(code, 2);
  if constexpr (ops::hasBoundary<Rule>)
    if (ADOLC_CALL_RULE(Rule, boundary, x)) [[unlikely]]
      lower(code, 0);
  if constexpr (L::recordsStep) {
    const double step = ops::stepOf<Rule>(x, value), recorded = vals[L::numVals - 1];
    if (step != recorded && !(step != step && recorded != recorded)) [[unlikely]]
      lower(code, 2);
  }

  bool onKink = false;
  if constexpr (ops::hasTie<Rule>)
    onKink = ADOLC_CALL_RULE(Rule, tie, x);
  if constexpr (ops::hasTie<Rule>)
    if (Rule::tieCountsWithoutTangents && onKink) [[unlikely]]
      lower(code, 1);

  if constexpr (Keep > 0 && Save)
    saveEntry<Keep>(c, v, lanes, result);
  if constexpr (isTaylors<LaneSet>) {
    lanes.template propagate<Op, Rule, L>(x, value, locs, onKink, code);
  } else if constexpr (withLanes) {
    double *const out = lanes.row(result);
    if constexpr (ops::hasTie<Rule>) {
      if (onKink) [[unlikely]] {
        if (kinkTangents<Rule, L>(lanes, x, locs, out))
          lower(code, 1);
        v[result] = value;
        return true;
      }
    }
    tangents<Rule, L>(lanes, x, value, locs, out);
  }
  v[result] = value;
  return true;
}

/// The operations that follow one of s += x y and continue the sum. Its value stays in a register;
/// through memory each operation would wait for the store of the one before. (Other operations that
/// accumulate are too often followed by something else for asking to pay.)
template <class Rule, class L>
inline constexpr bool sumsProducts =
    std::is_same_v<Rule, ops::MulAdd> &&L::slots[2] == ops::Slot::Result;
template <class Rule, class L, bool Keep, class Loc>
ADOLC_ALWAYS_INLINE void continueSum(Cursor<Loc> &c, double *v, const double *params) {
  const OpCell cell = c.op[-1];
  const Loc result = c.loc[-1];
  if (*c.op != cell || c.loc[L::numLocs] != result) [[likely]]
    return;
  double sum = v[result];
  do {
    auto x = readOperands<L>(c.loc, c.val, v, params);
    x[2] = sum;
    c.op += 1;
    c.loc += L::numLocs + 1;
    c.val += L::numVals;
    if constexpr (Keep)
      *c.tay++ = sum;
    sum = ADOLC_CALL_RULE(Rule, value, x);
    v[result] = sum;
  } while (*c.op == cell && c.loc[L::numLocs] == result);
}

/// The same with one tangent. What is not finite is left to the operations themselves.
template <class Rule, class L, int Keep, class Loc>
ADOLC_ALWAYS_INLINE void continueSum(Cursor<Loc> &c, double *v, const double *params,
                                     const Lanes<1> &lanes) {
  const OpCell cell = c.op[-1];
  const Loc result = c.loc[-1];
  if (*c.op != cell || c.loc[L::numLocs] != result) [[likely]]
    return;
  double sum = v[result], tangent = *lanes.row(result);
  do {
    auto x = readOperands<L>(c.loc, c.val, v, params);
    x[2] = sum;
    const double value = ADOLC_CALL_RULE(Rule, value, x);
    if (!std::isfinite(value)) [[unlikely]]
      return;
    const auto p = ops::partials<Rule>(x, value);
    double share = activePartial<L, 0>(p) * *activeRow<L, 0>(lanes, c.loc);
    if constexpr (activeCount<L>() == 3)
      share += p[1] * *activeRow<L, 1>(lanes, c.loc);
    if constexpr (Keep > 0)
      *c.tay++ = sum;
    if constexpr (Keep == 2)
      *c.tay++ = tangent;
    c.op += 1;
    c.loc += L::numLocs + 1;
    c.val += L::numVals;
    v[result] = sum = value;
    *lanes.row(result) = tangent = share + tangent;
  } while (*c.op == cell && c.loc[L::numLocs] == result);
}

/// The outcome of a recorded comparison; lowers the code on its boundary.
template <class Relation>
ADOLC_ALWAYS_INLINE bool sameBranch(OpCell cell, const std::array<double, 2> &x, int &code) {
  if (x[0] == x[1]) [[unlikely]]
    lower(code, 0);
  if (Relation::holds(x[0], x[1]) == ((cell & kPieceBit) != 0)) [[likely]]
    return true;
  return (cell & kUnorderedBit) != 0 && (x[0] != x[0] || x[1] != x[1]);
}

/// The operation that was read last.
template <class Loc> const OpCell *previous(const Cursor<Loc> &c) { return c.op - 1; }

/// What a forward sweep carries from segment to segment.
struct ForwardState {
  std::size_t independent = 0, dependent = 0;
  int code = 3;
  StopAt stop = {};
};

/// The tangents of an independent, from the caller's.
template <class LaneSet>
ADOLC_ALWAYS_INLINE void takeSeed(const ForwardSweep &sweep, std::size_t independent,
                                  const LaneSet &lanes, std::size_t loc) {
  double *const row = lanes.row(loc);
  if (const double *const seed = sweep.seed(independent);
      seed != nullptr && sweep.lanes == LaneSet::count) [[likely]]
    copyRow(lanes, row, seed);
  else
    sweep.seedPart(independent, row, LaneSet::count);
}
/// The tangents of a dependent, to the caller's.
template <class LaneSet>
ADOLC_ALWAYS_INLINE void giveResult(const ForwardSweep &sweep, std::size_t dependent,
                                    const LaneSet &lanes, std::size_t loc) {
  if (double *const result = sweep.result(dependent); result != nullptr)
    std::copy_n(lanes.row(loc), sweep.lanes, result);
}

/// Interprets one segment. `v` and `lanes` are shifted to the base of its locations.
template <class LaneSet, int Keep, class Loc, class Sweep>
Stop forwardSegment(const Sweep &sweep, ForwardState &state, const Place &place, double *const v,
                    const double *const params, const LaneSet lanes) {
  using namespace ADOLC::ops;
  constexpr bool withLanes = !std::is_same_v<LaneSet, NoLanes>;
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
#define ADOLC_FETCH *c.op++
#define ADOLC_CELL c.op[-1]

  ADOLC_LOOP_BEGIN

#define ADOLC_STEP(op, rule, layout, save)                                                         \
  ADOLC_CASE(op, save)                                                                             \
  if constexpr (Keep > 0 || (save) == 0) {                                                         \
    if (!stepForward<op, rule, layouts::layout, save, Keep>(ADOLC_CELL, c, v, params, lanes,       \
                                                            code))                                 \
      goto undefined;                                                                              \
    if constexpr (!withLanes && sumsProducts<rule, layouts::layout>)                               \
      continueSum<rule, layouts::layout, (Keep > 0 && (save) != 0)>(c, v, params);                 \
    if constexpr (std::is_same_v<LaneSet, Lanes<1>> && sumsProducts<rule, layouts::layout>)        \
      continueSum<rule, layouts::layout, ((save) != 0 ? Keep : 0)>(c, v, params, lanes);           \
    ADOLC_NEXT;                                                                                    \
  }
// Without keep both cases are one: the first has no code and runs into the second.
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  ADOLC_STEP(op, rule, layout, 1)                                                                  \
  ADOLC_STEP(op, rule, layout, 0)
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  ADOLC_CASE(op, 0) {                                                                              \
    using L = layouts::layout;                                                                     \
    const auto x = readOperands<L>(c.loc, c.val, v, params);                                       \
    c.loc += L::numLocs;                                                                           \
    c.val += L::numVals;                                                                           \
    if (!sameBranch<relation>(ADOLC_CELL, x, code)) {                                              \
      state.stop = {previous(c), {x[0], x[1]}};                                                    \
      return Stop::branchSwitch;                                                                   \
    }                                                                                              \
  }                                                                                                \
  ADOLC_NEXT;
#include <adolc/internal/oplist_expand.h>
#undef ADOLC_STEP

  ADOLC_CASE(assign_ind, 0)
  ADOLC_CASE(assign_ind, 1) {
    const std::size_t loc = *c.loc++;
    if constexpr (Keep > 0)
      if ((ADOLC_CELL & kSaveBit) != 0)
        saveEntry<Keep>(c, v, lanes, loc);
    v[loc] = sweep.x[state.independent];
    if constexpr (withLanes)
      takeSeed(sweep, state.independent, lanes, loc);
    ++state.independent;
  }
  ADOLC_NEXT;

  ADOLC_CASE(assign_dep, 0)
  ADOLC_CASE(assign_dep, 1) {
    const std::size_t loc = *c.loc++;
    sweep.y[state.dependent] = v[loc];
    if constexpr (withLanes)
      giveResult(sweep, state.dependent, lanes, loc);
    ++state.dependent;
  }
  ADOLC_NEXT;

  ADOLC_CASE(take_stock_op, 0)
  ADOLC_CASE(take_stock_op, 1) {
    const std::size_t first = *c.loc++;
    const auto count = static_cast<std::size_t>(c.val[0]);
    std::memcpy(v + first, c.val + 1, count * sizeof(double));
    c.val += count + 2;
    lanes.clear(first, count);
  }
  ADOLC_NEXT;

  ADOLC_CASE(start_of_tape, 0)
  ADOLC_CASE(start_of_tape, 1)
  ADOLC_CASE(death_not, 0)
  ADOLC_CASE(death_not, 1)
  ADOLC_CASE(ignore_me, 0)
  ADOLC_CASE(ignore_me, 1)
  ADOLC_NEXT;

  ADOLC_CASE(end_of_op, 0)
  ADOLC_CASE(end_of_op, 1)
  state.code = code;
  return Stop::segmentEnd;

  ADOLC_CASE(end_of_tape, 0)
  ADOLC_CASE(end_of_tape, 1)
  state.code = code;
  return Stop::tapeEnd;

  ADOLC_UNKNOWN_CASE
  state.stop = {previous(c), {}};
  return Stop::unknownOperation;

  ADOLC_LOOP_END
#undef ADOLC_FETCH
#undef ADOLC_CELL

undefined:
  state.stop = {previous(c), {v[c.loc[-3]], c.val[-1]}};
  return Stop::undefined;
}

/// `kept` is what a sweep with keep leaves on the Taylor stack.
/// @return the code of the sweep: 3 … 0, or -1, -2 with poisoned outputs
template <class LaneSet, int Keep, class Sweep>
int forwardLoop(const Sweep &sweep, const LaneSet lanes, const TaylorShape &kept = {}) {
  const TapeRecordingContext &recording = sweep.context.recording();
  SegmentWalk walk(sweep.context);
  double *const v = sweep.context.workspace().values.require(recording.numLocations);
  const double *const params = recording.paramstore.data();
  ForwardState state;
  Stop stop = Stop::segmentEnd;
  for (Place place = walk.forwardBegin(kept);; place = walk.forwardNext()) {
    stop =
        (place.wide ? forwardSegment<LaneSet, Keep, WideLoc, Sweep>
                    : forwardSegment<LaneSet, Keep, NarrowLoc, Sweep>)(sweep, state, place,
                                                                       v + place.base, params,
                                                                       lanes.shifted(place.base));
    if (stop != Stop::segmentEnd)
      break;
  }
  if (stop == Stop::unknownOperation)
    unknownOperation(sweep.context, state.stop);
  if (stop != Stop::tapeEnd) {
    leaveBranch(sweep, walk, state.stop);
    return stop == Stop::branchSwitch ? -1 : -2;
  }
  if (Keep > 0 && kept.keep > 0)
    walk.saveFinals(v, lanes.data, lanes.pitch());
  return state.code;
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
