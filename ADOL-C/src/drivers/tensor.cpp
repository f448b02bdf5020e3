#include "drivers/tensor.h"

#include <adolc/adolcerror.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace ADOLC::detail {
namespace {

using Real = long double;

Real power(Real base, std::size_t exponent) {
  Real result = 1;
  for (std::size_t e = 0; e < exponent; ++e)
    result *= base;
  return result;
}

Real factorial(std::size_t n) {
  Real result = 1;
  for (std::size_t k = 2; k <= n; ++k)
    result *= static_cast<Real>(k);
  return result;
}

int divisorOf(std::span<const int> v) {
  int divisor = 0;
  for (const int entry : v)
    divisor = std::gcd(divisor, entry);
  return divisor;
}

/// Small binomial coefficients, row by row.
template <class T> class Pascal {
public:
  explicit Pascal(std::size_t rows) : rows_(rows), numbers_(rows * rows) {
    for (std::size_t n = 0; n < rows; ++n)
      for (std::size_t k = 0; k <= n; ++k)
        numbers_[n * rows + k] = k == 0 || k == n ? 1 : at(n - 1, k - 1) + at(n - 1, k);
  }
  T at(std::size_t n, std::size_t k) const { return numbers_[n * rows_ + k]; }

private:
  std::size_t rows_;
  std::vector<T> numbers_;
};

/// Addresses of multi-indices that are sorted already, as lists of `length` numbers up to `most`.
class Addresses {
public:
  Addresses(std::size_t most, std::size_t length) : length_(length) {
    terms_.resize((most + 1) * length);
    for (std::size_t value = 0; value <= most; ++value)
      for (std::size_t rank = 0; rank < length; ++rank)
        term(value, rank) = binomial("tensor_eval", value + rank, rank + 1);
  }
  /// Of the list in which numbers[l] stands counts[l] times, ascending, behind zeros.
  std::size_t of(std::span<const std::size_t> numbers, std::span<const int> counts) {
    std::size_t rank = length_, address = 0;
    for (std::size_t l = numbers.size(); l-- > 0;)
      for (int c = 0; c < counts[l]; ++c)
        address += term(numbers[l], --rank);
    return address;
  }

private:
  std::size_t &term(std::size_t value, std::size_t rank) { return terms_[value * length_ + rank]; }
  std::size_t length_;
  std::vector<std::size_t> terms_;
};

/// Calls f(j) for all j >= 0 (from `least` on) with s entries and the sum d, in lexicographic
/// order.
template <class F> void forEachOfSum(std::size_t s, int d, int least, F &&f) {
  std::vector<int> j(s, least);
  const auto next = [&](auto &&self, std::size_t l, int rest) -> void {
    if (l + 1 == s) {
      j[l] = rest;
      f(std::as_const(j));
      return;
    }
    const int others = least * static_cast<int>(s - l - 1);
    for (j[l] = least; j[l] <= rest - others; ++j[l])
      self(self, l + 1, rest - j[l]);
  };
  if (d >= least * static_cast<int>(s))
    next(next, 0, d);
}

/// The factors γ_ij of one i with s entries > 0, for all j of as many entries.
class Factors {
public:
  explicit Factors(std::size_t d)
      : d_(d), pascal_(d + 1), binomials_((d + 1) * (d + 1) * (d + 1)),
        levels_((d + 1) * (d + 1) * (d + 1)), scales_(d + 1) {
    for (std::size_t total = 1; total <= d; ++total)
      for (std::size_t k = 0; k <= total; ++k) {
        // (z over j) = Π_{q < j} (z - q)/(q + 1) with z = d k/total, exactly 0 where it is.
        Real value = 1;
        for (std::size_t j = 0; j <= d; ++j) {
          at(total, k, j) = value;
          value *= (static_cast<Real>(d * k) - static_cast<Real>(j * total)) /
                   static_cast<Real>((j + 1) * total);
        }
      }
  }

