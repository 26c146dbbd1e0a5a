/* SPDX-License-Identifier: BSD-2-Clause */
/* What the writers derive from a run, in one place so that they cannot disagree. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include <pagestamp/result.h>

/* ticks at hz; NaN when hz is 0 (unknown or not to be trusted). */
double ticks_to_ns(double ticks, uint64_t hz);

struct figures { /* NaN = not known */
	double first_ns;
	struct statistics ns;         /* of the rebinds; n is that of the ticks */
	double ticks_per_page;        /* per written descriptor, from the median */
	double ns_per_page;           /* likewise */
	double instructions_per_page; /* likewise; only where ticks count instructions */
	double gb_per_s;              /* of descriptors stored, 1e9 bytes */
	double first_ns_per_page, first_instructions_per_page;
	uint64_t saved_bytes; /* of descriptors that an optimised vmemmap does without */
};

struct figures figures_of(const struct results *results, const struct run *run);

/* Emulated: ns are the emulator's, whatever its name for itself. */
bool machine_is_tcg(const struct machine *machine);
/* -icount: a tick's ns are instructions << icount_shift. */
bool machine_counts_instructions(const struct machine *machine);

/* 64 where the cell says nothing of its descriptors. */
const struct memmap_variant *cell_variant(const struct cell *cell);

/* "none", "read", "batch:SIZE", "whole" */
struct touch_text {
	char text[32];
};
struct touch_text cell_touch(const struct cell *cell);

const char *cell_copy(const struct cell *cell); /* "none" for base */

const char *holes_name(enum pte_holes holes);

/* Everything but the machine, '/'-separated, in the order of the schema's fields. */
void cell_id(const struct cell *cell, char *id, size_t size);

struct compounds { /* how much of a range whole compounds of `align` bytes use */
	uint64_t usable, lost_head, lost_tail;
};
struct compounds compounds_of(const struct pmem_range *range, uint64_t align);

#endif
