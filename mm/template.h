/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The template path of the series. The walk is ordinary code (mm/template.c); its loop is
 * an ALWAYS_INLINE function that a copy backend instantiates with its own copy inlined,
 * because an indirect call a page would cost as much as the copy.
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
                                                         const bool listed,
                                                         const struct memmap_variant v)
{
	refresh_template(template, pfn, v);
	if (listed)
		template->lru_next = template->lru_prev = self_list_of(page);
	copy(page, template, v.size);
}

/* The address of a template as the compiler must see it: memory that any store may change. */
static ALWAYS_INLINE struct page *template_in_memory(void *template)
{
	__asm__("" : "+r"(template) : : "memory");
	return template;
}

/* The n descriptors from `page` on, that of `pfn`. */
static ALWAYS_INLINE void memmap_init_pages_from_template(struct page *page, uint64_t pfn,
                                                          struct page *template, uint64_t n,
                                                          copy_fn copy, const bool listed,
                                                          const struct memmap_variant v)
{
	struct page *const end = page_at(page, n, v);

	template = template_in_memory(template);
	for (; page != end; page = page_at(page, 1, v), pfn++)
		memmap_init_page_from_template(page, pfn, template, copy, listed, v);
}

/*
 * A memmap_builder: memmap_init_zone_device() by template, with the backend's loop for the
 * job's variant, which must exist (copy_backend_template()). Three drains, each where the
 * contract needs it.
 */
uint64_t memmap_template(const struct memmap_job *job, const struct copy_backend *backend);

/* One compiled loop of a copy, and its row in the backend's list. */
#define DEFINE_TEMPLATE(id, name, ...)                                                             \
	static void template_##id##_##name(struct page *page, uint64_t pfn, struct page *template, \
	                                   uint64_t n)                                             \
	{                                                                                          \
		memmap_init_pages_from_template(page, pfn, template, n, walk_copy_##id, false,     \
		                                (struct memmap_variant){__VA_ARGS__});             \
	}                                                                                          \
	static void listed_##id##_##name(struct page *page, uint64_t pfn, struct page *template,   \
	                                 uint64_t n)                                               \
	{                                                                                          \
		memmap_init_pages_from_template(page, pfn, template, n, walk_copy_##id, true,      \
		                                (struct memmap_variant){__VA_ARGS__});             \
	}
#define TEMPLATE_ROW(id, name, ...) {{__VA_ARGS__}, template_##id##_##name, listed_##id##_##name},

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
