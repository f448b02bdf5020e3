// SPDX-License-Identifier: MIT
#include "program_check.h"

#include "random_program.h"

#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace programs {

using sweeps::Checks;
using sweeps::Matrix;
using sweeps::text;

namespace {

/// Marks variables on the tape that is recorded.
template <class T> class TapeHost : public Host<T> {
public:
  TapeHost(const std::vector<double> &point, short innerTag) : point_(point), innerTag_(innerTag) {}
  void independent(T &x) override { active(x) <<= point_[next_++]; }
  void dependent(T &y) override {
    double value = 0.0;
    const_cast<adouble &>(active(y)) >>= value;
    values.push_back(value);
  }
  /// Another recording meanwhile, with keep, evaluated in both modes while the outer one is open.
  void nested(const T &outer) override {
    if (innerTag_ < 0)
      return;
    ++numNested;
    const double p = view(outer).value(), z0 = 0.75;
    double y = 0.0, adjoint = 0.0, tangent = 0.0;
    const double weight = 1.0;
    trace_on(innerTag_, 1);
    {
      adouble z;
      z <<= z0;
      adouble t = z * view(outer);
      t *= t;
      t += z * z;
      t >>= y;
    }
    trace_off();
    const double product = z0 * p, expected = p * (2.0 * product) + 2.0 * z0;
    fos_reverse(innerTag_, 1, 1, &weight, &adjoint);
    fos_forward(innerTag_, 1, 1, 0, &z0, &weight, &y, &tangent);
    innerIsRight = innerIsRight && std::fabs(adjoint - expected) <= 1e-13 * std::fabs(expected) &&
                   std::fabs(tangent - expected) <= 1e-13 * std::fabs(expected) &&
                   y == product * product + z0 * z0;
  }
  std::vector<double> values;
  bool innerIsRight = true;
  std::size_t numNested = 0;

private:
  static const adouble &view(const adouble &a) { return a; }
  static const adouble &view(const Single &s) { return *s.a; }
  static adouble &active(adouble &a) { return a; }
  /// Marking overwrites, so a variable that is never overwritten gets a new location.
  static adouble &active(Single &s) { return *s.a; }

  const std::vector<double> &point_;
  short innerTag_;
  std::size_t next_ = 0;
};

template <> void TapeHost<Single>::independent(Single &x) {
  x = Single(0.0);
  *x.a <<= point_[next_++];
}

template <class T> TapeHost<T> record(const Program &p, short tag, int keep, short innerTag) {
  TapeHost<T> host(p.point, innerTag);
  std::vector<T> r;
  r.reserve(p.numVariables);
  for (const double c : p.initial)
    r.push_back(T(c));
  trace_on(tag, keep);
  while (r.size() < p.numVariables)
    r.push_back(T());
  for (const Statement &s : p.statements)
    execute(s, r, host);
  trace_off();
  return host;
}

class ProgramCheck {
public:
  ProgramCheck(std::uint64_t seed, std::size_t length, short tag, short singleTag, short innerTag,
               Checks &checks, Coverage &coverage)
      : program_(generate(seed, length)), tag_(tag), singleTag_(singleTag), innerTag_(innerTag),
        checks_(checks), coverage_(coverage),
        where_("generate(" + std::to_string(seed) + ", " + std::to_string(length) + "): ") {
    std::mt19937_64 random(seed + 1);
    const auto n = program_.point.size(), m = program_.numDependents;
    arbitrary_.fill(0.0);
    seeds_ = Matrix(n, std::vector<double>(sweeps::kMaxLanes, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
      for (double &s : seeds_[i])
        s = random() % 4 == 0 ? 0.0 : static_cast<double>(random() % 2001) / 500.0 - 2.0;
      for (std::size_t l = 0; l < kMaxIndependents; ++l)
        seeds_[i][l] = i == l ? 1.0 : 0.0;
      arbitrary_[i] = seeds_[i][kDirections - 1];
    }
    weights_ = sweeps::usualWeights(static_cast<int>(m));
    moved_ = program_.point;
    // Near by, where the program mostly branches as recorded, or anywhere.
    const double distance = random() % 2 == 0 ? 1e-2 : 2.0;
    for (double &x : moved_)
      x += distance * (static_cast<double>(random() % 2001) / 1000.0 - 1.0);
  }

  void run() {
    const std::size_t before = checks_.failures();
    const auto recording = record<adouble>(program_, tag_, 1, innerTag_);
    const std::vector<double> &recorded = recording.values;
    checks_.check(recording.innerIsRight, [&] { return where_ + "a nested recording went wrong"; });
    const auto opcodes = ADOLC::opcodeHistogram(tag_);
    for (std::size_t op = 0; op < opcodes.size(); ++op)
      coverage_.opcodes[op] += opcodes[op];
    coverage_.mostOperations =
        std::max(coverage_.mostOperations, tapestats(tag_)[TapeInfos::NUM_OPERATIONS]);
    coverage_.nested += recording.numNested;
    const Matrix afterRecording = sweeps::fov(shape(tag_), weights_).z;
    const Matrix again = sweeps::fov(shape(tag_), weights_).z;
    checks_.check(sweeps::same(afterRecording, again),
                  [&] { return where_ + "a repeated reverse sweep gives other adjoints"; });

    const Reference reference = runReference(program_, program_.point, arbitrary_);
    const std::vector<double> values = valuesOf(reference);
    checks_.check(sweeps::same(recorded, values), [&] {
      return where_ + "recorded values " + text(recorded) + ", plain double " + text(values);
    });
    const sweeps::Result r = atPoint(program_.point, reference, "");
    checks_.check(sweeps::same(afterRecording, r.z), [&] {
      return where_ + "adjoints after recording with keep " + text(afterRecording[0]) +
             ", after zos_forward " + text(r.z[0]);
    });

    // The same program on a tape where no location is ever overwritten.
    record<Single>(program_, singleTag_, 0, -1);
    const sweeps::Result single =
        sweeps::runAll(shape(singleTag_), program_.point, seeds_, weights_,
                       where_ + "without overwriting, ", checks_);
    Single::clear();
    checks_.check(sweeps::same(r.y, single.y), [&] {
      return where_ + "values " + text(r.y) + " differ from those without overwriting " +
             text(single.y);
    });
    // Up to the sign of 0: x -= a*b as one operation and as two.
    const auto equal = [](double a, double b) { return a == b || (a != a && b != b); };
    for (std::size_t l = 0; l < r.dy.size(); ++l)
      checks_.check(std::equal(r.dy[l].begin(), r.dy[l].end(), single.dy[l].begin(), equal), [&] {
        return where_ + "tangents " + text(r.dy[l]) + " differ from those without overwriting " +
               text(single.dy[l]);
      });
    for (std::size_t l = 0; l < r.z.size() && l < single.z.size(); ++l)
      checks_.check(sweeps::same(r.z[l], single.z[l]), [&] {
        return where_ + "adjoints " + text(r.z[l]) + " differ from those without overwriting " +
               text(single.z[l]);
      });

    const Reference moved = runReference(program_, moved_, arbitrary_);
    if (reference.ordered && moved.ordered)
      atMoved(reference, moved);
    if (checks_.failures() != before && checks_.failures() < 5)
      print();
  }

private:
  sweeps::Shape shape(short tag) const {
    return {tag, static_cast<int>(program_.numDependents), static_cast<int>(program_.point.size())};
  }
  static std::vector<double> valuesOf(const Reference &reference) {
    std::vector<double> v;
    for (const Dual &d : reference.results)
      v.push_back(d.v);
    return v;
  }

  /// All sweeps, and against the reference.
  sweeps::Result atPoint(const std::vector<double> &x, const Reference &reference,
                         const std::string &which) {
    const std::string where = where_ + which;
    const sweeps::Result r = sweeps::runAll(shape(tag_), x, seeds_, weights_, where, checks_);
    checks_.check(r.zosCode >= 0,
                  [&] { return where + "zos_forward returns " + std::to_string(r.zosCode); });
    checks_.check(sweeps::same(r.y, valuesOf(reference)), [&] {
      return where + "values " + text(r.y) + ", plain double " + text(valuesOf(reference));
    });
    if (!reference.finite || r.zosCode < 0)
      return r;
    const std::size_t n = x.size();
    for (std::size_t j = 0; j < reference.results.size(); ++j) {
      const Dual &d = reference.results[j];
      for (std::size_t l = 0; l < kDirections; ++l) {
        const double expected = l < kMaxIndependents && l >= n ? 0.0 : d.directional[l];
        checks_.check(std::fabs(r.dy[l][j] - expected) <= kTolerance * d.size, [&] {
          return where + "tangent of dependent " + std::to_string(j) + " along direction " +
                 std::to_string(l) + " is " + text(r.dy[l][j]) + ", not " + text(expected);
        });
      }
    }
    for (std::size_t l = 0; l < r.z.size(); ++l)
      for (std::size_t i = 0; i < n; ++i) {
        double expected = 0.0, size = 0.0;
        for (std::size_t j = 0; j < reference.results.size(); ++j) {
          expected += weights_[l][j] * reference.results[j].gradient[i];
          size += std::fabs(weights_[l][j]) * reference.results[j].size;
        }
        checks_.check(std::fabs(r.z[l][i] - expected) <= kTolerance * size, [&] {
          return where + "adjoint of independent " + std::to_string(i) + " for weights " +
                 text(weights_[l]) + " is " + text(r.z[l][i]) + ", not " + text(expected);
        });
      }
    return r;
  }

  /// Elsewhere the program may branch otherwise; the sweeps have to say so.
  void atMoved(const Reference &reference, const Reference &moved) {
    if (moved.outcomes == reference.outcomes) {
      ++coverage_.elsewhere;
      atPoint(moved_, moved, "at " + text(moved_) + ", ");
      return;
    }
    ++coverage_.branchesLeft;
    const sweeps::Forward f = sweeps::fos(shape(tag_), 1, moved_, sweeps::column(seeds_, 0));
    checks_.check(f.code == -1, [&] {
      return where_ + "other branch, but fos_forward returns " + std::to_string(f.code);
    });
    checks_.check(std::all_of(f.y.begin(), f.y.end(), [](double y) { return y != y; }),
                  [&] { return where_ + "stale values " + text(f.y); });
    std::vector<double> z(program_.point.size());
    bool refused = false;
    try {
      fos_reverse(tag_, shape(tag_).m, shape(tag_).n, weights_[0].data(), z.data());
    } catch (const ADOLCError::ADOLCError &) {
      refused = true;
    }
    checks_.check(refused, [&] { return where_ + "reverse on an incomplete Taylor stack"; });
  }

  void print() const {
    std::string listing = where_ + "\n  point " + text(program_.point) + ", initially " +
                          text(program_.initial) + ", " + std::to_string(program_.numVariables) +
                          " variables\n";
    const std::size_t most = 200;
    for (std::size_t i = 0; i < std::min(most, program_.statements.size()); ++i)
      listing += "  " + text(program_.statements[i]) + '\n';
    BOOST_TEST_MESSAGE(listing);
  }

  static std::string text(const Statement &s) { return programs::text(s); }
  static std::string text(double v) { return sweeps::text(v); }
  static std::string text(const std::vector<double> &v) { return sweeps::text(v); }

  /// Relative to the bound that the reference computes with.
  static constexpr double kTolerance = 1e-11;

  Program program_;
  short tag_, singleTag_, innerTag_;
  Checks &checks_;
  Coverage &coverage_;
  std::string where_;
  std::array<double, kMaxIndependents> arbitrary_{};
  Matrix seeds_, weights_;
  std::vector<double> moved_;
};

} // namespace

std::vector<double> recordProgram(const Program &program, short tag, int keep) {
  return record<adouble>(program, tag, keep, -1).values;
}

void checkPrograms(std::uint64_t first, std::size_t count, std::size_t length, Stores stores,
                   Checks &checks, Coverage &coverage) {
  // Tags that nothing else in the program uses; the single and the inner one are made by trace_on.
  constexpr short single = 1001, inner = 1002, plain = 1003;
  const bool own = stores == Stores::ownOfTape;
  const short tag = own ? createNewTape() : plain;
  if (own)
    setCurrentTape(tag);
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    ProgramCheck(seed, length, tag, single, inner, checks, coverage).run();
  if (own) {
    setCurrentTape(nullptr);
    ADOLC::removeTape(tag);
  }
}

} // namespace programs
