/// @file storage/savedtape.h
/// Writing recordings to files, and reading them back.
#pragma once

#include "storage/fileerrors.h"

#include <adolc/valuetape/valuetape.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace ADOLC::detail {

struct SavedTape {
  /// If budgets are configured: the blocks are read from the file as they are needed.
  std::unique_ptr<SpillGroup> group;
  TapeRecordingContext recording; ///< without Taylor stack
  BufferSizes bufferSizes{};
};

/// Writes a recording under the name of `errors`; a durable file survives a crash of the machine.
/// Throws TAPING_FATAL_IO_ERROR, std::bad_alloc.
void writeTape(const TapeRecordingContext &recording, const BufferSizes &bufferSizes, bool durable,
               const FileErrors &errors);

/// Reads and checks the file of `errors`. Throws the errors of openTape, std::bad_alloc.
SavedTape readTape(const FileErrors &errors);

/// Registers a new tape with this content and returns its id.
short addTape(SavedTape &&content);

/// A fault of a recording.
struct Fault {
  ADOLCError::ErrorType type;
  std::string text;
};
/// Elements of every block of a chain, by stream.
using ChainSizes = std::array<std::vector<std::size_t>, 3>;
/// The elements that the segments of a recording use. Precondition: there are blocks for them.
ChainSizes usedElements(const TapeRecordingContext &recording);
/// Walks over a recording whose chains have these sizes and throws a Fault where it is not one that
/// sweeps can rely on. Nothing is read beyond the blocks, whatever segments and streams hold.
void verify(const TapeRecordingContext &recording, const ChainSizes &sizes);

} // namespace ADOLC::detail
