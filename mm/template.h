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

/* `size` is the variant's, a constant once inlined. */
typedef void (*copy_fn)(void *dst, const void *src, size_t size);
typedef void (*drain_fn)(void);

/* The words of a template that depend on the PFN. In the vmemmap model there are none. */
static ALWAYS_INLINE void refresh_template(struct page *template, uint64_t pfn,
                                           const struct memmap_variant v)
{
	if (v.sparse) {
		template->flags &= (1ull << SPARSE_SECTIONS_PGSHIFT) - 1;
		template->flags |= (pfn >> memmap_page.section_shift) << SPARSE_SECTIONS_PGSHIFT;
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
	copy(page, template, v.size);
}

/* The address of a template as the compiler must see it: memory that any store may change. */
static ALWAYS_INLINE struct page *template_in_memory(void *template)
{
	__asm__("" : "+r"(template) : : "memory");
	return template;
}

static ALWAYS_INLINE void memmap_init_compound_from_template(const struct memmap_job *job,
                                                             struct page *head, uint64_t head_pfn,
                                                             uint64_t nr_pages,
                                                             const struct memmap_slow_path *slow,
                                                             copy_fn copy, drain_fn drain,
                                                             const struct memmap_variant v)
{
	uint64_t tail_template[MAX_DESCRIPTOR_WORDS] __attribute__((aligned(64)));
	struct page *template = template_in_memory(tail_template);
	struct page *tail1 = page_at(head, 1, v);

	head->flags |= 1ull << PG_head;
	slow->tail(tail1, head, head_pfn + 1, job->zone, job->nid, job->pgmap);
	__builtin_memcpy(template, tail1, v.size);
	for (uint64_t i = 2; i < nr_pages; i++)
		memmap_init_page_from_template(page_at(head, i, v), head_pfn + i, template, copy,
		                               v);
	drain();
	prep_compound_head(tail1, job->pgmap->vmemmap_shift);
}

/* memmap_init_zone_device() by template: three drains, each where the contract needs it. */
static ALWAYS_INLINE uint64_t memmap_template_zone_device(const struct memmap_job *job,
                                                          copy_fn copy, drain_fn drain,
                                                          const struct memmap_variant v)
{
	const struct dev_pagemap *pgmap = job->pgmap;
	const uint64_t pfns_per_compound = 1ull << pgmap->vmemmap_shift;
	const uint64_t nr_pages = compound_nr_pages(job);
	const uintptr_t vmemmap = vmemmap_of(job, v);
	uint64_t head_template[MAX_DESCRIPTOR_WORDS] __attribute__((aligned(64)));
	struct page *template = template_in_memory(head_template);
	const struct memmap_slow_path *slow = memmap_slow_path(job->variant);
	uint64_t start, end;
	struct page *page;

	if (!memmap_job_clip(job, &start, &end))
		return 0;

	/* The first real descriptor, before it is made a head, is the template. */
	page = pfn_to_page(vmemmap, start, v);
	slow->page(page, start, job->zone, job->nid, pgmap);
	__builtin_memcpy(template, page, v.size);

	for (uint64_t pfn = start; pfn < end; pfn += pfns_per_compound) {
		page = pfn_to_page(vmemmap, pfn, v);
		if (pfn != start)
			memmap_init_page_from_template(page, pfn, template, copy, v);
		if (pfns_per_compound == 1)
			continue;
		drain();
		memmap_init_compound_from_template(job, page, pfn, nr_pages, slow, copy, drain, v);
	}
	drain();
	set_pageblocks_movable(job->pageblocks, start, end);
	return nr_written(job, start, end);
}

/* One compiled walk of a copy, and its row in the backend's list. */
#define DEFINE_TEMPLATE(id, name, ...)                                                             \
	static uint64_t template_##id##_##name(const struct memmap_job *job,                       \
	                                       const struct copy_backend *backend)                 \
	{                                                                                          \
		(void)backend;                                                                     \
		return memmap_template_zone_device(job, walk_copy_##id, drain_##id,                \
		                                   (struct memmap_variant){__VA_ARGS__});          \
	}
#define TEMPLATE_ROW(id, name, ...) {{__VA_ARGS__}, template_##id##_##name},

#define DEFINE_COPY_BACKEND_ROW(id, VARIANTS, ...)                                                 \
	VARIANTS(DEFINE_TEMPLATE, id)                                                              \
	static const struct template_instance templates_##id[] = {VARIANTS(TEMPLATE_ROW, id)};     \
	const struct copy_backend copy_backend_##id = {.copy = copy_##id,                          \
	                                               .stamp = stamp_##id,                        \
	                                               .drain = drain_##id,                        \
	                                               .templates = templates_##id,                \
	                                               .nr_templates = sizeof(templates_##id) /    \
	                                                               sizeof(templates_##id[0]),  \
	                                               __VA_ARGS__}

/*
 * A backend for 64-byte descriptors, from static functions copy_<id>, stamp_<id> and
 * drain_<id>, with the contracts of struct copy_backend; further fields follow.
 */
#define DEFINE_COPY_BACKEND(id, ...)                                                               \
	static ALWAYS_INLINE void walk_copy_##id(void *dst, const void *src, size_t size)          \
	{                                                                                          \
		(void)size;                                                                        \
		copy_##id(dst, src);                                                               \
	}                                                                                          \
	DEFINE_COPY_BACKEND_ROW(id, MEMMAP_VARIANTS_COMMON, __VA_ARGS__)

/*
 * One for every descriptor size: walk_copy_<id>(dst, src, size) and stamp_sized_<id> are
 * there as well.
 */
#define DEFINE_COPY_BACKEND_OF_EVERY_SIZE(id, ...)                                                 \
	DEFINE_COPY_BACKEND_ROW(id, MEMMAP_VARIANTS_TEMPLATE, .stamp_sized = stamp_sized_##id,     \
	                        __VA_ARGS__)

#endif
