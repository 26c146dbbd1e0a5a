/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/counter.h>

#define NS 1000000000u

/* n / by, which must be below 2^30: bit by bit, so that no library routine is needed. */
static uint32_t divide(unsigned __int128 n, uint64_t by, uint64_t *rest)
{
	uint32_t quotient = 0;

	for (int bit = 29; bit >= 0; bit--) {
		unsigned __int128 part = (unsigned __int128)by << bit;

		if (n >= part) {
			n -= part;
			quotient |= 1u << bit;
		}
	}
	*rest = (uint64_t)n;
	return quotient;
}

double counter_ns(uint64_t ticks, uint64_t hz)
{
	const uint64_t seconds = ticks / hz;
	uint64_t rest;
	uint32_t ns = divide((unsigned __int128)(ticks % hz) * NS, hz, &rest);

	return (double)seconds * NS + ns + (double)rest / (double)hz;
}
