/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The template path of the series, as ALWAYS_INLINE functions: a copy backend
 * instantiates the walk with its own copy and drain inlined, because an indirect
 * call a page would cost as much as the copy.
 */
#ifndef MM_TEMPLATE_H
#define MM_TEMPLATE_H

#include "mm/memmap_walk.h"
#include <pagestamp/copy.h>

/*
 * The gates: both must be open for a template to be used. Every reference-count
 * write must be seen by an enabled page_ref_set trace event; instrumented stores
 * (as under KASAN) must not be bypassed. Returns NULL, or why the slow path is taken.
 */
struct template_gates {
	bool trace_page_ref_set;
	bool instrumented_stores;
};
const char *template_refused(const struct template_gates *gates);

typedef void (*copy_fn)(void *dst, const void *src);
typedef void (*drain_fn)(void);

/* The words of a template that depend on the PFN. In the vmemmap model there are none. */
static ALWAYS_INLINE void refresh_template(struct page *template, uint64_t pfn,
                                           const struct memmap_variant v)
{
	if (v.sparse) {
		template->flags &= (1ull << SPARSE_SECTIONS_PGSHIFT) - 1;
		template->flags |= (pfn >> PFN_SECTION_SHIFT) << SPARSE_SECTIONS_PGSHIFT;
	}
	set_page_address(template, pfn, v);
}

/*
 * The one helper that zone-device heads, zone-device tails and HugeTLB tails share:
 * refresh in the template, then one whole copy. The destination is never patched.
 */
static ALWAYS_INLINE void memmap_init_page_from_template(struct page *page, uint64_t pfn,
                                                         struct page *template, copy_fn copy,
                                                         const struct memmap_variant v)
{
	refresh_template(template, pfn, v);
	copy(page, template);
}

/* The address of a template as the compiler must see it: memory that any store may change. */
static ALWAYS_INLINE struct page *template_in_memory(struct page *template)
{
	__asm__("" : "+r"(template) : : "memory");
	return template;
}

static ALWAYS_INLINE void memmap_init_compound_from_template(const struct memmap_job *job,
                                                             struct page *head, uint64_t head_pfn,
                                                             uint64_t nr_pages,
                                                             init_single_page_fn init_single,
                                                             copy_fn copy, drain_fn drain,
                                                             const struct memmap_variant v)
{
	struct page tail_template __attribute__((aligned(64)));
	struct page *template = template_in_memory(&tail_template);
	struct page *tail1 = page_at(head, 1, v);

	head->flags |= 1ull << PG_head;
	init_zone_device_tail(tail1, head, head_pfn + 1, job->zone, job->nid, job->pgmap,
	                      init_single, v);
	__builtin_memcpy(template, tail1, v.size);
	for (uint64_t i = 2; i < nr_pages; i++)
		memmap_init_page_from_template(page_at(head, i, v), head_pfn + i, template, copy,
		                               v);
	drain();
	prep_compound_head(tail1, job->pgmap->vmemmap_shift);
}

/* memmap_init_zone_device() by template: three drains, each where the contract needs it. */
static ALWAYS_INLINE uint64_t memmap_template_zone_device(const struct memmap_job *job,
                                                          init_single_page_fn init_single,
                                                          copy_fn copy, drain_fn drain,
                                                          const struct memmap_variant v)
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const uint64_t pfns_per_compound = 1ull << pgmap->vmemmap_shift;
	const uint64_t nr_written = compound_nr_pages(pgmap, v.size);
	struct page head_template __attribute__((aligned(64)));
	struct page *template = template_in_memory(&head_template);
	uint64_t start, end, written = 0;
	struct page *page;

	if (!memmap_job_clip(job, &start, &end))
		return 0;

	/* The first real descriptor, before it is made a head, is the template. */
	page = pfn_to_page(job, start, v);
	init_zone_device_page(page, start, job->zone, job->nid, pgmap, init_single, v);
	__builtin_memcpy(template, page, v.size);

	for (uint64_t pfn = start; pfn < end; pfn += pfns_per_compound) {
		page = pfn_to_page(job, pfn, v);
		if (pfn != start)
			memmap_init_page_from_template(page, pfn, template, copy, v);
		if (pfns_per_compound == 1) {
			written++;
			continue;
		}
		drain();
		memmap_init_compound_from_template(job, page, pfn, nr_written, init_single, copy,
		                                   drain, v);
		written += nr_written;
	}
	drain();
	set_pageblocks_movable(job->pageblocks, start, end);
	return written;
}

/*
 * One backend from its three parts, which must be static functions named copy_<id>,
 * stamp_<id> and drain_<id>; missing_<id> may be NULL.
 */
#define DEFINE_COPY_BACKEND(id, ...)                                                               \
	static NOINLINE void init_single_page_##id(struct page *page, uint64_t pfn,                \
	                                           enum zone_type zone, unsigned nid)              \
	{                                                                                          \
		init_single_page(page, pfn, zone, nid, (struct memmap_variant){.size = 64});       \
	}                                                                                          \
	static uint64_t template_##id(const struct memmap_job *job,                                \
	                              const struct copy_backend *backend)                          \
	{                                                                                          \
		(void)backend;                                                                     \
		return memmap_template_zone_device(job, init_single_page_##id, copy_##id,          \
		                                   drain_##id,                                     \
		                                   (struct memmap_variant){.size = 64});           \
	}                                                                                          \
	const struct copy_backend copy_backend_##id = {.copy = copy_##id,                          \
	                                               .stamp = stamp_##id,                        \
	                                               .drain = drain_##id,                        \
	                                               .template_builder = template_##id,          \
	                                               __VA_ARGS__}

#endif