  /// In lexicographic order of the j.
  void of(const std::vector<int> &i, std::vector<Real> &result) {
    result.clear();
    before_.assign(1, 0);
    for (const int entry : i)
      before_.push_back(before_.back() + static_cast<std::size_t>(entry));
    r_ = before_.back();
    for (std::size_t total = 1; total <= r_; ++total) {
      scales_[total] = power(static_cast<Real>(total) / static_cast<Real>(d_), r_);
      level(0, total, 0) = 1;
    }
    descend(i, 0, d_, result);
  }

private:
  /// The sum over k is, for each |k| = total, a coefficient of a product of polynomials, one for
  /// each entry of j: level(l, total, t) are those of the first l factors, as far as they have any
  /// and the other factors can make up what t lacks of the total. So neighbouring j share most of
  /// the work.
  void descend(const std::vector<int> &i, std::size_t l, std::size_t rest,
               std::vector<Real> &result) {
    if (l + 1 == i.size()) {
      Real sum = 0;
      for (std::size_t total = 1; total <= r_; ++total)
        sum += scales_[total] * next(i, l, total, total, rest);
      result.push_back(sum);
      return;
    }
    for (std::size_t j = 0; j <= rest; ++j) {
      for (std::size_t total = 1; total <= r_; ++total) {
        const std::size_t others = r_ - before_[l + 1];
        for (std::size_t t = total > others ? total - others : 0;
             t <= std::min(total, before_[l + 1]); ++t)
          level(l + 1, total, t) = next(i, l, total, t, j);
      }
      descend(i, l + 1, rest - j, result);
    }
  }
  /// level(l + 1, total, t).
  Real next(const std::vector<int> &i, std::size_t l, std::size_t total, std::size_t t,
            std::size_t j) {
    const std::size_t order = static_cast<std::size_t>(i[l]), most = std::min(order, t);
    Real sum = 0; // (0 over j) is 0 but for j = 0
    for (std::size_t k = std::max<std::size_t>(t > before_[l] ? t - before_[l] : 0, j > 0);
         k <= most; ++k) {
      const Real term = pascal_.at(order, k) * at(total, k, j) * level(l, total, t - k);
      sum += (order - k) % 2 == 0 ? term : -term;
    }
    return sum;
  }
  Real &at(std::size_t total, std::size_t k, std::size_t j) {
    return binomials_[(total * (d_ + 1) + k) * (d_ + 1) + j];
  }
  Real &level(std::size_t l, std::size_t total, std::size_t t) {
    return levels_[(l * (d_ + 1) + total) * (d_ + 1) + t];
  }

  std::size_t d_, r_ = 0;
  std::vector<std::size_t> before_; // orders of the entries before
  Pascal<Real> pascal_;
  std::vector<Real> binomials_, levels_, scales_;
};

/// Factors of orders that are an arrangement of others: those of j are of the j that is arranged in
/// the same way. i is sorted; the sum of j is d.
void rearrange(const std::vector<int> &i, const std::vector<int> &arranged, int d,
               const Pascal<std::size_t> &pascal, const std::vector<Real> &factors,
               std::vector<Real> &result) {
  result = factors;
  if (arranged == i)
    return;
  const std::size_t s = i.size();
  std::vector<std::size_t> from(s); // arranged[l] is i[from[l]]
  for (std::size_t l = 0; l < s; ++l) {
    const auto before = arranged.begin() + static_cast<std::ptrdiff_t>(l);
    from[l] =
        static_cast<std::size_t>(std::lower_bound(i.begin(), i.end(), arranged[l]) - i.begin() +
                                 std::count(arranged.begin(), before, arranged[l]));
  }
  std::vector<int> original(s);
  std::size_t index = 0;
  forEachOfSum(s, d, 0, [&](const std::vector<int> &j) {
    for (std::size_t l = 0; l < s; ++l)
      original[from[l]] = j[l];
    // Before it, in lexicographic order, are those with a smaller entry after the same ones.
    std::size_t rank = 0, rest = static_cast<std::size_t>(d);
    for (std::size_t l = 0; l + 1 < s; ++l) {
      const std::size_t others = s - l - 1;
      rank += pascal.at(rest + others, others);
      rest -= static_cast<std::size_t>(original[l]);
      rank -= pascal.at(rest + others, others);
    }
    result[index++] = factors[rank];
  });
}

/// Calls f(numbers) for all choices of s of the numbers first … first + p - 1, ascending.
template <class F> void forEachChoice(std::size_t s, std::size_t p, F &&f) {
  std::vector<std::size_t> choice(s);
  std::iota(choice.begin(), choice.end(), std::size_t{0});
  for (;;) {
    f(std::as_const(choice));
    std::size_t l = s;
    while (l > 0 && choice[l - 1] == p - s + l - 1)
      --l;
    if (l == 0)
      return;
    std::iota(choice.begin() + static_cast<std::ptrdiff_t>(l - 1), choice.end(), choice[l - 1] + 1);
  }
}

} // namespace

