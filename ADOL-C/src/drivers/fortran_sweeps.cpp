#include "drivers/fortran.h"

#include <adolc/interfaces.h>

using namespace ADOLC::detail::fortran;

namespace {

/// hov_forward and hov_wk_forward: sweep(curves, results).
template <class Sweep>
fint alongCurves(const char *caller, const fint *tag, const fint *m, const fint *n, const fint *d,
                 const fint *p, const fdouble *X, fdouble *y, fdouble *Y, Sweep &&sweep) {
  return asCode([&] {
    const Flat in{X, count(n), count(p), count(d)};
    check(caller, tagOf(tag), count(m), count(n), false, {count(d), count(p)},
          {in, {Y, count(m), count(p), count(d)}});
    return withTensor({Y, count(m), count(p), count(d)}, {y, count(m)}, [&](double ***results) {
      const Tensor curves(in);
      return sweep(curves.get(), results);
    });
  });
}

/// A number of coefficients, of a degree.
int coefficients(const fint *degree) { return count(degree) < 0 ? 0 : narrow<int>(*degree + 1); }
/// Of reverse sweeps.
void checkReverse(const char *caller, const fint *tag, const fint *m, const fint *n,
                  std::initializer_list<int> lanes, std::initializer_list<Flat> arrays) {
  check(caller, tagOf(tag), count(m), count(n), true, lanes, arrays);
}

} // namespace

extern "C" {

fint zos_forward_(const fint *tag, const fint *m, const fint *n, const fint *keep, const fdouble *x,
                  fdouble *y) {
  return asCode([&] { return zos_forward(tagOf(tag), count(m), count(n), count(keep), x, y); });
}
fint fos_forward_(const fint *tag, const fint *m, const fint *n, const fint *keep, const fdouble *x,
                  const fdouble *X, fdouble *y, fdouble *Y) {
  return asCode(
      [&] { return fos_forward(tagOf(tag), count(m), count(n), count(keep), x, X, y, Y); });
}
fint fov_forward_(const fint *tag, const fint *m, const fint *n, const fint *p, const fdouble *x,
                  const fdouble *X, fdouble *y, fdouble *Y) {
  return asCode([&] {
    const Flat in{X, count(n), count(p)};
    check("fov_forward", tagOf(tag), count(m), count(n), false, {count(p)},
          {in, {Y, count(m), count(p)}});
    return withMatrix({Y, count(m), count(p)}, {y, count(m)}, [&](double **results) {
      const Matrix seeds(in);
      return fov_forward(tagOf(tag), count(m), count(n), count(p), x, seeds.get(), y, results);
    });
  });
}
fint fos_reverse_(const fint *tag, const fint *m, const fint *n, const fdouble *u, fdouble *z) {
  return asCode([&] { return fos_reverse(tagOf(tag), count(m), count(n), u, z); });
}
fint fov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *q, const fdouble *U,
                  fdouble *Z) {
  return asCode([&] {
    const Flat in{U, count(q), count(m)};
    check("fov_reverse", tagOf(tag), count(m), count(n), true, {count(q)},
          {in, {Z, count(q), count(n)}});
    return withMatrix({Z, count(q), count(n)}, {}, [&](double **results) {
      const Matrix weights(in);
      return fov_reverse(tagOf(tag), count(m), count(n), count(q), weights.get(), results);
    });
  });
}

fint hos_forward_(const fint *tag, const fint *m, const fint *n, const fint *d, const fint *keep,
                  const fdouble *x, const fdouble *X, fdouble *y, fdouble *Y) {
  return asCode([&] {
    const Flat in{X, count(n), count(d)};
    check("hos_forward", tagOf(tag), count(m), count(n), false, {count(d)},
          {in, {Y, count(m), count(d)}});
    return withMatrix({Y, count(m), count(d)}, {y, count(m)}, [&](double **results) {
      const Matrix curve(in);
      return hos_forward(tagOf(tag), count(m), count(n), count(d), count(keep), x, curve.get(), y,
                         results);
    });
  });
}

