// SPDX-License-Identifier: MIT
// Files that are not what saveTape wrote are refused, with a message that says why, and no tape is
// left behind. A file whose checksums are right but whose content is not is refused, or harmless.
#include "support/expect.h"
#include "support/memory.h"
#include "tape_files.h"

#include "storage/file.h"
#include "storage/format.h"
#include "tape/operations.h"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <functional>
#include <map>
#include <random>
#include <span>
#include <utility>

#include <sys/stat.h>

using namespace storage;
using namespace ADOLC::detail;
using test::ErrorType;
using test::expectError;

namespace {

constexpr short kTag = 1;

struct Fixture : test::CleanThread {
  Fixture() : file(folder / "tape") {
    recordSmall(kTag);
    ADOLC::saveTape(kTag, file);
    good = read(file);
  }
  /// Opening these bytes must fail; the kind of the error.
  ErrorType refused(const Bytes &bytes, const std::string &what) {
    write(file, bytes);
    const std::size_t before = numTapes();
    ErrorType type{};
    try {
      ADOLC::openTape(file);
      BOOST_ERROR(what << " was opened");
    } catch (const ADOLCError::ADOLCError &error) {
      type = error.type();
      if (std::string(error.what()).find(file.string()) == std::string::npos)
        BOOST_ERROR(what << ": no file name in " << error.what());
    }
    if (numTapes() != before)
      BOOST_ERROR(what << " leaves a tape");
    return type;
  }
  void refused(const Bytes &bytes, ErrorType type, std::initializer_list<std::string_view> words) {
    write(file, bytes);
    const std::size_t before = numTapes();
    expectError(type, words, [&] { ADOLC::openTape(file); });
    BOOST_TEST(numTapes() == before);
  }
  /// The file with a header that was changed and has the right checksum.
  template <class Change> Bytes withHeader(const Change &change) const {
    Bytes bytes = good;
    Header header = decode(std::span(bytes).first(headerBytes()));
    change(header);
    const Bytes encoded = encode(header);
    std::copy(encoded.begin(), encoded.end(), bytes.begin());
    return bytes;
  }
  Header header() const { return decode(std::span(good).first(headerBytes())); }

