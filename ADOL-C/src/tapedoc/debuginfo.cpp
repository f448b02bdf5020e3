#include "tapedoc/debuginfo.h"

#ifdef ADOLC_LIBDW
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

namespace ADOLC::detail {
namespace {

/// The library is loaded when it is needed for the first time: a program that only differentiates
/// does not start slower for it. Its names here are those of its functions.
#define ADOLC_LIBDW_FUNCTIONS(f)                                                                   \
  f(dwfl_begin) f(dwfl_end) f(dwfl_linux_proc_report) f(dwfl_report_end)                           \
      f(dwfl_linux_proc_find_elf) f(dwfl_standard_find_debuginfo) f(dwfl_addrmodule)               \
          f(dwfl_module_addrdie) f(dwfl_module_getsrc) f(dwfl_lineinfo) f(dwarf_getscopes)         \
              f(dwarf_getscopes_die) f(dwarf_tag) f(dwarf_attr_integrate) f(dwarf_formstring)      \
                  f(dwarf_attr) f(dwarf_formudata) f(dwarf_getsrcfiles) f(dwarf_filesrc)

struct LibDw {
#define ADOLC_MEMBER(name) decltype(&::name) name = nullptr;
  ADOLC_LIBDW_FUNCTIONS(ADOLC_MEMBER)
#undef ADOLC_MEMBER

  /// nullptr if it cannot be loaded.
  static const LibDw *get() {
    static const LibDw *const loaded = load();
    return loaded;
  }

private:
  static const LibDw *load() {
    void *const library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      return nullptr;
    auto functions = std::make_unique<LibDw>();
    bool complete = true;
#define ADOLC_FIND(name)                                                                           \
  functions->name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name));                    \
  complete = complete && functions->name != nullptr;
    ADOLC_LIBDW_FUNCTIONS(ADOLC_FIND)
#undef ADOLC_FIND
    return complete ? functions.release() : nullptr;
  }
};

} // namespace

struct DebugInfo::Reader {
  explicit Reader(const LibDw &library) : dw(library) {
    callbacks.find_elf = dw.dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = dw.dwfl_standard_find_debuginfo;
    session = dw.dwfl_begin(&callbacks);
    if (session != nullptr) {
      dw.dwfl_linux_proc_report(session, ::getpid());
      dw.dwfl_report_end(session, nullptr, nullptr);
    }
  }
  ~Reader() {
    if (session != nullptr)
      dw.dwfl_end(session);
  }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  std::string name(Dwarf_Die &scope) const {
    Dwarf_Attribute attribute;
    const char *const name =
        dw.dwarf_formstring(dw.dwarf_attr_integrate(&scope, DW_AT_name, &attribute));
    return name != nullptr ? name : "";
  }
  unsigned number(Dwarf_Die &scope, unsigned which) const {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dw.dwarf_formudata(dw.dwarf_attr(&scope, which, &attribute), &value) != 0)
      return 0;
    return static_cast<unsigned>(value);
  }
  /// The file that an inlined function was called from.
  std::string callFile(Dwarf_Die &unit, Dwarf_Die &scope) const {
    Dwarf_Files *files = nullptr;
    std::size_t count = 0;
    const unsigned index = number(scope, DW_AT_call_file);
    if (dw.dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count)
      return {};
    const char *const file = dw.dwarf_filesrc(files, index, nullptr, nullptr);
    return file != nullptr ? file : "";
  }

  const LibDw &dw;
  Dwfl_Callbacks callbacks{};
  Dwfl *session = nullptr;
};

DebugInfo::DebugInfo() {
  if (const LibDw *const library = LibDw::get())
    reader_ = std::make_unique<Reader>(*library);
}
DebugInfo::~DebugInfo() = default;

std::vector<SourceLocation> DebugInfo::lines(const void *address) const {
  if (reader_ == nullptr || reader_->session == nullptr)
    return {};
  const LibDw &dw = reader_->dw;
  const auto at = static_cast<Dwarf_Addr>(reinterpret_cast<std::uintptr_t>(address));
  Dwfl_Module *const module = dw.dwfl_addrmodule(reader_->session, at);
  Dwfl_Line *const line = module != nullptr ? dw.dwfl_module_getsrc(module, at) : nullptr;
  int number = 0;
  const char *const file = line != nullptr
                               ? dw.dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr)
                               : nullptr;
  if (file == nullptr || number <= 0)
    return {};
  std::vector<SourceLocation> result{{file, static_cast<unsigned>(number), {}}};

  Dwarf_Addr bias = 0;
  Dwarf_Die *const unit = dw.dwfl_module_addrdie(module, at, &bias);
  Dwarf_Die *inner = nullptr;
  const int depth = unit != nullptr ? dw.dwarf_getscopes(unit, at - bias, &inner) : 0;
  // The scopes around an inlined function are those of its definition: the calls are found from
  // where its copy stands.
  Dwarf_Die *scopes = nullptr;
  const int count = depth > 0 ? dw.dwarf_getscopes_die(inner, &scopes) : 0;
  for (int i = 0; i < count; ++i) {
    const int tag = dw.dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
      continue;
    result.back().function = reader_->name(scopes[i]);
    if (tag == DW_TAG_subprogram)
      break;
    result.push_back(
        {reader_->callFile(*unit, scopes[i]), reader_->number(scopes[i], DW_AT_call_line), {}});
  }
  std::free(scopes);
  std::free(inner);
  return result;
}

} // namespace ADOLC::detail

#else
namespace ADOLC::detail {

struct DebugInfo::Reader {};
DebugInfo::DebugInfo() = default;
DebugInfo::~DebugInfo() = default;
std::vector<SourceLocation> DebugInfo::lines(const void *) const { return {}; }

} // namespace ADOLC::detail
#endif
