// SPDX-License-Identifier: MIT
// Active variables as the scalar type of Eigen.
#include "support/expect.h"

#include <adolc/eigen.h>

#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

using namespace test;

namespace {

using ActiveMatrix = Eigen::Matrix<adouble, Eigen::Dynamic, Eigen::Dynamic>;
using ActiveVector = Eigen::Matrix<adouble, Eigen::Dynamic, 1>;
constexpr short kTag = 161;

std::vector<adouble> eigenvalues(const ActiveMatrix &a) {
  const Eigen::SelfAdjointEigenSolver<ActiveMatrix> solver(a, Eigen::EigenvaluesOnly);
  BOOST_TEST((solver.info() == Eigen::Success));
  std::vector<adouble> result;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    result.push_back(solver.eigenvalues()[i]);
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(eigen, CleanThread)

BOOST_AUTO_TEST_CASE(symmetric_eigenvalues) {
  record(kTag, {2.0}, [](auto &x) {
    ActiveMatrix a(2, 2);
    a << x[0], 1.0, 1.0, x[0];
    return eigenvalues(a);
  });
  const double at = 2.0;
  double y[2];
  BOOST_TEST(function(kTag, 2, 1, &at, y) >= 0);
  BOOST_TEST(y[0] == 1.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(y[1] == 3.0, boost::test_tools::tolerance(1e-14));
  Matrix J(2, 1, 99.0);
  BOOST_TEST(jacobian(kTag, 2, 1, &at, J.get()) >= 0);
  BOOST_TEST(J[0][0] == 1.0, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(J[1][0] == 1.0, boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(repeated_eigenvalues) {
  record(kTag, {2.0}, [](auto &x) {
    ActiveMatrix a = ActiveMatrix::Identity(2, 2);
    a *= x[0];
    return eigenvalues(a);
  });
  const double at = 2.0;
  Matrix J(2, 1, 99.0);
  BOOST_TEST(jacobian(kTag, 2, 1, &at, J.get()) >= 0);
  BOOST_TEST(J[0][0] == 1.0, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(J[1][0] == 1.0, boost::test_tools::tolerance(1e-13));
}

// x = A⁻¹ b with A = [[2, 1], [0, 3]]: adjoints b̄ = A⁻ᵀ w, Ā = -b̄ xᵀ.
BOOST_AUTO_TEST_CASE(linear_solve) {
  record(kTag, {2.0, 1.0, 0.0, 3.0, 1.0, 2.0}, [](auto &v) {
    Eigen::Matrix<adouble, 2, 2> a;
    a << v[0], v[1], v[2], v[3];
    Eigen::Matrix<adouble, 2, 1> b(v[4], v[5]);
    const Eigen::Matrix<adouble, 2, 1> x = a.partialPivLu().solve(b);
    return std::vector<adouble>{x[0], x[1]};
  });
  const double at[] = {2.0, 1.0, 0.0, 3.0, 1.0, 2.0}, w[] = {1.0, 0.0};
  double y[2], z[6];
  BOOST_TEST(function(kTag, 2, 6, at, y) >= 0);
  BOOST_TEST(y[0] == 1.0 / 6.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(y[1] == 2.0 / 3.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(vec_jac(kTag, 2, 6, 0, at, w, z) >= 0);
  const double expected[] = {-1.0 / 12.0, -1.0 / 3.0, 1.0 / 36.0, 1.0 / 9.0, 0.5, -1.0 / 6.0};
  for (int i = 0; i < 6; ++i)
    BOOST_TEST(z[i] == expected[i], boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(expressions_and_decompositions) {
  recordScalar(kTag, {1.0, 2.0, 3.0}, [](auto &v) {
    ActiveVector x(3);
    for (Eigen::Index i = 0; i < 3; ++i)
      x[i] = v[static_cast<std::size_t>(i)];
    const Eigen::Matrix3d constant = Eigen::Vector3d(1.0, 2.0, 4.0).asDiagonal();
    const ActiveMatrix a = constant.cast<adouble>() + 0.0 * (x * x.transpose());
    const adouble quadratic = x.dot(a * x);          // x0² + 2 x1² + 4 x2²
    const adouble norm = x.norm() * x.squaredNorm(); // |x|³
    const adouble parts = x.array().sin().sum() + x.maxCoeff() + x.cwiseAbs().minCoeff();
    const adouble determinant = a.determinant() * x.prod();                     // 8 x0 x1 x2
    const adouble factor = a.llt().solve(x)[2] + a.householderQr().solve(x)[1]; // x2/4 + x1/2
    return quadratic + norm + parts + determinant + factor;
  });
  const double at[] = {1.0, 2.0, 3.0};
  double y = 0.0, g[3];
  BOOST_TEST(function(kTag, 1, 3, at, &y) >= 0);
  const double r = std::sqrt(14.0);
  BOOST_TEST(y == 45.0 + 14.0 * r + std::sin(1.0) + std::sin(2.0) + std::sin(3.0) + 3.0 + 1.0 +
                      48.0 + 0.75 + 1.0,
             boost::test_tools::tolerance(1e-14));
  BOOST_TEST(gradient(kTag, 3, at, g) >= 0);
  const double expected[] = {2.0 + 3.0 * r + std::cos(1.0) + 1.0 + 48.0,
                             8.0 + 6.0 * r + std::cos(2.0) + 24.0 + 0.5,
                             24.0 + 9.0 * r + std::cos(3.0) + 1.0 + 16.0 + 0.25};
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(g[i] == expected[i], boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(traits) {
  using Traits = Eigen::NumTraits<adouble>;
  static_assert(std::is_same_v<Traits::Real, adouble> && std::is_same_v<Traits::Literal, double>);
  static_assert(!Traits::IsInteger && !Traits::IsComplex && Traits::RequireInitialization);
  BOOST_TEST(Traits::epsilon().value() == std::numeric_limits<double>::epsilon());
  BOOST_TEST(Traits::digits10() == std::numeric_limits<double>::digits10);
  BOOST_TEST(Traits::highest().value() == std::numeric_limits<double>::max());
  const Eigen::Vector2d plain(2.0, 3.0);
  Eigen::Matrix<adouble, 2, 1> active(1.0, 2.0);
  BOOST_TEST((plain.cast<adouble>() + active)[1].value() == 5.0);
  BOOST_TEST((active * 2.0)[0].value() == 2.0);
  BOOST_TEST((3.0 * active)[1].value() == 6.0);
  BOOST_TEST(active.unaryExpr([](const adouble &a) { return a.value(); }).sum() == 3.0);
  BOOST_TEST(active.allFinite());
}

BOOST_AUTO_TEST_SUITE_END()
