/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One memmap, all its cells side by side: first bind on memory nobody touched, then
 * rebinds in turns with the streaming fill as their limit, then the proof.
 */
#include "bench/group.h"
#include "bench/phases.h"
#include "bench/timed.h"
#include "bench/work.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- first bind ---------------------------------------------------------------- */

/* A fresh slice for each cell: equal, whole compounds, whole 2 MiB of descriptors if they fit. */
static uint64_t slice_pages(const struct group *group)
{
	const struct geometry *g = &group->geometry;
	uint64_t pages = g->nr_pages / group->nr_cells;
	const uint64_t compound = 1ull << g->order;
	uint64_t block = WINDOW_BLOCK / group->cell[0].variant->size;

	/* Descriptors whose size is no power of two do not fill 2 MiB with whole compounds. */
	block = (block + compound - 1) / compound * compound;
	if (pages < block)
		block = compound;
	return pages / block * block;
}

/* Memory that any earlier group touched is not fresh: then the figures stay unknown. */
static bool is_fresh(const struct work *work)
{
	return work->group->map_dev ? work->group->first_on_device : work->memmap.backing.fresh;
}

static bool measure_first(struct work *work)
{
	const uint64_t pages = slice_pages(work->group);

	if (!is_fresh(work) || !pages)
		return true;
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		struct run *run = run_of(work, i);
		struct timing timing;

		if (run->cell.automatic)
			continue; /* chosen by building: its memory would not be fresh */
		if (!build_part(work, i, i * pages, pages, &timing))
			return false;
		run->first_known = true;
		run->first_ticks = timing.ticks;
		run->first_pages = pages;
		run->first_written = timing.written;
	}
	return true;
}
/* A huge page's initialisation in its steps, each timed by itself. */
static bool measure_phases(struct work *work)
{
	const double allocation = (double)work->lab->results->pools_ticks;
	const double remap = group_has_hvo(work->group) ? (double)work->memmap.remap_ticks : NAN;

	if (work->group->experiment != EXP_HUGETLB)
		return true;
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		struct run *run = run_of(work, i);

		if (time_phases(&work->memmap.arena, builder_of(work, &run->cell), allocation,
		                remap, run))
			continue;
		if (work->memmap.arena.fault.what[0])
			report_fault(work, "the phases");
		return false;
	}
	return true;
}
static bool add_rows(struct work *work)
{
	struct results *results = work->lab->results;

	work->first_run = results->nr_runs;
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		struct run *run = results_add_run(results);

		if (!run) {
			results_fail(results, "no memory for the rows of %s", work->name);
			return false;
		}
		run->cell = work->group->cell[i];
	}
	return true;
}

/*
 * What a cache may hold is built once outside the clock before every sample: else a row's
 * time would depend on which row came before it, streaming or not.
 */
#define WARM_BYTES (16ull << 20)

/* A sample of a small memmap is this many bytes of builds: a few microseconds at least. */
#define SAMPLE_BYTES (1ull << 20)

/* From the first bind on; not with a next toucher or cold caches, which come once a build. */
static void set_repeat(struct work *work)
{
	struct arena *arena = &work->memmap.arena;
	const uint64_t bytes = arena_stored(arena) * arena->job.variant->size;

	arena->warm_up = !arena->cold && bytes <= WARM_BYTES;
	if (arena->touch == TOUCH_NONE && !arena->cold && bytes < SAMPLE_BYTES)
		arena->repeat = (unsigned)(SAMPLE_BYTES / bytes);
}

/* copy=auto: after the first binds, which want memory that nobody touched. */
static bool open_pickers(struct work *work)
{
	work->picker = calloc(work->group->nr_cells, sizeof(*work->picker));
	if (!work->picker) {
		results_fail(work->lab->results, "no memory for copy=auto of %s", work->name);
		return false;
	}
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		const struct cell *cell = &run_of(work, i)->cell;
		const struct auto_trial trial = {
			.arena = &work->memmap.arena,
			.kind = memmap_kind_of(cell->experiment),
			.method = cell->method,
		};

		if (cell->automatic && !auto_open(&work->picker[i], &trial)) {
			report_fault(work, "calibration of copy=auto");
			return false;
		}
	}
	return true;
}

static void settle_copies(struct work *work)
{
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		struct run *run = run_of(work, i);

		if (run->cell.automatic)
			run->cell.backend =
				auto_settle(&work->picker[i], run->auto_why, sizeof(run->auto_why));
	}
}

static void close_pickers(struct work *work)
{
	for (size_t i = 0; work->picker && i < work->group->nr_cells; i++)
		auto_close(&work->picker[i]);
	free(work->picker);
}

static void measure_all(struct work *work)
{
	work->memmap.arena.tick = progress_tick;
	work->memmap.arena.context = &work->progress;
	if (!add_rows(work) || !measure_first(work))
		return;
	set_repeat(work);
	if (!open_pickers(work) || !measure_rebinds(work))
		return;
	settle_copies(work);
	if (summarise(work) && measure_phases(work))
		prove_all(work);
	else
		results_fail(work->lab->results, "no memory for the statistics of %s", work->name);
}

void group_measure(struct lab *lab, const struct group *group, double seconds)
{
	struct work work = {
		.lab = lab,
		.group = group,
		.end = progress_seconds(&lab->results->counter) + seconds,
	};

	snprintf(work.name, sizeof(work.name), "%s %s map=%s", experiment_name(group->experiment),
	         group->range->id, group->map_dev ? "dev" : "mem");
	progress_begin(&work.progress, &lab->results->counter, group->nr_cells, "%s: first bind",
	               work.name);
	if (memmap_open(lab->results, lab->plan, group, work.name, &work.memmap))
		measure_all(&work);
	memmap_close(&work.memmap);
	close_pickers(&work);
	rebinds_free(&work);
}