  Folder folder;
  std::filesystem::path file;
  Bytes good;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(refused_files, Fixture)

BOOST_AUTO_TEST_CASE(every_byte_changed) {
  BOOST_TEST_REQUIRE(good.size() > 4 * kFileAlignment);
  BOOST_TEST_REQUIRE(good.size() < 8 * kFileAlignment);
  const std::size_t step = test::kSanitized ? 7 : 1;
  for (std::size_t i = 0; i < good.size(); i += step) {
    Bytes bytes = good;
    bytes[i] ^= static_cast<unsigned char>(1u << i % 8);
    refused(bytes, "a file with another bit in byte " + std::to_string(i));
  }
}

BOOST_AUTO_TEST_CASE(every_bit_of_the_header_changed) {
  for (std::size_t i = 0; i < headerBytes(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes bytes = good;
      bytes[i] ^= static_cast<unsigned char>(1u << bit);
      refused(bytes, "a file with another bit in byte " + std::to_string(i));
    }
}

BOOST_AUTO_TEST_CASE(every_length) {
  const std::size_t step = test::kSanitized ? 7 : 1;
  for (std::size_t length = 0; length < good.size(); length += step) {
    const Bytes bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    const ErrorType type = refused(bytes, "a file of " + std::to_string(length) + " bytes");
    if (type != ErrorType::INTEGER_TAPE_FREAD_FAILED)
      BOOST_ERROR(length << " bytes: " << ADOLCError::errorName(type));
  }
  refused({}, ErrorType::INTEGER_TAPE_FREAD_FAILED, {"is empty, not a saved tape"});
  const auto begin = good.begin();
  refused(Bytes(begin, begin + 100), ErrorType::INTEGER_TAPE_FREAD_FAILED,
          {"is truncated: it has 100 bytes, its header has 240"});
  refused(Bytes(begin, begin + 10000), ErrorType::INTEGER_TAPE_FREAD_FAILED,
          {"is truncated: it has 10000 bytes, " + std::to_string(good.size()) + " were written"});
  Bytes longer = good;
  longer.push_back(0);
  refused(longer, ErrorType::INTEGER_TAPE_FREAD_FAILED,
          {std::to_string(longer.size()) + " bytes, " + std::to_string(good.size())});
}

BOOST_AUTO_TEST_CASE(random_changes_of_a_larger_file) {
  recordProgram(kTag, 5, 3000);
  ADOLC::saveTape(kTag, file);
  good = read(file);
  std::mt19937_64 random(1);
  const int count = test::kSanitized ? 300 : 10000;
  for (int i = 0; i < count; ++i) {
    Bytes bytes = good;
    const std::size_t at = random() % bytes.size();
    bytes[at] = static_cast<unsigned char>(bytes[at] + 1 + random() % 255);
    refused(bytes, "a file with another byte " + std::to_string(at));
  }
}

BOOST_AUTO_TEST_CASE(no_tapes) {
  const std::string text = "y = x * x\n";
  refused(Bytes(text.begin(), text.end()), ErrorType::INTEGER_TAPE_FREAD_FAILED,
          {"openTape", "is not a saved tape"});
  Bytes asText = good; // as a transfer that converts ends of lines leaves it
  asText.erase(asText.begin() + 6);
  refused(asText, ErrorType::INTEGER_TAPE_FREAD_FAILED, {"is not a saved tape"});
  refused(Bytes(100000), ErrorType::INTEGER_TAPE_FREAD_FAILED, {"is not a saved tape"});
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read) {
  const std::size_t before = numTapes();
  constexpr ErrorType type = ErrorType::INTEGER_TAPE_FOPEN_FAILED;
  expectError(type, {"openTape", "missing", "cannot be opened", "No such file"},
              [&] { ADOLC::openTape(folder / "missing"); });
  expectError(type, {"No such file"}, [] { ADOLC::openTape(""); });
  expectError(type, {"is a directory, expected a saved tape"},
              [&] { ADOLC::openTape(folder.path()); });
  const auto pipe = folder / "pipe";
  BOOST_TEST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  expectError(type, {"is not a regular file"}, [&] { ADOLC::openTape(pipe); }); // does not wait
  expectError(type, {"is not a regular file"}, [&] { ADOLC::openTape("/dev/null"); });
  BOOST_TEST_REQUIRE(chmod(file.c_str(), 0) == 0);
  if (const Unprivileged user; user)
    expectError(type, {"Permission denied"}, [&] { ADOLC::openTape(file); });
  BOOST_TEST(numTapes() == before);
}

BOOST_AUTO_TEST_CASE(other_machines_and_versions) {
  refused(withHeader([](Header &h) {
            h.byteOrder = kByteOrderMark == kLittleEndianMark ? kBigEndianMark : kLittleEndianMark;
          }),
          ErrorType::WRONG_ENDIANNESS, {"big-endian", "little-endian"});
  refused(withHeader([](Header &h) { h.version = 0; }), ErrorType::TAPE_TO_OLD,
          {"has version 0 of the format, this library reads version 1"});
  refused(withHeader([](Header &h) { h.version = 2; }), ErrorType::TAPE_TOO_NEW,
          {"has version 2 of the format, this library reads version 1"});
  const static constexpr bool wide = sizeof(std::size_t) == 8;
  refused(withHeader([](Header &h) { h.wordBytes = wide ? 4 : 8; }),
          wide ? ErrorType::WRONG_PLATFORM_32 : ErrorType::WRONG_PLATFORM_64,
          {"words of 4", wide ? "here they have 8" : "here they have 4"});
  constexpr ErrorType width = ErrorType::WRONG_LOCINT_SIZE;
  refused(withHeader([](Header &h) { h.opBytes = 1; }), width,
          {"operation codes have 1 bytes, expected 2"});
  refused(withHeader([](Header &h) { h.narrowLocBytes = 4; }), width,
          {"short locations have 4 bytes, expected 2"});
  refused(withHeader([](Header &h) { h.wideLocBytes = 8; }), width,
          {"long locations have 8 bytes, expected 4"});
  refused(withHeader([](Header &h) { h.valBytes = 16; }), width,
          {"constants have 16 bytes, expected 8"});
}

BOOST_AUTO_TEST_CASE(other_tables_of_operations) {
  constexpr ErrorType type = ErrorType::WRONG_OPERATION_TABLE;
  const std::string mine = std::to_string(kNumOpcodes);
  refused(withHeader([](Header &h) {
            h.numOpcodes += 1;
            h.library = {9, 8, 7};
          }),
          type, {"version 9.8.7", std::to_string(kNumOpcodes + 1) + " operations", "with " + mine});
  refused(withHeader([](Header &h) { h.opTableHash += 1; }), type, {mine + " operations", "hash"});
  refused(withHeader([](Header &h) { h.numOpcodes -= 1; }), type, {"hash"});
  // The table of an earlier version is the beginning of this one.
  write(file, withHeader([](Header &h) {
          h.numOpcodes -= 1;
          h.opTableHash = opTableHash(kNumOpcodes - 1);
        }));
  const short opened = ADOLC::openTape(file);
  BOOST_TEST(same(sweep(opened, kSmallPoint), sweep(kTag, kSmallPoint)));
  ADOLC::removeTape(opened);
}

BOOST_AUTO_TEST_CASE(damaged_parts_are_named) {
  const Header h = header();
  const auto changed = [&](std::uint64_t at) {
    Bytes bytes = good;
    bytes[at] ^= 1;
    return bytes;
  };
  refused(changed(100), ErrorType::INTEGER_TAPE_FREAD_FAILED, {"the header is damaged"});
  refused(changed(1000), ErrorType::INTEGER_TAPE_FREAD_FAILED, {"damaged behind the header"});
  refused(changed(kFileAlignment), ErrorType::EVAL_OP_TAPE_READ_FAILED,
          {"block 0 is damaged", "operations", "at byte 4096"});
  refused(changed(2 * kFileAlignment), ErrorType::EVAL_LOC_TAPE_READ_FAILED,
          {"block 1 is damaged", "locations"});
  refused(changed(3 * kFileAlignment), ErrorType::EVAL_VAL_TAPE_READ_FAILED,
          {"block 2 is damaged", "constants"});
  refused(changed(4 * kFileAlignment - 1), ErrorType::EVAL_VAL_TAPE_READ_FAILED,
          {"damaged behind block 2"});
  refused(changed(h.tablesOffset), ErrorType::INTEGER_TAPE_FREAD_FAILED,
          {"the tables are damaged"});
}

// Numbers that a checksum vouches for and that would ask for much memory.
BOOST_AUTO_TEST_CASE(sizes_beyond_the_file) {
  const std::uint64_t huge[] = {header().tablesBytes, std::uint64_t{1} << 40,
                                std::uint64_t{1} << 61, UINT64_MAX};
  const auto fields = {&Header::numBlocks,      &Header::numSegments,   &Header::numFinals,
                       &Header::numParamValues, &Header::numParameters, &Header::numStats,
                       &Header::tablesBytes,    &Header::tablesOffset};
  for (const auto field : fields)
    for (const std::uint64_t number : huge)
      if (header().*field != number)
        refused(withHeader([&](Header &h) { h.*field = number; }),
                ErrorType::INTEGER_TAPE_FREAD_FAILED, {"tables"});
  for (const std::uint64_t number : {huge[1], huge[2], huge[3]})
    for (const std::size_t column : {1u, 2u}) { // offset and bytes of a block
      Bytes bytes = good;
      ByteWriter writer;
      writer.put(number);
      std::copy(writer.bytes().begin(), writer.bytes().end(),
                bytes.begin() + static_cast<std::ptrdiff_t>(header().tablesOffset + 8 * column));
      fixChecksums(bytes);
      refused(bytes, ErrorType::EVAL_OP_TAPE_READ_FAILED, {"block 0", "another size"});
    }
}

BOOST_AUTO_TEST_CASE(no_memory) {
  const std::size_t before = numTapes();
  const std::size_t limit = BlockPool::setLimit(BlockPool::bytesInUse());
  try {
    ADOLC::openTape(file);
    BOOST_ERROR("opened without memory");
  } catch (const ADOLCError::ADOLCError &error) {
    BOOST_TEST((error.type() == ErrorType::MALLOC_FAILED));
  }
  BlockPool::setLimit(limit);
  BOOST_TEST(numTapes() == before);
  const short opened = ADOLC::openTape(file);
  ADOLC::removeTape(opened);
}

// ── content ─────────────────────────────────────────────────────────────────────────────────────

namespace {

/// Changes the recording of the small tape, in which nothing is wrong before, and expects that its
/// file is refused.
void refusedContent(const std::filesystem::path &file, ErrorType type,
                    std::initializer_list<std::string_view> words,
                    const std::function<void(TapeRecordingContext &)> &change) {
  const short tag = createNewTape();
  recordSmall(tag);
  change(findTape(tag).recording());
  ADOLC::saveTape(tag, file);
  expectError(type, words, [&] { ADOLC::openTape(file); });
  ADOLC::removeTape(tag);
}

/// The cell of the first operation with this code in the only segment.
OpCell &cellOf(TapeRecordingContext &r, OPCODES op) {
  OpCell *const ops = r.ops.pin(r.segments[0].op);
  for (std::size_t i = 1; i <= r.segments[0].numOps; ++i)
    if (opcodeOf(ops[i]) == op)
      return ops[i];
  throw std::logic_error("no such operation");
}

} // namespace

BOOST_AUTO_TEST_CASE(operations_that_are_wrong) {
  constexpr ErrorType type = ErrorType::EVAL_OP_TAPE_READ_FAILED;
  const auto refuses = [this](ErrorType kind, std::initializer_list<std::string_view> words,
                              const auto &change) { refusedContent(file, kind, words, change); };
  refuses(type, {"segment 0, operation 0", "mark before"},
          [](auto &r) { r.ops.pin(r.segments[0].op)[0] = opCell(end_of_op); });
  refuses(type, {"mark behind"}, [](auto &r) {
    r.ops.pin(r.segments[0].op)[r.segments[0].numOps + 1] = opCell(end_of_op);
  });
  for (const OPCODES op : {ext_diff, subscript, start_of_tape, end_of_tape, end_of_op,
                           static_cast<OPCODES>(kNumOpcodes), static_cast<OPCODES>(8191)})
    refuses(ErrorType::NO_SUCH_OP, {"operation code " + std::to_string(op) + " is not known"},
            [op](auto &r) { cellOf(r, sin_op) = opCell(op); });
  for (const OpCell bit : {kPieceBit, kUnorderedBit})
    refuses(type, {"bits"}, [bit](auto &r) { cellOf(r, sin_op) |= bit; });
  refuses(type, {"bits"}, [](auto &r) { cellOf(r, assign_dep) |= kSaveBit; });
  refuses(type, {"bits"}, [](auto &r) { cellOf(r, take_stock_op) |= kSaveBit; });
  refuses(type, {"save a value"}, [](auto &r) { cellOf(r, sin_op) ^= kSaveBit; });
  refuses(type, {"save a value"}, [](auto &r) { ++r.segments[0].numTays; });
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"independents: 1 found, 2 expected"}, [](auto &r) {
    r.numInds = 2, cellOf(r, assign_ind) = opCell(assign_dep), r.numDeps = 2;
  });
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"dependents: 1 found, 7 expected"},
          [](auto &r) { r.numDeps = 7; });
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"switches: 0 found, 1 expected"},
          [](auto &r) { r.numSwitches = 1; });
}

