// SPDX-License-Identifier: MIT
#include "tape_files.h"

#include "storage/format.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

#include <unistd.h>

namespace storage {

using namespace ADOLC::detail;

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "adolc-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no temporary folder");
  path_ = name;
  std::filesystem::permissions(path_, std::filesystem::perms(0755)); // for Unprivileged
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::vector<std::string> Folder::names() const {
  std::vector<std::string> result;
  for (const auto &entry : std::filesystem::directory_iterator(path_))
    result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

namespace {
constexpr uid_t kNobody = 65534;
}
Unprivileged::Unprivileged() {
  if (geteuid() == 0)
    static_cast<void>(seteuid(kNobody) == 0);
}
Unprivileged::~Unprivileged() {
  if (getuid() == 0 && seteuid(0) != 0)
    std::abort();
}
Unprivileged::operator bool() const { return geteuid() != 0; }

Bytes read(const std::filesystem::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const std::filesystem::path &file, const Bytes &bytes) {
  // Not truncated to nothing: file systems take that for a program that replaces a file, and wait
  // for the disk.
  const auto exists = std::filesystem::exists(file) ? std::ios::in : std::ios::openmode{};
  std::ofstream out(file, std::ios::binary | std::ios::out | exists);
  out.write(reinterpret_cast<const char *>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  if (!out.flush())
    throw std::runtime_error("cannot write " + file.string());
  std::filesystem::resize_file(file, bytes.size());
}

void fixChecksums(Bytes &bytes) {
  if (bytes.size() < headerBytes())
    return;
  const auto put = [](unsigned char *to, std::uint64_t number) {
    ByteWriter writer;
    writer.put(number);
    std::copy(writer.bytes().begin(), writer.bytes().end(), to);
  };
  Header header = decode(std::span(bytes).first(headerBytes()));
  const auto inside = [&bytes](std::uint64_t offset, std::uint64_t count) {
    return offset <= bytes.size() && count <= bytes.size() - offset;
  };
  if (inside(header.tablesOffset, header.tablesBytes)) {
    unsigned char *const tables = bytes.data() + header.tablesOffset;
    const std::size_t rowBytes = fieldBytes<BlockRow>();
    const std::uint64_t rows = std::min(header.numBlocks, header.tablesBytes / rowBytes);
    for (std::size_t i = 0; i < rows; ++i) {
      BlockRow row;
      ByteReader reader(std::span(tables + i * rowBytes, rowBytes));
      BlockRow::forEachField(row, [&reader](auto &field) { reader.get(field); });
      if (inside(row.offset, row.bytes))
        put(tables + (i + 1) * rowBytes - sizeof(std::uint64_t),
            checksum(bytes.data() + row.offset, row.bytes));
    }
    header.tablesChecksum = checksum(tables, header.tablesBytes);
  }
  const std::uint32_t headerBytesSaid = header.headerBytes;
  Bytes encoded = encode(header);
  if (headerBytesSaid != headerBytes()) // encode sets it
    return;
  std::copy(encoded.begin() + kMagic.size(), encoded.end(), bytes.begin() + kMagic.size());
}

std::size_t numTapes() {
  std::vector<short> tags;
  cachedTraceTags(tags);
  return tags.size();
}

namespace {
class Marker : public programs::Host<adouble> {
public:
  explicit Marker(const std::vector<double> &point) : point_(point) {}
  void independent(adouble &x) override { x <<= point_[next_++]; }
  void dependent(adouble &y) override {
    double ignored = 0.0;
    y >>= ignored;
  }

private:
  const std::vector<double> &point_;
  std::size_t next_ = 0;
};
} // namespace

std::vector<double> recordProgram(short tag, std::uint64_t seed, std::size_t length) {
  const programs::Program program = programs::generate(seed, length);
  Marker marker(program.point);
  std::vector<adouble> r;
  r.reserve(program.numVariables);
  for (const double c : program.initial)
    r.push_back(adouble(c));
  trace_on(tag);
  while (r.size() < program.numVariables)
    r.push_back(adouble());
  for (const programs::Statement &s : program.statements)
    programs::execute(s, r, marker);
  trace_off();
  return program.point;
}

void recordSmall(short tag) {
  ValueTape *const selected = currentTapePtr();
  setCurrentTape(findTapePtr_(tag));
  {
    adouble before = 2.0;
    const pdouble p(1.5);
    trace_on(tag);
    adouble x[2], y;
    x[0] <<= kSmallPoint[0];
    x[1] <<= kSmallPoint[1];
    y = x[0] * sin(x[1]);
    y *= adouble(p);
    y += fmax(x[0], x[1]) / before;
    double value = 0.0;
    y >>= value;
    trace_off();
  }
  setCurrentTape(selected);
}

sweeps::Result sweep(short tag, const std::vector<double> &x) {
  const auto stats = tapestats(tag);
  const auto m = static_cast<int>(stats[NUM_DEPENDENTS]), n = static_cast<int>(x.size());
  sweeps::Checks checks;
  return sweeps::runAll({tag, m, n}, x, sweeps::usualSeeds(n), sweeps::usualWeights(m), "", checks);
}

bool same(const sweeps::Result &a, const sweeps::Result &b) {
  return sweeps::same(a.y, b.y) && a.zosCode == b.zosCode && a.forwardCodes == b.forwardCodes &&
         sweeps::same(a.dy, b.dy) && a.reverseCodes == b.reverseCodes && sweeps::same(a.z, b.z);
}

void sweepOver(short tag) {
  const auto stats = tapestats(tag);
  const sweeps::Shape shape{tag, static_cast<int>(stats[NUM_DEPENDENTS]),
                            static_cast<int>(stats[NUM_INDEPENDENTS])};
  if (shape.m == 0)
    return;
  const std::vector<double> x(stats[NUM_INDEPENDENTS], 0.5);
  const sweeps::Matrix seeds = sweeps::usualSeeds(shape.n), weights = sweeps::usualWeights(shape.m);
  sweeps::fov(shape, 3, x, seeds);
  sweeps::fov(shape, 8, x, seeds);
  sweeps::fos(shape, 0, x, sweeps::column(seeds, 0));
  if (sweeps::zos(shape, 1, x).code < 0)
    return; // there is nothing to go back on
  sweeps::fos(shape, weights[0]);
  sweeps::fov(shape, weights);
  // If it reads locations that it has not written, this one may branch otherwise.
  if (sweeps::fos(shape, 2, x, sweeps::column(seeds, 0)).code >= 0)
    sweeps::fos(shape, weights[0]);
}

} // namespace storage
