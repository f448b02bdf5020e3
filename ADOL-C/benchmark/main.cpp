// Command line and output of one measurement; compare.py runs it and sets two libraries side by
// side.

#include "higher_order.h"
#include "measure.h"
#include "timing.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

namespace {

constexpr const char *usage = R"(usage: %s --workload NAME [options]
  --list             names of the workloads with their sizes
  --workload NAME    what to measure
  --size N           another size than the workload's default
  --repeat N         samples per figure, of which the median is printed (default 5)
  --cold             only the first recording and the first reverse sweep
  --higher-order     the figures of higher order instead, and the workloads and sizes for them
  --cpu-time         times of this process alone instead of the wall's
  --default-buffers  leave the buffer sizes to the library
  --check            only compare with plain evaluation and central differences,
                     with --higher-order the sweeps with each other;
                     without --workload: all of them
  --json             one JSON object instead of lines
)";

struct Arguments {
  std::string_view workload;
  std::size_t size = 0; // 0: the workload's default
  Options options;
  bool higherOrder = false;
  bool list = false;
  bool check = false;
  bool json = false;
};

template <class Number> Number positive(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number <= 0)
    throw std::invalid_argument("not a positive number: " + std::string(text));
  return number;
}

Arguments parse(int count, char **words) {
  Arguments arguments;
  for (int k = 1; k < count; ++k) {
    const std::string_view word = words[k];
    const auto next = [&]() -> std::string_view {
      if (++k == count)
        throw std::invalid_argument(std::string(word) + " needs a value");
      return words[k];
    };
    if (word == "--workload")
      arguments.workload = next();
    else if (word == "--size")
      arguments.size = positive<std::size_t>(next());
    else if (word == "--repeat")
      arguments.options.repeats = positive<int>(next());
    else if (word == "--cold")
      arguments.options.coldOnly = true;
    else if (word == "--higher-order")
      arguments.higherOrder = true;
    else if (word == "--cpu-time")
      sampledClock = CLOCK_PROCESS_CPUTIME_ID;
    else if (word == "--default-buffers")
      arguments.options.defaultBuffers = true;
    else if (word == "--list")
      arguments.list = true;
    else if (word == "--check")
      arguments.check = true;
    else if (word == "--json")
      arguments.json = true;
    else
      throw std::invalid_argument("unknown option " + std::string(word));
  }
  if (arguments.higherOrder && arguments.options.coldOnly)
    throw std::invalid_argument("--cold and --higher-order exclude each other");
  return arguments;
}

std::size_t sizeOf(const WorkloadEntry &entry, const Arguments &arguments) {
  return arguments.higherOrder ? entry.higherOrderSize : entry.defaultSize;
}

// Of the group that the arguments tell.
std::vector<WorkloadEntry> entries(const Arguments &arguments) {
  std::vector<WorkloadEntry> result;
  for (const WorkloadEntry &entry : workloadEntries())
    if (sizeOf(entry, arguments) > 0)
      result.push_back(entry);
  return result;
}

WorkloadEntry find(const Arguments &arguments) {
  for (const WorkloadEntry &entry : entries(arguments))
    if (entry.name == arguments.workload)
      return entry;
  throw std::invalid_argument("unknown workload '" + std::string(arguments.workload) +
                              "' (see --list)");
}

// One JSON object, or a line per entry.
class Printer {
public:
  explicit Printer(bool json) : json_(json) {
    if (json_)
      std::printf("{");
  }
  ~Printer() { std::printf(json_ ? "}\n" : "\n"); }

  void text(const char *key, std::string_view value) {
    begin(key);
    std::printf(json_ ? "\"%.*s\"" : "%.*s", static_cast<int>(value.size()), value.data());
  }
  void count(const char *key, std::size_t value) {
    begin(key);
    std::printf("%zu", value);
  }
  void flag(const char *key, bool value) {
    begin(key);
    std::printf(value ? "true" : "false");
  }
  void number(const char *key, double value) {
    begin(key);
    std::printf("%.17g", value);
  }
  void numbers(const char *key, const std::vector<double> &values) {
    begin(key);
    for (std::size_t k = 0; k < values.size(); ++k)
      std::printf("%s%.17g", k ? ", " : "[", values[k]);
    std::printf("]");
  }

private:
  void begin(const char *key) {
    std::printf(json_ ? "%s\"%s\": " : "%s%-24s ", first_ ? "" : json_ ? ", " : "\n", key);
    first_ = false;
  }

  bool json_;
  bool first_ = true;
};

