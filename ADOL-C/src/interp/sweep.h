/// @file interp/sweep.h
/// What a sweep shares with the loop that interprets it: where the segments are, the arrays of the
/// caller, and what to do when the recorded branch is left.
#pragma once

#include <adolc/valuetape/valuetape.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace ADOLC::detail {

/// Number of lanes of all locations; std::bad_alloc where the product does not fit.
inline std::size_t checkedProduct(std::size_t locations, std::size_t lanes) {
  if (lanes != 0 && locations > SIZE_MAX / sizeof(double) / lanes)
    throw std::bad_alloc();
  return locations * lanes;
}

/// Read positions in the streams of a segment, at its begin or end.
struct Place {
  const OpCell *op;
  const NarrowLoc *loc;
  const double *val;
  double *tay;
  LocCell base;
  bool wide;
};

/// The same while a segment is interpreted, kept in registers; Loc is NarrowLoc or WideLoc.
template <class Loc> struct Cursor {
  explicit Cursor(const Place &p)
      : op(p.op), loc(reinterpret_cast<const Loc *>(p.loc)), val(p.val), tay(p.tay) {}
  const OpCell *op;
  const Loc *loc;
  const double *val;
  double *tay;
};

/// Why the interpretation of a segment ended.
enum class Stop { segmentEnd, tapeEnd, branchSwitch, undefined, unknownOperation };

/// Walks over the segments of a recording in either direction. Decoding operations within a segment
/// is the loops' business.
class SegmentWalk {
public:
  explicit SegmentWalk(TapeRecordingContext &recording) : recording_(recording) {}

  /// Begins a forward walk; `keep` > 0 writes the Taylor stack anew.
  Place forwardBegin(int keep, int directions);
  Place forwardNext();
  /// Ends a forward walk that was completed: the final values are saved and the stack is valid.
  void saveFinals(const double *values, const double *tangents);

  /// Begins a reverse walk on the Taylor stack.
  Place reverseBegin();
  Place reverseNext();
  void loadFinals(double *values) const;

  /// Running number of the operation at a position of the present segment; start_of_tape is 0.
  std::size_t operationNumber(const OpCell *op) const;
  void leave();

private:
  Place enterForward();
  Place enterReverse();

  TapeRecordingContext &recording_;
  std::size_t segment_ = 0;
  std::size_t taylorWidth_ = 0; // 0: no Taylor stack in this walk
  int keep_ = 0;
};

/// Rows of a strip of columns of the identity matrix, without storing it.
class UnitRows {
public:
  static constexpr std::size_t kMaxWidth = 8;
  UnitRows(std::size_t first, std::size_t width) : first_(first), width_(width) {}
  const double *row(std::size_t i) const {
    const std::size_t lane = i - first_;
    return i >= first_ && lane < width_ ? data_ + (kMaxWidth - 1 - lane) : data_ + kMaxWidth;
  }

private:
  std::size_t first_, width_;
  // A one with zeros around: kMaxWidth - 1 before, 2 kMaxWidth behind.
  double data_[3 * kMaxWidth] = {0, 0, 0, 0, 0, 0, 0, 1.0};
};

/// Arguments and results of a forward sweep.
struct ForwardSweep {
  TapeEvaluationContext &context;
  const double *x;
  double *y;
  std::size_t lanes = 0;
  /// Seeds by independent: a vector (scalar sweep), rows from a column on, or unit rows.
  const double *seedVector = nullptr;
  const double *const *seedRows = nullptr;
  const UnitRows *unitRows = nullptr;
  /// Results by dependent: a vector, or rows from a column on.
  double *resultVector = nullptr;
  double *const *resultRows = nullptr;
  std::size_t seedColumn = 0, resultColumn = 0;

  const double *seed(std::size_t i) const {
    return seedRows != nullptr   ? seedRows[i] + seedColumn
           : unitRows != nullptr ? unitRows->row(i)
                                 : seedVector + i;
  }
  double *result(std::size_t i) const {
    return resultRows != nullptr ? resultRows[i] + resultColumn : resultVector + i;
  }
};

/// Weights and results of a reverse sweep: lane l belongs to weight vector l.
struct ReverseSweep {
  TapeEvaluationContext &context;
  const double *const *weights; ///< [lanes][m], or nullptr: unit vectors from firstUnit on
  double *const *results;       ///< [lanes][n]
  std::size_t lanes;
  std::size_t firstUnit = 0;
  bool accumulate = false; ///< add to the results (nested reverse evaluation)

  double weight(std::size_t lane, std::size_t dependent) const {
    return weights != nullptr              ? weights[lane][dependent]
           : dependent == firstUnit + lane ? 1.0
                                           : 0.0;
  }
};

/// The operation at which a segment stopped before its end.
struct StopAt {
  const OpCell *op = nullptr;
  double operands[2] = {0.0, 0.0};
};
/// Notes the comparison that flipped (or the quadrature that has no value), fills the outputs with
/// NaN, reports to the diagnostics hook.
void leaveBranch(const ForwardSweep &sweep, const SegmentWalk &walk, const StopAt &at);
/// Throws NO_SUCH_OP.
[[noreturn]] void unknownOperation(const TapeEvaluationContext &context, const StopAt &at);

} // namespace ADOLC::detail
