/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One memmap, all its cells side by side: first bind on memory nobody touched, then
 * rebinds in turns with the streaming fill as their limit, then the proof.
 */
#include "bench/group.h"
#include "bench/answers.h"
#include "bench/auto.h"
#include "bench/memmap_open.h"
#include "bench/phases.h"
#include "bench/progress.h"
#include "bench/proof.h"
#include "bench/timed.h"
#include <pagestamp/statistics.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AUTO_REBINDS_MAX 30 /* as in the published tables */

/* The proof of a row costs about this many of its rebinds, under an emulator too. */
#define PROOF_IN_REBINDS 3

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

bool lab_open(struct lab *lab, struct results *results, const struct plan *plan)
{
	uint64_t available;
	uintptr_t va = window_base() + window_size() - PROOF_SCRATCH;

	*lab = (struct lab){.results = results, .plan = plan};
	if (!backing_alloc(PROOF_SCRATCH, BACKING_WHOLE, &lab->scratch, &available)) {
		results_fail(results,
		             "too little RAM for the proof: %llu MiB are needed, %llu MiB are free",
		             PROOF_SCRATCH >> 20, (unsigned long long)available >> 20);
		return false;
	}
	if (!window_map_backing(va, &lab->scratch, 0, PROOF_SCRATCH)) {
		results_fail(results, "no memory for page tables");
		backing_free(&lab->scratch);
		return false;
	}
	lab->scratch_va = (uint64_t *)va;
	return true;
}

void lab_close(struct lab *lab)
{
	window_unmap((uintptr_t)lab->scratch_va, PROOF_SCRATCH);
	backing_free(&lab->scratch);
}

static struct run *run_of(const struct work *work, size_t cell)
{
	return &work->lab->results->run[work->first_run + cell];
}

static memmap_builder builder_of(const struct work *work, const struct cell *cell)
{
	const struct memmap_kind *kind = memmap_kind_of(cell->experiment);
	struct memmap_variant variant = *cell->variant;

	if (cell->descending)
		return kind->stamp_down;
	variant.trace_page_ref = work->lab->results->options->variant.trace_page_ref;
	return kind_builder(kind, cell->method, cell->backend, &variant);
}

/* A fault is a failure of the program, but not the end of it. */
static void report_fault(struct work *work, const char *during)
{
	const struct window_fault *fault = &work->memmap.arena.fault;

	printf("fault in %s, %s: %s at 0x%" PRIx64 ", address 0x%" PRIx64 ", %s\n%s\n", work->name,
	       during, fault->what, fault->pc, fault->address, fault->write ? "write" : "read",
	       fault->registers);
	results_fail(work->lab->results, "%s in %s, %s", fault->what, work->name, during);
}

static void cell_label(const struct cell *cell, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s%s", method_name(cell->method), cell->backend ? " " : "",
	         cell->automatic ? "auto: " : "", cell->backend ? cell->backend->name : "");
}

static bool build(struct work *work, size_t i, uint64_t index, uint64_t nr, struct timing *timing)
{
	const struct cell *cell = &run_of(work, i)->cell;
	char label[48];

	if (timed_build(&work->memmap.arena, index, nr, builder_of(work, cell), cell->backend,
	                timing))
		return true;
	cell_label(cell, label, sizeof(label));
	report_fault(work, label);
	return false;
}

static bool build_all(struct work *work, size_t i, struct timing *timing)
{
	return build(work, i, 0, work->group->geometry.nr_pages, timing);
}

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
		if (!build(work, i, i * pages, pages, &timing))
			return false;
		run->first_known = true;
		run->first_ticks = timing.ticks;
		run->first_pages = pages;
		run->first_written = timing.written;
	}
	return true;
}

/* ---- rebinds ------------------------------------------------------------------- */

/* A different order of the cells in every repetition (Fisher-Yates over a fixed sequence). */
static void shuffle(size_t *order, size_t nr, unsigned rep)
{
	uint32_t state = rep * 2654435761u + 1;

	for (size_t i = 0; i < nr; i++)
		order[i] = i;
	for (size_t i = nr; i > 1; i--) {
		size_t j = (state = state * 1664525 + 1013904223) / 65536 % i;
		size_t held = order[i - 1];

		order[i - 1] = order[j];
		order[j] = held;
	}
}

