/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/timed.h"
#include "mm/memmap_walk.h"
#include <pagestamp/arch.h>

/* Pages per stay in the window: well under a second on the slowest emulator. */
#define SLICE_PAGES (1ull << 20)

struct memmap_job arena_job(const struct arena *arena, uint64_t index, uint64_t nr_pages)
{
	const struct segment *segment = arena->segment;
	struct memmap_job job = arena->job;
	uint64_t before = 0;

	for (; index - before >= segment->nr_pages; segment++)
		before += segment->nr_pages;
	job.memmap = (char *)job.memmap + before * job.variant->size;
	job.first_pfn = segment->start_pfn;
	job.start_pfn = segment->start_pfn + (index - before);
	job.nr_pages = segment->nr_pages - (index - before);
	if (job.nr_pages > nr_pages)
		job.nr_pages = nr_pages;
	job.stored = segment->stored;
	job.from = segment->from;
	return job;
}

uint64_t arena_stored(const struct arena *arena)
{
	uint64_t stored = 0;

	for (size_t i = 0; i < arena->nr_segments; i++)
		stored +=
			(arena->segment[i].nr_pages >> arena->job.order) * arena->segment[i].stored;
	return stored;
}

struct call {
	struct arena *arena;
	struct memmap_job job;
	memmap_builder build; /* NULL = fill */
	const struct copy_backend *backend;
	enum fill_kind fill; /* without `build` */
	struct timing *timing;
};

static uint64_t without_overhead(const struct arena *arena, uint64_t ticks)
{
	return ticks > arena->overhead_ticks ? ticks - arena->overhead_ticks : 0;
}

/* Every head of the job, as the next user of the pages would: one word of each line. */
static void touch_heads(const struct memmap_job *job, enum touch_kind touch)
{
	const uint64_t step = (uint64_t)job->variant->size << job->order;
	char *at = (char *)job->memmap + (job->start_pfn - job->first_pfn) * job->variant->size;
	char *const end = at + job->nr_pages * job->variant->size;
	int32_t sum = 0;

	if (touch == TOUCH_READ) {
		for (; at < end; at += step)
			sum += ((volatile struct page *)at)->refcount;
		__asm__ volatile("" : : "r"(sum));
		return;
	}
	for (; at < end; at += step)
		((volatile struct page *)at)->refcount++;
}

static void timed_touch(struct call *call, const struct memmap_job *job)
{
	uint64_t begin = counter_begin();

	touch_heads(job, call->arena->touch);
	call->timing->touch_ticks += without_overhead(call->arena, counter_end() - begin);
}

static unsigned repeats(const struct arena *arena)
{
	return arena->repeat ? arena->repeat : 1;
}

static void timed_run(struct call *call, const struct memmap_job *job)
{
	const unsigned repeat = repeats(call->arena);
	uint64_t written = 0, begin = counter_begin();

	for (unsigned i = 0; i < repeat; i++)
		written = call->build(job, call->backend);
	call->timing->ticks += without_overhead(call->arena, counter_end() - begin) / repeat;
	call->timing->written += written;
}

static void flush_slice(void *arg)
{
	struct call *call = arg;
	const uint64_t size = call->job.variant->size;

	arch_cache_flush((char *)call->job.memmap +
	                         (call->job.start_pfn - call->job.first_pfn) * size,
	                 call->job.nr_pages * size);
}

static void build_slice(void *arg)
{
	struct call *call = arg;
	struct memmap_job batch = call->job;
	const uint64_t end = call->job.start_pfn + call->job.nr_pages;

	if (call->arena->touch != TOUCH_BATCH) {
		timed_run(call, &call->job);
		return;
	}
	for (; batch.start_pfn < end; batch.start_pfn += batch.nr_pages) {
		batch.nr_pages = call->arena->batch_pages;
		if (batch.nr_pages > end - batch.start_pfn)
			batch.nr_pages = end - batch.start_pfn;
		timed_run(call, &batch);
		timed_touch(call, &batch);
	}
}

