// SPDX-License-Identifier: MIT
// Wrong arguments: a clear error that names tape, function and numbers, nothing evaluated, and the
// tape as good as before.
#include "support/expect.h"

#include <boost/test/unit_test.hpp>

#include <climits>
#include <functional>
#include <string>

using namespace test;

namespace {

constexpr short kTag = 131;
const std::string kTagText = std::to_string(kTag);

/// A recorded tape with 2 dependents and 3 independents and arrays of the right size for it.
struct Recorded : CleanThread {
  double x[3] = {1.0, 2.0, 3.0}, X[3] = {1.0, 0.0, 0.0}, u[2] = {1.0, 0.0};
  double y[2] = {99.0, 99.0}, Y[2] = {99.0, 99.0}, z[3] = {99.0, 99.0, 99.0};
  Matrix seeds = Matrix::unit(3), weights = Matrix::unit(2);
  Matrix J{2, 3, 99.0}, Z{2, 3, 99.0};

  Recorded() {
    ADOLC::tryRemoveTape(kTag);
    record(kTag, {1.0, 1.0, 1.0}, [](auto &v) {
      std::vector<adouble> result;
      result.push_back(v[0] * v[1] + v[2]);
      result.push_back(v[2] * v[2]);
      return result;
    });
  }
  ~Recorded() {
    // What was refused has written nothing where it could not know the arrays, or else NaN; see
    // after_errors.cpp. Everything still works.
    for (const double value : {y[0], y[1], Y[0], z[0], J[0][0], Z[1][2]})
      BOOST_TEST((value == 99.0 || std::isnan(value)));
    BOOST_TEST(jacobian(kTag, 2, 3, x, J.get()) == 3);
    BOOST_TEST(J.flat() == (std::vector<double>{2.0, 1.0, 1.0, 0.0, 0.0, 6.0}),
               boost::test_tools::per_element());
  }
  /// Makes the reverse sweeps possible.
  void forwardWithKeep() {
    double values[2];
    BOOST_TEST(zos_forward(kTag, 2, 3, 1, x, values) == 3);
  }

