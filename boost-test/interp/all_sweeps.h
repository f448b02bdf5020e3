// SPDX-License-Identifier: MIT
// Runs every first-order sweep on a tape at a point and checks that they agree with each other.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sweeps {

/// Rows of a matrix.
using Matrix = std::vector<std::vector<double>>;

/// The same bits, or both NaN.
bool same(double a, double b);
bool same(const std::vector<double> &a, const std::vector<double> &b);
bool same(const Matrix &a, const Matrix &b);
std::string text(const std::vector<double> &v);
std::string text(double v);

/// Counts checks and reports those that fail, the first ones in words.
class Checks {
public:
  /// `message` is called on failure only.
  template <class Message> void check(bool ok, const Message &message) {
    ++count_;
    if (!ok && ++failures_ <= 20)
      report(message());
  }
  std::size_t count() const { return count_; }
  std::size_t failures() const { return failures_; }

private:
  static void report(const std::string &message);

  std::size_t count_ = 0, failures_ = 0;
};

struct Shape {
  short tag;
  int m, n;
};

struct Forward {
  int code = 0;
  std::vector<double> y;
  Matrix dy; ///< one row per dependent
};
struct Reverse {
  int code = 0;
  Matrix z; ///< one row per weight vector
};

Forward zos(const Shape &s, int keep, const std::vector<double> &x);
Forward fos(const Shape &s, int keep, const std::vector<double> &x,
            const std::vector<double> &seed);
/// `seeds` has a row per independent; the first p columns are used.
Forward fov(const Shape &s, int p, const std::vector<double> &x, const Matrix &seeds);
/// Columns offset … offset+p-1.
Forward fovOffset(const Shape &s, int p, int offset, const std::vector<double> &x,
                  const Matrix &seeds);
Reverse fos(const Shape &s, const std::vector<double> &weights);
Reverse fov(const Shape &s, const Matrix &weights);

/// The numbers of lanes that the sweeps are run with: specialised ones, and others around them.
inline const std::vector<int> laneCounts{1, 2, 3, 4, 8, 16, 17};
inline constexpr int kMaxLanes = 17;

struct Result {
  std::vector<double> y;
  int zosCode = 0;
  std::vector<int> forwardCodes; ///< by direction
  Matrix dy;                     ///< [direction][m]
  std::vector<int> reverseCodes; ///< by weight vector
  Matrix z;                      ///< [weight vector][n]
};

/// Runs all sweeps at x with kMaxLanes directions (seeds[n][kMaxLanes]) and weights
/// (weights[kMaxLanes][m]). The Taylor stack is the one of x afterwards. `where` begins messages.
Result runAll(const Shape &s, const std::vector<double> &x, const Matrix &seeds,
              const Matrix &weights, const std::string &where, Checks &checks);

/// Directions: unit vectors and their negatives, 0, then arbitrary ones, some with zeros.
Matrix usualSeeds(int n);
/// Weights: 1 and -1 in one dependent, 0, then arbitrary ones, some with zeros.
Matrix usualWeights(int m);
std::vector<double> column(const Matrix &rows, std::size_t k);

} // namespace sweeps
