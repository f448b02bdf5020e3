// SPDX-License-Identifier: MIT
// The open store with its managers.
#include "support/expect.h"

#include <adolc/storemanager.h>
#include <adolc/valuetape/globaltapevarscl.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

using namespace test;

namespace {

constexpr unsigned char kBlocks = StoreManager::ADOLC_LOCATION_BLOCKS;
constexpr unsigned char kSingles = StoreManager::ADOLC_LOCATION_SINGLETONS;

static_assert(!std::is_copy_constructible_v<GlobalTapeVarsCL>);
static_assert(!std::is_copy_assignable_v<GlobalTapeVarsCL>);
static_assert(std::is_nothrow_move_constructible_v<GlobalTapeVarsCL>);
static_assert(std::is_nothrow_move_assignable_v<GlobalTapeVarsCL>);

/// Other values than the default ones, and arrays of its own that it deletes itself.
struct Filled {
  GlobalTapeVarsCL vars;
  double *const store = new double[12]{1.5};
  double *const pStore = new double[7]{2.5};

  Filled() {
    vars.store = store;
    vars.storeSize = 12;
    vars.numLives = 3;
    vars.maxLoc = 99;
    vars.operationBufferSize = 11;
    vars.locationBufferSize = 22;
    vars.valueBufferSize = 33;
    vars.taylorBufferSize = 44;
    vars.inParallelRegion = 1;
    vars.newTape = 1;
    vars.branchSwitchWarning = 0;
    vars.nominmaxFlag = 1;
    vars.numparam = 5;
    vars.maxparam = 7;
    vars.pStore = pStore;
    vars.initialStoreSize = 6;
  }
  ~Filled() {
    delete[] store;
    delete[] pStore;
  }
  Filled(const Filled &) = delete;
  Filled &operator=(const Filled &) = delete;

