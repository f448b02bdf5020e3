// SPDX-License-Identifier: MIT
// The interface between the hosts and the plug-ins.
#pragma once

#define PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

PLUGIN_EXPORT void *tape_slot();
PLUGIN_EXPORT void record(short tag);
PLUGIN_EXPORT void differentiate(short tag, const double *at, double *g);
