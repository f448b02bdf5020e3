// A workload as the harness sees it: a scalar function of a vector, for numbers and for active
// variables.
#pragma once

#include "backend.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Program {
  virtual ~Program() = default;
  virtual std::vector<double> point() const = 0;
  // The arguments are handed over: a workload may overwrite them.
  virtual double evaluate(std::vector<double> x) const = 0;
  virtual adouble evaluate(std::vector<adouble> x) const = 0;
};

// Workload: point() and a template operator() of (std::vector<T>) returning T.
template <class Workload> class ProgramOf final : public Program {
public:
  explicit ProgramOf(std::size_t size) : workload_(size) {}
  std::vector<double> point() const override { return workload_.point(); }
  double evaluate(std::vector<double> x) const override { return workload_(std::move(x)); }
  adouble evaluate(std::vector<adouble> x) const override { return workload_(std::move(x)); }

private:
  Workload workload_;
};

struct WorkloadEntry {
  std::string name;
  std::string sizeMeaning;
  std::size_t defaultSize;
  std::size_t higherOrderSize; // 0: not in that group
  std::unique_ptr<Program> (*create)(std::size_t size);
};

const std::vector<WorkloadEntry> &workloadEntries();

} // namespace bench
