// What was recorded.
#include "command.h"

#include <adolc/adolc.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace tool {

void describeStats(Description &) {}

int runStats(OpenTape &tape, Points &, const Options &options) {
  const ADOLC::TapeStatistics s = ADOLC::tapeStatistics(tape.id);
  const auto stats = tapestats(tape.id);
  std::vector<std::size_t> codes(s.histogram.size());
  std::iota(codes.begin(), codes.end(), std::size_t{0});
  std::erase_if(codes, [&s](std::size_t code) { return s.histogram[code] == 0; });
  std::stable_sort(codes.begin(), codes.end(),
                   [&s](std::size_t a, std::size_t b) { return s.histogram[a] > s.histogram[b]; });
  const auto name = [](std::size_t code) { return ADOLC::opcodeName(static_cast<OPCODES>(code)); };

  if (options.count("json") != 0) {
    Json histogram = Json::object();
    for (const std::size_t code : codes)
      histogram[name(code)] = s.histogram[code];
    const Json all{{"independents", tape.independents},
                   {"dependents", tape.dependents},
                   {"operations", s.operations},
                   {"locations", stats[TapeInfos::NUM_LOCATIONS]},
                   {"constants", stats[TapeInfos::NUM_VALUES]},
                   {"parameters", stats[TapeInfos::NUM_PARAM]},
                   {"switches", stats[TapeInfos::NUM_SWITCHES]},
                   {"peak_locations", s.peakLocations},
                   {"taylors_saved", s.taylorsSaved},
                   {"taylors_avoided", s.taylorsAvoided},
                   {"bytes",
                    {{"operations", s.bytes.operations},
                     {"locations", s.bytes.locations},
                     {"constants", s.bytes.constants},
                     {"taylors", s.bytes.taylors}}},
                   {"bytes_per_operation", s.bytesPerOperation()},
                   {"histogram", histogram}};
    print(all);
    return success;
  }

  const auto line = [](const char *what, std::uint64_t number) {
    std::printf("%-28s %15llu\n", what, static_cast<unsigned long long>(number));
  };
  line("independents", tape.independents);
  line("dependents", tape.dependents);
  line("operations", s.operations);
  line("locations", stats[TapeInfos::NUM_LOCATIONS]);
  line("constants", stats[TapeInfos::NUM_VALUES]);
  line("parameters", stats[TapeInfos::NUM_PARAM]);
  line("switches", stats[TapeInfos::NUM_SWITCHES]);
  line("most locations at a time", s.peakLocations);
  line("Taylor entries saved", s.taylorsSaved);
  line("Taylor entries avoided", s.taylorsAvoided);
  line("bytes of operations", s.bytes.operations);
  line("bytes of locations", s.bytes.locations);
  line("bytes of constants", s.bytes.constants);
  line("bytes of Taylor entries", s.bytes.taylors);
  std::printf("%-28s %15.2f\n\n", "bytes per operation", s.bytesPerOperation());
  for (const std::size_t code : codes)
    line(name(code), s.histogram[code]);
  return success;
}

} // namespace tool
