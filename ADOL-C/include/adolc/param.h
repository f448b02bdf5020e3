/// @file param.h
/// Forwards to adtb_types.h: parameters (header name of 2.7).
#pragma once

#include <adolc/adtb_types.h>
