/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/memmap_open.h"
#include "bench/kind.h"
#include "mm/hugetlb_boot.h"
#include "mm/hugetlb_vmemmap.h"
#include "mm/pageblock.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool take_memory(struct results *results, const struct plan *plan, const struct group *group,
                        const char *name, struct backing *backing)
{
	const struct geometry *g = &group->geometry;
	/* HVO gives memory back that was there at first. */
	const bool pieces = group->optimised && !group_has_hvo(group);
	const uint64_t per_compound = vmemmap_stored_bytes(g, &plan->variant, pieces);
	uint64_t need = (g->nr_pages >> g->order) * per_compound + group->dest_offset;
	uint64_t available;

	if (group->map_dev)
		return true;
	if (group_has_hvo(group))
		need += hugetlb_vmemmap_shared_bytes(&plan->variant);
	if (backing_alloc(need, group->optimised ? BACKING_PIECES : BACKING_WHOLE, backing,
	                  &available))
		return true;
	results_fail(results,
	             "too little RAM for %s: its memmap needs %" PRIu64 " MiB, %" PRIu64
	             " MiB are free, %" PRIu64 " MiB are missing; a range of %" PRIu64
	             " MiB would fit",
	             name, need >> 20, available >> 20, (need - available) >> 20,
	             ((available / per_compound) << (g->order + 12)) >> 20);
	return false;
}

/* Whole compounds, at least one, of about touch=batch:SIZE. */
static uint64_t batch_pages(const struct options *options, const struct geometry *g)
{
	const uint64_t pages = options->touch_bytes / options->variant.size >> g->order << g->order;

	return pages ? pages : 1ull << g->order;
}

static void describe_device(const struct group *group, struct arena *arena)
{
	const struct geometry *g = &group->geometry;

	arena->pgmap = (struct dev_pagemap){
		.type = group->experiment == EXP_FSDAX ? MEMORY_DEVICE_FS_DAX
	                                               : MEMORY_DEVICE_GENERIC,
		.vmemmap_shift = g->order,
		.has_altmap = group->map_dev,
		.optimised = group->optimised,
	};
	if (group->map_dev) {
		/* Linux nd_pfn: 8 KiB reserved for the superblock, the rest up to dataoff free. */
		arena->pgmap.altmap = (struct vmem_altmap){
			.base_pfn = g->base_pfn,
			.reserve = 2,
			.free = g->start_pfn - g->base_pfn - 2,
		};
	}
	arena->job.pgmap = &arena->pgmap;
}

/* From the first segment's first page to the last one's last; huge pages have none of their own. */
static bool make_pageblocks(const struct group *group, unsigned page_shift, struct arena *arena)
{
	const struct segment *last = &group->segment[group->nr_segments - 1];
	const unsigned order = PAGEBLOCK_SHIFT - page_shift;
	const uint64_t start = group->segment[0].start_pfn, end = last->start_pfn + last->nr_pages;

	if (group->experiment == EXP_HUGETLB)
		return true;
	arena->pageblocks = (struct pageblock_map){
		.start_pfn = start,
		.nr = pageblocks_of(start, end, order),
		.order = order,
	};
	arena->pageblocks.bits = calloc(1, pageblock_map_bytes(arena->pageblocks.nr));
	arena->job.pageblocks = &arena->pageblocks;
	return arena->pageblocks.bits;
}

static bool populate(const struct plan *plan, const struct group *group, struct open_memmap *out)
{
	const struct geometry *g = &group->geometry;

	if (group_has_hvo(group))
		return hugetlb_vmemmap_populate(&out->vmemmap, g, &plan->variant, &out->backing);
	return group->map_dev ? vmemmap_populate_device(&out->vmemmap, g, group->device)
	                      : vmemmap_populate(&out->vmemmap, g, &plan->variant, group->optimised,
	                                         group->dest_offset, &out->backing);
}

