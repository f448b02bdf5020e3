/// @file adouble.h
/// Forwards to adtb_types.h: active types (header name of 2.7).
#pragma once

#include <adolc/adtb_types.h>
