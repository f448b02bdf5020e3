/// @file valuetape/blockchain.h
/// A stream of a tape is a chain of blocks. Users of a stream see positions and contiguous areas
/// only; where a block lives is the chain's business.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ADOLC::detail {

/// Memory of blocks, recycled through process-wide free lists. Thread safe.
class ADOLC_API BlockPool {
public:
  static constexpr std::size_t kSmallest = std::size_t{1} << 10; // small tapes share a page
  static constexpr std::size_t kLargest = std::size_t{1} << 21;  // 2 MiB, one huge page

  /// At least `bytes`, aligned to 64 bytes, uninitialised; `bytes` becomes what was got. Larger
  /// blocks than kLargest are possible, but not recycled. Throws std::bad_alloc.
  static void *acquire(std::size_t &bytes);
  static void release(void *memory, std::size_t bytes) noexcept;

  /// Bytes that are in use now and bytes that wait in the free lists.
  static std::size_t bytesInUse() noexcept;
  static std::size_t bytesIdle() noexcept;
  /// Returns the idle blocks to the system.
  static void trim() noexcept;
  /// Test hook: acquire fails beyond this many bytes in use. Returns the former limit.
  static std::size_t setLimit(std::size_t bytes) noexcept;
};

/// Memory of arrays that grow by large factors: at least the first `from` bytes are kept (0: there
/// is no memory yet), the others are 0. If std::bad_alloc is thrown the old memory remains.
ADOLC_API void *resizedMemory(void *memory, std::size_t from, std::size_t to);
ADOLC_API void releaseMemory(void *memory, std::size_t bytes) noexcept;

/// An array of trivial elements whose new ones are 0.
template <class T> class GrowingArray {
public:
  GrowingArray() = default;
  explicit GrowingArray(std::size_t size) { grow(size); }
  GrowingArray(GrowingArray &&other) noexcept { *this = std::move(other); }
  GrowingArray &operator=(GrowingArray &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~GrowingArray() { releaseMemory(data_, size_ * sizeof(T)); }

  T *data() { return data_; }
  /// Does nothing if the array is that large already.
  void grow(std::size_t size) {
    if (size <= size_)
      return;
    data_ = static_cast<T *>(resizedMemory(data_, size_ * sizeof(T), size * sizeof(T)));
    size_ = size;
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// Where an area begins: block and element within the block.
struct StreamPosition {
  std::uint32_t block = 0;
  std::uint32_t offset = 0;
};

/// Append-only chain of blocks of T. Blocks grow geometrically up to BlockPool::kLargest. A chain
/// that is rewound keeps its blocks, so that writing as much again allocates nothing.
template <class T> class BlockChain {
public:
  BlockChain() = default;
  BlockChain(BlockChain &&other) noexcept { swap(other); }
  BlockChain &operator=(BlockChain &&other) noexcept {
    BlockChain taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~BlockChain() { clear(); }

  /// A contiguous area of at least `count` elements behind the last committed one.
  T *reserve(std::size_t count) {
    while (current_ < blocks_.size() && blocks_[current_].capacity - used_ < count)
      nextBlock();
    if (current_ == blocks_.size())
      allocate(count);
    return blocks_[current_].data + used_;
  }
  /// Elements that fit behind the last committed one without another block (valid after reserve).
  std::size_t remaining() const { return blocks_[current_].capacity - used_; }
  /// The position of the area that reserve returned.
  StreamPosition position() const {
    return {static_cast<std::uint32_t>(current_), static_cast<std::uint32_t>(used_)};
  }
  /// Makes the first `count` elements of the reserved area part of the stream.
  void commit(std::size_t count) { used_ += count; }

  /// The area at a position. Readers pin a block while they use it and unpin it afterwards, so that
  /// a chain may keep blocks elsewhere than in memory.
  const T *pin(StreamPosition at) const { return blocks_[at.block].data + at.offset; }
  T *pin(StreamPosition at) { return blocks_[at.block].data + at.offset; }
  void unpin(StreamPosition) const {}

  /// Appends a block that consists of `count` committed elements, for the caller to fill. Only to
  /// a chain that was made of such blocks from the beginning.
  T *append(std::size_t count) {
    current_ = blocks_.size();
    used_ = count;
    blocks_.push_back({nullptr, 0, 0});
    if (count != 0) {
      std::size_t bytes = count * sizeof(T);
      void *const memory = BlockPool::acquire(bytes);
      blocks_.back() = {static_cast<T *>(memory), bytes / sizeof(T), bytes};
    }
    return blocks_.back().data;
  }

  /// Forgets the content, keeps the blocks.
  void rewind() {
    current_ = 0;
    used_ = 0;
  }
  void clear() noexcept {
    for (const Block &b : blocks_)
      if (b.data != nullptr)
        BlockPool::release(b.data, b.bytes);
    blocks_.clear();
    rewind();
  }
  /// Bytes of memory that the chain holds.
  std::size_t bytesHeld() const {
    std::size_t bytes = 0;
    for (const Block &b : blocks_)
      bytes += b.bytes;
    return bytes;
  }
  void swap(BlockChain &other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(current_, other.current_);
    std::swap(used_, other.used_);
  }

private:
  struct Block {
    T *data;
    std::size_t capacity; // elements
    std::size_t bytes;
  };

  void nextBlock() {
    ++current_;
    used_ = 0;
  }
  void allocate(std::size_t count) {
    // Fresh memory is the largest cost of a first recording: a chain grows by half of what it has,
    // and by huge pages as soon as most of one will be used.
    constexpr std::size_t small = std::size_t{1} << 14, most = std::size_t{3} << 18;
    const std::size_t held = bytesHeld();
    std::size_t bytes = BlockPool::kSmallest;
    if (!blocks_.empty())
      bytes = held < small ? blocks_.back().bytes * 4 : held / 2 > small ? held / 2 : small;
    if (bytes > most)
      bytes = BlockPool::kLargest;
    if (bytes < count * sizeof(T))
      bytes = count * sizeof(T);
    blocks_.reserve(blocks_.size() + 1);
    void *memory = BlockPool::acquire(bytes);
    blocks_.push_back({static_cast<T *>(memory), bytes / sizeof(T), bytes});
  }

  std::vector<Block> blocks_;
  std::size_t current_ = 0; // block being written
  std::size_t used_ = 0;    // committed elements of that block
};

} // namespace ADOLC::detail
