#include "interp/dependence.h"

#include "tape/operations.h"

#include <adolc/ops/derive.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace ADOLC::detail {
namespace {

using Label = unsigned char;
constexpr Label labelOf(Dependence kind) { return static_cast<Label>(kind); }

/// Labels of one location: those of a strip of lanes.
constexpr std::size_t kStrip = 16;
using Labels = std::array<Label, kStrip>;

using OperandLabels = std::array<Label, kMaxOperands>;

/// The partial of operand i is 0 everywhere: a rule that states partials itself reads something in
/// every other one.
template <class Rule> constexpr bool hasNoPartial(int i) {
  return ops::detail::hasPartials<Rule> && ops::constantPartial<Rule>(i);
}
template <class Rule> constexpr bool hasNoPartials() {
  for (int i = 0; i < Rule::arity; ++i)
    if (!hasNoPartial<Rule>(i))
      return false;
  return true;
}

/// What an operation of this kind makes of its operands.
template <class Rule, class L> constexpr OperandLabels operandLabels(Dependence kind) {
  OperandLabels labels{};
  for (int i = 0; i < Rule::arity; ++i) {
    Dependence operand = kind;
    // Beside operands with derivatives, one without any only selects among them: a condition, a
    // sign. Where none has any, as in a step, the jumps are the dependence.
    if (!L::active(i) || (hasNoPartial<Rule>(i) && !hasNoPartials<Rule>()))
      operand = Dependence::Constant;
    else if (ops::constantPartial<Rule>(i) && !ops::isNonSmooth<Rule>)
      operand = Dependence::Linear;
    labels[static_cast<std::size_t>(i)] = labelOf(operand);
  }
  return labels;
}

constexpr std::array<OperandLabels, kNumOpcodes> kOperandLabels = [] {
  using namespace ADOLC::ops;
  std::array<OperandLabels, kNumOpcodes> table{};
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  table[op] = operandLabels<rule, layouts::layout>(Dependence::depend);
#include <adolc/internal/oplist_expand.h>
  return table;
}();

/// Of x^r.
Label powerLabel(double r) {
  if (!std::isfinite(r) || r != std::trunc(r))
    return labelOf(Dependence::Transcendental);
  return labelOf(r < 0.0    ? Dependence::Rational
                 : r == 0.0 ? Dependence::Constant
                 : r == 1.0 ? Dependence::Linear
                            : Dependence::Polynomial);
}

/// The result's labels reach an operand through an operation of this kind.
void reach(Labels &operand, const Labels &result, Label kind) {
  for (std::size_t l = 0; l < kStrip; ++l) {
    const Label there = result[l] != 0 ? std::max(result[l], kind) : result[l];
    operand[l] = std::max(operand[l], there);
  }
}

/// Some lanes of a sweep.
class Strip {
public:
  Strip(const TaylorReverse &sweep, short *const *nz, std::size_t first, Labels *byLocation)
      : sweep_(sweep), nz_(nz), first_(first), count_(std::min(kStrip, sweep.lanes - first)),
        byLocation_(byLocation), independent_(sweep.context.recording().numInds),
        dependent_(sweep.context.recording().numDeps) {}

  void run() {
    const TapeRecordingContext &recording = sweep_.context.recording();
    std::fill_n(byLocation_, recording.numLocations, Labels{});
    SegmentWalk walk(sweep_.context);
    Place place = walk.structureBegin();
    while (!(place.wide ? segment<WideLoc>(place) : segment<NarrowLoc>(place)))
      place = walk.reverseNext();
  }

private:
  /// Whether it is the first one of the tape.
  template <class Loc> bool segment(const Place &place) {
    Cursor<Loc> c(place);
    Labels *const labels = byLocation_ + place.base;
    for (;; --c.op) {
      const OPCODES op = opcodeOf(*c.op);
      const OperationShape &shape = operationShapes[op];
      if (!shape.recorded)
        unknownOperation(sweep_.context, {c.op});
      if (shape.mark)
        return op == start_of_tape;
      c.loc -= shape.numLocs;
      c.val -= op == take_stock_op ? static_cast<std::size_t>(c.val[-1]) + 2 : shape.numVals;
      if (op == assign_ind)
        independent(labels[*c.loc]);
      else if (op == assign_dep)
        dependent(labels[*c.loc]);
      else if (shape.writes)
        operation(op, shape, c.loc, c.val, labels);
    }
  }

  template <class Loc>
  void operation(OPCODES op, const OperationShape &shape, const Loc *locs, const double *vals,
                 Labels *labels) {
    Labels &written = labels[locs[shape.numLocs - 1]];
    const Labels result = written;
    written = {};
    for (std::size_t i = 0; i < shape.arity; ++i)
      if (Label kind = kOperandLabels[op][i]; kind != 0) {
        const OperandSource source = shape.operands[i];
        if (op == pow_op)
          kind = powerLabel(vals[0]);
        if (kind != 0)
          reach(source.slot == ops::Slot::Result ? written : labels[locs[source.cell]], result,
                kind);
      }
  }

  void independent(Labels &labels) {
    --independent_;
    for (std::size_t l = 0; l < count_; ++l)
      nz_[first_ + l][independent_] = labels[l];
    labels = {};
  }
  void dependent(Labels &labels) {
    --dependent_;
    for (std::size_t l = 0; l < count_; ++l)
      if (hasWeight(first_ + l, dependent_))
        labels[l] = std::max(labels[l], labelOf(Dependence::Linear));
  }
  bool hasWeight(std::size_t lane, std::size_t dependent) const {
    if (sweep_.weightPolynomials != nullptr) {
      const double *const weight = sweep_.weightPolynomials[lane][dependent];
      return std::any_of(weight, weight + sweep_.degree + 1, [](double w) { return w != 0.0; });
    }
    return sweep_.weights != nullptr ? sweep_.weights[lane][dependent] != 0.0
                                     : dependent == sweep_.firstUnit + lane;
  }

  const TaylorReverse &sweep_;
  short *const *nz_;
  std::size_t first_, count_;
  Labels *byLocation_;
  std::size_t independent_, dependent_;
};

} // namespace

void dependenceLabels(const TaylorReverse &sweep, short *const *nz) {
  const std::size_t doubles = sizeof(Labels) / sizeof(double);
  double *const memory =
      sweep.context.workspace().lanes.require(sweep.context.recording().numLocations * doubles);
  for (std::size_t first = 0; first < sweep.lanes; first += kStrip)
    Strip(sweep, nz, first, reinterpret_cast<Labels *>(memory)).run();
}

} // namespace ADOLC::detail
