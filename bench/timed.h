/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Builders under the clock. A range is built in slices, so that the quiet window is
 * left between them; the clock only runs inside. Ticks exclude the clock's own cost.
 */
#ifndef BENCH_TIMED_H
#define BENCH_TIMED_H

#include <pagestamp/counter.h>
#include <pagestamp/result.h>
#include <pagestamp/window.h>

/*
 * Pages whose descriptors are neighbours in the memmap. A memmap is one segment, or several
 * one behind the other: pages are then counted by their place in the memmap.
 */
struct segment {
	uint64_t start_pfn, nr_pages; /* whole compounds */
	uint64_t stored;              /* descriptors a builder stores per compound */
	uint64_t from;                /* so many of them are there already; 0 but for phases */
};

/* A memmap under test: what is common to every slice of it. */
struct arena {
	struct memmap_job job; /* of all of it: arena_job() gives the parts that are built */
	struct segment *segment;
	size_t nr_segments;
	struct dev_pagemap pgmap;
	struct pageblock_map pageblocks;
	uint64_t overhead_ticks;
	unsigned repeat; /* builds per sample, so that a small memmap is long against the clock */
	bool warm_up; /* build once before the clock starts: caches as the same build left them */
	bool cold;    /* flush the caches before each slice, outside the clock */
	enum touch_kind touch;
	uint64_t batch_pages;        /* of TOUCH_BATCH, whole compounds */
	void (*tick)(void *context); /* between slices, outside the window; may be NULL */
	void *context;
	struct window_fault fault; /* of the last call that returned false */
};

struct timing {
	uint64_t ticks, written;
	uint64_t touch_ticks; /* the next toucher's, not part of ticks */
};

/* The job of at most `nr_pages` pages from the index-th of the memmap: fewer where a segment ends.
 */
struct memmap_job arena_job(const struct arena *arena, uint64_t index, uint64_t nr_pages);

/* Descriptors that a build of the whole memmap stores. */
uint64_t arena_stored(const struct arena *arena);

/* Both: false = a fault in the window, described in arena->fault. */
bool timed_build(struct arena *arena, uint64_t index, uint64_t nr_pages, memmap_builder build,
                 const struct copy_backend *backend, struct timing *out);
/* What a fill of exactly the bytes that a builder stores is made of. */
enum fill_kind {
	FILL_STREAMING,
	FILL_DRAINED, /* the same with a drain after every compound, as the template path has */
	FILL_ORDINARY,
};
bool timed_fill(struct arena *arena, enum fill_kind kind, struct timing *out);
#endif
