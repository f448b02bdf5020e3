#include "storage/file.h"
#include "storage/format.h"
#include "storage/iothread.h"
#include "storage/savedtape.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <unistd.h>

using ADOLCError::ErrorType;

namespace ADOLC::detail {
namespace {

constexpr ErrorType kDamaged = ErrorType::INTEGER_TAPE_FREAD_FAILED; // header or tables

std::string hexadecimal(std::uint64_t number) {
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}
std::string byteOrder(bool little) { return little ? "little-endian" : "big-endian"; }
std::string version(const std::array<std::uint32_t, 3> &v) {
  return std::to_string(v[0]) + "." + std::to_string(v[1]) + "." + std::to_string(v[2]);
}

class Reader {
public:
  explicit Reader(const FileErrors &errors)
      : errors_(errors), file_(openForReading(errors, fileBytes_)) {}

  SavedTape read() {
    readHeader();
    readTables();
    readBlocks();
    checkContent();
    return std::move(tape_);
  }

private:
  // ── header ──────────────────────────────────────────────────────────────────────────────────

  void readHeader() {
    std::vector<unsigned char> bytes(headerBytes());
    bytes.resize(readAt(file_, bytes.data(), bytes.size(), 0, kDamaged, errors_));
    const std::size_t compared = std::min(bytes.size(), kMagic.size());
    if (bytes.empty() ||
        !std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(compared),
                    kMagic.begin(),
                    [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }))
      errors_.fail(kDamaged, bytes.empty() ? "is empty, not a saved tape" : "is not a saved tape");
    if (bytes.size() < headerBytes())
      truncated("its header has " + std::to_string(headerBytes()));
    header_ = decode(bytes);
    checkMachine();
    if (!checksumFits(bytes) || header_.headerBytes != headerBytes())
      errors_.fail(kDamaged, "the header is damaged");
    checkWidths();
    checkOpTable();
    if (fileBytes_ < header_.fileBytes)
      truncated(std::to_string(header_.fileBytes) + " were written");
    if (fileBytes_ > header_.fileBytes)
      errors_.fail(kDamaged, "has " + std::to_string(fileBytes_) + " bytes, " +
                                 std::to_string(header_.fileBytes) + " were written");
    requireZeros(headerBytes(), alignedUp(headerBytes()), kDamaged, "behind the header");
  }

  [[noreturn]] void truncated(const std::string &expected) const {
    errors_.fail(kDamaged,
                 "is truncated: it has " + std::to_string(fileBytes_) + " bytes, " + expected);
  }

  /// What makes a file of another machine or version, whose header may have another form. Only
  /// values that there can be; anything else is damage.
  void checkMachine() const {
    constexpr std::uint32_t foreign =
        kByteOrderMark == kLittleEndianMark ? kBigEndianMark : kLittleEndianMark;
    if (header_.byteOrder == foreign)
      errors_.fail(ErrorType::WRONG_ENDIANNESS,
                   "was written on a " + byteOrder(foreign == kLittleEndianMark) +
                       " machine, this one is " + byteOrder(foreign != kLittleEndianMark));
    if (header_.byteOrder != kByteOrderMark)
      errors_.fail(kDamaged, "the header is damaged");
    if (header_.version != kFormatVersion)
      errors_.fail(
          header_.version < kFormatVersion ? ErrorType::TAPE_TO_OLD : ErrorType::TAPE_TOO_NEW,
          "has version " + std::to_string(header_.version) +
              " of the format, this library reads version " + std::to_string(kFormatVersion));
    if (header_.wordBytes != sizeof(std::size_t) &&
        (header_.wordBytes == 4 || header_.wordBytes == 8))
      errors_.fail(header_.wordBytes == 4 ? ErrorType::WRONG_PLATFORM_32
                                          : ErrorType::WRONG_PLATFORM_64,
                   "was written on a platform with words of " + std::to_string(header_.wordBytes) +
                       " bytes, here they have " + std::to_string(sizeof(std::size_t)));
  }

  void checkWidths() const {
    const Header mine;
    if (header_.wordBytes != mine.wordBytes)
      errors_.fail(kDamaged, "words of " + std::to_string(header_.wordBytes) + " bytes, expected " +
                                 std::to_string(mine.wordBytes));
    const auto check = [this](const char *what, std::uint32_t found, std::uint32_t expected) {
      if (found != expected)
        errors_.fail(ErrorType::WRONG_LOCINT_SIZE, std::string(what) + " have " +
                                                       std::to_string(found) + " bytes, expected " +
                                                       std::to_string(expected));
    };
    check("operation codes", header_.opBytes, mine.opBytes);
    check("short locations", header_.narrowLocBytes, mine.narrowLocBytes);
    check("long locations", header_.wideLocBytes, mine.wideLocBytes);
    check("constants", header_.valBytes, mine.valBytes);
  }

