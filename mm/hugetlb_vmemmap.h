/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HVO, the HugeTLB vmemmap optimisation (Linux: mm/hugetlb_vmemmap.c): of the base pages
 * that hold a huge page's descriptors only the first stays; the others become read-only
 * views, and their memory is free for something else.
 *
 *   tail=pointer  of the first page itself: its head shows again at the start of each
 *   tail=mask     of one page of tails that all huge pages of the pool share
 */
#ifndef MM_HUGETLB_VMEMMAP_H
#define MM_HUGETLB_VMEMMAP_H

#include "mm/vmemmap.h"

struct hugetlb_vmemmap {
	const struct vmemmap *vmemmap;
	const struct memmap_variant *variant;
	const struct backing *backing;
	uint64_t bytes;   /* of a huge page's descriptors */
	uintptr_t shared; /* tail=mask: where the shared page is mapped */
};

/* Of the shared tail page, behind the descriptors in the backing. */
uint64_t hugetlb_vmemmap_shared_bytes(const struct memmap_variant *variant);

/* The whole memmap, each huge page's first base page mapped by itself. */
bool hugetlb_vmemmap_populate(struct vmemmap *out, const struct geometry *geometry,
                              const struct memmap_variant *variant, const struct backing *backing);

/*
 * Makes the shared tail page, with tail=mask, from `job`'s zone and node. False: no memory
 * for tables, or a fault (in `fault`).
 */
bool hugetlb_vmemmap_init(struct hugetlb_vmemmap *out, const struct vmemmap *vmemmap,
                          const struct geometry *geometry, const struct memmap_variant *variant,
                          const struct backing *backing, const struct memmap_job *job,
                          struct window_fault *fault);

/*
 * Linux: hugetlb_vmemmap_optimize_folio(), of the index-th huge page. False: no memory for
 * page tables, and its descriptors may be unmapped: hugetlb_vmemmap_restore().
 */
bool hugetlb_vmemmap_optimize(const struct hugetlb_vmemmap *hvo, uint64_t index);
/* Linux: hugetlb_vmemmap_restore_folio(): its own memory again, whatever was there. */
bool hugetlb_vmemmap_restore(const struct hugetlb_vmemmap *hvo, uint64_t index);

#endif
