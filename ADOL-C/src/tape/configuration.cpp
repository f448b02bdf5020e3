#include <adolc/configuration.h>

#include "tape/forklocks.h"
#include "tape/settings.h"

#include <adolc/adolcerror.h>
#include <adolc/diagnostics.h>
#include <adolc/valuetape/spill.h>
#include <adolc/valuetape/store.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ADOLC {
namespace {

namespace fs = std::filesystem;

static_assert(Configuration::kInitialStoreSize == detail::Store::kInitialCapacity);

constexpr std::size_t kMaxLine = 100;
constexpr std::size_t kMaxFile = std::size_t{1} << 16;

// ── values ──────────────────────────────────────────────────────────────────────────────────────

/// No array has more elements (of at most eight bytes).
constexpr std::size_t kMaxElements = static_cast<std::size_t>(PTRDIFF_MAX) / 8;

/// A buffer must hold one operation and the marks around it.
struct NumberKey {
  std::string_view name;
  Setting<std::size_t> Configuration::*setting;
  std::size_t least, most;
  bool bytes; // a unit may follow
};
constexpr NumberKey numberKeys[] = {
    {"OBUFSIZE", &Configuration::operationBufferSize, 2, kMaxElements, false},
    {"LBUFSIZE", &Configuration::locationBufferSize, 12, kMaxElements, false},
    {"VBUFSIZE", &Configuration::valueBufferSize, 6, kMaxElements, false},
    {"TBUFSIZE", &Configuration::taylorBufferSize, 1, kMaxElements, false},
    {"INITLIVE", &Configuration::initialStoreSize, 0, detail::Store::kMaxLocations, false},
    {"TAPE_MEMORY", &Configuration::tapeMemory, 0, SIZE_MAX, true},
    {"PROCESS_MEMORY", &Configuration::processMemory, 0, SIZE_MAX, true},
};
constexpr std::string_view kDirectoryKey = "TAPE_DIR";

/// For a message: in quotes, without control characters.
std::string inQuotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    result += control ? '?' : c;
  }
  return result += '"';
}

enum class Parsed { number, noNumber, tooLarge };

Parsed parseNumber(std::string_view text, bool bytes, std::size_t &value) {
  int shift = 0;
  if (bytes && !text.empty()) {
    constexpr std::string_view units = "KMGkmg";
    if (const std::size_t unit = units.find(text.back()); unit != units.npos) {
      shift = 10 * (static_cast<int>(unit % 3) + 1);
      text.remove_suffix(1);
    }
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with('0')) {
    base = 8; // a single 0 is one, too
  }
  const char *const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (error == std::errc::invalid_argument || rest != end)
    return Parsed::noNumber;
  if (error != std::errc() || value > SIZE_MAX >> shift)
    return Parsed::tooLarge;
  value <<= shift;
  return Parsed::number;
}

/// The system would see such a name only up to there.
bool hasZero(const fs::path &name) {
  return name.native().find('\0') != fs::path::string_type::npos;
}

/// The absolute path of an existing directory, or an empty one.
fs::path existingDirectory(const fs::path &directory) {
  std::error_code error;
  if (hasZero(directory) || !fs::is_directory(directory, error))
    return {};
  fs::path result = fs::absolute(directory, error);
  return error ? fs::path() : result;
}

/// Fills a configuration from one source after the other.
class Reader {
public:
  void file(std::string_view text, bool complete);
  void environment();
  void warn(std::string_view where, std::string_view text) {
    configuration.warnings.push_back(std::string(where) + ": " + std::string(text));
  }

  Configuration configuration;

private:
  void line(std::string_view where, std::string_view text);
  void set(std::string_view where, std::string_view key, std::string_view value,
           SettingOrigin origin);
  void setNumber(std::string_view where, const NumberKey &key, std::string_view value,
                 SettingOrigin origin);
};

void Reader::setNumber(std::string_view where, const NumberKey &key, std::string_view value,
                       SettingOrigin origin) {
  std::size_t number = 0;
  const Parsed parsed = parseNumber(value, key.bytes, number);
  std::string problem;
  if (parsed == Parsed::noNumber)
    problem = std::string(" is no decimal, octal (0...) or hexadecimal (0x...) number") +
              (key.bytes ? ", with K, M or G or without" : "");
  else if (parsed == Parsed::tooLarge || number > key.most)
    problem = " is too large, at most " + std::to_string(key.most) + " is possible";
  else if (number < key.least)
    problem = " is too small, at least " + std::to_string(key.least) + " is needed";
  if (problem.empty())
    configuration.*key.setting = {number, origin};
  else
    warn(where, std::string(key.name) + ' ' + inQuotes(value) + problem + "; ignored");
}

