#include "measure.h"

#include "memory.h"
#include "numbers.h"
#include "timing.h"

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

Checksums checksums(double value, std::span<const double> gradient) {
  Checksums sums{.value = value};
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    sums.gradientSum += gradient[i] * (1.0 + 0.5 * spread(i));
    sums.gradientNorm += std::abs(gradient[i]);
  }
  return sums;
}

// One measurement per member function; they share the tape and the arrays of the sweeps.
class Measurement {
public:
  Measurement(const Program &program, const Options &options)
      : program_(program),
        repeats_(options.repeats), points_{program.point(), neighbour(program.point())},
        size_(points_[0].size()), gradient_(size_),
        tape_(program, Tape::buffersFor(program, options.defaultBuffers)) {}

  void cold() {
    const std::size_t before = peakResidentBytes();
    const Stopwatch watch;
    const double value = tape_.record(points_[0], 1);
    const double recorded = watch.seconds();
    tape_.reverse(gradient_);
    add("cold_record", recorded);
    add("cold_record_reverse", watch.seconds());
    figures_.coldResidentBytes = peakResidentBytes() - before;
    figures_.recorded = checksums(value, gradient_);
    describeTape();
  }

  void plain() {
    time("plain", [this] { value_ = program_.evaluate(points_[0]); });
    expectClose(figures_.recorded.value, value_, std::abs(value_), "recorded value");
  }

  void record() {
    time("record", [this] { tape_.record(points_[0], 0); });
    time("record_keep", [this] { tape_.record(points_[0], 1); });
  }

  void scalarSweeps() {
    tape_.forward(points_[0], 1);
    time("reverse", [this] { tape_.reverse(gradient_); });
    const Checksums again = checksums(figures_.recorded.value, gradient_);
    expectClose(again.gradientSum, figures_.recorded.gradientSum, again.gradientNorm,
                "reverse sweep");

    time("replay", [this] { value_ = tape_.forward(otherPoint(), 0); });
    time("forward_keep", [this] { value_ = tape_.forward(otherPoint(), 1); });
    time("gradient", [this] { tape_.gradient(otherPoint(), gradient_); });

    tape_.gradient(points_[1], gradient_);
    const double value = tape_.forward(points_[1], 0);
    figures_.replayed = checksums(value, gradient_);
    const double plainValue = program_.evaluate(points_[1]);
    expectClose(value, plainValue, std::abs(plainValue), "replayed value");
  }

  // Directions and adjoints at the second point, where gradient_ is known by now.
  void vectorSweeps() {
    constexpr std::size_t lanes = Tape::lanes;
    Matrix directions(size_, lanes);
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        directions[i][lane] = spread(i * (lane + 1) + lane);
    std::vector<double> direction(size_);
    for (std::size_t i = 0; i < size_; ++i)
      direction[i] = directions[i][0];
    double derivative = 0.0;
    time("fos_forward", [&] { value_ = tape_.forward(points_[1], direction, derivative); });
    Matrix derivatives(1, lanes);
    time("fov_forward8", [&] { value_ = tape_.forward(points_[1], directions, derivatives); });
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      double expected = 0.0;
      for (std::size_t i = 0; i < size_; ++i)
        expected += gradient_[i] * directions[i][lane];
      expectClose(derivatives[0][lane], expected, figures_.replayed.gradientNorm, "fov_forward");
    }
    expectClose(derivative, derivatives[0][0], figures_.replayed.gradientNorm, "fos_forward");

    Matrix weights(lanes, 1);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      weights[lane][0] = 1.0 + static_cast<double>(lane) / 8.0;
    Matrix adjoints(lanes, size_);
    tape_.forward(points_[1], 1);
    time("fov_reverse8", [&] { tape_.reverse(weights, adjoints); });
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t i = 0; i < size_; ++i)
        expectClose(adjoints[lane][i], weights[lane][0] * gradient_[i],
                    figures_.replayed.gradientNorm, "fov_reverse");
  }

  const Figures &figures() const { return figures_; }

private:
  void add(const char *name, double seconds) { figures_.seconds.emplace_back(name, seconds); }

  template <class Action> void time(const char *name, Action &&action) {
    add(name, medianSeconds(repeats_, action));
  }

  // Alternates, so that every call is at another point than the call before it.
  const std::vector<double> &otherPoint() { return points_[++calls_ % 2]; }

  void describeTape() {
    const TapeFacts facts = tape_.facts();
    figures_.independents = size_;
    figures_.tape = facts;
    figures_.tapeBytes = tape_.bytes();
    figures_.taylorBytes = facts.elements.taylors * backend::taylorBytes;
    constexpr std::size_t arrays = 2; // the lanes of the variables and as much again for the rest
    figures_.fitsL2 =
        facts.maxLives * Tape::lanes * sizeof(double) * arrays <= levelTwoCacheBytes();
  }

  const Program &program_;
  int repeats_;
  std::vector<double> points_[2];
  std::size_t size_;
  std::vector<double> gradient_;
  Tape tape_;
  Figures figures_;
  std::size_t calls_ = 0;
  double value_ = 0.0;
};

} // namespace

Figures measure(const Program &program, const Options &options) {
  Measurement measurement(program, options);
  measurement.cold();
  if (!options.coldOnly) {
    measurement.plain();
    measurement.record();
    measurement.scalarSweeps();
    measurement.vectorSweeps();
  }
  return measurement.figures();
}

Check checkAgainstDifferences(const Program &program) {
  const std::vector<double> x = program.point();
  std::vector<double> gradient(x.size());
  Tape tape(program, Tape::buffersFor(program, false));
  const double recorded = tape.record(x, 1);
  tape.reverse(gradient);
  const double value = program.evaluate(x);
  Check check{.valueError = std::abs(recorded - value) / std::abs(value)};

  // Central differences along three directions d_i = x_i c_i: f(x + h d) - f(x - h d) over 2 h.
  constexpr double step = 1e-6;
  for (std::size_t salt = 0; salt < 3; ++salt) {
    std::vector<double> ahead = x;
    std::vector<double> behind = x;
    double derivative = 0.0;
    double scale = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double direction = x[i] * spread((salt + 1) * i + salt);
      ahead[i] += step * direction;
      behind[i] -= step * direction;
      derivative += gradient[i] * direction;
      scale += std::abs(gradient[i] * direction);
    }
    const double difference = (program.evaluate(ahead) - program.evaluate(behind)) / (2.0 * step);
    check.gradientError = std::max(check.gradientError, std::abs(derivative - difference) / scale);
  }
  return check;
}

} // namespace bench