static void touch_slice(void *arg)
{
	struct call *call = arg;

	timed_touch(call, &call->job);
}

/* Dense as a descriptor is: some memories take lines of zeros faster, which is no limit for us. */
static const uint64_t fill_word = 0xffff888100002001ull;

/* Whole lines only: off-line descriptors share their first and last line with neighbours. */
static void fill_lines(char *to, uint64_t bytes, enum fill_kind kind)
{
	char *const begin = (char *)(((uintptr_t)to + 63) & ~(uintptr_t)63);
	char *const end = (char *)((uintptr_t)(to + bytes) & ~(uintptr_t)63);

	if (begin < end)
		(kind == FILL_ORDINARY ? fill_ordinary : fill_streaming)(begin, fill_word,
		                                                         (size_t)(end - begin));
}

static void fill_slice(void *arg)
{
	struct call *call = arg;
	const unsigned order = call->job.order;
	const uint64_t size = call->job.variant->size;
	const uint64_t step = size << order;
	const uint64_t stored = size * call->job.stored;
	char *to = (char *)call->job.memmap + (call->job.start_pfn - call->job.first_pfn) * size;
	const uint64_t bytes = call->job.nr_pages * size;
	const unsigned repeat = repeats(call->arena);
	uint64_t begin = counter_begin();

	for (unsigned i = 0; i < repeat; i++) {
		if (step == stored && call->fill != FILL_DRAINED) {
			fill_lines(to, bytes, call->fill);
		} else {
			for (char *at = to; at < to + bytes; at += step) {
				fill_lines(at, stored, call->fill);
				if (call->fill == FILL_DRAINED)
					fill_streaming_drain();
			}
		}
		fill_streaming_drain();
	}
	call->timing->ticks += without_overhead(call->arena, counter_end() - begin) / repeat;
	call->timing->written += (call->job.nr_pages >> order) * call->job.stored;
}

/* Slices at compound boundaries: their size is a multiple of every compound's. */
static bool in_slices(struct call *call, uint64_t index, uint64_t nr_pages, void (*fn)(void *))
{
	for (uint64_t done = 0; done < nr_pages; done += call->job.nr_pages) {
		uint64_t nr = nr_pages - done < SLICE_PAGES ? nr_pages - done : SLICE_PAGES;

		call->job = arena_job(call->arena, index + done, nr);
		if (!window_run(fn, call, &call->arena->fault))
			return false;
		if (call->arena->tick)
			call->arena->tick(call->arena->context);
	}
	return true;
}

static bool build_and_touch(struct call *call, uint64_t index, uint64_t nr_pages)
{
	const enum touch_kind touch = call->arena->touch;

	*call->timing = (struct timing){0};
	if (!in_slices(call, index, nr_pages, build_slice))
		return false;
	if (touch == TOUCH_READ || touch == TOUCH_WHOLE)
		return in_slices(call, index, nr_pages, touch_slice);
	return true;
}

bool timed_build(struct arena *arena, uint64_t index, uint64_t nr_pages, memmap_builder build,
                 const struct copy_backend *backend, struct timing *out)
{
	struct call call = {.arena = arena, .build = build, .backend = backend, .timing = out};

	if (arena->warm_up && !build_and_touch(&call, index, nr_pages))
		return false;
	if (arena->cold && !in_slices(&call, index, nr_pages, flush_slice))
		return false;
	return build_and_touch(&call, index, nr_pages);
}

bool timed_fill(struct arena *arena, enum fill_kind kind, struct timing *out)
{
	struct call call = {.arena = arena, .fill = kind, .timing = out};

	*out = (struct timing){0};
	if (arena->warm_up && !in_slices(&call, 0, arena->job.nr_pages, fill_slice))
		return false;
	if (arena->cold && !in_slices(&call, 0, arena->job.nr_pages, flush_slice))
		return false;
	*out = (struct timing){0};
	return in_slices(&call, 0, arena->job.nr_pages, fill_slice);
}
