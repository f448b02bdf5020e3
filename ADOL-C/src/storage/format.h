/// @file storage/format.h
/// The format of saved tapes, see doc/tape-format.md: what the header holds, in which order, and
/// how fields become bytes. All fields are little-endian; blocks are what they are in memory.
#pragma once

#include <adolc/adolcerror.h>
#include <adolc/oplate.h>
#include <adolc/valuetape/tapeinfos.h>
#include <adolc/valuetape/taperecordingcontext.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace ADOLC::detail {

/// The first bytes of a file. They show a transfer as text, which would change them.
inline constexpr std::string_view kMagic{"\x89"
                                         "ADOLC\r\n"};
inline constexpr std::uint32_t kFormatVersion = 1;
/// Blocks and tables begin at multiples of this.
inline constexpr std::uint64_t kFileAlignment = 4096;
/// A segment has no more operations, so that what a sweep saves of it has a position of 32 bits.
inline constexpr std::uint32_t kMaxSegmentOps = 0xffff;

/// The byte order of the blocks: a number that tells it, in whatever order it is read.
inline constexpr std::uint32_t kLittleEndianMark = 0x01020304, kBigEndianMark = 0x04030201;
inline constexpr std::uint32_t kByteOrderMark =
    std::endian::native == std::endian::little ? kLittleEndianMark : kBigEndianMark;

constexpr std::uint64_t alignedUp(std::uint64_t bytes) {
  return (bytes + kFileAlignment - 1) / kFileAlignment * kFileAlignment;
}

/// The streams, in the numbering of the block table.
enum class Stream : std::uint64_t { operations, locations, constants };
inline constexpr std::size_t kNumStreams = 3;
inline constexpr std::array<std::string_view, kNumStreams> kStreamNames{"operations", "locations",
                                                                        "constants"};
/// What is thrown where one cannot be read.
inline constexpr std::array<ADOLCError::ErrorType, kNumStreams> kStreamErrors{
    ADOLCError::ErrorType::EVAL_OP_TAPE_READ_FAILED,
    ADOLCError::ErrorType::EVAL_LOC_TAPE_READ_FAILED,
    ADOLCError::ErrorType::EVAL_VAL_TAPE_READ_FAILED};
/// Bytes of a stream's elements.
inline constexpr std::array<std::size_t, kNumStreams> kElementBytes{
    sizeof(OpCell), sizeof(NarrowLoc), sizeof(double)};

struct Header {
  std::uint32_t byteOrder = kByteOrderMark;
  std::uint32_t version = kFormatVersion;
  std::uint32_t headerBytes = 0; ///< checksum included
  std::uint32_t wordBytes = sizeof(std::size_t);
  std::uint32_t opBytes = sizeof(OpCell);
  std::uint32_t narrowLocBytes = sizeof(NarrowLoc);
  std::uint32_t wideLocBytes = sizeof(WideLoc);
  std::uint32_t valBytes = sizeof(double);
  std::array<std::uint32_t, 3> library{ADOLC_VERSION, ADOLC_SUBVERSION, ADOLC_PATCHLEVEL};
  std::uint32_t numOpcodes = kNumOpcodes;
  std::uint64_t opTableHash = 0;
  std::uint64_t fileBytes = 0;
  std::uint64_t tablesOffset = 0;
  std::uint64_t tablesBytes = 0;
  std::uint64_t tablesChecksum = 0;
  std::uint64_t numBlocks = 0;
  std::uint64_t numSegments = 0;
  std::uint64_t numFinals = 0;
  std::uint64_t numParamValues = 0;
  std::uint64_t numParameters = 0;
  std::uint64_t numStats = 0;
  std::uint64_t numInds = 0;
  std::uint64_t numDeps = 0;
  std::uint64_t numSwitches = 0;
  std::uint64_t numEqProd = 0;
  std::uint64_t numLocations = 0;
  std::uint64_t storeCapacity = 0;
  std::uint64_t minMaxAsAbs = 0;
  std::array<std::uint64_t, 4> bufferSizes{};

