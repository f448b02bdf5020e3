/// @file taping.h
/// Forwards to tape_interface.h: recording (header name of 2.7).
#pragma once

#include <adolc/tape_interface.h>
