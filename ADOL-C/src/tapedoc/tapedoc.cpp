#include <adolc/tapedoc/tapedoc.h>

#include "interp/sweeps.h"
#include "tape/callsites.h"
#include "tape/debuginfo.h"
#include "tapedoc/format.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC::detail {
namespace {

constexpr int kLastFormat = static_cast<int>(TapeDocFormat::graphviz);

ADOLCError::source_location at(const TapeEvaluationContext &context) {
  return {__FILE__, context.caller(), __LINE__};
}

/// As it is: `<<` would fill it up to the width that the user has set.
void write(std::ostream &out, const std::string &text) {
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string rangeOf(std::size_t first, std::size_t last, std::size_t numOperations) {
  const std::string whole = std::to_string(numOperations);
  if (first > last || first >= numOperations)
    return "none of " + whole + " operations";
  return "operations " + std::to_string(first) + " to " +
         std::to_string(std::min(last, numOperations - 1)) + " of " + whole;
}

Heading headingOf(const TapeEvaluationContext &context, const TapeDocOptions &options) {
  const TapeRecordingContext &recording = context.recording();
  const short tape = context.tape().tapeId();
  return {options.title.empty() ? "Tape " + std::to_string(tape) : options.title,
          rangeOf(options.first, options.last, streamTotals(recording).ops) +
              "; independents: " + std::to_string(recording.numInds) +
              ", dependents: " + std::to_string(recording.numDeps),
          options.point.has_value(), context.tape().callSites() != nullptr, tape};
}

void writeOperations(std::ostream &out, TapeEvaluationContext &context, ListingFormat &format,
                     const TapeDocOptions &options) {
  std::optional<Evaluation> evaluation;
  if (options.point)
    evaluation.emplace(context, *options.point);
  std::optional<SourceLocations> sources;
  if (const CallSites *const sites = context.tape().callSites())
    sources.emplace(*sites);
  const bool fromBegin = evaluation || format.wantsSkipped();
  OperationReader reader(context.tape(), context.caller(), fromBegin ? 0 : options.first);
  std::string text;
  while (out && reader.next()) {
    const Operation &operation = reader.operation();
    const OperationValues values = evaluation ? evaluation->step(operation) : OperationValues{};
    if (operation.number < options.first) {
      format.skipped(operation);
    } else {
      text.clear();
      format.operation(text, operation, values,
                       sources ? sources->find(operation.number) : nullptr);
      write(out, text);
    }
    if (operation.number == options.last)
      break;
  }
}

/// The whole listing.
void writeListing(std::ostream &out, TapeEvaluationContext &context, TapeDocFormat chosen,
                  const TapeDocOptions &options) {
  const TapeRecordingContext &recording = context.recording();
  if (options.point && options.point->size() != recording.numInds)
    fail(ErrorType::SIZE_MISMATCH, at(context),
         {.info1 = context.tape().tapeId(),
          .info5 = recording.numInds,
          .info6 = options.point->size()});
  try {
    const auto format = listingFormat(chosen, recording.numLocations);
    if (format == nullptr)
      fail(ErrorType::ARGUMENT_OUT_OF_RANGE, at(context),
           {.info1 = context.tape().tapeId(),
            .info3 = static_cast<int>(chosen),
            .info4 = kLastFormat});
    std::string text;
    format->begin(text, headingOf(context, options));
    write(out, text);
    if (options.first <= options.last)
      writeOperations(out, context, *format, options);
    text.clear();
    format->end(text);
    write(out, text);
  } catch (const std::bad_alloc &) {
    fail(ErrorType::MALLOC_FAILED, at(context),
         {.info1 = context.tape().tapeId(), .info5 = recording.numLocations * sizeof(double)});
  }
}

void checkDocCounts(const TapeEvaluationContext &context, int m, int n) {
  const TapeRecordingContext &recording = context.recording();
  const bool match = m >= 0 && n >= 0 && static_cast<std::size_t>(m) == recording.numDeps &&
                     static_cast<std::size_t>(n) == recording.numInds;
  if (!match || recording.segments.empty())
    fail(ErrorType::TAPE_DOC_COUNTS_MISMATCH, at(context),
         {.info1 = context.tape().tapeId(),
          .info3 = m,
          .info4 = n,
          .info5 = recording.numDeps,
          .info6 = recording.numInds});
}

} // namespace
} // namespace ADOLC::detail

using namespace ADOLC::detail;

void tape_doc(short id, int m, int n, const double *x, double *y) {
  TapeEvaluationContext context(id, __func__, TapeUse::reads);
  checkDocCounts(context, m, n);
  const std::size_t numInds = context.recording().numInds;
  checkPointer(context, x, numInds);
  checkPointer(context, y, context.recording().numDeps);
  // Before y is written: y may be x.
  const ADOLC::TapeDocOptions options{.point = std::vector<double>(x, x + numInds)};

  std::ofstream file("tape_" + std::to_string(id) + ".tex");
  if (!file)
    fail(ErrorType::CANNOT_OPEN_FILE, CURRENT_LOCATION, {.info1 = id});
  ForwardSweep sweep{context, options.point->data(), y};
  guarded(context, false, [&] { return zosForward(sweep, 0); });
  writeListing(file, context, ADOLC::TapeDocFormat::latex, options);
  file.close();
  if (!file)
    fail(ErrorType::TAPING_FATAL_IO_ERROR, CURRENT_LOCATION, {.info1 = id});
}

namespace ADOLC {

void tapeDoc(std::ostream &out, short id, TapeDocFormat format, const TapeDocOptions &options) {
  TapeEvaluationContext context(id, __func__, TapeUse::looks);
  writeListing(out, context, format, options);
}

std::string tapeDoc(short id, TapeDocFormat format, const TapeDocOptions &options) {
  std::ostringstream out;
  tapeDoc(out, id, format, options);
  return std::move(out).str();
}

} // namespace ADOLC
