/// @file tape/debuginfo.h
/// What the debug information of this process says about addresses of code.
#pragma once

#include <adolc/tapedoc/sourcelocation.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ADOLC::detail {

class CallSites;

/// Reads the debug information of programs and libraries where it is asked for. Not thread safe.
class DebugInfo {
public:
  DebugInfo();
  ~DebugInfo();
  DebugInfo(const DebugInfo &) = delete;
  DebugInfo &operator=(const DebugInfo &) = delete;

  /// The calls that an address stands in, innermost first: those that were inlined there, then the
  /// function itself. Empty if its line is not known.
  std::vector<SourceLocation> lines(const void *address);

private:
  struct Reader;
  std::unique_ptr<Reader> reader_; // null without libdw
};

/// The places of the operations of one recording. They are looked up once.
class SourceLocations {
public:
  explicit SourceLocations(const CallSites &sites) : sites_(sites) {}
  /// nullptr for an operation without a call site. The location lives as long as the sites.
  const SourceLocation *find(std::size_t operation);

private:
  const CallSites &sites_;
  std::optional<DebugInfo> debugInfo_; // once something had to be looked up
};

/// "file:line (function)", as far as it is known, without the folder.
std::string shortText(const SourceLocation &location);

} // namespace ADOLC::detail
