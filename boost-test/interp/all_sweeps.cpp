// SPDX-License-Identifier: MIT
#include "all_sweeps.h"

#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <sstream>

namespace sweeps {
namespace {

std::vector<double *> pointers(Matrix &rows) {
  std::vector<double *> p;
  for (auto &row : rows)
    p.push_back(row.data());
  return p;
}
std::vector<const double *> pointers(const Matrix &rows) {
  std::vector<const double *> p;
  for (const auto &row : rows)
    p.push_back(row.data());
  return p;
}
Matrix matrix(int rows, int columns, double value) {
  return Matrix(static_cast<std::size_t>(rows),
                std::vector<double>(static_cast<std::size_t>(columns), value));
}
std::vector<double> filled(int n, double value) {
  return std::vector<double>(static_cast<std::size_t>(n), value);
}

/// What no sweep returns; outputs are filled with it before.
constexpr double kUntouched = 4.0e77;

} // namespace

bool same(double a, double b) {
  return (a != a && b != b) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return same(x, y); });
}
bool same(const Matrix &a, const Matrix &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto &x, const auto &y) { return same(x, y); });
}

std::string text(double v) {
  std::ostringstream out;
  out.precision(17);
  out << v;
  return out.str();
}
std::string text(const std::vector<double> &v) {
  std::string out = "(";
  for (const double vi : v)
    out += (out.size() > 1 ? ", " : "") + text(vi);
  return out + ')';
}

void Checks::report(const std::string &message) { BOOST_ERROR(message); }

Forward zos(const Shape &s, int keep, const std::vector<double> &x) {
  Forward f;
  f.y = filled(s.m, kUntouched);
  f.code = zos_forward(s.tag, s.m, s.n, keep, x.data(), f.y.data());
  return f;
}

Forward fos(const Shape &s, int keep, const std::vector<double> &x,
            const std::vector<double> &seed) {
  Forward f;
  f.y = filled(s.m, kUntouched);
  std::vector<double> dy = filled(s.m, kUntouched);
  f.code = fos_forward(s.tag, s.m, s.n, keep, x.data(), seed.data(), f.y.data(), dy.data());
  for (const double d : dy)
    f.dy.push_back({d});
  return f;
}

Forward fov(const Shape &s, int p, const std::vector<double> &x, const Matrix &seeds) {
  Forward f;
  f.y = filled(s.m, kUntouched);
  f.dy = matrix(s.m, p, kUntouched);
  f.code = fov_forward(s.tag, s.m, s.n, p, x.data(), pointers(seeds).data(), f.y.data(),
                       pointers(f.dy).data());
  return f;
}

Forward fovOffset(const Shape &s, int p, int offset, const std::vector<double> &x,
                  const Matrix &seeds) {
  Forward f;
  f.y = filled(s.m, kUntouched);
  f.dy = matrix(s.m, offset + p + 1, kUntouched);
  f.code = fov_offset_forward(s.tag, s.m, s.n, p, offset, x.data(), pointers(seeds).data(),
                              f.y.data(), pointers(f.dy).data());
  return f;
}

Reverse fos(const Shape &s, const std::vector<double> &weights) {
  Reverse r;
  r.z = matrix(1, s.n, kUntouched);
  r.code = fos_reverse(s.tag, s.m, s.n, weights.data(), r.z[0].data());
  return r;
}

Reverse fov(const Shape &s, const Matrix &weights) {
  Reverse r;
  r.z = matrix(static_cast<int>(weights.size()), s.n, kUntouched);
  r.code = fov_reverse(s.tag, s.m, s.n, static_cast<int>(weights.size()), pointers(weights).data(),
                       pointers(r.z).data());
  return r;
}

std::vector<double> column(const Matrix &rows, std::size_t k) {
  std::vector<double> c;
  for (const auto &row : rows)
    c.push_back(row[k]);
  return c;
}

