/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/auto.h"
#include <pagestamp/statistics.h>
#include <stdio.h>
#include <stdlib.h>

/* The heats: every copy on a small piece, so many times. */
#define HEAT_BYTES  (2ull << 20)
#define HEAT_ROUNDS 3
/*
 * The final: what stores leave in a cache is paid for later, by whoever needs the room.
 * So the best of each kind meet on pieces that no cache of one core holds twice, a quarter
 * of the memmap at most, each after another piece of its own outside the clock: it pays for
 * what it left itself. A memmap that is small is built as a whole.
 */
#define FINAL_BYTES (64ull << 20)
#define SMALL_BYTES (16ull << 20)
#define FINAL_WORK  (96ull << 20) /* bytes that each finalist builds in all, about */
#define FINALISTS   2             /* of each kind */
#define MIN_ROUNDS  3
#define MAX_ROUNDS  15

struct candidate {
	const struct copy_backend *backend;
	memmap_builder build;
	double sample[MAX_ROUNDS];
	double ticks; /* what it is judged by */
};

static size_t find_candidates(const struct auto_trial *trial, struct candidate *candidate)
{
	const struct memmap_variant *variant = trial->arena->job.variant;
	size_t nr = 0;

	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];
		const memmap_builder build =
			kind_builder(trial->kind, trial->method, backend, variant);

		if (!build || backend->slow || (backend->missing && backend->missing()) ||
		    (backend->align && (uintptr_t)trial->arena->job.memmap % backend->align))
			continue;
		candidate[nr++] = (struct candidate){.backend = backend, .build = build};
	}
	return nr;
}

/* About: segments may store differently. */
static uint64_t stored_bytes(const struct arena *arena, uint64_t pages)
{
	return pages * arena_stored(arena) / arena->job.nr_pages * arena->job.variant->size;
}

/* Whole compounds of about `bytes` stored, no more than there is. */
static uint64_t piece_pages(const struct arena *arena, uint64_t bytes)
{
	const unsigned order = arena->job.order;
	const uint64_t compounds = bytes / stored_bytes(arena, 1ull << order);
	const uint64_t pages = (compounds ? compounds : 1) << order;

	return pages < arena->job.nr_pages ? pages : arena->job.nr_pages;
}

/*
 * Each round another order, each trial another piece: the caches are as they will be.
 * `sustained`: each timed piece behind another by the same candidate.
 */
static bool try_all(struct arena *arena, struct candidate *candidate, size_t nr, uint64_t pages,
                    unsigned rounds, bool sustained)
{
	const uint64_t pieces = arena->job.nr_pages / pages;
	uint64_t piece = 0;

	for (unsigned round = 0; round < rounds; round++) {
		for (size_t k = 0; k < nr; k++, piece++) {
			struct candidate *c = &candidate[(k + round) % nr];
			const uint64_t before = piece % pieces * pages;
			const uint64_t at = sustained ? (piece + 1) % pieces * pages : before;
			struct timing timing;

			if (sustained &&
			    !timed_build(arena, before, pages, c->build, c->backend, &timing))
				return false;
			if (!timed_build(arena, at, pages, c->build, c->backend, &timing))
				return false;
			c->sample[round] = (double)(timing.ticks + timing.touch_ticks);
		}
	}
	return true;
}

/* Of the heats: what disturbs a short trial only ever makes it longer. */
static void judge_by_least(struct candidate *candidate, size_t nr, unsigned rounds)
{
	for (size_t k = 0; k < nr; k++) {
		candidate[k].ticks = candidate[k].sample[0];
		for (unsigned i = 1; i < rounds; i++)
			if (candidate[k].sample[i] < candidate[k].ticks)
				candidate[k].ticks = candidate[k].sample[i];
	}
}

/* Of the final, as rebinds are. */
static void judge_by_median(struct candidate *candidate, size_t nr, unsigned rounds)
{
	for (size_t k = 0; k < nr; k++)
		candidate[k].ticks = median_of(candidate[k].sample, rounds);
}

static int by_ticks(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

/* Leaves the FINALISTS fastest of each kind; the fastest of all first. */
static size_t keep_finalists(struct candidate *candidate, size_t nr)
{
	size_t kept = 0, of_kind[2] = {0};

	qsort(candidate, nr, sizeof(*candidate), by_ticks);
	for (size_t i = 0; i < nr; i++)
		if (of_kind[candidate[i].backend->streaming]++ < FINALISTS)
			candidate[kept++] = candidate[i];
	return kept;
}

static const struct candidate *fastest_of_kind(const struct candidate *sorted, size_t nr,
                                               bool streaming)
{
	for (size_t i = 0; i < nr; i++)
		if (sorted[i].backend->streaming == streaming)
			return &sorted[i];
	return NULL;
}

static void explain(const struct arena *arena, const struct candidate *sorted, size_t nr,
                    uint64_t pages, char *why, size_t why_size)
{
	const bool streaming = sorted->backend->streaming;
	const struct candidate *other = fastest_of_kind(sorted, nr, !streaming);
	int n = snprintf(why, why_size, "%s stores were fastest on %llu KiB%s",
	                 streaming ? "streaming" : "ordinary",
	                 (unsigned long long)stored_bytes(arena, pages) >> 10,
	                 arena->touch != TOUCH_NONE ? " and their next toucher" : "");

	if (other && n > 0 && (size_t)n < why_size)
		snprintf(why + n, why_size - (size_t)n, "; best %s: %+.0f %%",
		         streaming ? "ordinary" : "streaming",
		         (other->ticks / sorted->ticks - 1) * 100);
}

static uint64_t final_pages(const struct arena *arena)
{
	const uint64_t all = stored_bytes(arena, arena->job.nr_pages);

	if (all <= SMALL_BYTES)
		return arena->job.nr_pages;
	return piece_pages(arena, all / 4 < FINAL_BYTES ? all / 4 : FINAL_BYTES);
}

static unsigned final_rounds(const struct arena *arena, uint64_t pages)
{
	const uint64_t rounds = FINAL_WORK / (stored_bytes(arena, pages) + 1);

	return rounds < MIN_ROUNDS   ? MIN_ROUNDS
	       : rounds > MAX_ROUNDS ? MAX_ROUNDS
	                             : (unsigned)rounds;
}

const struct copy_backend *auto_choose(const struct auto_trial *trial, char *why, size_t why_size)
{
	struct candidate *candidate = calloc(nr_copy_backends, sizeof(*candidate));
	struct arena *arena = trial->arena;
	const uint64_t heat = piece_pages(arena, HEAT_BYTES);
	const uint64_t final = final_pages(arena);
	const unsigned rounds = final_rounds(arena, final);
	const struct copy_backend *chosen = NULL;
	size_t nr;

	if (!candidate)
		return NULL;
	nr = find_candidates(trial, candidate);
	if (nr && try_all(arena, candidate, nr, heat, HEAT_ROUNDS, false)) {
		judge_by_least(candidate, nr, HEAT_ROUNDS);
		nr = keep_finalists(candidate, nr);
		if (try_all(arena, candidate, nr, final, rounds, final < arena->job.nr_pages)) {
			judge_by_median(candidate, nr, rounds);
			qsort(candidate, nr, sizeof(*candidate), by_ticks);
			chosen = candidate->backend;
			explain(arena, candidate, nr, final, why, why_size);
		}
	}
	free(candidate);
	return chosen;
}
