#include "tape/callsites.h"

#include <algorithm>
#include <cstdint>

#include <link.h>
#include <unwind.h>

namespace ADOLC::detail {
namespace {

/// The addresses that the library is loaded at.
struct Image {
  std::uintptr_t begin = 0, end = 0;

  bool has(std::uintptr_t address) const { return address >= begin && address < end; }

  /// Empty where the library is a part of something else: there the addresses tell nothing.
  static const Image &ofLibrary() {
    static const Image image = find();
    return image;
  }

private:
  static Image find() {
    Image image;
#ifndef ADOLC_STATIC
    dl_iterate_phdr(&visit, &image);
#endif
    return image;
  }
  static int visit(dl_phdr_info *object, std::size_t, void *image) {
    static const char here = 0;
    Image found{UINTPTR_MAX, 0};
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i)
      if (const auto &part = object->dlpi_phdr[i]; part.p_type == PT_LOAD) {
        const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
        found.begin = std::min(found.begin, begin);
        found.end = std::max(found.end, begin + part.p_memsz);
      }
    const bool mine = found.has(reinterpret_cast<std::uintptr_t>(&here));
    const bool isProgram = object->dlpi_name == nullptr || object->dlpi_name[0] == '\0';
    if (mine && !isProgram)
      *static_cast<Image *>(image) = found;
    return mine ? 1 : 0;
  }
};

[[maybe_unused]] const Image &atLoad = Image::ofLibrary(); // no fork meets it half made

struct Walk {
  const Image &library;
  CallSite &site;
  std::size_t count = 0;
};

_Unwind_Reason_Code step(_Unwind_Context *frame, void *walk) {
  auto &[library, site, count] = *static_cast<Walk *>(walk);
  int isExact = 0;
  std::uintptr_t address = _Unwind_GetIPInfo(frame, &isExact);
  if (address == 0 || count == site.size())
    return _URC_END_OF_STACK;
  address -= isExact != 0 ? 0 : 1; // into the call, which ends before the return address
  if (count != 0 || !library.has(address))
    site[count++] = reinterpret_cast<const void *>(address);
  return _URC_NO_REASON;
}

} // namespace

bool CallSites::knowLibrary() { return Image::ofLibrary().end != 0; }

void CallSites::note(std::size_t operation) {
  CallSite site{};
  Walk walk{Image::ofLibrary(), site};
  _Unwind_Backtrace(&step, &walk);
  if (sites_.size() <= operation)
    sites_.resize(operation + 1);
  sites_[operation] = &*known_.insert(site).first;
}

} // namespace ADOLC::detail