std::size_t binomial(const char *caller, std::size_t n, std::size_t k) {
  if (k > n)
    return 0;
  // Every step gives a binomial coefficient; each is at least twice the one before.
  const std::size_t steps = std::min(k, n - k);
  std::size_t result = 1;
  for (std::size_t i = 1; i <= steps; ++i) {
    // result·(n - steps + i)/i, in lowest terms before it is multiplied
    const std::size_t factor = n - steps + i, common = std::gcd(factor, i);
    const std::size_t reduced = result / (i / common);
    if (reduced > static_cast<std::size_t>(std::numeric_limits<long>::max()) / (factor / common))
      ADOLCError::fail(ADOLCError::ErrorType::BINOMIAL_OVERFLOW, {__FILE__, caller, __LINE__},
                       {.info5 = n, .info6 = k});
    result = reduced * (factor / common);
  }
  return result;
}

std::size_t tensorSize(const char *caller, std::size_t p, std::size_t d) {
  return binomial(caller, p + d, d);
}

Directions tensorDirections(const char *caller, std::size_t p, std::size_t d) {
  Directions result;
  if (p == 0)
    return result;
  result.ends.reserve(binomial(caller, p - 1 + d, d) + 1);
  // By address: j tells how often each column stands in a list of d columns, which do not increase;
  // lists in lexicographic order.
  std::vector<std::size_t> list(d, 0);
  std::vector<int> factors;
  for (;;) {
    factors.clear();
    for (std::size_t first = 0; first < d;) {
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = std::find_if(begin, list.end(), [&](std::size_t c) { return c != *begin; });
      factors.push_back(static_cast<int>(end - begin));
      result.terms.push_back({*begin, factors.back()});
      first += static_cast<std::size_t>(end - begin);
    }
    const int divisor = divisorOf(factors);
    for (std::size_t t = result.ends.back(); t < result.terms.size(); ++t)
      result.terms[t].factor /= divisor;
    result.ends.push_back(result.terms.size());

    std::size_t at = d;
    while (at > 0 && list[at - 1] == (at > 1 ? list[at - 2] : p - 1))
      --at;
    if (at == 0)
      return result;
    ++list[at - 1];
    std::fill(list.begin() + static_cast<std::ptrdiff_t>(at), list.end(), std::size_t{0});
  }
}

