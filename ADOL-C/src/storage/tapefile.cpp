#include <adolc/tapefile.h>

#include "storage/fileerrors.h"
#include "storage/recordingfile.h"
#include "storage/savedtape.h"
#include "tape/settings.h"

#include <adolc/valuetape/tapeevaluationcontext.h>
#include <adolc/valuetape/taperegistry.h>

#include <new>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC {

void saveTape(short id, const std::filesystem::path &file) try {
  const detail::TapeEvaluationContext context(id, __func__, detail::TapeUse::looks);
  if (context.recording().segments.empty())
    fail(ErrorType::NO_RECORDING, CURRENT_LOCATION, {.info1 = id});
  // Those of the recording; the tape may have others for the next one.
  const TapeInfos::StatArray stats = context.tape().tapestats();
  const detail::BufferSizes sizes{
      stats[TapeInfos::OP_BUFFER_SIZE], stats[TapeInfos::LOC_BUFFER_SIZE],
      stats[TapeInfos::VAL_BUFFER_SIZE], stats[TapeInfos::TAY_BUFFER_SIZE]};
  detail::writeTape(context.recording(), sizes, true, detail::FileErrors(__func__, file, id));
} catch (const std::bad_alloc &) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = id});
}

short openTape(const std::filesystem::path &file) try {
  detail::refreshSettings(); // the budgets
  return detail::addTape(detail::readTape(detail::FileErrors(__func__, file)));
} catch (const std::bad_alloc &) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = -1});
}

std::filesystem::path tapeFile(short id) try {
  const ValueTape &tape = findTape(id);
  const auto access = tape.readAccess();
  const detail::RecordingFile *const file = tape.file();
  return file != nullptr ? file->name() : std::filesystem::path();
} catch (const std::bad_alloc &) {
  fail(ErrorType::MALLOC_FAILED, CURRENT_LOCATION, {.info1 = id});
}

} // namespace ADOLC
