/* SPDX-License-Identifier: BSD-2-Clause */
/* The template path's gates, and the copy that every architecture has: plain C. */
#include "mm/template.h"
#include "mm/copy_plain.h"
#include "mm/stamp_sized.h"
#include <string.h>

const char *template_refused(const struct template_gates *gates)
{
	if (gates->trace_page_ref_set)
		return "the page_ref_set trace event is on and must see every reference-count "
		       "write";
	if (gates->instrumented_stores)
		return "stores are instrumented and must not be bypassed";
	return NULL;
}

static void init_compound(const struct memmap_job *job, const struct copy_backend *backend,
                          template_loop loop, struct page *head, uint64_t head_pfn)
{
	const struct memmap_variant v = *job->variant;
	uint64_t template[MAX_DESCRIPTOR_WORDS] __attribute__((aligned(64)));
	struct page *tail1 = page_at(head, 1, v);

	head->flags |= 1ull << PG_head;
	memmap_slow_path(&v)->tail(tail1, head, head_pfn + 1, job->zone, job->nid, job->pgmap);
	memcpy(template, tail1, v.size);
	loop(page_at(head, 2, v), head_pfn + 2, (struct page *)template,
	     compound_nr_pages(job) - 2);
	backend->drain();
	prep_compound_head(tail1, job->pgmap->vmemmap_shift);
}

uint64_t memmap_template(const struct memmap_job *job, const struct copy_backend *backend)
{
	const struct memmap_variant v = *job->variant;
	const template_loop loop = copy_backend_template(backend, &v)->loop;
	const uint64_t pfns_per_compound = 1ull << job->pgmap->vmemmap_shift;
	uint64_t template[MAX_DESCRIPTOR_WORDS] __attribute__((aligned(64)));
	uint64_t start, end;
	struct page *first;

	if (!memmap_job_clip(job, &start, &end))
		return 0;

	/* The first real descriptor, before it is made a head, is the template. */
	first = pfn_to_page(vmemmap_of(job, v), start, v);
	memmap_slow_path(&v)->page(first, start, job->zone, job->nid, job->pgmap);
	memcpy(template, first, v.size);

	if (pfns_per_compound == 1) {
		loop(page_at(first, 1, v), start + 1, (struct page *)template, end - start - 1);
	} else {
		for (uint64_t pfn = start; pfn < end; pfn += pfns_per_compound) {
			struct page *head = page_at(first, pfn - start, v);

			if (pfn != start)
				loop(head, pfn, (struct page *)template, 1);
			backend->drain();
			init_compound(job, backend, loop, head, pfn);
		}
	}
	backend->drain();
	set_pageblocks_movable(job->pageblocks, start, end);
	return nr_written(job, start, end);
}

static ALWAYS_INLINE void copy_plain(void *dst, const void *src)
{
	__builtin_memcpy(dst, src, sizeof(struct page));
}

static ALWAYS_INLINE void walk_copy_plain(void *dst, const void *src, size_t size)
{
	__builtin_memcpy(dst, src, size);
}

static ALWAYS_INLINE void store_words_plain(uint64_t *to, const uint64_t *word, unsigned words)
{
#pragma GCC unroll 12
	for (unsigned w = 0; w < words; w++)
		to[w] = word[w];
}

DEFINE_STAMP_SIZED(plain)

static void stamp_plain(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_words(dst, image, delta, 8, n, store_words_plain);
}

static ALWAYS_INLINE void drain_plain(void)
{
}

DEFINE_COPY_BACKEND_OF_EVERY_SIZE(plain, .name = "plain", .instruction = "mov (compiled C)",
                                  .block_bytes = 8);
