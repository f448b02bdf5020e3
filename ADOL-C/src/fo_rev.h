/// @file fo_rev.h
/// First-order adjoints: the reverse interpreter (reverse_loop.h) for one and for several weights.
#pragma once

#include "interp/lanes.h"
#include "interp/reverse_loop.h"

#include <cstring>

namespace ADOLC::detail {
namespace ADOLC_INSTRUCTION_SET {

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
    noteCode<Rule, L>(cell, x, code);
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

/// The adjoints of a sweep with P weights.
template <int P> class FirstOrderAdjoints {
public:
  FirstOrderAdjoints(Lanes<P> lanes, std::size_t taylorWidth)
      : lanes_(lanes), taylorBytes_(static_cast<std::ptrdiff_t>(taylorWidth * sizeof(double))) {}

  FirstOrderAdjoints shifted(std::size_t base) const {
    return {lanes_.shifted(base), taylorBytes_};
  }
  void begin(std::size_t locations) const { lanes_.clear(0, locations); }
  void loadEntry(double *v, std::size_t loc, const double *entry) const { v[loc] = *entry; }

  template <OPCODES Op, class Rule, class L, bool Save, class Loc>
  ADOLC_ALWAYS_INLINE void step(OpCell cell, Cursor<Loc> &c, double *v, const double *params,
                                int &code) const {
    stepReverse<Rule, L, Save>(cell, c, v, params, taylorBytes_, lanes_, code);
    if constexpr (P == 1 && Op == eq_mult_a)
      continueProduct<Save>(c, v, lanes_.data, taylorBytes_);
    if constexpr (P == 1 && (Op == eq_plus_prod || Op == eq_min_prod))
      continueProducts<Op, Save>(c, v, lanes_.data, taylorBytes_);
  }
  template <bool Save, class Loc>
  ADOLC_ALWAYS_INLINE void restore(Cursor<Loc> &c, double *v, std::size_t loc) const {
    detail::ADOLC_INSTRUCTION_SET::restore<Save>(c, v, static_cast<Loc>(loc), taylorBytes_);
  }
  ADOLC_ALWAYS_INLINE void take(const ReverseSweep &sweep, std::size_t independent,
                                std::size_t loc) const {
    double *const row = lanes_.row(loc);
    for (std::size_t l = 0; l < (P == 1 ? 1 : sweep.lanes); ++l) {
      double &result = sweep.results[l][independent];
      result = row[l] + (sweep.accumulate ? result : 0.0); // + 0: never -0
    }
    zeroRow(lanes_, row);
  }
  ADOLC_ALWAYS_INLINE void give(const ReverseSweep &sweep, std::size_t dependent,
                                std::size_t loc) const {
    for (std::size_t l = 0; l < sweep.lanes; ++l)
      lanes_.row(loc)[l] += sweep.weight(l, dependent);
  }

private:
  FirstOrderAdjoints(Lanes<P> lanes, std::ptrdiff_t bytes) : lanes_(lanes), taylorBytes_(bytes) {}

  Lanes<P> lanes_;
  std::ptrdiff_t taylorBytes_;
};

template <int P> int firstOrderReverse(const ReverseSweep &sweep, double *lanes) {
  return reverseLoop(sweep,
                     FirstOrderAdjoints<P>(Lanes<P>{lanes}, sweep.context.taylors().shape.width()));
}

} // namespace ADOLC_INSTRUCTION_SET
} // namespace ADOLC::detail
