// SPDX-License-Identifier: MIT
// Streams of blocks, and the pool that the blocks come from.
#include <adolc/valuetape/blockchain.h>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <new>
#include <thread>
#include <vector>

using ADOLC::detail::BlockChain;
using ADOLC::detail::BlockPool;
using ADOLC::detail::StreamPosition;

BOOST_AUTO_TEST_SUITE(block_chain)

BOOST_AUTO_TEST_CASE(pool_sizes_and_alignment) {
  for (const std::size_t wanted :
       {std::size_t{1}, std::size_t{1} << 14, (std::size_t{1} << 14) + 1, std::size_t{100000},
        std::size_t{1} << 21, (std::size_t{1} << 21) + 1, std::size_t{5000000}}) {
    std::size_t bytes = wanted;
    const std::size_t before = BlockPool::bytesInUse();
    void *memory = BlockPool::acquire(bytes);
    BOOST_TEST(bytes >= wanted);
    BOOST_TEST(bytes >= BlockPool::kSmallest);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0u);
    static_cast<char *>(memory)[0] = static_cast<char *>(memory)[bytes - 1] = 1;
    BOOST_TEST(BlockPool::bytesInUse() == before + bytes);
    BlockPool::release(memory, bytes);
    BOOST_TEST(BlockPool::bytesInUse() == before);
  }
}

BOOST_AUTO_TEST_CASE(pool_recycles) {
  BlockPool::trim();
  BOOST_TEST(BlockPool::bytesIdle() == 0u);
  std::size_t bytes = 20000, again = 20000;
  void *memory = BlockPool::acquire(bytes);
  BlockPool::release(memory, bytes);
  BOOST_TEST(BlockPool::bytesIdle() == bytes);
  BOOST_TEST(BlockPool::acquire(again) == memory);
  BOOST_TEST(BlockPool::bytesIdle() == 0u);
  BlockPool::release(memory, again);
  std::size_t large = BlockPool::kLargest + 1;
  memory = BlockPool::acquire(large);
  BlockPool::release(memory, large);
  BOOST_TEST(BlockPool::bytesIdle() == bytes); // too large to be kept
  BlockPool::trim();
  BOOST_TEST(BlockPool::bytesIdle() == 0u);
}

BOOST_AUTO_TEST_CASE(pool_limit) {
  const std::size_t former =
      BlockPool::setLimit(BlockPool::bytesInUse() + 2 * BlockPool::kSmallest);
  std::size_t bytes = 1, more = 1;
  void *a = BlockPool::acquire(bytes);
  void *b = BlockPool::acquire(more);
  std::size_t over = 1, huge = SIZE_MAX / 2;
  BOOST_CHECK_THROW(BlockPool::acquire(over), std::bad_alloc);
  BOOST_CHECK_THROW(BlockPool::acquire(huge), std::bad_alloc);
  BlockPool::release(a, bytes);
  over = 1;
  a = BlockPool::acquire(over);
  BlockPool::release(a, over);
  BlockPool::release(b, more);
  // Rounded up to a multiple these wrap around.
  for (std::size_t absurd : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - BlockPool::kLargest})
    BOOST_CHECK_THROW(BlockPool::acquire(absurd), std::bad_alloc);
  BOOST_TEST(BlockPool::setLimit(former) != former);
}