  /// All of it is in the target now, and the managers work there.
  void expectIn(GlobalTapeVarsCL &target) const {
    BOOST_TEST(target.store == store);
    BOOST_TEST(target.storeSize == 12u);
    BOOST_TEST(target.numLives == 3u);
    BOOST_TEST(target.maxLoc == 99u);
    BOOST_TEST(target.operationBufferSize == 11u);
    BOOST_TEST(target.locationBufferSize == 22u);
    BOOST_TEST(target.valueBufferSize == 33u);
    BOOST_TEST(target.taylorBufferSize == 44u);
    BOOST_TEST(int{target.inParallelRegion} == 1);
    BOOST_TEST(int{target.newTape} == 1);
    BOOST_TEST(int{target.branchSwitchWarning} == 0);
    BOOST_TEST(target.nominmaxFlag == 1u);
    BOOST_TEST(target.numparam == 5u);
    BOOST_TEST(target.maxparam == 7u);
    BOOST_TEST(target.pStore == pStore);
    BOOST_TEST(target.initialStoreSize == 6u);

    BOOST_TEST(vars.store == nullptr);
    BOOST_TEST(vars.pStore == nullptr);
    BOOST_TEST(vars.storeManagerPtr == nullptr);
    BOOST_TEST(vars.paramStoreMgrPtr == nullptr);
    BOOST_TEST(vars.storeSize == 0u);
    BOOST_TEST(vars.numLives == 0u);
    BOOST_TEST(vars.maxparam == 0u);
    BOOST_TEST(vars.numparam == 0u);

    BOOST_REQUIRE(target.storeManagerPtr != nullptr);
    BOOST_REQUIRE(target.paramStoreMgrPtr != nullptr);
    BOOST_TEST(target.storeManagerPtr->maxSize() == target.storeSize);
    BOOST_TEST(target.storeManagerPtr->size() == target.numLives);
    target.numLives = 4;
    target.maxparam = 6;
    BOOST_TEST(target.storeManagerPtr->size() == 4u);
    BOOST_TEST(target.paramStoreMgrPtr->maxSize() == 6u);
    BOOST_TEST(target.paramStoreMgrPtr->size() == 5u);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(global_tape_variables)

BOOST_AUTO_TEST_CASE(default_object) {
  GlobalTapeVarsCL vars;
  BOOST_TEST(vars.store == nullptr);
  BOOST_TEST(vars.storeSize == 0u);
  BOOST_TEST(vars.numLives == 0u);
  BOOST_TEST(vars.maxLoc == SIZE_MAX);
  BOOST_TEST(vars.operationBufferSize == 0u);
  BOOST_TEST(vars.locationBufferSize == 0u);
  BOOST_TEST(vars.valueBufferSize == 0u);
  BOOST_TEST(vars.taylorBufferSize == 0u);
  BOOST_TEST(int{vars.inParallelRegion} == 0);
  BOOST_TEST(int{vars.newTape} == 0);
  BOOST_TEST(int{vars.branchSwitchWarning} == 1);
  BOOST_TEST(vars.nominmaxFlag == 0u);
  BOOST_TEST(vars.numparam == 0u);
  BOOST_TEST(vars.maxparam == 0u);
  BOOST_TEST(vars.pStore == nullptr);
  BOOST_TEST(vars.initialStoreSize == 0u);
  BOOST_REQUIRE(vars.storeManagerPtr != nullptr);
  BOOST_REQUIRE(vars.paramStoreMgrPtr != nullptr);
  BOOST_TEST(vars.storeManagerPtr->storeType() == kBlocks);
  BOOST_TEST(vars.paramStoreMgrPtr->storeType() == kBlocks);
}

BOOST_AUTO_TEST_CASE(managers_follow_the_members) {
  GlobalTapeVarsCL vars;
  vars.storeSize = 10;
  vars.numLives = 3;
  vars.maxparam = 20;
  vars.numparam = 6;
  BOOST_TEST(vars.storeManagerPtr->maxSize() == 10u);
  BOOST_TEST(vars.storeManagerPtr->size() == 3u);
  BOOST_TEST(vars.paramStoreMgrPtr->maxSize() == 20u);
  BOOST_TEST(vars.paramStoreMgrPtr->size() == 6u);
}

BOOST_AUTO_TEST_CASE(move_construction) {
  Filled source;
  GlobalTapeVarsCL target(std::move(source.vars));
  source.expectIn(target);
}

BOOST_AUTO_TEST_CASE(move_assignment) {
  Filled source;
  GlobalTapeVarsCL target;
  target = std::move(source.vars);
  source.expectIn(target);
}

// The arrays are deleted while the object lives; it must not do so again.
BOOST_AUTO_TEST_CASE(arrays_of_the_program) {
  GlobalTapeVarsCL vars;
  vars.store = new double[4];
  vars.pStore = new double[4];
  GlobalTapeVarsCL target(std::move(vars));
  delete[] target.store;
  delete[] target.pStore;
}

BOOST_AUTO_TEST_CASE(moved_managers_keep_what_is_free) {
  for (const unsigned char type : {kBlocks, kSingles}) {
    GlobalTapeVarsCL first;
    first.reallocStore(type);
    locint locs[6];
    for (locint &loc : locs)
      loc = first.storeManagerPtr->next_loc();
    for (int i = 0; i < 3; ++i)
      first.paramStoreMgrPtr->next_loc();
    first.storeManagerPtr->free_loc(locs[2]);
    first.storeManagerPtr->free_loc(locs[4]);
    first.store[locs[3]] = 17.0;
    double *const array = first.store;

    GlobalTapeVarsCL second(std::move(first)), third;
    third = std::move(second);
    BOOST_TEST(third.store == array);
    BOOST_TEST(third.store[locs[3]] == 17.0);
    BOOST_TEST(third.storeManagerPtr->storeType() == type);
    BOOST_TEST(third.numLives == 4u);
    BOOST_TEST(third.storeManagerPtr->next_loc() == locs[4]);
    BOOST_TEST(third.storeManagerPtr->next_loc() == locs[2]);
    BOOST_TEST(third.storeManagerPtr->next_loc() == locs[5] + 1);
    BOOST_TEST(third.paramStoreMgrPtr->next_loc() == 3u);
    BOOST_TEST(third.numLives == 7u);
    BOOST_TEST(third.numparam == 4u);
    third.storeManagerPtr->grow(100); // the array of the last one, not of those before
    BOOST_TEST(third.storeSize >= 108u);
    BOOST_TEST(third.store[locs[3]] == 17.0);
    BOOST_TEST(first.storeSize + second.storeSize == 0u);
    delete[] third.store;
    delete[] third.pStore;
  }
}

BOOST_AUTO_TEST_CASE(move_to_itself) {
  Filled source;
  GlobalTapeVarsCL &alias = source.vars;
  source.vars = std::move(alias);
  BOOST_TEST(source.vars.store == source.store);
  BOOST_TEST(source.vars.storeManagerPtr->maxSize() == 12u);
  BOOST_TEST(source.vars.paramStoreMgrPtr->maxSize() == 7u);
}

BOOST_AUTO_TEST_CASE(store_anew) {
  GlobalTapeVarsCL vars;
  vars.store = new double[10];
  vars.storeSize = 10;
  vars.numLives = 5;
  const auto expectEmpty = [&vars](unsigned char type) {
    BOOST_TEST(vars.store == nullptr);
    BOOST_TEST(vars.storeSize == 0u);
    BOOST_TEST(vars.numLives == 0u);
    BOOST_REQUIRE(vars.storeManagerPtr != nullptr);
    BOOST_TEST(vars.storeManagerPtr->storeType() == type);
  };
  vars.reallocStore(kBlocks);
  expectEmpty(kBlocks);
  BOOST_TEST(vars.storeManagerPtr->next_loc() == 0u);
  BOOST_TEST(vars.storeSize == StoreManager::get_initialSize());
  BOOST_TEST(vars.storeSize == 4u);
  BOOST_TEST(vars.numLives == 1u);

  vars.reallocStore(kSingles);
  expectEmpty(kSingles);
  BOOST_TEST(vars.storeManagerPtr->next_loc() == 1u);
  BOOST_TEST(vars.storeSize == 8u);
  BOOST_TEST(vars.numLives == 1u);

  double *const array = vars.store;
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"reallocStore", "2"},
              [&vars] { vars.reallocStore(2); });
  BOOST_TEST(vars.store == array);
  BOOST_TEST(vars.numLives == 1u);
  BOOST_TEST(vars.storeManagerPtr->storeType() == kSingles);