  /// The table is only ever continued: one that is shorter is its beginning.
  void checkOpTable() const {
    if (header_.numOpcodes <= kNumOpcodes && header_.opTableHash == opTableHash(header_.numOpcodes))
      return;
    const Header mine;
    errors_.fail(ErrorType::WRONG_OPERATION_TABLE,
                 "was written by version " + version(header_.library) + " with a table of " +
                     std::to_string(header_.numOpcodes) + " operations, hash " +
                     hexadecimal(header_.opTableHash) + "; this is version " +
                     version(mine.library) + " with " + std::to_string(kNumOpcodes) + ", hash " +
                     hexadecimal(opTableHash(kNumOpcodes)));
  }

  // ── tables ──────────────────────────────────────────────────────────────────────────────────

  void readTables() {
    const Header &h = header_;
    if (h.tablesOffset > h.fileBytes || h.fileBytes - h.tablesOffset != h.tablesBytes)
      errors_.fail(kDamaged, "its tables are not at its end");
    // Sizes first: nothing is allocated that the file does not have.
    std::uint64_t left = h.tablesBytes;
    const auto take = [&left](std::uint64_t count, std::uint64_t bytes) {
      const bool fits = count <= left / bytes;
      left -= fits ? count * bytes : 0;
      return fits;
    };
    if (!take(h.numBlocks, fieldBytes<BlockRow>()) || !take(h.numSegments, kSegmentRowBytes) ||
        !take(h.numFinals, sizeof(LocCell)) || !take(h.numParamValues, sizeof(double)) ||
        !take(h.numParameters, sizeof(std::uint64_t)) || !take(h.numStats, sizeof(std::uint64_t)) ||
        left != 0)
      errors_.fail(kDamaged, "its tables have another size than their entries");
    std::vector<unsigned char> bytes(static_cast<std::size_t>(h.tablesBytes));
    if (readAt(file_, bytes.data(), bytes.size(), h.tablesOffset, kDamaged, errors_) !=
            bytes.size() ||
        checksum(bytes.data(), bytes.size()) != h.tablesChecksum)
      errors_.fail(kDamaged, "the tables are damaged");
    decodeTables(ByteReader(bytes));
  }

  void decodeTables(ByteReader reader) {
    const auto get = [&reader](auto &field) { reader.get(field); };
    const auto getAll = [&get](auto &numbers, std::uint64_t count) {
      numbers.resize(static_cast<std::size_t>(count));
      for (auto &number : numbers) {
        std::uint64_t field = 0;
        get(field);
        number = std::bit_cast<std::remove_reference_t<decltype(number)>>(field);
      }
    };
    TapeRecordingContext &r = tape_.recording;
    rows_.resize(static_cast<std::size_t>(header_.numBlocks));
    for (BlockRow &row : rows_)
      BlockRow::forEachField(row, get);
    r.segments.resize(static_cast<std::size_t>(header_.numSegments));
    for (Segment &s : r.segments) {
      std::uint32_t wide = 0;
      forEachField(s, wide, get);
      if (wide > 1)
        errors_.fail(kDamaged, "a segment has locations of kind " + std::to_string(wide));
      s.wide = wide != 0;
    }
    r.finals.resize(static_cast<std::size_t>(header_.numFinals));
    std::for_each(r.finals.begin(), r.finals.end(), get);
    getAll(r.paramstore, header_.numParamValues);
    getAll(r.parameters, header_.numParameters);
    getAll(statistics_, header_.numStats);
    r.numInds = static_cast<std::size_t>(header_.numInds);
    r.numDeps = static_cast<std::size_t>(header_.numDeps);
    r.numSwitches = static_cast<std::size_t>(header_.numSwitches);
    r.num_eq_prod = static_cast<std::size_t>(header_.numEqProd);
    r.numLocations = static_cast<std::size_t>(header_.numLocations);
    r.storeCapacity = static_cast<std::size_t>(header_.storeCapacity);
    if (header_.minMaxAsAbs > 1)
      errors_.fail(kDamaged,
                   "the flag of minimum and maximum is " + std::to_string(header_.minMaxAsAbs));
    r.minMaxAsAbs = header_.minMaxAsAbs != 0;
    std::copy(header_.bufferSizes.begin(), header_.bufferSizes.end(), tape_.bufferSizes.begin());
  }

  // ── blocks ──────────────────────────────────────────────────────────────────────────────────