/* One more huge page at the end of the list: joins the last segment where it is like it. */
static void append_page(struct arena *arena, uint64_t pfn, uint64_t nr_pages, uint64_t stored)
{
	struct segment *last = arena->nr_segments ? &arena->segment[arena->nr_segments - 1] : NULL;

	if (last && last->start_pfn + last->nr_pages == pfn && last->stored == stored)
		last->nr_pages += nr_pages;
	else
		arena->segment[arena->nr_segments++] = (struct segment){pfn, nr_pages, stored, 0};
}

/*
 * Linux: hugetlb_vmemmap_optimize_folios(). The segments are made anew, cut where a page's
 * vmemmap could not be optimised.
 */
static bool optimise(const struct group *group, unsigned to_fail, struct open_memmap *out)
{
	const uint64_t in_page = 1ull << group->geometry.order;
	const uint64_t nr = group->geometry.nr_pages >> group->geometry.order;
	struct arena *arena = &out->arena;
	struct hugetlb_vmemmap hvo;
	uint64_t page = 0;

	free(arena->segment);
	arena->nr_segments = 0;
	arena->segment = calloc(nr, sizeof(*arena->segment));
	if (!arena->segment ||
	    !hugetlb_vmemmap_init(&hvo, &out->vmemmap, &group->geometry, arena->job.variant,
	                          &out->backing, &arena->job, &arena->fault))
		return false;
	group->pool->optimised = group->pool->fell_back = 0;
	for (size_t i = 0; i < group->nr_segments; i++) {
		const struct segment *s = &group->segment[i];

		for (uint64_t pfn = s->start_pfn; pfn < s->start_pfn + s->nr_pages;
		     pfn += in_page, page++) {
			const uint64_t begin = counter_begin();
			const bool done = page >= to_fail && hugetlb_vmemmap_optimize(&hvo, page);

			out->remap_ticks += counter_end() - begin;
			if (!done && !hugetlb_vmemmap_restore(&hvo, page))
				return false;
			group->pool->optimised += done;
			group->pool->fell_back += !done;
			append_page(arena, pfn, in_page, done ? group->stored : in_page);
		}
	}
	return true;
}

bool memmap_open(struct results *results, const struct plan *plan, const struct group *group,
                 const char *name, struct open_memmap *out)
{
	const struct geometry *g = &group->geometry;
	const struct options *options = results->options;
	struct arena *arena = &out->arena;

	if (!take_memory(results, plan, group, name, &out->backing))
		return false;
	arena->segment = malloc(group->nr_segments * sizeof(*arena->segment));
	if (!arena->segment || !populate(plan, group, out) ||
	    !make_pageblocks(group, plan->variant.page_shift, arena)) {
		results_fail(results, "no memory for the page tables or pageblocks of %s", name);
		return false;
	}
	memcpy(arena->segment, group->segment, group->nr_segments * sizeof(*arena->segment));
	arena->nr_segments = group->nr_segments;
	arena->job.variant = &plan->variant;
	arena->job.memmap = out->vmemmap.memmap;
	arena->job.first_pfn = arena->job.start_pfn = g->start_pfn;
	arena->job.nr_pages = g->nr_pages;
	arena->job.order = g->order;
	arena->job.stored = group->stored;
	arena->job.zone = memmap_kind_of(group->experiment)->zone;
	arena->job.nid = group->range->node;
	if (arena->job.zone == ZONE_DEVICE)
		describe_device(group, arena);
	arena->overhead_ticks = results->counter.overhead_ticks;
	arena->cold = options->cold;
	arena->touch = options->touch;
	arena->batch_pages = batch_pages(options, g);
	arena->repeat = 1;
	if (group_has_hvo(group) && !optimise(group, options->hvo_fail, out)) {
		results_fail(results, "no memory for the page tables of %s", name);
		return false;
	}
	return true;
}

void memmap_close(struct open_memmap *memmap)
{
	free(memmap->arena.pageblocks.bits);
	free(memmap->arena.segment);
	if (memmap->vmemmap.size)
		vmemmap_depopulate(&memmap->vmemmap);
	backing_free(&memmap->backing);
}
