/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/stamp.h"
#include "mm/template.h"

/* One descriptor as the words that a stamp holds in registers. */
union image {
	struct page page;
	uint64_t word[MAX_DESCRIPTOR_WORDS];
};

/* What a compound's lines end as; tail links are filled in per compound. */
struct compound_images {
	union image head, tail1, tail;
};

static void prepare_images(const struct memmap_job *job, struct compound_images *out)
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const struct memmap_slow_path *slow = memmap_slow_path(job->variant);
	const uint64_t pfn = job->start_pfn;

	slow->page(&out->head.page, pfn, job->zone, job->nid, pgmap);
	if (!pgmap->vmemmap_shift)
		return;
	out->head.page.flags |= 1ull << PG_head;
	slow->tail(&out->tail.page, &out->head.page, pfn, job->zone, job->nid, pgmap);
	out->tail1 = out->tail;
	prep_compound_head(&out->tail1.page, pgmap->vmemmap_shift);
}

/* The linear address advances by a page from one descriptor to the next; nothing else does. */
static const uint64_t *deltas(const struct memmap_variant *v, uint64_t delta[MAX_DESCRIPTOR_WORDS])
{
	if (v->size <= 8 * PAGE_VIRTUAL_WORD)
		return NULL;
	for (unsigned w = 0; w < MAX_DESCRIPTOR_WORDS; w++)
		delta[w] = 0;
	delta[PAGE_VIRTUAL_WORD] = 1ull << v->page_shift;
	return delta;
}

struct stamper {
	const struct memmap_job *job;
	const struct copy_backend *backend;
	const uint64_t *delta;
};

/*
 * n descriptors from pfn on, in runs cut where a PFN-dependent word changes by more than
 * a delta: at section boundaries. It changes in the image, before registers take it.
 */
static void stamp_pages(const struct stamper *s, union image *image, uint64_t pfn, uint64_t n)
{
	const struct memmap_variant v = *s->job->variant;
	const uintptr_t vmemmap = vmemmap_of(s->job, v);
	const uint64_t section = 1ull << memmap_page.section_shift;

	while (n) {
		struct page *page = pfn_to_page(vmemmap, pfn, v);
		uint64_t run = n;

		if (v.sparse && section - (pfn & (section - 1)) < run)
			run = section - (pfn & (section - 1));
		refresh_template(&image->page, pfn, v);
		if (v.size == sizeof(struct page))
			s->backend->stamp(page, image->word, s->delta, run);
		else
			s->backend->stamp_sized(page, image->word, s->delta, v.size, run);
		pfn += run;
		n -= run;
	}
}

uint64_t memmap_stamp(const struct memmap_job *job, const struct copy_backend *backend)
{
	const unsigned order = job->pgmap->vmemmap_shift;
	const uint64_t nr_pages = compound_nr_pages(job);
	const struct memmap_variant v = *job->variant;
	uint64_t delta[MAX_DESCRIPTOR_WORDS];
	const struct stamper stamper = {job, backend, deltas(&v, delta)};
	struct compound_images image;
	uint64_t start, end;

	if (!memmap_job_clip(job, &start, &end))
		return 0;
	prepare_images(job, &image);

	if (!order) {
		stamp_pages(&stamper, &image.head, start, end - start);
	} else {
		for (uint64_t pfn = start; pfn < end; pfn += 1ull << order) {
			const struct page *head = pfn_to_page(vmemmap_of(job, v), pfn, v);

			set_compound_head(&image.tail1.page, head, order, v);
			set_compound_head(&image.tail.page, head, order, v);
			stamp_pages(&stamper, &image.head, pfn, 1);
			stamp_pages(&stamper, &image.tail1, pfn + 1, 1);
			stamp_pages(&stamper, &image.tail, pfn + 2, nr_pages - 2);
		}
	}
	backend->drain();
	set_pageblocks_movable(job->pageblocks, start, end);
	return nr_written(job, start, end);
}
