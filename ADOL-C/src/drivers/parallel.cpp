#include <adolc/drivers/parallel_drivers.h>

#include "drivers/hessian.h"
#include "drivers/results.h"

#include <adolc/valuetape/taperegistry.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;

namespace ADOLC {
namespace {

using detail::ForwardSweep;
using detail::OwnWorkspace;
using detail::requireScalar;
using detail::resultOf;
using detail::ReverseSweep;
using detail::rowsOf;
using detail::Stacks;
using detail::TapeEvaluationContext;
using detail::TapeUse;
using detail::withOutputs;

/// What the calling thread and its helpers do with one tape.
class Team {
public:
  /// Helpers write Taylor stacks of their own, or read the one of the calling thread's evaluation.
  Team(TapeEvaluationContext &context, Stacks stacks, unsigned threads)
      : context_(context), stacks_(stacks),
        threads_(mayHaveHelpers(context) ? threads != 0 ? threads : numProcessors() : 1) {}

  /// Calls work(context, i) for each i below `count`, in any order and in some threads. Once one of
  /// them has failed no more are begun; the exception is thrown again. Returns the lowest code.
  template <class Work> int run(std::size_t count, Work &&work) {
    std::atomic<std::size_t> next{0};
    const auto doAll = [&](TapeEvaluationContext &context) noexcept {
      try {
        for (std::size_t i = next++; i < count; i = next++)
          note(i, work(context, i));
      } catch (...) {
        next = count;
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
      }
    };
    const auto help = [&]() noexcept {
      try {
        Borrowed workspace(context_.tape());
        TapeEvaluationContext context(context_, *workspace.memory, stacks_);
        doAll(context);
      } catch (...) {
        // No memory for a helper: the others do its work.
      }
    };
    {
      std::vector<std::jthread> helpers;
      const std::size_t numHelpers = std::min<std::size_t>(threads_, count) - (count != 0 ? 1 : 0);
      try {
        helpers.reserve(numHelpers);
        while (helpers.size() < numHelpers)
          helpers.emplace_back(help);
      } catch (const std::exception &) {
        // No more threads: those that are there do the work.
      }
      doAll(context_);
    }
    if (failure_ != nullptr)
      std::rethrow_exception(failure_);
    requireAll(count);
    if (code_ < 0)
      detail::branchSwitchHere = branchSwitch_;
    return code_;
  }

private:
  struct Borrowed {
    explicit Borrowed(ValueTape &from) : tape(from), memory(from.borrowWorkspace()) {}
    Borrowed(const Borrowed &) = delete;
    Borrowed &operator=(const Borrowed &) = delete;
    ~Borrowed() { tape.giveBack(std::move(memory)); }
    ValueTape &tape;
    std::unique_ptr<OwnWorkspace> memory;
  };

  static unsigned numProcessors() { return std::max(1u, std::thread::hardware_concurrency()); }
  /// Not for external functions, which may not be fit for several threads; nor if this thread has
  /// another tape, for which a helper might wait that is waited for here.
  static bool mayHaveHelpers(const TapeEvaluationContext &context) {
    std::size_t evaluations = 0;
    TapeEvaluationContext::forEachOpenHere([&](const TapeEvaluationContext &) { ++evaluations; });
    return !context.recording().hasExtDiff && evaluations == 1 &&
           detail::recordingFrames().size() <= 1;
  }

  /// Not if a hook has forked: a child has none of the helpers, which may have begun pieces.
  void requireAll(std::size_t count) const {
    if (numDone_ != count)
      fail(ErrorType::TAPING_TAPE_STILL_IN_USE, {__FILE__, context_.caller(), __LINE__},
           {.info1 = context_.tape().tapeId()});
  }

  /// Of several pieces that left the recorded branch the first one counts, whoever did it.
  void note(std::size_t i, int code) {
    const std::lock_guard lock(mutex_);
    ++numDone_;
    if (code < 0 && (code_ >= 0 || i < where_)) {
      where_ = i;
      code_ = code;
      branchSwitch_ = detail::branchSwitchHere;
    } else if (code_ >= 0) {
      code_ = std::min(code_, code);
    }
  }

