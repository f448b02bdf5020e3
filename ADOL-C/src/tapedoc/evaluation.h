/// @file tapedoc/evaluation.h
/// Values of a recording at a point, one operation at a time.
#pragma once

#include "tape/operations.h"

#include <adolc/valuetape/tapeevaluationcontext.h>

#include <array>
#include <cstddef>
#include <span>

namespace ADOLC::detail {

/// What an operation does at a point.
struct OperationValues {
  enum class Kind {
    none,     ///< has no values
    number,   ///< `result` is the value of the result, or of the dependent
    outcome,  ///< `result` is 1 or 0: a comparison holds or not
    left,     ///< the same, and it was the other one at recording
    undefined ///< the function is not known at this point
  };
  Kind kind = Kind::none;
  double result = 0.0;
  std::array<double, kMaxOperands> operands{};
};

/// Evaluates the operations of a recording from the first one on, by the rules of the table.
class Evaluation {
public:
  /// x has as many numbers as the recording has independents; it lives as long as this does.
  Evaluation(TapeEvaluationContext &context, std::span<const double> x);
  /// The next operation; none is left out. Once the recorded branch is left there are no values.
  OperationValues step(const Operation &operation);

private:
  const double *x_;
  double *values_; // by location
  const double *params_;
  bool onBranch_ = true;
};

} // namespace ADOLC::detail
