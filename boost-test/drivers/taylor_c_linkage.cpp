// SPDX-License-Identifier: MIT
// Names with C linkage: declared here as C sees them, without the headers of the library.
#include <boost/test/unit_test.hpp>

#include <cstddef>

extern "C" {
int tensor_eval(short, int, int, int, int, const double *, double **, const double *const *);
int inverse_tensor_eval(short, int, int, int, const double *, double **, const double *const *);
int inverse_Taylor_prop(short, int, int, const double *const *, double **);
std::size_t tensor_address(int, const int *);
void tensor_value(int, int, double *, double **, const int *);
void **tensorsetup(int, int, int, double **);
void freetensor(int, int, int, double **);
long binomi(std::size_t, std::size_t);
int forodec(short, int, double, int, int, double **);
void accodec(int, double, int, double ***, double ***, short **);
long forodec_(const long *, const long *, const double *, const long *, const long *, double *);
long accodec_(const long *, const double *, const long *, const double *, double *);
int lie_scalarc(short, short, short, const double *, short, double *);
int lie_scalarcv(short, short, short, short, const double *, short, double **);
int lie_gradientc(short, short, short, const double *, short, double **);
int lie_gradientcv(short, short, short, short, const double *, short, double ***);
int lie_covector(short, short, short, const double *, short, double **);
int lie_bracket(short, short, short, const double *, short, double **);
void conv(int, const double *, const double *, double *);
void conv0(int, double *, const double *, double *);
void inconv(int, const double *, const double *, double *);
void inconv0(int, double *, const double *, double *);
void inconv1(int, const double *, const double *, double *);
void deconv(int, const double *, const double *, double *);
void deconv0(int, double *, const double *, double *);
void deconv1(int, const double *, const double *, double *);
void divide(int, const double *, const double *, double *);
void recipr(int, double, const double *, double *);
void zeroset(int, double *);
void copyAndZeroset(int, double *, double *);
}

BOOST_AUTO_TEST_CASE(names_of_taylor_drivers_with_c_linkage) {
  const auto isThere = [](auto *...functions) {
    return ((reinterpret_cast<void *>(functions) != nullptr) && ...);
  };
  BOOST_TEST(isThere(tensor_eval, inverse_tensor_eval, inverse_Taylor_prop, tensor_address,
                     tensor_value, tensorsetup, freetensor, binomi, forodec, accodec, forodec_,
                     accodec_, lie_scalarc, lie_scalarcv, lie_gradientc, lie_gradientcv,
                     lie_covector, lie_bracket, conv, conv0, inconv, inconv0, inconv1, deconv,
                     deconv0, deconv1, divide, recipr, zeroset, copyAndZeroset));
  const int multi[] = {2, 1, 1};
  BOOST_TEST(tensor_address(3, multi) == 6);
  BOOST_TEST(binomi(5, 2) == 10);
}
