/* SPDX-License-Identifier: BSD-2-Clause */
/* The base: the ordinary path, instantiated. A new variant is one line in mm/variants.h. */
#include "mm/memmap.h"
#include "mm/memmap_walk.h"

static void no_trace(const struct page *page, int value)
{
	(void)page;
	(void)value;
}

void (*trace_page_ref_set)(const struct page *page, int value) = no_trace;

struct memmap_page memmap_page;

void memmap_set_page_shift(unsigned page_shift)
{
	memmap_page.shift = (uint8_t)page_shift;
	memmap_page.section_shift = (uint8_t)pfn_section_shift(page_shift);
}

/*
 * Two calls a page, as in Linux: __init_single_page() is global there, and
 * __init_zone_device_page() has two callers and is too large for a compiler to inline.
 * NOINLINE and global here, so that no compiler tailors them to their callers.
 */
#define DEFINE_MEMMAP_BASE(unused, name, ...)                                                      \
	void init_single_page_##name(struct page *page, uint64_t pfn, enum zone_type zone,         \
	                             unsigned nid);                                                \
	void init_zone_device_page_##name(struct page *page, uint64_t pfn, enum zone_type zone,    \
	                                  unsigned nid, const struct dev_pagemap *pgmap);          \
	NOINLINE void init_single_page_##name(struct page *page, uint64_t pfn,                     \
	                                      enum zone_type zone, unsigned nid)                   \
	{                                                                                          \
		init_single_page(page, pfn, zone, nid, (struct memmap_variant){__VA_ARGS__});      \
	}                                                                                          \
	NOINLINE void init_zone_device_page_##name(struct page *page, uint64_t pfn,                \
	                                           enum zone_type zone, unsigned nid,              \
	                                           const struct dev_pagemap *pgmap)                \
	{                                                                                          \
		init_zone_device_page(page, pfn, zone, nid, pgmap, init_single_page_##name,        \
		                      (struct memmap_variant){__VA_ARGS__});                       \
	}                                                                                          \
	static void init_zone_device_tail_##name(struct page *tail, const struct page *head,       \
	                                         uint64_t pfn, enum zone_type zone, unsigned nid,  \
	                                         const struct dev_pagemap *pgmap)                  \
	{                                                                                          \
		init_zone_device_page_##name(tail, pfn, zone, nid, pgmap);                         \
		make_compound_tail(tail, head, pgmap->vmemmap_shift,                               \
		                   (struct memmap_variant){__VA_ARGS__});                          \
		set_page_count(tail, 0, (struct memmap_variant){__VA_ARGS__});                     \
	}                                                                                          \
	static uint64_t base_##name(const struct memmap_job *job,                                  \
	                            const struct copy_backend *backend)                            \
	{                                                                                          \
		(void)backend;                                                                     \
		return memmap_init_zone_device(job, init_zone_device_page_##name,                  \
		                               (struct memmap_variant){__VA_ARGS__});              \
	}

MEMMAP_VARIANTS(DEFINE_MEMMAP_BASE, )
DEFINE_MEMMAP_BASE(, v64_traced, 64, false, false, 0, true)

#define BASE_ROW(unused, name, ...)                                                                \
	{{__VA_ARGS__},                                                                            \
	 base_##name,                                                                              \
	 {init_single_page_##name, init_zone_device_page_##name, init_zone_device_tail_##name}},

static const struct instance {
	struct memmap_variant variant;
	memmap_builder build;
	struct memmap_slow_path slow;
} instances[] = {MEMMAP_VARIANTS(BASE_ROW, ) BASE_ROW(, v64_traced, 64, false, false, 0, true)};

static const struct instance *find(const struct memmap_variant *variant)
{
	for (size_t i = 0; i < sizeof(instances) / sizeof(instances[0]); i++)
		if (memmap_variant_serves(&instances[i].variant, variant))
			return &instances[i];
	return NULL;
}

memmap_builder memmap_base(const struct memmap_variant *variant)
{
	const struct instance *instance = find(variant);

	return instance ? instance->build : NULL;
}

const struct memmap_slow_path *memmap_slow_path(const struct memmap_variant *variant)
{
	const struct instance *instance = find(variant);

	return instance ? &instance->slow : NULL;
}

bool page_nid_fits(unsigned nid, const struct memmap_variant *variant)
{
	return nid < 1u << (variant->sparse ? SPARSE_NODES_WIDTH : NODES_WIDTH);
}

bool page_section_fits(uint64_t pfn, const struct memmap_variant *variant)
{
	return !variant->sparse || pfn >> pfn_section_shift(variant->page_shift) <
	                                   1ull << (64 - SPARSE_SECTIONS_PGSHIFT);
}
