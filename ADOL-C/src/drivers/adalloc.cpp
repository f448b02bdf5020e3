#include <adolc/adalloc.h>

#include <adolc/adolcerror.h>

#include "interp/extents.h"

#include <cstdlib>

using ADOLC::detail::kTooLarge;
using ADOLC::detail::product;
using ADOLC::detail::sum;
using ADOLCError::ErrorType;

namespace {

/// Zeroed memory of the C family, so that it may cross to C and Fortran.
void *allocate(std::size_t bytes, ErrorType error) {
  void *const memory = bytes == kTooLarge ? nullptr : std::calloc(bytes, 1);
  if (memory == nullptr)
    ADOLCError::fail(error, CURRENT_LOCATION, {.info5 = bytes});
  return memory;
}

/// Points the rows of an n×m matrix of T into `data`.
template <class T> T *rows(T **pointers, T *data, std::size_t n, std::size_t m) {
  for (std::size_t i = 0; i < n; ++i)
    pointers[i] = data + i * m;
  return data + n * m;
}

template <class T> T *vector(std::size_t n, ErrorType error) {
  return n == 0 ? nullptr : static_cast<T *>(allocate(product({n, sizeof(T)}), error));
}
template <class T> T **matrix(std::size_t m, std::size_t n, ErrorType error) {
  if (m == 0 || n == 0)
    return nullptr;
  const std::size_t pointers = product({m, sizeof(T *)});
  char *const memory =
      static_cast<char *>(allocate(sum(pointers, product({m, n, sizeof(T)})), error));
  auto **const result = reinterpret_cast<T **>(memory);
  rows(result, reinterpret_cast<T *>(memory + pointers), m, n);
  return result;
}

} // namespace

extern "C" {

double *myalloc1(std::size_t size) { return vector<double>(size, ErrorType::MYALLOC1); }
double **myalloc2(std::size_t m, std::size_t n) {
  return matrix<double>(m, n, ErrorType::MYALLOC2);
}
double ***myalloc3(std::size_t m, std::size_t n, std::size_t p) {
  if (m == 0 || n == 0 || p == 0)
    return nullptr;
  const std::size_t pointers =
      sum(product({m, sizeof(double **)}), product({m, n, sizeof(double *)}));
  const std::size_t bytes = sum(pointers, product({m, n, p, sizeof(double)}));
  double ***result = nullptr;
  populate_dppp(&result, static_cast<char *>(allocate(bytes, ErrorType::MYALLOC3)), m, n, p);
  return result;
}
void myfree1(double *a) { std::free(a); }
void myfree2(double **a) { std::free(a); }
void myfree3(double ***a) { std::free(a); }

double **myallocI2(std::size_t n) {
  if (n == 0)
    return nullptr;
  const std::size_t pointers = product({n, sizeof(double *)});
  const std::size_t data = product({n, 2 * sizeof(double)});
  char *const memory = static_cast<char *>(allocate(sum(pointers, data), ErrorType::MYALLOCI2));
  auto **const result = reinterpret_cast<double **>(memory);
  auto *const ones = reinterpret_cast<double *>(memory + pointers);
  ones[n - 1] = 1.0;
  for (std::size_t i = 0; i < n; ++i)
    result[i] = ones + (n - 1 - i);
  return result;
}
void myfreeI2(std::size_t, double **a) { std::free(a); }

unsigned int *myalloc1_uint(std::size_t size) {
  return vector<unsigned int>(size, ErrorType::MYALLOC1_UINT);
}
std::size_t *myalloc1_ulong(std::size_t size) {
  return vector<std::size_t>(size, ErrorType::MYALLOC1_ULONG);
}
std::size_t **myalloc2_ulong(std::size_t m, std::size_t n) {
  return matrix<std::size_t>(m, n, ErrorType::MYALLOC2_ULONG);
}
void myfree1_uint(unsigned int *a) { std::free(a); }
void myfree1_ulong(std::size_t *a) { std::free(a); }
void myfree2_ulong(std::size_t **a) { std::free(a); }

char *populate_dpp(double ***p, char *memory, std::size_t n, std::size_t m) {
  *p = reinterpret_cast<double **>(memory);
  auto *const data = reinterpret_cast<double *>(memory + n * sizeof(double *));
  return reinterpret_cast<char *>(rows(*p, data, n, m));
}

char *populate_dppp_nodata(double ****p, char *memory, std::size_t n, std::size_t m) {
  *p = reinterpret_cast<double ***>(memory);
  auto **const second = reinterpret_cast<double **>(memory + n * sizeof(double **));
  return reinterpret_cast<char *>(rows(*p, second, n, m));
}

char *populate_dppp(double ****p, char *memory, std::size_t n, std::size_t m, std::size_t k) {
  auto *const data = reinterpret_cast<double *>(populate_dppp_nodata(p, memory, n, m));
  return reinterpret_cast<char *>(rows((*p)[0], data, n * m, k));
}

} // extern "C"
