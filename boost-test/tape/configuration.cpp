// SPDX-License-Identifier: MIT
// Settings from the file .adolcrc, the environment and the program.
#include "support/capture.h"
#include "support/expect.h"

#include <adolc/configuration.h>
#include <adolc/valuetape/store.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace test;
using ADOLC::Configuration;
using ADOLC::configuration;
using ADOLC::readConfiguration;
using ADOLC::SettingOrigin;
namespace fs = std::filesystem;

namespace {

constexpr const char *kVariables[] = {
    "ADOLC_OBUFSIZE",    "ADOLC_LBUFSIZE",       "ADOLC_VBUFSIZE",
    "ADOLC_TBUFSIZE",    "ADOLC_INITLIVE",       "ADOLC_TAPE_DIR",
    "ADOLC_TAPE_MEMORY", "ADOLC_PROCESS_MEMORY", "ADOLC_NONSENSE"};

/// An empty working directory of its own, nothing in the environment, nothing set by the program.
struct Workplace : CleanThread {
  Workplace() {
    clean();
    std::string name = (fs::temp_directory_path() / "adolc-configuration-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    directory = fs::canonical(name);
    fs::current_path(directory);
    readConfiguration();
    ADOLC::setDiagnosticsHook([this](std::string_view text) { diagnosed.emplace_back(text); });
  }
  ~Workplace() {
    ADOLC::setDiagnosticsHook({});
    clean();
    fs::current_path(before);
    fs::remove_all(directory);
    readConfiguration();
  }
  static void clean() {
    for (const char *const variable : kVariables)
      unsetenv(variable);
    ADOLC::setTapeMemory(std::nullopt);
    ADOLC::setProcessMemory(std::nullopt);
    ADOLC::setTapeDirectory({});
  }

  const fs::path before = fs::current_path();
  fs::path directory;
  std::vector<std::string> diagnosed;
};

void write(const fs::path &file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  BOOST_REQUIRE(out.flush().good());
}

/// The configuration of a file with this text in the working directory.
Configuration readText(std::string_view text) {
  write(".adolcrc", text);
  return configuration();
}

std::size_t obufsize(const Configuration &c) { return c.operationBufferSize.value; }

/// One warning, with all the words in it.
void expectWarning(const Configuration &c, std::initializer_list<std::string_view> words) {
  BOOST_REQUIRE_EQUAL(c.warnings.size(), 1u);
  for (const std::string_view word : words)
    BOOST_TEST(c.warnings[0].find(word) != std::string::npos,
               "\"" << word << "\" is missing in: " << c.warnings[0]);
}

void expectDefaults(const Configuration &c) {
  BOOST_TEST(c.operationBufferSize.value == 524288u);
  BOOST_TEST(c.locationBufferSize.value == 524288u);
  BOOST_TEST(c.valueBufferSize.value == 524288u);
  BOOST_TEST(c.taylorBufferSize.value == 524288u);
  BOOST_TEST(c.initialStoreSize.value == 4u);
  BOOST_TEST(c.tapeMemory.value == 0u);
  BOOST_TEST(c.processMemory.value == 0u);
  BOOST_TEST(c.tapeDirectory.value == ".");
  for (const SettingOrigin origin :
       {c.operationBufferSize.origin, c.locationBufferSize.origin, c.valueBufferSize.origin,
        c.taylorBufferSize.origin, c.initialStoreSize.origin, c.tapeMemory.origin,
        c.processMemory.origin, c.tapeDirectory.origin})
    BOOST_TEST((origin == SettingOrigin::Default));
}

std::array<std::size_t, 4> sizes(const ValueTape &tape) {
  return {tape.operationBufferSize(), tape.locationBufferSize(), tape.valueBufferSize(),
          tape.taylorBufferSize()};
}

constexpr std::size_t kUntouched = 524288;

} // namespace

BOOST_FIXTURE_TEST_SUITE(configuration_of_the_process, Workplace)

BOOST_AUTO_TEST_CASE(no_file) {
  const Configuration c = configuration();
  expectDefaults(c);
  BOOST_TEST(c.file.empty());
  BOOST_TEST(c.warnings.empty());
  BOOST_TEST(diagnosed.empty());
}

BOOST_AUTO_TEST_CASE(all_keys) {
  fs::create_directory("tapes");
  const Configuration c = readText("\"OBUFSIZE\" \"1001\"\n\"LBUFSIZE\" \"1002\"\n"
                                   "\"VBUFSIZE\" \"1003\"\n\"TBUFSIZE\" \"1004\"\n"
                                   "\"INITLIVE\" \"100\"\n\"TAPE_DIR\" \"tapes\"\n"
                                   "\"TAPE_MEMORY\" \"3M\"\n\"PROCESS_MEMORY\" \"2G\"\n");
  BOOST_TEST(c.warnings.empty());
  BOOST_TEST(c.file == directory / ".adolcrc");
  BOOST_TEST(c.operationBufferSize.value == 1001u);
  BOOST_TEST(c.locationBufferSize.value == 1002u);
  BOOST_TEST(c.valueBufferSize.value == 1003u);
  BOOST_TEST(c.taylorBufferSize.value == 1004u);
  BOOST_TEST(c.initialStoreSize.value == 100u);
  BOOST_TEST(c.tapeDirectory.value == directory / "tapes");
  BOOST_TEST(c.tapeMemory.value == 3u * 1024 * 1024);
  BOOST_TEST(c.processMemory.value == 2u * 1024 * 1024 * 1024);
  for (const SettingOrigin origin :
       {c.operationBufferSize.origin, c.locationBufferSize.origin, c.valueBufferSize.origin,
        c.taylorBufferSize.origin, c.initialStoreSize.origin, c.tapeMemory.origin,
        c.processMemory.origin, c.tapeDirectory.origin})
    BOOST_TEST((origin == SettingOrigin::File));
}

// A line, what it makes of OBUFSIZE, and a word of its warning, if there is one.
BOOST_AUTO_TEST_CASE(lines) {
  struct Row {
    std::string line;
    std::size_t value;
    std::string_view warning;
  };
  const std::string most = std::to_string(PTRDIFF_MAX / 8);
  const std::string tooMuch = std::to_string(PTRDIFF_MAX / 8 + 1);
  const Row rows[] = {
      // quotes
      {"\"OBUFSIZE\" \"7\"", 7, ""},
      {"\"OBUFSIZE\"\"7\"", 7, ""},
      {"  \"OBUFSIZE\" = \"7\"", 7, ""},
      {"set \"OBUFSIZE\" to \"7\" elements", 7, ""},
      {"\"OBUFSIZE\" \"7\" \"8\" \"", 7, ""},
      {"\xef\xbb\xbf\"OBUFSIZE\" \"7\"", 7, ""},
      {"\"OBUFSIZE\" \"7\"\r", 7, ""},
      {"\"OBUFSIZE\" \"7\"\n\"OBUFSIZE\" \"9\"", 9, ""},
      {"\"OBUFSIZE\" \"7\"\n\"OBUFSIZE\" \"1\"", 7, "too small"},
      {"", kUntouched, ""},
      {"OBUFSIZE 7", kUntouched, ""},
      {"# 'OBUFSIZE' '7'", kUntouched, ""},
      {"\"OBUFSIZE 7", kUntouched, "found 1 of four"},
      {"\"OBUFSIZE\" 7", kUntouched, "found 2 of four"},
      {"\"OBUFSIZE\" \"7", kUntouched, "found 3 of four"},
      // keys
      {"\"OBUFSIZES\" \"7\"", kUntouched, "unknown key \"OBUFSIZES\""},
      {"\"obufsize\" \"7\"", kUntouched, "unknown key"},
      {"\" OBUFSIZE\" \"7\"", kUntouched, "unknown key"},
      {"\"\" \"7\"", kUntouched, "unknown key \"\""},
      {"\"ADOLC_OBUFSIZE\" \"7\"", kUntouched, "unknown key"},
      // numbers
      {"\"OBUFSIZE\" \"2\"", 2, ""},
      {"\"OBUFSIZE\" \"010\"", 8, ""},
      {"\"OBUFSIZE\" \"00017\"", 15, ""},
      {"\"OBUFSIZE\" \"0x1F\"", 31, ""},
      {"\"OBUFSIZE\" \"0XfF\"", 255, ""},
      {"\"OBUFSIZE\" \"" + most + "\"", PTRDIFF_MAX / 8, ""},
      {"\"OBUFSIZE\" \"0\"", kUntouched, "at least 2"},
      {"\"OBUFSIZE\" \"0x0\"", kUntouched, "at least 2"},
      {"\"OBUFSIZE\" \"1\"", kUntouched, "at least 2"},
      {"\"OBUFSIZE\" \"" + tooMuch + "\"", kUntouched, "at most "},
      {"\"OBUFSIZE\" \"18446744073709551616\"", kUntouched, "too large"},
      {"\"OBUFSIZE\" \"99999999999999999999999999\"", kUntouched, "too large"},
      {"\"OBUFSIZE\" \"0x10000000000000000\"", kUntouched, "too large"},
      {"\"OBUFSIZE\" \"99999999999999999999999999!\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"-7\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"+7\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \" 7\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"7 \"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"7.5\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"1e3\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"08\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"0x\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"0x-7\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"0xfg\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"ff\"", kUntouched, "number"},
      {"\"OBUFSIZE\" \"4K\"", kUntouched, "number"}, // elements have no unit
      {"\"OBUFSIZE\" \"inf\"", kUntouched, "number"},
  };
  for (const Row &row : rows) {
    BOOST_TEST_CONTEXT("line " << row.line) {
      diagnosed.clear();
      const Configuration c = readText(row.line);
      BOOST_TEST(obufsize(c) == row.value);
      BOOST_TEST((c.operationBufferSize.origin ==
                  (row.value == kUntouched ? SettingOrigin::Default : SettingOrigin::File)));
      if (row.warning.empty())
        BOOST_TEST(c.warnings.empty());
      else
        expectWarning(c, {row.warning, ".adolcrc:"});
      BOOST_TEST(diagnosed == c.warnings, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(least_and_largest_values) {
  struct Row {
    const char *key;
    ADOLC::Setting<std::size_t> Configuration::*setting;
    std::size_t least, most;
  };
  const Row rows[] = {
      {"OBUFSIZE", &Configuration::operationBufferSize, 2, PTRDIFF_MAX / 8},
      {"LBUFSIZE", &Configuration::locationBufferSize, 12, PTRDIFF_MAX / 8},
      {"VBUFSIZE", &Configuration::valueBufferSize, 6, PTRDIFF_MAX / 8},
      {"TBUFSIZE", &Configuration::taylorBufferSize, 1, PTRDIFF_MAX / 8},
      {"INITLIVE", &Configuration::initialStoreSize, 0, 0xffffffff},
      {"TAPE_MEMORY", &Configuration::tapeMemory, 0, SIZE_MAX},
      {"PROCESS_MEMORY", &Configuration::processMemory, 0, SIZE_MAX},
  };
  const auto read = [](const char *key, std::size_t value) {
    return readText('"' + std::string(key) + "\" \"" + std::to_string(value) + '"');
  };
  for (const Row &row : rows) {
    BOOST_TEST_CONTEXT(row.key) {
      for (const std::size_t good : {row.least, row.most}) {
        const Configuration c = read(row.key, good);
        BOOST_TEST((c.*row.setting).value == good);
        BOOST_TEST(((c.*row.setting).origin == SettingOrigin::File));
        BOOST_TEST(c.warnings.empty());
      }
      if (row.least != 0) {
        const Configuration c = read(row.key, row.least - 1);
        expectWarning(c, {row.key, "at least " + std::to_string(row.least)});
        expectDefaults(c);
      }
      if (row.most != SIZE_MAX) {
        const Configuration c = read(row.key, row.most + 1);
        expectWarning(c, {row.key, "at most " + std::to_string(row.most)});
        expectDefaults(c);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(units_of_bytes) {
  struct Row {
    const char *text;
    std::size_t value;
    std::string_view warning;
  };
  const Row rows[] = {
      {"0", 0, ""},
      {"0K", 0, ""},
      {"1", 1, ""},
      {"3K", 3u << 10, ""},
      {"3k", 3u << 10, ""},
      {"3M", 3u << 20, ""},
      {"3m", 3u << 20, ""},
      {"3G", std::size_t{3} << 30, ""},
      {"3g", std::size_t{3} << 30, ""},
      {"010K", 8u << 10, ""},
      {"0x10M", 16u << 20, ""},
      {"17179869183G", std::size_t{17179869183u} << 30, ""},
      {"17179869184G", 0, "too large"},
      {"18446744073709551615", SIZE_MAX, ""},
      {"18446744073709551615K", 0, "too large"},
      {"K", 0, "K, M or G"},
      {"", 0, "K, M or G"},
      {"3KB", 0, "K, M or G"},
      {"3KK", 0, "K, M or G"},
      {"3 K", 0, "K, M or G"},
      {"3T", 0, "K, M or G"},
      {"-3K", 0, "K, M or G"},
      {"1.5G", 0, "K, M or G"},
  };
  for (const Row &row : rows) {
    BOOST_TEST_CONTEXT("value " << row.text) {
      const Configuration c = readText("\"TAPE_MEMORY\" \"" + std::string(row.text) + '"');
      BOOST_TEST(c.tapeMemory.value == row.value);
      BOOST_TEST((c.tapeMemory.origin ==
                  (row.warning.empty() ? SettingOrigin::File : SettingOrigin::Default)));
      if (row.warning.empty())
        BOOST_TEST(c.warnings.empty());
      else
        expectWarning(c, {row.warning, "TAPE_MEMORY"});
    }
  }
}

BOOST_AUTO_TEST_CASE(warnings_name_file_and_line) {
  const Configuration c = readText("\"OBUFSIZE\" \"7\"\r\n\r\nno quotes\r\n\"VBUFSIZE\" \"x\"\r\n"
                                   "\"LBUFSIZE\" \"20\"\r\n\"TBUFSIZE\"\r\n");
  const std::string file = (directory / ".adolcrc").string();
  BOOST_TEST(obufsize(c) == 7u);
  BOOST_TEST(c.locationBufferSize.value == 20u);
  BOOST_REQUIRE_EQUAL(c.warnings.size(), 2u);
  BOOST_TEST(c.warnings[0].starts_with(file + ":4: VBUFSIZE \"x\""));
  BOOST_TEST(c.warnings[1].starts_with(file + ":6: "));
}

BOOST_AUTO_TEST_CASE(long_lines_end_the_reading) {
  const std::string entry = "\"OBUFSIZE\" \"7\"";
  const std::string hundred = entry + std::string(100 - entry.size(), ' ');
  for (const char *const end : {"\n", "\r\n"}) {
    const Configuration fits = readText(hundred + end + "\"TBUFSIZE\" \"8\"" + end);
    BOOST_TEST(obufsize(fits) == 7u);
    BOOST_TEST(fits.taylorBufferSize.value == 8u);
    BOOST_TEST(fits.warnings.empty());

    const Configuration stops =
        readText("\"LBUFSIZE\" \"12\"" + (end + hundred) + '.' + end + "\"TBUFSIZE\" \"8\"" + end);
    BOOST_TEST(stops.locationBufferSize.value == 12u);
    BOOST_TEST(obufsize(stops) == kUntouched);
    BOOST_TEST(stops.taylorBufferSize.value == kUntouched);
    expectWarning(stops, {".adolcrc:2: ", "100 characters"});
  }
  // Also a line without quotes.
  const Configuration c = readText(std::string(101, '#') + '\n' + entry);
  BOOST_TEST(obufsize(c) == kUntouched);
  expectWarning(c, {".adolcrc:1: "});
}

BOOST_AUTO_TEST_CASE(binary_garbage) {
  std::uint32_t seed = 12345;
  for (int round = 0; round < 300; ++round) {
    std::string text(2000, '\0');
    for (char &c : text) {
      seed = seed * 1664525u + 1013904223u;
      const unsigned byte = seed >> 24;
      c = byte < 40 ? '"' : byte < 80 ? '\n' : static_cast<char>(byte);
    }
    const Configuration c = readText(text);
    expectDefaults(c);
    for (const std::string &warning : c.warnings)
      for (const char sign : warning)
        BOOST_REQUIRE((static_cast<unsigned char>(sign) >= ' ' && sign != '\x7f'));
    BOOST_TEST(c.warnings.size() >= 1u);
  }
  using namespace std::string_literals;
  expectWarning(readText("\"OBUF\0SIZE\" \"7\""s), {"unknown key \"OBUF?SIZE\""});
  expectWarning(readText("\"OBUFSIZE\" \"7\0\""s), {"\"7?\"", "number"});
  expectWarning(readText("\"TAPE_DIR\" \"/\0nowhere\""s), {"\"/?nowhere\"", "directory"});
}

BOOST_AUTO_TEST_CASE(huge_files) {
  const std::string filler(99, '.'), entry = "\"OBUFSIZE\" \"7\"\n";
  std::string text;
  while (text.size() + 100 + entry.size() <= 65536)
    text += filler + '\n';
  text += std::string(65536 - entry.size() - text.size() - 1, '.') + '\n';
  const Configuration fits = readText(text + entry);
  BOOST_TEST(obufsize(fits) == 7u);
  BOOST_TEST(fits.warnings.empty());

  // The line that is cut off is not used, not even in parts.
  const Configuration cut = readText(text + "\"OBUFSIZE\" \"77\"\n");
  BOOST_TEST(obufsize(cut) == kUntouched);
  expectWarning(cut, {"65536 characters", ".adolcrc: "});

  write(".adolcrc", entry);
  fs::resize_file(".adolcrc", std::uintmax_t{1} << 40); // a hole of a terabyte
  const Configuration hole = configuration();
  BOOST_TEST(obufsize(hole) == 7u);
  BOOST_TEST(hole.warnings.size() >= 1u);
}

BOOST_AUTO_TEST_CASE(things_that_are_no_file) {
  const auto expectUnreadable = [](const Configuration &c, std::string_view word) {
    expectDefaults(c);
    BOOST_TEST(c.file.empty());
    expectWarning(c, {"cannot be read", word, ".adolcrc"});
  };
  fs::create_directory(".adolcrc");
  expectUnreadable(configuration(), "not a regular file");
  fs::remove(".adolcrc");

  BOOST_REQUIRE(mkfifo(".adolcrc", 0600) == 0);
  expectUnreadable(configuration(), "not a regular file"); // and nobody waits for a writer
  fs::remove(".adolcrc");

  fs::create_symlink(".adolcrc", ".adolcrc");
  expectUnreadable(configuration(), "");
  fs::remove(".adolcrc");

  fs::create_symlink("/dev/zero", ".adolcrc");
  expectUnreadable(configuration(), "not a regular file");
  fs::remove(".adolcrc");

  // A regular file that opens and cannot be read, also by root: nothing is at address 0.
  if (fs::is_regular_file("/proc/self/mem")) {
    fs::create_symlink("/proc/self/mem", ".adolcrc");
    expectUnreadable(configuration(), "");
    fs::remove(".adolcrc");
  }
  if (geteuid() != 0) {
    write(".adolcrc", "\"OBUFSIZE\" \"7\"");
    fs::permissions(".adolcrc", fs::perms::none);
    expectUnreadable(configuration(), "ermission");
    fs::remove(".adolcrc");
  }
  fs::create_symlink("nowhere", ".adolcrc"); // as good as absent
  const Configuration c = configuration();
  expectDefaults(c);
  BOOST_TEST(c.warnings.empty());
}

BOOST_AUTO_TEST_CASE(directory_of_tape_files) {
  fs::create_directory("tapes");
  write("plain", "");
  const Configuration relative = readText("\"TAPE_DIR\" \"tapes\"");
  BOOST_TEST(relative.tapeDirectory.value == directory / "tapes");
  const Configuration absolute = readText("\"TAPE_DIR\" \"/\"");
  BOOST_TEST(absolute.tapeDirectory.value == "/");
  for (const char *const bad : {"nowhere", "plain", ""}) {
    const Configuration c = readText("\"TAPE_DIR\" \"" + std::string(bad) + '"');
    expectDefaults(c);
    expectWarning(c, {"TAPE_DIR \"" + std::string(bad) + '"', "no existing directory"});
  }
  const Configuration kept = readText("\"TAPE_DIR\" \"tapes\"\n\"TAPE_DIR\" \"nowhere\"");
  BOOST_TEST(kept.tapeDirectory.value == directory / "tapes");
}

// ── the other sources ───────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(environment) {
  fs::create_directory("tapes");
  setenv("ADOLC_OBUFSIZE", "0x20", 1);
  setenv("ADOLC_TAPE_MEMORY", "5K", 1);
  setenv("ADOLC_TAPE_DIR", "tapes", 1);
  setenv("ADOLC_VBUFSIZE", "5", 1);
  setenv("ADOLC_TBUFSIZE", "", 1);
  setenv("ADOLC_NONSENSE", "5", 1); // may belong to somebody else
  const Configuration c = readConfiguration();
  BOOST_TEST(c.operationBufferSize.value == 32u);
  BOOST_TEST((c.operationBufferSize.origin == SettingOrigin::Environment));
  BOOST_TEST(c.tapeMemory.value == 5u * 1024);
  BOOST_TEST((c.tapeMemory.origin == SettingOrigin::Environment));
  BOOST_TEST(c.tapeDirectory.value == directory / "tapes");
  BOOST_TEST((c.tapeDirectory.origin == SettingOrigin::Environment));
  BOOST_TEST(c.valueBufferSize.value == kUntouched);
  BOOST_TEST((c.taylorBufferSize.origin == SettingOrigin::Default));
  expectWarning(c, {"environment variable ADOLC_VBUFSIZE", "\"5\"", "at least 6"});
  BOOST_TEST(diagnosed == c.warnings, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_key_has_a_variable) {
  const auto expectFrom = [](SettingOrigin origin) {
    const Configuration c = readConfiguration();
    BOOST_TEST(c.warnings.empty());
    for (const SettingOrigin each :
         {c.operationBufferSize.origin, c.locationBufferSize.origin, c.valueBufferSize.origin,
          c.taylorBufferSize.origin, c.initialStoreSize.origin, c.tapeMemory.origin,
          c.processMemory.origin, c.tapeDirectory.origin})
      BOOST_TEST((each == origin));
  };
  expectFrom(SettingOrigin::Default);
  for (const char *const variable : kVariables)
    setenv(variable, std::string_view(variable).ends_with("_DIR") ? "/" : "50", 1);
  expectFrom(SettingOrigin::Environment);
}

BOOST_AUTO_TEST_CASE(precedence) {
  fs::create_directory("file");
  fs::create_directory("environment");
  fs::create_directory("program");
  const auto expect = [this](const Configuration &c, SettingOrigin origin, std::size_t bytes,
                             const char *name) {
    BOOST_TEST((c.tapeMemory.origin == origin));
    BOOST_TEST((c.processMemory.origin == origin));
    BOOST_TEST((c.tapeDirectory.origin == origin));
    BOOST_TEST(c.tapeMemory.value == bytes);
    BOOST_TEST(c.processMemory.value == 10 * bytes);
    BOOST_TEST(c.tapeDirectory.value == directory / name);
  };
  expect(readText("\"TAPE_MEMORY\" \"100\"\n\"PROCESS_MEMORY\" \"1000\"\n\"TAPE_DIR\" \"file\"\n"),
         SettingOrigin::File, 100, "file");

  setenv("ADOLC_TAPE_MEMORY", "200", 1);
  setenv("ADOLC_PROCESS_MEMORY", "2000", 1);
  setenv("ADOLC_TAPE_DIR", "environment", 1);
  expect(readConfiguration(), SettingOrigin::Environment, 200, "environment");

  ADOLC::setTapeMemory(300);
  ADOLC::setProcessMemory(3000);
  ADOLC::setTapeDirectory("program");
  expect(configuration(), SettingOrigin::Program, 300, "program");
  expect(readConfiguration(), SettingOrigin::Program, 300, "program");
  ADOLC::setTapeMemory(0); // no limit, whatever the others say
  BOOST_TEST(configuration().tapeMemory.value == 0u);
  BOOST_TEST((configuration().tapeMemory.origin == SettingOrigin::Program));

  ADOLC::setTapeMemory(std::nullopt);
  ADOLC::setProcessMemory(std::nullopt);
  ADOLC::setTapeDirectory({});
  expect(configuration(), SettingOrigin::Environment, 200, "environment");

  // A bad value gives way to the one that would hold without it.
  setenv("ADOLC_TAPE_MEMORY", "-1", 1);
  setenv("ADOLC_PROCESS_MEMORY", "", 1);
  setenv("ADOLC_TAPE_DIR", "nowhere", 1);
  const Configuration c = readConfiguration();
  expect(c, SettingOrigin::File, 100, "file");
  BOOST_TEST(c.warnings.size() == 2u);
}

BOOST_AUTO_TEST_CASE(the_program_names_an_existing_directory) {
  write("plain", "");
  using namespace std::string_literals;
  for (const std::string &bad : {"nowhere"s, "plain"s, "/\0nowhere"s})
    expectError(ErrorType::CANNOT_OPEN_FILE, {"setTapeDirectory", "existing directory"},
                [&] { ADOLC::setTapeDirectory(bad); });
  expectDefaults(configuration());
  ADOLC::setTapeDirectory("/");
  expectError(ErrorType::CANNOT_OPEN_FILE, {"\"nowhere\""},
              [] { ADOLC::setTapeDirectory("nowhere"); });
  BOOST_TEST(configuration().tapeDirectory.value == "/");
}

// ── when it is read ─────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(new_tapes_have_the_sizes_of_the_file) {
  const short before = createNewTape();
  write(".adolcrc", "\"OBUFSIZE\" \"101\"\n\"LBUFSIZE\" \"102\"\n\"VBUFSIZE\" \"103\"\n"
                    "\"TBUFSIZE\" \"104\"\n");
  const std::array<std::size_t, 4> expected{101, 102, 103, 104};
  const short made = createNewTape();
  BOOST_TEST(sizes(findTape(made)) == expected, boost::test_tools::per_element());
  const short tag = 4321;
  recordScalar(tag, {1.0}, [](auto &x) { return x[0] * 2.0; });
  BOOST_TEST(sizes(findTape(tag)) == expected, boost::test_tools::per_element());
  const auto stats = tapestats(tag);
  BOOST_TEST(stats[TapeInfos::OP_BUFFER_SIZE] == 101u);
  BOOST_TEST(stats[TapeInfos::LOC_BUFFER_SIZE] == 102u);
  BOOST_TEST(stats[TapeInfos::VAL_BUFFER_SIZE] == 103u);
  BOOST_TEST(stats[TapeInfos::TAY_BUFFER_SIZE] == 104u);
  BOOST_TEST(findTape(before).operationBufferSize() == kUntouched); // it has what it had

  // A removed tape that comes back is a new one. What a program says of a tape goes first.
  findTape(tag).operationBufferSize(9);
  ADOLC::removeTape(tag);
  write(".adolcrc", "\"OBUFSIZE\" \"201\"\n");
  trace_on(tag);
  trace_off();
  BOOST_TEST(findTape(tag).operationBufferSize() == 201u);
  BOOST_TEST(findTape(tag).locationBufferSize() == kUntouched);
  trace_on(tag, 0, 3, 20, 30, 40);
  trace_off();
  BOOST_TEST(tapestats(tag)[TapeInfos::OP_BUFFER_SIZE] == 3u);
}

BOOST_AUTO_TEST_CASE(looked_at_for_every_tape_and_read_when_changed) {
  BOOST_TEST(findTape(createNewTape()).operationBufferSize() == kUntouched);
  // As fast as can be, with texts of one length: times and size may be the same.
  for (std::size_t size = 100; size < 200; ++size) {
    write(".adolcrc", "\"OBUFSIZE\" \"" + std::to_string(size) + "\" \"bad");
    BOOST_REQUIRE_EQUAL(findTape(createNewTape()).operationBufferSize(), size);
  }
  BOOST_TEST(diagnosed.empty());
  fs::remove(".adolcrc");
  BOOST_TEST(findTape(createNewTape()).operationBufferSize() == kUntouched);

  // What has not changed is not told again.
  readText("\"OBUFSIZE\" \"bad\"");
  BOOST_TEST(diagnosed.size() == 1u);
  const Configuration c = configuration();
  createNewTape();
  BOOST_TEST(c.warnings.size() == 1u);
  BOOST_TEST(diagnosed.size() == 1u);
  readConfiguration();
  BOOST_TEST(diagnosed.size() == 2u);

  // Elsewhere there is another file, and the same text means another directory.
  fs::create_directory("other");
  for (const char *const file : {".adolcrc", "other/.adolcrc"})
    write(file, "\"TAPE_DIR\" \".\"");
  BOOST_TEST(configuration().tapeDirectory.value == directory / ".");
  fs::current_path("other");
  BOOST_TEST(configuration().tapeDirectory.value == directory / "other" / ".");
  BOOST_TEST(configuration().file == directory / "other" / ".adolcrc");
  fs::remove(".adolcrc");
  expectDefaults(configuration());
}

// A second write to a page that is mapped and written already leaves no trace in the times.
BOOST_AUTO_TEST_CASE(change_that_the_times_do_not_tell) {
  const std::string before = "\"OBUFSIZE\" \"31\"", after = "\"OBUFSIZE\" \"32\"";
  write(".adolcrc", before);
  const int file = open(".adolcrc", O_RDWR | O_CLOEXEC);
  BOOST_REQUIRE(file >= 0);
  void *const page = mmap(nullptr, before.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  BOOST_REQUIRE(page != MAP_FAILED);
  std::copy(before.begin(), before.end(), static_cast<char *>(page));
  const std::size_t first = obufsize(configuration());
  std::copy(after.begin(), after.end(), static_cast<char *>(page));
  const std::size_t second = obufsize(configuration());
  munmap(page, before.size());
  BOOST_TEST(first == 31u);
  BOOST_TEST(second == 32u);
}

// After a while the system's notes about the file are relied on.
BOOST_AUTO_TEST_CASE(settled_file) {
  readText("\"OBUFSIZE\" \"7\"");
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  configuration();
  setenv("ADOLC_OBUFSIZE", "8", 1);
  BOOST_TEST(obufsize(configuration()) == 7u); // the environment is read along with the file only
  BOOST_TEST(obufsize(readText("\"OBUFSIZE\" \"9\"")) == 8u);
  unsetenv("ADOLC_OBUFSIZE");
  BOOST_TEST(obufsize(readText("\"OBUFSIZE\" \"6\"")) == 6u);
}

BOOST_AUTO_TEST_CASE(another_file) {
  write(".adolcrc", "\"OBUFSIZE\" \"7\"");
  write("settings", "\"LBUFSIZE\" \"70\"");
  const Configuration c = readConfiguration("settings");
  BOOST_TEST(c.file == directory / "settings");
  BOOST_TEST(c.locationBufferSize.value == 70u);
  BOOST_TEST(obufsize(c) == kUntouched);
  BOOST_TEST(c.warnings.empty());
  BOOST_TEST(findTape(createNewTape()).locationBufferSize() == 70u);
  write("settings", "\"LBUFSIZE\" \"71\"");
  fs::create_directory("other");
  fs::current_path("other"); // it is the same file from here
  BOOST_TEST(findTape(createNewTape()).locationBufferSize() == 71u);

  const Configuration missing = readConfiguration("nowhere");
  expectDefaults(missing);
  BOOST_TEST(missing.file.empty());
  expectWarning(missing, {(directory / "other" / "nowhere").string(), "cannot be read"});
  using namespace std::string_literals;
  const Configuration zero = readConfiguration(directory / "settings\0.other"s);
  expectDefaults(zero);
  expectWarning(zero, {"settings", "cannot be read"});
  fs::current_path(directory);
  BOOST_TEST(obufsize(readConfiguration()) == 7u);
}

BOOST_AUTO_TEST_CASE(working_directory_that_is_gone) {
  fs::create_directory("gone");
  fs::current_path("gone");
  fs::remove(directory / "gone");
  expectDefaults(configuration());
  BOOST_TEST(createNewTape() >= 0);
  setenv("ADOLC_TAPE_DIR", ".", 1);
  const Configuration c = readConfiguration("relative");
  BOOST_TEST(c.warnings.size() == 2u);
  expectDefaults(c);
}

BOOST_AUTO_TEST_CASE(initial_size_of_stores) {
  BOOST_TEST(findTape(createNewTape()).storeSize() == 4u);
  readText("\"INITLIVE\" \"1000\"");
  BOOST_TEST(findTape(createNewTape()).storeSize() == 1000u);
  readText("\"INITLIVE\" \"4\"");
  BOOST_TEST(findTape(createNewTape()).storeSize() == 4u);
  readText("\"INITLIVE\" \"5\"");
  BOOST_TEST(findTape(createNewTape()).storeSize() == 5u);
  for (const char *const noEffect : {"0", "1"}) {
    readText("\"INITLIVE\" \"" + std::string(noEffect) + '"');
    BOOST_TEST(findTape(createNewTape()).storeSize() == 4u);
  }

  // A recording on such a store, with no growth.
  readText("\"INITLIVE\" \"3000\"");
  const short id = createNewTape();
  setCurrentTape(id);
  recordScalar(id, {2.0, 3.0}, [](auto &x) { return x[0] * x[1]; });
  BOOST_TEST(tapestats(id)[TapeInfos::NUM_MAX_LIVES] == 3000u);
  const double at[] = {5.0, 7.0};
  double g[2] = {};
  BOOST_TEST(gradient(id, 2, at, g) == 3);
  BOOST_TEST(g[0] == 7.0);
  BOOST_TEST(g[1] == 5.0);
  setCurrentTape(nullptr);

  // The default store of a thread is one, too.
  std::size_t capacity = 0;
  std::thread([&capacity] {
    const adouble x = 1.0;
    capacity = ADOLC::detail::Store::threadDefault().capacity();
  }).join();
  BOOST_TEST(capacity == 3000u);

  // It is no more than a wish.
  const std::size_t former = ADOLC::detail::Store::setMaxLocations(2000);
  const short small = createNewTape();
  ADOLC::detail::Store::setMaxLocations(former);
  BOOST_TEST(findTape(small).storeSize() == 4u);
  ADOLC::removeTape(small);
}

// ── threads, hooks, output ──────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(threads_ask_while_another_one_reads) {
  ADOLC::setDiagnosticsHook({});
  fs::create_directory("a");
  write("one",
        "\"OBUFSIZE\" \"11\"\n\"LBUFSIZE\" \"21\"\n\"TAPE_DIR\" \"a\"\n\"VBUFSIZE\" \"1\"\n");
  write("two", "\"OBUFSIZE\" \"12\"\n\"LBUFSIZE\" \"22\"\n\"TAPE_DIR\" \"/\"\n");
  readConfiguration("one");
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0}, asked{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&, thread] {
      const short tag = static_cast<short>(5000 + thread);
      do {
        const Configuration c = configuration();
        const bool one = obufsize(c) == 11;
        const bool whole = one ? c.locationBufferSize.value == 21 && c.warnings.size() == 1 &&
                                     c.tapeDirectory.value == directory / "a"
                               : obufsize(c) == 12 && c.locationBufferSize.value == 22 &&
                                     c.warnings.empty() && c.tapeDirectory.value == "/";
        wrong += whole ? 0 : 1;
        trace_on(tag);
        const auto of = sizes(findTape(tag));
        trace_off();
        wrong += of[0] + 10 == of[1] ? 0 : 1;
        ADOLC::removeTape(tag);
        ++asked;
      } while (!done);
    });
  for (int round = 0; round < 300; ++round) {
    readConfiguration(round % 2 == 0 ? "two" : "one");
    ADOLC::setTapeMemory(static_cast<std::size_t>(round));
  }
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(asked >= 3);
  BOOST_TEST(configuration().tapeMemory.value == 299u);
}

BOOST_AUTO_TEST_CASE(a_hook_may_use_the_library) {
  int calls = 0;
  std::size_t size = 0;
  ADOLC::setDiagnosticsHook([&](std::string_view) {
    ++calls;
    size = findTape(createNewTape()).operationBufferSize();
    readConfiguration(); // the file is good meanwhile
  });
  write(".adolcrc", "\"OBUFSIZE\" \"1\"");
  const auto repair = ADOLC::setDiagnosticsHook({});
  ADOLC::setDiagnosticsHook([&](std::string_view text) {
    write(".adolcrc", "\"OBUFSIZE\" \"77\"");
    repair(text);
  });
  createNewTape();
  BOOST_TEST(calls == 1);
  BOOST_TEST(size == 77u);
  BOOST_TEST(obufsize(configuration()) == 77u);
}

BOOST_AUTO_TEST_CASE(nothing_is_printed) {
  ADOLC::setDiagnosticsHook({});
  setenv("ADOLC_VBUFSIZE", "x", 1);
  Capture capture;
  const Configuration c = readText(
      "\"OBUFSIZE\" \"7\"\n\"LBUFSIZE\" \"1\"\n\"NONSENSE\" \"1\"\n\"\n" + std::string(200, '.'));
  createNewTape();
  readConfiguration("nowhere");
  const std::string printed = capture.finish();
  BOOST_TEST(c.warnings.size() == 5u);
  BOOST_TEST(printed == "");
}

BOOST_AUTO_TEST_SUITE_END()