void interpolateTensors(std::size_t p, std::size_t d, std::size_t m, const double *coefficients,
                        double *const *tensors) {
  const std::size_t count = binomial("tensor_eval", p - 1 + d, d);
  Addresses ofEntries(p, d), ofDirections(p - 1, d);
  std::optional<Factors> factors;
  if (p > 1)
    factors.emplace(d);
  const Pascal<std::size_t> pascal(p > 1 ? 2 * d : 0); // what is too large there is not used
  std::vector<Real> row, factorsOfOrders;
  const auto degree = static_cast<int>(d);

  for (std::size_t s = 1; s <= std::min(p, d); ++s) {
    // All choices of s of the p variables, and what the lattice on them has for numbers.
    std::vector<std::size_t> variables, directions;
    std::vector<Real> divisors;
    forEachOfSum(s, degree, 0, [&](const std::vector<int> &j) {
      divisors.push_back(static_cast<Real>(divisorOf(j)));
    });
    forEachChoice(s, p, [&](const std::vector<std::size_t> &choice) {
      variables.insert(variables.end(), choice.begin(), choice.end());
      forEachOfSum(s, degree, 0, [&](const std::vector<int> &j) {
        directions.push_back(ofDirections.of(choice, j));
      });
    });

    for (std::size_t r = s; r <= d; ++r)
      forEachOfSum(s, static_cast<int>(r), 1, [&](const std::vector<int> &i) {
        if (!std::is_sorted(i.begin(), i.end()))
          return; // an arrangement of another one
        if (s == 1) {
          row.assign(1, factorial(r));
        } else {
          factors->of(i, row);
          for (std::size_t j = 0; j < row.size(); ++j)
            row[j] *= power(divisors[j], r);
        }
        std::vector<std::size_t> numbers(s);
        std::vector<int> arranged = i;
        do {
          rearrange(i, arranged, degree, pascal, row, factorsOfOrders);
          for (std::size_t c = 0; c * s < variables.size(); ++c) {
            for (std::size_t l = 0; l < s; ++l)
              numbers[l] = variables[c * s + l] + 1;
            const std::size_t address = ofEntries.of(numbers, arranged);
            const std::size_t *const of = directions.data() + c * row.size();
            for (std::size_t e = 0; e < m; ++e) {
              Real sum = 0;
              for (std::size_t j = 0; j < row.size(); ++j)
                sum += factorsOfOrders[j] * coefficients[(e * count + of[j]) * d + r - 1];
              tensors[e][address] = static_cast<double>(sum);
            }
          }
        } while (std::next_permutation(arranged.begin(), arranged.end()));
      });
  }
}

MixedDerivative mixedDerivative(std::span<const int> orders) {
  const std::size_t s = orders.size();
  MixedDerivative result;
  const auto r = static_cast<std::size_t>(std::accumulate(orders.begin(), orders.end(), 0));
  if (s == 1) {
    result.directions = {.terms = {{0, 1}}, .ends = {0, 1}};
    result.weights = {factorial(r)};
    return result;
  }
  const Pascal<Real> pascal(r + 1);
  std::map<std::vector<int>, Real> byDirection;
  std::vector<int> k(s, 0), v(s);
  for (;;) {
    Real weight = 1;
    int taken = 0;
    for (std::size_t l = 0; l < s; ++l) {
      v[l] = orders[l] - 2 * k[l];
      taken += k[l];
      weight *= pascal.at(static_cast<std::size_t>(orders[l]), static_cast<std::size_t>(k[l]));
    }
    if (int divisor = divisorOf(v); divisor != 0) {
      // f_r(c v) = c^r f_r(v); the first entry that is not 0 becomes positive
      if (*std::find_if(v.begin(), v.end(), [](int entry) { return entry != 0; }) < 0)
        divisor = -divisor;
      for (int &entry : v)
        entry /= divisor;
      weight *= power(static_cast<Real>(divisor) / 2, r);
      byDirection[v] += taken % 2 == 0 ? weight : -weight;
    }
    std::size_t l = 0;
    while (l < s && k[l] == orders[l])
      k[l++] = 0;
    if (l == s)
      break;
    ++k[l];
  }
  for (const auto &[direction, weight] : byDirection) {
    for (std::size_t l = 0; l < s; ++l)
      if (direction[l] != 0)
        result.directions.terms.push_back({l, direction[l]});
    result.directions.ends.push_back(result.directions.terms.size());
    result.weights.push_back(weight);
  }
  return result;
}

} // namespace ADOLC::detail
