// SPDX-License-Identifier: MIT
// The allocators of locations for a program's own arrays.
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/storemanager.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace test;

namespace {

template <class Manager> struct Managed {
  double *store = nullptr;
  std::size_t capacity = 0, lives = 0;
  Manager manager{store, capacity, lives};

  Managed() = default;
  Managed(const Managed &) = delete;
  Managed &operator=(const Managed &) = delete;
  ~Managed() { delete[] store; }
  void take(int count) {
    while (count-- > 0)
      manager.next_loc();
  }
};
using Blocks = Managed<StoreManagerLocintBlock>;
using Singles = Managed<StoreManagerLocint>;
using BothKinds = std::tuple<Blocks, Singles>;

static_assert(std::is_abstract_v<StoreManager>);
static_assert(StoreManager::ADOLC_LOCATION_BLOCKS == 0);
static_assert(StoreManager::ADOLC_LOCATION_SINGLETONS == 1);
static_assert(StoreManager::get_initialSize() == 4);

} // namespace

BOOST_AUTO_TEST_SUITE(store_managers)

BOOST_FIXTURE_TEST_CASE(blocks_grow_with_the_last_free_location, Blocks) {
  BOOST_TEST(manager.maxSize() == 0u);
  BOOST_TEST(store == nullptr);
  const std::size_t expected[] = {4, 4, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 32};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST(manager.next_loc() == i); // ascending from 0
    BOOST_TEST(capacity == expected[i]);
    BOOST_TEST(lives == i + 1);
  }
  BOOST_TEST(manager.maxSize() == 32u);
  BOOST_TEST(manager.size() == 16u);
}

BOOST_FIXTURE_TEST_CASE(singles_grow_when_exhausted, Singles) {
  BOOST_TEST(manager.maxSize() == 0u);
  const std::size_t expected[] = {8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 32};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST(manager.next_loc() == i + 1); // 0 is reserved
    BOOST_TEST(capacity == expected[i]);
    BOOST_TEST(lives == i + 1);
  }
}

BOOST_AUTO_TEST_CASE(type_and_tuning) {
  Blocks blocks;
  Singles singles;
  BOOST_TEST(blocks.manager.storeType() == StoreManager::ADOLC_LOCATION_BLOCKS);
  BOOST_TEST(singles.manager.storeType() == StoreManager::ADOLC_LOCATION_SINGLETONS);
  for (StoreManager *manager : {static_cast<StoreManager *>(&blocks.manager),
                                static_cast<StoreManager *>(&singles.manager)}) {
    BOOST_TEST(manager->gcTriggerRatio() == 1.5);
    BOOST_TEST(manager->gcTriggerMaxSize() == 4u);
    manager->setStoreManagerControl(3.0, 100);
    BOOST_TEST(manager->gcTriggerRatio() == 3.0);
    BOOST_TEST(manager->gcTriggerMaxSize() == 100u);
  }
}

BOOST_AUTO_TEST_CASE(managers_look_at_the_variables_of_the_program) {
  Blocks blocks;
  Singles singles;
  blocks.capacity = singles.capacity = 50;
  blocks.lives = singles.lives = 20;
  BOOST_TEST(blocks.manager.maxSize() == 50u);
  BOOST_TEST(singles.manager.maxSize() == 50u);
  BOOST_TEST(blocks.manager.size() == 20u);
  BOOST_TEST(singles.manager.size() == 20u);
}

// The destructor leaves the array alone.
BOOST_AUTO_TEST_CASE(array_outlives_its_manager) {
  double *store = nullptr;
  std::size_t capacity = 0, lives = 0;
  {
    const auto manager = std::make_unique<StoreManagerLocintBlock>(store, capacity, lives);
    const locint loc = manager->next_loc();
    store[loc] = 3.0;
  }
  BOOST_TEST(store[0] == 3.0);
  BOOST_TEST(capacity == 4u);
  BOOST_TEST(lives == 1u);
  // Another manager does not know what is free, and takes all four as handed out.
  StoreManagerLocint manager(store, capacity, lives);
  BOOST_TEST(manager.next_loc() == 4u);
  BOOST_TEST(capacity == 8u);
  BOOST_TEST(store[0] == 3.0);
  manager.free_loc(3);
  manager.free_loc(0); // reserved
  BOOST_TEST(manager.next_loc() == 3u);
  BOOST_TEST(manager.next_loc() == 5u);
  delete[] store;
}

