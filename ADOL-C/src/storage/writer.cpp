#include "storage/file.h"
#include "storage/format.h"
#include "storage/savedtape.h"

#include <string>
#include <system_error>

using ADOLCError::ErrorType;

namespace ADOLC::detail {
namespace {

/// Unpins at the end of a scope.
template <class T> struct PinnedBlock {
  const BlockChain<T> &chain;
  StreamPosition at;
  const T *data; // nullptr: not pinned
  ~PinnedBlock() {
    if (data != nullptr)
      chain.unpin(at);
  }
};

/// Lays a recording out in a file: where its blocks stand follows from their sizes.
class Writer {
public:
  Writer(const TapeRecordingContext &recording, const BufferSizes &bufferSizes)
      : recording_(recording), bufferSizes_(bufferSizes) {}

  void write(NewFile &file) {
    std::uint64_t offset = alignedUp(headerBytes());
    const ChainSizes sizes = usedElements(recording_);
    writeChain(file, Stream::operations, recording_.ops, sizes[0], offset);
    writeChain(file, Stream::locations, recording_.locs, sizes[1], offset);
    writeChain(file, Stream::constants, recording_.vals, sizes[2], offset);
    const ByteWriter tables = writeTables(file, offset);
    // Last: until then the file is none.
    const auto header = encode(makeHeader(tables, offset));
    file.writeAt(header.data(), header.size(), 0);
  }

private:
  template <class T>
  void writeChain(NewFile &file, Stream stream, const BlockChain<T> &chain,
                  const std::vector<std::size_t> &sizes, std::uint64_t &offset) {
    for (std::size_t block = 0; block < sizes.size(); ++block) {
      const StreamPosition at{static_cast<std::uint32_t>(block), 0};
      const std::size_t bytes = sizes[block] * sizeof(T);
      const PinnedBlock<T> pinned{chain, at, bytes != 0 ? chain.pin(at) : nullptr};
      rows_.push_back(
          {static_cast<std::uint64_t>(stream), offset, bytes, checksum(pinned.data, bytes)});
      file.writeAt(pinned.data, bytes, offset);
      offset = alignedUp(offset + bytes); // in between are zeros that nobody writes
    }
  }

  ByteWriter writeTables(NewFile &file, std::uint64_t offset) const {
    ByteWriter tables;
    const auto put = [&tables](auto field) { tables.put(field); };
    for (const BlockRow &row : rows_)
      BlockRow::forEachField(row, put);
    for (const Segment &s : recording_.segments) {
      std::uint32_t wide = s.wide ? 1 : 0;
      forEachField(s, wide, put);
    }
    for (const LocCell loc : recording_.finals)
      put(loc);
    for (const double value : recording_.paramstore)
      put(std::bit_cast<std::uint64_t>(value));
    for (const std::size_t index : recording_.parameters)
      put(std::uint64_t{index});
    for (const std::size_t entry : statistics(recording_, bufferSizes_))
      put(std::uint64_t{entry});
    file.writeAt(tables.bytes().data(), tables.bytes().size(), offset);
    return tables;
  }

  Header makeHeader(const ByteWriter &tables, std::uint64_t offset) const {
    Header h;
    h.opTableHash = opTableHash(kNumOpcodes);
    h.tablesOffset = offset;
    h.tablesBytes = tables.bytes().size();
    h.fileBytes = h.tablesOffset + h.tablesBytes;
    h.tablesChecksum = checksum(tables.bytes().data(), tables.bytes().size());
    h.numBlocks = rows_.size();
    h.numSegments = recording_.segments.size();
    h.numFinals = recording_.finals.size();
    h.numParamValues = recording_.paramstore.size();
    h.numParameters = recording_.parameters.size();
    h.numStats = TapeInfos::STAT_SIZE;
    h.numInds = recording_.numInds;
    h.numDeps = recording_.numDeps;
    h.numSwitches = recording_.numSwitches;
    h.numEqProd = recording_.num_eq_prod;
    h.numLocations = recording_.numLocations;
    h.storeCapacity = recording_.storeCapacity;
    h.minMaxAsAbs = recording_.minMaxAsAbs ? 1 : 0;
    for (std::size_t i = 0; i < bufferSizes_.size(); ++i)
      h.bufferSizes[i] = bufferSizes_[i];
    return h;
  }

  const TapeRecordingContext &recording_;
  const BufferSizes &bufferSizes_;
  std::vector<BlockRow> rows_;
};

} // namespace

void writeTape(const TapeRecordingContext &recording, const BufferSizes &bufferSizes, bool durable,
               const FileErrors &errors) {
  errors.requireName(ErrorType::TAPING_FATAL_IO_ERROR);
  // Renaming would replace a device by a file.
  std::error_code ignored;
  const auto status = std::filesystem::status(errors.file(), ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    errors.fail(ErrorType::TAPING_FATAL_IO_ERROR,
                std::filesystem::is_directory(status) ? "is a directory" : "is not a regular file");
  NewFile file(errors, durable);
  Writer(recording, bufferSizes).write(file);
  file.publish();
}

} // namespace ADOLC::detail