BOOST_AUTO_TEST_CASE(pool_under_threads) {
  const std::size_t before = BlockPool::bytesInUse();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) {
        BlockChain<double> chain;
        for (int k = 0; k < 4; ++k) {
          double *area = chain.reserve(1500);
          area[0] = area[1499] = k;
          chain.commit(1500);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(BlockPool::bytesInUse() == before);
}

BOOST_AUTO_TEST_CASE(what_was_written_is_read) {
  BlockChain<std::uint32_t> chain;
  std::vector<std::pair<StreamPosition, std::size_t>> areas;
  std::uint32_t number = 0;
  for (int round = 0; round < 3; ++round) {
    areas.clear();
    const std::uint32_t start = number;
    for (std::size_t i = 0; i < 3000; ++i) {
      const std::size_t wanted = 1 + (i * 7919) % 700;
      std::uint32_t *area = chain.reserve(wanted);
      BOOST_REQUIRE(chain.remaining() >= wanted);
      const std::size_t used = wanted - i % std::min<std::size_t>(wanted, 3);
      areas.push_back({chain.position(), used});
      for (std::size_t k = 0; k < used; ++k)
        area[k] = number++;
      chain.commit(used);
    }
    std::uint32_t expected = start;
    for (const auto &[at, count] : areas) {
      const std::uint32_t *area = std::as_const(chain).pin(at);
      for (std::size_t k = 0; k < count; ++k)
        BOOST_REQUIRE(area[k] == expected++);
      chain.unpin(at);
    }
    const std::size_t held = chain.bytesHeld();
    chain.rewind();
    BOOST_TEST(chain.bytesHeld() == held);
  }
}

BOOST_AUTO_TEST_CASE(rewound_chains_take_no_more_memory) {
  BlockChain<double> chain;
  const auto fill = [&] {
    for (int i = 0; i < 2000; ++i) {
      chain.reserve(300);
      chain.commit(300);
    }
  };
  fill();
  const std::size_t held = chain.bytesHeld();
  for (int i = 0; i < 20; ++i) {
    chain.rewind();
    fill();
    BOOST_TEST(chain.bytesHeld() == held);
  }
  // Areas of another size find room as well, within a factor.
  chain.rewind();
  for (int i = 0; i < 6; ++i) {
    chain.reserve(100000);
    chain.commit(100000);
  }
  BOOST_TEST(chain.bytesHeld() <= 2 * held);
}

BOOST_AUTO_TEST_CASE(large_areas_and_failures) {
  BlockChain<double> chain;
  double *small = chain.reserve(10);
  small[0] = 1.0;
  chain.commit(10);
  const StreamPosition at{0, 0};
  const std::size_t former = BlockPool::setLimit(BlockPool::bytesInUse() + (1u << 20));
  BOOST_CHECK_THROW(chain.reserve(std::size_t{1} << 20), std::bad_alloc);
  BlockPool::setLimit(former);
  // It goes on after the failure, and nothing is lost.
  double *large = chain.reserve(std::size_t{1} << 20);
  large[(std::size_t{1} << 20) - 1] = 2.0;
  chain.commit(std::size_t{1} << 20);
  chain.reserve(10);
  chain.commit(10);
  BOOST_TEST(chain.pin(at)[0] == 1.0);
}

// As a file has them.
BOOST_AUTO_TEST_CASE(blocks_of_given_sizes) {
  const std::size_t before = BlockPool::bytesInUse();
  {
    BlockChain<double> chain;
    BOOST_TEST(chain.append(0) == nullptr);
    double *const first = chain.append(3);
    first[2] = 1.0;
    double *const second = chain.append(1000);
    second[999] = 2.0;
    BOOST_TEST((chain.pin({1, 2}) == first + 2));
    BOOST_TEST(chain.pin({2, 999})[0] == 2.0);
    BOOST_TEST((chain.position().block == 2 && chain.position().offset == 1000));
    const std::size_t former = BlockPool::setLimit(BlockPool::bytesInUse());
    BOOST_CHECK_THROW(chain.append(1), std::bad_alloc);
    BlockPool::setLimit(former);
    BOOST_TEST(chain.pin({2, 999})[0] == 2.0);
    // Written anew it is a chain like any other.
    const std::size_t held = chain.bytesHeld();
    chain.rewind();
    for (int i = 0; i < 100; ++i) {
      chain.reserve(10)[9] = i;
      chain.commit(10);
    }
    BOOST_TEST(chain.bytesHeld() == held);
    chain.reserve(100000)[99999] = 3.0;
    chain.commit(100000);
  }
  BOOST_TEST(BlockPool::bytesInUse() == before);
}

BOOST_AUTO_TEST_CASE(ownership) {
  const std::size_t before = BlockPool::bytesInUse();
  {
    BlockChain<double> a;
    a.reserve(10)[0] = 5.0;
    a.commit(10);
    BlockChain<double> b(std::move(a));
    BOOST_TEST(a.bytesHeld() == 0u);
    BOOST_TEST(b.pin({0, 0})[0] == 5.0);
    BlockChain<double> c;
    c.reserve(5);
    c = std::move(b);
    BOOST_TEST(c.pin({0, 0})[0] == 5.0);
    BOOST_TEST(b.bytesHeld() == 0u);
    a.reserve(3)[0] = 7.0; // a moved-from chain is an empty one
    a.commit(3);
    a.swap(c);
    BOOST_TEST(c.pin({0, 0})[0] == 7.0);
    BOOST_TEST(a.pin({0, 0})[0] == 5.0);
    c.clear();
    BOOST_TEST(c.bytesHeld() == 0u);
  }
  BOOST_TEST(BlockPool::bytesInUse() == before);
}

BOOST_AUTO_TEST_SUITE_END()
