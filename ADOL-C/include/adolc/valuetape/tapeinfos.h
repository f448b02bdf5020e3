/// @file valuetape/tapeinfos.h
/// Statistics of a recording.
#pragma once

#include <adolc/internal/common.h>

#include <array>
#include <cstddef>

struct TapeInfos {
  /// Indices into the statistics array.
  enum StatEntries {
    NUM_INDEPENDENTS, ///< independents
    NUM_DEPENDENTS,   ///< dependents
    NUM_MAX_LIVES,    ///< capacity of the active store at trace_off
    NUM_TAYS,         ///< values that a keep = 1 sweep saves (after the to-be-recorded analysis)
    OP_BUFFER_SIZE,   ///< capacity of the operation buffer
    NUM_OPERATIONS,   ///< recorded operations, start and end marks included
    OP_FILE_ACCESS,   ///< 1 if the operation stream is on disk
    NUM_LOCATIONS,    ///< recorded locations
    LOC_FILE_ACCESS,  ///< 1 if the location stream is on disk
    NUM_VALUES,       ///< recorded constants
    VAL_FILE_ACCESS,  ///< 1 if the value stream is on disk
    LOC_BUFFER_SIZE,  ///< capacity of the location buffer
    VAL_BUFFER_SIZE,  ///< capacity of the value buffer
    TAY_BUFFER_SIZE,  ///< capacity of the Taylor buffer
    NUM_EQ_PROD,      ///< fused  x ±= a*b
    NO_MIN_MAX,       ///< 1 if minimum and maximum were recorded as absolute values
    NUM_SWITCHES,     ///< recorded absolute values
    NUM_PARAM,        ///< parameters
    STAT_SIZE,        ///< number of entries
    TAY_STACK_SIZE = NUM_TAYS ///< name of 2.7
  };
  using StatArray = std::array<std::size_t, STAT_SIZE>;

  /// No operation of the historical table has more locations than this.
  static constexpr std::size_t maxLocsPerOp{10};

  TapeInfos() = default;
  explicit TapeInfos(short tapeId) : tapeId_(tapeId) {}
  TapeInfos(TapeInfos &&) = default;
  TapeInfos &operator=(TapeInfos &&) = default;

  StatArray stats{};
  short tapeId_{-1};
};
