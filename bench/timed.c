/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/timed.h"
#include "mm/memmap_walk.h"

/* Pages per stay in the window: well under a second on the slowest emulator. */
#define SLICE_PAGES (1ull << 20)

struct memmap_job arena_job(const struct arena *arena, uint64_t start_pfn, uint64_t nr_pages)
{
	struct memmap_job job = arena->job;

	job.start_pfn = start_pfn;
	job.nr_pages = nr_pages;
	return job;
}

struct call {
	struct arena *arena;
	struct memmap_job job;
	memmap_builder build; /* NULL = fill */
	const struct copy_backend *backend;
	struct timing *timing;
};

static uint64_t without_overhead(const struct arena *arena, uint64_t ticks)
{
	return ticks > arena->overhead_ticks ? ticks - arena->overhead_ticks : 0;
}

static void build_slice(void *arg)
{
	struct call *call = arg;
	uint64_t begin = counter_begin();

	call->timing->written += call->build(&call->job, call->backend);
	call->timing->ticks += without_overhead(call->arena, counter_end() - begin);
}

static void fill_slice(void *arg)
{
	struct call *call = arg;
	const unsigned order = call->job.pgmap->vmemmap_shift;
	const uint64_t size = call->job.variant->size;
	const uint64_t step = size << order;
	const uint64_t stored = size * call->arena->stored;
	char *to = (char *)call->job.memmap + (call->job.start_pfn - call->job.first_pfn) * size;
	const uint64_t bytes = call->job.nr_pages * size;
	uint64_t begin = counter_begin();

	if (step == stored) {
		fill_streaming(to, 0, bytes);
	} else {
		for (char *end = to + bytes; to < end; to += step)
			fill_streaming(to, 0, stored);
	}
	fill_streaming_drain();
	call->timing->ticks += without_overhead(call->arena, counter_end() - begin);
	call->timing->written += (call->job.nr_pages >> order) * call->arena->stored;
}

/* Slices at compound boundaries; both sizes are multiples of every compound's. */
static bool in_slices(struct call *call, uint64_t start_pfn, uint64_t nr_pages, uint64_t slice,
                      void (*fn)(void *))
{
	for (uint64_t done = 0; done < nr_pages; done += slice) {
		uint64_t nr = nr_pages - done < slice ? nr_pages - done : slice;

		call->job = arena_job(call->arena, start_pfn + done, nr);
		if (!window_run(fn, call, &call->arena->fault))
			return false;
		if (call->arena->tick)
			call->arena->tick(call->arena->context);
	}
	return true;
}

bool timed_build(struct arena *arena, uint64_t start_pfn, uint64_t nr_pages, memmap_builder build,
                 const struct copy_backend *backend, struct timing *out)
{
	struct call call = {.arena = arena, .build = build, .backend = backend, .timing = out};

	*out = (struct timing){0};
	return in_slices(&call, start_pfn, nr_pages, SLICE_PAGES, build_slice);
}

bool timed_fill(struct arena *arena, struct timing *out)
{
	struct call call = {.arena = arena, .timing = out};

	*out = (struct timing){0};
	return in_slices(&call, arena->job.start_pfn, arena->job.nr_pages, SLICE_PAGES, fill_slice);
}