BOOST_AUTO_TEST_CASE(locations_that_are_wrong) {
  constexpr ErrorType type = ErrorType::EVAL_LOC_TAPE_READ_FAILED;
  const auto refuses = [this](ErrorType kind, std::initializer_list<std::string_view> words,
                              const auto &change) { refusedContent(file, kind, words, change); };
  refuses(type, {"location 60000 of"}, [](auto &r) { r.locs.pin(r.segments[0].loc)[3] = 60000; });
  refuses(type, {"location "}, [](auto &r) { r.segments[0].base += 100; });
  refuses(type, {"location "}, [](auto &r) { r.segments[0].base = UINT32_MAX; });
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"locations in use"},
          [](auto &r) { ++r.numLocations; });
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"locations in use"},
          [](auto &r) { r.numLocations = std::size_t{1} << 60; });
  refuses(type, {"locations are left"}, [](auto &r) { ++r.segments[0].numLocs; });
  refuses(type, {"no more locations"}, [](auto &r) { --r.segments[0].numLocs; });
  refuses(type, {"wide locations"},
          [](auto &r) { r.segments[0].wide = true, r.segments[0].base = 1; });
  BOOST_TEST_REQUIRE(findTape(kTag).recording().finals.size() >= 2u);
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"final value"},
          [](auto &r) { r.finals.back() = static_cast<LocCell>(r.numLocations); });
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"final value 1", "ascending"},
          [](auto &r) { r.finals[1] = r.finals[0]; });
}

