/* SPDX-License-Identifier: BSD-2-Clause */
/* The base: the ordinary path, instantiated. A new variant is one line here. */
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
#define DEFINE_MEMMAP_BASE(name, ...)                                                              \
	NOINLINE void init_single_page_##name(struct page *page, uint64_t pfn,                     \
	                                      enum zone_type zone, unsigned nid)                   \
	{                                                                                          \
		init_single_page(page, pfn, zone, nid, (struct memmap_variant){__VA_ARGS__});      \
	}                                                                                          \
	uint64_t memmap_##name(const struct memmap_job *job, const struct copy_backend *backend)   \
	{                                                                                          \
		(void)backend;                                                                     \
		return memmap_init_zone_device(job, init_single_page_##name,                       \
		                               (struct memmap_variant){__VA_ARGS__});              \
	}

DEFINE_MEMMAP_BASE(base, .size = 64)
DEFINE_MEMMAP_BASE(base_traced, .size = 64, .trace_page_ref = true)

bool page_nid_fits(unsigned nid)
{
	return nid < 1u << NODES_WIDTH;
}
