// SPDX-License-Identifier: MIT
// Taylor coefficients of operations with many digits. They come from values at points of the curve
// alone: from those of the operation itself, and from those of the closed forms of its partial
// derivatives. Nothing here knows a rule, a relation or a recurrence.
#pragma once

#include "op_row.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace rows {

using Series = std::vector<Wide>; ///< coefficients 0 … degree

/// Coefficients of f at 0 from its values at points t > 0 close to 0. It is analytic there from the
/// right, with a radius of about 1.
Series seriesOf(const std::function<Wide(const Wide &t)> &f, std::size_t degree);
Series product(const Series &a, const Series &b);

/// Coefficients 0 … degree of every operand of a row, constants included.
using Curve = std::vector<std::vector<double>>;
std::vector<Wide> at(const Curve &curve, const Wide &t);

/// How far an operand may move if results are to have coefficients of size 1 or less, relative to
/// the first; 0 if a double cannot express that.
double reach(const OpRow &row, const Point &at, std::size_t operand);

/// Whether the function itself can be followed along a curve. Otherwise the operation keeps what
/// it found at the point (a quotient, a condition), or is known at one argument only.
bool hasValueSeries(const OpRow &row, const Point &at);
Series valueSeries(const OpRow &row, const Curve &curve, std::size_t degree);
/// The partial derivatives along the curve, by operand.
std::vector<Series> partialSeries(const OpRow &row, const Curve &curve, std::size_t degree);
/// Coefficients of the value (0 for the first one) from those of the partial derivatives.
Series integrated(const std::vector<Series> &partials, const Curve &curve, std::size_t degree);

} // namespace rows