BOOST_AUTO_TEST_CASE(constants_that_are_wrong) {
  constexpr ErrorType type = ErrorType::EVAL_VAL_TAPE_READ_FAILED;
  const auto refuses = [this](ErrorType kind, std::initializer_list<std::string_view> words,
                              const auto &change) { refusedContent(file, kind, words, change); };
  // First on the tape is the stock of one live variable: 1, its value, 1.
  const auto constants = [](TapeRecordingContext &r) { return r.vals.pin(r.segments[0].val); };
  const double *const stock = constants(findTape(kTag).recording());
  BOOST_TEST_REQUIRE((stock[0] == 1.0 && stock[1] == 2.0 && stock[2] == 1.0));
  for (const double count : {0.0, -1.0, 0.5, 1e300, test::kNaN, test::kInf, 4.0})
    refuses(type, {"do not fit their count"}, [&](auto &r) { constants(r)[0] = count; });
  refuses(type, {"before and behind"}, [&](auto &r) { constants(r)[2] = 2.0; });
  refuses(type, {"constants are left"}, [](auto &r) { ++r.segments[0].numVals; });
  refuses(type, {"no more constants"}, [](auto &r) { --r.segments[0].numVals; });
  // The index of the parameter is the only constant behind.
  for (const double index : {-1.0, 0.5, 1.0, 1e300, test::kNaN, test::kInf})
    refuses(ErrorType::VALUE_TAPE_FREAD_FAILED, {"index of a parameter is none of 1"},
            [&](auto &r) { constants(r)[r.segments[0].numVals - 1] = index; });
  refuses(ErrorType::VALUE_TAPE_FREAD_FAILED, {"parameter 0 has index 1"},
          [](auto &r) { r.parameters[0] = 1; });
  refuses(ErrorType::VALUE_TAPE_FREAD_FAILED, {"parameter 1", "ascending"},
          [](auto &r) { r.parameters.push_back(0); });
}

