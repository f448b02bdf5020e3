// SPDX-License-Identifier: MIT
// Rows on a tape.
#pragma once

#include "../interp/all_sweeps.h"
#include "op_row.h"

namespace rows {

/// Tape of the tests; it records on the default store.
inline constexpr short kTag = 5;

/// The operands that are independents, or one idle independent where a row has none.
std::vector<double> independents(const OpRow &row, const Point &at);
/// The shape of a tape with one row on it.
sweeps::Shape shapeOf(const OpRow &row);

/// Records the row at a point as a function of its active operands; its value. A comparison selects
/// the sign of the first operand.
double recordRow(const OpRow &row, const Point &at, int keep = 0);

/// False where a comparison with 0 is recorded as its opposite, which is the one that holds.
bool recordsItself(const OpRow &row, const Point &at);

/// What a sweep has to return. `moves` tells that a tangent (forward) or the weight (reverse) is
/// not zero.
int expectedForwardCode(const OpRow &row, const Point &taped, const Point &at, bool moves);
int expectedReverseCode(const OpRow &row, const Point &taped, const Point &at, bool moves);

/// Whether forward and reverse sweeps may differ by convention: fabs and copysign at 0, minimum,
/// maximum and positive difference of equal operands.
bool isTie(const OpRow &row, const Point &at);

/// Distance of a number from the exact value, in units of the last place of the exact value.
double ulps(double number, const Wide &exact);

std::string describe(const OpRow &row, const Point &taped, const Point &at);

} // namespace rows
