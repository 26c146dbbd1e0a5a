/* SPDX-License-Identifier: BSD-2-Clause */
/* The instances of the ordinary path. */
#ifndef MM_MEMMAP_H
#define MM_MEMMAP_H

#include "mm/variants.h"
#include <pagestamp/memmap.h>

/* The ordinary path for a variant; NULL when it has no instance. Ignores `backend`. */
memmap_builder memmap_base(const struct memmap_variant *variant);

/* An instance's out-of-line __init_single_page(): one real call a page, as in a kernel. */
typedef void (*init_single_page_fn)(struct page *page, uint64_t pfn, enum zone_type zone,
                                    unsigned nid);
init_single_page_fn memmap_init_single(const struct memmap_variant *variant);

/* The same by name, for walks compiled per variant: init_single_page_v64(), ... */
#define DECLARE_INIT_SINGLE_PAGE(unused, name, ...)                                                \
	void init_single_page_##name(struct page *page, uint64_t pfn, enum zone_type zone,         \
	                             unsigned nid);
MEMMAP_VARIANTS(DECLARE_INIT_SINGLE_PAGE, )

/* Has the flags word room for this node's number, and for this page's section? */
bool page_nid_fits(unsigned nid, const struct memmap_variant *variant);
bool page_section_fits(uint64_t pfn, const struct memmap_variant *variant);

/* trace=page_ref_set: called with the page and its new count; set while no builder runs. */
extern void (*trace_page_ref_set)(const struct page *page, int value);

#endif