void Reader::set(std::string_view where, std::string_view key, std::string_view value,
                 SettingOrigin origin) {
  if (key == kDirectoryKey) {
    if (fs::path directory = existingDirectory(value); !directory.empty())
      configuration.tapeDirectory = {std::move(directory), origin};
    else
      warn(where, std::string(key) + ' ' + inQuotes(value) + " is no existing directory; ignored");
    return;
  }
  const auto *const found =
      std::find_if(std::begin(numberKeys), std::end(numberKeys),
                   [key](const NumberKey &number) { return number.name == key; });
  if (found != std::end(numberKeys))
    setNumber(where, *found, value, origin);
  else
    warn(where, "unknown key " + inQuotes(key) + "; ignored");
}

void Reader::line(std::string_view where, std::string_view text) {
  std::array<std::size_t, 4> quotes{};
  std::size_t count = 0;
  for (std::size_t at = text.find('"'); at != text.npos && count < quotes.size();
       at = text.find('"', at + 1))
    quotes[count++] = at;
  const auto between = [text](std::size_t first, std::size_t last) {
    return text.substr(first + 1, last - first - 1);
  };
  if (count == quotes.size())
    set(where, between(quotes[0], quotes[1]), between(quotes[2], quotes[3]), SettingOrigin::File);
  else if (count != 0)
    warn(where, "expected \"KEY\" \"VALUE\", found " + std::to_string(count) +
                    " of four double quotes; ignored");
}

void Reader::file(std::string_view text, bool complete) {
  const std::string name = configuration.file.string();
  if (!complete) // the last line is cut off
    text = text.substr(0, text.rfind('\n') + 1);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.ends_with('\r'))
      content.remove_suffix(1);
    const std::string where = name + ':' + std::to_string(number);
    if (content.size() > kMaxLine) {
      warn(where, "more than " + std::to_string(kMaxLine) +
                      " characters; this line and all further ones are ignored");
      return;
    }
    line(where, content);
  }
  if (!complete)
    warn(name, "more than " + std::to_string(kMaxFile) + " characters; the rest is ignored");
}

void Reader::environment() {
  const auto take = [this](std::string_view key) {
    const std::string variable = "ADOLC_" + std::string(key);
    const char *const value = std::getenv(variable.c_str());
    if (value != nullptr && *value != '\0')
      set("environment variable " + variable, key, value, SettingOrigin::Environment);
  };
  for (const NumberKey &key : numberKeys)
    take(key.name);
  take(kDirectoryKey);
}

// ── the file ────────────────────────────────────────────────────────────────────────────────────

/// What tells that a file has changed: an error, or what the system notes about it.
struct FileIdentity {
  int error = 0;
  std::array<std::intmax_t, 7> noted{};
  bool operator==(const FileIdentity &) const = default;
};

FileIdentity identify(const struct stat &status) {
  return {0,
          {static_cast<std::intmax_t>(status.st_dev), static_cast<std::intmax_t>(status.st_ino),
           status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
           status.st_ctim.tv_nsec}};
}

/// Times are noted in steps of some milliseconds: after a change within the last second there may
/// be another one that they do not tell.
bool isSettled(const FileIdentity &identity) {
  return identity.error != 0 || identity.noted[5] + 1 < std::time(nullptr);
}

FileIdentity look(const fs::path &file) {
  if (hasZero(file))
    return {EINVAL, {}};
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? identify(status) : FileIdentity{errno, {}};
}

/// In the place of an error number: a directory, a pipe, a device.
constexpr int kNoFile = -1;

struct FileContent {
  std::string text;
  int error = 0; // of opening and reading, or kNoFile
  bool complete = true;
  bool operator==(const FileContent &) const = default;
};

std::string problem(int error) {
  return error == kNoFile ? "not a regular file" : std::generic_category().message(error);
}

/// A file descriptor that is closed at the end.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  const int number;
};