static bool pick_copy(struct work *work, size_t i)
{
	struct cell *cell = &run_of(work, i)->cell;

	if (!cell->automatic)
		return true;
	cell->backend = auto_pick(&work->picker[i]);
	if (!cell->backend)
		report_fault(work, "calibration of copy=auto");
	return cell->backend;
}

static bool has_compounds(const struct work *work)
{
	return work->group->geometry.order > 0;
}

/* One repetition: the fill, then every cell once. */
static bool repetition(struct work *work, unsigned rep)
{
	const size_t nr = work->group->nr_cells;
	struct timing timing, ordinary, drained;

	if (!timed_fill(&work->memmap.arena, FILL_STREAMING, &timing) ||
	    !timed_fill(&work->memmap.arena, FILL_ORDINARY, &ordinary) ||
	    (has_compounds(work) && !timed_fill(&work->memmap.arena, FILL_DRAINED, &drained))) {
		report_fault(work, "streaming fill");
		return false;
	}
	work->fill[rep] = (double)timing.ticks;
	work->fill_ordinary[rep] = (double)ordinary.ticks;
	if (has_compounds(work))
		work->drains[rep] = (double)drained.ticks - (double)timing.ticks;
	shuffle(work->order, nr, rep);
	for (size_t k = 0; k < nr; k++) {
		size_t i = work->order[k];
		struct run *run = run_of(work, i);

		if (!pick_copy(work, i) || !build_all(work, i, &timing))
			return false;
		run->samples[rep] = timing.ticks;
		work->touch[i * work->capacity + rep] = (double)timing.touch_ticks;
		run->nr_samples = rep + 1;
		run->written = timing.written;
		progress_step(&work->progress);
	}
	return true;
}

static bool samples_alloc(struct work *work, unsigned n)
{
	work->capacity = n;
	work->fill = calloc(n, sizeof(*work->fill));
	work->fill_ordinary = calloc(n, sizeof(*work->fill_ordinary));
	work->drains = calloc(n, sizeof(*work->drains));
	work->touch = calloc(n * work->group->nr_cells, sizeof(*work->touch));
	work->order = calloc(work->group->nr_cells, sizeof(*work->order));
	if (!work->fill || !work->fill_ordinary || !work->drains || !work->touch || !work->order)
		return false;
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		run_of(work, i)->samples = calloc(n, sizeof(uint64_t));
		if (!run_of(work, i)->samples)
			return false;
	}
	return true;
}

/* rebinds=auto: as many as the share of the budget allows, within reason. */
static unsigned rebinds_within(double seconds, double repetition_seconds, unsigned least)
{
	double n = seconds / repetition_seconds - PROOF_IN_REBINDS;

	if (!(n > least)) /* also when the clock's frequency is unknown */
		return least;
	return n > AUTO_REBINDS_MAX ? AUTO_REBINDS_MAX : (unsigned)n;
}

static bool measure_rebinds(struct work *work)
{
	const struct results *results = work->lab->results;
	unsigned n = results->options->rebinds;
	struct timing untimed;
	double begun;

	if (!samples_alloc(work, n ? n : AUTO_REBINDS_MAX)) {
		results_fail(work->lab->results, "no memory for the samples of %s", work->name);
		return false;
	}
	/* What no first bind touched is touched now, outside the samples. */
	if (!timed_fill(&work->memmap.arena, FILL_STREAMING, &untimed)) {
		report_fault(work, "streaming fill");
		return false;
	}
	begun = progress_seconds(&results->counter);
	progress_begin(&work->progress, &results->counter, n * work->group->nr_cells, "%s: rebinds",
	               work->name);
	if (!repetition(work, 0))
		return false;
	if (!n)
		n = rebinds_within(work->end - begun, progress_seconds(&results->counter) - begun,
		                   results->options->auto_rebinds_min
		                           ? results->options->auto_rebinds_min
		                           : 1);
	work->progress.total = n * work->group->nr_cells;
	for (unsigned rep = 1; rep < n; rep++)
		if (!repetition(work, rep))
			return false;
	return true;
}

