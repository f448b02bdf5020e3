// SPDX-License-Identifier: MIT
// The allocator of locations.
#include "support/expect.h"

#include <adolc/valuetape/store.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>

using namespace test;
using ADOLC::detail::Store;
using ADOLC::detail::StoreId;

namespace {

struct StoreFixture {
  Store *store = Store::create();
  ~StoreFixture() {
    if (store != nullptr)
      store->removeOwner();
  }
  std::vector<std::pair<std::size_t, std::size_t>> liveRuns() {
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    store->forEachLiveRun([&](std::size_t first, std::size_t end) {
      runs.push_back({first, end});
    });
    return runs;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(stores, StoreFixture)

BOOST_AUTO_TEST_CASE(capacity_doubles_with_the_last_free_location) {
  BOOST_TEST(store->capacity() == 4u);
  const std::size_t expected[] = {4, 4, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 32};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST(store->allocate() == i); // ascending from 0
    BOOST_TEST(store->capacity() == expected[i]);
    BOOST_TEST(store->numLives() == i + 1);
  }
}

BOOST_AUTO_TEST_CASE(last_in_first_out) {
  for (int i = 0; i < 10; ++i)
    store->allocate();
  store->free(9); // adjacent to the front block: joins it
  BOOST_TEST(store->allocate() == 9u);
  store->free(3); // elsewhere: the new front block
  store->free(6);
  BOOST_TEST(store->allocate() == 6u);
  BOOST_TEST(store->allocate() == 3u);
  BOOST_TEST(store->allocate() == 10u);
  store->free(5);
  store->free(4);
  store->free(6);
  BOOST_TEST(store->numLives() == 8u);
  BOOST_TEST(store->allocate() == 6u);
  BOOST_TEST(store->allocate() == 4u);
  BOOST_TEST(store->allocate() == 5u);
}

BOOST_AUTO_TEST_CASE(values_stay_readable_and_grow_with_zeros) {
  const auto loc = store->allocate();
  store->values[loc] = 7.0;
  for (int i = 0; i < 100; ++i)
    store->allocate();
  BOOST_TEST(store->values[loc] == 7.0);
  store->free(loc);
  BOOST_TEST(store->values[loc] == 7.0);
  for (std::size_t i = 101; i < store->capacity(); ++i)
    BOOST_TEST(store->values[i] == 0.0);
}

BOOST_AUTO_TEST_CASE(live_runs_and_reuse) {
  for (int i = 0; i < 30; ++i)
    store->allocate();
  std::vector<std::uint32_t> order(20);
  for (std::uint32_t i = 0; i < 20; ++i)
    order[i] = i + 5;
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (const std::uint32_t loc : order)
    store->free(loc);
  BOOST_TEST(store->numLives() == 10u);
  const auto runs = liveRuns();
  BOOST_REQUIRE(runs.size() == 2u);
  BOOST_TEST((runs[0] == std::pair<std::size_t, std::size_t>{0, 5}));
  BOOST_TEST((runs[1] == std::pair<std::size_t, std::size_t>{25, 30}));
  for (std::size_t i = 20; i-- > 0;)
    BOOST_TEST(store->allocate() == order[i]);
  BOOST_TEST(store->allocate() == 30u);
}

BOOST_AUTO_TEST_CASE(unknown_locations_are_ignored) {
  store->allocate();
  store->returnLocation(1000);
  store->returnLocation(0xffffffffu); // collected later, and ignored then
  BOOST_TEST(store->allocate() == 1u);
  BOOST_TEST(store->allocate() == 2u);
  std::set<std::uint32_t> seen{0, 1, 2};
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(seen.insert(store->allocate()).second);
  BOOST_TEST(*seen.rbegin() < store->capacity());
}

BOOST_AUTO_TEST_CASE(contiguous_blocks) {
  for (int i = 0; i < 50; ++i)
    store->allocate();
  for (std::uint32_t i = 0; i < 50; i += 2)
    store->free(i);
  for (std::uint32_t i = 21; i < 29; i += 2)
    store->free(i); // 20 … 28 is a hole of 9
  store->ensureContiguous(8);
  const std::uint32_t first = store->allocateNext();
  BOOST_TEST(first == 20u);
  for (std::uint32_t i = 1; i < 8; ++i)
    BOOST_TEST(store->allocateNext() == first + i);
  BOOST_TEST(store->reserved == 0u);
  const std::size_t capacity = store->capacity();
  store->ensureContiguous(capacity);
  std::uint32_t last = store->allocateNext();
  for (std::size_t i = 1; i < capacity; ++i) {
    const std::uint32_t next = store->allocateNext();
    BOOST_TEST(next == last + 1);
    last = next;
  }
}

BOOST_AUTO_TEST_CASE(reservations_take_back_and_end) {
  for (int i = 0; i < 10; ++i)
    store->allocate();
  store->ensureContiguous(20);
  BOOST_TEST(store->numLives() == 10u);
  BOOST_TEST(store->tag != store->idTag());
  const auto a = store->allocateNext(), b = store->allocateNext(), c = store->allocateNext();
  BOOST_TEST((b == a + 1 && c == b + 1));
  store->freePinned(b);
  BOOST_TEST(store->numLives() == 12u);
  store->freePinned(c); // and b with it
  BOOST_TEST(store->allocateNext() == b);
  BOOST_TEST(store->allocate() != c); // nobody else gets them
  store->beginRecording();
  BOOST_TEST(liveRuns().size() == 2u); // 0 … b, and the one of allocate()
  store->endRecording();
  store->ensureContiguous(0);
  BOOST_TEST(store->reserved == 0u);
  BOOST_TEST(store->tag == store->idTag());
  BOOST_TEST(store->numLives() == 13u);
  store->ensureContiguous(5);
  store->beginRecording();
  store->beginRecording(); // an inner one keeps the promise with other locations, if it must
  const auto first = store->allocateNext();
  for (std::uint32_t i = 1; i < 5; ++i)
    BOOST_TEST(store->allocateNext() == first + i);
  store->endRecording();
  store->endRecording();
  BOOST_TEST(store->numLives() == 18u);
}

BOOST_AUTO_TEST_CASE(twice_and_unknown_is_free_once) {
  std::set<std::uint32_t> live;
  for (int i = 0; i < 10; ++i)
    live.insert(store->allocate());
  for (int i = 0; i < 3; ++i) {
    store->freeIfLive(4);
    store->freeIfLive(7777);
    store->returnLocation(5);
    store->returnLocation(8888);
  }
  BOOST_TEST(store->numLives() == 8u);
  store->freeIfLive(5); // came back already
  live.erase(4);
  live.erase(5);
  for (int i = 0; i < 200; ++i)
    BOOST_TEST(live.insert(store->allocate()).second);
  BOOST_TEST(store->numLives() == live.size());
  // the same when only variables keep the store alive
  const StoreId id = store->id;
  store->removeOwner();
  for (const std::uint32_t loc : live) {
    BOOST_TEST(Store::find(id) == store);
    store->returnLocation(9999);
    store->returnLocation(loc);
    if (loc != *live.rbegin())
      store->returnLocation(loc);
  }
  BOOST_TEST(Store::find(id) == nullptr);
  store = nullptr;
}

// A model of what is live against the allocator, with inner recordings.
BOOST_AUTO_TEST_CASE(random_use) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    StoreFixture fixture;
    Store &s = *fixture.store;
    std::vector<std::set<std::uint32_t>> needed; // by open recording: what it still needs
    std::set<std::uint32_t> live;
    std::size_t foreign = 0;
    for (int step = 0; step < 4000; ++step) {
      const unsigned dice = random() % 100;
      if (dice < 45 || live.empty()) {
        const std::uint32_t loc = s.allocate();
        BOOST_REQUIRE(live.insert(loc).second); // never handed out twice
        BOOST_REQUIRE(loc < s.capacity());
        for (std::size_t level = 0; level + 1 < needed.size(); ++level)
          BOOST_REQUIRE(needed[level].count(loc) == 0); // not what an outer recording needs
        s.values[loc] = static_cast<double>(loc);
        if (!needed.empty()) {
          s.needed[loc] = ADOLC::detail::Needed::no; // assigned
          needed.back().erase(loc);
        }
      } else if (dice < 90) {
        auto it = live.begin();
        std::advance(it, static_cast<long>(random() % std::min<std::size_t>(live.size(), 40)));
        if (!needed.empty() && random() % 2 == 0) {
          s.needed[*it] = ADOLC::detail::Needed::yes;
          needed.back().insert(*it);
        }
        if (random() % 10 == 0) {
          s.returnLocation(*it);
          ++foreign;
        } else {
          s.free(*it);
        }
        live.erase(it);
      } else if (dice < 95 && needed.size() < 4) {
        s.beginRecording();
        for (std::size_t i = 0; i < s.capacity(); ++i)
          BOOST_REQUIRE((s.needed[i] == ADOLC::detail::Needed::no));
        needed.emplace_back();
      } else if (!needed.empty()) {
        s.endRecording();
        needed.pop_back();
        if (!needed.empty())
          for (const std::uint32_t loc : needed.back())
            BOOST_REQUIRE(
                (s.needed[loc] == ADOLC::detail::Needed::yes)); // the outer flags are back
      }
      BOOST_REQUIRE(s.numLives() == live.size());
    }
    while (!needed.empty()) {
      s.endRecording();
      needed.pop_back();
    }
    std::set<std::uint32_t> runs;
    s.beginRecording();
    s.forEachLiveRun([&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i)
        runs.insert(static_cast<std::uint32_t>(i));
    });
    s.endRecording();
    BOOST_TEST((runs == live));
    BOOST_TEST(foreign > 0u);
    for (const std::uint32_t loc : live)
      BOOST_TEST(s.values[loc] == static_cast<double>(loc));
    for (const std::uint32_t loc : live)
      s.free(loc);
    BOOST_TEST(s.numLives() == 0u);
    BOOST_TEST(s.capacity() <= 4096u);
  }
}

