/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The heterogeneous memory attribute table (ACPI 6.5, 5.2.28): how fast the firmware says
 * that a memory is, seen from an initiator (a processor's proximity domain, or a device's).
 */
#ifndef PAGESTAMP_HMAT_H
#define PAGESTAMP_HMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hmat_figure {
	HMAT_READ_LATENCY,
	HMAT_WRITE_LATENCY,
	HMAT_READ_BANDWIDTH,
	HMAT_WRITE_BANDWIDTH
};
#define HMAT_FIGURES 4

/* One entry that says something; "access" (both ways) gives two. */
struct hmat_entry {
	uint32_t initiator, target; /* proximity domains */
	enum hmat_figure figure;
	uint64_t value; /* picoseconds; MB/s (10^6 bytes) */
};

struct hmat {
	struct hmat_entry *entry;
	size_t nr;
};

/*
 * Only what is said of memory itself, not of the caches before it. Entries of 0 (nothing
 * said) and 0xffff (not reachable), and products beyond 64 bits, are none. Refused whole,
 * with one reason, as nfit_parse() does; also when a matrix does not fit into its structure,
 * and before revision 2 (ACPI 6.3), which had other units (Linux: hmat_normalize()).
 */
bool hmat_parse(const void *bytes, size_t size, struct hmat *out, char *why, size_t why_size);
void hmat_free(struct hmat *hmat);

/* What the table says of a target seen from its nearest initiator; 0 = nothing. */
struct hmat_view {
	uint32_t initiator;
	uint64_t value[HMAT_FIGURES];
};

/*
 * Nearest: the least read latency, else the most read bandwidth, the first of equals.
 * False when the table says neither of that target.
 */
bool hmat_nearest(const struct hmat *hmat, uint32_t target, struct hmat_view *out);

#endif
