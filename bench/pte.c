/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pte.h"
#include "bench/progress.h"
#include "bench/pte_arena.h"
#include <pagestamp/geometry.h>
#include <pagestamp/pte_range.h>
#include <pagestamp/statistics.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define AUTO_REPEATS_MAX 30
#define LADDER_PASSES    9 /* of each step of work */

/* The default of Linux's fault_around_bytes: where time goes is looked at there. */
#define USUAL_WINDOW 16

/* Rows that are measured in turns. */
struct table {
	unsigned window_pages;
	enum pte_holes holes;
};

static const struct table tables[] = {
	{1, HOLES_NONE},       {4, HOLES_NONE},       {4, HOLES_EVERY_2ND}, {4, HOLES_RANDOM},
	{16, HOLES_NONE},      {16, HOLES_EVERY_2ND}, {16, HOLES_RANDOM},   {64, HOLES_NONE},
	{64, HOLES_EVERY_2ND}, {64, HOLES_RANDOM},    {512, HOLES_NONE},    {512, HOLES_EVERY_2ND},
	{512, HOLES_RANDOM},
};

enum { NR_TABLES = sizeof(tables) / sizeof(tables[0]) };
#define ROWS_MAX (PTE_WAY_NR + 1) /* and arm64's contiguous bit */

struct row {
	pte_walk walk;
	enum pte_way way;
	bool contiguous;
};

struct work {
	struct lab *lab;
	const struct pmem_range *range;
	struct geometry geometry;
	struct pte_arena arena;
	const struct pte_walks *walks;
	struct row row[ROWS_MAX];
	unsigned nr_rows;
	size_t first_run; /* of the table that is measured */
	struct backing backing;
	struct progress progress;
	char name[40];
};

/* ---- may it run? ------------------------------------------------------------------ */

static const char *refused(const struct options *options)
{
	if (options->variant.page_shift != 12)
		return "page tables here have 4 KiB pages";
	if (options->variant.size != 64 || options->variant.sparse || options->variant.mask)
		return "folios here have 64-byte descriptors of the vmemmap model, tail=pointer";
	if (options->variant.trace_page_ref)
		return "its reference counts do not go through the page_ref hooks";
	if (options->cold || options->touch != TOUCH_NONE)
		return "measured warm, without a next toucher";
	if (!(options->map & MAP_MEM))
		return "its descriptors stand in RAM: map=mem";
	return NULL;
}

/* The first range that is wanted and holds one folio. */
static const struct pmem_range *find_range(const struct results *results, struct geometry *geometry)
{
	for (size_t i = 0; i < results->ranges.nr; i++) {
		const struct pmem_range *range = &results->ranges.item[i];

		if (options_want_range(results->options, range) && range->kind != RANGE_VIRTUAL &&
		    geometry_for(range, EXP_DEVDAX_2M, &results->options->variant, false, false,
		                 geometry))
			return range;
	}
	return NULL;
}

static const char *why_not(const struct results *results)
{
	struct geometry geometry;
	const char *why = refused(results->options);

	if (!why && !find_range(results, &geometry))
		why = "no range holds a folio of 2 MiB";
	return why;
}

bool pte_wanted(const struct results *results)
{
	return results->options->experiments & 1u << EXP_PTE && !why_not(results);
}

void pte_describe(const struct results *results, char *out, size_t size)
{
	struct geometry geometry;
	const struct pmem_range *range = find_range(results, &geometry);

	snprintf(out, size, "pte %s map=mem: writes nothing on it", range ? range->id : "-");
}

/* ---- what is measured ---------------------------------------------------------------- */

static bool fault(struct work *work, const char *during)
{
	const struct window_fault *f = &work->arena.fault;

	printf("fault in %s, %s: %s at 0x%" PRIx64 ", address 0x%" PRIx64 "\n%s\n", work->name,
	       during, f->what, f->pc, f->address, f->registers);
	results_fail(work->lab->results, "%s in %s, %s", f->what, work->name, during);
	return false;
}

static bool no_memory(struct work *work)
{
	results_fail(work->lab->results, "no memory for %s", work->name);
	return false;
}

