#include "program.h"
#include "workloads/black_scholes.h"
#include "workloads/burgers.h"
#include "workloads/helmholtz.h"
#include "workloads/libor.h"
#include "workloads/lu.h"
#include "workloads/rosenbrock.h"
#include "workloads/speelpenning.h"
#include "workloads/van_der_pol.h"

namespace bench {

namespace {

template <class Workload> std::unique_ptr<Program> create(std::size_t size) {
  return std::make_unique<ProgramOf<Workload>>(size);
}

} // namespace

const std::vector<WorkloadEntry> &workloadEntries() {
  static const std::vector<WorkloadEntry> entries{
      {"burgers", "cells per side", 100, 0, create<Burgers>},
      {"bs-mc", "paths", 10'000, 10'000, create<BlackScholesMonteCarlo>},
      {"bs-pde", "grid points", 100, 0, create<BlackScholesPde>},
      {"libor", "paths", 100, 0, create<Libor>},
      {"helmholtz", "components", 100, 100, create<Helmholtz>},
      {"lu", "rows", 100, 10, create<LuDeterminant>},
      {"van-der-pol", "time steps", 10'000, 10'000, create<VanDerPol>},
      {"speelpenning-1e3", "factors", 1'000, 0, create<Speelpenning>},
      {"speelpenning-1e5", "factors", 100'000, 0, create<Speelpenning>},
      {"rosenbrock", "variables", 10, 100, create<Rosenbrock>},
  };
  return entries;
}

} // namespace bench
