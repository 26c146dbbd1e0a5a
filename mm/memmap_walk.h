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

/* An instance's out-of-line __init_single_page(): one real call a page, as in a kernel. */
typedef void (*init_single_page_fn)(struct page *page, uint64_t pfn, enum zone_type zone,
                                    unsigned nid);

/* The same of __init_zone_device_page(). */
typedef void (*init_zone_device_page_fn)(struct page *page, uint64_t pfn, enum zone_type zone,
                                         unsigned nid, const struct dev_pagemap *pgmap);

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

/* Linux: memmap_init_compound() */
static ALWAYS_INLINE void memmap_init_compound(uintptr_t vmemmap, struct page *head,
                                               uint64_t head_pfn, enum zone_type zone, unsigned nid,
                                               const struct dev_pagemap *pgmap, uint64_t nr_pages,
                                               init_zone_device_page_fn init_page,
                                               const struct memmap_variant v)
{
	const uint64_t end_pfn = head_pfn + nr_pages;

	head->flags |= 1ull << PG_head;
	for (uint64_t pfn = head_pfn + 1; pfn < end_pfn; pfn++) {
		struct page *page = pfn_to_page(vmemmap, pfn, v);

		init_page(page, pfn, zone, nid, pgmap);
		prep_compound_tail(head, pfn - head_pfn, pgmap->vmemmap_shift, v);
		set_page_count(page, 0, v);
	}
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

/* What a walk over [start, end) stores. */
static ALWAYS_INLINE uint64_t nr_written(const struct memmap_job *job, uint64_t start, uint64_t end)
{
	return ((end - start) >> job->pgmap->vmemmap_shift) * compound_nr_pages(job);
}

/* Linux: memmap_init_zone_device(), the ordinary path. */
static ALWAYS_INLINE uint64_t memmap_init_zone_device(const struct memmap_job *job,
                                                      init_zone_device_page_fn init_page,
                                                      const struct memmap_variant v)
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const uint64_t pfns_per_compound = 1ull << pgmap->vmemmap_shift;
	const uint64_t nr_pages = compound_nr_pages(job);
	const uintptr_t vmemmap = vmemmap_of(job, v);
	const enum zone_type zone = job->zone;
	const unsigned nid = job->nid;
	uint64_t start, end;

	if (!memmap_job_clip(job, &start, &end))
		return 0;
	for (uint64_t pfn = start; pfn < end; pfn += pfns_per_compound) {
		struct page *page = pfn_to_page(vmemmap, pfn, v);

		init_page(page, pfn, zone, nid, pgmap);
		if (pfns_per_compound == 1)
			continue;
		memmap_init_compound(vmemmap, page, pfn, zone, nid, pgmap, nr_pages, init_page, v);
	}
	set_pageblocks_movable(job->pageblocks, start, end);
	return nr_written(job, start, end);
}

#endif