  TapeEvaluationContext &context_;
  const Stacks stacks_;
  const unsigned threads_;
  std::mutex mutex_;
  int code_ = 3;
  std::size_t where_ = 0, numDone_ = 0;
  ValueTape::BranchSwitch branchSwitch_;
  std::exception_ptr failure_;
};

void requireSize(const TapeEvaluationContext &context, std::size_t expected, std::size_t given) {
  if (expected != given)
    fail(ErrorType::SIZE_MISMATCH, {__FILE__, context.caller(), __LINE__},
         {.info1 = context.tape().tapeId(), .info5 = expected, .info6 = given});
}
void requireRecording(const TapeEvaluationContext &context) {
  detail::checkCounts(context, static_cast<int>(context.recording().numDeps),
                      static_cast<int>(context.recording().numInds), false);
}
/// Lanes that one sweep takes.
constexpr std::size_t kLanes = detail::kWidestStrip;

int forwardColumns(TapeEvaluationContext &context, std::span<const double> x, double *const *J,
                   std::size_t first) {
  return detail::guarded(context, false, [&] {
    double *const y = context.workspace().driver.require(context.recording().numDeps);
    return fovForward(ForwardSweep{.context = context,
                                   .x = x.data(),
                                   .y = y,
                                   .lanes = std::min(kLanes, x.size() - first),
                                   .resultRows = J,
                                   .seedColumn = first,
                                   .resultColumn = first});
  });
}
int reverseRows(TapeEvaluationContext &context, double *const *J, std::size_t first) {
  return detail::guarded(context, false, [&] {
    return fovReverse(ReverseSweep{.context = context,
                                   .weights = nullptr,
                                   .results = J + first,
                                   .lanes = std::min(kLanes, context.recording().numDeps - first),
                                   .firstUnit = first});
  });
}
std::size_t strips(std::size_t lanes) { return (lanes + kLanes - 1) / kLanes; }

int jacobianOf(TapeEvaluationContext &context, std::span<const double> x, double *const *J,
               unsigned threads) {
  const std::size_t m = context.recording().numDeps, n = x.size();
  Team team(context, Stacks::ofOwner, threads);
  if (detail::prefersForward(m, n))
    return team.run(strips(n), [&](TapeEvaluationContext &mine, std::size_t i) {
      return forwardColumns(mine, x, J, i * kLanes);
    });
  const int code = keepValues(context, x.data());
  if (code < 0)
    return code;
  return std::min(code, team.run(strips(m), [&](TapeEvaluationContext &mine, std::size_t i) {
    return reverseRows(mine, J, i * kLanes);
  }));
}

int evaluate(TapeEvaluationContext &context, const double *x, double *y) {
  return detail::guarded(context, false, [&] {
    ForwardSweep sweep{.context = context, .x = x, .y = y};
    return zosForward(sweep, 0);
  });
}
int gradientAt(TapeEvaluationContext &context, const double *x, double *g) {
  return detail::orPoison(
      [&] {
        const int code = keepValues(context, x);
        return code < 0 ? code : std::min(code, reverseRows(context, &g, 0));
      },
      [&] { detail::poison(&g, 1, context.recording().numInds); });
}

/// size(m, n) of a tape.
template <class Size> std::size_t sizeOf(short tag, const char *caller, Size &&size) {
  const TapeEvaluationContext context(tag, caller, TapeUse::looks);
  return size(context.recording().numDeps, context.recording().numInds);
}

/// A driver at k points: work(context, point, result) for each.
template <class Work>
int batch(TapeEvaluationContext &context, std::span<const double> points, std::span<double> results,
          std::size_t width, unsigned threads, Work &&work) {
  const std::size_t n = context.recording().numInds;
  const std::size_t count = n != 0 ? points.size() / n : width != 0 ? results.size() / width : 0;
  requireSize(context, count * n, points.size());
  requireSize(context, count * width, results.size());
  return Team(context, Stacks::own, threads)
      .run(count, [&](TapeEvaluationContext &mine, std::size_t i) {
        return work(mine, points.data() + i * n, results.data() + i * width);
      });
}

} // namespace

int parallelJacobian(short tag, std::span<const double> x, std::span<double> J, unsigned threads) {
  return withOutputs(tag, __func__, {J}, [&] {
    TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
    requireRecording(context);
    const std::size_t m = context.recording().numDeps, n = context.recording().numInds;
    requireSize(context, n, x.size());
    requireSize(context, m * n, J.size());
    if (m == 0 || n == 0)
      return 3;
    const std::vector<double *> rows = rowsOf(J, m, n);
    return detail::orPoison([&] { return jacobianOf(context, x, rows.data(), threads); },
                            [&] { detail::poison(rows.data(), m, n); });
  });
}
std::vector<double> parallelJacobian(short tag, std::span<const double> x, unsigned threads) {
  return resultOf(
      tag, __func__,
      [&] { return sizeOf(tag, "parallelJacobian", [](auto m, auto n) { return m * n; }); },
      [&](std::vector<double> &J) { return parallelJacobian(tag, x, J, threads); });
}

int parallelHessian(short tag, std::span<const double> x, std::span<double> H, unsigned threads) {
  return withOutputs(tag, __func__, {H}, [&] {
    TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
    requireScalar(context);
    requireRecording(context);
    const std::size_t n = context.recording().numInds;
    requireSize(context, n, x.size());
    requireSize(context, n * n, H.size());
    const std::vector<double *> rows = rowsOf(H, n, n);
    const int code = detail::orPoison(
        [&] {
          constexpr std::size_t width = detail::kHessianColumns;
          return Team(context, Stacks::own, threads)
              .run(std::max<std::size_t>(1, (n + width - 1) / width),
                   [&](TapeEvaluationContext &mine, std::size_t i) {
                     return hessianColumns(mine, x.data(), i * width,
                                           std::min(width, n - i * width), rows.data());
                   });
        },
        [&] { detail::poison(rows.data(), n, n); });
    detail::mirror(rows.data(), n);
    return code;
  });
}
std::vector<double> parallelHessian(short tag, std::span<const double> x, unsigned threads) {
  return resultOf(
      tag, __func__,
      [&] { return sizeOf(tag, "parallelHessian", [](auto, auto n) { return n * n; }); },
      [&](std::vector<double> &H) { return parallelHessian(tag, x, H, threads); });
}

int evaluateBatch(short tag, std::span<const double> points, std::span<double> values,
                  unsigned threads) {
  return withOutputs(tag, __func__, {values}, [&] {
    TapeEvaluationContext context(tag, __func__, TapeUse::reads);
    requireRecording(context);
    return batch(context, points, values, context.recording().numDeps, threads, evaluate);
  });
}
std::vector<double> evaluateBatch(short tag, std::span<const double> points, unsigned threads) {
  return resultOf(
      tag, __func__,
      [&] {
        return sizeOf(tag, "evaluateBatch",
                      [&](auto m, auto n) { return n != 0 ? points.size() / n * m : 0; });
      },
      [&](std::vector<double> &values) { return evaluateBatch(tag, points, values, threads); });
}

int gradientBatch(short tag, std::span<const double> points, std::span<double> gradients,
                  unsigned threads) {
  return withOutputs(tag, __func__, {gradients}, [&] {
    TapeEvaluationContext context(tag, __func__, TapeUse::pairs);
    requireScalar(context);
    requireRecording(context);
    return batch(context, points, gradients, context.recording().numInds, threads, gradientAt);
  });
}
std::vector<double> gradientBatch(short tag, std::span<const double> points, unsigned threads) {
  return resultOf(
      tag, __func__, [&] { return points.size(); },
      [&](std::vector<double> &gradients) {
        return gradientBatch(tag, points, gradients, threads);
      });
}

} // namespace ADOLC