  struct Call {
    const char *name;
    std::function<void(short tag, int m, int n)> call;
    bool reverse = false;
  };
  std::vector<Call> calls() {
    return {
        {"zos_forward", [&](short t, int m, int n) { zos_forward(t, m, n, 0, x, y); }},
        {"fos_forward", [&](short t, int m, int n) { fos_forward(t, m, n, 0, x, X, y, Y); }},
        {"fov_forward",
         [&](short t, int m, int n) { fov_forward(t, m, n, 3, x, seeds.get(), y, J.get()); }},
        {"fov_offset_forward",
         [&](short t, int m, int n) {
           fov_offset_forward(t, m, n, 1, 1, x, seeds.get(), y, J.get());
         }},
        {"function", [&](short t, int m, int n) { function(t, m, n, x, y); }},
        {"jacobian", [&](short t, int m, int n) { jacobian(t, m, n, x, J.get()); }},
        {"large_jacobian",
         [&](short t, int m, int n) { large_jacobian(t, m, n, 2, x, y, J.get()); }},
        {"vec_jac", [&](short t, int m, int n) { vec_jac(t, m, n, 0, x, u, z); }},
        {"jac_vec", [&](short t, int m, int n) { jac_vec(t, m, n, x, X, Y); }},
        {"fos_reverse", [&](short t, int m, int n) { fos_reverse(t, m, n, u, z); }, true},
        {"fov_reverse",
         [&](short t, int m, int n) { fov_reverse(t, m, n, 2, weights.get(), Z.get()); }, true},
    };
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(misuse, Recorded)

BOOST_AUTO_TEST_CASE(unknown_tapes) {
  for (const Call &call : calls())
    for (const short tag : {short{31500}, short{-1}, short{-32768}})
      BOOST_TEST_CONTEXT(call.name)
  expectError(ErrorType::NO_TAPE_ID, {call.name, std::to_string(tag)},
              [&] { call.call(tag, 2, 3); });
  expectError(ErrorType::NO_TAPE_ID, {"gradient", "31500"}, [&] { gradient(31500, 3, x, z); });
}

BOOST_AUTO_TEST_CASE(wrong_counts) {
  forwardWithKeep();
  const int counts[][2] = {
      {1, 3}, {3, 3}, {2, 2}, {2, 120}, {0, 0}, {-2, 3}, {2, -3}, {INT_MAX, INT_MAX}, {INT_MIN, 3}};
  for (const Call &call : calls())
    for (const auto &[m, n] : counts)
      BOOST_TEST_CONTEXT(call.name)
  expectError(call.reverse ? ErrorType::REVERSE_COUNTS_MISMATCH : ErrorType::FWD_COUNTS_MISMATCH,
              {call.name, kTagText, "2", "3", std::to_string(m), std::to_string(n)},
              [&, m = m, n = n] { call.call(kTag, m, n); });
  recordScalar(kTag + 1, {1.0, 1.0}, [](auto &v) { return v[0] * v[1]; });
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"gradient", std::to_string(kTag + 1), "2", "120"},
              [&] { gradient(kTag + 1, 120, x, z); });
  expectError(ErrorType::WRONG_DEPENDENT_COUNT, {"gradient", kTagText, "2", "1"},
              [&] { gradient(kTag, 3, x, z); });
}

BOOST_AUTO_TEST_CASE(never_recorded) {
  const short empty = createNewTape();
  for (const Call &call : calls())
    BOOST_TEST_CONTEXT(call.name)
  expectError(call.reverse ? ErrorType::REVERSE_COUNTS_MISMATCH : ErrorType::FWD_COUNTS_MISMATCH,
              {call.name, std::to_string(empty)}, [&] { call.call(empty, 2, 3); });
}

BOOST_AUTO_TEST_CASE(null_pointers) {
  forwardWithKeep();
  const auto refused = [](const char *name, const std::function<void()> &f) {
    BOOST_TEST_CONTEXT(name)
    expectError(ErrorType::NULL_ARGUMENT, {name, kTagText}, f);
  };
  double *const none = nullptr;
  const double *const *const noRows = nullptr;
  refused("zos_forward", [&] { zos_forward(kTag, 2, 3, 0, none, y); });
  refused("zos_forward", [&] { zos_forward(kTag, 2, 3, 0, x, none); });
  refused("fos_forward", [&] { fos_forward(kTag, 2, 3, 0, none, X, y, Y); });
  refused("fos_forward", [&] { fos_forward(kTag, 2, 3, 0, x, none, y, Y); });
  refused("fos_forward", [&] { fos_forward(kTag, 2, 3, 0, x, X, none, Y); });
  refused("fos_forward", [&] { fos_forward(kTag, 2, 3, 0, x, X, y, none); });
  refused("fov_forward", [&] { fov_forward(kTag, 2, 3, 3, none, seeds.get(), y, J.get()); });
  refused("fov_forward", [&] { fov_forward(kTag, 2, 3, 3, x, noRows, y, J.get()); });
  refused("fov_forward", [&] { fov_forward(kTag, 2, 3, 3, x, seeds.get(), none, J.get()); });
  refused("fov_forward", [&] { fov_forward(kTag, 2, 3, 3, x, seeds.get(), y, nullptr); });
  const double *holes[] = {x, nullptr, x};
  double *outHoles[] = {y, nullptr};
  refused("fov_forward", [&] { fov_forward(kTag, 2, 3, 3, x, holes, y, J.get()); });
  refused("fov_forward", [&] { fov_forward(kTag, 2, 3, 1, x, seeds.get(), y, outHoles); });
  refused("fos_reverse", [&] { fos_reverse(kTag, 2, 3, none, z); });
  refused("fos_reverse", [&] { fos_reverse(kTag, 2, 3, u, none); });
  refused("fov_reverse", [&] { fov_reverse(kTag, 2, 3, 2, noRows, Z.get()); });
  refused("fov_reverse", [&] { fov_reverse(kTag, 2, 3, 2, weights.get(), nullptr); });
  refused("fov_reverse", [&] { fov_reverse(kTag, 2, 3, 2, holes, Z.get()); });
  refused("function", [&] { function(kTag, 2, 3, none, y); });
  refused("function", [&] { function(kTag, 2, 3, x, none); });
  refused("jacobian", [&] { jacobian(kTag, 2, 3, none, J.get()); });
  refused("jacobian", [&] { jacobian(kTag, 2, 3, x, nullptr); });
  refused("jacobian", [&] { jacobian(kTag, 2, 3, x, outHoles); });
  refused("large_jacobian", [&] { large_jacobian(kTag, 2, 3, 1, none, y, J.get()); });
  refused("large_jacobian", [&] { large_jacobian(kTag, 2, 3, 1, x, none, J.get()); });
  refused("large_jacobian", [&] { large_jacobian(kTag, 2, 3, 1, x, y, nullptr); });
  refused("vec_jac", [&] { vec_jac(kTag, 2, 3, 0, none, u, z); });
  refused("vec_jac", [&] { vec_jac(kTag, 2, 3, 0, x, none, z); });
  refused("vec_jac", [&] { vec_jac(kTag, 2, 3, 0, x, u, none); });
  refused("jac_vec", [&] { jac_vec(kTag, 2, 3, none, X, Y); });
  refused("jac_vec", [&] { jac_vec(kTag, 2, 3, x, none, Y); });
  refused("jac_vec", [&] { jac_vec(kTag, 2, 3, x, X, none); });
  recordScalar(kTag + 1, {1.0}, [](auto &v) { return v[0] * v[0]; });
  expectError(ErrorType::NULL_ARGUMENT, {"gradient"}, [&] { gradient(kTag + 1, 1, nullptr, z); });
  expectError(ErrorType::NULL_ARGUMENT, {"gradient"}, [&] { gradient(kTag + 1, 1, x, nullptr); });
}

BOOST_AUTO_TEST_CASE(negative_numbers_of_directions) {
  forwardWithKeep();
  for (const int p : {-1, -7, INT_MIN}) {
    const std::string text = std::to_string(p);
    expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"fov_forward", kTagText, text},
                [&] { fov_forward(kTag, 2, 3, p, x, seeds.get(), y, J.get()); });
    expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"fov_reverse", kTagText, text},
                [&] { fov_reverse(kTag, 2, 3, p, weights.get(), Z.get()); });
    expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"fov_offset_forward", kTagText, text},
                [&] { fov_offset_forward(kTag, 2, 3, 1, p, x, seeds.get(), y, J.get()); });
  }
}

