// SPDX-License-Identifier: MIT
// Checks random programs against the reference, and their sweeps against each other.
#pragma once

#include "all_sweeps.h"

#include <adolc/tape_interface.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace programs {

/// Where the variables of a program live.
enum class Stores {
  threadDefault, ///< tapes made by trace_on, variables may live before
  ownOfTape,     ///< a tape made by createNewTape, selected before the variables are made
};

/// What the programs exercised.
struct Coverage {
  std::array<std::size_t, ADOLC::detail::kNumOpcodes> opcodes{};
  std::size_t mostOperations = 0; ///< of a recording
  std::size_t nested = 0;         ///< recordings within a recording
  std::size_t branchesLeft = 0;   ///< evaluations that leave the recorded branch
  std::size_t elsewhere = 0;      ///< evaluations at another point on the recorded branch
};

/// Generates, records and evaluates the programs of `count` seeds from `first` on.
void checkPrograms(std::uint64_t first, std::size_t count, std::size_t length, Stores stores,
                   sweeps::Checks &checks, Coverage &coverage);

struct Program;
/// Records a program at its point; the values of its dependents.
std::vector<double> recordProgram(const Program &program, short tag, int keep = 0);

} // namespace programs
