/* SPDX-License-Identifier: BSD-2-Clause */
/* The counter's frequency against the kernel's raw clock. */
#include <pagestamp/arch.h>
#include <pagestamp/counter_setup.h>
#include <pagestamp/statistics.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WINDOWS          9
#define WINDOW_NS        20000000ll
#define OVERHEAD_SAMPLES 10000

static long long raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static double hz_by_raw_clock(void)
{
	double hz[WINDOWS];

	for (int i = 0; i < WINDOWS; i++) {
		const long long from = raw_ns();
		const uint64_t begin = counter_begin();
		long long now;

		do
			now = raw_ns();
		while (now - from < WINDOW_NS);
		hz[i] = (double)(counter_end() - begin) * 1e9 / (double)(now - from);
	}
	return median_of(hz, WINDOWS);
}

static uint64_t overhead(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < OVERHEAD_SAMPLES; i++) {
		const uint64_t begin = counter_begin();
		const uint64_t took = counter_end() - begin;

		if (took < least)
			least = took;
	}
	return least;
}

void counter_setup(struct counter *out)
{
	const uint64_t declared = arch_counter_declared_hz(out->source, sizeof(out->source));
	const double measured = hz_by_raw_clock();
	const double reference = declared ? (double)declared : measured;

	out->name = arch_counter_name;
	out->hz = (uint64_t)reference;
	if (!declared)
		snprintf(out->source, sizeof(out->source), "CLOCK_MONOTONIC_RAW");
	snprintf(out->cross_check, sizeof(out->cross_check), "%s",
	         declared ? "CLOCK_MONOTONIC_RAW" : "none");
	out->disagreement_ppm =
		(uint64_t)(1e6 *
	                   (measured > reference ? measured - reference : reference - measured) /
	                   reference);
	if (out->disagreement_ppm > 10000)
		out->hz = 0;
	out->resolution_ns = out->hz ? 1e9 / (double)out->hz : 0;
	out->overhead_ticks = overhead();
}