  /// Calls f with every field, in the order of the file.
  template <class Self, class F> static void forEachField(Self &h, F &&f) {
    f(h.byteOrder), f(h.version), f(h.headerBytes), f(h.wordBytes);
    f(h.opBytes), f(h.narrowLocBytes), f(h.wideLocBytes), f(h.valBytes);
    for (auto &part : h.library)
      f(part);
    f(h.numOpcodes), f(h.opTableHash);
    f(h.fileBytes), f(h.tablesOffset), f(h.tablesBytes), f(h.tablesChecksum);
    f(h.numBlocks), f(h.numSegments), f(h.numFinals);
    f(h.numParamValues), f(h.numParameters), f(h.numStats);
    f(h.numInds), f(h.numDeps), f(h.numSwitches), f(h.numEqProd);
    f(h.numLocations), f(h.storeCapacity), f(h.minMaxAsAbs);
    for (auto &size : h.bufferSizes)
      f(size);
  }
};

/// A row of the block table. Rows stand in the order of the file; those of one stream also in the
/// order of its chain.
struct BlockRow {
  std::uint64_t stream = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0; ///< committed
  std::uint64_t checksum = 0;

  template <class Self, class F> static void forEachField(Self &row, F &&f) {
    f(row.stream), f(row.offset), f(row.bytes), f(row.checksum);
  }
};

/// The fields of a segment in the order of the file; `wide` is a number there.
template <class Self, class F> void forEachField(Self &s, std::uint32_t &wide, F &&f) {
  f(s.op.block), f(s.op.offset), f(s.loc.block), f(s.loc.offset), f(s.val.block), f(s.val.offset);
  f(s.numOps), f(s.numLocs), f(s.numVals), f(s.numTays), f(s.base), f(wide);
}

/// Appends fields as little-endian bytes.
class ByteWriter {
public:
  template <class T> void put(T number) {
    static_assert(std::is_unsigned_v<T>);
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<unsigned char>(number >> 8 * i));
  }
  void put(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  const std::vector<unsigned char> &bytes() const { return bytes_; }

private:
  std::vector<unsigned char> bytes_;
};

/// Takes them back. Precondition of get: there are enough left.
class ByteReader {
public:
  explicit ByteReader(std::span<const unsigned char> bytes) : bytes_(bytes) {}
  template <class T> void get(T &number) {
    static_assert(std::is_unsigned_v<T>);
    number = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      number = static_cast<T>(number | static_cast<T>(T{bytes_[i]} << 8 * i));
    bytes_ = bytes_.subspan(sizeof(T));
  }

private:
  std::span<const unsigned char> bytes_;
};

/// Bytes of what has fields.
template <class T> std::size_t fieldBytes() {
  T t;
  std::size_t bytes = 0;
  T::forEachField(t, [&bytes](const auto &field) { bytes += sizeof field; });
  return bytes;
}
inline constexpr std::size_t kSegmentRowBytes = 12 * sizeof(std::uint32_t);

/// Magic, fields, checksum.
inline std::size_t headerBytes() {
  return kMagic.size() + fieldBytes<Header>() + sizeof(std::uint64_t);
}
/// The header as it stands in the file, with headerBytes and checksum set.
std::vector<unsigned char> encode(Header header);
/// Its fields, whatever they are. Precondition: headerBytes() bytes.
Header decode(std::span<const unsigned char> bytes);
/// Whether the checksum at the end is that of the bytes before it.
bool checksumFits(std::span<const unsigned char> header);

/// XXH3 of 64 bits.
std::uint64_t checksum(const void *data, std::size_t bytes);
/// The hash of names and layouts of the first `numOpcodes` rows of the operation table.
std::uint64_t opTableHash(std::size_t numOpcodes);

} // namespace ADOLC::detail