BOOST_AUTO_TEST_CASE(no_directions) {
  forwardWithKeep();
  double values[2];
  BOOST_TEST(fov_forward(kTag, 2, 3, 0, x, nullptr, values, nullptr) == 3);
  BOOST_TEST(values[0] == 5.0);
  BOOST_TEST(fov_reverse(kTag, 2, 3, 0, nullptr, nullptr) == 3);
}

BOOST_AUTO_TEST_CASE(keep_out_of_range) {
  for (const int keep : {-1, 2, 3, INT_MAX, INT_MIN})
    expectError(ErrorType::FWD_ZO_KEEP, {"zos_forward", kTagText, std::to_string(keep)},
                [&] { zos_forward(kTag, 2, 3, keep, x, y); });
  for (const int keep : {-1, 3, INT_MAX, INT_MIN})
    expectError(ErrorType::FWD_FO_KEEP, {"fos_forward", kTagText, std::to_string(keep)},
                [&] { fos_forward(kTag, 2, 3, keep, x, X, y, Y); });
  // and it leaves the Taylor stack alone
  forwardWithKeep();
  expectError(ErrorType::FWD_ZO_KEEP, {}, [&] { zos_forward(kTag, 2, 3, 2, x, y); });
  double row[3];
  BOOST_TEST(fos_reverse(kTag, 2, 3, u, row) == 3);
  BOOST_TEST(row[0] == 2.0);
}

