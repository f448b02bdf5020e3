/// @file configuration.h
/// Settings of the process: buffer capacities, memory budgets, the directory of tape files.
///
/// A value comes from the first of these that gives it: the program (functions below), the
/// environment (variable ADOLC_<KEY>), the file `.adolcrc`, the default.
///
/// | key                 | meaning                                              | default | least |
/// |---------------------|------------------------------------------------------|---------|-------|
/// | OBUFSIZE            | capacity of a tape's operation buffer, in elements   | 524288  | 2     |
/// | LBUFSIZE            | the same of locations                                | 524288  | 12    |
/// | VBUFSIZE            | the same of constants                                | 524288  | 6     |
/// | TBUFSIZE            | the same of Taylor entries                           | 524288  | 1     |
/// | INITLIVE            | variables that a store has room for at first; up to  | 4       | 0     |
/// |                     | 4 there is room anyway                               |         |       |
/// | TAPE_MEMORY         | bytes that one tape may keep in memory; 0: any       | 0       | 0     |
/// | PROCESS_MEMORY      | bytes that all tapes together may; 0: any            | 0       | 0     |
/// | TAPE_DIR            | existing directory of tape files                     | `.`     |       |
///
/// A tape whose streams exceed its budget moves blocks to a private file, see
/// ValueTape::memoryBudget; capacities that are set make a budget, too. Budgets hold from the next
/// trace_on or openTape on. Without TAPE_DIR such files are in $TMPDIR, or else in /var/tmp.
///
/// A line of the file is `"KEY" "VALUE"`, for example
///
///     "TAPE_MEMORY" = "512M"   what stands outside of the quotes is ignored
///     "TAPE_DIR"      "/scratch"
///
/// The first four double quotes count. A line without any is ignored, one with fewer than four is
/// ignored with a warning; a line of more than 100 characters ends the reading with a warning, and
/// so does the end of the first 65536 characters. Numbers are decimal, octal (`0…`) or hexadecimal
/// (`0x…`), without blanks or signs; K, M or G behind a number of bytes multiplies it by 2^10, 2^20
/// or 2^30. Of several lines for one key the last good one holds. An empty variable of the
/// environment counts as none. A relative directory is one of the working directory at reading.
///
/// What cannot be used (an unknown key, no number, a number too small or too large, a directory
/// that does not exist, a file that cannot be read) is left out with a warning: it stands in the
/// configuration, and the diagnostics hook gets it. Nothing is thrown or printed.
///
/// The file is that of the working directory when a tape is made. It is looked at whenever one is
/// (by createNewTape, by openTape, or by trace_on with a new tag), when a thread makes a variable
/// with no tape selected for the first time, and by configuration(); it is read, together with the
/// environment, if it has changed (a change of the environment alone counts only as long as there
/// was neither a file nor a variable before). What it says holds for the tapes and stores that are
/// made afterwards.
///
/// This header is not part of the umbrella adolc.h. All functions may be called from any thread.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ADOLC {

/// Where the value of a setting comes from.
enum class SettingOrigin { Default, File, Environment, Program };

template <class T> struct Setting {
  T value;
  SettingOrigin origin = SettingOrigin::Default;
};

/// The settings, in the order of the table above, and what was wrong.
struct Configuration {
  static constexpr std::size_t kInitialStoreSize = 4;

  Setting<std::size_t> operationBufferSize{OBUFSIZE};
  Setting<std::size_t> locationBufferSize{LBUFSIZE};
  Setting<std::size_t> valueBufferSize{VBUFSIZE};
  Setting<std::size_t> taylorBufferSize{TBUFSIZE};
  Setting<std::size_t> initialStoreSize{kInitialStoreSize};
  Setting<std::size_t> tapeMemory{0};
  Setting<std::size_t> processMemory{0};
  Setting<std::filesystem::path> tapeDirectory{TAPE_DIR}; ///< absolute, unless it is the default

  std::filesystem::path file;        ///< that was read, absolute; empty if there is none
  std::vector<std::string> warnings; ///< each with file and line, or variable
};

/// The settings that a tape made now would get. All functions here may throw MALLOC_FAILED.
ADOLC_API Configuration configuration();

/// Reads file and environment, changed or not, and returns the settings. Tapes made later look at
/// this file in place of `.adolcrc`. An empty path stands for the `.adolcrc` of the working
/// directory again. A file that is named but does not exist is a warning.
ADOLC_API Configuration readConfiguration(const std::filesystem::path &file = {});

/// Budgets in bytes for each tape and for all tapes; 0: no limit. nullopt takes back what the
/// program has set.
ADOLC_API void setTapeMemory(std::optional<std::size_t> bytes);
ADOLC_API void setProcessMemory(std::optional<std::size_t> bytes);
/// Directory of tape files; an empty path takes back what the program has set.
/// @throws ADOLCError  CANNOT_OPEN_FILE, with nothing changed, unless it is an existing directory
ADOLC_API void setTapeDirectory(const std::filesystem::path &directory);

} // namespace ADOLC
