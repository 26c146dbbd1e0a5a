/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one result model. bench/ fills it, report/ writes it; docs/results.md is
 * the schema. A figure that is not known is `known == false` (or NaN), never 0.
 */
#ifndef PAGESTAMP_RESULT_H
#define PAGESTAMP_RESULT_H

#include <pagestamp/copy.h>
#include <pagestamp/counter.h>
#include <pagestamp/geometry.h>
#include <pagestamp/hugepage_alloc.h>
#include <pagestamp/machine.h>
#include <pagestamp/options.h>
#include <pagestamp/range.h>

struct statistics { /* of samples in ticks or ns; n 0 = none */
	unsigned n;
	double min, median, mean, max, mad;
};

struct phase {
	const char *name; /* "reserved", "pool-entry", ... */
	double ticks;
};

struct dump_words {
	uint64_t compound;
	const char *which; /* "head", "tail1", "tail2", "tail3", "last" */
	uint64_t word[MAX_DESCRIPTOR_WORDS];
};

/* Poisoned pages of a window, which nothing maps. */
enum pte_holes { HOLES_NONE, HOLES_EVERY_2ND, HOLES_RANDOM, HOLES_NR };

/* The fixed part of a row: everything but what the machine answered. */
struct cell {
	enum experiment_id experiment;
	const struct pmem_range *range;
	bool map_dev;
	enum method_id method;
	const struct copy_backend *backend; /* NULL for base, and for auto until it has chosen */
	bool automatic;                     /* copy=auto */
	const struct memmap_variant *variant;
	struct geometry geometry;
	bool optimised; /* dax_vmemmap in effect */
	bool cold;
	enum touch_kind touch;
	uint64_t touch_bytes; /* of TOUCH_BATCH */
	bool descending;      /* order of stores */
	unsigned dest_offset; /* bytes from a line's begin */
	/* Of experiment=pte: */
	unsigned window_pages; /* that a fault maps at most; 0 = another experiment */
	enum pte_holes holes;
	bool contiguous; /* arm64's contiguous bit */
};

struct run {
	struct cell cell;
	uint64_t written; /* descriptors really stored */
	bool first_known;
	uint64_t first_ticks, first_pages, first_written; /* of the fresh slice */
	uint64_t *samples;                                /* ticks, one per rebind */
	unsigned nr_samples;
	struct statistics ticks; /* of the samples */
	struct phase *phase;     /* steps timed by themselves */
	size_t nr_phases;
	double touch_ticks;        /* median of the next toucher's; NaN = none */
	double vs_base_pct;        /* NaN = no base beside it */
	double vs_fill;            /* NaN = no fill beside it */
	double vs_ordinary_fill;   /* the same of the fill by ordinary stores */
	struct statistics vs_best; /* of copy=auto, each rebind over the fastest row's; NaN */
	struct dump_words *dump;
	size_t nr_dump;
	int verified;       /* 1 yes, 0 NO, -1 not asked (verify=off) */
	char auto_why[256]; /* of copy=auto */
	char why_not[160];  /* with verified 0: the first difference */
};

struct limit {
	const char *name; /* "fill-streaming" */
	uint64_t bytes;
	double ticks; /* median */
};

struct skipped {
	const struct cell *cell; /* NULL when no cell was formed */
	char what[96];
	char why[192];
};

struct answer {
	char question[128];
	char answer[512];
	size_t *run; /* indices of the rows that it rests on */
	size_t nr_runs;
};

struct results {
	const char *version, *compiler, *arch, *build_flags;
	const struct options *options;
	struct machine machine;
	struct counter counter;
	const char *window_page;
	struct pmem_ranges ranges;
	struct memory_pieces memory; /* usable RAM, by node */
	struct hugepage_shares pools;
	uint64_t pools_ticks; /* finding room for them */
	struct run *run;
	size_t nr_runs;
	struct limit *limit;
	size_t nr_limits;
	struct answer *answer;
	size_t nr_answers;
	struct skipped *skipped;
	size_t nr_skipped;
	bool pass;
	char fail_why[OPTIONS_WHY_SIZE];
};

/* Do both belong to one table, differing in method and copy only? */
bool cells_side_by_side(const struct cell *a, const struct cell *b);

/* Appends, growing; false or NULL = out of memory. Formats are printf's. */
bool results_skip(struct results *results, const struct cell *cell, const char *why,
                  const char *what, ...) __attribute__((format(printf, 4, 5)));
struct run *results_add_run(struct results *results);
bool results_add_limit(struct results *results, const struct limit *limit);
struct answer *results_answer(struct results *results, const char *question, const char *answer,
                              ...) __attribute__((format(printf, 3, 4)));
/* A row that the answer rests on; NULL for either does nothing. False = out of memory. */
bool answer_cite(struct results *results, struct answer *answer, const struct run *run);
/* The fewest rebinds of the rows that an answer rests on; 0 = it rests on none. */
unsigned answer_rebinds(const struct results *results, const struct answer *answer);
/* The first failure is the one that is reported; later ones only keep pass false. */
void results_fail(struct results *results, const char *why, ...)
	__attribute__((format(printf, 2, 3)));

#endif
