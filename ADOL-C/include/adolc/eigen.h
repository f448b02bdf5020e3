/// @file eigen.h
/// Active variables as the scalar type of Eigen:
///
///     #include <adolc/eigen.h>
///     Eigen::Matrix<adouble, 3, 3> A;
///     Eigen::Matrix<adouble, 3, 1> x = A.partialPivLu().solve(b);
///
/// Not part of the umbrella header: it needs Eigen (3.3 or later), which the library itself does
/// not. Without Eigen on the include path this header is empty. Decompositions that pivot or
/// iterate compare values; the comparisons are recorded, and an evaluation at a point where one of
/// them has another outcome returns -1. Operands of products and sums have to be of one type:
/// convert numbers with M.cast<adouble>().
#pragma once

#include <adolc/adtb_types.h>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>

#include <limits>

namespace Eigen {

template <> struct NumTraits<adouble> : GenericNumTraits<adouble> {
  using Real = adouble;
  using NonInteger = adouble;
  using Nested = adouble;
  using Literal = double;

  enum {
    IsInteger = 0,
    IsSigned = 1,
    IsComplex = 0,
    RequireInitialization = 1, // an element needs a location before it is assigned to
    ReadCost = 1,
    AddCost = 3,
    MulCost = 3
  };

  static adouble epsilon() { return std::numeric_limits<double>::epsilon(); }
  static adouble dummy_precision() { return NumTraits<double>::dummy_precision(); }
  static adouble highest() { return std::numeric_limits<double>::max(); }
  static adouble lowest() { return std::numeric_limits<double>::lowest(); }
  static adouble infinity() { return std::numeric_limits<double>::infinity(); }
  static adouble quiet_NaN() { return std::numeric_limits<double>::quiet_NaN(); }
  static int digits10() { return std::numeric_limits<double>::digits10; }
};

// Numbers beside active variables: 2.0 * M, M / 3.0.
template <typename BinaryOp> struct ScalarBinaryOpTraits<adouble, double, BinaryOp> {
  using ReturnType = adouble;
};
template <typename BinaryOp> struct ScalarBinaryOpTraits<double, adouble, BinaryOp> {
  using ReturnType = adouble;
};

} // namespace Eigen
#endif
