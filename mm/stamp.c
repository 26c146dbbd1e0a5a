/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/stamp.h"
#include "mm/memmap_walk.h"
#include <pagestamp/copy.h>

static const struct memmap_variant variant = {.size = 64};

static void init_single(struct page *page, uint64_t pfn, enum zone_type zone, unsigned nid)
{
	init_single_page(page, pfn, zone, nid, variant);
}

/* One descriptor as the eight words that a stamp holds in registers. */
union image {
	struct page page;
	uint64_t word[8];
};

/* What a compound's lines end as; tail links are filled in per compound. */
struct compound_images {
	union image head, tail1, tail;
};

static void prepare_images(const struct memmap_job *job, uint64_t pfn, struct compound_images *out)
{
	const struct dev_pagemap *pgmap = job->pgmap;

	init_zone_device_page(&out->head.page, pfn, job->zone, job->nid, pgmap, init_single,
	                      variant);
	if (!pgmap->vmemmap_shift)
		return;
	out->head.page.flags |= 1ull << PG_head;
	init_zone_device_tail(&out->tail.page, &out->head.page, pfn, job->zone, job->nid, pgmap,
	                      init_single, variant);
	out->tail1 = out->tail;
	prep_compound_head(&out->tail1.page, pgmap->vmemmap_shift);
}

uint64_t memmap_stamp(const struct memmap_job *job, const struct copy_backend *backend)
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const unsigned order = pgmap->vmemmap_shift;
	const uint64_t nr_written = compound_nr_pages(pgmap, variant.size);
	struct compound_images image;
	uint64_t start, end, written = 0;

	if (!memmap_job_clip(job, &start, &end))
		return 0;
	prepare_images(job, start, &image);

	if (!order) {
		backend->stamp(pfn_to_page(job, start, variant), image.head.word, NULL,
		               end - start);
		written = end - start;
	} else {
		for (uint64_t pfn = start; pfn < end; pfn += 1ull << order) {
			struct page *head = pfn_to_page(job, pfn, variant);

			set_compound_head(&image.tail1.page, head, order, variant);
			set_compound_head(&image.tail.page, head, order, variant);
			backend->stamp(head, image.head.word, NULL, 1);
			backend->stamp(page_at(head, 1, variant), image.tail1.word, NULL, 1);
			backend->stamp(page_at(head, 2, variant), image.tail.word, NULL,
			               nr_written - 2);
			written += nr_written;
		}
	}
	backend->drain();
	set_pageblocks_movable(job->pageblocks, start, end);
	return written;
}
