/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a memmap's descriptors live: their mapping in the quiet window, over RAM
 * (map=mem), over RAM with each compound's tail pages aliased (the optimised
 * vmemmap), or over the device itself (map=dev).
 */
#ifndef MM_VMEMMAP_H
#define MM_VMEMMAP_H

#include <pagestamp/consent.h>
#include <pagestamp/geometry.h>
#include <pagestamp/memmap.h>
#include <pagestamp/window.h>

struct vmemmap {
	void *memmap;           /* descriptor of geometry.start_pfn */
	uintptr_t va;           /* of the mapping */
	uint64_t size;          /* bytes of address space mapped */
	uint64_t backed;        /* bytes of memory behind it */
	uint64_t aliased_pages; /* read-only views of a compound's second page */
};

/* Bytes of descriptors a compound really stores: two pages when optimised. */
uint64_t vmemmap_stored_bytes(const struct geometry *geometry, const struct memmap_variant *variant,
                              bool optimised);

/*
 * Linux: vmemmap_can_optimize() and its callers' conditions: no altmap, a power-of-two
 * descriptor, a compound larger than the two reserved pages.
 */
bool vmemmap_can_optimise(const struct geometry *geometry, const struct memmap_variant *variant,
                          bool map_dev);

/* What window_mapping_limit() counts, of an optimised memmap. */
uint64_t vmemmap_mappings(const struct geometry *geometry, const struct memmap_variant *variant);

/*
 * Maps the memmap at window_base(). False: no memory for page tables, or the window
 * is smaller than the memmap; nothing stays mapped then. `backing` must hold
 * vmemmap_stored_bytes() for every compound, and `dest_offset` bytes more: so far behind
 * a line's begin the first descriptor stands (0 when optimised).
 */
bool vmemmap_populate(struct vmemmap *out, const struct geometry *geometry,
                      const struct memmap_variant *variant, bool optimised, unsigned dest_offset,
                      const struct backing *backing);
bool vmemmap_populate_device(struct vmemmap *out, const struct geometry *geometry,
                             const struct consented *device);
void vmemmap_depopulate(struct vmemmap *vmemmap);

#endif
