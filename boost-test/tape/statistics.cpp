// SPDX-License-Identifier: MIT
// What a tape tells about its recording.
#include "support/capture.h"
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <iomanip>
#include <numeric>

using namespace test;

namespace {

/// A tape with a store of its own, selected.
struct FreshTape : CleanThread {
  short id = createNewTape();
  FreshTape() { setCurrentTape(id); }
};

std::size_t total(const std::array<std::size_t, ADOLC::detail::kNumOpcodes> &histogram) {
  return std::accumulate(histogram.begin(), histogram.end(), std::size_t{0});
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(statistics, FreshTape)

BOOST_AUTO_TEST_CASE(counts_of_a_known_program) {
  trace_on(id);
  {
    adouble x, y; // assign_d_zero twice
    x <<= 2.0;    // assign_ind
    y = x * x;    // mult_a_a
    y += x * y;   // mult_a_a, fused: but y is a factor, so eq_plus_a
    y = sin(y);   // sin_op
    y += x * x;   // eq_plus_prod
    double out = 0.0;
    y >>= out; // assign_dep
  }
  trace_off();
  const auto h = ADOLC::opcodeHistogram(id);
  BOOST_TEST(h[start_of_tape] == 1u);
  BOOST_TEST(h[end_of_tape] == 1u);
  BOOST_TEST(h[take_stock_op] == 0u);
  BOOST_TEST(h[assign_d_zero] == 2u);
  BOOST_TEST(h[assign_ind] == 1u);
  BOOST_TEST(h[assign_dep] == 1u);
  BOOST_TEST(h[mult_a_a] == 2u);
  BOOST_TEST(h[eq_plus_a] == 1u);
  BOOST_TEST(h[sin_op] == 1u);
  BOOST_TEST(h[eq_plus_prod] == 1u);
  BOOST_TEST(total(h) == 11u);

  const auto s = tapestats(id);
  BOOST_TEST(s[TapeInfos::NUM_INDEPENDENTS] == 1u);
  BOOST_TEST(s[TapeInfos::NUM_DEPENDENTS] == 1u);
  BOOST_TEST(s[TapeInfos::NUM_OPERATIONS] == 11u);
  // 2 assign_d_zero, ind and dep: 1 each; mult 3 each; eq_plus_a 2; sin 2; eq_plus_prod 3
  BOOST_TEST(s[TapeInfos::NUM_LOCATIONS] == 2u + 2u + 6u + 2u + 2u + 3u);
  BOOST_TEST(s[TapeInfos::NUM_VALUES] == 0u);
  BOOST_TEST(s[TapeInfos::NUM_EQ_PROD] == 1u);
  BOOST_TEST(s[TapeInfos::NUM_SWITCHES] == 0u);
  BOOST_TEST(s[TapeInfos::NO_MIN_MAX] == 0u);
  BOOST_TEST(s[TapeInfos::NUM_PARAM] == 0u);
  BOOST_TEST(s[TapeInfos::OP_FILE_ACCESS] + s[TapeInfos::LOC_FILE_ACCESS] +
                 s[TapeInfos::VAL_FILE_ACCESS] ==
             0u);

  const ADOLC::TapeBytes bytes = ADOLC::tapeBytes(id);
  BOOST_TEST(bytes.operations == 2u * 11u);
  BOOST_TEST(bytes.locations == 2u * 17u); // few variables: narrow cells
  BOOST_TEST(bytes.constants == 0u);
  BOOST_TEST(bytes.taylors == 8u * s[TapeInfos::NUM_TAYS]);
  BOOST_TEST(bytes.total() == bytes.operations + bytes.locations + bytes.constants + bytes.taylors);
}

BOOST_AUTO_TEST_CASE(statistics_of_a_known_program) {
  trace_on(id);
  {
    adouble x, y, z; // assign_d_zero three times, saves nothing
    x <<= 2.0;       // assign_ind, saves nothing
    {
      const adouble t = exp(x); // exp_op: its result is needed
      z = t * 2.0;              // mult_d_a, saves nothing
    }
    z *= x;      // eq_mult_a, saves z
    y = x * 3.0; // mult_d_a, saves exp(x)
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const ADOLC::TapeStatistics s = ADOLC::tapeStatistics(id);
  BOOST_TEST(s.operations == 11u);
  BOOST_TEST(s.histogram[assign_d_zero] == 3u);
  BOOST_TEST(s.histogram[assign_ind] == 1u);
  BOOST_TEST(s.histogram[exp_op] == 1u);
  BOOST_TEST(s.histogram[mult_d_a] == 2u);
  BOOST_TEST(s.histogram[eq_mult_a] == 1u);
  BOOST_TEST(s.histogram[assign_dep] == 1u);
  // z, which its product with x overwrites; exp(x), in the location of which x * 3 stands; and at
  // the end x. The other results overwrite what nobody needs.
  BOOST_TEST(s.taylorsSaved == 3u);
  BOOST_TEST(s.taylorsSaved == tapestats(id)[TapeInfos::NUM_TAYS]);
  BOOST_TEST(s.taylorsAvoided == 6u);
  BOOST_TEST(s.spilledBytes == 0u);
  // Constants 2 and 3; locations: 3 + 1 + 2 + 2 + 2 + 2 + 1.
  BOOST_TEST(s.bytesPerOperation() == (11.0 * 2 + 13.0 * 2 + 2.0 * 8) / 11.0);
}

// From the first operation that touches a location to the last one, and no longer.
BOOST_AUTO_TEST_CASE(peak_of_locations) {
  const auto peak = [&] { return ADOLC::tapeStatistics(id).peakLocations; };
  BOOST_TEST(peak() == 0u); // never recorded
  BOOST_TEST(ADOLC::tapeStatistics(id).bytesPerOperation() == 0.0);
  trace_on(id);
  trace_off();
  BOOST_TEST(peak() == 0u);
  BOOST_TEST(ADOLC::tapeStatistics(id).operations == 2u);

  // Ten variables one after the other, each used only until the next one begins.
  std::vector<adouble> chain;
  chain.reserve(10);
  trace_on(id);
  {
    double out = 0.0;
    chain.emplace_back();
    chain[0] <<= 1.0;
    for (std::size_t i = 1; i < 10; ++i)
      chain.push_back(sin(chain[i - 1]));
    chain[9] >>= out;
  }
  trace_off();
  BOOST_TEST(peak() == 2u);
  // One sample per operation: start, x0, its mark, nine sines of one more variable each, mark, end.
  const std::size_t operations = ADOLC::tapeStatistics(id).operations;
  const std::vector<std::uint64_t> profile = ADOLC::liveProfile(id, operations);
  BOOST_REQUIRE(profile.size() == 14u);
  const std::vector<std::uint64_t> expected{0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0};
  BOOST_TEST(profile == expected, boost::test_tools::per_element());
  BOOST_TEST(ADOLC::liveProfile(id, 2) == (std::vector<std::uint64_t>{0, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(ADOLC::liveProfile(id, 0).empty());
  expectError(ErrorType::MALLOC_FAILED, {}, [this] { ADOLC::liveProfile(id, SIZE_MAX); });
  // All of them at the end.
  trace_on(id);
  {
    double out = 0.0;
    adouble sum = 0.0;
    for (const adouble &c : chain)
      sum += c;
    sum >>= out;
  }
  trace_off();
  BOOST_TEST(peak() == 11u);
  BOOST_TEST(ADOLC::liveProfile(id, 1).front() == 10u); // those made before live from the beginning
}

BOOST_AUTO_TEST_CASE(both_forms_and_the_names_of_2_7) {
  recordScalar(id, {1.0, 2.0}, [](auto &x) { return x[0] * x[1] + 3.0; });
  const auto s = tapestats(id);
  std::size_t raw[STAT_SIZE];
  std::fill_n(raw, static_cast<int>(STAT_SIZE), std::size_t{77});
  tapestats(id, raw);
  expectError(ErrorType::NULL_ARGUMENT, {"tapestats", std::to_string(id)},
              [&] { tapestats(id, nullptr); });
  for (std::size_t i = 0; i < s.size(); ++i)
    BOOST_TEST(raw[i] == s[i]);
  BOOST_TEST(raw[NUM_INDEPENDENTS] == 2u);
  BOOST_TEST(raw[NUM_DEPENDENTS] == 1u);
  static_assert(static_cast<int>(TAY_STACK_SIZE) == static_cast<int>(TapeInfos::NUM_TAYS));
  static_assert(TapeInfos::STAT_SIZE == 18 && TapeInfos::NUM_PARAM == 17);
  std::size_t member[STAT_SIZE];
  findTape(id).tapestats(member);
  BOOST_TEST(member[NUM_OPERATIONS] == s[TapeInfos::NUM_OPERATIONS]);
}

BOOST_AUTO_TEST_CASE(capacity_for_eight_live_variables_is_sixteen) {
  trace_on(id);
  {
    adouble x[8];
    double out = 0.0;
    for (adouble &xi : x)
      xi <<= 1.0;
    x[0] >>= out;
    BOOST_TEST(currentTape().numLives() == 8u);
  }
  trace_off();
  BOOST_TEST(tapestats(id)[NUM_MAX_LIVES] == 16u);
}

BOOST_AUTO_TEST_CASE(live_variables_are_stocked) {
  adouble a = 1.0, b = 2.0, c = 3.0;
  trace_on(id);
  {
    adouble x, y;
    x <<= 2.0;
    y = x * (a + b + c);
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  BOOST_TEST(ADOLC::opcodeHistogram(id)[take_stock_op] == 1u);
  const double at = 10.0;
  double y = 0.0;
  BOOST_TEST(function(id, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 60.0);
  // Values after the recording do not matter.
  a = 100.0;
  BOOST_TEST(function(id, 1, 1, &at, &y) == 3);
  BOOST_TEST(y == 60.0);
}

BOOST_AUTO_TEST_CASE(many_live_variables) {
  std::vector<adouble> live(40000);
  for (std::size_t i = 0; i < live.size(); ++i)
    live[i] = static_cast<double>(i);
  trace_on(id);
  {
    adouble x, y = 0.0;
    x <<= 2.0;
    for (const adouble &l : live)
      y += x * l;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const double at = 0.5;
  double g = 0.0;
  BOOST_TEST(gradient(id, 1, &at, &g) == 3);
  BOOST_TEST(g == 799980000.0);
}

// NUM_TAYS is what a sweep with keep really saves, also when the recording kept nothing.
BOOST_AUTO_TEST_CASE(saved_values) {
  for (const int keep : {0, 1}) {
    trace_on(id, keep);
    {
      adouble x, y;
      x <<= 2.0;
      y = x + 1.0; // nothing needs y …
      y = x * x;   // … so this overwrites for free; x is needed
      y = exp(y);  // needs its result
      y *= x;      // saves y
      double out = 0.0;
      y >>= out;
    }
    trace_off();
    // exp's result when y *= x overwrites it; x itself as a final value
    BOOST_TEST(tapestats(id)[TapeInfos::NUM_TAYS] == 2u);
  }
}

BOOST_AUTO_TEST_CASE(switches_and_parameters) {
  findTape(id).enableMinMaxUsingAbs();
  trace_on(id);
  {
    adouble x, y, z;
    x <<= 2.0;
    y = fabs(x) + fmin(x, 1.0) + fmax(x, y);
    pdouble p(3.0);
    z = y * p;
    double out = 0.0;
    z >>= out;
  }
  trace_off();
  BOOST_TEST(get_num_switches(id) == 3u);
  BOOST_TEST(tapestats(id)[NO_MIN_MAX] == 1u);
  BOOST_TEST(get_num_param(id) == 1u);
  BOOST_TEST(ADOLC::opcodeHistogram(id)[min_op] + ADOLC::opcodeHistogram(id)[min_op_d] +
                 ADOLC::opcodeHistogram(id)[max_op] ==
             0u);
  findTape(id).disableMinMaxUsingAbs();
  recordScalar(id, {2.0}, [](auto &x) { return fmin(x[0], 1.0); });
  expectError(ErrorType::NO_MINMAX, {std::to_string(id)}, [&] { get_num_switches(id); });
  BOOST_TEST(get_num_param(id) == 0u);
}

// Programs for 2.7 switch before trace_on, with nothing selected.
BOOST_AUTO_TEST_CASE(min_max_through_abs_without_selection) {
  setCurrentTape(nullptr);
  enableMinMaxUsingAbs();
  recordScalar(41, {2.0}, [](auto &x) { return fmin(x[0], 1.0) + fabs(x[0]); });
  BOOST_TEST(get_num_switches(41) == 2u);
  disableMinMaxUsingAbs();
  recordScalar(41, {2.0}, [](auto &x) { return fmin(x[0], 1.0) + fabs(x[0]); });
  expectError(ErrorType::NO_MINMAX, {"41"}, [] { get_num_switches(41); });
}

BOOST_AUTO_TEST_CASE(statistics_are_those_of_the_last_finished_recording) {
  recordScalar(id, {1.0, 2.0}, [](auto &x) { return x[0] * x[1]; });
  recordScalar(id, {1.0}, [](auto &x) { return x[0] * 2.0; });
  BOOST_TEST(tapestats(id)[NUM_INDEPENDENTS] == 1u);
  BOOST_TEST(tapestats(id)[NUM_VALUES] == 1u);
  trace_on(id);
  trace_off();
  const auto s = tapestats(id);
  BOOST_TEST(s[NUM_INDEPENDENTS] == 0u);
  BOOST_TEST(s[NUM_OPERATIONS] == 2u);
  BOOST_TEST(s[NUM_LOCATIONS] == 0u);
}

BOOST_AUTO_TEST_CASE(histogram_of_a_long_recording) {
  trace_on(id);
  {
    adouble x, y;
    x <<= 0.5;
    y = 1.0;
    for (int i = 0; i < 100000; ++i)
      y *= x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const auto h = ADOLC::opcodeHistogram(id);
  BOOST_TEST(h[eq_mult_a] == 100000u);
  BOOST_TEST(total(h) == tapestats(id)[NUM_OPERATIONS]); // block ends are nobody's operations
}

BOOST_AUTO_TEST_CASE(names_and_texts_of_operations) {
  BOOST_TEST(std::string(ADOLC::opcodeName(mult_a_a)) == "mult_a_a");
  BOOST_TEST(std::string(ADOLC::opcodeName(death_not)) == "death_not");
  BOOST_TEST(std::string(ADOLC::opcodeName(static_cast<OPCODES>(9999))) == "unknown");
  BOOST_TEST(std::string(ADOLC::opcodeText(static_cast<OPCODES>(9999))).empty());
  BOOST_TEST(std::string(ADOLC::opcodeText(plus_a_a)) == "%0 = %1 + %2");
  static_assert(death_not == 0 && end_of_tape == 32 && assign_p == 89 && cbrt_op == 112);
}

BOOST_AUTO_TEST_CASE(printed_statistics) {
  recordScalar(id, {1.0, 2.0, 3.0}, [](auto &x) { return x[0] * x[1] * x[2] + 17.0; });
  const auto s = tapestats(id);
  const auto numberAfter = [](const std::string &text, const std::string &label) {
    const std::size_t at = text.find(label);
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, label << " is missing in\n" << text);
    return std::stoul(text.substr(at + label.size()));
  };
  std::cout << std::hex << std::showbase << std::setfill('*') << std::left; // the user's own taste
  Capture capture;
  printTapeStats(id);
  const std::string text = capture.finish();
  const auto flags = std::cout.flags();
  const char fill = std::cout.fill();
  std::cout << std::dec << std::noshowbase << std::setfill(' ') << std::right;
  BOOST_TEST((flags & std::ios::basefield) == std::ios::hex);
  BOOST_TEST((flags & std::ios::adjustfield) == std::ios::left);
  BOOST_TEST(fill == '*');

  BOOST_TEST(text.find("Tape " + std::to_string(id)) != std::string::npos);
  BOOST_TEST(numberAfter(text, "  independents ") == 3u);
  BOOST_TEST(numberAfter(text, "  dependents ") == 1u);
  BOOST_TEST(numberAfter(text, "  operations ") == s[NUM_OPERATIONS]);
  BOOST_TEST(numberAfter(text, "  locations ") == s[NUM_LOCATIONS]);
  BOOST_TEST(numberAfter(text, "  constants ") == s[NUM_VALUES]);
  BOOST_TEST(numberAfter(text, "values saved by a keep sweep ") == s[NUM_TAYS]);
  BOOST_TEST(numberAfter(text, "bytes of one operation code ") == 2u);
  BOOST_TEST(numberAfter(text, "bytes of one location ") == 2u); // or 4
  BOOST_TEST(numberAfter(text, "bytes of one constant ") == 8u);
  BOOST_TEST(numberAfter(text, "bytes of one Taylor entry ") == 8u);
  BOOST_TEST(text.find("bytes per operation") != std::string::npos);
  const ADOLC::TapeStatistics more = ADOLC::tapeStatistics(id);
  BOOST_TEST(numberAfter(text, "values that need not be saved ") == more.taylorsAvoided);
  BOOST_TEST(more.taylorsAvoided > 0u);
  BOOST_TEST(numberAfter(text, "peak of locations in use ") == more.peakLocations);
  BOOST_TEST(more.peakLocations >= 4u);
  BOOST_TEST(numberAfter(text, "bytes on disk ") == 0u);
  BOOST_TEST(numberAfter(text, "  assign_ind ") == 3u);
  BOOST_TEST(numberAfter(text, "  eq_plus_d ") == 1u);
  BOOST_TEST(text.find("sin_op") == std::string::npos); // only what was recorded
  // one labelled line per entry
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') >= static_cast<int>(STAT_SIZE) + 5);
}

BOOST_AUTO_TEST_CASE(printed_statistics_of_a_tape_never_recorded) {
  Capture capture;
  printTapeStats(id);
  const std::string text = capture.finish();
  BOOST_TEST(text.find("nan") == std::string::npos);
  BOOST_TEST(text.find("inf") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(nested_reverse_evaluation) {
  recordScalar(
      id, {3.0}, [](auto &x) { return x[0] * x[0]; }, 1);
  BOOST_TEST(!nestedReverseEval(id));
  nestedReverseEval(id, true);
  BOOST_TEST(nestedReverseEval(id));
  BOOST_TEST(findTape(id).nestedReverseEval());
  const double u = 1.0;
  double z = 100.0;
  BOOST_TEST(fos_reverse(id, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 106.0);
  BOOST_TEST(fos_reverse(id, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 112.0);
  const double *U[2] = {&u, &u};
  double row0 = 10.0, row1 = 20.0;
  double *Z[2] = {&row0, &row1};
  BOOST_TEST(fov_reverse(id, 1, 1, 2, U, Z) == 3);
  BOOST_TEST(row0 == 16.0);
  BOOST_TEST(row1 == 26.0);
  // Drivers overwrite.
  const double at = 3.0;
  z = 100.0;
  BOOST_TEST(gradient(id, 1, &at, &z) == 3);
  BOOST_TEST(z == 6.0);
  BOOST_TEST(vec_jac(id, 1, 1, 1, nullptr, &u, &z) == 3);
  BOOST_TEST(z == 6.0);
  double *J[1] = {&z};
  BOOST_TEST(jacobian(id, 1, 1, &at, J) == 3);
  BOOST_TEST(z == 6.0);
  BOOST_TEST(nestedReverseEval(id)); // stays until changed …
  recordScalar(
      id, {3.0}, [](auto &x) { return x[0] * x[0]; }, 1);
  BOOST_TEST(!nestedReverseEval(id)); // … or recorded again
}

BOOST_AUTO_TEST_SUITE_END()
