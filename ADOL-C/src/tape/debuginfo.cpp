#include "tape/debuginfo.h"

#ifdef ADOLC_LIBDW
#include "tape/forklocks.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

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
      f(dwfl_linux_proc_find_elf) f(dwfl_addrmodule) f(dwfl_module_nextcu) f(dwarf_ranges)         \
          f(dwarf_getsrc_die) f(dwarf_linesrc) f(dwarf_lineno) f(dwarf_child) f(dwarf_siblingof)   \
              f(dwarf_haspc) f(dwarf_tag) f(dwarf_attr_integrate) f(dwarf_formstring)              \
                  f(dwarf_attr) f(dwarf_formudata) f(dwarf_getsrcfiles) f(dwarf_filesrc)

struct LibDw {
#define ADOLC_MEMBER(name) decltype(&::name) name = nullptr;
  ADOLC_LIBDW_FUNCTIONS(ADOLC_MEMBER)
#undef ADOLC_MEMBER

  /// nullptr if it cannot be loaded. Loading takes milliseconds, for which a fork waits.
  static const LibDw *get() {
    const std::lock_guard lock(mutex);
    if (!wasLoaded) {
      loaded = load();
      wasLoaded = true;
    }
    return loaded;
  }
  static inline constinit std::mutex mutex;

private:
  static inline constinit bool wasLoaded = false;
  static inline constinit const LibDw *loaded = nullptr;

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
[[maybe_unused]] const bool atLoad = (lockDuringFork(ForkOrder::debugInfo, LibDw::mutex), true);

/// Only what stands in the file itself: asking for separate files may go to the network.
int findNoSeparateFile(Dwfl_Module *, void **, const char *, Dwarf_Addr, const char *, const char *,
                       GElf_Word, char **) {
  return -1;
}

} // namespace