void printTape(Printer &printer, const Arguments &arguments, std::size_t independents,
               const TapeFacts &tape, std::size_t bytes) {
  printer.text("library", backend::name);
  printer.text("workload", arguments.workload);
  printer.count("independents", independents);
  printer.count("operations", tape.elements.operations);
  printer.count("locations", tape.elements.locations);
  printer.count("values", tape.elements.values);
  printer.count("taylors", tape.elements.taylors);
  printer.count("max_lives", tape.maxLives);
  printer.flag("on_disk", tape.onDisk);
  printer.count("tape_bytes", bytes);
}

void printSeconds(Printer &printer, const std::vector<std::pair<std::string, double>> &all) {
  for (const auto &[name, seconds] : all)
    printer.number((name + "_seconds").c_str(), seconds);
}

void print(const Arguments &arguments, const Figures &figures) {
  Printer printer(arguments.json);
  printTape(printer, arguments, figures.independents, figures.tape, figures.tapeBytes);
  printer.flag("fits_l2", figures.fitsL2);
  printer.count("taylor_bytes", figures.taylorBytes);
  printer.count("cold_resident_bytes", figures.coldResidentBytes);
  const auto sums = [&printer](const std::string &at, const Checksums &checksums) {
    printer.number((at + "_value").c_str(), checksums.value);
    printer.number((at + "_gradient_sum").c_str(), checksums.gradientSum);
    printer.number((at + "_gradient_norm").c_str(), checksums.gradientNorm);
  };
  sums("recorded", figures.recorded);
  if (!arguments.options.coldOnly)
    sums("replayed", figures.replayed);
  printSeconds(printer, figures.seconds);
}

void print(const Arguments &arguments, const HigherOrderFigures &figures) {
  Printer printer(arguments.json);
  printTape(printer, arguments, figures.independents, figures.tape, figures.tapeBytes);
  for (const auto &[name, checked] : figures.checked) {
    std::vector<double> numbers, scales;
    for (const CheckedNumber &one : checked) {
      numbers.push_back(one.number);
      scales.push_back(one.scale);
    }
    printer.numbers((name + "_numbers").c_str(), numbers);
    printer.numbers((name + "_scales").c_str(), scales);
  }
  printSeconds(printer, figures.seconds);
}

std::unique_ptr<Program> create(const WorkloadEntry &entry, const Arguments &arguments) {
  return entry.create(arguments.size ? arguments.size : sizeOf(entry, arguments));
}

HigherOrderFigures measureHigherOrder(const WorkloadEntry &entry, const Arguments &arguments,
                                      int repeats) {
  return measureHigherOrder(
      *create(entry, arguments),
      {.repeats = repeats, .defaultBuffers = arguments.options.defaultBuffers});
}

bool check(const WorkloadEntry &entry, const Arguments &arguments) {
  if (arguments.higherOrder) {
    measureHigherOrder(entry, arguments, 0); // throws if they contradict each other
    Printer printer(arguments.json);
    printer.text("workload", entry.name);
    printer.flag("passed", true);
    return true;
  }
  const Check check = checkAgainstDifferences(*create(entry, arguments));
  const bool passed = check.valueError < 1e-12 && check.gradientError < 1e-6;
  Printer printer(arguments.json);
  printer.text("workload", entry.name);
  printer.number("value_error", check.valueError);
  printer.number("gradient_error", check.gradientError);
  printer.flag("passed", passed);
  return passed;
}

int run(const Arguments &arguments) {
  if (arguments.list) {
    for (const WorkloadEntry &entry : entries(arguments))
      std::printf("%-18s %8zu %s\n", entry.name.c_str(), sizeOf(entry, arguments),
                  entry.sizeMeaning.c_str());
    return EXIT_SUCCESS;
  }
  if (arguments.check) {
    bool passed = true;
    for (const WorkloadEntry &entry :
         arguments.workload.empty() ? entries(arguments) : std::vector{find(arguments)})
      passed = check(entry, arguments) && passed;
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  const WorkloadEntry entry = find(arguments);
  if (arguments.higherOrder)
    print(arguments, measureHigherOrder(entry, arguments, arguments.options.repeats));
  else
    print(arguments, measure(*create(entry, arguments), arguments.options));
  return EXIT_SUCCESS;
}

} // namespace

} // namespace bench

int main(int count, char **words) {
  bench::Arguments arguments;
  try {
    arguments = bench::parse(count, words);
    if (!arguments.list && !arguments.check && arguments.workload.empty())
      throw std::invalid_argument("--workload is missing");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::fprintf(stderr, bench::usage, words[0]);
    return 2;
  }
  try {
    return bench::run(arguments);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", std::string(arguments.workload).c_str(), error.what());
    return EXIT_FAILURE;
  }
}
