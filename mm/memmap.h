/* SPDX-License-Identifier: BSD-2-Clause */
/* The instances of the ordinary path. All are memmap_builders and ignore `backend`. */
#ifndef MM_MEMMAP_H
#define MM_MEMMAP_H

#include <pagestamp/memmap.h>

/* 64-byte descriptors, vmemmap model, pointer tails. */
uint64_t memmap_base(const struct memmap_job *job, const struct copy_backend *backend);
/* The same with every reference-count write reported to trace_page_ref_set. */
uint64_t memmap_base_traced(const struct memmap_job *job, const struct copy_backend *backend);

/* Has the flags word room for this node's number? */
bool page_nid_fits(unsigned nid);

/* trace=page_ref_set: called with the page and its new count; set while no builder runs. */
extern void (*trace_page_ref_set)(const struct page *page, int value);

#endif
