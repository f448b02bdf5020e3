/// @file interp/sweep.h
/// What a sweep shares with the loop that interprets it: where the segments are, the arrays of the
/// caller, and what to do when the recorded branch is left.
#pragma once

#include <adolc/valuetape/valuetape.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ADOLC::detail {

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
  explicit SegmentWalk(TapeEvaluationContext &context)
      : context_(context), recording_(context.recording()), taylors_(context.taylors()) {}
  SegmentWalk(const SegmentWalk &) = delete;
  SegmentWalk &operator=(const SegmentWalk &) = delete;
  ~SegmentWalk() { leave(); }

  /// Begins a forward walk, which writes the Taylor stack anew if coefficients are to be kept.
  Place forwardBegin(const TaylorShape &kept);
  Place forwardNext();
  /// Ends a forward walk that was completed: the final values are saved and the stack is valid.
  /// Derivatives of a location stand in a row of `pitch` doubles.
  void saveFinals(const double *values, const double *derivatives, std::size_t pitch);

  /// Begins a reverse walk on the Taylor stack.
  Place reverseBegin();
  /// The same without a Taylor stack, for what looks at operations only.
  Place structureBegin();
  Place reverseNext();
  /// Hands the final entry of each location that has one to load(location, entry).
  template <class Load> void loadFinals(Load &&load) const {
    const double *entry = taylors_.finals.data();
    for (const LocCell loc : recording_.finals) {
      load(loc, entry);
      entry += taylorWidth_;
    }
  }

  /// Running number of the operation at a position of the present segment; start_of_tape is 0.
  std::size_t operationNumber(const OpCell *op) const;
  /// Unpins what the present segment has pinned.
  void leave() noexcept;

private:
  Place enterForward();
  Place enterReverse();
  void pinSegment(int direction);
  void tellProgress(std::size_t segments) const;

  TapeEvaluationContext &context_;
  const TapeRecordingContext &recording_;
  TaylorStack &taylors_; // written by the forward sweep that has the context
  std::size_t segment_ = 0;
  // Of the present segment, nullptr: not pinned.
  const OpCell *ops_ = nullptr;
  const NarrowLoc *locs_ = nullptr;
  const double *vals_ = nullptr;
  double *tays_ = nullptr;
  std::size_t taylorWidth_ = 0; // 0: no Taylor stack in this walk
  TaylorShape kept_{};
};

inline constexpr std::size_t kWidestStrip = 8;
/// The interpreters know 1, 4 and 8 lanes. Any other number is swept in strips of 8, the last one
/// filled up with lanes of zeros. Calls strip(first lane, lanes, width) until all are done or one
/// has left the recorded branch; returns the worst code.
template <class Strip> int inStrips(std::size_t lanes, Strip &&strip) {
  int code = 3;
  for (std::size_t first = 0; first < lanes && code >= 0;) {
    const std::size_t remaining = lanes - first;
    const std::size_t width = remaining > 4 ? kWidestStrip : remaining > 1 ? 4 : 1;
    code = std::min(code, strip(first, std::min(width, remaining), width));
    first += width;
  }
  return code;
}

/// Arguments and results of a forward sweep.
struct ForwardSweep {
  TapeEvaluationContext &context;
  const double *x;
  double *y;
  std::size_t lanes = 0;
  /// Seeds by independent: a vector (one lane), or rows from a column on, or neither: then lane l
  /// is the unit vector of independent seedColumn + l.
  const double *seedVector = nullptr;
  const double *const *seedRows = nullptr;
  /// Results by dependent: a vector, or rows from a column on, or neither: not wanted.
  double *resultVector = nullptr;
  double *const *resultRows = nullptr;
  std::size_t seedColumn = 0, resultColumn = 0;