BOOST_AUTO_TEST_CASE(ids_and_ends) {
  const StoreId id = store->id;
  BOOST_TEST(id != 0u);
  BOOST_TEST(id <= ADOLC::detail::kStoreIdMask);
  BOOST_TEST(Store::find(id) == store);
  BOOST_TEST(Store::find(id | (StoreId{1} << ADOLC::detail::kStoreIdBits)) == store);
  BOOST_TEST(Store::find(0) == nullptr);
  store->addOwner();
  store->removeOwner();
  BOOST_TEST(Store::find(id) == store);
  const auto a = store->allocate(), b = store->allocate();
  store->removeOwner(); // two locations keep it alive
  BOOST_TEST(Store::find(id) == store);
  store->returnLocation(a);
  BOOST_TEST(Store::find(id) == store);
  store->returnLocation(b);
  BOOST_TEST(Store::find(id) == nullptr);
  store = nullptr;
}

BOOST_AUTO_TEST_CASE(ids_are_not_repeated_soon) {
  std::set<StoreId> seen;
  for (int i = 0; i < 20000; ++i) {
    Store *const s = Store::create();
    BOOST_TEST(seen.insert(s->id).second);
    s->removeOwner();
  }
}

BOOST_AUTO_TEST_CASE(default_store_of_a_thread) {
  StoreId id = 0;
  std::thread([&] {
    BOOST_TEST(Store::threadDefaultIfAny() == nullptr);
    Store &mine = Store::threadDefault();
    BOOST_TEST(&mine == &Store::threadDefault());
    BOOST_TEST(&mine == Store::threadDefaultIfAny());
    id = mine.id;
  }).join();
  BOOST_TEST(Store::find(id) == nullptr); // gone with the thread
}

BOOST_AUTO_TEST_CASE(parameters_keep_their_index) {
  const std::size_t a = store->addParameter(1.0, true), b = store->addParameter(2.0, false),
                    c = store->addParameter(3.0, true);
  BOOST_TEST((a == 0 && b == 1 && c == 2));
  store->beginRecording();
  store->endRecording();
  BOOST_TEST(store->parameterValues.size() == 3u); // c is held
  store->releaseParameter(c);
  BOOST_TEST(store->parameterValues.size() == 1u); // b was not
  store->beginRecording();
  const std::size_t d = store->addParameter(4.0, true);
  store->releaseParameter(d);
  BOOST_TEST(store->parameterValues.size() == 2u); // at least until the recording ends
  store->endRecording();
  BOOST_TEST(store->parameterValues.size() == 1u);
  BOOST_TEST(store->parameterValues[a] == 1.0);
  store->releaseParameter(17);
}

BOOST_AUTO_TEST_SUITE_END()