// Operations are counted many at once; where one is wrong the message says which.
BOOST_AUTO_TEST_CASE(places_of_wrong_operations) {
  const short tag = createNewTape();
  setCurrentTape(tag);
  {
    const pdouble p(1.5), q(0.5);
    test::recordScalar(tag, {1.5}, [&](auto &x) {
      adouble y = 1.0;
      for (int i = 0; i < 100; ++i) {
        y = y * adouble(p) + x[0];
        y = (i % 3 == 0 ? fabs(y) : sin(y)) * 0.75;
        if (i % 40 == 5)
          y = ldexp(y, i);
        y = y * adouble(q);
      }
      return y;
    });
  }
  setCurrentTape(nullptr);
  TapeRecordingContext &r = findTape(tag).recording();
  const std::size_t count = r.segments[0].numOps;
  BOOST_TEST_REQUIRE(count > 400u);
  OpCell *const cells = r.ops.pin(r.segments[0].op) + 1;
  double *const vals = r.vals.pin(r.segments[0].val);
  ADOLC::saveTape(tag, file);
  ADOLC::removeTape(ADOLC::openTape(file));
  const auto refuses = [&](ErrorType type, std::size_t operation, std::string_view word) {
    ADOLC::saveTape(tag, file);
    expectError(type, {"segment 0, operation " + std::to_string(operation) + ":", word},
                [&] { ADOLC::openTape(file); });
  };
  std::size_t val = 0, numIndices = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const OpCell cell = cells[i];
    const OperationShape &shape = operationShapes[opcodeOf(cell)];
    cells[i] = opCell(i % 2 == 0 ? static_cast<OPCODES>(kNumOpcodes) : ext_diff);
    refuses(ErrorType::NO_SUCH_OP, i, "is not known");
    cells[i] = cell;
    if (shape.operands[0].slot == ADOLC::ops::Slot::Param) {
      ++numIndices;
      const double index = std::exchange(vals[val], 2.0);
      refuses(ErrorType::VALUE_TAPE_FREAD_FAILED, i, "none of 2");
      vals[val] = index;
    } else if (opcodeOf(cell) == ldexp_op) {
      const double exponent = std::exchange(vals[val], 0.5);
      refuses(ErrorType::EVAL_VAL_TAPE_READ_FAILED, i, "no int");
      vals[val] = exponent;
    }
    val += shape.numVals;
  }
  BOOST_TEST(numIndices > 100u);
  ADOLC::saveTape(tag, file);
  ADOLC::removeTape(ADOLC::openTape(file));
  ADOLC::removeTape(tag);
}

