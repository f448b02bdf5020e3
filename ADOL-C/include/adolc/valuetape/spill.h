/// @file valuetape/spill.h
/// Streams that do not fit into memory: the group of the streams of one tape keeps to a budget by
/// moving blocks to a private file. Writing and reading is the business of one background thread of
/// the process: blocks that are complete are written before their memory is needed, and the block
/// that a sweep needs next is read while it works on the present one.
///
/// Pinning and unpinning are synchronised by a mutex of the group: sweeps of several threads may
/// read the streams at once. Writing a stream needs the tape exclusively.
#pragma once

#include <adolc/valuetape/blockchain.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ADOLC::detail {

struct SpillFile;

class ADOLC_API SpillGroup {
public:
  /// For messages the id of the tape. A budget that is smaller than what the streams need at the
  /// same time, a few blocks each, is exceeded.
  explicit SpillGroup(short tapeId);
  SpillGroup(const SpillGroup &) = delete;
  SpillGroup &operator=(const SpillGroup &) = delete;
  ~SpillGroup();

  void tapeId(short id) noexcept { tapeId_ = id; }
  void budget(std::size_t bytes) noexcept { budget_ = bytes; }
  std::size_t budget() const noexcept { return budget_; }
  /// Bytes of memory that the streams hold.
  std::size_t resident() const noexcept { return resident_; }
  /// Bytes that were written to and read from disk since the group was made.
  std::uint64_t written() const noexcept { return written_; }
  std::uint64_t read() const noexcept { return read_; }
  /// Held while blocks come and go.
  std::mutex &mutex() const noexcept { return mutex_; }

  /// What the configuration says, 0: no limit. Tapes without a budget of their own get the first.
  /// The second is for all groups of the process together: each looks at it when it needs memory,
  /// and frees blocks of its own.
  static void defaultBudgets(std::size_t tape, std::size_t process) noexcept;
  /// SIZE_MAX: no limit.
  static std::size_t tapeBudget() noexcept;
  static std::size_t processBudget() noexcept;
  static std::size_t processResident() noexcept;
  /// Where files are made: the configured directory, or else $TMPDIR, or else /var/tmp.
  static std::string directory();

  /// Test hook: of the next `after` writes or reads all succeed, those behind them fail with this
  /// errno (0: none fail).
  static void failWrites(std::size_t after, int error) noexcept;
  static void failReads(std::size_t after, int error) noexcept;
  /// Test hook: where in new files the first block stands.
  static void firstOffset(std::uint64_t bytes) noexcept;

private:
  friend class BlockList;
  struct Victim;

  std::size_t blockBytes() const noexcept;
  /// No group has more streams, so that adding one allocates nothing.
  static constexpr std::size_t kMaxLists = 8;
  void add(BlockList *list) {
    ADOLC_ASSERT(lists_.size() < kMaxLists);
    lists_.push_back(list);
  }
  void replace(const BlockList *from, BlockList *to) noexcept;
  void remove(const BlockList *list) noexcept;
  void hold(std::ptrdiff_t bytes) noexcept;
  bool exceeds(std::size_t more) const noexcept;
  /// Frees memory until so many bytes more fit, as far as there is something to free.
  void makeRoom(std::size_t bytes);
  /// The same without waiting for the disk; whether they fit.
  bool makeRoomAtOnce(std::size_t bytes) noexcept;
  Victim victim(bool atOnce) const noexcept;
  /// Begins to write what will have to leave soon.
  void writeBehind(BlockList &list);
  void beginWrite(BlockList &list, std::size_t block);
  void beginRead(BlockList &list, std::size_t block);
  void readBlock(BlockList &list, std::size_t block);
  void finishWrite(BlockList &list, std::size_t block);
  [[noreturn]] void failed(ADOLCError::ErrorType type, const char *what, const std::string &place,
                           int error) const;

  mutable std::mutex mutex_;
  short tapeId_;
  std::size_t budget_ = SIZE_MAX;
  std::atomic<std::size_t> resident_ = 0;
  std::atomic<std::uint64_t> written_ = 0, read_ = 0;
  std::vector<BlockList *> lists_;
  std::shared_ptr<SpillFile> file_;
};

} // namespace ADOLC::detail
