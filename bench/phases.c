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

/* The segments with nothing stored but the reserved part. */
static struct segment *reserved_parts(const struct arena *arena)
{
	struct segment *parts = malloc(arena->nr_segments * sizeof(*parts));

	for (size_t i = 0; parts && i < arena->nr_segments; i++) {
		parts[i] = arena->segment[i];
		parts[i].stored = hugetlb_reserved_pages(arena->job.variant, arena->job.order);
	}
	return parts;
}

static void add_phase(struct run *run, const char *name, double ticks)
{
	run->phase[run->nr_phases++] = (struct phase){name, ticks};
}

bool time_phases(struct arena *arena, memmap_builder build, double allocation, double remap,
                 struct run *run)
{
	struct segment *const whole = arena->segment, *const parts = reserved_parts(arena);
	const uint64_t nr_pages = arena->job.nr_pages;
	double reserved[ROUNDS], entry[ROUNDS];
	uint64_t reserved_written = 0;
	struct timing timing;
	bool ok = parts;

	for (unsigned i = 0; ok && i < ROUNDS; i++) {
		arena->segment = parts;
		ok = timed_build(arena, 0, nr_pages, build, run->cell.backend, &timing);
		reserved[i] = (double)timing.ticks;
		reserved_written = timing.written;
		arena->segment = whole;
		ok = ok && timed_build(arena, 0, nr_pages, build, run->cell.backend, &timing) &&
		     time_pool_entry(arena, &entry[i]);
	}
	arena->segment = whole;
	free(parts);
	run->phase = ok ? calloc(MAX_PHASES, sizeof(*run->phase)) : NULL;
	if (!run->phase)
		return false;
	add_phase(run, "allocation", allocation);
	if (isfinite(remap))
		add_phase(run, "hvo-remap", remap);
	add_phase(run, "reserved", median_of(reserved, ROUNDS));
	if (run->written > reserved_written)
		add_phase(run, "fallback-tails", run->ticks.median - median_of(reserved, ROUNDS));
	add_phase(run, "pool-entry", median_of(entry, ROUNDS));
	return true;
}
