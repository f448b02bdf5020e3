/// @file valuetape/blockchain.h
/// A stream of a tape is a chain of blocks. Users of a stream see positions and contiguous areas
/// only; where a block lives is the chain's business.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace ADOLCError {
enum class ErrorType : std::size_t;
}

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

struct DiskCopy;
struct FilePlace;
class SpillGroup;

/// The blocks of a stream, whatever its elements are. Blocks grow geometrically up to
/// BlockPool::kLargest. With a SpillGroup (spill.h) blocks may be on disk; then those that are used
/// must be pinned. Several threads may pin and read at once; who writes has the stream alone.
class ADOLC_API BlockList {
public:
  BlockList() = default;
  BlockList(BlockList &&other) noexcept { swap(other); }
  BlockList &operator=(BlockList &&other) noexcept {
    BlockList taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~BlockList();

  /// Bytes of memory that the blocks hold.
  std::size_t bytesHeld() const;
  /// Bytes of the content that are on disk, whether in memory as well or not.
  std::size_t bytesOnDisk() const;
  /// From now on the group decides which blocks stay in memory; nullptr: all do. Forgets the
  /// content. What cannot be read back is reported with `readError`.
  void attach(SpillGroup *group, ADOLCError::ErrorType readError) noexcept;
  SpillGroup *group() const { return group_; }
  void swap(BlockList &other) noexcept;
  void clear() noexcept;

protected:
  struct Block {
    std::byte *data;        // nullptr: not in memory
    std::size_t bytes;      // of memory
    std::size_t used;       // bytes of content, once another block is written
    DiskCopy *disk;         // nullptr: never written to disk
    std::uint32_t pins = 0; // counted with a group only
  };

  /// Other streams of the group may be read by other threads.
  std::unique_lock<std::mutex> lockGroup() const {
    return group_ != nullptr ? lockOf(*group_) : std::unique_lock<std::mutex>();
  }
  /// Another block, of at least so many bytes.
  void addBlock(std::size_t bytes);
  /// A block behind all others, which are complete.
  void appendBlock(std::size_t bytes);
  void appendBlock(std::size_t bytes, const FilePlace &place);
  /// The current block is about to be written.
  void enter();
  void rewindBlocks() noexcept;
  void fetch(std::size_t block, int direction);
  void unpinBlock(std::size_t block) noexcept;

  std::vector<Block> blocks_;
  std::size_t current_ = 0; // block being written
  std::size_t used_ = 0;    // committed elements of that block
  SpillGroup *group_ = nullptr;

private:
  friend class SpillGroup;

  static std::unique_lock<std::mutex> lockOf(const SpillGroup &group);
  std::size_t nextSize(std::size_t bytes) const;
  bool hasContent(std::size_t block) const {
    // A block that was too small for what came is passed over.
    return block < current_ ? blocks_[block].used != 0 : block == current_ && used_ != 0;
  }
  void giveMemory(Block &block);
  void takeMemory(Block &block) noexcept;
  void readAhead(std::size_t block) noexcept;

  // For the group: where the stream is worked on, in which direction, and the first block that is
  // not known to be on disk.
  std::size_t cursor_ = 0;
  int direction_ = 1;
  std::size_t firstDirty_ = 0;
  ADOLCError::ErrorType readError_{};
};

/// Append-only chain of blocks of T. A chain that is rewound keeps its blocks, so that writing as
/// much again allocates nothing.
template <class T> class BlockChain : public BlockList {
public:
  /// A contiguous area of at least `count` elements behind the last committed one.
  T *reserve(std::size_t count) {
    const auto lock = lockGroup();
    while (current_ < blocks_.size() && capacity() - used_ < count)
      nextBlock();
    if (current_ == blocks_.size())
      addBlock(count * sizeof(T));
    if (group_ != nullptr)
      enter();
    return elements(current_) + used_;
  }
  /// Elements that fit behind the last committed one without another block (valid after reserve).
  std::size_t remaining() const { return capacity() - used_; }
  /// The position of the area that reserve returned.
  StreamPosition position() const {
    return {static_cast<std::uint32_t>(current_), static_cast<std::uint32_t>(used_)};
  }
  /// Makes the first `count` elements of the reserved area part of the stream.
  void commit(std::size_t count) { used_ += count; }

  /// The area at a position. Readers pin a block while they use it and unpin it afterwards; one
  /// that goes on to later (1) or earlier (-1) blocks says so. Throws when the block is on disk and
  /// cannot be read.
  T *pin(StreamPosition at, int direction = 0) {
    if (group_ != nullptr)
      fetch(at.block, direction);
    return elements(at.block) + at.offset;
  }
  void unpin(StreamPosition at) noexcept {
    if (group_ != nullptr)
      unpinBlock(at.block);
  }
  // Where the content is, is not part of it.
  const T *pin(StreamPosition at, int direction = 0) const {
    return const_cast<BlockChain *>(this)->pin(at, direction);
  }
  void unpin(StreamPosition at) const noexcept { const_cast<BlockChain *>(this)->unpin(at); }

  /// Appends a block that consists of `count` committed elements, for the caller to fill. Only to
  /// a chain that was made of such blocks from the beginning.
  T *append(std::size_t count) {
    appendBlock(count * sizeof(T));
    used_ = count;
    return elements(current_);
  }
  /// The same for content that stands in a file, from where it is read when it is needed. Only to a
  /// chain with a group.
  void append(std::size_t count, const FilePlace &place) {
    appendBlock(count * sizeof(T), place);
    used_ = count;
  }

  /// Forgets the content, keeps the blocks.
  void rewind() noexcept {
    const auto lock = lockGroup();
    current_ = 0;
    used_ = 0;
    if (group_ != nullptr)
      rewindBlocks();
  }

private:
  std::size_t capacity() const { return blocks_[current_].bytes / sizeof(T); }
  T *elements(std::size_t block) { return reinterpret_cast<T *>(blocks_[block].data); }
  void nextBlock() {
    blocks_[current_].used = used_ * sizeof(T);
    ++current_;
    used_ = 0;
  }
};

} // namespace ADOLC::detail