namespace {

int minimum(const std::vector<int> &codes, int count) {
  return *std::min_element(codes.begin(), codes.begin() + count);
}

void runForward(Result &r, const Shape &s, const std::vector<double> &x, const Matrix &seeds,
                const std::string &where, Checks &checks) {
  const Forward values = zos(s, 0, x);
  r.y = values.y;
  r.zosCode = values.code;
  const auto sameValues = [&](const Forward &f, const std::string &sweep) {
    checks.check(same(f.y, r.y), [&] {
      return where + sweep + ": values " + text(f.y) + ", zos_forward has " + text(r.y);
    });
  };
  for (std::size_t l = 0; l < kMaxLanes; ++l) {
    const std::vector<double> seed = column(seeds, l);
    const Forward scalar = fos(s, 0, x, seed);
    r.forwardCodes.push_back(scalar.code);
    r.dy.push_back(column(scalar.dy, 0));
    sameValues(scalar, "fos_forward keep 0");
    for (int keep = 1; keep <= 2; ++keep) {
      const Forward kept = fos(s, keep, x, seed);
      const std::string sweep = "fos_forward keep " + std::to_string(keep);
      sameValues(kept, sweep);
      checks.check(kept.code == scalar.code && same(kept.dy, scalar.dy), [&] {
        return where + sweep + " along " + text(seed) + " returns " + std::to_string(kept.code) +
               ", tangents " + text(column(kept.dy, 0)) + "; without keep " +
               std::to_string(scalar.code) + ", " + text(r.dy.back());
      });
    }
  }
  constexpr int offset = 3;
  Matrix shifted = seeds;
  for (auto &row : shifted)
    row.insert(row.begin(), offset, kUntouched);
  for (const int p : laneCounts) {
    const Forward plain = fov(s, p, x, seeds), moved = fovOffset(s, p, offset, x, shifted);
    const std::string sweep = "fov_forward p = " + std::to_string(p);
    sameValues(plain, sweep);
    sameValues(moved, sweep + " with offset");
    const int code = minimum(r.forwardCodes, p);
    checks.check(plain.code == code && moved.code == code, [&] {
      return where + sweep + " returns " + std::to_string(plain.code) + ", with offset " +
             std::to_string(moved.code) + ", its directions one by one " + std::to_string(code);
    });
    for (std::size_t l = 0; l < static_cast<std::size_t>(p); ++l) {
      const auto a = column(plain.dy, l), b = column(moved.dy, l + offset);
      checks.check(same(a, r.dy[l]) && same(b, r.dy[l]), [&] {
        return where + sweep + " along " + text(column(seeds, l)) + ": " + text(a) +
               ", with offset " + text(b) + ", fos_forward has " + text(r.dy[l]);
      });
    }
    for (const auto &row : moved.dy) {
      bool untouched = row.back() == kUntouched;
      for (std::size_t l = 0; l < offset; ++l)
        untouched = untouched && row[l] == kUntouched;
      checks.check(untouched, [&] {
        return where + "fov_offset_forward p = " + std::to_string(p) + " writes other columns";
      });
    }
  }
}

void runReverse(Result &r, const Shape &s, const std::vector<double> &x, const Matrix &seeds,
                const Matrix &weights, const std::string &where, Checks &checks) {
  const auto wide = [&](const std::string &sweep) {
    const Reverse all = fov(s, weights);
    checks.check(all.code == minimum(r.reverseCodes, kMaxLanes), [&] {
      return where + sweep + " returns " + std::to_string(all.code) + ", the weights one by one " +
             std::to_string(minimum(r.reverseCodes, kMaxLanes));
    });
    for (std::size_t l = 0; l < kMaxLanes; ++l)
      checks.check(same(all.z[l], r.z[l]), [&] {
        return where + sweep + " for weights " + text(weights[l]) + ": " + text(all.z[l]) +
               ", fos_reverse after zos_forward has " + text(r.z[l]);
      });
  };
  zos(s, 1, x);
  for (std::size_t l = 0; l < kMaxLanes; ++l) {
    const Reverse scalar = fos(s, weights[l]);
    r.reverseCodes.push_back(scalar.code);
    r.z.push_back(scalar.z[0]);
  }
  for (const int q : laneCounts) {
    const Reverse some = fov(s, Matrix(weights.begin(), weights.begin() + q));
    const std::string sweep = "fov_reverse q = " + std::to_string(q);
    const int code = minimum(r.reverseCodes, q);
    checks.check(some.code == code, [&] {
      return where + sweep + " returns " + std::to_string(some.code) + ", its weights one by one " +
             std::to_string(code);
    });
    for (std::size_t l = 0; l < static_cast<std::size_t>(q); ++l)
      checks.check(same(some.z[l], r.z[l]), [&] {
        return where + sweep + " for weights " + text(weights[l]) + ": " + text(some.z[l]) +
               ", fos_reverse has " + text(r.z[l]);
      });
  }
  for (int keep = 1; keep <= 2; ++keep) {
    fos(s, keep, x, column(seeds, kMaxLanes - 1));
    wide("fov_reverse after fos_forward keep " + std::to_string(keep));
    wide("repeated fov_reverse after fos_forward keep " + std::to_string(keep));
  }
}

/// A fixed sequence of plain numbers, with zeros and both signs.
double arbitrary(std::size_t i) {
  static constexpr double numbers[] = {0.75, -1.25, 0.3, -0.7, 0.0, 2.5, 1e-3, -40.0, -0.0, 1.0};
  return numbers[i % std::size(numbers)];
}

} // namespace

Result runAll(const Shape &s, const std::vector<double> &x, const Matrix &seeds,
              const Matrix &weights, const std::string &where, Checks &checks) {
  Result r;
  runForward(r, s, x, seeds, where, checks);
  if (r.zosCode >= 0)
    runReverse(r, s, x, seeds, weights, where, checks);
  return r;
}

Matrix usualSeeds(int n) {
  Matrix seeds = matrix(n, kMaxLanes, 0.0);
  const auto rows = static_cast<std::size_t>(n);
  std::size_t l = 0;
  for (std::size_t i = 0; i < rows && l + 1 < kMaxLanes - 3; ++i) {
    seeds[i][l++] = 1.0;
    seeds[i][l++] = -1.0;
  }
  ++l; // 0
  for (std::size_t k = 0; l < kMaxLanes; ++l)
    for (std::size_t i = 0; i < rows; ++i, k += 3)
      seeds[i][l] = arbitrary(k + l);
  return seeds;
}

Matrix usualWeights(int m) {
  Matrix weights = matrix(kMaxLanes, m, 0.0);
  const auto columns = static_cast<std::size_t>(m);
  weights[0][0] = 1.0;
  weights[1][columns - 1] = -1.0;
  for (std::size_t l = 3, k = 1; l < kMaxLanes; ++l) // weights[2] is 0
    for (std::size_t j = 0; j < columns; ++j, k += 3)
      weights[l][j] = arbitrary(k);
  return weights;
}

} // namespace sweeps
