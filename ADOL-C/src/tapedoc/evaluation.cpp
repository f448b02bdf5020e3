#include "tapedoc/evaluation.h"

#include <adolc/ops/derive.h>
#include <adolc/valuetape/taperecordingcontext.h>

#include <algorithm>
#include <limits>

namespace ADOLC::detail {
namespace {

using Operands = std::array<double, kMaxOperands>;
using Kind = OperationValues::Kind;

/// As many operands as the rule has.
template <class Rule> std::array<double, Rule::arity> operandsOf(const Operands &x) {
  std::array<double, Rule::arity> own;
  std::copy_n(x.begin(), own.size(), own.begin());
  return own;
}

template <class Rule> void apply(const Operands &all, OperationValues &values) {
  const auto x = operandsOf<Rule>(all);
  values.kind = Kind::number;
  if constexpr (ops::hasDomain<Rule>)
    if (!ADOLC_CALL_RULE(Rule, defined, x)) {
      values.kind = Kind::undefined;
      return;
    }
  values.result = ADOLC_CALL_RULE(Rule, value, x);
}

/// The outcome of a comparison, as a sweep judges it.
template <class Relation>
void compare(const Operation &operation, const Operands &x, OperationValues &values) {
  const bool holds = Relation::holds(x[0], x[1]);
  const bool ordered = x[0] == x[0] && x[1] == x[1];
  const bool same = holds == operation.piece() || (operation.unordered() && !ordered);
  values.kind = same ? Kind::outcome : Kind::left;
  values.result = holds ? 1.0 : 0.0;
}

/// Elementals and comparisons.
void applyRule(const Operation &operation, OperationValues &values) {
  using namespace ADOLC::ops;
  switch (operation.opcode()) {
#define ADOLC_OP(op, rule, layout, depend, text)                                                   \
  case op:                                                                                         \
    apply<rule>(values.operands, values);                                                          \
    break;
#define ADOLC_BRANCH(op, relation, layout, text)                                                   \
  case op:                                                                                         \
    compare<relation>(operation, values.operands, values);                                         \
    break;
#include <adolc/internal/oplist_expand.h>
  default: // marks
    break;
  }
}

} // namespace

Evaluation::Evaluation(TapeEvaluationContext &context, std::span<const double> x)
    : x_(x.data()), values_(context.workspace().values.require(context.recording().numLocations)),
      params_(context.recording().paramstore.data()) {
  // What a program leaves uninitialised is shown as such.
  std::fill_n(values_, context.recording().numLocations, std::numeric_limits<double>::quiet_NaN());
}

OperationValues Evaluation::step(const Operation &operation) {
  using ops::Slot;
  OperationValues values;
  if (!onBranch_)
    return values;
  std::size_t i = 0;
  for (const OperandSource source : operation.operands()) {
    double &operand = values.operands[i++];
    if (operation.located(source))
      operand = values_[operation.location(source)];
    else if (source.slot == Slot::Constant)
      operand = operation.vals[source.cell];
    else if (source.slot == Slot::Param)
      operand = params_[static_cast<std::size_t>(operation.vals[source.cell])];
    else
      operand = source.slot == Slot::One ? 1.0 : 0.0;
  }
  switch (operation.opcode()) {
  case take_stock_op:
    std::copy(operation.vals.begin(), operation.vals.end(), values_ + operation.firstWritten());
    return values;
  case assign_ind:
    values.kind = Kind::number;
    values.result = *x_++;
    break;
  case assign_dep:
    values.kind = Kind::number;
    values.result = values.operands[0];
    return values;
  default:
    applyRule(operation, values);
  }
  onBranch_ = values.kind != Kind::left && values.kind != Kind::undefined;
  if (operation.shape().writes)
    values_[operation.firstWritten()] = values.result;
  return values;
}

} // namespace ADOLC::detail
