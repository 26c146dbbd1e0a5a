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

/*
 * __init_single_page() is a global function in Linux too, so that no compiler tailors it
 * to its one caller.
 */
#define DEFINE_MEMMAP_BASE(unused, name, ...)                                                      \
	NOINLINE void init_single_page_##name(struct page *page, uint64_t pfn,                     \
	                                      enum zone_type zone, unsigned nid)                   \
	{                                                                                          \
		init_single_page(page, pfn, zone, nid, (struct memmap_variant){__VA_ARGS__});      \
	}                                                                                          \
	static uint64_t base_##name(const struct memmap_job *job,                                  \
	                            const struct copy_backend *backend)                            \
	{                                                                                          \
		(void)backend;                                                                     \
		return memmap_init_zone_device(job, init_single_page_##name,                       \
		                               (struct memmap_variant){__VA_ARGS__});              \
	}

MEMMAP_VARIANTS(DEFINE_MEMMAP_BASE, )

void init_single_page_v64_traced(struct page *page, uint64_t pfn, enum zone_type zone,
                                 unsigned nid);
DEFINE_MEMMAP_BASE(, v64_traced, 64, false, false, 0, true)

#define BASE_ROW(unused, name, ...) {{__VA_ARGS__}, base_##name, init_single_page_##name},

static const struct {
	struct memmap_variant variant;
	memmap_builder build;
	init_single_page_fn init_single;
} instances[] = {MEMMAP_VARIANTS(BASE_ROW, ) BASE_ROW(, v64_traced, 64, false, false, 0, true)};

static const size_t nr_instances = sizeof(instances) / sizeof(instances[0]);

memmap_builder memmap_base(const struct memmap_variant *variant)
{
	for (size_t i = 0; i < nr_instances; i++)
		if (memmap_variant_serves(&instances[i].variant, variant))
			return instances[i].build;
	return NULL;
}

init_single_page_fn memmap_init_single(const struct memmap_variant *variant)
{
	for (size_t i = 0; i < nr_instances; i++)
		if (memmap_variant_serves(&instances[i].variant, variant))
			return instances[i].init_single;
	return NULL;
}

bool page_nid_fits(unsigned nid, const struct memmap_variant *variant)
{
	return nid < 1u << (variant->sparse ? SPARSE_NODES_WIDTH : NODES_WIDTH);
}

bool page_section_fits(uint64_t pfn, const struct memmap_variant *variant)
{
	return !variant->sparse ||
	       pfn >> pfn_section_shift(*variant) < 1ull << (64 - SPARSE_SECTIONS_PGSHIFT);
}
