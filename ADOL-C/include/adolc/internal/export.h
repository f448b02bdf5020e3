/// @file internal/export.h
/// Symbol visibility of the library. The library is built with hidden visibility; what carries
/// ADOLC_API is its binary interface.
#pragma once

#if defined(ADOLC_STATIC)
#define ADOLC_API
#elif defined(_WIN32)
#if defined(ADOLC_BUILDING)
#define ADOLC_API __declspec(dllexport)
#else
#define ADOLC_API __declspec(dllimport)
#endif
#else
#define ADOLC_API __attribute__((visibility("default")))
#endif
