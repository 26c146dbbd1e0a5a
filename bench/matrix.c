/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix of make bench: one factor at a time around a default cell. */
#include "bench/answers.h"
#include "bench/bench.h"
#include "bench/progress.h"
#include <stdio.h>

/* Names are the options'. A field left out is the default cell's. */
struct step {
	enum experiment_id experiment;
	const char *range; /* NULL = pmem0, the published size; "" = none, but RAM */
	bool full;         /* dax_vmemmap=full */
	bool hvo;          /* hugetlb_free_vmemmap=on */
	bool cold;
	enum touch_kind touch;
	uint64_t touch_bytes;
	unsigned size;
	bool sparse, mask;
	unsigned page_shift;
	bool descending;
	unsigned dest_offset;
	bool in_quick;
};

/* Beside a step without a next toucher, of both experiments. */
#define EVERY_TOUCH(range_name, batch)                                                             \
	{.range = (range_name), .touch = TOUCH_WHOLE},                                             \
		{.range = (range_name), .touch = TOUCH_BATCH, .touch_bytes = (batch)},             \
		{.range = (range_name),                                                            \
	         .experiment = EXP_DEVDAX_2M,                                                      \
	         .full = true,                                                                     \
	         .touch = TOUCH_WHOLE},                                                            \
	{                                                                                          \
		.range = (range_name), .experiment = EXP_DEVDAX_2M, .full = true,                  \
		.touch = TOUCH_BATCH, .touch_bytes = (batch)                                       \
	}

static const struct step steps[] = {
	{.experiment = EXP_FSDAX, .in_quick = true},
	{.experiment = EXP_DEVDAX_2M, .full = true, .in_quick = true},
	/* 16 and 4 GiB: a process may not have the mappings that aliasing more would take. */
	{.range = "pmem7", .experiment = EXP_DEVDAX_2M, .in_quick = true},
	{.experiment = EXP_DEVDAX_1G, .full = true, .in_quick = true},
	{.range = "pmem6", .experiment = EXP_DEVDAX_1G},
	/* The length at which streaming breaks even. */
	{.range = "pmem1", .in_quick = true},
	{.range = "pmem2"},
	{.range = "pmem3", .in_quick = true},
	{.range = "pmem4"},
	{.range = "pmem5", .in_quick = true},
	{.range = "pmem6"},
	{.range = "pmem7"},
	{.range = "pmem7", .sparse = true},
	/* What the next toucher does. */
	{.touch = TOUCH_READ},
	{.range = "pmem7", .touch = TOUCH_BATCH, .touch_bytes = 32ull << 10},
	{.range = "pmem7", .touch = TOUCH_BATCH, .touch_bytes = 256ull << 10},
	{.range = "pmem7", .touch = TOUCH_BATCH, .touch_bytes = 2ull << 20},
	{.range = "pmem7", .touch = TOUCH_BATCH, .touch_bytes = 16ull << 20},
	/* Size x touch x order, in full. */
	EVERY_TOUCH(NULL, 32ull << 10),
	{.range = "pmem5", .experiment = EXP_DEVDAX_2M, .full = true},
	EVERY_TOUCH("pmem5", 32ull << 10),
	{.range = "pmem3", .experiment = EXP_DEVDAX_2M, .full = true},
	EVERY_TOUCH("pmem3", 32ull << 10),
	{.cold = true},
	{.range = "pmem5", .cold = true},
	/* One factor at a time, on 256 MiB: more than the caches of a core, soon done. */
	{.range = "pmem7", .experiment = EXP_DEVDAX_2M, .full = true},
	{.range = "pmem7", .experiment = EXP_DEVDAX_2M, .full = true, .mask = true},
	{.range = "pmem7", .size = 56},
	{.range = "pmem7", .size = 72},
	{.range = "pmem7", .size = 80},
	{.range = "pmem7", .size = 88},
	{.range = "pmem7", .size = 96},
	{.range = "pmem7", .descending = true},
	{.range = "pmem7", .dest_offset = 8},
	{.range = "pmem7", .dest_offset = 32},
	{.range = "pmem3", .descending = true},
	{.range = "pmem3", .dest_offset = 8},
	{.page_shift = 14},
	{.page_shift = 16},
	/* Huge pages: the fallback without HVO, and each head touched right after its tails. */
	{.range = "", .experiment = EXP_HUGETLB, .in_quick = true},
	{.range = "", .experiment = EXP_HUGETLB, .touch = TOUCH_BATCH, .touch_bytes = 16ull << 20},
	{.range = "", .experiment = EXP_HUGETLB, .hvo = true},
	/* Ordinary memory: by itself, and handed to a free list in blocks of 4 MiB. */
	{.range = "", .experiment = EXP_MEMMAP, .in_quick = true},
	{.range = "", .experiment = EXP_MEMMAP, .touch = TOUCH_BATCH, .touch_bytes = 64ull << 10},
	{.experiment = EXP_PTE, .in_quick = true},
};

