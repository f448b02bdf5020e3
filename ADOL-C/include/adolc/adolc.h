/// @file adolc.h
/// The umbrella: everything a program needs to record a function and to differentiate it.
#pragma once

#include <adolc/adalloc.h>
#include <adolc/adtb_types.h>
#include <adolc/diagnostics.h>
#include <adolc/drivers/drivers.h>
#include <adolc/drivers/odedrivers.h>
#include <adolc/drivers/parallel_drivers.h>
#include <adolc/drivers/taylor.h>
#include <adolc/interfaces.h>
#include <adolc/internal/common.h>
#include <adolc/tape_interface.h>
#include <adolc/tapedoc/tapedoc.h>
#include <adolc/tapefile.h>
#include <adolc/workspace.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <span>
#include <vector>