BOOST_AUTO_TEST_CASE(exponents_that_are_wrong) {
  for (const double exponent : {0.5, 1e10, -1e10, test::kNaN}) {
    const short tag = createNewTape();
    test::recordScalar(tag, {1.0}, [](auto &x) { return ldexp(x[0], 3); });
    auto &recording = findTape(tag).recording();
    double *const constants = recording.vals.pin(recording.segments[0].val);
    BOOST_TEST_REQUIRE(constants[recording.segments[0].numVals - 1] == 3.0);
    constants[recording.segments[0].numVals - 1] = exponent;
    ADOLC::saveTape(tag, file);
    expectError(ErrorType::EVAL_VAL_TAPE_READ_FAILED, {"exponent"}, [&] { ADOLC::openTape(file); });
    ADOLC::removeTape(tag);
  }
}

// Segments that overlap, leave something out or stand elsewhere.
BOOST_AUTO_TEST_CASE(segments_that_are_wrong) {
  const short tag = createNewTape();
  recordProgram(tag, 11, 1500);
  auto &recording = findTape(tag).recording();
  BOOST_TEST_REQUIRE(recording.segments.size() > 2u);
  ADOLC::saveTape(tag, file);
  const Bytes whole = read(file);
  const auto h = decode(std::span(whole).first(headerBytes()));
  const std::size_t segments = h.tablesOffset + h.numBlocks * fieldBytes<BlockRow>();
  const auto refuses = [&](ErrorType type, std::initializer_list<std::string_view> words,
                           std::size_t segment, std::size_t column, std::uint32_t number) {
    Bytes bytes = whole;
    for (std::size_t i = 0; i < 4; ++i)
      bytes[segments + segment * kSegmentRowBytes + 4 * column + i] =
          static_cast<unsigned char>(number >> 8 * i);
    fixChecksums(bytes);
    refused(bytes, type, words);
  };
  const Segment &second = recording.segments[1];
  constexpr ErrorType types[] = {ErrorType::EVAL_OP_TAPE_READ_FAILED,
                                 ErrorType::EVAL_LOC_TAPE_READ_FAILED,
                                 ErrorType::EVAL_VAL_TAPE_READ_FAILED};
  const StreamPosition places[] = {second.op, second.loc, second.val};
  for (std::size_t stream = 0; stream < 3; ++stream) {
    for (const std::uint32_t block : {1000u, UINT32_MAX})
      refuses(types[stream], {"segment 1", "continue"}, 1, 2 * stream, block);
    const std::uint32_t offset = places[stream].offset;
    for (const std::uint32_t other : {offset + 2, offset - 2, UINT32_MAX})
      refuses(types[stream], {"segment 1", "continue"}, 1, 2 * stream + 1, other);
  }
  refuses(types[0], {"segment 1", "at most 65535"}, 1, 6, UINT32_MAX);
  refuses(types[1], {"segment 1", "continue"}, 1, 7, UINT32_MAX);
  refuses(types[2], {"segment 1", "continue"}, 1, 8, UINT32_MAX);
  refuses(ErrorType::INTEGER_TAPE_FREAD_FAILED, {"kind 2"}, 1, 11, 2);
  refuses(types[1], {"segment 1"}, 1, 11, 1); // wide, with half the locations that it needs
  ADOLC::removeTape(tag);
}

