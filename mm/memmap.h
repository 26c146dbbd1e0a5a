/* SPDX-License-Identifier: BSD-2-Clause */
/* The instances of the ordinary path. */
#ifndef MM_MEMMAP_H
#define MM_MEMMAP_H

#include "mm/variants.h"
#include <pagestamp/memmap.h>

/* The ordinary path for a variant; NULL when it has no instance. Ignores `backend`. */
memmap_builder memmap_base(const struct memmap_variant *variant);

/*
 * The slow path by the piece, for what seeds templates and images: one ordinary page, one
 * zone-device page, one tail of such with its link. NULL when the variant has no instance.
 */
struct memmap_slow_path {
	void (*single)(struct page *page, uint64_t pfn, enum zone_type zone, unsigned nid);
	void (*page)(struct page *page, uint64_t pfn, enum zone_type zone, unsigned nid,
	             const struct dev_pagemap *pgmap);
	void (*tail)(struct page *tail, const struct page *head, uint64_t pfn, enum zone_type zone,
	             unsigned nid, const struct dev_pagemap *pgmap);
};
const struct memmap_slow_path *memmap_slow_path(const struct memmap_variant *variant);

/* The base page of all memmaps of this run, as PAGE_SHIFT is a kernel's: set before any is built.
 */
void memmap_set_page_shift(unsigned page_shift);
extern struct memmap_page {
	uint8_t shift, section_shift;
} memmap_page;

/* Has the flags word room for this node's number, and for this page's section? */
bool page_nid_fits(unsigned nid, const struct memmap_variant *variant);
bool page_section_fits(uint64_t pfn, const struct memmap_variant *variant);

/* trace=page_ref_set: called with the page and its new count; set while no builder runs. */
extern void (*trace_page_ref_set)(const struct page *page, int value);

#endif
