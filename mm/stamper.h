/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of one image, for the builders that stamp. */
#ifndef MM_STAMPER_H
#define MM_STAMPER_H

#include "mm/page.h"
#include <pagestamp/copy.h>

/* One descriptor as the words that a stamp holds in registers. */
union image {
	struct page page;
	uint64_t word[MAX_DESCRIPTOR_WORDS];
};

struct stamper {
	const struct memmap_job *job;
	const struct copy_backend *backend;
	bool self_list; /* the list head points to itself: ordinary pages */
	bool has_delta;
	uint64_t delta[MAX_DESCRIPTOR_WORDS]; /* per word, from one descriptor to the next */
};

/* With the deltas that the job's variant has by itself. */
struct stamper stamper_of(const struct memmap_job *job, const struct copy_backend *backend);

/* From now on each descriptor's list head points to itself, by an add in registers. */
void stamper_self_list(struct stamper *s);

/*
 * The n descriptors from that of pfn on, in runs cut where a PFN-dependent word changes by
 * more than a delta: at section boundaries. It changes in the image, before registers take
 * it. The caller drains.
 */
void stamp_pages(const struct stamper *s, union image *image, uint64_t pfn, uint64_t n);

#endif
