#include <adolc/adolcerror.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

namespace ADOLCError {
namespace {

struct ErrorText {
  std::string_view name;
  std::string_view text;
};

constexpr std::array kErrors{
#define ADOLC_ERROR(name, text) ErrorText{#name, text},
#include <adolc/internal/errors.def>
#undef ADOLC_ERROR
};

std::string number(const FailInfo &info, char which) {
  switch (which) {
  case '1':
    return std::to_string(info.info1);
  case '2':
    return std::to_string(info.info2);
  case '3':
    return std::to_string(info.info3);
  case '4':
    return std::to_string(info.info4);
  case '5':
    return std::to_string(info.info5);
  case '6':
    return std::to_string(info.info6);
  default:
    return std::to_string(static_cast<int>(info.info7));
  }
}

std::string fill(std::string_view text, std::string_view function, const FailInfo &info) {
  constexpr std::string_view what = "{what}";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      result += text[i];
    } else if (text.substr(i, what.size()) == what) {
      result += function;
      i += what.size() - 1;
    } else {
      result += number(info, text[i + 1]);
      i += 2;
    }
  }
  return result;
}

/// An error must not end as another exception because there is no memory for its text. An empty one
/// takes none.
std::runtime_error withText(std::string_view message, const source_location &where) {
  try {
    return std::runtime_error(ADOLCError::makeMessage(message, where));
  } catch (const std::bad_alloc &) {
    return std::runtime_error("");
  }
}

} // namespace

ADOLCError::ADOLCError(std::string_view message, const source_location &where, ErrorType type,
                       short tapeId)
    : std::runtime_error(withText(message, where)), where_(where), type_(type), tapeId_(tapeId) {}

const char *ADOLCError::what() const noexcept {
  const char *const text = std::runtime_error::what();
  return *text != '\0' ? text : errorName(type_).data(); // of literals: a zero follows
}

std::string ADOLCError::makeSourceLocation(const source_location &where) {
  return "[Source] " + std::string(where.file()) + ":" + std::string(where.func()) + ":" +
         std::to_string(where.line());
}

std::string ADOLCError::makeMessage(std::string_view message, const source_location &where) {
  return std::string(message) + "\n" + makeSourceLocation(where);
}

std::string_view errorName(ErrorType type) {
  const std::size_t index = to_underlying(type);
  return index < kErrors.size() ? kErrors[index].name : std::string_view("UNKNOWN");
}

void printError() { std::fprintf(stderr, "%s\n", std::strerror(errno)); }

void fail(ErrorType type, source_location where, const FailInfo &info) {
  const std::size_t index = to_underlying(type);
  const std::string_view text = index < kErrors.size() ? kErrors[index].text : "unknown error";
  std::string message;
  try {
    message = "ADOL-C error " + std::string(errorName(type)) + " in " + std::string(where.func()) +
              ": " + fill(text, where.func(), info);
  } catch (const std::bad_alloc &) {
    throw ADOLCError(errorName(type), where, type, info.info1);
  }
  throw ADOLCError(message, where, type, info.info1);
}

} // namespace ADOLCError
