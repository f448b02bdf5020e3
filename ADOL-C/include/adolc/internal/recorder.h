/// @file internal/recorder.h
/// How an operation gets onto the tape: the fast path that operators inline, and the declaration of
/// the one function that handles everything else.
#pragma once

#include <adolc/ops/derive.h>
#include <adolc/valuetape/taperegistry.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

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

/// What a variable holds: location (32 bits), store id (30 bits) and two flags. Passed by value
/// throughout, also out of line: a temporary whose address never escapes lives in a register.
struct Handle {
  std::uint64_t bits = 0; ///< 0: invalid

  bool valid() const { return bits != 0; }
  bool flagged() const { return (bits & (kPinnedBit | kBorrowedBit)) != 0; }
  bool pinned() const { return (bits & kPinnedBit) != 0; }
  bool borrowed() const { return (bits & kBorrowedBit) != 0; }
  LocCell loc() const { return static_cast<LocCell>(bits); }
  StoreId store() const { return static_cast<StoreId>(bits >> 32) & kStoreIdMask; }
  /// Whether store id and flags are those of a tag.
  bool has(std::uint64_t tag) const { return (bits ^ tag) >> 32 == 0; }
};
static_assert(kStoreIdBits == 30);

/// Whether a handle belongs to a store and has no flags.
ADOLC_ALWAYS_INLINE bool plain(Handle h, const Store &store) { return h.has(store.tag); }
template <std::size_t N>
ADOLC_ALWAYS_INLINE bool allPlain(const std::array<Handle, N> &args, const Store &store) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < N; ++i)
    all |= args[i].bits ^ store.tag;
  return all >> 32 == 0;
}
/// Whether a handle belongs to a store, whatever its flags.
ADOLC_ALWAYS_INLINE bool inStore(Handle h, const Store &store) {
  return (h.bits ^ store.tag) << 2 >> 34 == 0;
}

/// Everything but the plain case: no tape or a tape that is not recorded, a full segment, operands
/// with flags or of another store. The operands are the active ones and the constants in the order
/// of the rule; the result goes into the location of `target` if it has one in the current store,
/// else into a fresh one. Returns the handle that replaces `target`.
ADOLC_API Handle recordSlow(OPCODES op, Handle target, Handle a0 = {}, Handle a1 = {},
                            Handle a2 = {}, double c0 = 0.0, double c1 = 0.0);

/// The same; then frees the location of `temporary`, which is an operand.
ADOLC_API Handle recordConsuming(OPCODES op, Handle temporary, Handle target, Handle a0,
                                 Handle a1 = {}, double c0 = 0.0);

/// Keeps the compiler from merging neighbouring stores of 32 bits through a vector register, which
/// costs more than the stores.
#if defined(__GNUC__) && !defined(__clang__)
#define ADOLC_STORE_ALONE(cell) asm("" : "+m"(cell))
#else
#define ADOLC_STORE_ALONE(cell) static_cast<void>(0)
#endif

/// Keeps the compiler from loading a byte first and extending it only where it is used.
#if defined(__GNUC__)
#define ADOLC_NOW(number) asm("" : "+r"(number))
#else
#define ADOLC_NOW(number) static_cast<void>(0)
#endif

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
  }
  (std::make_integer_sequence<int, L::arity>{});
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
  static_assert(N == L::numLocs && K + (L::recordsStep ? 1 : 0) == L::numVals);
  static_assert(N < ADOLC::ops::kMaxLocsPerOp && L::numVals <= ADOLC::ops::kMaxValsPerOp);
  constexpr ADOLC::ops::Operands needs = ADOLC::ops::needs<Rule, L>();

  double *const values = store.values;
  const auto x = operandValues<L>(values, args, consts, result);
  const double v = ADOLC_CALL_RULE(Rule, value, x);
  bool piece = false;
  if constexpr (ADOLC::ops::hasPiece<Rule>)
    piece = ADOLC_CALL_RULE(Rule, piece, x);

  Needed *const needed = store.needed;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto mark = [&]<int i>(std::integral_constant<int, i>) {
      if constexpr ((needs & ADOLC::ops::operand(i)) != 0) {
        if constexpr (L::slots[i] == ADOLC::ops::Slot::Active)
          needed[args[static_cast<std::size_t>(L::cell(i))]] = Needed::yes;
        else
          needed[result] = Needed::yes;
      }
    };
    (mark(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, L::arity>{});
  unsigned save = static_cast<unsigned>(needed[result]);
  ADOLC_NOW(save);
  needed[result] = (needs & ADOLC::ops::kResult) != 0 ? Needed::yes : Needed::no;

  ValueTape::Recorder &r = tape.recorder;
  OpCell *const op = r.op;
  *op = static_cast<OpCell>(opCell(Op, 0, piece) + save); // not |, which compilers narrow to a byte
  r.op = op + 1;
  LocCell *const loc = r.loc;
  for (std::size_t i = 0; i < N; ++i) {
    loc[i] = args[i];
    ADOLC_STORE_ALONE(loc[i]);
  }
  loc[N] = result;
  r.loc = loc + N + 1;
  if constexpr (L::numVals > 0) {
    double *const val = r.val;
    for (std::size_t i = 0; i < K; ++i)
      val[i] = consts[i];
    if constexpr (L::recordsStep)
      val[K] = ADOLC::ops::stepOf<Rule>(x, v);
    r.val = val + L::numVals;
  }
  if (r.keeps) [[unlikely]] {
    *r.tay = values[result];
    r.tay += save;
  }
  values[result] = v;
}

/// Writes a marker: an operation with one location, which it overwrites (independent) or reads.
ADOLC_ALWAYS_INLINE void appendMarker(OPCODES op, ValueTape &tape, Store &store, LocCell loc,
                                      bool overwrites) {
  ValueTape::Recorder &r = tape.recorder;
  unsigned save = 0;
  if (overwrites) {
    save = static_cast<unsigned>(store.needed[loc]);
    ADOLC_NOW(save);
    store.needed[loc] = Needed::no;
    if (r.keeps) [[unlikely]] {
      *r.tay = store.values[loc];
      r.tay += save;
    }
  }
  *r.op++ = opCell(op, save);
  *r.loc++ = loc;
}

/// The current tape if it is recorded and its segment has room.
ADOLC_ALWAYS_INLINE ValueTape *recordingTape() {
  ValueTape *const tape = currentTapeSlot;
  if (tape != nullptr && tape->recorder.op != tape->recorder.opLimit) [[likely]]
    return tape;
  return nullptr;
}

} // namespace ADOLC::detail
