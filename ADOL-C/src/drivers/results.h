/// @file drivers/results.h
/// What several files of drivers share: how a Jacobian is computed, and what becomes of results
/// that are not there.
#pragma once

#include "interp/sweeps.h"

#include <adolc/adolcerror.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace ADOLC::detail {

/// A Jacobian is computed by columns, else by rows.
inline bool prefersForward(std::size_t m, std::size_t n) { return n / 2 < m; }

/// J = F'(x); NaN without one. drivers.cpp
int jacobianOf(TapeEvaluationContext &context, const double *x, double *const *J);

/// A single dependent.
inline void requireScalar(const TapeEvaluationContext &context) {
  if (context.recording().numDeps != 1)
    ADOLCError::fail(
        ADOLCError::ErrorType::WRONG_DEPENDENT_COUNT, {__FILE__, context.caller(), __LINE__},
        {.info1 = context.tape().tapeId(), .info5 = context.recording().numDeps, .info6 = 1});
}

/// A matrix of `count` rows, row i of width(i).
template <class Rows, class Width>
void checkRows(const TapeEvaluationContext &context, Rows rows, std::size_t count, Width &&width) {
  checkPointer(context, rows, count);
  for (std::size_t i = 0; i < count; ++i)
    checkPointer(context, rows[i], width(i));
}

/// Forward sweep with keep: what a reverse sweep needs. The values go to the workspace.
inline int keepValues(TapeEvaluationContext &context, const double *x) {
  return guarded(context, true, [&] {
    double *const y = context.workspace().driver.require(context.recording().numDeps);
    ForwardSweep sweep{.context = context, .x = x, .y = y};
    return zosForward(sweep, 1);
  });
}

/// Row pointers of a row-major matrix.
template <class T>
std::vector<T *> rowsOf(std::span<T> matrix, std::size_t rows, std::size_t width) {
  std::vector<T *> pointers(rows);
  for (std::size_t i = 0; i < rows; ++i)
    pointers[i] = matrix.data() + i * width;
  return pointers;
}

// Arguments of functions that work without a tape.
inline void checkArray(const char *caller, const void *pointer, std::size_t count) {
  if (pointer == nullptr && count != 0)
    throw ADOLCError::ADOLCError(
        "ADOL-C error NULL_ARGUMENT in " + std::string(caller) + ": a required array is null",
        {__FILE__, caller, __LINE__}, ADOLCError::ErrorType::NULL_ARGUMENT);
}
inline std::size_t checkedNumber(const char *caller, int value) {
  if (value < 0)
    ADOLCError::fail(ADOLCError::ErrorType::NEGATIVE_NUMBER, {__FILE__, caller, __LINE__},
                     {.info1 = -1, .info3 = value});
  return static_cast<std::size_t>(value);
}

/// Runs f; memory that is missing becomes an ADOLCError.
template <class Function> auto withMemory(short tag, const char *caller, Function &&f) {
  const auto missing = [&] {
    ADOLCError::fail(ADOLCError::ErrorType::TAPING_TBUFFER_ALLOCATION_FAILED,
                     {__FILE__, caller, __LINE__}, {.info1 = tag});
  };
  try {
    return f();
  } catch (const std::bad_alloc &) {
    missing();
  } catch (const std::length_error &) { // of a vector: more than there can be
    missing();
  }
  throw; // not reached
}

/// The same with outputs, which are NaN after an exception, whatever it is.
template <class Function>
int withOutputs(short tag, const char *caller, std::initializer_list<std::span<double>> outputs,
                Function &&f) {
  try {
    return withMemory(tag, caller, f);
  } catch (...) {
    for (const std::span<double> output : outputs)
      std::fill(output.begin(), output.end(), kPoisonedOutput);
    throw;
  }
}

/// A result of `size()` elements that f(result) writes, staying on the recorded branch.
template <class Size, class Function>
std::vector<double> resultOf(short tag, const char *caller, Size &&size, Function &&f) {
  std::vector<double> result = withMemory(tag, caller, [&] { return std::vector<double>(size()); });
  if (const int code = f(result); code < 0)
    ADOLCError::fail(code == -2 ? ADOLCError::ErrorType::QUADRATURE_ELSEWHERE
                                : ADOLCError::ErrorType::BRANCH_SWITCH,
                     {__FILE__, caller, __LINE__},
                     {.info1 = tag, .info5 = branchSwitchHere.operation});
  return result;
}

} // namespace ADOLC::detail