  GlobalTapeVarsCL other(std::move(vars));
  vars.reallocStore(kBlocks); // what is left of a moved object begins anew
  expectEmpty(kBlocks);
  BOOST_TEST(vars.storeManagerPtr->next_loc() == 0u);
  BOOST_TEST(other.store == array);
  delete[] vars.store;
  delete[] other.store;
}

BOOST_AUTO_TEST_CASE(initial_store_size) {
  GlobalTapeVarsCL vars;
  double *const own = new double[10];
  std::fill_n(own, 10, 3.0);
  vars.store = own;
  vars.storeSize = 10;
  vars.numLives = 4;
  vars.initialStoreSize = 10;
  vars.checkInitialStoreSize();
  BOOST_TEST(vars.store != own);
  BOOST_TEST(vars.storeSize == 20u);
  BOOST_TEST(vars.numLives == 4u);
  BOOST_TEST(vars.storeManagerPtr->maxSize() == 20u);
  BOOST_TEST(std::all_of(vars.store, vars.store + 10, [](double v) { return v == 3.0; }));
  BOOST_TEST(std::all_of(vars.store + 10, vars.store + 20, [](double v) { return v == 0.0; }));
  delete[] vars.store;
}

BOOST_AUTO_TEST_CASE(initial_store_size_up_to_four_has_no_effect) {
  for (const std::size_t size : {std::size_t{0}, StoreManager::get_initialSize()}) {
    GlobalTapeVarsCL vars;
    vars.initialStoreSize = size;
    vars.checkInitialStoreSize();
    BOOST_TEST(vars.store == nullptr);
    BOOST_TEST(vars.storeSize == 0u);
  }
  GlobalTapeVarsCL vars;
  vars.initialStoreSize = 5;
  vars.checkInitialStoreSize();
  BOOST_TEST(vars.storeSize == 5u);
  BOOST_TEST(vars.storeManagerPtr->next_loc() == 0u);
  delete[] vars.store;

  vars.initialStoreSize = SIZE_MAX;
  vars.store = nullptr;
  vars.storeSize = vars.numLives = 0;
  expectError(ErrorType::SM_MAX_LIVES, {}, [&vars] { vars.checkInitialStoreSize(); });
  BOOST_TEST(vars.store == nullptr);
  GlobalTapeVarsCL other(std::move(vars));
  vars.checkInitialStoreSize(); // without a manager there is no store to enlarge
  BOOST_TEST(vars.store == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
