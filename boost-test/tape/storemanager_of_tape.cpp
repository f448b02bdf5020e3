// SPDX-License-Identifier: MIT
// The type of location manager and its tuning, which a tape checks and remembers.
#include "support/expect.h"

#include <adolc/storemanager.h>

#include <boost/test/unit_test.hpp>

using namespace test;

BOOST_FIXTURE_TEST_SUITE(store_manager_of_tape, CleanThread)

BOOST_AUTO_TEST_CASE(type_is_checked_and_remembered) {
  const short id = createNewTape();
  ValueTape &tape = findTape(id);
  setCurrentTape(&tape);
  BOOST_TEST(tape.storeManagerType() == StoreManager::ADOLC_LOCATION_BLOCKS);
  const auto set = [&](unsigned char type) {
    return [&, type] { tape.setStoreManagerType(type); };
  };
  expectError(ErrorType::SM_SAME_TYPE, {std::to_string(id)},
              set(StoreManager::ADOLC_LOCATION_BLOCKS));
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"setStoreManagerType", "2"}, set(2));
  {
    adouble x = 1.0, y = 2.0;
    expectError(ErrorType::SM_ACTIVE_VARS, {std::to_string(id), "2"},
                set(StoreManager::ADOLC_LOCATION_SINGLETONS));
    BOOST_TEST(tape.storeManagerType() == StoreManager::ADOLC_LOCATION_BLOCKS);
  }
  tape.setStoreManagerType(StoreManager::ADOLC_LOCATION_SINGLETONS);
  BOOST_TEST(tape.storeManagerType() == StoreManager::ADOLC_LOCATION_SINGLETONS);
  expectError(ErrorType::SM_SAME_TYPE, {}, set(StoreManager::ADOLC_LOCATION_SINGLETONS));
  // Without further effect: blocks of locations are still to be had.
  tape.ensureContiguousLocations(3);
  const adouble a, b, c;
  BOOST_TEST(b.loc() == a.loc() + 1);
  BOOST_TEST(c.loc() == a.loc() + 2);
}

BOOST_AUTO_TEST_CASE(tuning_is_remembered) {
  ValueTape &tape = findTape(createNewTape());
  double *store = nullptr;
  std::size_t capacity = 0, lives = 0;
  const StoreManagerLocintBlock manager(store, capacity, lives);
  BOOST_TEST(tape.gcTriggerRatio() == manager.gcTriggerRatio());
  BOOST_TEST(tape.gcTriggerMaxSize() == manager.gcTriggerMaxSize());
  tape.setStoreManagerControl(2.5, 17);
  BOOST_TEST(tape.gcTriggerRatio() == 2.5);
  BOOST_TEST(tape.gcTriggerMaxSize() == 17u);
  BOOST_TEST(ValueTape::get_initialSize() == tape.storeSize());
}

BOOST_AUTO_TEST_SUITE_END()
