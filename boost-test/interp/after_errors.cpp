// SPDX-License-Identifier: MIT
// Whatever ends a call with an exception (or a Fortran form with a code): no output holds a number
// that was there before.
#include "support/expect.h"

#include <adolc/configuration.h>
#include <adolc/drivers/parallel_drivers.h>
#include <adolc/valuetape/spill.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <functional>
#include <string>

using namespace test;
using ADOLC::detail::SpillGroup;

namespace {

/// Tapes of 2 dependents and 3 independents, of 2 and 2, and of 1 and 3.
constexpr short kWide = 161, kSquare = 162, kScalar = 163;
constexpr double kStale = 99.0;

/// The arrays that a call writes to.
class Outputs {
public:
  double *vector(std::size_t size) { return all_.emplace_back(size, kStale).data(); }
  std::span<double> span(std::size_t size) { return all_.emplace_back(size, kStale); }
  double **matrix(std::size_t rows, std::size_t columns) {
    std::vector<double *> &pointers = rows_.emplace_back();
    for (std::size_t i = 0; i < rows; ++i)
      pointers.push_back(vector(columns));
    return pointers.data();
  }
  template <class Test> bool each(Test &&test) const {
    for (const std::vector<double> &one : all_)
      for (const double value : one)
        if (!test(value))
          return false;
    return true;
  }
  bool allNaN() const {
    return each([](double value) { return std::isnan(value); });
  }
  bool allStale() const {
    return each([](double value) { return value == kStale; });
  }

private:
  std::deque<std::vector<double>> all_;
  std::deque<std::vector<double *>> rows_;
};

const std::vector<double> x{0.5, 0.25, 0.125}, ones(30, 1.0);
double *changeable(const std::vector<double> &v) { return const_cast<double *>(v.data()); }

std::span<const double> part(std::size_t size) { return std::span(ones).first(size); }
/// Rows that are as long as they must be.
double **lowerTriangle(Outputs &outputs) {
  double **const rows = outputs.matrix(3, 3);
  for (std::size_t i = 0; i < 3; ++i)
    std::fill(rows[i] + i + 1, rows[i] + 3, kNaN); // is not written
  return rows;
}

/// Rows of ones as inputs.
class Ones {
public:
  Ones(std::size_t rows, std::size_t columns) : matrix_(rows, columns, 1.0) {}
  double **get() { return matrix_.get(); }

private:
  Matrix matrix_;
};
Ones pairs(3, 2), threes(3, 3), weights(2, 3);

/// Independents in two blocks of lengths 2 and 1.
const int kLengths[2] = {2, 1};
const double *const blocks[2] = {x.data(), x.data() + 2};
double *const *const blocksOfRows[2] = {pairs.get(), pairs.get() + 2};
const double *const *const *inputRows(double *const *const *rows) {
  return reinterpret_cast<const double *const *const *>(rows);
}

struct Call {
  const char *name;
  std::function<int(Outputs &)> run;
};

const std::vector<Call> &calls() {
  static constexpr fint tag = kWide, square = kSquare, scalar = kScalar, m = 2, n = 3, one = 1,
                        none = 0, two = 2;
  static const std::vector<Call> all = {
      {"zos_forward",
       [](Outputs &o) { return zos_forward(kWide, 2, 3, 0, x.data(), o.vector(2)); }},
      {"zos_forward with keep",
       [](Outputs &o) { return zos_forward(kWide, 2, 3, 1, x.data(), o.vector(2)); }},
      {"zos_forward_nk",
       [](Outputs &o) { return zos_forward_nk(kWide, 2, 3, x.data(), o.vector(2)); }},
      {"fos_forward",
       [](Outputs &o) {
         return fos_forward(kWide, 2, 3, 2, x.data(), ones.data(), o.vector(2), o.vector(2));
       }},
      {"fos_forward_nk",
       [](Outputs &o) {
         return fos_forward_nk(kWide, 2, 3, x.data(), ones.data(), o.vector(2), o.vector(2));
       }},
      {"fov_forward",
       [](Outputs &o) {
         return fov_forward(kWide, 2, 3, 3, x.data(), threes.get(), o.vector(2), o.matrix(2, 3));
       }},
      {"fov_forward without directions",
       [](Outputs &o) {
         return fov_forward(kWide, 2, 3, 0, x.data(), nullptr, o.vector(2), nullptr);
       }},
      {"fov_offset_forward",
       [](Outputs &o) {
         double **const Y = o.matrix(2, 3);
         Y[0][0] = Y[1][0] = kNaN; // is not written
         return fov_offset_forward(kWide, 2, 3, 2, 1, x.data(), threes.get(), o.vector(2), Y);
       }},
      {"fos_reverse",
       [](Outputs &o) { return fos_reverse(kWide, 2, 3, ones.data(), o.vector(3)); }},
      {"fov_reverse",
       [](Outputs &o) { return fov_reverse(kWide, 2, 3, 2, weights.get(), o.matrix(2, 3)); }},
      {"zos_forward_partx",
       [](Outputs &o) { return zos_forward_partx(kWide, 2, 2, kLengths, blocks, o.vector(2)); }},
      {"fos_forward_partx",
       [](Outputs &o) {
         return fos_forward_partx(kWide, 2, 2, kLengths, inputRows(blocksOfRows), o.matrix(2, 2));
       }},
      {"fov_forward_partx",
       [](Outputs &o) {
         return fov_forward_partx(kWide, 2, 2, kLengths, 2, blocks, inputRows(blocksOfRows),
                                  o.vector(2), o.matrix(2, 2));
       }},
      {"forward, degree 0",
       [](Outputs &o) { return forward(kWide, 2, 3, 0, 1, pairs.get(), o.matrix(2, 1)); }},
      {"forward, degree 1",
       [](Outputs &o) { return forward(kWide, 2, 3, 1, 2, pairs.get(), o.matrix(2, 2)); }},
      {"forward, one dependent",
       [](Outputs &o) { return forward(kScalar, 1, 3, 1, 0, pairs.get(), o.vector(2)); }},
      {"forward, vectors",
       [](Outputs &o) { return forward(kWide, 2, 3, 0, 0, x.data(), o.vector(2)); }},
      {"forward, values",
       [](Outputs &o) { return forward(kWide, 2, 3, 0, x.data(), o.vector(2)); }},
      {"forward, directions",
       [](Outputs &o) {
         return forward(kWide, 2, 3, 3, x.data(), threes.get(), o.vector(2), o.matrix(2, 3));
       }},
      {"reverse", [](Outputs &o) { return reverse(kWide, 2, 3, 0, ones.data(), o.matrix(3, 1)); }},
      {"reverse, one dependent",
       [](Outputs &o) { return reverse(kScalar, 1, 3, 0, 1.0, o.matrix(3, 1)); }},
      {"reverse, vectors",
       [](Outputs &o) { return reverse(kWide, 2, 3, 0, ones.data(), o.vector(3)); }},
      {"reverse, one dependent, vector",
       [](Outputs &o) { return reverse(kScalar, 1, 3, 0, 1.0, o.vector(3)); }},
      {"reverse, weights and degree",
       [](Outputs &o) { return reverse(kWide, 2, 3, 0, 2, weights.get(), o.matrix(2, 3)); }},
      {"reverse, weights",
       [](Outputs &o) { return reverse(kWide, 2, 3, 2, weights.get(), o.matrix(2, 3)); }},
      {"reverse, one dependent, weights",
       [](Outputs &o) { return reverse(kScalar, 1, 3, 0, 2, changeable(ones), o.matrix(2, 3)); }},
      {"function", [](Outputs &o) { return function(kWide, 2, 3, x.data(), o.vector(2)); }},
      {"gradient", [](Outputs &o) { return gradient(kScalar, 3, x.data(), o.vector(3)); }},
      {"jacobian", [](Outputs &o) { return jacobian(kWide, 2, 3, x.data(), o.matrix(2, 3)); }},
      {"jacobian in reverse mode",
       [](Outputs &o) { return jacobian(kScalar, 1, 3, x.data(), o.matrix(1, 3)); }},
      {"large_jacobian",
       [](Outputs &o) {
         return large_jacobian(kWide, 2, 3, 1, changeable(x), o.vector(2), o.matrix(2, 3));
       }},
      {"vec_jac",
       [](Outputs &o) { return vec_jac(kWide, 2, 3, 0, x.data(), ones.data(), o.vector(3)); }},
      {"vec_jac again",
       [](Outputs &o) { return vec_jac(kWide, 2, 3, 1, x.data(), ones.data(), o.vector(3)); }},
      {"jac_vec",
       [](Outputs &o) { return jac_vec(kWide, 2, 3, x.data(), ones.data(), o.vector(2)); }},
      {"jac_solv", [](Outputs &o) { return jac_solv(kSquare, 2, x.data(), o.vector(2), 2); }},
      {"hessian",
       [](Outputs &o) { return hessian(kScalar, 3, x.data(), lowerTriangle(o)); }},
      {"hessian2",
       [](Outputs &o) { return hessian2(kScalar, 3, changeable(x), lowerTriangle(o)); }},
      {"hess_vec",
       [](Outputs &o) { return hess_vec(kScalar, 3, x.data(), ones.data(), o.vector(3)); }},
      {"hess_mat",
       [](Outputs &o) { return hess_mat(kScalar, 3, 3, x.data(), threes.get(), o.matrix(3, 3)); }},
      {"hess_mat without directions",
       [](Outputs &) { return hess_mat(kScalar, 3, 0, x.data(), nullptr, nullptr); }},
      {"lagra_hess_vec",
       [](Outputs &o) {
         return lagra_hess_vec(kWide, 2, 3, x.data(), ones.data(), ones.data(), o.vector(3));
       }},
      // spans
      {"span function", [](Outputs &o) { return ADOLC::function(kWide, std::span(x), o.span(2)); }},
      {"span gradient",
       [](Outputs &o) { return ADOLC::gradient(kScalar, std::span(x), o.span(3)); }},
      {"span jacobian", [](Outputs &o) { return ADOLC::jacobian(kWide, std::span(x), o.span(6)); }},
      {"span large_jacobian",
       [](Outputs &o) {
         return ADOLC::large_jacobian(kWide, 1, std::span(x), o.span(2), o.span(6));
       }},
      {"span vec_jac",
       [](Outputs &o) {
         return ADOLC::vec_jac(kWide, x, {ones.data(), 2}, o.span(3));
       }},
      {"span jac_vec",
       [](Outputs &o) {
         return ADOLC::jac_vec(kWide, x, {ones.data(), 3}, o.span(2));
       }},
      {"span jac_solv",
       [](Outputs &o) {
         return ADOLC::jac_solv(kSquare, {x.data(), 2}, o.span(2));
       }},
      {"span zos_forward", [](Outputs &o) { return ADOLC::zos_forward(kWide, 0, x, o.span(2)); }},
      {"span fos_forward",
       [](Outputs &o) {
         return ADOLC::fos_forward(kWide, 0, x, {ones.data(), 3}, o.span(2), o.span(2));
       }},
      {"span fov_forward",
       [](Outputs &o) {
         return ADOLC::fov_forward(kWide, 2, x, {ones.data(), 6}, o.span(2), o.span(4));
       }},
      {"span fos_reverse",
       [](Outputs &o) {
         return ADOLC::fos_reverse(kWide, {ones.data(), 2}, o.span(3));
       }},
      {"span fov_reverse",
       [](Outputs &o) {
         return ADOLC::fov_reverse(kWide, 2, {ones.data(), 4}, o.span(6));
       }},
      {"span hessian", [](Outputs &o) { return ADOLC::hessian(kScalar, x, o.span(9)); }},
      {"parallelHessian",
       [](Outputs &o) { return ADOLC::parallelHessian(kScalar, x, o.span(9), 2); }},
      {"span hess_vec",
       [](Outputs &o) { return ADOLC::hess_vec(kScalar, x, part(3), o.span(3)); }},
      {"span hess_mat",
       [](Outputs &o) { return ADOLC::hess_mat(kScalar, 2, x, part(6), o.span(6)); }},
      {"span lagra_hess_vec",
       [](Outputs &o) { return ADOLC::lagra_hess_vec(kWide, x, part(3), part(2), o.span(3)); }},
      {"span hos_forward",
       [](Outputs &o) {
         return ADOLC::hos_forward(kWide, 2, 3, x, part(6), o.span(2), o.span(4));
       }},
      {"span hov_forward",
       [](Outputs &o) {
         return ADOLC::hov_forward(kWide, 2, 3, x, part(18), o.span(2), o.span(12));
       }},
      {"span hov_wk_forward",
       [](Outputs &o) {
         return ADOLC::hov_wk_forward(kWide, 2, 3, 3, x, part(18), o.span(2), o.span(12));
       }},
      {"span hos_reverse",
       [](Outputs &o) { return ADOLC::hos_reverse(kWide, 0, part(2), o.span(3)); }},
      {"span hos_ti_reverse",
       [](Outputs &o) { return ADOLC::hos_ti_reverse(kWide, 0, part(2), o.span(3)); }},
      {"span hos_ov_reverse",
       [](Outputs &o) { return ADOLC::hos_ov_reverse(kWide, 0, 1, part(2), o.span(3)); }},
      {"span hov_reverse",
       [](Outputs &o) { return ADOLC::hov_reverse(kWide, 0, 2, part(4), o.span(6)); }},
      {"span hov_ti_reverse",
       [](Outputs &o) { return ADOLC::hov_ti_reverse(kWide, 0, 2, part(4), o.span(6)); }},
      // Fortran
      {"hessian_",
       [](Outputs &o) {
         double *const H = o.vector(9);
         H[3] = H[6] = H[7] = kNaN; // are not written
         return int(hessian_(&scalar, &n, x.data(), H));
       }},
      {"hess_vec_",
       [](Outputs &o) {
         return int(hess_vec_(&scalar, &n, x.data(), ones.data(), o.vector(3)));
       }},
      {"hess_mat_",
       [](Outputs &o) {
         return int(hess_mat_(&scalar, &n, &two, x.data(), ones.data(), o.vector(6)));
       }},
      {"lagra_hess_vec_",
       [](Outputs &o) {
         return int(lagra_hess_vec_(&tag, &m, &n, x.data(), ones.data(), ones.data(), o.vector(3)));
       }},
      {"hos_forward_",
       [](Outputs &o) {
         return int(hos_forward_(&tag, &m, &n, &two, &none, x.data(), ones.data(), o.vector(2),
                                 o.vector(4)));
       }},
      {"hov_forward_",
       [](Outputs &o) {
         return int(hov_forward_(&tag, &m, &n, &two, &two, x.data(), ones.data(), o.vector(2),
                                 o.vector(8)));
       }},
      {"hov_wk_forward_",
       [](Outputs &o) {
         return int(hov_wk_forward_(&tag, &m, &n, &two, &n, &two, x.data(), ones.data(),
                                    o.vector(2), o.vector(8)));
       }},
      {"hos_reverse_",
       [](Outputs &o) { return int(hos_reverse_(&tag, &m, &n, &none, ones.data(), o.vector(3))); }},
      {"hos_ti_reverse_",
       [](Outputs &o) {
         return int(hos_ti_reverse_(&tag, &m, &n, &none, ones.data(), o.vector(3)));
       }},
      {"hos_ov_reverse_",
       [](Outputs &o) {
         return int(hos_ov_reverse_(&tag, &m, &n, &none, &one, ones.data(), o.vector(3)));
       }},
      {"hov_reverse_",
       [](Outputs &o) {
         return int(hov_reverse_(&tag, &m, &n, &none, &two, ones.data(), o.vector(6)));
       }},
      {"hov_ti_reverse_",
       [](Outputs &o) {
         return int(hov_ti_reverse_(&tag, &m, &n, &none, &two, ones.data(), o.vector(6)));
       }},
      {"zos_forward_",
       [](Outputs &o) { return int(zos_forward_(&tag, &m, &n, &one, x.data(), o.vector(2))); }},
      {"fos_forward_",
       [](Outputs &o) {
         return int(
             fos_forward_(&tag, &m, &n, &none, x.data(), ones.data(), o.vector(2), o.vector(2)));
       }},
      {"fov_forward_",
       [](Outputs &o) {
         return int(
             fov_forward_(&tag, &m, &n, &two, x.data(), ones.data(), o.vector(2), o.vector(4)));
       }},
      {"fos_reverse_",
       [](Outputs &o) { return int(fos_reverse_(&tag, &m, &n, ones.data(), o.vector(3))); }},
      {"fov_reverse_",
       [](Outputs &o) { return int(fov_reverse_(&tag, &m, &n, &two, ones.data(), o.vector(6))); }},
      {"function_", [](Outputs &o) { return int(function_(&tag, &m, &n, x.data(), o.vector(2))); }},
      {"gradient_", [](Outputs &o) { return int(gradient_(&scalar, &n, x.data(), o.vector(3))); }},
      {"jacobian_", [](Outputs &o) { return int(jacobian_(&tag, &m, &n, x.data(), o.vector(6))); }},
      {"large_jacobian_",
       [](Outputs &o) {
         return int(large_jacobian_(&tag, &m, &n, &one, changeable(x), o.vector(2), o.vector(6)));
       }},
      {"vec_jac_",
       [](Outputs &o) {
         return int(vec_jac_(&tag, &m, &n, &none, x.data(), ones.data(), o.vector(3)));
       }},
      {"jac_vec_",
       [](Outputs &o) { return int(jac_vec_(&tag, &m, &n, x.data(), ones.data(), o.vector(2))); }},
      {"jac_solv_",
       [](Outputs &o) { return int(jac_solv_(&square, &two, x.data(), o.vector(2), &two)); }},
  };
  return all;
}

/// Calls that are refused although it is clear where their outputs are.
const std::vector<Call> &refused() {
  static const std::vector<Call> all = {
      {"zos_forward, keep",
       [](Outputs &o) { return zos_forward(kWide, 2, 3, 2, x.data(), o.vector(2)); }},
      {"fos_forward, keep",
       [](Outputs &o) {
         return fos_forward(kWide, 2, 3, -1, x.data(), ones.data(), o.vector(2), o.vector(2));
       }},
      {"forward, keep",
       [](Outputs &o) { return forward(kWide, 2, 3, 0, 2, pairs.get(), o.matrix(2, 1)); }},
      {"forward, keep of degree 1",
       [](Outputs &o) { return forward(kWide, 2, 3, 1, 3, pairs.get(), o.matrix(2, 2)); }},
      {"forward, degree",
       [](Outputs &o) { return forward(kWide, 2, 3, 2, 0, threes.get(), o.matrix(2, 3)); }},
      {"reverse, degree",
       [](Outputs &o) { return reverse(kWide, 2, 3, 1, ones.data(), o.matrix(3, 2)); }},
      {"fos_reverse without forward",
       [](Outputs &o) { return fos_reverse(kWide, 2, 3, ones.data(), o.vector(3)); }},
      {"fov_reverse without forward",
       [](Outputs &o) { return fov_reverse(kWide, 2, 3, 2, weights.get(), o.matrix(2, 3)); }},
      {"reverse without forward",
       [](Outputs &o) { return reverse(kWide, 2, 3, 0, ones.data(), o.matrix(3, 1)); }},
      {"reverse with weights without forward",
       [](Outputs &o) { return reverse(kScalar, 1, 3, 0, 2, changeable(ones), o.matrix(2, 3)); }},
      {"vec_jac without forward",
       [](Outputs &o) { return vec_jac(kWide, 2, 3, 1, x.data(), ones.data(), o.vector(3)); }},
      {"span function, size",
       [](Outputs &o) {
         return ADOLC::function(kWide, {ones.data(), 7}, o.span(2));
       }},
      {"span function, size of the output",
       [](Outputs &o) { return ADOLC::function(kWide, x, o.span(5)); }},
      {"span gradient, dependents",
       [](Outputs &o) { return ADOLC::gradient(kWide, x, o.span(3)); }},
      {"span hessian, dependents", [](Outputs &o) { return ADOLC::hessian(kWide, x, o.span(9)); }},
      {"span hessian, size", [](Outputs &o) { return ADOLC::hessian(kScalar, x, o.span(8)); }},
      {"span hess_mat, size",
       [](Outputs &o) { return ADOLC::hess_mat(kScalar, 2, x, part(5), o.span(6)); }},
      {"span hos_forward, keep",
       [](Outputs &o) {
         return ADOLC::hos_forward(kWide, 2, 4, x, part(6), o.span(2), o.span(4));
       }},
      {"span hos_forward, degree",
       [](Outputs &o) {
         return ADOLC::hos_forward(kWide, -1, 0, x, part(6), o.span(2), o.span(4));
       }},
      {"span hov_reverse without forward",
       [](Outputs &o) { return ADOLC::hov_reverse(kWide, 1, 2, part(4), o.span(12)); }},
      {"span hov_ti_reverse, size",
       [](Outputs &o) { return ADOLC::hov_ti_reverse(kWide, 1, 2, part(4), o.span(12)); }},
      {"span hos_reverse, degree",
       [](Outputs &o) { return ADOLC::hos_reverse(kWide, -1, part(2), o.span(3)); }},
      {"span fov_reverse, unknown tape",
       [](Outputs &o) {
         return ADOLC::fov_reverse(31999, 2, {ones.data(), 4}, o.span(6));
       }},
  };
  return all;
}

/// Calls whose outputs may be anywhere, or nowhere.
const std::vector<Call> &wrong() {
  static const std::vector<Call> all = {
      {"unknown tape",
       [](Outputs &o) { return zos_forward(31999, 2, 3, 0, x.data(), o.vector(2)); }},
      {"counts", [](Outputs &o) { return zos_forward(kWide, 2, 7, 0, x.data(), o.vector(2)); }},
      {"a missing array",
       [](Outputs &o) {
         return fos_forward(kWide, 2, 3, 0, x.data(), nullptr, o.vector(2), o.vector(2));
       }},
      {"a missing row",
       [](Outputs &o) {
         const double *rows[3] = {x.data(), nullptr, x.data()};
         return fov_forward(kWide, 2, 3, 1, x.data(), rows, o.vector(2), o.matrix(2, 1));
       }},
      {"a negative number",
       [](Outputs &o) { return fov_reverse(kWide, 2, 3, -1, weights.get(), o.matrix(2, 3)); }},
      {"a negative degree",
       [](Outputs &o) { return forward(kWide, 2, 3, -1, 0, pairs.get(), o.matrix(2, 1)); }},
      {"blocks",
       [](Outputs &o) {
         const int lengths[2] = {2, 2};
         return zos_forward_partx(kWide, 2, 2, lengths, blocks, o.vector(2));
       }},
  };
  return all;
}

struct Recorded : CleanThread {
  Recorded() {
    for (const auto &[tag, m, n] :
         {std::tuple{kWide, 2u, 3u}, {kSquare, 2u, 2u}, {kScalar, 1u, 3u}}) {
      ADOLC::tryRemoveTape(tag);
      findOrCreateTape(tag).memoryBudget(1);
      record(tag, std::vector<double>(x.begin(), x.begin() + n), [m = m](auto &v) {
        std::vector<adouble> y(m);
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t k = 0; k < 3000; ++k)
            y[i] += sin(v[(k + i) % v.size()] * (1.0 + 1.0 / (1.0 + double(k * k + i)))) *
                    (i + 1.0) / (1.0 + double(k));
        return y;
      });
    }
  }
  ~Recorded() {
    SpillGroup::failReads(0, 0);
    for (const short tag : {kWide, kSquare, kScalar})
      ADOLC::tryRemoveTape(tag);
  }
  /// What the calls need, and nothing that lets them do without the disk.
  static void forwardWithKeep() {
    double y[2];
    BOOST_TEST(zos_forward(kWide, 2, 3, 1, x.data(), y) == 3);
    BOOST_TEST(zos_forward(kScalar, 1, 3, 1, x.data(), y) == 3);
    BOOST_TEST(jac_solv(kSquare, 2, ones.data(), nullptr, 0) == 3); // of another point
  }
  /// Whether it ended with an error.
  static bool fails(const Call &call, Outputs &outputs) {
    try {
      return call.run(outputs) <= -100;
    } catch (const ADOLCError::ADOLCError &) {
      return true;
    }
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(after_errors, Recorded)

BOOST_AUTO_TEST_CASE(a_disk_that_cannot_be_read) {
  for (const Call &call : calls())
    BOOST_TEST_CONTEXT(call.name) {
      for (const std::size_t after : {0u, 1u, 7u}) {
        forwardWithKeep();
        Outputs outputs;
        SpillGroup::failReads(after, EIO);
        BOOST_TEST(fails(call, outputs));
        SpillGroup::failReads(0, 0);
        BOOST_TEST(outputs.allNaN());
      }
      forwardWithKeep();
      Outputs outputs; // nothing is wrong with the tape
      BOOST_TEST(call.run(outputs) == 3);
      BOOST_TEST(outputs.each([](double value) { return value != kStale; }));
    }
}

BOOST_AUTO_TEST_CASE(no_memory) {
  for (const Call &call : calls())
    BOOST_TEST_CONTEXT(call.name) {
      // A tape of its own: workspaces have no memory yet.
      Recorded fresh;
      if (std::string_view(call.name).find("reverse") != std::string_view::npos ||
          std::string_view(call.name) == "vec_jac again")
        continue; // the forward sweep that they need takes it, see limits.cpp
      Outputs outputs;
      const std::size_t former =
          ADOLC::detail::BlockPool::setLimit(ADOLC::detail::BlockPool::bytesInUse());
      const bool failed = fails(call, outputs);
      ADOLC::detail::BlockPool::setLimit(former);
      BOOST_TEST(failed);
      BOOST_TEST(outputs.allNaN());
    }
}

BOOST_AUTO_TEST_CASE(refused_arguments) {
  for (const Call &call : refused())
    BOOST_TEST_CONTEXT(call.name) {
      Outputs outputs;
      BOOST_TEST(fails(call, outputs));
      BOOST_TEST(outputs.allNaN());
    }
}

// Labels cannot be NaN: they are the highest one then, which holds in any case.
BOOST_AUTO_TEST_CASE(labels) {
  for (const bool withStack : {false, true}) {
    if (withStack)
      forwardWithKeep();
    std::vector<double> Z(6, kStale);
    std::vector<short> nz(6, 99), expected(6, withStack ? 4 : 5);
    try {
      BOOST_TEST(ADOLC::hov_reverse(kWide, 0, 2, part(4), Z, nz) == 3);
      BOOST_TEST(withStack);
    } catch (const ADOLCError::ADOLCError &error) {
      BOOST_TEST((error.type() == ErrorType::REVERSE_NO_TAYLOR_STACK));
      BOOST_TEST(allNaN(Z));
    }
    BOOST_TEST(nz == expected, boost::test_tools::per_element());
    std::vector<short> few(5, 99);
    expectError(ErrorType::SIZE_MISMATCH, {"hov_ti_reverse", "6", "5"},
                [&] { ADOLC::hov_ti_reverse(kWide, 0, 2, part(4), Z, few); });
    BOOST_TEST(few == std::vector<short>(5, 5), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(nobody_knows_where_the_outputs_are) {
  forwardWithKeep();
  for (const Call &call : wrong())
    BOOST_TEST_CONTEXT(call.name) {
      Outputs outputs;
      BOOST_TEST(fails(call, outputs));
      BOOST_TEST(outputs.allStale());
    }
}

BOOST_AUTO_TEST_SUITE_END()
