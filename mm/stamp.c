/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/stamper.h"
#include "mm/stamp.h"
#include "mm/template.h"

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

struct stamper stamper_of(const struct memmap_job *job, const struct copy_backend *backend)
{
	struct stamper s = {.job = job, .backend = backend};

	/* The linear address advances by a page from one descriptor to the next. */
	if (job->variant->size > 8 * PAGE_VIRTUAL_WORD) {
		s.has_delta = true;
		s.delta[PAGE_VIRTUAL_WORD] = 1ull << job->variant->page_shift;
	}
	return s;
}

void stamper_self_list(struct stamper *s)
{
	s->self_list = s->has_delta = true;
	s->delta[1] = s->delta[2] = s->job->variant->size;
}

void stamp_pages(const struct stamper *s, union image *image, uint64_t pfn, uint64_t n)
{
	const uint64_t *const delta = s->has_delta ? s->delta : NULL;
	const struct memmap_variant v = *s->job->variant;
	const uintptr_t vmemmap = vmemmap_of(s->job, v);
	const uint64_t section = 1ull << memmap_page.section_shift;

	while (n) {
		struct page *page = pfn_to_page(vmemmap, pfn, v);
		uint64_t run = n;

		if (v.sparse && section - (pfn & (section - 1)) < run)
			run = section - (pfn & (section - 1));
		refresh_template(&image->page, pfn, v);
		if (s->self_list)
			image->page.lru_next = image->page.lru_prev = self_list_of(page);
		if (v.size == sizeof(struct page))
			s->backend->stamp(page, image->word, delta, run);
		else
			s->backend->stamp_sized(page, image->word, delta, v.size, run);
		pfn += run;
		n -= run;
	}
}

uint64_t memmap_stamp(const struct memmap_job *job, const struct copy_backend *backend)
{
	const unsigned order = job->pgmap->vmemmap_shift;
	const uint64_t nr_pages = compound_nr_pages(job);
	const struct memmap_variant v = *job->variant;
	const struct stamper stamper = stamper_of(job, backend);
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

uint64_t memmap_stamp_down(const struct memmap_job *job, const struct copy_backend *backend)
{
	const struct memmap_variant v = *job->variant;
	const uint64_t compound = 1ull << job->pgmap->vmemmap_shift;
	const uint64_t nr_pages = compound_nr_pages(job);
	struct compound_images image;
	uint64_t start, end;

	if (!memmap_job_clip(job, &start, &end))
		return 0;
	prepare_images(job, &image);
	if (compound == 1) {
		backend->stamp_down(pfn_to_page(vmemmap_of(job, v), start, v), image.head.word,
		                    end - start);
	} else {
		for (uint64_t pfn = end; pfn > start; pfn -= compound) {
			struct page *head = pfn_to_page(vmemmap_of(job, v), pfn - compound, v);

			set_compound_head(&image.tail1.page, head, job->pgmap->vmemmap_shift, v);
			set_compound_head(&image.tail.page, head, job->pgmap->vmemmap_shift, v);
			backend->stamp_down(head + 2, image.tail.word, nr_pages - 2);
			backend->stamp_down(head + 1, image.tail1.word, 1);
			backend->stamp_down(head, image.head.word, 1);
		}
	}
	backend->drain();
	set_pageblocks_movable(job->pageblocks, start, end);
	return nr_written(job, start, end);
}
