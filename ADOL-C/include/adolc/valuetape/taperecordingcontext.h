/// @file valuetape/taperecordingcontext.h
/// What a recording leaves behind: the streams of operations, locations and constants, the Taylor
/// stack of the last keep sweep, and counts. Owned by the tape; contexts of sweeps read it.
#pragma once

#include <adolc/oplate.h>
#include <adolc/valuetape/blockchain.h>
#include <adolc/valuetape/tapeinfos.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ADOLC::detail {

/// Locations of a segment are stored relative to a base, in 16 bits if all of them fit (most do: a
/// statement works on few variables), else as they are in 32.
using NarrowLoc = std::uint16_t;
using WideLoc = std::uint32_t;

/// A synchronised piece of the three streams. Its operations stand between two marks, one cell each
/// (start_of_tape or end_of_op before, end_of_op or end_of_tape behind), so that a sweep in either
/// direction runs to a mark without counting.
struct Segment {
  StreamPosition op;        ///< the mark before the first operation
  StreamPosition loc;       ///< first location, in units of NarrowLoc
  StreamPosition val;       ///< first constant
  std::uint32_t numOps = 0; ///< without the marks
  std::uint32_t numLocs = 0;
  std::uint32_t numVals = 0;
  std::uint32_t numTays = 0; ///< operations that save the value they overwrite
  LocCell base = 0;          ///< what the locations are relative to
  bool wide = false;         ///< locations are WideLoc

  std::size_t locUnits() const { return std::size_t{numLocs} * (wide ? 2 : 1); }
};

/// What the entries of a Taylor stack are made of: the value, then for each of the coefficients
/// 1 … keep-1 the directions, in as many doubles as the sweep has lanes.
struct TaylorShape {
  std::size_t keep = 0; ///< coefficients, the value included; 0: no stack, or invalidated
  std::size_t directions = 1;
  std::size_t lanes = 1;

  std::size_t width() const { return 1 + (keep - 1) * lanes; }
};

/// What a forward sweep with keep leaves for reverse sweeps: per segment the overwritten values
/// that the to-be-recorded analysis asked for, then the final values of flagged locations.
struct TaylorStack {
  BlockChain<double> data;
  std::vector<StreamPosition> segments;
  std::vector<double> finals;
  TaylorShape shape;
  bool everWritten = false;

  void invalidate() { shape = {}; }
  void rewind() {
    invalidate();
    data.rewind();
    segments.clear();
    finals.clear();
  }
};

struct TapeRecordingContext {
  BlockChain<OpCell> ops;
  BlockChain<NarrowLoc> locs;
  BlockChain<double> vals;
  std::vector<Segment> segments;
  /// Locations whose final value a reverse sweep needs.
  std::vector<LocCell> finals;
  /// Values of the parameters at trace_off, or those of the latest set_param_vec, by their index in
  /// the store.
  std::vector<double> paramstore;
  /// The indices that are parameters of this recording: made on its tape or used by it.
  std::vector<std::size_t> parameters;

  std::size_t numInds = 0;
  std::size_t numDeps = 0;
  std::size_t numSwitches = 0;
  std::size_t num_eq_prod = 0;
  /// One more than the highest location of the recording.
  std::size_t numLocations = 0;
  std::size_t storeCapacity = 0;
  bool minMaxAsAbs = false;
  bool hasExtDiff = false; ///< calls external functions
  /// Another one for each recording and each change of its parameters: what belongs to another one
  /// is out of date.
  std::uint64_t stamp = 0;

  TaylorStack taylors;

  /// Lets a group keep the streams to its budget, or nullptr. Forgets the recording if that is
  /// another group than before. Precondition: rewound.
  void attach(SpillGroup *group) noexcept;
  /// Bytes of all streams that are on disk.
  std::size_t bytesOnDisk() const;

  /// Empties the recording, keeps the memory.
  void rewind() {
    ops.rewind();
    locs.rewind();
    vals.rewind();
    segments.clear();
    finals.clear();
    paramstore.clear();
    parameters.clear();
    numInds = numDeps = numSwitches = num_eq_prod = numLocations = storeCapacity = 0;
    minMaxAsAbs = hasExtDiff = false;
    taylors.rewind();
  }
};

/// Sums over the segments of a recording.
struct StreamTotals {
  std::size_t ops = 0, locs = 0, vals = 0, tays = 0; ///< ops with start and end mark
  std::size_t locBytes = 0;
};
StreamTotals streamTotals(const TapeRecordingContext &recording);

/// Buffer capacities in elements: operations, locations, constants, Taylor entries.
using BufferSizes = std::array<std::size_t, 4>;
/// The statistics of a recording in memory.
TapeInfos::StatArray statistics(const TapeRecordingContext &recording, const BufferSizes &sizes);

} // namespace ADOLC::detail