BOOST_AUTO_TEST_CASE(reverse_without_forward) {
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {"fos_reverse", kTagText},
              [&] { fos_reverse(kTag, 2, 3, u, z); });
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {"fov_reverse", kTagText},
              [&] { fov_reverse(kTag, 2, 3, 2, weights.get(), Z.get()); });
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {"vec_jac", kTagText},
              [&] { vec_jac(kTag, 2, 3, 1, x, u, z); });
  // A forward sweep without keep is not enough.
  double values[2];
  BOOST_TEST(zos_forward(kTag, 2, 3, 0, x, values) == 3);
  expectError(ErrorType::REVERSE_NO_TAYLOR_STACK, {"fos_reverse", kTagText},
              [&] { fos_reverse(kTag, 2, 3, u, z); });
  // Recording again without keep drops the stack.
  forwardWithKeep();
  record(kTag, {1.0, 1.0, 1.0}, [](auto &v) {
    std::vector<adouble> result;
    result.push_back(v[0] * v[1] + v[2]);
    result.push_back(v[2] * v[2]);
    return result;
  });
  expectError(ErrorType::REVERSE_NO_FOWARD, {"fos_reverse", kTagText, "keep"},
              [&] { fos_reverse(kTag, 2, 3, u, z); });
}

BOOST_AUTO_TEST_CASE(reverse_after_every_kind_of_keep) {
  double values[2], tangents[2], row[3];
  const double expected[] = {2.0, 1.0, 1.0};
  const auto check = [&] {
    for (int repeat = 0; repeat < 3; ++repeat) { // any number of times
      std::fill_n(row, 3, 99.0);
      BOOST_TEST(fos_reverse(kTag, 2, 3, u, row) == 3);
      for (int j = 0; j < 3; ++j)
        BOOST_TEST(row[j] == expected[j]);
      Matrix rows(2, 3, 99.0);
      BOOST_TEST(fov_reverse(kTag, 2, 3, 2, weights.get(), rows.get()) == 3);
      BOOST_TEST(rows.flat() == (std::vector<double>{2.0, 1.0, 1.0, 0.0, 0.0, 6.0}),
                 boost::test_tools::per_element());
    }
  };
  forwardWithKeep();
  check();
  for (const int keep : {1, 2}) {
    BOOST_TEST(fos_forward(kTag, 2, 3, keep, x, X, values, tangents) == 3);
    check();
  }
  const double other[] = {5.0, 5.0, 5.0}; // without keep: not disturbed
  BOOST_TEST(zos_forward(kTag, 2, 3, 0, other, values) == 3);
  BOOST_TEST(fos_forward(kTag, 2, 3, 0, other, X, values, tangents) == 3);
  Matrix columns(2, 3);
  BOOST_TEST(fov_forward(kTag, 2, 3, 3, other, seeds.get(), values, columns.get()) == 3);
  check();
}

