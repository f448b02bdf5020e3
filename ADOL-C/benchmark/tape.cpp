#include "tape.h"

#include "memory.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace bench {

namespace {

// Negative: the sweep left the recorded branch, so its result is not the function's.
void expectOk(int code, const char *sweep) {
  if (code < 0)
    throw std::runtime_error(std::string(sweep) + " returned " + std::to_string(code));
}

} // namespace

Matrix::Matrix(std::size_t rows, std::size_t columns) : entries_(rows * columns), rows_(rows) {
  for (std::size_t row = 0; row < rows; ++row)
    rows_[row] = entries_.data() + row * columns;
}

std::optional<Elements> Tape::buffersFor(const Program &program, bool libraryDefault,
                                         std::size_t coefficients) {
  if (!backend::sizesBuffersFirst || libraryDefault)
    return std::nullopt;
  const auto trial = inChildProcess<Elements>([&program] {
    Tape tape(program, std::nullopt);
    tape.record(program.point(), 0);
    return tape.facts().elements;
  });
  // Room for the marks at the end of a block and for the widest operation.
  constexpr std::size_t slack = 4096;
  return Elements{trial.operations + slack, trial.locations + slack, trial.values + slack,
                  coefficients * (trial.taylors + slack)};
}

Tape::Tape(const Program &program, std::optional<Elements> buffers)
    : program_(program), buffers_(buffers), size_(static_cast<int>(program.point().size())) {}

Tape::~Tape() { removeTape(tag, ADOLC_REMOVE_COMPLETELY); }

double Tape::record(std::span<const double> x, int keep) {
  if (buffers_)
    trace_on(tag, keep, static_cast<unsigned>(buffers_->operations),
             static_cast<unsigned>(buffers_->locations), static_cast<unsigned>(buffers_->values),
             static_cast<unsigned>(buffers_->taylors));
  else
    trace_on(tag, keep);
  double result = 0.0;
  {
    std::vector<adouble> independents(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      independents[i] <<= x[i];
    adouble dependent = program_.evaluate(std::move(independents));
    dependent >>= result;
  }
  trace_off();
  return result;
}

double Tape::forward(std::span<const double> x, int keep) {
  double y = 0.0;
  expectOk(zos_forward(tag, 1, size_, keep, x.data(), &y), "zos_forward");
  return y;
}

double Tape::forward(std::span<const double> x, std::span<double> direction, double &derivative) {
  double y = 0.0;
  expectOk(fos_forward(tag, 1, size_, 0, x.data(), direction.data(), &y, &derivative),
           "fos_forward");
  return y;
}

double Tape::forward(std::span<const double> x, Matrix &directions, Matrix &derivatives) {
  double y = 0.0;
  expectOk(fov_forward(tag, 1, size_, lanes, x.data(), directions.rows(), &y, derivatives.rows()),
           "fov_forward");
  return y;
}

void Tape::reverse(std::span<double> adjoints) {
  double weight = 1.0;
  expectOk(fos_reverse(tag, 1, size_, &weight, adjoints.data()), "fos_reverse");
}

void Tape::reverse(Matrix &weights, Matrix &adjoints) {
  expectOk(fov_reverse(tag, 1, size_, lanes, weights.rows(), adjoints.rows()), "fov_reverse");
}

void Tape::gradient(std::span<const double> x, std::span<double> result) {
  expectOk(::gradient(tag, size_, x.data(), result.data()), "gradient");
}

void Tape::forward(std::span<const double> x, int keep, int degree, Matrix &curve,
                   Matrix &coefficients) {
  double y = 0.0;
  expectOk(
      hos_forward(tag, 1, size_, degree, keep, x.data(), curve.rows(), &y, coefficients.rows()),
      "hos_forward");
}

void Tape::reverse(int degree, Matrix &adjoints) {
  double weight = 1.0;
  expectOk(hos_reverse(tag, 1, size_, degree, &weight, adjoints.rows()), "hos_reverse");
}

void Tape::hessianTimes(std::span<const double> x, std::span<const double> direction,
                        std::span<double> result) {
  // The reference's argument types lack the const.
  expectOk(hess_vec(tag, size_, const_cast<double *>(x.data()),
                    const_cast<double *>(direction.data()), result.data()),
           "hess_vec");
}

void Tape::hessian(std::span<const double> x, Matrix &result) {
  expectOk(::hessian(tag, size_, const_cast<double *>(x.data()), result.rows()), "hessian");
}

TapeFacts Tape::facts() const {
  std::array<std::size_t, 64> statistics{}; // both libraries have fewer than 20 entries
  tapestats(tag, statistics.data());
  TapeFacts facts;
  facts.elements.operations = statistics[NUM_OPERATIONS];
  facts.elements.locations = statistics[NUM_LOCATIONS];
  facts.elements.values = statistics[NUM_VALUES];
  facts.elements.taylors = statistics[TAY_STACK_SIZE];
  facts.maxLives = statistics[NUM_MAX_LIVES];
  facts.onDisk = statistics[OP_FILE_ACCESS] || statistics[LOC_FILE_ACCESS] ||
                 statistics[VAL_FILE_ACCESS] ||
                 (backend::taylorsSpillBeyondBuffer &&
                  statistics[TAY_STACK_SIZE] > statistics[TAY_BUFFER_SIZE]);
  return facts;
}

std::size_t Tape::bytes() const {
  const Elements elements = facts().elements;
  return elements.operations * backend::operationBytes +
         backend::locationBytes(tag, elements.locations) + elements.values * backend::valueBytes;
}

} // namespace bench
