// SPDX-License-Identifier: MIT
// What the statements of random programs do, for the files that instantiate it.
#pragma once

#include "random_program.h"

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

namespace programs {

#define STATEMENT_KINDS(list)                                                                      \
  list(constant) list(copy) list(binary) list(compound) list(compoundConstant) list(unary)         \
      list(unaryOfTemporary) list(temporaries) list(fused) list(fusedMoved) list(scalar)           \
          list(scalarOfTemporary) list(increment) list(move) list(swap) list(branch) list(select)  \
              list(scope) list(twoOperands) list(threeOperands) list(sign) list(power) list(self)  \
                  list(zero) list(tie) list(nested) list(dependent) list(independent)
enum Kind : std::uint8_t {
#define KIND(name) name##Kind,
  STATEMENT_KINDS(KIND)
#undef KIND
      numKinds
};
inline constexpr int numUnary = 0
#define COUNT(name) +1
    PROGRAMS_UNARY(COUNT)
#undef COUNT
    ;
inline constexpr int numBinary = 0
#define COUNT(name) +1
    PROGRAMS_BINARY(COUNT)
#undef COUNT
    ;

/// Works on a variable or on a temporary, as it is given.
template <class X> auto unaryFunction(int which, X &&x) -> std::remove_cvref_t<X> {
  int i = 0;
#define CASE(name)                                                                                 \
  if (which == i++)                                                                                \
    return name(std::forward<X>(x));
  PROGRAMS_UNARY(CASE)
#undef CASE
  return std::forward<X>(x);
}
template <class T> T binaryFunction(int which, const T &x, const T &y) {
  int i = 0;
#define CASE(name)                                                                                 \
  if (which == i++)                                                                                \
    return name(x, y);
  PROGRAMS_BINARY(CASE)
#undef CASE
  return x;
}
template <class X, class Y> auto arithmetic(int which, X &&x, Y &&y) {
  switch (which % 4) {
  case 0:
    return std::forward<X>(x) + std::forward<Y>(y);
  case 1:
    return std::forward<X>(x) - std::forward<Y>(y);
  case 2:
    return std::forward<X>(x) * std::forward<Y>(y);
  default:
    return std::forward<X>(x) / std::forward<Y>(y);
  }
}
template <class T, class Y> void compoundOperator(int which, T &x, Y &&y) {
  switch (which % 4) {
  case 0:
    x += std::forward<Y>(y);
    break;
  case 1:
    x -= std::forward<Y>(y);
    break;
  case 2:
    x *= std::forward<Y>(y);
    break;
  default:
    x /= std::forward<Y>(y);
    break;
  }
}
template <class T, class Y> bool relation(int which, const T &x, const Y &y) {
  switch (which % 6) {
  case 0:
    return x < y;
  case 1:
    return x <= y;
  case 2:
    return x > y;
  case 3:
    return x >= y;
  case 4:
    return x == y;
  default:
    return x != y;
  }
}

template <class T> void execute(const Statement &s, std::vector<T> &r, Host<T> &host) {
  T &d = r[s.d];
  T &a = r[s.a], &b = r[s.b], &c = r[s.c];
  const int sub = s.sub;
  const double k = s.k;
  switch (s.kind) {
  case constantKind:
    d = k;
    break;
  case copyKind:
    if (sub % 2 == 0)
      d = a;
    else
      d = T(a); // a copy that is moved in
    break;
  case binaryKind:
    d = arithmetic(sub, std::as_const(a), std::as_const(b));
    break;
  case compoundKind:
    compoundOperator(sub, d, std::as_const(a));
    break;
  case compoundConstantKind:
    compoundOperator(sub, d, k);
    break;
  case unaryKind:
    d = unaryFunction(sub % numUnary, std::as_const(a));
    break;
  case unaryOfTemporaryKind:
    d = unaryFunction(sub % numUnary, a * k + b);
    break;
  case temporariesKind:
    switch (sub >> 4 & 3) {
    case 0:
      d = arithmetic(sub, arithmetic(sub >> 2, std::as_const(a), std::as_const(b)), c);
      break;
    case 1:
      d = arithmetic(sub, c, arithmetic(sub >> 2, std::as_const(a), std::as_const(b)));
      break;
    case 2:
      d = arithmetic(sub, a * b, b + c);
      break;
    default:
      d = a * b + c * d - b;
      break;
    }
    break;
  case fusedKind:
    switch (sub % 4) {
    case 0:
      d += a * b;
      break;
    case 1:
      d -= a * b;
      break;
    case 2:
      d += k * a;
      break;
    default:
      d -= a * k;
    }
    break;
  case fusedMovedKind: {
    T product = a * b;
    if (sub % 4 < 2) {
      T other = product; // the product is not the last operation any more
      d += std::move(product);
      d -= other * c;
    } else {
      d += std::move(product);
    }
    break;
  }
  case scalarKind:
    d = (sub & 4) != 0 ? arithmetic(sub, std::as_const(a), k)
                       : arithmetic(sub, k, std::as_const(a));
    break;
  case scalarOfTemporaryKind:
    d = (sub & 4) != 0 ? arithmetic(sub, a - b, k) : arithmetic(sub, k, a + b);
    break;
  case incrementKind:
    switch (sub % 4) {
    case 0:
      d = ++a * b;
      break;
    case 1:
      d = b * a++;
      break;
    case 2:
      d = --a + b;
      break;
    default:
      d = a-- - b;
      break;
    }
    break;
  case moveKind: {
    T taken(std::move(a));
    a = k;
    d = std::move(taken);
    break;
  }
  case swapKind:
    std::swap(a, b);
    break;
  case branchKind: {
    const bool withConstant = (sub & 8) != 0;
    const bool outcome = withConstant ? relation(sub, a, k) : relation(sub, a, b);
    const double other = withConstant ? k : b.value();
    host.compared(outcome, !std::isnan(a.value()) && !std::isnan(other));
    if (outcome)
      d = a * 0.5 + c;
    else
      d -= b;
    break;
  }
  case selectKind:
    switch (sub % 4) {
    case 0:
      condassign(d, a, b, c);
      break;
    case 1:
      condassign(d, a, b);
      break;
    case 2:
      condeqassign(d, a, b, c);
      break;
    default:
      condeqassign(d, a, b);
      break;
    }
    break;
  case scopeKind: {
    // Locations are taken, moved about as the vector grows, and given back.
    std::vector<T> local;
    for (int i = 0; i < 3 + sub % 5; ++i)
      local.push_back(i % 2 == 0 ? a * (k + i) : b + c);
    T sum = 0.0;
    for (T &li : local)
      sum += li * a;
    local.pop_back();
    local[0] *= local[1];
    d = sum * 0.25 + local[0] * 0.125;
    break;
  }
  case twoOperandsKind:
    d = binaryFunction(sub % numBinary, std::as_const(a), std::as_const(b));
    break;
  case threeOperandsKind:
    if (sub % 2 == 0)
      d = fma(a, b, c);
    else
      d = hypot(a, b, c);
    break;
  case signKind:
    switch (sub % 4) {
    case 0:
      d = -a;
      break;
    case 1:
      d = +a;
      break;
    case 2:
      d = -(a + b);
      break;
    default:
      d = +(a * b);
      break;
    }
    break;
  case powerKind:
    switch (sub % 5) {
    case 0:
      d = pow(a, k);
      break;
    case 1:
      d = pow(a, std::floor(k * 2.0));
      break;
    case 2:
      d = pow(std::fabs(k), a);
      break;
    case 3:
      d = sub % 2 == 0 ? fmin(a, k) : fmax(a, k);
      break;
    default:
      d = ldexp(a, static_cast<int>(k));
      break;
    }
    break;
  case selfKind:
    switch (sub % 6) {
    case 0:
      d *= d;
      break;
    case 1:
      d = d * d;
      break;
    case 2:
      d += d;
      break;
    case 3:
      d = d / (d * d + 1.0);
      break;
    case 4:
      d += d * d;
      break;
    default:
      d = d - d * k;
      break;
    }
    break;
  case zeroKind:
    switch (sub % 3) {
    case 0:
      d = a - a;
      break;
    case 1:
      d = a * 0.0;
      break;
    default:
      d = 0.0;
      break;
    }
    break;
  case tieKind: {
    T same = a;
    switch (sub % 4) {
    case 0:
      d = fmin(a, same);
      break;
    case 1:
      d = fmax(b * 0.0 + a, a);
      break;
    case 2:
      d = fabs(a - same * 1.0);
      break;
    default:
      d = fabs(b * 0.0);
      break;
    }
    break;
  }
  case nestedKind:
    host.nested(a);
    break;
  case dependentKind:
    host.dependent(d);
    break;
  default:
    host.independent(d);
    break;
  }
}

} // namespace programs
