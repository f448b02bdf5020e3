// SPDX-License-Identifier: MIT
// The names with C linkage, declared here by hand and not by the headers: what a binding does.
#include "support/temporary_directory.h"

#include <boost/test/unit_test.hpp>

extern "C" {
int function(short, int, int, const double *, double *);
int gradient(short, int, const double *, double *);
int jacobian(short, int, int, const double *, double **);
int large_jacobian(short, int, int, int, double *, double *, double **);
int vec_jac(short, int, int, int, const double *, const double *, double *);
int jac_vec(short, int, int, const double *, const double *, double *);
int jac_solv(unsigned short, int, const double *, double *, unsigned short);
int hessian(short, int, const double *, double **);
int hessian2(short, int, double *, double **);
int hess_vec(short, int, const double *, const double *, double *);
int hess_mat(short, int, int, const double *, const double *const *, double **);
int lagra_hess_vec(short, int, int, const double *, const double *, const double *, double *);
void tape_doc(short, int, int, const double *, double *);
int zos_forward(short, int, int, int, const double *, double *);
int zos_forward_nk(short, int, int, const double *, double *);
int fos_forward(short, int, int, int, const double *, const double *, double *, double *);
int fos_forward_nk(short, int, int, const double *, const double *, double *, double *);
int fov_forward(short, int, int, int, const double *, const double *const *, double *, double **);
int fov_offset_forward(short, int, int, int, int, const double *, const double *const *, double *,
                       double **);
int fos_reverse(short, int, int, const double *, double *);
int fov_reverse(short, int, int, int, const double *const *, double **);
double *myalloc1(unsigned long);
double **myalloc2(unsigned long, unsigned long);
double ***myalloc3(unsigned long, unsigned long, unsigned long);
void myfree1(double *);
void myfree2(double **);
void myfree3(double ***);
long hessian_(const long *, const long *, const double *, double *);
long gradient_(const long *, const long *, const double *, double *);
long jacobian_(const long *, const long *, const long *, const double *, double *);
const char *adolc_last_error(void);
}

void recordProductForC(short tag); // fortran_forms.cpp: y0 = x0 x1, y1 = x0² + x1

BOOST_AUTO_TEST_CASE(names_with_c_linkage) {
  recordProductForC(121);
  const double x[2] = {2.0, 3.0}, seed[2] = {1.0, 0.0}, u[2] = {1.0, 1.0};
  double y[2], Y[2], z[2], at[2] = {2.0, 3.0};
  double **J = myalloc2(2, 2);
  BOOST_TEST(function(121, 2, 2, x, y) == 3);
  BOOST_TEST((y[0] == 6.0 && y[1] == 7.0));
  BOOST_TEST(jacobian(121, 2, 2, x, J) == 3);
  BOOST_TEST((J[0][0] == 3.0 && J[0][1] == 2.0 && J[1][0] == 4.0 && J[1][1] == 1.0));
  BOOST_TEST(large_jacobian(121, 2, 2, 2, at, y, J) == 3);
  BOOST_TEST(vec_jac(121, 2, 2, 0, x, u, z) == 3);
  BOOST_TEST((z[0] == 7.0 && z[1] == 3.0));
  BOOST_TEST(jac_vec(121, 2, 2, x, seed, Y) == 3);
  BOOST_TEST((Y[0] == 3.0 && Y[1] == 4.0));
  double b[2] = {5.0, 5.0};
  BOOST_TEST(jac_solv(121, 2, x, b, 2) == 3);
  BOOST_TEST((b[0] == 1.0 && b[1] == 1.0));
  {
    const test::TemporaryDirectory directory;
    y[0] = y[1] = 0.0;
    tape_doc(121, 2, 2, x, y);
    BOOST_TEST((y[0] == 6.0 && y[1] == 7.0));
  }
  BOOST_TEST(zos_forward(121, 2, 2, 1, x, y) == 3);
  BOOST_TEST(zos_forward_nk(121, 2, 2, x, y) == 3);
  BOOST_TEST(fos_reverse(121, 2, 2, u, z) == 3);
  BOOST_TEST((z[0] == 7.0 && z[1] == 3.0));
  BOOST_TEST(fos_forward(121, 2, 2, 2, x, seed, y, Y) == 3);
  BOOST_TEST(fos_forward_nk(121, 2, 2, x, seed, y, Y) == 3);
  const double unit0[2] = {1.0, 0.0}, unit1[2] = {0.0, 1.0};
  const double *unit[2] = {unit0, unit1};
  BOOST_TEST(fov_forward(121, 2, 2, 2, x, unit, y, J) == 3);
  BOOST_TEST(fov_offset_forward(121, 2, 2, 1, 1, x, unit, y, J) == 3);
  BOOST_TEST(fov_reverse(121, 2, 2, 2, unit, J) == 3);
  BOOST_TEST((J[0][0] == 3.0 && J[0][1] == 2.0 && J[1][0] == 4.0 && J[1][1] == 1.0));
  BOOST_TEST(lagra_hess_vec(121, 2, 2, x, seed, u, z) == 3); // of x0 x1 + x0² + x1
  BOOST_TEST((z[0] == 2.0 && z[1] == 1.0));
  BOOST_CHECK_THROW(hessian(121, 2, x, J), std::runtime_error); // two dependents
  BOOST_CHECK_THROW(hessian2(121, 2, at, J), std::runtime_error);
  BOOST_CHECK_THROW(hess_vec(121, 2, x, seed, z), std::runtime_error);
  BOOST_CHECK_THROW(hess_mat(121, 2, 2, x, unit, J), std::runtime_error);
  myfree2(J);
  double *v = myalloc1(2);
  double ***t = myalloc3(1, 1, 1);
  myfree1(v);
  myfree3(t);
  const long tag = 121, one = 1;
  BOOST_TEST(gradient_(&tag, &one, x, z) < -99); // two dependents: a code, no exception
  BOOST_TEST(hessian_(&tag, &one, x, z) < -99);
  BOOST_TEST(adolc_last_error()[0] != '\0');
  BOOST_CHECK_THROW(gradient(121, 2, x, z), std::runtime_error);
}
