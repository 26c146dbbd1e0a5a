/* SPDX-License-Identifier: BSD-2-Clause */
/* One group on its way through first bind, rebinds and proof. */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include "bench/auto.h"
#include "bench/group.h"
#include "bench/memmap_open.h"
#include "bench/progress.h"

struct work {
	struct lab *lab;
	const struct group *group;
	struct open_memmap memmap;
	double end; /* of the group's share of the budget, on progress_seconds()'s clock */
	struct progress progress;
	size_t first_run; /* index of the group's first row in results->run */
	size_t *order;    /* of the cells in a repetition */
	double *fill;     /* ticks, one per rebind */
	double *fill_ordinary;
	double *drains;    /* ticks more with a drain after every compound, one per rebind */
	unsigned capacity; /* rebinds that the arrays hold */
	double *touch;     /* ticks, one per cell and rebind */
	struct auto_picker *picker; /* one per cell, of copy=auto */
	char name[64];
};

/* The row of a cell of the group. */
struct run *run_of(const struct work *work, size_t cell);

memmap_builder builder_of(const struct work *work, const struct cell *cell);

/* A fault is a failure of the program, but not the end of it. */
void report_fault(struct work *work, const char *during);

/* "stamp auto: movnti" */
void cell_label(const struct cell *cell, char *out, size_t size);

/* Builds nr pages from page `index` on by cell i; false after a fault, which is reported. */
bool build_part(struct work *work, size_t i, uint64_t index, uint64_t nr, struct timing *timing);
/* The whole memmap. */
bool build_all(struct work *work, size_t i, struct timing *timing);

/*
 * Rebinds, each cell of the group once in every repetition, and the figures of its rows. The
 * first is false when nothing can be said, and has said why; the second without memory.
 */
bool measure_rebinds(struct work *work);
bool summarise(struct work *work);
void rebinds_free(struct work *work);

/* The proof of all rows, unless the options want none. */
void prove_all(struct work *work);

#endif