/// Reads no more than kMaxFile characters; does not wait for a pipe or a device. The identity
/// becomes that of what was read.
FileContent read(const fs::path &file, FileIdentity &identity) {
  FileContent content;
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (opened.number < 0 || fstat(opened.number, &status) != 0) {
    content.error = errno;
    return content;
  }
  identity = identify(status);
  if (!S_ISREG(status.st_mode)) {
    content.error = kNoFile;
    return content;
  }
  content.text.resize(kMaxFile + 1);
  std::size_t size = 0;
  while (size < content.text.size()) {
    const ssize_t got = ::read(opened.number, &content.text[size], content.text.size() - size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      content.error = errno;
    if (got <= 0)
      break;
    size += static_cast<std::size_t>(got);
  }
  content.complete = size <= kMaxFile;
  content.text.resize(std::min(size, kMaxFile));
  if (content.error != 0)
    content.text.clear(); // half a file says nothing
  return content;
}

// ── the state of the process ────────────────────────────────────────────────────────────────────

using Snapshot = std::shared_ptr<const Configuration>;

/// For the state and for making it. A fork waits for it.
constinit std::mutex stateMutex;
[[maybe_unused]] const bool atLoad =
    (detail::lockDuringFork(detail::ForkOrder::settings, stateMutex), true);

class State {
public:
  /// Reads file and environment if the file has changed, or in any case. Returns what the
  /// diagnostics hook is to be told, as it must not be called with the lock held.
  std::vector<std::string> refresh(bool inAnyCase = false);
  /// The same for another file.
  std::vector<std::string> readFrom(const fs::path &file);
  Snapshot snapshot() {
    const std::lock_guard lock(stateMutex);
    return current_;
  }

  /// What the program has set.
  struct Program {
    std::optional<std::size_t> tapeMemory, processMemory;
    std::optional<fs::path> tapeDirectory;
  };
  template <class T> void set(std::optional<T> Program::*setting, std::optional<T> value) {
    const std::lock_guard lock(stateMutex);
    Program changed = program_;
    changed.*setting = std::move(value);
    publish(withProgram(*read_, changed));
    program_ = std::move(changed);
  }

private:
  static Snapshot withProgram(Configuration configuration, const Program &program);
  void publish(Snapshot settings) noexcept {
    current_ = std::move(settings);
    detail::SpillGroup::defaultBudgets(current_->tapeMemory.value, current_->processMemory.value);
  }
  std::vector<std::string> refreshLocked(bool inAnyCase);

  fs::path file_{detail::kConfigurationFile};
  bool named_ = false; // by the program: it should exist
  bool everRead_ = false;
  FileIdentity identity_;
  bool settled_ = false;
  fs::path absolute_;
  FileContent content_;
  Snapshot read_ = std::make_shared<const Configuration>();
  Program program_;
  Snapshot current_ = read_;
};

/// Never destroyed: static variables may make tapes at the end of the process.
/// Made when it is needed: most programs have no settings.
State &state() {
  static constinit std::atomic<State *> instance{nullptr};
  State *made = instance.load(std::memory_order_acquire);
  if (made == nullptr) {
    const std::lock_guard lock(stateMutex);
    made = instance.load(std::memory_order_relaxed);
    if (made == nullptr) { // else another thread was faster
      made = new State;
      instance.store(made, std::memory_order_release);
      detail::settingsInUse = true;
    }
  }
  return *made;
}

Snapshot State::withProgram(Configuration configuration, const Program &program) {
  const auto overrule = [](auto &setting, const auto &value) {
    if (value)
      setting = {*value, SettingOrigin::Program};
  };
  overrule(configuration.tapeMemory, program.tapeMemory);
  overrule(configuration.processMemory, program.processMemory);
  overrule(configuration.tapeDirectory, program.tapeDirectory);
  return std::make_shared<const Configuration>(std::move(configuration));
}

std::vector<std::string> State::refresh(bool inAnyCase) {
  const std::lock_guard lock(stateMutex);
  return refreshLocked(inAnyCase);
}

std::vector<std::string> State::readFrom(const fs::path &file) {
  std::error_code error;
  fs::path next = file.empty() ? fs::path(detail::kConfigurationFile) : fs::absolute(file, error);
  if (error)
    next = file;
  const std::lock_guard lock(stateMutex);
  file_ = std::move(next);
  named_ = !file.empty();
  return refreshLocked(true);
}

std::vector<std::string> State::refreshLocked(bool inAnyCase) {
  const bool must = inAnyCase || !everRead_;
  FileIdentity identity = look(file_);
  if (!must && settled_ && identity == identity_)
    return {};

  FileContent content;
  if (identity.error == 0)
    content = read(file_, identity);
  else
    content.error = identity.error;
  std::error_code error;
  fs::path absolute = fs::absolute(file_, error);
  if (error)
    absolute = file_;
  const bool changed = content != content_ || absolute != absolute_;
  Snapshot fresh = read_, current = current_;
  std::vector<std::string> news;
  if (must || changed) {
    Reader reader;
    if (content.error == 0) {
      reader.configuration.file = absolute;
      reader.file(content.text, content.complete);
    } else if (content.error != ENOENT || named_) {
      reader.warn(absolute.string(), "cannot be read: " + problem(content.error));
    }
    reader.environment();
    news = reader.configuration.warnings;
    fresh = std::make_shared<const Configuration>(std::move(reader.configuration));
    current = withProgram(*fresh, program_);
  }
  // From here on nothing can fail.
  everRead_ = true;
  identity_ = identity;
  settled_ = isSettled(identity);
  absolute_ = std::move(absolute);
  content_ = std::move(content);
  read_ = std::move(fresh);
  publish(std::move(current));
  return news;
}

[[noreturn]] void failWithoutMemory(const ADOLCError::source_location &where) {
  ADOLCError::fail(ADOLCError::ErrorType::MALLOC_FAILED, where, {.info1 = -1});
}

void diagnoseAll(const std::vector<std::string> &messages) {
  for (const std::string &message : messages)
    detail::diagnose(message);
}

} // namespace