static bool open_work(struct work *work)
{
	struct results *results = work->lab->results;
	uint64_t folios = work->geometry.nr_pages >> PTE_FOLIO_ORDER, available;

	if (folios > PTE_FOLIOS_MAX)
		folios = PTE_FOLIOS_MAX;
	if (!backing_alloc(PTE_ARENA_BYTES, BACKING_WHOLE, &work->backing, &available) ||
	    !window_map_backing(window_base(), &work->backing, 0, work->backing.size))
		return no_memory(work);
	if (!pte_arena_make(&work->arena, (void *)window_base(), (unsigned)folios,
	                    work->geometry.start_pfn, work->range->node))
		return fault(work, "initialising");
	work->arena.overhead_ticks = results->counter.overhead_ticks;
	return true;
}

static void close_work(struct work *work)
{
	if (work->backing.size)
		window_unmap(window_base(), work->backing.size);
	backing_free(&work->backing);
}

static void choose_rows(struct work *work)
{
	work->walks = pte_walks_here();
	for (enum pte_way way = 0; way < PTE_WAY_NR; way++)
		work->row[work->nr_rows++] =
			(struct row){work->walks->walk[way][PTE_WHOLE], way, false};
	if (work->walks->contiguous)
		work->row[work->nr_rows++] =
			(struct row){work->walks->contiguous, PTE_BY_RUN, true};
}

static struct run *run_of(const struct work *work, unsigned row)
{
	return &work->lab->results->run[work->first_run + row];
}

static unsigned most_repeats(const struct options *options)
{
	return options->rebinds ? options->rebinds : AUTO_REPEATS_MAX;
}

static bool add_runs(struct work *work, const struct table *table)
{
	struct results *results = work->lab->results;

	work->first_run = results->nr_runs;
	for (unsigned i = 0; i < work->nr_rows; i++) {
		struct run *run = results_add_run(results);

		if (!run)
			return no_memory(work);
		run->cell = (struct cell){
			.experiment = EXP_PTE,
			.range = work->range,
			.method = METHOD_PAGE + work->row[i].way,
			.variant = &work->lab->plan->variant,
			.geometry = work->geometry,
			.window_pages = table->window_pages,
			.holes = table->holes,
			.contiguous = work->row[i].contiguous,
		};
		run->cell.geometry.nr_pages = (uint64_t)work->arena.nr_folios * PTE_FOLIO_PAGES;
		run->written = pte_arena_mappable(&work->arena);
		run->samples = calloc(most_repeats(results->options), sizeof(*run->samples));
		if (!run->samples)
			return no_memory(work);
	}
	return true;
}

/* Every row once; another one begins each time. */
static bool repetition(struct work *work, unsigned rep)
{
	for (unsigned i = 0; i < work->nr_rows; i++) {
		unsigned row = (i + rep) % work->nr_rows;
		struct run *run = run_of(work, row);

		if (!pte_arena_pass(&work->arena, work->row[row].walk, &run->samples[rep]))
			return fault(work, method_name(run->cell.method));
		run->nr_samples = rep + 1;
	}
	return true;
}

static unsigned repeats_within(const struct options *options, double seconds, double each)
{
	const double n = seconds / each;

	if (options->rebinds)
		return options->rebinds;
	if (!(n > 1)) /* also when the clock's frequency is unknown */
		return 1;
	return n > AUTO_REPEATS_MAX ? AUTO_REPEATS_MAX : (unsigned)n;
}

/* Of one row: the same walk with more and more of its work in it. */
static bool climb_ladder(struct work *work, unsigned row, unsigned passes)
{
	static const char *const names[PTE_WORK_NR] = {"look", "entries", "rmap", "counters",
	                                               "references"};
	double ticks[PTE_WORK_NR][LADDER_PASSES];
	struct run *run = run_of(work, row);

	run->phase = calloc(PTE_WORK_NR, sizeof(*run->phase));
	if (!run->phase)
		return no_memory(work);
	for (unsigned pass = 0; pass < passes; pass++) {
		for (enum pte_work step = 0; step < PTE_WORK_NR; step++) {
			const pte_walk walk = work->walks->walk[work->row[row].way][step];
			uint64_t taken;

			if (!pte_arena_pass(&work->arena, walk, &taken))
				return fault(work, names[step]);
			ticks[step][pass] = (double)taken;
		}
	}
	for (enum pte_work step = 0; step < PTE_WORK_NR; step++)
		run->phase[step] =
			(struct phase){names[step], (uint64_t)median_of(ticks[step], passes)};
	run->nr_phases = PTE_WORK_NR;
	return true;
}

