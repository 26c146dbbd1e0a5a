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

/* Gives back everything that bench_run() hung on the results but the results' own arrays. */
void bench_free(void);

/* Reads what lies on each range, through a read-only mapping in the window. */
void bench_look_at_ranges(struct results *results);

#endif
