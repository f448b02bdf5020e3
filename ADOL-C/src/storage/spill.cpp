#include <adolc/valuetape/spill.h>

#include "storage/iothread.h"
#include "tape/settings.h"

#include <adolc/adolcerror.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

using ADOLCError::ErrorType;

namespace ADOLC::detail {
namespace {

std::atomic<std::size_t> limitOfEach{SIZE_MAX}, limitOfAll{SIZE_MAX};
std::atomic<std::size_t> residentOfAll{0};

bool idle(const DiskCopy *disk) {
  return disk == nullptr || disk->transfer.load() == Transfer::none;
}
bool isRead(const DiskCopy *disk) {
  return disk != nullptr && disk->transfer.load() == Transfer::read;
}
/// Is on disk or is being written.
bool onDisk(const DiskCopy *disk) { return disk != nullptr && disk->valid; }
/// The block is about to get another content.
void forget(DiskCopy &disk) {
  disk.valid = false;
  disk.error = 0;
  disk.checksum.reset();
}
/// Memory may go at once.
bool clean(const DiskCopy *disk) { return onDisk(disk) && idle(disk) && disk->error == 0; }

} // namespace

// ── blocks ──────────────────────────────────────────────────────────────────────────────────────

BlockList::~BlockList() {
  clear();
  if (group_ != nullptr)
    group_->remove(this);
}

std::unique_lock<std::mutex> BlockList::lockOf(const SpillGroup &group) {
  return std::unique_lock(group.mutex());
}

std::size_t BlockList::bytesHeld() const {
  const auto lock = lockGroup();
  std::size_t bytes = 0;
  for (const Block &b : blocks_)
    bytes += b.data != nullptr ? b.bytes : 0;
  return bytes;
}
std::size_t BlockList::bytesOnDisk() const {
  const auto lock = lockGroup();
  std::size_t bytes = 0;
  for (const Block &b : blocks_)
    bytes += onDisk(b.disk) ? b.used : 0;
  return bytes;
}

void BlockList::attach(SpillGroup *group, ErrorType readError) noexcept {
  readError_ = readError;
  if (group == group_)
    return;
  clear();
  if (group_ != nullptr)
    group_->remove(this);
  group_ = group;
  if (group_ != nullptr)
    group_->add(this);
}

void BlockList::swap(BlockList &other) noexcept {
  std::swap(blocks_, other.blocks_);
  std::swap(current_, other.current_);
  std::swap(used_, other.used_);
  std::swap(cursor_, other.cursor_);
  std::swap(direction_, other.direction_);
  std::swap(firstDirty_, other.firstDirty_);
  std::swap(readError_, other.readError_);
  if (group_ == other.group_)
    return;
  std::swap(group_, other.group_);
  if (group_ != nullptr)
    group_->replace(&other, this);
  if (other.group_ != nullptr)
    other.group_->replace(this, &other);
}

void BlockList::clear() noexcept {
  for (Block &b : blocks_) {
    if (b.disk != nullptr)
      finishTransfer(*b.disk);
    delete b.disk;
    takeMemory(b);
  }
  blocks_.clear();
  current_ = used_ = cursor_ = firstDirty_ = 0;
  direction_ = 1;
}

void BlockList::giveMemory(Block &block) {
  block.data = static_cast<std::byte *>(BlockPool::acquire(block.bytes));
  if (group_ != nullptr)
    group_->hold(static_cast<std::ptrdiff_t>(block.bytes));
}
void BlockList::takeMemory(Block &block) noexcept {
  if (block.data == nullptr)
    return;
  BlockPool::release(std::exchange(block.data, nullptr), block.bytes);
  if (group_ != nullptr)
    group_->hold(-static_cast<std::ptrdiff_t>(block.bytes));
}

std::size_t BlockList::nextSize(std::size_t bytes) const {
  // Fresh memory is the largest cost of a first recording: a chain grows by half of what it has,
  // and by huge pages as soon as most of one will be used.
  constexpr std::size_t small = std::size_t{1} << 14, most = std::size_t{3} << 18;
  std::size_t size = BlockPool::kSmallest;
  if (!blocks_.empty()) {
    std::size_t all = 0;
    for (const Block &b : blocks_)
      all += b.bytes;
    size = all < small ? blocks_.back().bytes * 4 : all / 2 > small ? all / 2 : small;
  }
  if (size > most)
    size = BlockPool::kLargest;
  if (group_ != nullptr)
    size = std::min(size, group_->blockBytes());
  return std::max(size, bytes);
}

void BlockList::addBlock(std::size_t bytes) {
  Block block{nullptr, nextSize(bytes), 0, nullptr};
  blocks_.reserve(blocks_.size() + 1);
  if (group_ != nullptr)
    group_->makeRoom(block.bytes);
  giveMemory(block);
  blocks_.push_back(block);
}

void BlockList::appendBlock(std::size_t bytes) {
  blocks_.reserve(blocks_.size() + 1);
  Block block{nullptr, bytes, bytes, nullptr};
  if (bytes != 0)
    giveMemory(block);
  current_ = blocks_.size();
  blocks_.push_back(block);
}
void BlockList::appendBlock(std::size_t bytes, const FilePlace &place) {
  ADOLC_ASSERT(group_ != nullptr);
  blocks_.reserve(blocks_.size() + 1);
  auto copy = std::make_unique<DiskCopy>();
  copy->file = place.file;
  copy->offset = place.offset;
  copy->checksum = place.checksum;
  copy->valid = true;
  current_ = cursor_ = blocks_.size();
  blocks_.push_back({nullptr, bytes, bytes, copy.release()});
}

void BlockList::enter() {
  cursor_ = current_;
  direction_ = 1;
  Block &block = blocks_[current_];
  if (block.disk != nullptr) {
    finishTransfer(*block.disk);
    forget(*block.disk);
  }
  if (block.data == nullptr) {
    group_->makeRoom(block.bytes);
    giveMemory(block);
  } else {
    group_->makeRoom(0); // the budget may have become smaller
  }
  group_->writeBehind(*this);
}

void BlockList::rewindBlocks() noexcept {
  for (Block &b : blocks_) {
    b.pins = 0;
    if (b.disk != nullptr) {
      finishTransfer(*b.disk);
      forget(*b.disk);
    }
  }
  firstDirty_ = 0;
}

void BlockList::unpinBlock(std::size_t block) noexcept {
  const std::lock_guard lock(group_->mutex());
  --blocks_[block].pins;
}

void BlockList::fetch(std::size_t block, int direction) {
  const std::lock_guard lock(group_->mutex());
  Block &b = blocks_[block];
  if (b.data == nullptr) {
    group_->makeRoom(b.bytes);
    giveMemory(b);
    if (hasContent(block))
      group_->readBlock(*this, block);
  } else if (b.disk != nullptr && b.disk->latest == Transfer::read) {
    finishTransfer(*b.disk);
    if (b.disk->error != 0) // of reading ahead: perhaps it can be read now
      group_->readBlock(*this, block);
  }
  ++b.pins;
  if (block != cursor_) {
    // With several readers, where the last one was tells nothing.
    direction_ = direction != 0 ? direction : block > cursor_ ? 1 : -1;
    cursor_ = block;
    const std::size_t next = direction_ > 0 ? block + 1 : block - 1; // -1: not a block
    if (next < blocks_.size() && hasContent(next) && blocks_[next].data == nullptr)
      readAhead(next);
  }
}

/// If that fails, the block is read when it is needed.
void BlockList::readAhead(std::size_t block) noexcept {
  try {
    if (group_->makeRoomAtOnce(blocks_[block].bytes))
      group_->beginRead(*this, block);
  } catch (const std::bad_alloc &) {
  }
}

// ── group ───────────────────────────────────────────────────────────────────────────────────────

/// A block that can leave memory.
struct SpillGroup::Victim {
  BlockList *list = nullptr;
  std::size_t block = 0;
};

SpillGroup::SpillGroup(short tapeId) : tapeId_(tapeId) { lists_.reserve(kMaxLists); }

SpillGroup::~SpillGroup() {
  while (!lists_.empty())
    lists_.back()->attach(nullptr, {});
}

void SpillGroup::defaultBudgets(std::size_t tape, std::size_t process) noexcept {
  limitOfEach = tape != 0 ? tape : SIZE_MAX;
  limitOfAll = process != 0 ? process : SIZE_MAX;
}
std::size_t SpillGroup::tapeBudget() noexcept { return limitOfEach; }
std::size_t SpillGroup::processBudget() noexcept { return limitOfAll; }
std::size_t SpillGroup::processResident() noexcept { return residentOfAll; }

std::string SpillGroup::directory() {
  const auto chosen = settings();
  if (chosen->tapeDirectory.origin != SettingOrigin::Default)
    return chosen->tapeDirectory.value.string();
  const char *const temporary = std::getenv("TMPDIR");
  return temporary != nullptr && *temporary != '\0' ? temporary : "/var/tmp";
}

void SpillGroup::failWrites(std::size_t after, int error) noexcept {
  failTransfers(Transfer::write, after, error);
}
void SpillGroup::failReads(std::size_t after, int error) noexcept {
  failTransfers(Transfer::read, after, error);
}
void SpillGroup::firstOffset(std::uint64_t bytes) noexcept { firstFileOffset(bytes); }

std::size_t SpillGroup::blockBytes() const noexcept {
  // Four streams, each with a block that is worked on, some that are written, one that is read.
  constexpr std::size_t blocks = 32, smallest = std::size_t{1} << 12;
  return std::clamp(std::min(budget_, processBudget()) / blocks, smallest, BlockPool::kLargest);
}

void SpillGroup::replace(const BlockList *from, BlockList *to) noexcept {
  std::replace(lists_.begin(), lists_.end(), const_cast<BlockList *>(from), to);
}
void SpillGroup::remove(const BlockList *list) noexcept {
  std::erase(lists_, const_cast<BlockList *>(list));
}

void SpillGroup::hold(std::ptrdiff_t bytes) noexcept {
  resident_ += static_cast<std::size_t>(bytes);
  residentOfAll += static_cast<std::size_t>(bytes);
}
bool SpillGroup::exceeds(std::size_t more) const noexcept {
  const std::size_t all = residentOfAll, limit = limitOfAll;
  return more > budget_ || resident_ > budget_ - more || more > limit || all > limit - more;
}

/// What is forgotten leaves first, then what lies behind a sweep, then what is farthest; of blocks
/// that are equal otherwise, one that is on disk already.
SpillGroup::Victim SpillGroup::victim(bool atOnce) const noexcept {
  Victim best;
  std::tuple<bool, bool, bool, std::size_t> bestRank{};
  for (BlockList *const list : lists_)
    for (std::size_t i = 0; i < list->blocks_.size(); ++i) {
      const BlockList::Block &b = list->blocks_[i];
      if (b.data == nullptr || b.pins != 0 || i == list->current_ || isRead(b.disk))
        continue;
      const bool forgotten = !list->hasContent(i), isClean = clean(b.disk);
      if (atOnce && !isClean && !(forgotten && idle(b.disk)))
        continue;
      const bool behind = list->direction_ > 0 ? i < list->cursor_ : i > list->cursor_;
      const std::size_t distance = i < list->cursor_ ? list->cursor_ - i : i - list->cursor_;
      const std::tuple rank{forgotten, behind, isClean, distance};
      if (best.list == nullptr || rank > bestRank) {
        best = {list, i};
        bestRank = rank;
      }
    }
  return best;
}

void SpillGroup::makeRoom(std::size_t bytes) {
  while (exceeds(bytes)) {
    const Victim v = victim(false);
    if (v.list == nullptr)
      return;
    BlockList::Block &block = v.list->blocks_[v.block];
    if (v.list->hasContent(v.block)) {
      if (!onDisk(block.disk))
        beginWrite(*v.list, v.block);
      finishWrite(*v.list, v.block);
    } else if (block.disk != nullptr) {
      finishTransfer(*block.disk);
    }
    v.list->takeMemory(block);
  }
}

bool SpillGroup::makeRoomAtOnce(std::size_t bytes) noexcept {
  while (exceeds(bytes)) {
    const Victim v = victim(true);
    // Room for the block that comes next is not made at the cost of nearer ones.
    if (v.list == nullptr)
      return false;
    v.list->takeMemory(v.list->blocks_[v.block]);
  }
  return true;
}

void SpillGroup::writeBehind(BlockList &list) {
  if (!exceeds(std::min(budget_, processBudget()) / 4))
    return;
  for (; list.firstDirty_ < list.current_; ++list.firstDirty_) {
    const BlockList::Block &block = list.blocks_[list.firstDirty_];
    if (block.data != nullptr && !onDisk(block.disk) && idle(block.disk))
      beginWrite(list, list.firstDirty_);
  }
}

void SpillGroup::beginWrite(BlockList &list, std::size_t index) {
  BlockList::Block &block = list.blocks_[index];
  if (block.disk == nullptr)
    block.disk = new DiskCopy;
  DiskCopy &disk = *block.disk;
  // What was written before a fork belongs to the other process as well.
  if (disk.file == nullptr || disk.file->forks != forkCount()) {
    if (file_ == nullptr || file_->forks != forkCount()) {
      const std::string place = directory();
      try {
        file_ = std::make_shared<SpillFile>(place);
      } catch (const std::system_error &error) {
        failed(ErrorType::CANNOT_OPEN_FILE, "making a file for", place, error.code().value());
      }
    }
    disk.file = file_;
    disk.checksum.reset();
    disk.offset = file_->end;
    file_->end += block.bytes;
  }
  beginTransfer(disk, Transfer::write, block.data, block.used);
  disk.valid = true; // unless it fails, see finishWrite
  written_ += block.used;
}

void SpillGroup::beginRead(BlockList &list, std::size_t index) {
  BlockList::Block &block = list.blocks_[index];
  list.giveMemory(block);
  try {
    beginTransfer(*block.disk, Transfer::read, block.data, block.used);
  } catch (...) {
    list.takeMemory(block);
    throw;
  }
  read_ += block.used;
}

/// Reads a block, which has memory.
void SpillGroup::readBlock(BlockList &list, std::size_t index) {
  BlockList::Block &block = list.blocks_[index];
  readNow(*block.disk, block.data, block.used);
  read_ += block.used;
  if (const int error = std::exchange(block.disk->error, 0); error != 0) {
    list.takeMemory(block);
    failed(list.readError_, "reading back", block.disk->file->place, error);
  }
}

/// Waits until a block is on disk; throws if writing it has failed.
void SpillGroup::finishWrite(BlockList &list, std::size_t index) {
  BlockList::Block &block = list.blocks_[index];
  finishTransfer(*block.disk);
  const int error = std::exchange(block.disk->error, 0);
  if (error == 0 || block.disk->latest == Transfer::read) // it is on disk, whatever reading gave
    return;
  block.disk->valid = false;
  list.firstDirty_ = std::min(list.firstDirty_, index);
  failed(ErrorType::TAPING_FATAL_IO_ERROR, "writing", block.disk->file->place, error);
}

void SpillGroup::failed(ErrorType type, const char *what, const std::string &place,
                        int error) const {
  throw ADOLCError::ADOLCError(
      std::string(what) + " blocks of tape " + std::to_string(tapeId_) + " in " + place +
          " failed: " + (error == EBADMSG ? "damaged" : std::strerror(error)),
      CURRENT_LOCATION, type, tapeId_);
}

} // namespace ADOLC::detail