BOOST_AUTO_TEST_CASE(front_ends_with_a_degree) {
  const double nan = kNaN;
  Matrix points(3, 2), values(2, 2, 99.0); // value and direction by row
  for (std::size_t i = 0; i < 3; ++i) {
    points[i][0] = x[i];
    points[i][1] = X[i];
  }
  BOOST_TEST(forward(kTag, 2, 3, 0, 1, points.get(), values.get()) == 3);
  BOOST_TEST(values.flat() == (std::vector<double>{5.0, 99.0, 9.0, 99.0}));
  BOOST_TEST(forward(kTag, 2, 3, 1, 2, points.get(), values.get()) == 3);
  BOOST_TEST(values.flat() == (std::vector<double>{5.0, 2.0, 9.0, 0.0}));
  double f[2];
  BOOST_TEST(forward(kTag, 2, 3, 0, 1, x, f) == 3);
  BOOST_TEST((f[0] == 5.0 && f[1] == 9.0));

  const std::vector<double> row{2.0, 1.0, 1.0};
  double adjoints[3];
  BOOST_TEST(reverse(kTag, 2, 3, 0, u, adjoints) == 3);
  BOOST_TEST(std::vector<double>(adjoints, adjoints + 3) == row);
  Matrix column(3, 1, nan), rows(2, 3, nan);
  BOOST_TEST(reverse(kTag, 2, 3, 0, u, column.get()) == 3);
  BOOST_TEST(column.flat() == row);
  BOOST_TEST(reverse(kTag, 2, 3, 0, 2, weights.get(), rows.get()) == 3);
  BOOST_TEST(rows.flat() == (std::vector<double>{2.0, 1.0, 1.0, 0.0, 0.0, 6.0}));
  nestedReverseEval(kTag, true); // adds
  BOOST_TEST(reverse(kTag, 2, 3, 0, u, column.get()) == 3);
  BOOST_TEST(column.flat() == (std::vector<double>{4.0, 2.0, 2.0}));
  nestedReverseEval(kTag, false);

  // one dependent
  const short one = kTag + 1;
  recordScalar(one, {1.0, 1.0, 1.0}, [](auto &v) { return v[0] * v[1] + v[2]; });
  double taylor[2] = {99.0, 99.0}, factors[2] = {1.0, -2.0};
  BOOST_TEST(forward(one, 1, 3, 1, 1, points.get(), taylor) == 3);
  BOOST_TEST((taylor[0] == 5.0 && taylor[1] == 2.0));
  BOOST_TEST(reverse(one, 1, 3, 0, 1.0, adjoints) == 3);
  BOOST_TEST(std::vector<double>(adjoints, adjoints + 3) == row);
  BOOST_TEST(reverse(one, 1, 3, 0, 1.0, column.get()) == 3);
  BOOST_TEST(column.flat() == row);
  BOOST_TEST(reverse(one, 1, 3, 0, 2, factors, rows.get()) == 3);
  BOOST_TEST(rows.flat() == (std::vector<double>{2.0, 1.0, 1.0, -4.0, -2.0, -2.0}));

  // what does not fit together
  expectError(ErrorType::WRONG_DIM_Y, {"forward", "2"},
              [&] { forward(kTag, 2, 3, 0, 0, points.get(), y); });
  expectError(ErrorType::WRONG_DIM_XY, {"forward", "1"}, [&] { forward(kTag, 2, 3, 1, 0, x, y); });
  expectError(ErrorType::WRONG_DIM_u, {"reverse", "2"},
              [&] { reverse(kTag, 2, 3, 0, 1.0, column.get()); });
  expectError(ErrorType::WRONG_DIM_Z, {"reverse", "1"}, [&] { reverse(kTag, 2, 3, 1, u, z); });
  expectError(ErrorType::WRONG_DIM_uZ, {"reverse", "2", "0"},
              [&] { reverse(kTag, 2, 3, 0, 1.0, z); });
  expectError(ErrorType::WRONG_DIM_uZ, {"reverse", "1"}, [&] { reverse(one, 1, 3, 1, 1.0, z); });
  expectError(ErrorType::WRONG_DIM_D, {"reverse", "1"},
              [&] { reverse(kTag, 2, 3, 1, 2, weights.get(), Z.get()); });
  expectError(ErrorType::WRONG_DIM_U, {"reverse", "2"},
              [&] { reverse(kTag, 2, 3, 0, 2, factors, Z.get()); });
  expectError(ErrorType::WRONG_DIM_D, {"reverse", "3"},
              [&] { reverse(one, 1, 3, 3, 2, factors, Z.get()); });
  // what was not kept, counts, missing arrays
  expectError(ErrorType::REVERSE_NO_FOWARD, {"reverse", "needed: 2"},
              [&] { reverse(one, 1, 3, 1, 1.0, points.get()); });
  expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"forward", "-1"},
              [&] { forward(kTag, 2, 3, -1, 0, points.get(), Z.get()); });
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"forward", "7"},
              [&] { forward(kTag, 2, 7, 1, 0, points.get(), Z.get()); });
  expectError(ErrorType::REVERSE_COUNTS_MISMATCH, {"reverse", "7"},
              [&] { reverse(kTag, 2, 7, 0, u, column.get()); });
  double **const noRows = nullptr;
  expectError(ErrorType::NULL_ARGUMENT, {}, [&] { forward(kTag, 2, 3, 1, 0, noRows, Z.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {},
              [&] { forward(kTag, 2, 3, 1, 0, points.get(), noRows); });
  expectError(ErrorType::NULL_ARGUMENT, {}, [&] { reverse(kTag, 2, 3, 0, u, noRows); });
  double *const none = nullptr;
  BOOST_TEST(zos_forward(one, 1, 3, 1, x, f) == 3);
  expectError(ErrorType::NULL_ARGUMENT, {}, [&] { reverse(one, 1, 3, 0, 2, none, Z.get()); });
}

// Curves: X[n][d] and X[n][p][d].
BOOST_AUTO_TEST_CASE(sweeps_of_higher_order) {
  Matrix curve(3, 2, 1.0), result(2, 2, 99.0), adjoints(3, 3, 99.0), polynomials(2, 3, 1.0);
  double **curves3[] = {curve.get(), curve.get(), curve.get()};
  double **results2[] = {result.get(), result.get()};
  double **adjoints2[] = {adjoints.get(), adjoints.get()};
  const auto hos = [&](int d, int keep) {
    return hos_forward(kTag, 2, 3, d, keep, x, curve.get(), y, result.get());
  };
  BOOST_TEST(hos(2, 2) == 3);
  for (const int keep : {-1, 4})
    expectError(ErrorType::FWD_HO_KEEP, {"hos_forward", kTagText, "degree 2", std::to_string(keep)},
                [&] { hos(2, keep); });
  BOOST_TEST(std::isnan(result.get()[0][0]));
  BOOST_TEST(std::isnan(y[1]));
  // What was refused leaves the stack of keep 2: enough for degree 1.
  Matrix first(3, 2, 99.0);
  BOOST_TEST(hos_reverse(kTag, 2, 3, 1, u, first.get()) == 3);
  BOOST_TEST(first.flat() == (std::vector<double>{2.0, 1.0, 1.0, 1.0, 1.0, 0.0}));
  expectError(ErrorType::REVERSE_NO_FOWARD, {"hos_reverse", "saved coefficients: 2", "needed: 3"},
              [&] { hos_reverse(kTag, 2, 3, 2, u, adjoints.get()); });
  BOOST_TEST(std::isnan(adjoints.get()[2][2]));
  expectError(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {"hos_ov_reverse", "1", "2"},
              [&] { hos_ov_reverse(kTag, 2, 3, 1, 2, polynomials.get(), adjoints2); });
  BOOST_TEST(hov_wk_forward(kTag, 2, 3, 2, 3, 2, x, curves3, y, results2) == 3);
  expectError(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {"hos_reverse", "2", "1"},
              [&] { hos_reverse(kTag, 2, 3, 2, u, adjoints.get()); });
  expectError(ErrorType::REVERSE_DIRECTIONS_MISMATCH, {"hov_reverse"},
              [&] { hov_reverse(kTag, 2, 3, 2, 2, weights.get(), adjoints2, nullptr); });
  BOOST_TEST(fos_reverse(kTag, 2, 3, u, z) == 3); // values only
  for (const int d : {-1, -7}) {
    expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"hos_forward"}, [&] { hos(d, 0); });
    expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"hos_reverse"},
                [&] { hos_reverse(kTag, 2, 3, d, u, adjoints.get()); });
    expectError(ErrorType::ARGUMENT_OUT_OF_RANGE, {"hov_forward"},
                [&] { hov_forward(kTag, 2, 3, 2, d, x, curves3, y, results2); });
  }
  expectError(ErrorType::FWD_COUNTS_MISMATCH, {"hos_forward", "7"},
              [&] { hos_forward(kTag, 2, 7, 2, 0, x, curve.get(), y, result.get()); });
  expectError(ErrorType::REVERSE_COUNTS_MISMATCH, {"hos_ti_reverse", "7"},
              [&] { hos_ti_reverse(kTag, 2, 7, 2, polynomials.get(), adjoints.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"hos_forward"},
              [&] { hos_forward(kTag, 2, 3, 2, 0, x, nullptr, y, result.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"hos_ti_reverse"},
              [&] { hos_ti_reverse(kTag, 2, 3, 2, nullptr, adjoints.get()); });
  expectError(ErrorType::NULL_ARGUMENT, {"hov_reverse"},
              [&] { hov_reverse(kTag, 2, 3, 2, 2, nullptr, adjoints2, nullptr); });
  BOOST_TEST(hos_forward(kTag, 2, 3, 0, 1, x, nullptr, y, nullptr) == 3); // degree 0: values
  BOOST_TEST((y[0] == 5.0 && y[1] == 9.0));
  y[0] = y[1] = z[0] = 99.0;
}

// Texts are for people: kind, function, place.
BOOST_AUTO_TEST_CASE(the_error_itself) {
  try {
    zos_forward(kTag, 1, 112, 0, x, y);
    BOOST_ERROR("nothing was thrown");
  } catch (const ADOLCError::ADOLCError &error) {
    BOOST_TEST((error.type() == ErrorType::FWD_COUNTS_MISMATCH));
    BOOST_TEST(error.tapeId() == kTag);
    BOOST_TEST(error.where().func() == "zos_forward");
    BOOST_TEST(error.where().line() > 0);
    const std::string text = error.what();
    BOOST_TEST(text.find("FWD_COUNTS_MISMATCH") != std::string::npos);
    BOOST_TEST(text.find("\n[Source] ") != std::string::npos);
    BOOST_TEST(text.find("112") != std::string::npos);
  }
  BOOST_CHECK_THROW(zos_forward(kTag, 1, 1, 0, x, y), std::runtime_error);
  BOOST_TEST(ADOLCError::errorName(ErrorType::REVERSE_NO_FOWARD) == "REVERSE_NO_FOWARD");
  BOOST_TEST(ADOLCError::errorName(static_cast<ErrorType>(100000)) == "UNKNOWN");
  static_assert(ADOLCError::to_underlying(ErrorType::MALLOC_FAILED) == 0);
  static_assert(ADOLCError::OP_READ_FAILED == ErrorType::EVAL_OP_TAPE_READ_FAILED);
  const ADOLCError::source_location here = CURRENT_LOCATION;
  BOOST_CHECK_THROW(ADOLCError::fail(ErrorType::NOT_IMPLEMENTED, here), ADOLCError::ADOLCError);
  const ADOLCError::ADOLCError own("text", here);
  BOOST_TEST(std::string(own.what()) ==
             "text\n" + ADOLCError::ADOLCError::makeSourceLocation(here));
}

BOOST_AUTO_TEST_CASE(sizes_of_marked_ranges) {
  std::vector<adouble> v(3);
  std::vector<double> two(2, 99.0);
  expectError(ErrorType::SIZE_MISMATCH, {"tape -1", "3", "2"},
              [&] { std::span<adouble>(v) <<= std::span<const double>(two); });
  expectError(ErrorType::SIZE_MISMATCH, {"tape -1", "3", "2"},
              [&] { std::span<adouble>(v) >>= std::span<double>(two); });
  BOOST_TEST(two[0] == 99.0);
  trace_on(kTag + 2);
  expectError(ErrorType::SIZE_MISMATCH, {"tape " + std::to_string(kTag + 2)},
              [&] { std::span<adouble>(v) <<= std::span<const double>(two); });
  trace_off();
  expectError(ErrorType::NONPOSITIVE_BASIS, {}, [&] { pow(-1.0, v[0]); });
}

BOOST_AUTO_TEST_SUITE_END()
