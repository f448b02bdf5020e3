/// @file adolcerror.h
/// Errors. The library never prints and never exits: every misuse and every failure throws
/// ADOLCError::ADOLCError, whose text names the function, the tape, what was expected and what
/// came. Return codes of sweeps are about mathematics (kinks, branches), not about misuse.
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace ADOLCError {

/// Where an error was found.
struct source_location {
  std::string_view file_;
  std::string_view func_;
  int line_ = 0;

  constexpr source_location(std::string_view file, std::string_view func, int line)
      : file_(file), func_(func), line_(line) {}
  constexpr std::string_view file() const { return file_; }
  constexpr std::string_view func() const { return func_; }
  constexpr int line() const { return line_; }
};

/// The kind of an error, in the numbering of internal/errors.def.
enum class ErrorType : std::size_t {
#define ADOLC_ERROR(name, text) name,
#include <adolc/internal/errors.def>
#undef ADOLC_ERROR
};

// The shorter names that newer programs use for unreadable streams.
inline constexpr ErrorType OP_READ_FAILED = ErrorType::EVAL_OP_TAPE_READ_FAILED;
inline constexpr ErrorType LOC_READ_FAILED = ErrorType::EVAL_LOC_TAPE_READ_FAILED;
inline constexpr ErrorType VAL_READ_FAILED = ErrorType::EVAL_VAL_TAPE_READ_FAILED;
inline constexpr ErrorType TAY_READ_FAILED = ErrorType::EVAL_TAY_TAPE_READ_FAILED;

/// The numbers that an error's text mentions: tape id (info1), counts, operation code (info7).
struct FailInfo {
  short info1 = 0;
  std::size_t info2 = 0;
  int info3 = 0;
  int info4 = 0;
  std::size_t info5 = 0;
  std::size_t info6 = 0;
  unsigned char info7 = 0;
};

/// The exception of the library.
class ADOLC_API ADOLCError : public std::runtime_error {
public:
  ADOLCError(std::string_view message, const source_location &where,
             ErrorType type = ErrorType::NOT_IMPLEMENTED, short tapeId = -1);

  /// Without memory for a text, the name of the kind.
  const char *what() const noexcept override;
  const source_location &where() const noexcept { return where_; }
  ErrorType type() const noexcept { return type_; }
  /// The tape concerned, or -1 where no tape is.
  short tapeId() const noexcept { return tapeId_; }

  static std::string makeSourceLocation(const source_location &where);
  static std::string makeMessage(std::string_view message, const source_location &where);

private:
  source_location where_;
  ErrorType type_;
  short tapeId_;
};

template <class T>
requires std::is_enum_v<T>
constexpr auto to_underlying(T value) { return static_cast<std::underlying_type_t<T>>(value); }

/// The name of an error kind, as spelled in the enumeration.
ADOLC_API std::string_view errorName(ErrorType type);

/// Writes the text of the current errno to standard error (historical helper; the library itself
/// never calls it).
ADOLC_API void printError();

/// Always throws ADOLCError with the text of `type`, completed by the numbers in `info`.
[[noreturn]] ADOLC_API void fail(ErrorType type, source_location where, const FailInfo &info = {});

} // namespace ADOLCError

#define CURRENT_LOCATION ::ADOLCError::source_location(__FILE__, __func__, __LINE__)
