// SPDX-License-Identifier: MIT
// Recordings that note source locations give the results of those that do not.
#include "storage/tape_files.h"
#include "support/expect.h"

#include <adolc/tapedoc/sourcelocation.h>

#include <boost/test/unit_test.hpp>

using ADOLC::recordSourceLocations;
using ADOLC::sourceLocation;

BOOST_FIXTURE_TEST_CASE(results_with_source_locations_are_the_same, test::CleanThread) {
  constexpr short tag = 43;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    recordSourceLocations(tag, false);
    const std::vector<double> x = storage::recordProgram(tag, seed, 60);
    const sweeps::Result expected = storage::sweep(tag, x);
    BOOST_TEST(!sourceLocation(tag, 1).has_value());

    recordSourceLocations(tag);
    storage::recordProgram(tag, seed, 60);
    const std::size_t count = tapestats(tag)[NUM_OPERATIONS];
    BOOST_TEST(storage::same(storage::sweep(tag, x), expected), "seed " << seed);
    for (const std::size_t i : {std::size_t{1}, count / 2, count - 2})
      BOOST_TEST(sourceLocation(tag, i).has_value(),
                 "seed " << seed << ": operation " << i << " of " << count << " has none");
  }
}
