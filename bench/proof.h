/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PROOF_H
#define BENCH_PROOF_H

#include "bench/oracle.h"
#include "bench/timed.h"

/*
 * One row under proof: what built it, and the verdict, which goes into the run. A run may
 * have several rows: all must hold.
 */
struct proof_row {
	memmap_builder build;
	const struct copy_backend *backend;
	struct run *run;
	uint64_t written;
	uint64_t traced; /* reference-count writes that the hook saw */
	bool dumps;      /* the first of its run's rows */
};

struct proof {
	struct arena *arena;
	const struct memmap_kind *kind;
	uint64_t *scratch; /* PROOF_SCRATCH bytes that can be written in the window */
	struct proof_row *row;
	size_t nr_rows;
	bool traced;   /* rows of the base go through the hook: count its calls */
	unsigned dump; /* compounds whose words are kept for each row */
};

/* The view of a 1 GiB compound at 96 bytes a page: the largest chunk there is. */
#define PROOF_SCRATCH (24ull << 20)

/*
 * Proves every row, chunk by chunk, and leaves the last row's memmap. Sets verified and
 * why_not of each run, and its dump. False = a fault in the window, in arena->fault, in
 * the row `*during` (nr_rows: in the reference).
 */
bool prove(struct proof *proof, size_t *during);

#endif