fint hov_forward_(const fint *tag, const fint *m, const fint *n, const fint *d, const fint *p,
                  const fdouble *x, const fdouble *X, fdouble *y, fdouble *Y) {
  return alongCurves("hov_forward", tag, m, n, d, p, X, y, Y,
                     [&](double ***curves, double ***results) {
                       return hov_forward(tagOf(tag), count(m), count(n), count(d), count(p), x,
                                          curves, y, results);
                     });
}
fint hov_wk_forward_(const fint *tag, const fint *m, const fint *n, const fint *d, const fint *keep,
                     const fint *p, const fdouble *x, const fdouble *X, fdouble *y, fdouble *Y) {
  return alongCurves("hov_wk_forward", tag, m, n, d, p, X, y, Y,
                     [&](double ***curves, double ***results) {
                       return hov_wk_forward(tagOf(tag), count(m), count(n), count(d), count(keep),
                                             count(p), x, curves, y, results);
                     });
}

fint hos_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d, const fdouble *u,
                  fdouble *Z) {
  return asCode([&] {
    const int width = coefficients(d);
    checkReverse("hos_reverse", tag, m, n, {count(d)}, {{Z, count(n), width}});
    return withMatrix({Z, count(n), width}, {}, [&](double **results) {
      return hos_reverse(tagOf(tag), count(m), count(n), count(d), u, results);
    });
  });
}
fint hos_ti_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d, const fdouble *U,
                     fdouble *Z) {
  return asCode([&] {
    const int width = coefficients(d);
    const Flat in{U, count(m), width};
    checkReverse("hos_ti_reverse", tag, m, n, {count(d)}, {in, {Z, count(n), width}});
    return withMatrix({Z, count(n), width}, {}, [&](double **results) {
      const Matrix weights(in);
      return hos_ti_reverse(tagOf(tag), count(m), count(n), count(d), weights.get(), results);
    });
  });
}
fint hos_ov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d, const fint *p,
                     const fdouble *U, fdouble *Z) {
  return asCode([&] {
    const int width = coefficients(d);
    const Flat in{U, count(m), width};
    checkReverse("hos_ov_reverse", tag, m, n, {count(d), count(p)},
                 {in, {Z, count(p), count(n), width}});
    return withTensor({Z, count(p), count(n), width}, {}, [&](double ***results) {
      const Matrix weights(in);
      return hos_ov_reverse(tagOf(tag), count(m), count(n), count(d), count(p), weights.get(),
                            results);
    });
  });
}
fint hov_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d, const fint *q,
                  const fdouble *U, fdouble *Z) {
  return asCode([&] {
    const int width = coefficients(d);
    const Flat in{U, count(q), count(m)};
    checkReverse("hov_reverse", tag, m, n, {count(d), count(q)},
                 {in, {Z, count(q), count(n), width}});
    return withTensor({Z, count(q), count(n), width}, {}, [&](double ***results) {
      const Matrix weights(in);
      return hov_reverse(tagOf(tag), count(m), count(n), count(d), count(q), weights.get(), results,
                         nullptr);
    });
  });
}
fint hov_ti_reverse_(const fint *tag, const fint *m, const fint *n, const fint *d, const fint *q,
                     const fdouble *U, fdouble *Z) {
  return asCode([&] {
    const int width = coefficients(d);
    const Flat in{U, count(q), count(m), width};
    checkReverse("hov_ti_reverse", tag, m, n, {count(d), count(q)},
                 {in, {Z, count(q), count(n), width}});
    return withTensor({Z, count(q), count(n), width}, {}, [&](double ***results) {
      const Tensor weights(in);
      return hov_ti_reverse(tagOf(tag), count(m), count(n), count(d), count(q), weights.get(),
                            results, nullptr);
    });
  });
}

} // extern "C"
