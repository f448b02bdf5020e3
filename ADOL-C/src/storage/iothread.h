/// @file storage/iothread.h
/// The thread of the process that writes blocks to disk and reads them back, in the order in which
/// it is asked. It begins with the first request, and anew in a forked child; it never ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ADOLC::detail {

/// A file that blocks are in. One that this library makes is private: other processes cannot see
/// it, and it is gone when nobody has it open any more.
struct SpillFile {
  /// Throws std::system_error.
  explicit SpillFile(const std::string &directory);
  /// A file that is open for reading and never written; takes the descriptor over.
  SpillFile(int openDescriptor, std::string name);
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;
  ~SpillFile();

  std::string place; ///< for messages: the directory of a private file, the name of any other
  int descriptor = -1;
  std::uint64_t end = 0;   ///< where the next block goes
  std::uint64_t forks = 0; ///< forkCount() when it was made: since then nobody else has it
};

/// How often this process and those it comes from have forked. What is written before a fork is
/// common to both sides and must not be overwritten by either.
std::uint64_t forkCount() noexcept;

enum class Transfer : int { none, write, read };

/// Content of a block that stands in a file already.
struct FilePlace {
  std::shared_ptr<SpillFile> file;
  std::uint64_t offset;
  std::uint64_t checksum;
};

/// A block on disk.
struct DiskCopy {
  std::shared_ptr<SpillFile> file;
  std::uint64_t offset = 0;
  bool valid = false; ///< holds the content of the block
  /// Of what others may have changed: what is read must have this checksum.
  std::optional<std::uint64_t> checksum;
  /// The transfer that is under way. The thread that uses the tape begins one and waits for its
  /// end; the fields below are the other thread's meanwhile.
  std::atomic<Transfer> transfer{Transfer::none};
  Transfer latest = Transfer::none;
  std::byte *data = nullptr;
  std::size_t bytes = 0;
  int error = 0; ///< errno, 0: success
};

/// Begins a transfer of `bytes` between data and the file.
void beginTransfer(DiskCopy &copy, Transfer transfer, std::byte *data, std::size_t bytes);
/// Reads in the calling thread, which has to wait anyway.
void readNow(DiskCopy &copy, std::byte *data, std::size_t bytes) noexcept;
/// Waits for the transfer that is under way, if any; the result of the latest is in copy.error.
void finishTransfer(DiskCopy &copy) noexcept;

/// Test hooks, see SpillGroup.
void failTransfers(Transfer kind, std::size_t after, int error) noexcept;
void firstFileOffset(std::uint64_t bytes) noexcept;

} // namespace ADOLC::detail