/// Finds compilation units and functions by the ranges of their code. (The look-up tables of libdw
/// need a section that not every compiler writes, and its search for scopes misses functions that
/// are declared within others.)
struct DebugInfo::Reader {
  explicit Reader(const LibDw &library) : dw(library) {
    callbacks.find_elf = dw.dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = &findNoSeparateFile;
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

  /// By the end of the range.
  template <class T> struct Ranges {
    std::map<Dwarf_Addr, std::pair<Dwarf_Addr, T>> byEnd;
    void add(Dwarf_Addr begin, Dwarf_Addr end, const T &what) {
      if (begin < end)
        byEnd.try_emplace(end, begin, what);
    }
    const T *find(Dwarf_Addr address) const {
      const auto it = byEnd.upper_bound(address);
      return it != byEnd.end() && it->second.first <= address ? &it->second.second : nullptr;
    }
  };
  struct Unit {
    Dwarf_Die die;
    Dwarf_Addr bias;
    Ranges<Dwarf_Die> functions;
    bool isRead = false;
  };

  template <class F> void forEachRange(Dwarf_Die &die, F &&f) const {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dw.dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
      f(begin, end);
  }
  template <class F> void forEachChild(Dwarf_Die &die, F &&f) const {
    Dwarf_Die child;
    if (dw.dwarf_child(&die, &child) != 0)
      return;
    do
      f(child);
    while (dw.dwarf_siblingof(&child, &child) == 0);
  }

  Unit *unitOf(Dwarf_Addr address) {
    Dwfl_Module *const module = session != nullptr ? dw.dwfl_addrmodule(session, address) : nullptr;
    if (module == nullptr)
      return nullptr;
    const auto [entry, isNew] = modules.try_emplace(module);
    if (isNew) {
      Dwarf_Addr bias = 0;
      for (Dwarf_Die *die = nullptr;
           (die = dw.dwfl_module_nextcu(module, die, &bias)) != nullptr;) {
        units.push_back(std::make_unique<Unit>(Unit{*die, bias, {}, false}));
        forEachRange(*die, [&](Dwarf_Addr begin, Dwarf_Addr end) {
          entry->second.add(begin + bias, end + bias, units.back().get());
        });
      }
    }
    Unit *const *const found = entry->second.find(address);
    return found != nullptr ? *found : nullptr;
  }

  /// All functions with code below a scope, whatever they are declared in.
  void collectFunctions(Dwarf_Die &scope, Ranges<Dwarf_Die> &functions) const {
    forEachChild(scope, [&](Dwarf_Die &child) {
      switch (dw.dwarf_tag(&child)) {
      case DW_TAG_subprogram:
        forEachRange(child,
                     [&](Dwarf_Addr begin, Dwarf_Addr end) { functions.add(begin, end, child); });
        [[fallthrough]];
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_lexical_block:
        collectFunctions(child, functions);
        break;
      default:
        break;
      }
    });
  }

  /// The inlined calls around an address of a function, outermost first.
  void collectCalls(Dwarf_Die &scope, Dwarf_Addr address, std::vector<Dwarf_Die> &calls) const {
    forEachChild(scope, [&](Dwarf_Die &child) {
      const int tag = dw.dwarf_tag(&child);
      const bool isCall = tag == DW_TAG_inlined_subroutine;
      if ((!isCall && tag != DW_TAG_lexical_block) || dw.dwarf_haspc(&child, address) <= 0)
        return;
      if (isCall)
        calls.push_back(child);
      collectCalls(child, address, calls);
    });
  }

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
  /// Where an inlined function was called.
  SourceLocation callOf(Dwarf_Die &unit, Dwarf_Die &scope) const {
    Dwarf_Files *files = nullptr;
    std::size_t count = 0;
    const unsigned index = number(scope, DW_AT_call_file);
    const char *file = nullptr;
    if (dw.dwarf_getsrcfiles(&unit, &files, &count) == 0 && index < count)
      file = dw.dwarf_filesrc(files, index, nullptr, nullptr);
    return {file != nullptr ? file : "", number(scope, DW_AT_call_line), {}};
  }

  const LibDw &dw;
  Dwfl_Callbacks callbacks{};
  Dwfl *session = nullptr;
  std::vector<std::unique_ptr<Unit>> units;
  std::map<Dwfl_Module *, Ranges<Unit *>> modules;
};

DebugInfo::DebugInfo() {
  if (const LibDw *const library = LibDw::get())
    reader_ = std::make_unique<Reader>(*library);
}
DebugInfo::~DebugInfo() = default;

std::vector<SourceLocation> DebugInfo::lines(const void *address) {
  const auto inProcess = static_cast<Dwarf_Addr>(reinterpret_cast<std::uintptr_t>(address));
  Reader::Unit *const unit = reader_ != nullptr ? reader_->unitOf(inProcess) : nullptr;
  if (unit == nullptr)
    return {};
  const LibDw &dw = reader_->dw;
  const Dwarf_Addr at = inProcess - unit->bias;
  if (!std::exchange(unit->isRead, true))
    reader_->collectFunctions(unit->die, unit->functions);
  const Dwarf_Die *const found = unit->functions.find(at);
  Dwarf_Line *const line = dw.dwarf_getsrc_die(&unit->die, at);
  int number = 0;
  const char *const file = line != nullptr ? dw.dwarf_linesrc(line, nullptr, nullptr) : nullptr;
  if (found == nullptr || file == nullptr || dw.dwarf_lineno(line, &number) != 0 || number <= 0)
    return {};

  Dwarf_Die function = *found;
  std::vector<Dwarf_Die> calls;
  reader_->collectCalls(function, at, calls);
  std::vector<SourceLocation> result{{file, static_cast<unsigned>(number), {}}};
  for (; !calls.empty(); calls.pop_back()) {
    result.back().function = reader_->name(calls.back());
    result.push_back(reader_->callOf(unit->die, calls.back()));
  }
  result.back().function = reader_->name(function);
  return result;
}

} // namespace ADOLC::detail

#else
namespace ADOLC::detail {

struct DebugInfo::Reader {};
DebugInfo::DebugInfo() = default;
DebugInfo::~DebugInfo() = default;
std::vector<SourceLocation> DebugInfo::lines(const void *) { return {}; }

} // namespace ADOLC::detail
#endif
