/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/auto.h"
#include "mm/stamp.h"
#include <stdio.h>
#include <stdlib.h>

/* The least of so many: what disturbs a trial only ever makes it longer. */
#define ROUNDS 9
/* A piece: small against a last-level cache, long against the clock. */
#define PIECE_BYTES (2ull << 20)
/* Where the CPU does not say. */
#define USUAL_LLC (32ull << 20)

struct candidate {
	const struct copy_backend *backend;
	memmap_builder build;
	double ticks; /* the least of its trials */
};

memmap_builder auto_builder(enum method_id method, const struct copy_backend *backend,
                            const struct memmap_variant *variant)
{
	if (method == METHOD_TEMPLATE)
		return copy_backend_template(backend, variant);
	return variant->size == sizeof(struct page) || backend->stamp_sized ? memmap_stamp : NULL;
}

static size_t find_candidates(const struct auto_trial *trial, struct candidate *candidate)
{
	const struct memmap_variant *variant = trial->arena->job.variant;
	size_t nr = 0;

	for (size_t i = 0; i < nr_copy_backends; i++) {
		const struct copy_backend *backend = copy_backends[i];
		const memmap_builder build = auto_builder(trial->method, backend, variant);

		if (!build || backend->slow || (backend->missing && backend->missing()))
			continue;
		candidate[nr++] = (struct candidate){.backend = backend, .build = build};
	}
	return nr;
}

static uint64_t memmap_bytes(const struct arena *arena)
{
	return (arena->job.nr_pages >> arena->job.pgmap->vmemmap_shift) * arena->stored *
	       arena->job.variant->size;
}

/* Whole compounds of about PIECE_BYTES stored, no more than there is. */
static uint64_t piece_pages(const struct arena *arena)
{
	const unsigned order = arena->job.pgmap->vmemmap_shift;
	const uint64_t compounds = PIECE_BYTES / (arena->stored * arena->job.variant->size);
	const uint64_t pages = (compounds ? compounds : 1) << order;

	return pages < arena->job.nr_pages ? pages : arena->job.nr_pages;
}

/*
 * The next toucher counts when it comes while the piece is still in the cache: always
 * with touch=batch, else when the whole memmap fits.
 */
static bool touch_counts(const struct auto_trial *trial)
{
	const uint64_t llc = trial->llc_bytes ? trial->llc_bytes : USUAL_LLC;

	return trial->arena->touch == TOUCH_BATCH || memmap_bytes(trial->arena) <= llc;
}

static bool try_all(const struct auto_trial *trial, struct candidate *candidate, size_t nr)
{
	struct arena *arena = trial->arena;
	const uint64_t pages = piece_pages(arena);
	const uint64_t pieces = arena->job.nr_pages / pages;
	uint64_t piece = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t k = 0; k < nr; k++, piece++) {
			struct candidate *c = &candidate[(k + round) % nr];
			const uint64_t at = arena->job.start_pfn + piece % pieces * pages;
			struct timing timing;
			double ticks;

			if (!timed_build(arena, at, pages, c->build, c->backend, &timing))
				return false;
			ticks = (double)timing.ticks;
			if (touch_counts(trial))
				ticks += (double)timing.touch_ticks;
			if (!round || ticks < c->ticks)
				c->ticks = ticks;
		}
	}
	return true;
}

static const struct candidate *fastest(struct candidate *candidate, size_t nr, int streaming)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < nr; i++)
		if ((streaming < 0 || candidate[i].backend->streaming == streaming) &&
		    (!best || candidate[i].ticks < best->ticks))
			best = &candidate[i];
	return best;
}

const struct copy_backend *auto_choose(const struct auto_trial *trial, char *why, size_t why_size)
{
	struct candidate *candidate = calloc(nr_copy_backends, sizeof(*candidate));
	const struct candidate *best, *other;
	const struct copy_backend *chosen = NULL;
	size_t nr;

	if (!candidate)
		return NULL;
	nr = find_candidates(trial, candidate);
	if (nr && try_all(trial, candidate, nr)) {
		best = fastest(candidate, nr, -1);
		other = fastest(candidate, nr, !best->backend->streaming);
		chosen = best->backend;
		snprintf(why, why_size, "%s stores were fastest on %llu KiB%s; best %s: %+.0f %%",
		         chosen->streaming ? "streaming" : "ordinary",
		         (unsigned long long)(piece_pages(trial->arena) >>
		                              trial->arena->job.pgmap->vmemmap_shift) *
		                         trial->arena->stored * trial->arena->job.variant->size >>
		                 10,
		         trial->arena->touch != TOUCH_NONE && touch_counts(trial)
		                 ? ", touched at once"
		                 : "",
		         chosen->streaming ? "ordinary" : "streaming",
		         other ? (other->ticks / best->ticks - 1) * 100 : 0.0);
	}
	free(candidate);
	return chosen;
}
