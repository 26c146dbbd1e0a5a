/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The architectural counter. Reads are serialised: counter_begin() waits for what
 * came before it, counter_end() for the stores of the measured code to be issued
 * (the backend's drain makes them visible) and keeps later code from starting early.
 */
#ifndef PAGESTAMP_COUNTER_H
#define PAGESTAMP_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
	const char *name;     /* "tsc", "cntvct" */
	uint64_t hz;          /* 0 = unknown or not to be trusted: report ticks only */
	char source[48];      /* "cpuid 0x15", "acpi pm timer", "cntfrq", ... */
	char cross_check[48]; /* the second source, or "none" */
	uint64_t disagreement_ppm;
	double resolution_ns;    /* of one tick, 0 when hz is 0 */
	uint64_t overhead_ticks; /* of an empty begin/end pair, the minimum of many */
};

uint64_t counter_begin(void);
uint64_t counter_end(void);

/* ticks * 1e9 / hz without overflow (128-bit intermediate); hz must not be 0. */
double counter_ns(uint64_t ticks, uint64_t hz);

#endif
