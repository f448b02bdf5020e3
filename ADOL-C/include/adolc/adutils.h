/// @file adutils.h
/// Forwards to adolc.h: another name of the umbrella.
#pragma once

#include <adolc/adolc.h>