static bool names_a_factor(const struct options *o)
{
	return o->experiments_explicit || o->nr_range_names || o->cold || o->touch != TOUCH_NONE ||
	       o->variant.size != 64 || o->variant.sparse || o->variant.mask ||
	       o->variant.page_shift != 12 || o->variant.trace_page_ref || o->dax_vmemmap_full ||
	       o->descending || o->dest_offset || o->list;
}

/* Under quick the published size gives way to 16 GiB: all rows of one take seconds. */
static void apply(const struct step *step, struct options *options, char **range_name)
{
	const char *const usual = options->quick ? "pmem7" : "pmem0";

	options->experiments = 1u << step->experiment;
	options->experiments_explicit = true;
	*range_name = (char *)(step->range ? step->range : usual);
	options->range_names = range_name;
	options->nr_range_names = !step->range || step->range[0] ? 1 : 0;
	options->dax_vmemmap_full = step->full;
	options->hugetlb_free_vmemmap = step->hvo;
	options->cold = step->cold;
	options->touch = step->touch;
	options->touch_bytes = step->touch_bytes;
	options->descending = step->descending;
	options->dest_offset = step->dest_offset;
	options->variant.size = step->size ? step->size : 64;
	options->variant.sparse = step->sparse;
	options->variant.mask = step->mask;
	options->variant.page_shift = step->page_shift ? step->page_shift : 12;
}

/* Of the time: the published size is six times the next one, and wants a few rebinds. */
static unsigned share(const struct step *step)
{
	return step->range ? 1 : 4;
}

/*
 * Seconds, of what is `left` of `all`. On a slow machine the steps before may have overdrawn
 * theirs: a little there is always, enough for small memmaps.
 */
static unsigned budget_of(const struct step *step, double all, double left, unsigned shares)
{
	const double least = all / 100 < 1 ? 1 : all / 100;
	const double budget = left * share(step) / shares;

	return (unsigned)(budget < least ? least : budget);
}

void bench_run_matrix(struct results *results, bool (*stop)(void))
{
	const struct options *const given = results->options;
	const size_t nr = sizeof(steps) / sizeof(steps[0]);
	const double begun = progress_seconds(&results->counter);
	const double budget = given->budget ? given->budget : given->quick ? 25 : 450;
	unsigned left = 0, nr_wanted = 0, done = 0;

	if (names_a_factor(given)) {
		/* The published size alone, unless range= says otherwise. */
		struct options one = *given;
		char *range = "pmem0";

		if (!one.nr_range_names) {
			one.range_names = &range;
			one.nr_range_names = 1;
		}
		results->options = &one;
		bench_run(results);
		results->options = given;
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		if (given->quick && !steps[i].in_quick)
			continue;
		left += share(&steps[i]);
		nr_wanted++;
	}
	for (size_t i = 0; i < nr; i++) {
		struct options options = *given;
		const double now = progress_seconds(&results->counter);
		char *range_name;

		if (given->quick && !steps[i].in_quick)
			continue;
		if (stop()) {
			results_fail(results, "interrupted before step %u of %u", done + 1,
			             nr_wanted);
			break;
		}
		apply(&steps[i], &options, &range_name);
		options.budget = budget_of(&steps[i], budget, budget - (now - begun), left);
		left -= share(&steps[i]);
		printf("step %u of %u, %.0f s so far\n", ++done, nr_wanted, now - begun);
		results->options = &options;
		bench_step(results);
	}
	results->options = given;
	if (!results->nr_runs)
		results_fail(results, "nothing ran");
	answer_questions(results);
	answer_matrix_questions(results);
}
