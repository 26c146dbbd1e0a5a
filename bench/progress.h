/* SPDX-License-Identifier: BSD-2-Clause */
/* Progress on anything longer than a second: what, how far, how long yet. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <pagestamp/counter.h>

struct progress {
	const struct counter *counter;
	char what[64];
	unsigned done, total; /* steps */
	double begun, last;   /* seconds */
};

/* Seconds of the counter, from an arbitrary zero; 0 for ever when its frequency is unknown. */
double progress_seconds(const struct counter *counter);

void progress_begin(struct progress *progress, const struct counter *counter, unsigned total,
                    const char *what, ...) __attribute__((format(printf, 4, 5)));
void progress_step(struct progress *progress);
/* Prints a line when the last one is more than a second old. */
void progress_tick(void *progress);

#endif