BOOST_FIXTURE_TEST_CASE(blocks_are_last_in_first_out, Blocks) {
  take(10);
  manager.free_loc(9); // adjacent to the front block: joins it
  BOOST_TEST(manager.next_loc() == 9u);
  manager.free_loc(3); // elsewhere: the new front block
  manager.free_loc(6);
  BOOST_TEST(manager.next_loc() == 6u);
  BOOST_TEST(manager.next_loc() == 3u);
  BOOST_TEST(manager.next_loc() == 10u);
  manager.free_loc(5);
  manager.free_loc(4); // joins in front
  manager.free_loc(6); // and behind
  BOOST_TEST(lives == 8u);
  for (const locint expected : {4u, 5u, 6u, 11u})
    BOOST_TEST(manager.next_loc() == expected);
}

BOOST_FIXTURE_TEST_CASE(singles_are_last_in_first_out, Singles) {
  take(10);
  for (const locint loc : {5u, 4u, 6u, 10u})
    manager.free_loc(loc);
  BOOST_TEST(lives == 6u);
  for (const locint expected : {10u, 6u, 4u, 5u, 11u})
    BOOST_TEST(manager.next_loc() == expected);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(values_survive, Fixture, BothKinds) {
  Fixture f;
  const locint loc = f.manager.next_loc();
  f.store[loc] = 7.0;
  f.take(100);
  BOOST_TEST(f.store[loc] == 7.0);
  f.manager.free_loc(loc);
  BOOST_TEST(f.store[loc] == 7.0); // readable until it is handed out again
  BOOST_TEST(f.manager.next_loc() == loc);
  for (std::size_t i = 0; i < f.capacity; ++i)
    BOOST_TEST(f.store[i] == (i == loc ? 7.0 : 0.0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(unknown_and_double_frees, Fixture, BothKinds) {
  Fixture f;
  for (const locint loc : {locint{0}, locint{1000}, std::numeric_limits<locint>::max()})
    f.manager.free_loc(loc); // before there is an array
  const locint first = f.manager.next_loc(), second = f.manager.next_loc();
  f.manager.free_loc(first);
  f.manager.free_loc(first);
  f.manager.free_loc(second + 1); // never handed out
  f.manager.free_loc(f.capacity);
  f.manager.free_loc(std::numeric_limits<locint>::max());
  BOOST_TEST(f.lives == 1u);
  std::set<locint> seen{second};
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(seen.insert(f.manager.next_loc()).second);
  BOOST_TEST(f.lives == 101u);
  BOOST_TEST(*seen.rbegin() < f.capacity);
}

BOOST_FIXTURE_TEST_CASE(location_0_is_reserved, Singles) {
  take(1);
  manager.free_loc(0);
  BOOST_TEST(lives == 1u);
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(manager.next_loc() != 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(growth_by_request, Fixture, BothKinds) {
  Fixture f;
  f.manager.grow(10);
  BOOST_TEST(f.capacity == 10u);
  f.manager.grow(); // doubles
  BOOST_TEST(f.capacity == 20u);
  f.manager.grow(3); // at least 3 more
  BOOST_TEST(f.capacity == 40u);
  f.manager.grow(60);
  BOOST_TEST(f.capacity == 100u);
  BOOST_TEST(f.lives == 0u);
  const locint first = f.manager.storeType() == StoreManager::ADOLC_LOCATION_BLOCKS ? 0 : 1;
  for (locint loc = first; loc < 99; ++loc)
    BOOST_TEST(f.manager.next_loc() == loc); // still ascending
  BOOST_TEST(f.capacity == 100u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_was_freed_is_used_before_what_is_new, Fixture, BothKinds) {
  Fixture f;
  f.manager.grow(8);
  if (f.manager.storeType() == StoreManager::ADOLC_LOCATION_BLOCKS) {
    f.take(6);
    f.manager.free_loc(3);
    f.manager.ensure_block(2);
    f.take(2); // now 3 is the only free one, and the last one of the array is not
  } else {
    f.take(7);
    f.manager.free_loc(3);
    f.manager.grow();
  }
  BOOST_TEST(f.capacity ==
             (f.manager.storeType() == StoreManager::ADOLC_LOCATION_BLOCKS ? 8u : 16u));
  BOOST_TEST(f.manager.next_loc() == 3u);
  BOOST_TEST(f.capacity == 16u);
  BOOST_TEST(f.manager.next_loc() == 8u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_memory, Fixture, BothKinds) {
  if (kSanitized)
    return; // they stop the program
  Fixture f;
  f.take(2);
  double *const before = f.store;
  const std::size_t capacity = f.capacity;
  constexpr std::size_t count = std::numeric_limits<std::size_t>::max() / 64;
  expectError(ErrorType::TAPING_STORE_REALLOC_FAILED, {std::to_string(capacity + count)},
              [&] { f.manager.grow(count); });
  BOOST_TEST(f.store == before);
  BOOST_TEST(f.capacity == capacity);
  BOOST_TEST(f.lives == 2u);
  BOOST_TEST(f.manager.next_loc() < capacity);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(too_many, Fixture, BothKinds) {
  Fixture f;
  f.take(2);
  double *const before = f.store;
  const std::size_t capacity = f.capacity, most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t count : {most, most / 2, most / 16})
    expectError(ErrorType::SM_MAX_LIVES, {std::to_string(most / 16)},
                [&] { f.manager.grow(count); });
  BOOST_TEST(f.store == before);
  BOOST_TEST(f.capacity == capacity);
  BOOST_TEST(f.lives == 2u);
  BOOST_TEST(f.manager.next_loc() < capacity);
}

BOOST_FIXTURE_TEST_CASE(too_long_a_block, Blocks) {
  take(2);
  expectError(ErrorType::SM_MAX_LIVES, {},
              [&] { manager.ensure_block(std::numeric_limits<std::size_t>::max()); });
  BOOST_TEST(capacity == 4u);
  BOOST_TEST(manager.next_loc() == 2u);
}

BOOST_FIXTURE_TEST_CASE(singles_have_no_blocks, Singles) {
  manager.ensure_block(0);
  manager.ensure_block(1);
  expectError(ErrorType::SM_LOCINT_BLOCK, {"2"}, [&] { manager.ensure_block(2); });
  BOOST_TEST(manager.next_loc() == 1u);
}

BOOST_FIXTURE_TEST_CASE(block_of_locations, Blocks) {
  take(50);
  for (locint loc = 0; loc < 50; loc += 2)
    manager.free_loc(loc);
  for (locint loc = 21; loc < 29; loc += 2)
    manager.free_loc(loc); // 20 … 28 is a hole of 9
  manager.ensure_block(8);
  BOOST_TEST(capacity == 64u);
  for (locint loc = 20; loc < 28; ++loc)
    BOOST_TEST(manager.next_loc() == loc);
  manager.ensure_block(20); // no such hole
  BOOST_TEST(capacity == 128u);
  for (locint loc = 50; loc < 70; ++loc)
    BOOST_TEST(manager.next_loc() == loc);
  manager.ensure_block(1000); // at least that many more
  BOOST_TEST(capacity == 1128u);
  for (locint loc = 70; loc < 1070; ++loc)
    BOOST_TEST(manager.next_loc() == loc);
}

// With these values nothing triggers that free blocks are joined.
BOOST_FIXTURE_TEST_CASE(blocks_are_joined_only_when_tuned_so, Blocks) {
  const auto freeTwoNeighbours = [&] {
    manager.free_loc(1);
    manager.free_loc(5); // so that 1 and 2 are blocks of their own
    manager.free_loc(2);
  };
  take(7);
  manager.setStoreManagerControl(100.0, 1000);
  freeTwoNeighbours();
  manager.ensure_block(2);
  BOOST_TEST(capacity == 16u); // 7 is alone
  BOOST_TEST(manager.next_loc() == 7u);
  manager.setStoreManagerControl(1.5, 1000); // 16 / 5
  manager.ensure_block(2);
  BOOST_TEST(manager.next_loc() == 8u); // is long enough anyway
  manager.ensure_block(8);
  BOOST_TEST(capacity == 32u);
  for (locint loc = 9; loc < 32; ++loc)
    BOOST_TEST(manager.next_loc() == loc);
  manager.setStoreManagerControl(1.01, 1000); // 32 / 29
  manager.ensure_block(2);
  BOOST_TEST(capacity == 32u);
  BOOST_TEST(manager.next_loc() == 1u);
  BOOST_TEST(manager.next_loc() == 2u);
}

// The array of the program was enlarged, or given up, by the program.
BOOST_AUTO_TEST_CASE_TEMPLATE(capacity_changed_by_the_program, Fixture, BothKinds) {
  Fixture f;
  f.take(5);
  delete[] f.store;
  f.store = new double[20]();
  f.capacity = 20;
  std::set<locint> seen;
  for (int i = 0; i < 3; ++i) {
    const locint loc = f.manager.next_loc();
    BOOST_TEST(loc >= 5u);
    if (i < 2)
      BOOST_TEST(loc < 8u); // what was free; the rest belongs to the program
    BOOST_TEST(seen.insert(loc).second);
  }
  if (f.manager.storeType() == StoreManager::ADOLC_LOCATION_SINGLETONS)
    f.manager.free_loc(0); // reserved, still
  f.manager.free_loc(15);  // unless it is freed
  BOOST_TEST(f.manager.next_loc() == 15u);
  delete[] f.store;
  f.store = nullptr;
  f.capacity = f.lives = 0;
  f.manager.free_loc(3);
  const locint first = f.manager.storeType() == StoreManager::ADOLC_LOCATION_BLOCKS ? 0 : 1;
  for (locint i = 0; i < 5; ++i)
    BOOST_TEST(f.manager.next_loc() == first + i);
  BOOST_TEST(f.capacity == 8u);
  BOOST_TEST(f.lives == 5u);
}

namespace {

/// What is known about an array from outside: which locations are handed out, and their values.
template <class Fixture> class Model {
public:
  explicit Model(unsigned seed) : random_(seed) {}

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      const unsigned dice = draw(100);
      // Phases that fill and phases that empty the array.
      const unsigned taking = step / 500 % 2 == 0 ? 55 : 30;
      if (dice < taking)
        take();
      else if (dice < 90)
        giveBack();
      else if (dice < 94)
        freeNonsense();
      else if (dice < 99)
        ensure();
      else if (f_.capacity < 2000)
        growByRequest();
      BOOST_REQUIRE(f_.lives == live_.size());
      BOOST_REQUIRE(f_.manager.size() == live_.size());
      BOOST_REQUIRE(f_.manager.maxSize() == values_.size());
      BOOST_REQUIRE(std::equal(values_.begin(), values_.end(), f_.store));
    }
  }

private:
  static constexpr bool kBlocks = std::is_same_v<Fixture, Blocks>;

  unsigned draw(std::size_t count) { return static_cast<unsigned>(random_() % count); }
  std::size_t numFree() const { return values_.size() - live_.size() - (kBlocks ? 0 : 1); }
  std::size_t longestFreeRun() const {
    std::size_t longest = 0, run = 0;
    for (locint loc = 0; loc < values_.size(); ++loc) {
      run = live_.count(loc) == 0 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    return longest;
  }

  locint take() {
    std::size_t expected = values_.size();
    if (expected == 0)
      expected = kBlocks ? 4 : 8;
    else if (numFree() == (kBlocks ? 1 : 0))
      expected *= 2;
    const locint loc = f_.manager.next_loc();
    BOOST_REQUIRE(live_.insert(loc).second); // never handed out twice
    BOOST_REQUIRE(f_.capacity == expected);
    BOOST_REQUIRE(loc < f_.capacity);
    if (!lastFreed_.empty()) {
      if constexpr (!kBlocks)
        BOOST_REQUIRE(loc == lastFreed_.back());
      lastFreed_.pop_back();
    }
    values_.resize(expected, 0.0);
    BOOST_REQUIRE(f_.store[loc] == values_[loc]);
    f_.store[loc] = values_[loc] = static_cast<double>(random_());
    return loc;
  }
  void giveBack() {
    if (live_.empty())
      return;
    auto it = live_.begin();
    std::advance(it, static_cast<long>(draw(live_.size())));
    f_.manager.free_loc(*it);
    lastFreed_.push_back(*it);
    live_.erase(it);
  }
  void freeNonsense() {
    const locint loc = draw(values_.size() + 10);
    if (live_.count(loc) == 0)
      f_.manager.free_loc(loc);
  }
  void ensure() {
    const std::size_t count = draw(20), before = values_.size();
    if constexpr (kBlocks) {
      const std::size_t longest = longestFreeRun();
      f_.manager.ensure_block(count);
      if (count <= 1)
        BOOST_REQUIRE((f_.capacity == before || before == 0));
      else if (before > f_.manager.gcTriggerMaxSize()) // free blocks are joined
        BOOST_REQUIRE(f_.capacity ==
                      (longest >= count ? before : std::max(2 * before, before + count)));
      BOOST_REQUIRE(f_.capacity >= before);
      values_.resize(f_.capacity, 0.0);
      lastFreed_.clear();
      if (draw(4) == 0 || count == 0)
        return;
      const locint first = take();
      for (std::size_t i = 1; i < count; ++i)
        BOOST_REQUIRE(take() == first + i);
    } else if (count > 1) {
      expectError(ErrorType::SM_LOCINT_BLOCK, {std::to_string(count)},
                  [&] { f_.manager.ensure_block(count); });
    }
  }
  void growByRequest() {
    const std::size_t more = draw(30), before = values_.size();
    f_.manager.grow(more);
    if (before != 0)
      BOOST_REQUIRE(f_.capacity == std::max(2 * before, before + more));
    values_.resize(f_.capacity, 0.0);
  }

  Fixture f_;
  std::mt19937 random_;
  std::set<locint> live_;
  std::vector<locint> lastFreed_;
  std::vector<double> values_;
};

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(random_use, Fixture, BothKinds) {
  for (unsigned seed = 1; seed <= 30; ++seed)
    Model<Fixture>(seed).run(3000);
}

BOOST_AUTO_TEST_SUITE_END()
