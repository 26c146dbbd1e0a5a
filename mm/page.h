/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The descriptor's fields and the small setters that the slow path is made of.
 * Private to mm/ and to the copy backends, which instantiate its walks.
 */
#ifndef MM_PAGE_H
#define MM_PAGE_H

#include "mm/memmap.h"
#include <arch/page_flags_layout.h>
#include <pagestamp/compiler.h>
#include <pagestamp/memmap.h>

#define PG_head     6
#define PG_reserved 13

#define TAIL_MAPPING 0xdead000000000400ull

/* Linux: SECTION_SIZE_BITS, 128 MiB; 512 MiB with arm64's 64 KiB pages. */
static inline unsigned pfn_section_shift(unsigned page_shift)
{
	return (page_shift == 16 ? 29 : 27) - page_shift;
}

/* The classic sparse layout: section | node | zone, no last_cpupid. */
#define SPARSE_SECTIONS_PGSHIFT 45
#define SPARSE_NODES_PGSHIFT    35
#define SPARSE_NODES_WIDTH      10
#define SPARSE_ZONES_PGSHIFT    32

/* The hook of trace=page_ref_set (Linux: the page_ref_set trace event). */
extern void (*trace_page_ref_set)(const struct page *page, int value);

static ALWAYS_INLINE struct page *page_at(void *memmap, uint64_t index,
                                          const struct memmap_variant v)
{
	return (struct page *)((char *)memmap + index * v.size);
}

/* Linux's vmemmap: where the descriptor of PFN 0 would stand, were there one. */
static ALWAYS_INLINE uintptr_t vmemmap_of(const struct memmap_job *job,
                                          const struct memmap_variant v)
{
	return (uintptr_t)job->memmap - job->first_pfn * v.size;
}

static ALWAYS_INLINE struct page *pfn_to_page(uintptr_t vmemmap, uint64_t pfn,
                                              const struct memmap_variant v)
{
	return (struct page *)(vmemmap + pfn * v.size);
}

/* Linux: mm_zero_struct_page() */
static ALWAYS_INLINE void zero_struct_page(struct page *page, const struct memmap_variant v)
{
	uint64_t *word = (uint64_t *)page;

#pragma GCC unroll 12
	for (unsigned w = 0; w < v.size / 8; w++)
		word[w] = 0;
}

static ALWAYS_INLINE void set_page_links(struct page *page, enum zone_type zone, unsigned nid,
                                         uint64_t pfn, const struct memmap_variant v)
{
	const unsigned zones = v.sparse ? SPARSE_ZONES_PGSHIFT : ZONES_PGSHIFT;
	const unsigned nodes = v.sparse ? SPARSE_NODES_PGSHIFT : NODES_PGSHIFT;
	const unsigned nodes_width = v.sparse ? SPARSE_NODES_WIDTH : NODES_WIDTH;

	page->flags &= ~(7ull << zones);
	page->flags |= (zone & 7ull) << zones;
	page->flags &= ~(((1ull << nodes_width) - 1) << nodes);
	page->flags |= (uint64_t)nid << nodes;
	if (v.sparse) {
		page->flags &= (1ull << SPARSE_SECTIONS_PGSHIFT) - 1;
		page->flags |= (pfn >> memmap_page.section_shift) << SPARSE_SECTIONS_PGSHIFT;
	}
}

/* Linux: page_cpupid_reset_last(): all ones, "none". */
static ALWAYS_INLINE void page_cpupid_reset_last(struct page *page, const struct memmap_variant v)
{
	if (!v.sparse)
		page->flags |= ((1ull << LAST_CPUPID_WIDTH) - 1) << LAST_CPUPID_PGSHIFT;
}

static ALWAYS_INLINE void set_page_count(struct page *page, int value,
                                         const struct memmap_variant v)
{
	WRITE_ONCE(page->refcount, value);
	if (v.trace_page_ref)
		trace_page_ref_set(page, value);
}

static ALWAYS_INLINE void page_mapcount_reset(struct page *page)
{
	WRITE_ONCE(page->mapcount, -1);
}

static ALWAYS_INLINE uint64_t self_list_of(const struct page *page)
{
	return (uint64_t)(uintptr_t)&page->lru_next;
}

static ALWAYS_INLINE void init_list_head(struct page *page)
{
	uint64_t self = self_list_of(page);

	WRITE_ONCE(page->lru_next, self);
	WRITE_ONCE(page->lru_prev, self);
}

/* The linear address of a page, where the kernel is built with page->virtual (72 bytes up). */
#define PAGE_VIRTUAL_WORD 8
#define PAGE_OFFSET       0xffff888000000000ull

static ALWAYS_INLINE void set_page_address(struct page *page, uint64_t pfn,
                                           const struct memmap_variant v)
{
	if (v.size >= 72)
		((uint64_t *)page)[PAGE_VIRTUAL_WORD] = PAGE_OFFSET + (pfn << memmap_page.shift);
}

static ALWAYS_INLINE void set_compound_head(struct page *tail, const struct page *head,
                                            unsigned order, const struct memmap_variant v)
{
	uint64_t link = (uint64_t)(uintptr_t)head | 1;

	if (v.mask)
		link = ~(((uint64_t)v.size << order) - 1) | 1;
	WRITE_ONCE(tail->compound_head, link);
}

/* What prep_compound_tail() of Linux does to a page. */
static ALWAYS_INLINE void make_compound_tail(struct page *tail, const struct page *head,
                                             unsigned order, const struct memmap_variant v)
{
	tail->mapping = TAIL_MAPPING;
	set_compound_head(tail, head, order, v);
	tail->private_data = 0;
}

/* Linux: prep_compound_tail() */
static ALWAYS_INLINE void prep_compound_tail(struct page *head, uint64_t tail_idx, unsigned order,
                                             const struct memmap_variant v)
{
	make_compound_tail(page_at(head, tail_idx, v), head, order, v);
}

/*
 * Linux: prep_compound_head(). The folio's metadata lies over the first tail: order
 * in the low byte of its flags, the large and entire mapcounts (-1 both), the number
 * of pages mapped and the pin count (0 both), the number of pages.
 */
static ALWAYS_INLINE void prep_compound_head(struct page *tail1, unsigned order)
{
	tail1->flags = (tail1->flags & ~0xffull) | order;
	tail1->lru_prev = ~0ull;
	tail1->mapping = 0;
	tail1->index = 1ull << order;
}

#endif
