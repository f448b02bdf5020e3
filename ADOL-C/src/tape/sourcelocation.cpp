#include <adolc/tapedoc/sourcelocation.h>

#include "tape/callsites.h"
#include "tape/debuginfo.h"

#include <adolc/adolcerror.h>
#include <adolc/valuetape/taperegistry.h>
#include <adolc/valuetape/valuetape.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC {
namespace detail {
namespace {

/// Where the sources of this library were when it was compiled, with the slash: a static library
/// with debug information has lines of its own.
std::string_view sourceRoot() {
  constexpr std::string_view here = __FILE__, name = "tape/sourcelocation.cpp";
  return here.substr(0, here.size() - name.size());
}

/// One of its headers, wherever they are installed.
bool isHeaderOfLibrary(std::string_view file) {
  constexpr std::string_view folder = "/adolc/";
  constexpr std::string_view headers = ":" ADOLC_HEADERS ":"; // adolc/name.h:adolc/name.h…
  for (std::size_t at = file.find(folder); at != file.npos; at = file.find(folder, at + 1)) {
    const std::string entry = ':' + std::string(file.substr(at + 1)) + ':';
    if (headers.find(entry) != headers.npos)
      return true;
  }
  return false;
}
bool isOfLibrary(std::string_view file) {
  return file.starts_with(sourceRoot()) || isHeaderOfLibrary(file);
}
bool isOfSystem(std::string_view file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}
/// Code of a library of the system, as what calls main.
bool isOfSystem(const void *address) {
  Dl_info found{};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr)
    return false;
  const std::string_view name = found.dli_fname;
  return isOfSystem(name) || name.starts_with("/lib/") || name.starts_with("/lib64/");
}

/// Without debug information: the program or library, and an exported function.
SourceLocation symbolAt(const void *address) {
  SourceLocation location;
  Dl_info found{};
  if (dladdr(address, &found) == 0)
    return location;
  if (found.dli_fname != nullptr)
    location.file = found.dli_fname;
  if (found.dli_sname != nullptr) {
    int status = 0;
    char *const plain = abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status);
    location.function = status == 0 && plain != nullptr ? plain : found.dli_sname;
    std::free(plain);
    if (const std::size_t arguments = location.function.find('('); arguments != 0)
      location.function.resize(std::min(arguments, location.function.size()));
  }
  return location;
}

SourceLocation locate(DebugInfo &debugInfo, const CallSite &site) {
  // Where frames of the library cannot be told by their addresses, they are those without lines.
  const bool skipsUnknown = !CallSites::knowLibrary();
  const void *unknown = nullptr;
  SourceLocation ofSystem;
  for (const void *const address : site) {
    if (address == nullptr || (unknown != nullptr && !skipsUnknown))
      break;
    std::vector<SourceLocation> lines = debugInfo.lines(address);
    if (lines.empty() && unknown == nullptr)
      unknown = address;
    for (SourceLocation &line : lines) {
      if (isOfLibrary(line.file))
        continue;
      if (!isOfSystem(line.file) && !isOfSystem(address))
        return std::move(line);
      if (ofSystem.file.empty() && unknown == nullptr)
        ofSystem = std::move(line);
    }
  }
  return ofSystem.file.empty() ? symbolAt(unknown != nullptr ? unknown : site.front()) : ofSystem;
}

} // namespace

const SourceLocation *SourceLocations::find(std::size_t operation) {
  const CallSite *const site = sites_.find(operation);
  if (site == nullptr || site->front() == nullptr)
    return nullptr;
  auto &[mutex, locations] = sites_.found();
  const std::lock_guard lock(mutex);
  auto known = locations.find(site);
  if (known == locations.end()) {
    if (!debugInfo_)
      debugInfo_.emplace();
    known = locations.emplace(site, locate(*debugInfo_, *site)).first;
  }
  return &known->second;
}

std::string shortText(const SourceLocation &location) {
  std::string result = location.file.substr(location.file.rfind('/') + 1);
  if (location.line != 0)
    result += ':' + std::to_string(location.line);
  if (!location.function.empty())
    result += " (" + location.function + ')';
  return result;
}

} // namespace detail

void recordSourceLocations(short id, bool on) {
  ValueTape &tape = findOrCreateTape(id);
  on ? tape.enableSourceLocations() : tape.disableSourceLocations();
}

std::optional<SourceLocation> sourceLocation(short id, std::size_t operation) try {
  const ValueTape &tape = findTape(id);
  const auto access = tape.readAccess();
  if (!access.owns_lock() && tape.isRecordedHere())
    fail(ErrorType::TAPING_TAPE_STILL_IN_USE, CURRENT_LOCATION,
         {.info1 = id, .info5 = tape.numLives()});
  if (tape.callSites() == nullptr)
    return std::nullopt;
  detail::SourceLocations locations(*tape.callSites());
  const SourceLocation *const found = locations.find(operation);
  return found != nullptr ? std::optional(*found) : std::nullopt;
} catch (const std::bad_alloc &) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = id});
}

} // namespace ADOLC