// ── the interface ───────────────────────────────────────────────────────────────────────────────

void detail::refreshSettingsInUse() {
  try {
    diagnoseAll(state().refresh());
  } catch (const std::bad_alloc &) {
    // the former settings stay
  }
}

detail::TapeDefaults detail::tapeDefaultsInUse() {
  const Snapshot chosen = state().snapshot();
  TapeDefaults defaults;
  std::size_t *size = defaults.bufferSizes.data();
  for (const auto *setting : {&chosen->operationBufferSize, &chosen->locationBufferSize,
                              &chosen->valueBufferSize, &chosen->taylorBufferSize}) {
    *size++ = setting->value;
    defaults.buffersLimited = defaults.buffersLimited || setting->origin != SettingOrigin::Default;
  }
  defaults.initialStoreSize = chosen->initialStoreSize.value;
  return defaults;
}

Snapshot detail::settings() { return state().snapshot(); }

Configuration configuration() try {
  diagnoseAll(state().refresh());
  return *state().snapshot();
} catch (const std::bad_alloc &) {
  failWithoutMemory(CURRENT_LOCATION);
}

Configuration readConfiguration(const fs::path &file) try {
  diagnoseAll(state().readFrom(file));
  return *state().snapshot();
} catch (const std::bad_alloc &) {
  failWithoutMemory(CURRENT_LOCATION);
}

void setTapeMemory(std::optional<std::size_t> bytes) try {
  state().set(&State::Program::tapeMemory, bytes);
} catch (const std::bad_alloc &) {
  failWithoutMemory(CURRENT_LOCATION);
}

void setProcessMemory(std::optional<std::size_t> bytes) try {
  state().set(&State::Program::processMemory, bytes);
} catch (const std::bad_alloc &) {
  failWithoutMemory(CURRENT_LOCATION);
}

void setTapeDirectory(const fs::path &directory) try {
  std::optional<fs::path> value;
  if (!directory.empty()) {
    value = existingDirectory(directory);
    if (value->empty())
      throw ADOLCError::ADOLCError("setTapeDirectory: expected an existing directory, came " +
                                       inQuotes(directory.string()),
                                   CURRENT_LOCATION, ADOLCError::ErrorType::CANNOT_OPEN_FILE);
  }
  state().set(&State::Program::tapeDirectory, std::move(value));
} catch (const std::bad_alloc &) {
  failWithoutMemory(CURRENT_LOCATION);
}

} // namespace ADOLC
