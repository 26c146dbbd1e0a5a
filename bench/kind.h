/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the memmaps of the experiments differ in: who builds them, and which words must
 * then be there.
 */
#ifndef BENCH_KIND_H
#define BENCH_KIND_H

#include <pagestamp/copy.h>
#include <pagestamp/options.h>

struct oracle;

struct memmap_kind {
	enum zone_type zone;
	memmap_builder (*base)(const struct memmap_variant *variant);
	memmap_builder template, stamp, stamp_down; /* stamp_down NULL: none */
	/* The words of real Linux for page `pfn`, the index-th of the compound at `head`. */
	void (*words)(const struct memmap_job *job, const void *head, uint64_t pfn, uint64_t index,
	              uint64_t word[MAX_DESCRIPTOR_WORDS]);
	/* A word of all tails but the first two that holds nothing: copies leave another's. -1:
	 * none */
	int dead_word;
	/*
	 * What becomes of the pages once they are built, as far as it is proved; false with the
	 * difference in `oracle`. NULL: nothing.
	 */
	bool (*finish)(struct oracle *oracle, const struct memmap_job *chunk);
	bool views_head; /* what an optimised vmemmap shows again is the compound's first page */
};

const struct memmap_kind *memmap_kind_of(enum experiment_id experiment);

/* The builder of a method with a copy; NULL when no such instance is compiled. */
memmap_builder kind_builder(const struct memmap_kind *kind, enum method_id method,
                            const struct copy_backend *backend,
                            const struct memmap_variant *variant);

#endif