  /// With a budget, blocks stay in the file until they are needed.
  void keepToBudget() {
    const std::size_t budget = SpillGroup::tapeBudget();
    if (budget == SIZE_MAX && SpillGroup::processBudget() == SIZE_MAX)
      return;
    const int descriptor = ::fcntl(file_.number(), F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
      errors_.fail(ErrorType::INTEGER_TAPE_FOPEN_FAILED, "cannot be opened a second time", errno);
    try {
      place_ = std::make_shared<SpillFile>(descriptor, errors_.file().string());
    } catch (...) {
      ::close(descriptor);
      throw;
    }
    tape_.group = std::make_unique<SpillGroup>(-1);
    tape_.group->budget(budget);
    tape_.recording.attach(tape_.group.get());
  }

  void readBlocks() {
    keepToBudget();
    std::uint64_t end = alignedUp(headerBytes());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const BlockRow &row = rows_[i];
      const std::string name = "block " + std::to_string(i);
      if (row.stream >= kNumStreams)
        errors_.fail(kDamaged, name + " belongs to stream " + std::to_string(row.stream));
      const auto stream = static_cast<std::size_t>(row.stream);
      if (row.offset != end || row.offset > header_.tablesOffset ||
          row.bytes > header_.tablesOffset - row.offset || row.bytes % kElementBytes[stream] != 0)
        errors_.fail(kStreamErrors[stream], name + " (" + std::string(kStreamNames[stream]) +
                                                ") stands in another place or has another size "
                                                "than is possible");
      end = alignedUp(row.offset + row.bytes);
      readBlock(row, stream, name, std::min(end, header_.tablesOffset));
    }
    if (end != header_.tablesOffset)
      errors_.fail(kDamaged, "there is something between its blocks and its tables");
  }

  void readBlock(const BlockRow &row, std::size_t stream, const std::string &name,
                 std::uint64_t end) {
    const auto bytes = static_cast<std::size_t>(row.bytes);
    const std::size_t count = bytes / kElementBytes[stream];
    TapeRecordingContext &r = tape_.recording;
    const auto append = [&](auto &chain) -> void * {
      if (place_ == nullptr)
        return chain.append(count);
      chain.append(count, {place_, row.offset, row.checksum});
      buffer_.resize(bytes);
      return buffer_.data();
    };
    void *const data = stream == 0 ? append(r.ops) : stream == 1 ? append(r.locs) : append(r.vals);
    sizes_[stream].push_back(count);
    const ErrorType type = kStreamErrors[stream];
    if (readAt(file_, data, bytes, row.offset, type, errors_) != bytes ||
        checksum(data, bytes) != row.checksum)
      errors_.fail(type, name + " is damaged: " + std::to_string(bytes) + " bytes of " +
                             std::string(kStreamNames[stream]) + " at byte " +
                             std::to_string(row.offset));
    requireZeros(row.offset + row.bytes, end, type, "behind " + name);
  }

  /// What fills a place up. Fewer than kFileAlignment bytes.
  void requireZeros(std::uint64_t from, std::uint64_t to, ErrorType type,
                    const std::string &where) const {
    std::array<unsigned char, kFileAlignment> bytes;
    const auto count = static_cast<std::size_t>(to - from);
    if (readAt(file_, bytes.data(), count, from, type, errors_) != count ||
        std::any_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count),
                    [](unsigned char byte) { return byte != 0; }))
      errors_.fail(type, "damaged " + where + ": expected zeros");
  }

  // ── content ─────────────────────────────────────────────────────────────────────────────────

  void checkContent() const {
    try {
      verify(tape_.recording, sizes_);
    } catch (const Fault &fault) {
      errors_.fail(fault.type, fault.text);
    }
    const TapeInfos::StatArray expected = statistics(tape_.recording, tape_.bufferSizes);
    // A later version may have more of them.
    if (statistics_.size() < expected.size() ||
        !std::equal(expected.begin(), expected.end(), statistics_.begin()))
      errors_.fail(kDamaged, "its statistics are not those of its recording");
  }

  const FileErrors &errors_;
  std::uint64_t fileBytes_ = 0;
  Descriptor file_;
  std::shared_ptr<SpillFile> place_;  // the file, if blocks stay there
  std::vector<unsigned char> buffer_; // for checking them
  Header header_;
  std::vector<BlockRow> rows_;
  std::vector<std::size_t> statistics_;
  ChainSizes sizes_;
  SavedTape tape_;
};

} // namespace

SavedTape readTape(const FileErrors &errors) { return Reader(errors).read(); }

} // namespace ADOLC::detail
