// SPDX-License-Identifier: MIT
// Runs every sweep of Taylor polynomials on a tape along curves and checks that they agree with
// each other, and with the sweeps of first order.
#pragma once

#include "all_sweeps.h"

namespace sweeps {

/// [p][n][d]: coefficients 1 … d of every independent along p curves; likewise of dependents, and
/// adjoints 0 … d. One curve after the other, unlike the arrays of the sweeps forward.
using Cube = std::vector<Matrix>;

bool same(const Cube &a, const Cube &b);
/// The first `degree` columns.
Matrix columns(const Matrix &rows, std::size_t degree);
/// Constant weights as polynomials [m][d+1].
Matrix asPolynomials(const std::vector<double> &weights, std::size_t degree);

struct TaylorForward {
  int code = 0;
  std::vector<double> y;
  Matrix dy; ///< [m][d]
};
struct TaylorLanes {
  int code = 0;
  std::vector<double> y;
  Cube dy; ///< [p][m][d]
};
struct TaylorReverse {
  int code = 0;
  Cube z; ///< [lanes][n][d+1]
};

TaylorForward hos(const Shape &s, int keep, const std::vector<double> &x, const Matrix &curve,
                  int degree);
/// All curves have the same degree.
TaylorLanes hov(const Shape &s, const std::vector<double> &x, const Cube &curves, int degree);
TaylorLanes hovKeep(const Shape &s, int keep, const std::vector<double> &x, const Cube &curves,
                    int degree);
/// `before` is what the results are before the sweep.
TaylorReverse hosReverse(const Shape &s, int degree, const std::vector<double> &weights,
                         double before = 4.0e77);
TaylorReverse hosTiReverse(const Shape &s, int degree, const Matrix &weights,
                           double before = 4.0e77);
TaylorReverse hosOvReverse(const Shape &s, int degree, int curves, const Matrix &weights,
                           double before = 4.0e77);
TaylorReverse hovReverse(const Shape &s, int degree, const Matrix &weights, double before = 4.0e77);
TaylorReverse hovTiReverse(const Shape &s, int degree, const Cube &weights, double before = 4.0e77);

struct TaylorResult {
  std::vector<double> y;
  std::vector<int> forwardCodes;              ///< by curve
  Cube dy;                                    ///< [p][m][d]
  std::vector<std::vector<int>> reverseCodes; ///< [p][q]
  std::vector<Cube> z;                        ///< [p][q][n][d+1], constant weights
  std::vector<Cube> zTi;                      ///< [p][q][n][d+1], polynomials as weights
};

/// What does not hold everywhere.
struct Expectations {
  /// There is a Taylor series: both modes are dual to each other.
  bool series = true;
  /// No kink is hit: coefficients do not depend on how many of them are asked for.
  bool smooth = true;
  /// Sweeps of first order round, overflow and underflow alike.
  bool likeFirstOrder = true;
  /// What errors are measured by at least, where results may have cancelled.
  double size = 0.0;
  /// What rounding errors may be, relative to the largest terms of coefficients up to the same.
  double tolerance = 1e-12;
};

/// Runs all sweeps at x along p curves (all of one degree d >= 1) with q vectors of weights,
/// constants [q][m] and polynomials [q][m][d+1].
TaylorResult runAllTaylor(const Shape &s, const std::vector<double> &x, const Cube &curves,
                          const Matrix &weights, const Cube &polynomials,
                          const Expectations &expected, const std::string &where, Checks &checks);

/// Curves whose coefficients k are in ±[¼, 1]·2^(1-k), if they are not 0, times the scale of the
/// independent.
enum UsualCurve : std::size_t {
  dense,
  line,
  secondOrder, ///< the first coefficients are 0
  first,       ///< only the first independent moves
  last,        ///< only the last one
  rest,
  odd, ///< only odd coefficients
  other,
  kUsualCurves
};
Cube usualCurves(const std::vector<double> &scales, std::size_t degree);
/// Polynomials [q][m][d+1] without zeros, but for the second one: its first coefficients are 0.
Cube usualPolynomials(std::size_t q, int m, int degree);

} // namespace sweeps