  /// Seeds of an independent; nullptr: those of unit vectors.
  const double *seed(std::size_t i) const {
    return seedRows != nullptr     ? seedRows[i] + seedColumn
           : seedVector != nullptr ? seedVector + i
                                   : nullptr;
  }
  /// A row of seeds that is not the caller's: a unit vector's, or one that is filled up with zeros.
  void seedPart(std::size_t i, double *row, std::size_t width) const;
  double *result(std::size_t i) const {
    return resultRows != nullptr     ? resultRows[i] + resultColumn
           : resultVector != nullptr ? resultVector + i
                                     : nullptr;
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

/// Arguments and results of a forward sweep of Taylor polynomials. Coefficient k = 1 … degree of
/// independent i in direction l is seed(i, l)[k-1].
struct TaylorForward {
  TapeEvaluationContext &context;
  const double *x;
  double *y;
  std::size_t degree = 1, directions = 1;
  /// One of these: rows [n][degree] of a single direction, or, for degree 1, [n][directions]; cubes
  /// [n][directions][degree]; or neither: then direction l is the unit vector of independent
  /// firstUnit + l, to first order.
  const double *const *seedRows = nullptr;
  const double *const *const *seedCubes = nullptr;
  std::size_t firstUnit = 0;
  /// Rows, cubes, as the seeds, or neither: not wanted.
  double *const *resultRows = nullptr;
  double *const *const *resultCubes = nullptr;
  std::size_t seedColumn = 0, resultColumn = 0; ///< of the first coefficient in its row
  std::size_t firstDirection = 0;               ///< of those that this sweep is for

  /// Coefficients of an independent; nullptr: those of unit vectors.
  const double *seed(std::size_t i, std::size_t direction) const {
    return seedRows != nullptr    ? seedRows[i] + seedColumn + firstDirection + direction
           : seedCubes != nullptr ? seedCubes[i][firstDirection + direction]
                                  : nullptr;
  }
  /// Where those of a dependent go; nullptr: nowhere.
  double *result(std::size_t i, std::size_t direction) const {
    return resultRows != nullptr    ? resultRows[i] + resultColumn + firstDirection + direction
           : resultCubes != nullptr ? resultCubes[i][firstDirection + direction]
                                    : nullptr;
  }
};

/// Weights and results of a reverse sweep of Taylor polynomials of one degree. A lane is a vector
/// of weights, all on the only direction of the Taylor stack, or, if `byDirection`, one of its
/// directions, all with the same weights.
struct TaylorReverse {
  TapeEvaluationContext &context;
  std::size_t degree = 1, lanes = 1;
  bool byDirection = false;
  /// One of these: constants [lanes][m] (by direction: [1][m]), polynomials [lanes][m][degree+1]
  /// (by direction: [1][m][degree+1]), or neither: then lane l has the unit vector firstUnit + l
  /// (by direction: firstUnit).
  const double *const *weights = nullptr;
  const double *const *const *weightPolynomials = nullptr;
  std::size_t firstUnit = 0;
  double *const *const *results = nullptr; ///< [lanes][n][degree+1]
  bool accumulate = false;                 ///< add to the results (nested reverse evaluation)
  std::size_t firstLane = 0;               ///< of those that this sweep is for

  /// Coefficient k of the weight of a dependent.
  double weight(std::size_t lane, std::size_t dependent, std::size_t k) const {
    const std::size_t row = byDirection ? 0 : firstLane + lane;
    if (weightPolynomials != nullptr)
      return weightPolynomials[row][dependent][k];
    if (k != 0)
      return 0.0;
    return weights != nullptr ? weights[row][dependent] : dependent == firstUnit + row ? 1.0 : 0.0;
  }
  double *result(std::size_t lane, std::size_t independent) const {
    return results[firstLane + lane][independent];
  }
};

/// A sweep returns the lowest code of its operations.
inline void lower(int &code, int to) {
  if (to < code)
    code = to;
}

/// The operation at which a segment stopped before its end.
struct StopAt {
  const OpCell *op = nullptr;
  double operands[2] = {0.0, 0.0};
};
/// The comparison that made the last sweep of the calling thread leave the recorded branch.
extern constinit thread_local ValueTape::BranchSwitch branchSwitchHere;
/// Notes the comparison that flipped (or the quadrature that has no value), fills the outputs with
/// NaN, reports to the diagnostics hook.
void leaveBranch(const ForwardSweep &sweep, const SegmentWalk &walk, const StopAt &at);
void leaveBranch(const TaylorForward &sweep, const SegmentWalk &walk, const StopAt &at);
/// Fills the derivatives with NaN.
void poisonResults(const ForwardSweep &sweep);
/// The results of a sweep that ends with an exception are NaN.
void abandon(const ForwardSweep &sweep) noexcept;
void abandon(const ReverseSweep &sweep) noexcept;
void abandon(const TaylorForward &sweep) noexcept;
void abandon(const TaylorReverse &sweep) noexcept;
template <class Sweep, class Function> int orAbandon(const Sweep &sweep, Function &&f) {
  try {
    return f();
  } catch (...) {
    abandon(sweep);
    throw;
  }
}
/// Throws NO_SUCH_OP.
[[noreturn]] void unknownOperation(const TapeEvaluationContext &context, const StopAt &at);

} // namespace ADOLC::detail
