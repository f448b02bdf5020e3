// SPDX-License-Identifier: MIT
// Creating, recording, recording again, removing: in the style of 2.7 and of 3.0.
#include "support/expect.h"
#include "support/memory.h"

#include <adolc/configuration.h>
#include <adolc/diagnostics.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace test;

namespace {

std::vector<double> gradientOf(short tag, std::vector<double> x) {
  std::vector<double> g(x.size(), 99.0);
  BOOST_TEST(gradient(tag, static_cast<int>(x.size()), x.data(), g.data()) == 3);
  return g;
}

std::vector<short> tags() {
  std::vector<short> result{7, 7, 7};
  cachedTraceTags(result);
  return result;
}
bool listed(short tag) {
  const std::vector<short> all = tags();
  return std::count(all.begin(), all.end(), tag) == 1;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(life_cycle, CleanThread)

BOOST_AUTO_TEST_CASE(variables_before_any_trace_on) {
  adouble x, y; // live on the default store of the thread
  x = 1.5;
  BOOST_TEST(x.value() == 1.5);
  for (const short tag : {short{0}, short{14}, short{32767}}) {
    BOOST_TEST(trace_on(tag) == 0);
    double out = 0.0;
    x <<= 3.0;
    y = x * x + x;
    y >>= out;
    trace_off();
    BOOST_TEST(out == 12.0);
    BOOST_TEST(currentTapePtr() == nullptr);
    const double at = 2.0;
    double g = 0.0;
    BOOST_TEST(gradient(tag, 1, &at, &g) == 3);
    BOOST_TEST(g == 5.0);
    BOOST_TEST(listed(tag));
  }
  BOOST_TEST(y.value() == 12.0); // readable after the recording
}

BOOST_AUTO_TEST_CASE(negative_id_names_itself_and_changes_nothing) {
  const auto before = tags();
  ValueTape *const selected = currentTapePtr();
  expectError(ErrorType::NO_TAPE_ID, {"-1"}, [] { trace_on(-1); });
  expectError(ErrorType::NO_TAPE_ID, {"-32768"}, [] { trace_on(-32768); });
  BOOST_TEST(currentTapePtr() == selected);
  BOOST_TEST(!isTaping());
  BOOST_TEST(tags() == before, boost::test_tools::per_element());
  expectError(ErrorType::NO_TAPE_ID, {"-1"}, [] { findTape(-1); });
  expectError(ErrorType::NO_TAPE_ID, {"-1"}, [] { setCurrentTape(short{-1}); });
}

BOOST_AUTO_TEST_CASE(unknown_tapes_name_themselves) {
  BOOST_TEST(findTapePtr_(30001) == nullptr);
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { findTapePtr(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { findTape(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { tapestats(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] {
    std::size_t stats[STAT_SIZE];
    tapestats(30001, stats);
  });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { printTapeStats(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { get_num_param(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { get_num_switches(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { nestedReverseEval(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { nestedReverseEval(30001, true); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { set_param_vec(30001, 0, nullptr); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { ADOLC::removeTape(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { ADOLC::opcodeHistogram(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { ADOLC::tapeBytes(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { ADOLC::tapeStatistics(30001); });
  expectError(ErrorType::NO_TAPE_ID, {"30001"}, [] { ADOLC::tapeDoc(30001); });
  BOOST_TEST(!ADOLC::tryRemoveTape(30001));
  BOOST_TEST(removeTape(30001, ADOLC_REMOVE_COMPLETELY) == -1);
  BOOST_TEST(findTapePtr_(30001) == nullptr); // none of these made it
}

BOOST_AUTO_TEST_CASE(current_tape_without_selection_throws) {
  setCurrentTape(nullptr);
  expectError(ErrorType::NO_TAPE_ID, {}, [] { currentTape(); });
  const short id = createNewTape(); // selects, since nothing was selected
  BOOST_TEST(currentTape().tapeId() == id);
  const short other = createNewTape(); // does not
  BOOST_TEST(currentTape().tapeId() == id);
  setCurrentTape(other);
  BOOST_TEST(currentTapePtr() == findTapePtr(other));
  expectError(ErrorType::NO_TAPE_ID, {"31000"}, [] { setCurrentTape(short{31000}); });
  BOOST_TEST(currentTapePtr() == findTapePtr(other));
  setCurrentTape(&findTape(id));
  BOOST_TEST(currentTape().tapeId() == id);
}

BOOST_AUTO_TEST_CASE(select_by_a_literal) {
  trace_on(0);
  trace_off();
  setCurrentTape(0); // neither a null pointer nor ambiguous
  BOOST_TEST(currentTape().tapeId() == 0);
}

BOOST_AUTO_TEST_CASE(created_ids_are_consecutive) {
  const short first = createNewTape(), second = createNewTape();
  BOOST_TEST(second == first + 1);
  BOOST_TEST(listed(first));
  const auto all = tags();
  BOOST_TEST(
      (std::find(all.begin(), all.end(), first) < std::find(all.begin(), all.end(), second)));
  BOOST_TEST(all.size() == tapeBuffer().size());
}

BOOST_AUTO_TEST_CASE(style_of_3_0) {
  const short id = createNewTape();
  setCurrentTape(id);
  {
    std::array<adouble, 3> x;
    const std::array<double, 3> at{1.0, 2.0, 3.0};
    adouble y;
    std::array<double, 1> out{};
    trace_on(id);
    std::span<adouble>(x) <<= std::span<const double>(at);
    y = x[0] * x[1] * x[2];
    y >>= out[0];
    trace_off();
    BOOST_TEST(out[0] == 6.0);
  }
  BOOST_TEST(currentTape().tapeId() == id); // selected before, selected after
  BOOST_TEST(currentTape().numLives() == 0u);
  BOOST_TEST(gradientOf(id, {1.0, 2.0, 3.0}) == (std::vector<double>{6.0, 3.0, 2.0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(recording_again_replaces) {
  recordScalar(21, {1.0, 2.0}, [](auto &x) { return x[0] * x[1]; });
  recordScalar(21, {3.0}, [](auto &x) { return sin(x[0]); });
  const auto stats = tapestats(21);
  BOOST_TEST(stats[NUM_INDEPENDENTS] == 1u);
  BOOST_TEST(gradientOf(21, {0.5})[0] == std::cos(0.5));
  // Empty recordings are recordings.
  trace_on(21);
  trace_off();
  BOOST_TEST(function(21, 0, 0, nullptr, nullptr) == 3);
}

BOOST_AUTO_TEST_CASE(clear_everything_and_register_the_same_objects_again) {
  adouble x0, x1, y;
  for (int round = 0; round < 3; ++round) {
    trace_on(22, 1);
    double out = 0.0;
    x0 <<= 2.0;
    x1 <<= 3.0;
    y = x0 * x1;
    y >>= out;
    trace_off();
    const double u = 1.0;
    double z[2] = {99.0, 99.0};
    BOOST_TEST(fos_reverse(22, 1, 2, &u, z) == 3);
    BOOST_TEST(z[0] == 3.0);
    BOOST_TEST(z[1] == 2.0);
    ADOLC::removeTape(22);
    BOOST_TEST(!listed(22));
    expectError(ErrorType::NO_TAPE_ID, {"22"}, [&] { fos_reverse(22, 1, 2, &u, z); });
  }
}

BOOST_AUTO_TEST_CASE(variable_used_before_it_becomes_independent) {
  adouble z = 7.0, w, y;
  trace_on(23);
  w = z * z;
  z <<= 2.0;
  y = z * w;
  double out = 0.0;
  y >>= out;
  trace_off();
  BOOST_TEST(out == 98.0);
  BOOST_TEST(gradientOf(23, {2.0})[0] == 49.0);
  BOOST_TEST(gradientOf(23, {5.0})[0] == 49.0);
}

BOOST_AUTO_TEST_CASE(independent_twice_counts_twice) {
  trace_on(24);
  {
    adouble x, y;
    x <<= 2.0;
    y = 3.0 * x;
    x <<= 5.0;
    y += x * x;
    double out = 0.0;
    y >>= out;
    BOOST_TEST(out == 31.0);
  }
  trace_off();
  BOOST_TEST(gradientOf(24, {2.0, 5.0}) == (std::vector<double>{3.0, 10.0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(trace_off_without_trace_on) {
  expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {"trace_off", "-1"}, [] { trace_off(); });
  const short id = createNewTape();
  setCurrentTape(id);
  expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {std::to_string(id)}, [] { trace_off(); });
  recordScalar(id, {3.0}, [](auto &x) { return x[0] * x[0]; });
  expectError(ErrorType::TAPING_NOT_ACTUALLY_TAPING, {}, [] { trace_off(); });
  BOOST_TEST(gradientOf(id, {3.0})[0] == 6.0); // and the recording is still there
}

BOOST_AUTO_TEST_CASE(trace_on_twice) {
  trace_on(25);
  {
    adouble x, y;
    x <<= 3.0;
    const std::size_t depth = currentTapeStack().size();
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"25"}, [] { trace_on(25); });
    BOOST_TEST(currentTapeStack().size() == depth);
    BOOST_TEST(currentTape().tapeId() == 25);
    // also from within a nested recording
    trace_on(26);
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"25"}, [] { trace_on(25); });
    BOOST_TEST(currentTape().tapeId() == 26);
    trace_off();
    // the low-level form throws something derived from std::runtime_error
    BOOST_CHECK_THROW(findTape(25).beginRecording(), std::runtime_error);
    y = x * x; // the recording goes on undisturbed
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  BOOST_TEST(gradientOf(25, {3.0})[0] == 6.0);
}

BOOST_AUTO_TEST_CASE(sweep_during_recording) {
  trace_on(27);
  {
    adouble x, y;
    x <<= 3.0;
    double at = 3.0, out = 99.0;
    double *row = &out;
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27", "zos_forward"},
                [&] { zos_forward(27, 0, 1, 0, &at, &out); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27", "gradient"},
                [&] { gradient(27, 1, &at, &out); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27", "jacobian"},
                [&] { jacobian(27, 1, 1, &at, &row); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27", "fos_reverse"},
                [&] { fos_reverse(27, 1, 1, &at, &out); });
    BOOST_TEST(out == 99.0); // it was not even looked at how many there are
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27"},
                [&] { ADOLC::function(27, std::span(&at, 1), std::span(&out, 1)); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27"},
                [&] { ADOLC::gradient(27, std::span(&at, 1)); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27"}, [&] { set_param_vec(27, 1, &at); });
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"27"}, [] { ADOLC::removeTape(27); });
    expectError(ErrorType::ENABLE_MINMAX_USING_ABS, {"27"}, [] { enableMinMaxUsingAbs(); });
    expectError(ErrorType::DISABLE_MINMAX_USING_ABS, {"27"}, [] { disableMinMaxUsingAbs(); });
    BOOST_TEST(std::isnan(out));
    y = exp(x);
    y >>= out;
  }
  trace_off();
  BOOST_TEST(gradientOf(27, {0.0})[0] == 1.0);
}

BOOST_AUTO_TEST_CASE(is_taping) {
  BOOST_TEST(!isTaping());
  trace_on(28);
  BOOST_TEST(isTaping());
  std::thread([] { BOOST_TEST(!isTaping()); }).join();
  trace_on(29);
  trace_off();
  BOOST_TEST(isTaping());
  trace_off();
  BOOST_TEST(!isTaping());
}

// The catch handler of a program without scoped recordings calls trace_off.
BOOST_AUTO_TEST_CASE(exception_between_trace_on_and_trace_off) {
  std::size_t before = 0;
  for (int round = 0; round < 10000; ++round) {
    if (round == 1000)
      before = residentBytes();
    try {
      trace_on(31);
      adouble x, y;
      x <<= 3.0;
      y = x;
      for (int i = 0; i < 100; ++i)
        y = y * x + 1.0;
      throw std::runtime_error("user");
    } catch (const std::runtime_error &) {
      trace_off();
    }
    recordScalar(31, {3.0}, [](auto &x) { return x[0] * x[0]; });
    const double at = 3.0;
    double g = 0.0, y = 0.0;
    if (gradient(31, 1, &at, &g) != 3 || g != 6.0 || function(31, 1, 1, &at, &y) != 3 || y != 9.0)
      BOOST_FAIL("round " << round);
  }
  BOOST_TEST(residentBytes() < before + (std::size_t{4} << 20));
}

BOOST_AUTO_TEST_CASE(seven_arguments) {
  BOOST_TEST(trace_on(32, 1, 16, 17, 18, 19) == 0);
  {
    adouble x, y;
    x <<= 2.0;
    y = x * x;
    double out = 0.0;
    y >>= out;
  }
  trace_off();
  const auto stats = tapestats(32);
  BOOST_TEST(stats[OP_BUFFER_SIZE] == 16u);
  BOOST_TEST(stats[LOC_BUFFER_SIZE] == 17u);
  BOOST_TEST(stats[VAL_BUFFER_SIZE] == 18u);
  BOOST_TEST(stats[TAY_BUFFER_SIZE] == 19u);
  const double u = 1.0;
  double z = 0.0;
  BOOST_TEST(fos_reverse(32, 1, 1, &u, &z) == 3);
  BOOST_TEST(z == 4.0);
  BOOST_TEST(trace_on(32, 0, 16, 17, 18, 19, 1) == 0);
  trace_off(1);
  // They are those of one recording.
  const std::size_t usual = findTape(32).operationBufferSize();
  BOOST_TEST(usual == std::size_t{OBUFSIZE});
  trace_on(32);
  trace_off();
  BOOST_TEST(tapestats(32)[OP_BUFFER_SIZE] == usual);
  // A call that is refused changes nothing.
  trace_on(33);
  const std::size_t size = findTape(33).operationBufferSize();
  expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"33"}, [] { trace_on(33, 0, 1, 2, 3, 4); });
  BOOST_TEST(findTape(33).operationBufferSize() == size);
  trace_off();
}

BOOST_AUTO_TEST_CASE(impossible_buffer_sizes) {
  using Sizes = std::array<std::size_t, 4>;
  std::vector<std::string> told;
  ADOLC::setDiagnosticsHook([&told](std::string_view text) { told.emplace_back(text); });
  const auto recordedWith = [](const Sizes &sizes) {
    trace_on(34, 0, sizes[0], sizes[1], sizes[2], sizes[3]);
    {
      adouble x;
      x <<= 2.0;
      for (int i = 0; i < 3000; ++i)
        x *= 1.25;
      double out = 0.0;
      x >>= out;
    }
    trace_off();
    const auto stats = tapestats(34);
    return Sizes{stats[OP_BUFFER_SIZE], stats[LOC_BUFFER_SIZE], stats[VAL_BUFFER_SIZE],
                 stats[TAY_BUFFER_SIZE]};
  };
  const Sizes least{2, 12, 6, 1}, usual{OBUFSIZE, LBUFSIZE, VBUFSIZE, TBUFSIZE};
  BOOST_TEST((recordedWith(least) == least));
  BOOST_TEST(told.empty());
  BOOST_TEST(tapestats(34)[OP_FILE_ACCESS] == 1u);
  // Those of the tape, and not a limit.
  BOOST_TEST((recordedWith({0, 0, 0, 0}) == usual));
  BOOST_TEST(told.size() == 4u);
  BOOST_TEST(tapestats(34)[OP_FILE_ACCESS] == 0u);
  told.clear();
  BOOST_TEST((recordedWith({1, 11, 5, 0}) == Sizes{2, 12, 6, TBUFSIZE}));
  BOOST_TEST_REQUIRE(told.size() == 4u);
  for (const char *const word : {"tape 34", "11 locations", "12"})
    BOOST_TEST(told[1].find(word) != std::string::npos, told[1]);
  told.clear();
  const Sizes most = recordedWith({SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX});
  BOOST_TEST((most[0] > SIZE_MAX / 32 && most[3] < SIZE_MAX));
  BOOST_TEST(told.size() == 4u);
  BOOST_TEST(tapestats(34)[OP_FILE_ACCESS] == 0u);
  told.clear();

  // What the tape itself is told.
  ValueTape &tape = findTape(34);
  tape.locationBufferSize(3);
  BOOST_TEST(tape.locationBufferSize() == 12u);
  tape.locationBufferSize(0);
  BOOST_TEST(tape.locationBufferSize() == 12u);
  BOOST_TEST(told.size() == 2u);
  trace_on(34);
  trace_off();
  BOOST_TEST(tapestats(34)[LOC_BUFFER_SIZE] == 12u);
  ADOLC::setDiagnosticsHook({});
  ADOLC::removeTape(34);

  // The least of a tape is the least of the configuration.
  for (const std::size_t less : {0u, 1u}) {
    std::ofstream file("least.rc");
    const char *const keys[] = {"OBUFSIZE", "LBUFSIZE", "VBUFSIZE", "TBUFSIZE"};
    for (std::size_t i = 0; i < least.size(); ++i)
      file << '"' << keys[i] << "\" \"" << least[i] - less << "\"\n";
    file.close();
    BOOST_TEST(ADOLC::readConfiguration("least.rc").warnings.size() == less * 4);
  }
  std::filesystem::remove("least.rc");
  ADOLC::readConfiguration();
}

BOOST_AUTO_TEST_CASE(removing) {
  const short id = createNewTape();
  setCurrentTape(id);
  {
    adouble x = 1.0, y = 2.0;
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {std::to_string(id), "2"},
                [&] { ADOLC::removeTape(id); });
    BOOST_TEST(removeTape(id, ADOLC_REMOVE_FROM_CORE) == -1);
    BOOST_TEST(x.value() + y.value() == 3.0);
  }
  BOOST_TEST(listed(id));
  BOOST_TEST(removeTape(id, ADOLC_REMOVE_FROM_CORE) == 0);
  BOOST_TEST(!listed(id));
  BOOST_TEST(currentTapePtr() == nullptr);
  expectError(ErrorType::NO_TAPE_ID, {std::to_string(id)}, [&] { setCurrentTape(id); });
  // trace_on makes the tag anew, and empty
  trace_on(id);
  trace_off();
  BOOST_TEST(listed(id));
  BOOST_TEST(tapestats(id)[NUM_INDEPENDENTS] == 0u);
  ADOLC::removeTape(id);
  // the next new tape does not take the id that was just freed
  const short next = createNewTape();
  BOOST_TEST(next != id);
}

BOOST_AUTO_TEST_CASE(removal_while_another_thread_records) {
  trace_on(35);
  std::thread([] {
    expectError(ErrorType::TAPING_TAPE_STILL_IN_USE, {"35"}, [] { ADOLC::removeTape(35); });
  }).join();
  trace_off();
  std::thread([] { ADOLC::removeTape(35); }).join();
  BOOST_TEST(!listed(35));
}

BOOST_AUTO_TEST_CASE(removed_properties_do_not_come_back) {
  trace_on(36);
  trace_off();
  ValueTape &tape = findTape(36);
  tape.enableMinMaxUsingAbs();
  tape.disableBranchSwitchWarnings();
  tape.nestedReverseEval(true);
  tape.operationBufferSize(7);
  ADOLC::removeTape(36);
  trace_on(36);
  trace_off();
  BOOST_TEST(!findTape(36).minMaxUsingAbs());
  BOOST_TEST(findTape(36).branchSwitchWarnings());
  BOOST_TEST(!nestedReverseEval(36));
  BOOST_TEST(findTape(36).operationBufferSize() == std::size_t{OBUFSIZE});
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {"36"},
              [] { fos_reverse(36, 0, 0, nullptr, nullptr); });
}

BOOST_AUTO_TEST_CASE(ends_of_the_world_of_ids) {
  // Removed ids are used again when no other is left, longest free first; then the world is full.
  std::vector<short> made;
  const std::size_t existing = tapeBuffer().size();
  for (;;) {
    try {
      made.push_back(createNewTape());
    } catch (const std::overflow_error &) {
      break;
    }
    if (made.size() > 40000)
      break;
  }
  BOOST_TEST(made.size() + existing == 32768u);
  BOOST_CHECK_THROW(createNewTape(), std::overflow_error);
  setCurrentTape(nullptr);
  const short a = made[100], b = made[50];
  ADOLC::removeTape(a);
  ADOLC::removeTape(b);
  BOOST_TEST(createNewTape() == a);
  setCurrentTape(nullptr);
  BOOST_TEST(createNewTape() == b);
  setCurrentTape(nullptr);
  for (; !made.empty(); made.pop_back())
    ADOLC::removeTape(made.back());
  BOOST_TEST(tapeBuffer().size() == existing);
}

BOOST_AUTO_TEST_CASE(create_and_remove_forever) {
  std::size_t before = 0;
  for (int round = 0; round < 100000; ++round) {
    if (round == 40000) // every id was there once
      before = residentBytes();
    const short id = createNewTape();
    if (round % 1000 == 0) {
      setCurrentTape(id);
      recordScalar(id, {2.0}, [](auto &x) { return x[0] * x[0]; });
      BOOST_TEST(gradientOf(id, {2.0})[0] == 4.0);
    }
    setCurrentTape(nullptr);
    ADOLC::removeTape(id);
  }
  BOOST_TEST(residentBytes() < before + (std::size_t{8} << 20));
}

BOOST_AUTO_TEST_CASE(hundreds_of_tapes) {
  std::vector<short> ids;
  const std::size_t before = residentBytes();
  for (int i = 0; i < 660; ++i) {
    ids.push_back(createNewTape());
    setCurrentTape(ids.back());
    recordScalar(ids.back(), {1.0 + i}, [i](auto &x) { return x[0] * x[0] + i; });
  }
  // An idle tape with a small recording holds some blocks of 16 KiB, not megabytes.
  BOOST_TEST(residentBytes() < before + ids.size() * (std::size_t{100} << 10));
  for (int i = 0; i < 660; ++i)
    BOOST_TEST(gradientOf(ids[static_cast<std::size_t>(i)], {1.0 + i})[0] == 2.0 * (1.0 + i));
  setCurrentTape(nullptr);
  for (const short id : ids)
    ADOLC::removeTape(id);
}

BOOST_AUTO_TEST_CASE(a_thread_that_knows_nothing_of_the_library) {
  std::thread([] {
    BOOST_TEST(currentTapePtr() == nullptr);
    recordScalar(37, {2.0}, [](auto &x) { return x[0] * x[0] * x[0]; });
    BOOST_TEST(gradientOf(37, {2.0})[0] == 12.0);
  }).join();
  BOOST_TEST(gradientOf(37, {3.0})[0] == 27.0); // outlives the thread
  // and is recorded again here, on the default store of this thread
  recordScalar(37, {2.0}, [](auto &x) { return x[0] + x[0]; });
  BOOST_TEST(gradientOf(37, {2.0})[0] == 2.0);
}

BOOST_AUTO_TEST_CASE(a_thread_that_ends_while_it_records) {
  std::thread([] {
    trace_on(38);
    trace_on(39);
    adouble x;
    x <<= 1.0;
  }).join();
  // Both tapes are free again, and empty.
  const double at = 1.0;
  double y = 99.0;
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"39"}, [&] { function(39, 0, 1, &at, &y); });
  recordScalar(38, {2.0}, [](auto &x) { return x[0] * x[0]; });
  BOOST_TEST(gradientOf(38, {2.0})[0] == 4.0);
  ADOLC::removeTape(39);
}

BOOST_AUTO_TEST_SUITE_END()
