// SPDX-License-Identifier: MIT
//
// Three problems of the NIST Statistical Reference Datasets (StRD), Nonlinear
// Regression: Misra1a, Thurber and MGH09, with both starting points, the
// certified parameters and their standard errors, the certified residual sum of
// squares and residual standard deviation. Source: National Institute of
// Standards and Technology, https://www.itl.nist.gov/div898/strd/
#ifndef ADOLC_EXAMPLES_NIST_DATA_H
#define ADOLC_EXAMPLES_NIST_DATA_H

#include <array>
#include <vector>

namespace nist {

struct Dataset {
  const char *name;
  const char *formula; // of the model y(x; b)
  std::vector<double> x, y;
  std::array<std::vector<double>, 2> start;
  std::vector<double> certified, standard_error; // of the parameters
  double residual_sum_of_squares, residual_deviation;
};

inline Dataset misra1a() {
  return {"Misra1a",
          "b1 (1 - exp(-b2 x))",
          {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1,
           760.0},
          {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40,
           75.47, 81.78},
          {{{500, 0.0001}, {250, 0.0005}}},
          {2.3894212918E+02, 5.5015643181E-04},
          {2.7070075241E+00, 7.2668688436E-06},
          1.2455138894E-01,
          1.0187876330E-01};
}

inline Dataset thurber() {
  return {"Thurber",
          "(b1 + b2 x + b3 x^2 + b4 x^3) / (1 + b5 x + b6 x^2 + b7 x^3)",
          {-3.067, -2.981, -2.921, -2.912, -2.840, -2.797, -2.702, -2.699, -2.633, -2.481,
           -2.363, -2.322, -1.501, -1.460, -1.274, -1.212, -1.100, -1.046, -0.915, -0.714,
           -0.566, -0.545, -0.400, -0.309, -0.109, -0.103, 0.010,  0.119,  0.377,  0.790,
           0.963,  1.006,  1.115,  1.572,  1.841,  2.047,  2.200},
          {80.574,   84.248,   87.264,   87.195,   89.076,   89.608,   89.868,   90.101,
           92.405,   95.854,   100.696,  101.060,  401.672,  390.724,  567.534,  635.316,
           733.054,  759.087,  894.206,  990.785,  1090.109, 1080.914, 1122.643, 1178.351,
           1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509, 1425.208, 1421.384,
           1442.962, 1464.350, 1468.705, 1447.894, 1457.628},
          {{{1000, 1000, 400, 40, 0.7, 0.3, 0.03}, {1300, 1500, 500, 75, 1, 0.4, 0.05}}},
          {1.2881396800E+03, 1.4910792535E+03, 5.8323836877E+02, 7.5416644291E+01, 9.6629502864E-01,
           3.9797285797E-01, 4.9727297349E-02},
          {4.6647963344E+00, 3.9571156086E+01, 2.8698696102E+01, 5.5675370270E+00, 3.1333340687E-02,
           1.4984928198E-02, 6.5842344623E-03},
          5.6427082397E+03,
          1.3714600784E+01};
}

inline Dataset mgh09() {
  return {"MGH09",
          "b1 (x^2 + b2 x) / (x^2 + b3 x + b4)",
          {4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
          {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
          {{{25, 39, 41.5, 39}, {0.25, 0.39, 0.415, 0.39}}},
          {1.9280693458E-01, 1.9128232873E-01, 1.2305650693E-01, 1.3606233068E-01},
          {1.1435312227E-02, 1.9633220911E-01, 8.0842031232E-02, 9.0025542308E-02},
          3.0750560385E-04,
          6.6279236551E-03};
}

} // namespace nist

#endif
