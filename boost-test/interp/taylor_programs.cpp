// SPDX-License-Identifier: MIT
// Random programs with fixed seeds through the sweeps of Taylor polynomials: against coefficients
// with many digits, and second derivatives in several ways. A failure names the seed.
#include "all_taylor_sweeps.h"
#include "program_check.h"
#include "series_program.h"
#include "support/memory.h"

#include <adolc/adolc.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace programs;
using sweeps::Checks;
using sweeps::Cube;
using sweeps::Matrix;

namespace {

constexpr short kTag = 1011;
/// Relative to what errors are measured by: the bound of first coefficients times growth^(k-1).
constexpr double kTolerance = 1e-12;

struct Counts {
  std::size_t analytic = 0, elsewhere = 0, kinks = 0;
  double worst = 0.0;
};

class TaylorProgram {
public:
  TaylorProgram(std::uint64_t seed, std::size_t length, std::size_t degree, Checks &checks,
                Counts &counts)
      : program_(generate(seed, length)), checks_(checks), counts_(counts),
        where_("generate(" + std::to_string(seed) + ", " + std::to_string(length) + "), degree " +
               std::to_string(degree) + ": "),
        curves_(sweeps::usualCurves(std::vector<double>(program_.point.size(), 0.25), degree)),
        m_(static_cast<int>(program_.numDependents)), shape_{kTag, m_,
                                                             static_cast<int>(
                                                                 program_.point.size())},
        degree_(degree) {
    weights_ = sweeps::usualWeights(m_);
    weights_.resize(5);
    polynomials_ = sweeps::usualPolynomials(weights_.size(), m_, static_cast<int>(degree));
  }

  /// All sweeps, which must agree to the last bit.
  void runSweeps() {
    recordProgram(program_, kTag);
    runAllTaylor(shape_, program_.point, curves_, weights_, polynomials_,
                 {.series = false, .smooth = false, .likeFirstOrder = false}, where_, checks_);
  }

  /// And against the reference.
  void run() {
    recordProgram(program_, kTag);
    bool analytic = true, smooth = true;
    std::vector<SeriesOfProgram> references;
    for (const Matrix &curve : curves_) {
      references.push_back(followProgram(program_, curve));
      // Radius of convergence above 1/50 of the curve, all values and curves taken together.
      analytic = analytic && references.back().growth < 50.0;
      growth_ = std::max(growth_, references.back().growth);
      size_ = std::max(size_, references.back().size);
      smooth = smooth && !references.back().kinked;
    }
    // Reverse adds up what forward does not see, so its errors grow with the whole program.
    const double amplified = size_ * std::pow(growth_, static_cast<double>(degree_));
    const sweeps::TaylorResult r =
        runAllTaylor(shape_, program_.point, curves_, weights_, polynomials_,
                     {.series = analytic,
                      .smooth = analytic && smooth,
                      .size = size_,
                      .tolerance = kTolerance * amplified},
                     where_, checks_);
    checks_.check(*std::min_element(r.forwardCodes.begin(), r.forwardCodes.end()) >= 0,
                  [&] { return where_ + "leaves its branch"; });
    counts_.kinks += smooth ? 0 : 1;
    if (!analytic) {
      ++counts_.elsewhere;
      return;
    }
    ++counts_.analytic;
    for (std::size_t l = 0; l < curves_.size(); ++l)
      compare(r.dy[l], references[l], l);
    if (smooth)
      secondDerivatives();
  }

private:
  void compare(const Matrix &dy, const SeriesOfProgram &reference, std::size_t l) {
    for (std::size_t j = 0; j < dy.size(); ++j) {
      double size = reference.size;
      for (std::size_t k = 1; k <= degree_; ++k) {
        const double expected = reference.coefficients[j][k - 1], given = dy[j][k - 1];
        const double error = std::fabs(given - expected) / size;
        counts_.worst = std::max(counts_.worst, error);
        checks_.check(error <= kTolerance, [&] {
          return where_ + "coefficient " + std::to_string(k) + " of dependent " +
                 std::to_string(j) + " along curve " + std::to_string(l) + " is " +
                 sweeps::text(given) + ", not " + sweeps::text(expected) + ", size " +
                 sweeps::text(size);
        });
        size *= reference.growth;
      }
    }
  }

