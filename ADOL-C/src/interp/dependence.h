/// @file interp/dependence.h
/// How weighted sums of dependents depend on independents, by the kinds of the operations on the
/// way.
#pragma once

#include "interp/sweep.h"

namespace ADOLC::detail {

/// Kinds of dependence, as the operation table names them and as hov_reverse returns them: each one
/// includes those before it.
enum class Dependence : unsigned char {
  Constant,
  Linear,
  Polynomial,
  Rational,
  Transcendental,
  NonSmooth
};

/// Labels of the lanes of a reverse sweep: nz[lane][independent] is the kind in which the sum of
/// the dependents with nonzero weight of that lane depends on the independent, as a number. An
/// upper bound, from the operations of the recording alone: neither a Taylor stack nor values are
/// needed, and no branch is judged. The results of the sweep are not touched.
/// Throws std::bad_alloc, NO_SUCH_OP, and what reading blocks on disk throws.
void dependenceLabels(const TaylorReverse &sweep, short *const *nz);

} // namespace ADOLC::detail
