/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/auto.h"
#include <pagestamp/statistics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The heats: every copy on a small piece, so many times. */
#define HEAT_BYTES  (2ull << 20)
#define HEAT_ROUNDS 3
/*
 * The final: what stores leave in a cache is paid for later, by whoever needs the room.
 * So the best of each kind meet on pieces that no cache of one core holds twice, a quarter
 * of the memmap at most, each after another piece of its own outside the clock: it pays for
 * what it left itself. A memmap that is small is built as a whole.
 */
#define FINAL_BYTES  (64ull << 20)
#define SMALL_BYTES  (16ull << 20)
#define FINAL_WORK   (96ull << 20) /* bytes that each finalist builds in all, about */
#define OF_EACH_KIND (AUTO_FINALISTS / 2)
#define MIN_ROUNDS   3
#define MAX_ROUNDS   15

struct candidate {
	const struct copy_backend *backend;
	memmap_builder build;
	double sample[MAX_ROUNDS];
	double ticks; /* what it is judged by */
	double total; /* of all the finals */
	unsigned taken;
};

/* Trials of every candidate: so many were made, so many follow, so many last ones count. */
struct rounds {
	unsigned done, more, kept;
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
                    struct rounds rounds, bool sustained)
{
	const uint64_t pieces = arena->job.nr_pages / pages;
	uint64_t piece = rounds.done * nr;

	for (unsigned round = rounds.done; round < rounds.done + rounds.more; round++) {
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
			c->sample[round % rounds.kept] =
				(double)(timing.ticks + timing.touch_ticks);
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

/* Leaves the OF_EACH_KIND fastest of each kind; the fastest of all first. */
static size_t keep_finalists(struct candidate *candidate, size_t nr)
{
	size_t kept = 0, of_kind[2] = {0};

	qsort(candidate, nr, sizeof(*candidate), by_ticks);
	for (size_t i = 0; i < nr; i++)
		if (of_kind[candidate[i].backend->streaming]++ < OF_EACH_KIND)
			candidate[kept++] = candidate[i];
	return kept;
}

/* Over all the finals. */
static const struct candidate *fastest_of_kind(const struct candidate *candidate, size_t nr,
                                               bool streaming)
{
	const struct candidate *fastest = NULL;

	for (size_t i = 0; i < nr; i++)
		if (candidate[i].backend->streaming == streaming &&
		    (!fastest || candidate[i].total < fastest->total))
			fastest = &candidate[i];
	return fastest;
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

/* More trials before every rebind: no more work than the rebind itself, or one of each. */
static unsigned rounds_more(const struct auto_picker *picker)
{
	const uint64_t all = picker->trial.arena->job.nr_pages;
	const uint64_t rounds = all / (2 * picker->nr * picker->pages);

	return rounds < 1 ? 1 : rounds > picker->rounds ? picker->rounds : (unsigned)rounds;
}

static bool play_final(struct auto_picker *picker, unsigned more)
{
	struct arena *arena = picker->trial.arena;
	const struct rounds rounds = {picker->done, more, picker->rounds};

	if (!try_all(arena, picker->candidate, picker->nr, picker->pages, rounds,
	             picker->pages < arena->job.nr_pages))
		return false;
	picker->done += more;
	judge_by_median(picker->candidate, picker->nr, picker->rounds);
	return true;
}

bool auto_open(struct auto_picker *picker, const struct auto_trial *trial)
{
	const struct rounds heats = {0, HEAT_ROUNDS, HEAT_ROUNDS};
	struct arena *arena = trial->arena;
	struct candidate *candidate = calloc(nr_copy_backends, sizeof(*candidate));
	size_t nr;

	*picker = (struct auto_picker){.trial = *trial, .candidate = candidate};
	if (!candidate)
		return false;
	nr = find_candidates(trial, candidate);
	if (!nr || !try_all(arena, candidate, nr, piece_pages(arena, HEAT_BYTES), heats, false))
		return false;
	judge_by_least(candidate, nr, HEAT_ROUNDS);
	picker->nr = keep_finalists(candidate, nr);
	picker->pages = final_pages(arena);
	picker->rounds = final_rounds(arena, picker->pages);
	return play_final(picker, picker->rounds);
}

const struct copy_backend *auto_pick(struct auto_picker *picker)
{
	struct candidate *best = picker->candidate;

	if (picker->picks && !play_final(picker, rounds_more(picker)))
		return NULL;
	for (size_t k = 0; k < picker->nr; k++) {
		struct candidate *c = &picker->candidate[k];

		c->total += c->ticks;
		if (c->ticks < best->ticks)
			best = c;
	}
	best->taken++;
	picker->picks++;
	return best->backend;
}

const struct copy_backend *auto_taken(const struct auto_picker *picker, size_t index)
{
	for (size_t k = 0; k < picker->nr; k++)
		if (picker->candidate[k].taken && index-- == 0)
			return picker->candidate[k].backend;
	return NULL;
}

static int by_taken(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->taken != y->taken)
		return x->taken < y->taken ? 1 : -1;
	return (x->total > y->total) - (x->total < y->total);
}

const struct copy_backend *auto_settle(struct auto_picker *picker, char *why, size_t why_size)
{
	const struct arena *arena = picker->trial.arena;
	const struct candidate *first = picker->candidate, *other;
	bool streaming;
	size_t n;

	qsort(picker->candidate, picker->nr, sizeof(*picker->candidate), by_taken);
	streaming = first->backend->streaming;
	other = fastest_of_kind(first, picker->nr, !streaming);
	snprintf(why, why_size, "%s stores were fastest on %llu KiB%s",
	         streaming ? "streaming" : "ordinary",
	         (unsigned long long)stored_bytes(arena, picker->pages) >> 10,
	         arena->touch != TOUCH_NONE ? " and their next toucher" : "");
	n = strlen(why);
	if (other)
		snprintf(why + n, why_size - n, "; best %s: %+.0f %%",
		         streaming ? "ordinary" : "streaming",
		         (other->total / first->total - 1) * 100);
	n = strlen(why);
	if (first->taken < picker->picks)
		snprintf(why + n, why_size - n, "; taken for %u of %u rebinds", first->taken,
		         picker->picks);
	for (size_t k = 1; k < picker->nr && first[k].taken; k++) {
		n = strlen(why);
		snprintf(why + n, why_size - n, ", %s for %u", first[k].backend->name,
		         first[k].taken);
	}
	return first->backend;
}

void auto_close(struct auto_picker *picker)
{
	free(picker->candidate);
	*picker = (struct auto_picker){0};
}