BOOST_AUTO_TEST_CASE(statistics_that_are_wrong) {
  Bytes bytes = good;
  bytes[bytes.size() - 8] ^= 1; // the last one
  fixChecksums(bytes);
  refused(bytes, ErrorType::INTEGER_TAPE_FREAD_FAILED, {"statistics"});
  bytes = withHeader([](Header &h) { h.minMaxAsAbs = 2; });
  refused(bytes, ErrorType::INTEGER_TAPE_FREAD_FAILED, {"minimum and maximum is 2"});
}

// Anything may be changed and the checksums be made right: the file is refused, or sweeps over it
// stay within their memory (which sanitizers see) and end.
BOOST_AUTO_TEST_CASE(random_content_is_refused_or_harmless) {
  std::mt19937_64 random(2);
  std::map<ErrorType, int> kinds;
  int opened = 0;
  const auto tryAll = [&](const Bytes &original, int count) {
    const Header h = decode(std::span(original).first(headerBytes()));
    for (int i = 0; i < count; ++i) {
      Bytes bytes = original;
      for (std::uint64_t changes = 1 + random() % 3; changes != 0; --changes) {
        // The header behind the version, the blocks, the tables: where something stands.
        const std::uint64_t from[] = {20, kFileAlignment, h.tablesOffset},
                            to[] = {headerBytes(), h.tablesOffset, bytes.size()};
        const std::size_t part = random() % 8 == 0 ? 0 : 1 + random() % 2;
        std::size_t at = from[part] + random() % (to[part] - from[part]);
        while (part == 1 && bytes[at] == 0 && random() % 64 != 0)
          at = from[part] + random() % (to[part] - from[part]);
        if (random() % 2 == 0)
          bytes[at] ^= static_cast<unsigned char>(1u << random() % 8);
        else
          bytes[at] = static_cast<unsigned char>(random());
      }
      fixChecksums(bytes);
      write(file, bytes);
      const std::size_t before = numTapes();
      short tag = -1;
      try {
        tag = ADOLC::openTape(file);
      } catch (const ADOLCError::ADOLCError &error) {
        ++kinds[error.type()];
      }
      if (tag >= 0) {
        ++opened;
        sweepOver(tag);
        ADOLC::removeTape(tag);
      }
      if (numTapes() != before)
        BOOST_ERROR("another number of tapes");
    }
  };
  const int count = test::kSanitized ? 2000 : 10000;
  tryAll(good, count);
  recordProgram(kTag, 3, 60);
  ADOLC::saveTape(kTag, file);
  tryAll(read(file), count);
  recordProgram(kTag, 4, 400);
  ADOLC::saveTape(kTag, file);
  tryAll(read(file), count);
  BOOST_TEST(opened > count / 20);
  for (const ErrorType type :
       {ErrorType::INTEGER_TAPE_FREAD_FAILED, ErrorType::EVAL_OP_TAPE_READ_FAILED,
        ErrorType::EVAL_LOC_TAPE_READ_FAILED, ErrorType::EVAL_VAL_TAPE_READ_FAILED,
        ErrorType::NO_SUCH_OP, ErrorType::WRONG_OPERATION_TABLE})
    BOOST_TEST(kinds[type] > 0, ADOLCError::errorName(type) << " never came");
}

BOOST_AUTO_TEST_SUITE_END()
