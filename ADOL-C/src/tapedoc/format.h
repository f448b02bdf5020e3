/// @file tapedoc/format.h
/// The formats of a listing.
#pragma once

#include "tapedoc/evaluation.h"

#include <adolc/tapedoc/sourcelocation.h>
#include <adolc/tapedoc/tapedoc.h>

#include <cstddef>
#include <memory>
#include <string>

namespace ADOLC::detail {

/// What stands above a listing.
struct Heading {
  std::string title;
  std::string range; ///< which operations of how many
  bool values;       ///< the listing has a column for results and one for operands
  bool sources;      ///< the listing has a column for source locations
  short tape;
};

/// Appends the parts of a listing to a text.
class ListingFormat {
public:
  virtual ~ListingFormat() = default;
  virtual void begin(std::string &out, const Heading &heading) = 0;
  /// `source` is null where it is not known.
  virtual void operation(std::string &out, const Operation &operation,
                         const OperationValues &values, const SourceLocation *source) = 0;
  /// An operation before the range of the listing.
  virtual void skipped(const Operation &) {}
  /// Whether it wants to know them.
  virtual bool wantsSkipped() const { return false; }
  virtual void end(std::string &out) = 0;
};

/// A format for a recording with this many locations; nullptr for a value that is no format.
std::unique_ptr<ListingFormat> listingFormat(TapeDocFormat format, std::size_t numLocations);

} // namespace ADOLC::detail
