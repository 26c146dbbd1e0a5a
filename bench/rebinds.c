/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rebinds in turns, with the streaming fill as their limit, and what the rows say of them.
 */
#include "bench/answers.h"
#include "bench/rows.h"
#include "bench/timed.h"
#include "bench/work.h"
#include <pagestamp/statistics.h>
#include <stdlib.h>

#define AUTO_REBINDS_MAX 30 /* as in the published tables */

/* The proof of a row costs about this many of its rebinds, under an emulator too. */
#define PROOF_IN_REBINDS 3

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

/*
 * Before the repetition, so that an auto row takes its turn like any other: the fill behind
 * the trials leaves caches as the fill of a repetition without them does.
 */
static bool pick_copies(struct work *work)
{
	struct timing untimed;
	bool picked = false;

	for (size_t i = 0; i < work->group->nr_cells; i++) {
		struct cell *cell = &run_of(work, i)->cell;

		if (!cell->automatic)
			continue;
		cell->backend = auto_pick(&work->picker[i]);
		if (!cell->backend) {
			report_fault(work, "calibration of copy=auto");
			return false;
		}
		picked = true;
	}
	if (!picked || timed_fill(&work->memmap.arena, FILL_STREAMING, &untimed))
		return true;
	report_fault(work, "streaming fill");
	return false;
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

	if (!pick_copies(work))
		return false;
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

		if (!build_all(work, i, &timing))
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

bool measure_rebinds(struct work *work)
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

/* The next toucher's time in it; 0 where there is none. */
static double sample_of(const struct work *work, const struct run *run, unsigned rep)
{
	const size_t i = (size_t)(run - run_of(work, 0));

	return (double)run->samples[rep] + work->touch[i * work->capacity + rep];
}

/*
 * Each rebind against the fastest row's of the same repetition: what slows the machine
 * meanwhile slows both.
 */
static void compare_with_best(const struct work *work, struct run *run, double *sample)
{
	const struct run *best = best_of_both(work->lab->results, &run->cell, run->cell.method);

	if (!best)
		return;
	for (unsigned rep = 0; rep < run->nr_samples; rep++)
		sample[rep] = sample_of(work, run, rep) / sample_of(work, best, rep);
	run->vs_best = statistics_of(sample, run->nr_samples);
}

bool summarise(struct work *work)
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
	for (size_t i = 0; i < work->group->nr_cells; i++)
		if (run_of(work, i)->cell.automatic)
			compare_with_best(work, run_of(work, i), sample);
	limit.ticks = median_of(work->fill, n);
	ordinary.bytes = limit.bytes;
	ordinary.ticks = median_of(work->fill_ordinary, n);
	free(sample);
	/* Of one rebind it is a difference of two single fills: it says nothing. */
	if (n > 1 && has_compounds(work) && base && !group_has_hvo(work->group)) {
		drains = statistics_of(work->drains, n);
		answer_drain(results, base, &drains, limit.ticks);
	}
	return results_add_limit(results, &limit) && results_add_limit(results, &ordinary);
}

void rebinds_free(struct work *work)
{
	free(work->fill);
	free(work->fill_ordinary);
	free(work->drains);
	free(work->touch);
	free(work->order);
}