static bool summarise(struct work *work)
{
	const unsigned n = run_of(work, 0)->nr_samples;
	double *sample = calloc(n, sizeof(*sample));

	if (!sample)
		return no_memory(work);
	for (unsigned row = 0; row < work->nr_rows; row++) {
		struct run *run = run_of(work, row);

		for (unsigned i = 0; i < n; i++)
			sample[i] = (double)run->samples[i];
		run->ticks = statistics_of(sample, n);
		/* The first row is page by page. */
		run->vs_base_pct = (run->ticks.median / run_of(work, 0)->ticks.median - 1) * 100;
	}
	free(sample);
	return true;
}

/* Page by page against the rules, then every other way against page by page. */
static bool prove_rows(struct work *work)
{
	for (unsigned row = 0; row < work->nr_rows; row++) {
		struct run *run = run_of(work, row);
		uint64_t ticks;
		bool same;

		if (!pte_arena_pass(&work->arena, work->row[row].walk, &ticks))
			return fault(work, method_name(run->cell.method));
		if (run->cell.method == METHOD_PAGE)
			same = pte_arena_prove_page(&work->arena, run->why_not,
			                            sizeof(run->why_not));
		else
			same = pte_arena_compare(&work->arena, run->cell.contiguous, run->why_not,
			                         sizeof(run->why_not));
		run->verified = same;
		if (!same)
			results_fail(work->lab->results, "%s, %s: %s", work->name,
			             method_name(run->cell.method), run->why_not);
	}
	return true;
}

static bool measure_table(struct work *work, const struct table *table, double seconds)
{
	const struct results *results = work->lab->results;
	const double begun = progress_seconds(&results->counter);
	unsigned n;

	snprintf(work->name, sizeof(work->name), "pte %s, %u pages", work->range->id,
	         table->window_pages);
	if (!pte_arena_choose(&work->arena, table->window_pages, table->holes))
		return fault(work, "poisoning");
	if (!add_runs(work, table) || !repetition(work, 0))
		return false;
	n = repeats_within(results->options, seconds, progress_seconds(&results->counter) - begun);
	for (unsigned rep = 1; rep < n; rep++)
		if (!repetition(work, rep))
			return false;
	for (unsigned row = 0; row < PTE_WAY_NR && table->window_pages == USUAL_WINDOW; row++)
		if (!climb_ladder(work, row, n < LADDER_PASSES ? n : LADDER_PASSES))
			return false;
	if (!summarise(work) || (results->options->verify && !prove_rows(work)))
		return false;
	progress_step(&work->progress);
	return true;
}

static void skip_other_ranges(const struct work *work)
{
	struct results *results = work->lab->results;

	for (size_t i = 0; i < results->ranges.nr; i++) {
		const struct pmem_range *range = &results->ranges.item[i];

		if (range != work->range && options_want_range(results->options, range))
			results_skip(results, NULL, "the same work on each: measured on one",
			             "pte %s", range->id);
	}
}

void pte_measure(struct lab *lab, double seconds)
{
	struct results *results = lab->results;
	const char *why = why_not(results);
	struct work *work;
	bool ok;

	if (!(results->options->experiments & 1u << EXP_PTE))
		return;
	if (why) {
		results_skip(results, NULL, why, "pte");
		if (results->options->experiments_explicit)
			results_fail(results, "experiment=pte cannot run: %s", why);
		return;
	}
	work = calloc(1, sizeof(*work));
	if (!work) {
		results_fail(results, "no memory for pte");
		return;
	}
	work->lab = lab;
	work->range = find_range(results, &work->geometry);
	snprintf(work->name, sizeof(work->name), "pte %s", work->range->id);
	progress_begin(&work->progress, &results->counter, NR_TABLES, "%s", work->name);
	choose_rows(work);
	ok = open_work(work);
	for (size_t i = 0; ok && i < NR_TABLES; i++)
		ok = measure_table(work, &tables[i], seconds / NR_TABLES);
	close_work(work);
	skip_other_ranges(work);
	results_skip(results, NULL, "this build runs on one CPU", "pte with contended counters");
	free(work);
	if (ok)
		pte_read_through(lab);
}