static bool summarise(struct work *work)
{
	struct results *results = work->lab->results;
	const unsigned n = run_of(work, 0)->nr_samples;
	double *sample = calloc(n, sizeof(*sample));
	const struct run *base = NULL;
	struct statistics drains;
	struct limit limit = {.name = "fill-streaming"}, ordinary = {.name = "fill-ordinary"};

	if (!sample)
		return false;
	for (size_t i = 0; i < work->group->nr_cells; i++) {
		struct run *run = run_of(work, i);

		for (unsigned rep = 0; rep < n; rep++)
			sample[rep] = (double)run->samples[rep];
		run->ticks = statistics_of(sample, n);
		for (unsigned rep = 0; rep < n; rep++)
			sample[rep] = (double)run->samples[rep] / work->fill[rep];
		run->vs_fill = median_of(sample, n);
		for (unsigned rep = 0; rep < n; rep++)
			sample[rep] = (double)run->samples[rep] / work->fill_ordinary[rep];
		run->vs_ordinary_fill = median_of(sample, n);
		if (run->cell.touch != TOUCH_NONE)
			run->touch_ticks = median_of(work->touch + i * work->capacity, n);
		if (run->cell.method == METHOD_BASE)
			base = run;
		if (base)
			run->vs_base_pct = (run->ticks.median / base->ticks.median - 1) * 100;
		limit.bytes = run->written * run->cell.variant->size;
	}
	limit.ticks = median_of(work->fill, n);
	ordinary.bytes = limit.bytes;
	ordinary.ticks = median_of(work->fill_ordinary, n);
	free(sample);
	if (has_compounds(work) && base && !group_has_hvo(work->group)) {
		drains = statistics_of(work->drains, n);
		answer_drain(results, base, &drains, limit.ticks);
	}
	return results_add_limit(results, &limit) && results_add_limit(results, &ordinary);
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

/* ---- the proof ----------------------------------------------------------------- */

static void report_refused(struct work *work, const struct run *run)
{
	char label[48];

	cell_label(&run->cell, label, sizeof(label));
	results_fail(work->lab->results, "%s, %s: %s", work->name, label, run->why_not);
}

static struct proof_row proof_row_of(struct work *work, size_t i,
                                     const struct copy_backend *backend)
{
	struct run *run = run_of(work, i);
	struct cell cell = run->cell;

	cell.backend = backend;
	return (struct proof_row){.build = builder_of(work, &cell), .backend = backend, .run = run};
}

/* Whatever built: copy=auto may have picked several. Returns how many. */
static size_t list_proofs(struct work *work, struct proof_row *row)
{
	const struct copy_backend *picked;
	size_t nr = 0;

	for (size_t i = 0; i < work->group->nr_cells; i++) {
		const struct cell *cell = &run_of(work, i)->cell;

		if (!cell->automatic)
			row[nr++] = proof_row_of(work, i, cell->backend);
		for (size_t k = 0; (picked = auto_taken(&work->picker[i], k)); k++)
			row[nr++] = proof_row_of(work, i, picked);
	}
	return nr;
}

static void prove_all(struct work *work)
{
	struct results *results = work->lab->results;
	const size_t nr = work->group->nr_cells;
	struct proof proof = {
		.arena = &work->memmap.arena,
		.kind = memmap_kind_of(work->group->experiment),
		.scratch = work->lab->scratch_va,
		.traced = results->options->variant.trace_page_ref,
		.dump = results->options->dump,
	};
	char label[48] = "the reference";
	size_t during;
	bool ok;

	if (!results->options->verify && !results->options->dump)
		return;
	proof.row = calloc(nr * AUTO_FINALISTS, sizeof(*proof.row));
	if (!proof.row) {
		results_fail(results, "no memory for the proof of %s", work->name);
		return;
	}
	proof.nr_rows = list_proofs(work, proof.row);
	progress_begin(&work->progress, &results->counter, 0, "%s: proof", work->name);
	ok = prove(&proof, &during);
	if (!ok) {
		if (during < proof.nr_rows)
			snprintf(label, sizeof(label), "%s %s",
			         method_name(proof.row[during].run->cell.method),
			         proof.row[during].backend ? proof.row[during].backend->name : "");
		report_fault(work, label);
	}
	for (size_t i = 0; ok && i < nr; i++) {
		if (!results->options->verify)
			run_of(work, i)->verified = -1; /* built for its dump only */
		else if (!run_of(work, i)->verified)
			report_refused(work, run_of(work, i));
	}
	free(proof.row);
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
	free(work.fill);
	free(work.fill_ordinary);
	free(work.drains);
	free(work.touch);
	free(work.order);
}
