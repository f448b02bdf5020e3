/// @file drivers/parallel_drivers.h
/// Drivers that distribute their work over threads. Results are the same to the last bit as those
/// of the serial drivers, whatever the number of threads.
///
/// They work on tapes in either mode: the calling thread has the tape, exclusively or shared, and
/// its helpers take part. `threads` is the number of threads, the calling one included; 0: as many
/// as the machine has processors. No more are begun than there is work for, and fewer where no
/// thread or no memory is to be had; with one, everything is done in the calling thread. It also is
/// if the tape has external functions, or if the calling thread has another tape. Helpers are
/// threads that live as long as the call. The diagnostics hook may be called in them, the progress
/// hook is called for the calling thread's part.
///
/// Sizes come from the tape, matrices are row-major, as in span_drivers.h. The forms with an output
/// return the lowest code of all sweeps, or, if any is negative, the first of these. Then J or H is
/// NaN, and of a batch the results at the points concerned are; after an exception all results are.
/// The forms that return a vector throw BRANCH_SWITCH or QUADRATURE_ELSEWHERE instead.
///
/// @throws ADOLCError  as the serial drivers
#pragma once

#include <adolc/internal/common.h>

#include <cstddef>
#include <span>
#include <vector>

namespace ADOLC {

/// J = F'(x): each thread computes some columns, or rows. x[n], J[m·n].
ADOLC_API int parallelJacobian(short tag, std::span<const double> x, std::span<double> J,
                               unsigned threads = 0);
ADOLC_API std::vector<double> parallelJacobian(short tag, std::span<const double> x,
                                               unsigned threads = 0);

/// H = F''(x), m = 1: each thread computes some columns. x[n], H[n·n]: all of the symmetric matrix.
ADOLC_API int parallelHessian(short tag, std::span<const double> x, std::span<double> H,
                              unsigned threads = 0);
ADOLC_API std::vector<double> parallelHessian(short tag, std::span<const double> x,
                                              unsigned threads = 0);

/// F at several points: each thread evaluates some of them. points[k·n], values[k·m], for the
/// recorded independents and dependents n and m; k is points.size()/n. A tape without independents
/// has values.size()/m points.
ADOLC_API int evaluateBatch(short tag, std::span<const double> points, std::span<double> values,
                            unsigned threads = 0);
ADOLC_API std::vector<double> evaluateBatch(short tag, std::span<const double> points,
                                            unsigned threads = 0);
/// Gradients at several points, m = 1. points[k·n], gradients[k·n].
ADOLC_API int gradientBatch(short tag, std::span<const double> points, std::span<double> gradients,
                            unsigned threads = 0);
ADOLC_API std::vector<double> gradientBatch(short tag, std::span<const double> points,
                                            unsigned threads = 0);

} // namespace ADOLC
