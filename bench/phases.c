/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/phases.h"
#include "mm/hugetlb_boot.h"
#include <pagestamp/statistics.h>
#include <math.h>
#include <stdlib.h>

#define ROUNDS     3
#define MAX_PHASES 5

struct pool_entry {
	struct hugetlb_pool *pool;
	struct memmap_job job;
	uint64_t ticks;
};

static void enter_pool(void *arg)
{
	struct pool_entry *entry = arg;
	const struct memmap_job *job = &entry->job;
	const uint64_t begin = counter_begin();

	hugetlb_add_to_pool(entry->pool, job, job->stored < 1ull << job->order);
	entry->ticks = counter_end() - begin;
}

/* All huge pages of the memmap as it stands into a pool. */
static bool time_pool_entry(struct arena *arena, double *ticks)
{
	struct hugetlb_pool pool;
	uint64_t done = 0;

	*ticks = 0;
	hugetlb_pool_init(&pool);
	while (done < arena->job.nr_pages) {
		struct pool_entry entry = {&pool, arena_job(arena, done, UINT64_MAX), 0};

		if (!window_run(enter_pool, &entry, &arena->fault))
			return false;
		*ticks += (double)entry.ticks;
		done += entry.job.nr_pages;
	}
	return true;
}

/* The segments with a part of each huge page: the reserved one, or what comes behind it. */
static struct segment *parts_of(const struct arena *arena, bool reserved_part)
{
	const uint64_t reserved = hugetlb_reserved_pages(arena->job.variant, arena->job.order);
	struct segment *parts = malloc(arena->nr_segments * sizeof(*parts));

	for (size_t i = 0; parts && i < arena->nr_segments; i++) {
		parts[i] = arena->segment[i];
		if (reserved_part)
			parts[i].stored = reserved;
		else
			parts[i].from = reserved;
	}
	return parts;
}

struct part {
	struct segment *segment;
	double ticks[ROUNDS];
	uint64_t written;
};

static bool time_part(struct arena *arena, memmap_builder build, const struct copy_backend *backend,
                      struct part *part, unsigned round)
{
	struct segment *const whole = arena->segment;
	struct timing timing;
	bool ok;

	arena->segment = part->segment;
	ok = timed_build(arena, 0, arena->job.nr_pages, build, backend, &timing);
	arena->segment = whole;
	part->ticks[round] = (double)timing.ticks;
	part->written = timing.written;
	return ok;
}

static void add_phase(struct run *run, const char *name, double ticks)
{
	run->phase[run->nr_phases++] = (struct phase){name, ticks};
}

bool time_phases(struct arena *arena, memmap_builder build, double allocation, double remap,
                 struct run *run)
{
	struct part reserved = {.segment = parts_of(arena, true)};
	struct part tails = {.segment = parts_of(arena, false)};
	double entry[ROUNDS];
	bool ok = reserved.segment && tails.segment;

	for (unsigned i = 0; ok && i < ROUNDS; i++)
		ok = time_part(arena, build, run->cell.backend, &reserved, i) &&
		     time_part(arena, build, run->cell.backend, &tails, i) &&
		     time_pool_entry(arena, &entry[i]);
	free(reserved.segment);
	free(tails.segment);
	run->phase = ok ? calloc(MAX_PHASES, sizeof(*run->phase)) : NULL;
	if (!run->phase)
		return false;
	add_phase(run, "allocation", allocation);
	if (isfinite(remap))
		add_phase(run, "hvo-remap", remap);
	add_phase(run, "reserved", median_of(reserved.ticks, ROUNDS));
	if (tails.written)
		add_phase(run, "fallback-tails", median_of(tails.ticks, ROUNDS));
	add_phase(run, "pool-entry", median_of(entry, ROUNDS));
	return true;
}
