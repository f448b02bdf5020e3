#include "storage/format.h"

#include <algorithm>
#include <iterator>
#include <string>

// All of it inline: neither this library nor a program that links it statically needs another one.
#define XXH_INLINE_ALL
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wundef"
#endif
#include <xxhash.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static_assert(XXH_VERSION_NUMBER >= 800, "XXH3 has its final form since xxHash 0.8.0");

namespace ADOLC::detail {
namespace {

constexpr std::string_view kOpTable[] = {
#define ADOLC_OP(op, rule, layout, depend, text) #op ":" #layout "\n",
#define ADOLC_BRANCH(op, relation, layout, text) #op ":branch " #layout "\n",
#define ADOLC_STRUCT(op, text) #op ":struct\n",
#define ADOLC_RESERVED(op) #op ":reserved\n",
#include <adolc/internal/oplist_expand.h>
};
static_assert(std::size(kOpTable) == kNumOpcodes);

} // namespace

std::uint64_t checksum(const void *data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

std::uint64_t opTableHash(std::size_t numOpcodes) {
  std::string text;
  for (std::size_t op = 0; op < std::min(numOpcodes, kNumOpcodes); ++op)
    text += kOpTable[op];
  return checksum(text.data(), text.size());
}

std::vector<unsigned char> encode(Header header) {
  header.headerBytes = static_cast<std::uint32_t>(headerBytes());
  ByteWriter writer;
  writer.put(kMagic);
  Header::forEachField(header, [&writer](auto field) { writer.put(field); });
  writer.put(checksum(writer.bytes().data(), writer.bytes().size()));
  return writer.bytes();
}

Header decode(std::span<const unsigned char> bytes) {
  Header header;
  ByteReader reader(bytes.subspan(kMagic.size()));
  Header::forEachField(header, [&reader](auto &field) { reader.get(field); });
  return header;
}

bool checksumFits(std::span<const unsigned char> header) {
  const std::size_t covered = header.size() - sizeof(std::uint64_t);
  std::uint64_t expected = 0;
  ByteReader(header.subspan(covered)).get(expected);
  return checksum(header.data(), covered) == expected;
}

} // namespace ADOLC::detail
