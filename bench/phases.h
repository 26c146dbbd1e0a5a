/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PHASES_H
#define BENCH_PHASES_H

#include "bench/timed.h"

/*
 * The steps of a huge page pool's initialisation as run->phase, in ticks for the whole pool:
 * `allocation` as given, `remap` as given (NaN = there was none), "reserved" (heads and
 * reserved-area tails), "fallback-tails" (the other tails, where any are stored),
 * "pool-entry".
 * False: no memory, or a fault in the window (arena->fault.what).
 */
bool time_phases(struct arena *arena, memmap_builder build, double allocation, double remap,
                 struct run *run);

#endif
