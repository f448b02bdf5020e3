#include "storage/iothread.h"

#include "storage/format.h"
#include "tape/forklocks.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace ADOLC::detail {
namespace {

std::atomic<std::uint64_t> forks{0};
std::atomic<std::uint64_t> startOfFiles{0};

/// Test hook: transfers of a kind that still succeed, and how those behind them fail.
struct Faults {
  std::atomic<std::size_t> remaining{0};
  std::atomic<int> error{0};

  int next() noexcept {
    if (error.load(std::memory_order_relaxed) == 0)
      return 0;
    std::size_t left = remaining.load();
    while (left != 0)
      if (remaining.compare_exchange_weak(left, left - 1))
        return 0;
    return error.load();
  }
};
Faults writeFaults, readFaults;

/// The whole block, at its place; errno.
int transferAll(const DiskCopy &copy, bool write) noexcept {
  if (const int error = (write ? writeFaults : readFaults).next(); error != 0)
    return error;
  std::byte *data = copy.data;
  std::size_t remaining = copy.bytes;
  auto offset = static_cast<off_t>(copy.offset);
  while (remaining != 0) {
    // The system does not transfer more than 2 GiB at once.
    const std::size_t part = std::min(remaining, std::size_t{1} << 30);
    const ssize_t done = write ? ::pwrite(copy.file->descriptor, data, part, offset)
                               : ::pread(copy.file->descriptor, data, part, offset);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return errno;
    if (done == 0)
      return EIO; // the file is shorter than it was
    data += done;
    offset += done;
    remaining -= static_cast<std::size_t>(done);
  }
  if (!write && copy.checksum && checksum(copy.data, copy.bytes) != *copy.checksum)
    return EBADMSG;
  return 0;
}

class IoThread {
public:
  // Never destroyed: the thread outlives every static object.
  static IoThread &instance() {
    static IoThread *const thread = new IoThread;
    return *thread;
  }

  void begin(DiskCopy &copy) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return !forking_; });
    if (!running_ && !start()) { // no thread to be had: at once
      lock.unlock();
      complete(copy);
      return;
    }
    queue_.push_back(&copy);
    wake_.notify_one();
  }
  void wait(DiskCopy &copy) noexcept {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&copy] { return copy.transfer.load() == Transfer::none; });
  }

private:
  IoThread() { duringFork(ForkOrder::io, {prepareFork, inParent, inChild}); }

  bool start() noexcept {
    // Signals of the program are not for this thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([this] { run(); }).detach();
      running_ = true;
    } catch (const std::exception &) {
      // stays false
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return running_;
  }
  static void complete(DiskCopy &copy) noexcept {
    copy.error = transferAll(copy, copy.transfer.load() == Transfer::write);
    copy.transfer.store(Transfer::none);
  }
  void run() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return !queue_.empty(); });
      DiskCopy &copy = *queue_.front();
      lock.unlock();
      copy.error = transferAll(copy, copy.transfer.load() == Transfer::write);
      lock.lock();
      queue_.pop_front();
      copy.transfer.store(Transfer::none); // from here on the copy may be gone
      done_.notify_all();
    }
  }

  // A child has no such thread. Nothing is under way when it begins, and it gets its own.
  static void prepareFork() {
    IoThread &io = instance();
    std::unique_lock lock(io.mutex_);
    io.forking_ = true; // nobody begins another one
    io.done_.wait(lock, [&io] { return io.queue_.empty(); });
    lock.release();
  }
  static void inParent() {
    forks.fetch_add(1);
    IoThread &io = instance();
    io.forking_ = false;
    io.done_.notify_all();
    io.mutex_.unlock();
  }
  static void inChild() {
    forks.fetch_add(1);
    IoThread &io = instance();
    io.running_ = io.forking_ = false;
    new (&io.wake_) std::condition_variable; // nobody waits here
    new (&io.done_) std::condition_variable;
    io.mutex_.unlock();
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<DiskCopy *> queue_; // the first one is being worked on
  bool running_ = false;
  bool forking_ = false;
};
[[maybe_unused]] const IoThread &atLoad = IoThread::instance(); // see duringFork

} // namespace

std::uint64_t forkCount() noexcept { return forks.load(); }

SpillFile::SpillFile(const std::string &directory)
    : place(directory), end(startOfFiles.load()), forks(forkCount()) {
#if defined(O_TMPFILE)
  descriptor = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
  if (descriptor < 0) { // this file system has no files without a name
    std::string name = directory + "/adolc-XXXXXX";
    descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
      throw std::system_error(errno, std::generic_category(), directory);
    ::unlink(name.c_str());
  }
}
SpillFile::SpillFile(int openDescriptor, std::string name)
    : place(std::move(name)), descriptor(openDescriptor), forks(UINT64_MAX) {
} // never that of a file to be written
SpillFile::~SpillFile() { ::close(descriptor); }

void beginTransfer(DiskCopy &copy, Transfer transfer, std::byte *data, std::size_t bytes) {
  copy.latest = transfer;
  copy.data = data;
  copy.bytes = bytes;
  copy.error = 0;
  copy.transfer.store(transfer);
  try {
    IoThread::instance().begin(copy);
  } catch (...) { // no memory for the request
    copy.transfer.store(Transfer::none);
    throw;
  }
}
void readNow(DiskCopy &copy, std::byte *data, std::size_t bytes) noexcept {
  copy.latest = Transfer::read;
  copy.data = data;
  copy.bytes = bytes;
  copy.error = transferAll(copy, false);
}
void finishTransfer(DiskCopy &copy) noexcept {
  if (copy.transfer.load() != Transfer::none)
    IoThread::instance().wait(copy);
}

void failTransfers(Transfer kind, std::size_t after, int error) noexcept {
  Faults &faults = kind == Transfer::write ? writeFaults : readFaults;
  faults.remaining = after;
  faults.error = error;
}
void firstFileOffset(std::uint64_t bytes) noexcept { startOfFiles = bytes; }

} // namespace ADOLC::detail
