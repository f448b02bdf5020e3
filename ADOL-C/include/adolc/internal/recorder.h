/// @file internal/recorder.h
/// How an operation gets onto the tape: the fast path that operators inline, and the declaration of
/// the one function that handles everything else.
#pragma once

#include <adolc/ops/derive.h>
#include <adolc/valuetape/taperegistry.h>

#include <array>
#include <cstddef>
#include <tuple>

class adouble;

namespace ADOLC::detail {

/// Rule and layout of an opcode.
template <OPCODES Op> struct OpTraits;
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  template <> struct OpTraits<op> {                                                                \
    using Rule [[maybe_unused]] = typename decltype([] {                                           \
      using namespace ADOLC::ops;                                                                  \
      return std::type_identity<rule>{};                                                           \
    }())::type;                                                                                    \
    using L = ADOLC::ops::layouts::layout;                                                         \
  };
#include <adolc/internal/oplist_expand.h>

/// Everything but the plain case: no tape or a tape that is not recorded, a full segment, operands
/// of another store, borrowed and pinned handles. `args` are the active operands and `consts` the
/// constants in the order of the rule. The result goes to `target`: into its location where it has
/// one in the current store, else into a fresh one.
ADOLC_API ADOLC_COLD void recordSlow(OPCODES op, const adouble *const *args, const double *consts,
                                     adouble &target);

/// The values of an operation's operands.
template <class L, std::size_t N, std::size_t K>
ADOLC_ALWAYS_INLINE std::array<double, L::arity>
operandValues(const double *values, const std::array<LocCell, N> &args,
              const std::array<double, K> &consts, LocCell result) {
  using ADOLC::ops::Slot;
  const auto operand = [&]<int I>(std::integral_constant<int, I>) -> double {
    if constexpr (L::slots[I] == Slot::Active)
      return values[args[static_cast<std::size_t>(L::cell(I))]];
    else if constexpr (L::slots[I] == Slot::Result)
      return values[result];
    else if constexpr (L::slots[I] == Slot::Constant)
      return consts[static_cast<std::size_t>(L::cell(I))];
    else
      return L::slots[I] == Slot::One ? 1.0 : 0.0;
  };
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::array<double, L::arity>{operand(std::integral_constant<int, I>{})...};
  }(std::make_integer_sequence<int, L::arity>{});
}

/// Writes one operation and sets the value of its result. Preconditions: the tape is recorded and
/// its segment has room; all locations belong to its store.
///
/// The order of the to-be-recorded marks matters: operands first, then the overwritten location is
/// tested, then the result is marked. (Otherwise x *= x would lose the x that its reverse needs.)
template <OPCODES Op, std::size_t N, std::size_t K>
ADOLC_ALWAYS_INLINE void append(ValueTape &tape, Store &store, const std::array<LocCell, N> &args,
                                const std::array<double, K> &consts, LocCell result) {
  using Rule = typename OpTraits<Op>::Rule;
  using L = typename OpTraits<Op>::L;
  static_assert(N == L::numLocs && K + (L::recordsValue ? 1 : 0) == L::numVals);
  static_assert(N < ADOLC::ops::kMaxLocsPerOp && L::numVals <= ADOLC::ops::kMaxValsPerOp);
  constexpr ADOLC::ops::Operands needs = ADOLC::ops::needs<Rule, L>();

  double *const values = store.values;
  const auto x = operandValues<L>(values, args, consts, result);
  const double v = ADOLC_CALL_RULE(Rule, value, x);
  bool piece = false;
  if constexpr (ADOLC::ops::hasPiece<Rule>)
    piece = ADOLC_CALL_RULE(Rule, piece, x);

  std::uint16_t *const needed = store.needed;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto mark = [&]<int i>(std::integral_constant<int, i>) {
      if constexpr ((needs & ADOLC::ops::operand(i)) != 0) {
        if constexpr (L::slots[i] == ADOLC::ops::Slot::Active)
          needed[args[static_cast<std::size_t>(L::cell(i))]] = 1;
        else
          needed[result] = 1;
      }
    };
    (mark(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, L::arity>{});
  const unsigned save = needed[result];
  needed[result] = (needs & ADOLC::ops::kResult) != 0 ? 1 : 0;

  ValueTape::Recorder &r = tape.recorder;
  OpCell *const op = r.op;
  *op = static_cast<OpCell>(opCell(Op, 0, piece) | save);
  r.op = op + 1;
  LocCell *const loc = r.loc;
  for (std::size_t i = 0; i < N; ++i)
    loc[i] = args[i];
  loc[N] = result;
  r.loc = loc + N + 1;
  if constexpr (L::numVals > 0) {
    double *const val = r.val;
    for (std::size_t i = 0; i < K; ++i)
      val[i] = consts[i];
    if constexpr (L::recordsValue)
      val[K] = v;
    r.val = val + L::numVals;
  }
  if (r.tay != nullptr) [[unlikely]] {
    *r.tay = values[result];
    r.tay += save;
  }
  values[result] = v;
}

/// The current tape if it is recorded and its segment has room.
ADOLC_ALWAYS_INLINE ValueTape *recordingTape() {
  ValueTape *const tape = currentTapeSlot;
  if (tape != nullptr && tape->recorder.op != tape->recorder.opLimit) [[likely]]
    return tape;
  return nullptr;
}

} // namespace ADOLC::detail
