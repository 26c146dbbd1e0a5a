/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The slow path and the walk over a zone-device range, as ALWAYS_INLINE functions
 * with a constant variant: mm/memmap.c instantiates them.
 */
#ifndef MM_MEMMAP_WALK_H
#define MM_MEMMAP_WALK_H

#include "mm/memmap.h"
#include "mm/page.h"
#include "mm/pageblock.h"

/* Linux: __init_single_page() */
static ALWAYS_INLINE void init_single_page(struct page *page, uint64_t pfn, enum zone_type zone,
                                           unsigned nid, const struct memmap_variant v)
{
	zero_struct_page(page, v);
	set_page_links(page, zone, nid, pfn, v);
	set_page_count(page, 1, v);
	page_mapcount_reset(page);
	page_cpupid_reset_last(page, v);
	init_list_head(page);
	set_page_address(page, pfn, v);
}

/* Linux: __init_zone_device_page() */
static ALWAYS_INLINE void init_zone_device_page(struct page *page, uint64_t pfn,
                                                enum zone_type zone, unsigned nid,
                                                const struct dev_pagemap *pgmap,
                                                init_single_page_fn init_single,
                                                const struct memmap_variant v)
{
	init_single(page, pfn, zone, nid);
	page->flags |= 1ull << PG_reserved;
	page->pgmap = (uint64_t)(uintptr_t)pgmap;
	page->zone_device_data = 0;

	switch (pgmap->type) {
	case MEMORY_DEVICE_FS_DAX:
	case MEMORY_DEVICE_PRIVATE:
	case MEMORY_DEVICE_COHERENT:
	case MEMORY_DEVICE_PCI_P2PDMA:
		/* Whoever hands the page out raises its count. */
		set_page_count(page, 0, v);
		break;
	case MEMORY_DEVICE_GENERIC:
		break;
	}
}

/* The same, and the tail's own words. */
static ALWAYS_INLINE void init_zone_device_tail(struct page *tail, const struct page *head,
                                                uint64_t pfn, enum zone_type zone, unsigned nid,
                                                const struct dev_pagemap *pgmap,
                                                init_single_page_fn init_single,
                                                const struct memmap_variant v)
{
	init_zone_device_page(tail, pfn, zone, nid, pgmap, init_single, v);
	prep_compound_tail(tail, head, pgmap->vmemmap_shift, v);
	set_page_count(tail, 0, v);
}

/* Linux: memmap_init_compound() */
static ALWAYS_INLINE void memmap_init_compound(const struct memmap_job *job, struct page *head,
                                               uint64_t head_pfn, uint64_t nr_pages,
                                               init_single_page_fn init_single,
                                               const struct memmap_variant v)
{
	const struct dev_pagemap *pgmap = job->pgmap;

	head->flags |= 1ull << PG_head;
	for (uint64_t i = 1; i < nr_pages; i++)
		init_zone_device_tail(page_at(head, i, v), head, head_pfn + i, job->zone, job->nid,
		                      pgmap, init_single, v);
	prep_compound_head(page_at(head, 1, v), pgmap->vmemmap_shift);
}

/* Linux: compound_nr_pages(). The rest alias the second reserved page in the page tables. */
static ALWAYS_INLINE uint64_t compound_nr_pages(const struct memmap_job *job)
{
	if (job->pgmap->optimised)
		return (2ull << job->variant->page_shift) / job->variant->size;
	return 1ull << job->pgmap->vmemmap_shift;
}

/*
 * The part of a job that has descriptors: with an altmap, nothing before its end.
 * False when it is empty.
 */
static inline bool memmap_job_clip(const struct memmap_job *job, uint64_t *pfn, uint64_t *end)
{
	const struct dev_pagemap *pgmap = job->pgmap;

	*pfn = job->start_pfn;
	*end = job->start_pfn + job->nr_pages;
	if (pgmap->has_altmap) {
		const struct vmem_altmap *altmap = &pgmap->altmap;
		uint64_t first = altmap->base_pfn + altmap->reserve + altmap->free;

		if (*pfn < first)
			*pfn = first;
	}
	return *pfn < *end;
}

/* Linux: memmap_init_zone_device(), the ordinary path. */
static ALWAYS_INLINE uint64_t memmap_init_zone_device(const struct memmap_job *job,
                                                      init_single_page_fn init_single,
                                                      const struct memmap_variant v)
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const uint64_t pfns_per_compound = 1ull << pgmap->vmemmap_shift;
	const uint64_t nr_written = compound_nr_pages(job);
	uint64_t start, end, written = 0;

	if (!memmap_job_clip(job, &start, &end))
		return 0;
	for (uint64_t pfn = start; pfn < end; pfn += pfns_per_compound) {
		struct page *page = pfn_to_page(job, pfn, v);

		init_zone_device_page(page, pfn, job->zone, job->nid, pgmap, init_single, v);
		if (pfns_per_compound == 1) {
			written++;
			continue;
		}
		memmap_init_compound(job, page, pfn, nr_written, init_single, v);
		written += nr_written;
	}
	set_pageblocks_movable(job->pageblocks, start, end);
	return written;
}

#endif
