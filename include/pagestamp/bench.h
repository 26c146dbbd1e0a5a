/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PAGESTAMP_BENCH_H
#define PAGESTAMP_BENCH_H

#include <pagestamp/result.h>

/*
 * Plans and measures: results->options, ->machine, ->counter and ->ranges (contents
 * judged) are filled by the caller, window_init() has succeeded. Adds runs, limits,
 * answers, what was skipped, and failures; decides nothing about printing but
 * progress. With options->list it stops after saying what would be written.
 */
void bench_run(struct results *results);

/*
 * make bench: the same, once for each step of the matrix (bench/matrix.c), one factor at a
 * time around the default cell. Only where options name no factor themselves; else it is
 * bench_run(). Wants the ranges pmem0 and, for the size sweep, pmem1 onwards, one of each
 * of BENCH_SWEEP_BYTES of 64-byte descriptors. `stop` is asked before each step: true ends
 * the run as a failure that keeps what was measured.
 */
void bench_run_matrix(struct results *results, bool (*stop)(void));

#define BENCH_SWEEP_BYTES                                                                          \
	32ull << 10, 256ull << 10, 1ull << 20, 4ull << 20, 16ull << 20, 64ull << 20, 256ull << 20

/* Gives back everything that bench_run() hung on the results but the results' own arrays. */
void bench_free(void);

/* Reads what lies on each range, through a read-only mapping in the window. */
void bench_look_at_ranges(struct results *results);

#endif
