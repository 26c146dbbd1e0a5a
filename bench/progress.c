/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/progress.h"
#include <stdarg.h>
#include <stdio.h>

double progress_seconds(const struct counter *counter)
{
	return counter->hz ? counter_ns(counter_end(), counter->hz) / 1e9 : 0;
}

void progress_begin(struct progress *progress, const struct counter *counter, unsigned total,
                    const char *what, ...)
{
	va_list args;

	*progress = (struct progress){.counter = counter, .total = total};
	progress->begun = progress->last = progress_seconds(counter);
	va_start(args, what);
	vsnprintf(progress->what, sizeof(progress->what), what, args);
	va_end(args);
}

void progress_step(struct progress *progress)
{
	progress->done++;
	progress_tick(progress);
}

void progress_tick(void *context)
{
	struct progress *progress = context;
	double now = progress_seconds(progress->counter);
	double left;

	if (now - progress->last < 1)
		return;
	progress->last = now;
	if (!progress->done || progress->done > progress->total) {
		printf("  %s: %.0f s so far\n", progress->what, now - progress->begun);
		return;
	}
	left = (now - progress->begun) / progress->done * (progress->total - progress->done);
	printf("  %s: %u of %u, about %.0f s yet\n", progress->what, progress->done,
	       progress->total, left);
}