  /// uᵀF″ by forward over reverse, by Taylor coefficients of three lines, and by differences of
  /// gradients.
  void secondDerivatives() {
    const std::size_t n = program_.point.size();
    const std::vector<double> &u = weights_.back();
    const auto unit = [&](std::size_t i) {
      Matrix line(n, {0.0, 0.0});
      line[i][0] = 1.0;
      return line;
    };
    const auto second = [&](const Matrix &line) {
      const Matrix dy = sweeps::hos(shape_, 0, program_.point, line, 2).dy;
      double sum = 0.0;
      for (std::size_t j = 0; j < dy.size(); ++j)
        sum += u[j] == 0.0 ? 0.0 : u[j] * dy[j][1];
      return sum;
    };
    Matrix hessian;
    double largest = size_;
    for (std::size_t i = 0; i < n; ++i) {
      sweeps::hos(shape_, 2, program_.point, sweeps::columns(unit(i), 1), 1);
      hessian.push_back(sweeps::column(sweeps::hosReverse(shape_, 1, u).z[0], 1));
      for (const double h : hessian.back())
        largest = std::max(largest, std::fabs(h));
    }
    // The growth was that of curves of a quarter of the size.
    const double tolerance = kTolerance * std::max(largest, size_ * growth_ * 16.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        Matrix both = unit(i);
        both[j][0] = 1.0;
        const double polarised =
            i == j ? 2.0 * second(unit(i)) : second(both) - second(unit(i)) - second(unit(j));
        const double h = hessian[i][j];
        checks_.check(std::fabs(h - polarised) <= tolerance &&
                          std::fabs(hessian[j][i] - h) <= tolerance,
                      [&] {
                        return where_ + "second derivative " + std::to_string(i) + ", " +
                               std::to_string(j) + " is " + sweeps::text(h) + " and " +
                               sweeps::text(hessian[j][i]) + ", by polarisation " +
                               sweeps::text(polarised) + ", size " + sweeps::text(largest);
                      });
      }
    for (std::size_t i = 0; i < n; ++i)
      differences(i, u, hessian[i]);
  }

  void differences(std::size_t i, const std::vector<double> &u, const std::vector<double> &row) {
    constexpr double h = 1e-5;
    Matrix z;
    for (const double step : {-h, h}) {
      std::vector<double> x = program_.point;
      x[i] += step;
      if (sweeps::zos(shape_, 1, x).code != 3)
        return; // a kink or another branch between
      z.push_back(sweeps::fos(shape_, u).z[0]);
    }
    // The error is that of the third derivative, and of rounding.
    const double size = size_ * std::pow(4.0 * growth_, 3.0);
    double tolerance = 1e-9 * (size + 4.0 * size_);
    for (const double r : row)
      tolerance = std::max(tolerance, 1e-6 * std::fabs(r));
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double quotient = (z[1][j] - z[0][j]) / (2.0 * h);
      checks_.check(std::fabs(quotient - row[j]) <= tolerance, [&] {
        return where_ + "second derivative " + std::to_string(i) + ", " + std::to_string(j) +
               " is " + sweeps::text(row[j]) + ", the difference quotient of gradients " +
               sweeps::text(quotient);
      });
    }
  }

  const Program program_;
  Checks &checks_;
  Counts &counts_;
  const std::string where_;
  const Cube curves_;
  const int m_;
  const sweeps::Shape shape_;
  const std::size_t degree_;
  Matrix weights_;
  Cube polynomials_;
  double growth_ = 1.0, size_ = 1.0;
};

void checkSeeds(std::uint64_t firstSeed, std::size_t count, std::size_t length,
                std::size_t degree) {
  if (test::kSanitized)
    count = (count + 9) / 10;
  Checks checks;
  Counts counts;
  for (std::uint64_t seed = firstSeed; seed < firstSeed + count; ++seed)
    TaylorProgram(seed, length, degree, checks, counts).run();
  BOOST_TEST_MESSAGE(counts.analytic << " programs have Taylor series, " << counts.elsewhere
                                     << " none, " << counts.kinks << " kinks, largest error "
                                     << counts.worst);
  BOOST_TEST(checks.failures() == 0);
  BOOST_TEST(counts.analytic > count / 2);
}

} // namespace

BOOST_AUTO_TEST_CASE(short_programs) { checkSeeds(1, 300, 12, 5); }
BOOST_AUTO_TEST_CASE(long_programs) { checkSeeds(10001, 100, 60, 3); }
// The first segments of a tape hold some hundred operations, no segment more than 2^14.
BOOST_AUTO_TEST_CASE(programs_across_segments) {
  Checks checks;
  Counts counts;
  for (std::uint64_t seed = 30001; seed < 30004; ++seed)
    TaylorProgram(seed, 1500, 3, checks, counts).runSweeps();
  TaylorProgram(40001, test::kSanitized ? 3000 : 30000, 2, checks, counts).runSweeps();
  BOOST_TEST(checks.failures() == 0);
}
