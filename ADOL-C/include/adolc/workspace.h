/// @file workspace.h
/// Memory for evaluations that a caller holds: what a forward sweep keeps for reverse sweeps goes
/// there and not to the tape. Threads with a workspace each can compute gradients on one tape at
/// the same time, if it is in shared mode (ValueTape::setSharedMode):
///
///     findTape(tag).setSharedMode();
///     // in each thread:
///     ADOLC::Workspace workspace;
///     for (…)
///       ADOLC::gradient(tag, workspace, x, g);
///
/// (The drivers that pair a forward with a reverse sweep share such a tape without one as well;
/// then the tape lends them memory, and they leave no Taylor stack with it.)
///
/// A workspace may be used for any tapes, one after the other. Its Taylor stack is that of the last
/// forward sweep with keep; it is of no use for another tape or recording, or once parameters have
/// been changed: then reverse sweeps throw REVERSE_NO_FOWARD. One that another thread was using
/// when a process forked stays in use in the child.
///
/// @throws ADOLCError  WORKSPACE_IN_USE where two threads would work in one workspace at a time;
///                     results are NaN then; else what the same call without one throws
#pragma once

#include <adolc/drivers/span_drivers.h>
#include <adolc/valuetape/tapeevaluationcontext.h>

#include <memory>
#include <utility>

namespace ADOLC {

class Workspace {
public:
  Workspace() : memory_(std::make_unique<detail::OwnWorkspace>()) {}

  /// Calls f, in which all evaluations that this thread begins work in this workspace: any driver
  /// or sweep in any form. Those within another one there, as of a hook, do not; nor does jac_solv,
  /// which keeps its factors with the tape. Returns what f does. The workspace must not end before
  /// an evaluation that f has begun.
  template <class Function> decltype(auto) run(Function &&f) {
    if (memory_ == nullptr) // moved from
      memory_ = std::make_unique<detail::OwnWorkspace>();
    const detail::InWorkspace here(*memory_);
    return std::forward<Function>(f)();
  }

private:
  std::unique_ptr<detail::OwnWorkspace> memory_;
};

// Drivers and sweeps of span_drivers.h in a workspace.

inline int function(short tag, Workspace &workspace, std::span<const double> x,
                    std::span<double> y) {
  return workspace.run([&] { return function(tag, x, y); });
}
inline int gradient(short tag, Workspace &workspace, std::span<const double> x,
                    std::span<double> g) {
  return workspace.run([&] { return gradient(tag, x, g); });
}
inline int jacobian(short tag, Workspace &workspace, std::span<const double> x,
                    std::span<double> J) {
  return workspace.run([&] { return jacobian(tag, x, J); });
}
inline int vec_jac(short tag, Workspace &workspace, std::span<const double> x,
                   std::span<const double> u, std::span<double> z) {
  return workspace.run([&] { return vec_jac(tag, x, u, z); });
}
inline int jac_vec(short tag, Workspace &workspace, std::span<const double> x,
                   std::span<const double> v, std::span<double> w) {
  return workspace.run([&] { return jac_vec(tag, x, v, w); });
}
inline int hessian(short tag, Workspace &workspace, std::span<const double> x,
                   std::span<double> H) {
  return workspace.run([&] { return hessian(tag, x, H); });
}
inline int hess_vec(short tag, Workspace &workspace, std::span<const double> x,
                    std::span<const double> v, std::span<double> w) {
  return workspace.run([&] { return hess_vec(tag, x, v, w); });
}
inline int hess_mat(short tag, Workspace &workspace, std::size_t q, std::span<const double> x,
                    std::span<const double> V, std::span<double> W) {
  return workspace.run([&] { return hess_mat(tag, q, x, V, W); });
}
inline int lagra_hess_vec(short tag, Workspace &workspace, std::span<const double> x,
                          std::span<const double> v, std::span<const double> u,
                          std::span<double> w) {
  return workspace.run([&] { return lagra_hess_vec(tag, x, v, u, w); });
}
inline int zos_forward(short tag, Workspace &workspace, int keep, std::span<const double> x,
                       std::span<double> y) {
  return workspace.run([&] { return zos_forward(tag, keep, x, y); });
}
inline int fos_forward(short tag, Workspace &workspace, int keep, std::span<const double> x,
                       std::span<const double> X, std::span<double> y, std::span<double> Y) {
  return workspace.run([&] { return fos_forward(tag, keep, x, X, y, Y); });
}
inline int fov_forward(short tag, Workspace &workspace, std::size_t p, std::span<const double> x,
                       std::span<const double> X, std::span<double> y, std::span<double> Y) {
  return workspace.run([&] { return fov_forward(tag, p, x, X, y, Y); });
}
inline int fos_reverse(short tag, Workspace &workspace, std::span<const double> u,
                       std::span<double> z) {
  return workspace.run([&] { return fos_reverse(tag, u, z); });
}
inline int fov_reverse(short tag, Workspace &workspace, std::size_t q, std::span<const double> U,
                       std::span<double> Z) {
  return workspace.run([&] { return fov_reverse(tag, q, U, Z); });
}

inline int hos_forward(short tag, Workspace &workspace, int d, int keep, std::span<const double> x,
                       std::span<const double> X, std::span<double> y, std::span<double> Y) {
  return workspace.run([&] { return hos_forward(tag, d, keep, x, X, y, Y); });
}
inline int hov_forward(short tag, Workspace &workspace, int d, std::size_t p,
                       std::span<const double> x, std::span<const double> X, std::span<double> y,
                       std::span<double> Y) {
  return workspace.run([&] { return hov_forward(tag, d, p, x, X, y, Y); });
}
inline int hov_wk_forward(short tag, Workspace &workspace, int d, int keep, std::size_t p,
                          std::span<const double> x, std::span<const double> X, std::span<double> y,
                          std::span<double> Y) {
  return workspace.run([&] { return hov_wk_forward(tag, d, keep, p, x, X, y, Y); });
}
inline int hos_reverse(short tag, Workspace &workspace, int d, std::span<const double> u,
                       std::span<double> Z) {
  return workspace.run([&] { return hos_reverse(tag, d, u, Z); });
}
inline int hos_ti_reverse(short tag, Workspace &workspace, int d, std::span<const double> U,
                          std::span<double> Z) {
  return workspace.run([&] { return hos_ti_reverse(tag, d, U, Z); });
}
inline int hos_ov_reverse(short tag, Workspace &workspace, int d, std::size_t p,
                          std::span<const double> U, std::span<double> Z) {
  return workspace.run([&] { return hos_ov_reverse(tag, d, p, U, Z); });
}
inline int hov_reverse(short tag, Workspace &workspace, int d, std::size_t q,
                       std::span<const double> U, std::span<double> Z, std::span<short> nz = {}) {
  return workspace.run([&] { return hov_reverse(tag, d, q, U, Z, nz); });
}
inline int hov_ti_reverse(short tag, Workspace &workspace, int d, std::size_t q,
                          std::span<const double> U, std::span<double> Z,
                          std::span<short> nz = {}) {
  return workspace.run([&] { return hov_ti_reverse(tag, d, q, U, Z, nz); });
}

} // namespace ADOLC
