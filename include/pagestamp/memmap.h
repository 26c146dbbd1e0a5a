/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memmap: one descriptor (struct page) per base page, and what a builder is.
 * Names are Linux's. The words are those of Linux 6.12 on the same architecture,
 * with the reference-count policy of 7.x (docs/design.md, "The descriptor").
 */
#ifndef PAGESTAMP_MEMMAP_H
#define PAGESTAMP_MEMMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Linux: struct page, 64-byte configuration, as the paths here use it. */
struct page {
	uint64_t flags;
	union {
		struct { /* ordinary: a self-pointing list head until somebody queues the page */
			uint64_t lru_next, lru_prev;
		};
		struct { /* ZONE_DEVICE head */
			uint64_t pgmap, zone_device_data;
		};
		uint64_t compound_head; /* tail: the head's address, bit 0 set */
	};
	uint64_t mapping;
	uint64_t index;
	uint64_t private_data;
	int32_t mapcount; /* Linux: _mapcount, -1 = unmapped */
	int32_t refcount; /* Linux: _refcount */
	uint64_t memcg_data;
};

_Static_assert(sizeof(struct page) == 64, "one cache line");

#define MAX_DESCRIPTOR_WORDS 12 /* of 96 bytes, the largest in the field */

enum zone_type { ZONE_DMA, ZONE_DMA32, ZONE_NORMAL, ZONE_MOVABLE, ZONE_DEVICE };

/* Linux: enum memory_type, of a dev_pagemap. */
enum memory_type {
	MEMORY_DEVICE_PRIVATE = 1,
	MEMORY_DEVICE_COHERENT,
	MEMORY_DEVICE_FS_DAX,
	MEMORY_DEVICE_GENERIC,
	MEMORY_DEVICE_PCI_P2PDMA,
};

/* Linux: struct vmem_altmap: descriptors live on the device itself. */
struct vmem_altmap {
	uint64_t base_pfn; /* first page of the device */
	uint64_t reserve;  /* pages before the descriptors */
	uint64_t free;     /* pages set aside for the descriptors */
};

struct dev_pagemap {
	enum memory_type type;
	unsigned vmemmap_shift; /* order of a compound; 0 for fsdax */
	bool has_altmap;
	struct vmem_altmap altmap;
	/* Linux: vmemmap_can_optimize(): only the reserved descriptors are written. */
	bool optimised;
};

/*
 * What a memmap's descriptors look like. Builders are compiled once per variant
 * (mm/variants.h), so that no per-page loop asks which one it is.
 */
struct memmap_variant {
	unsigned size;       /* bytes of a descriptor: 56, 64, 72, 80, 88, 96 */
	bool sparse;         /* model=sparse: section number in the flags */
	bool mask;           /* tail=mask: tails hold an order mask, not the head's address */
	unsigned page_shift; /* base page: 12, 14, 16 */
	bool trace_page_ref; /* every reference-count write goes through the hook */
};

/* Pageblocks: 4 migratetype bits per 2 MiB (Linux: pageblock_flags). */
struct pageblock_map {
	uint8_t *bits;      /* two pageblocks a byte; NULL = do not keep any */
	uint64_t start_pfn; /* of the first pageblock */
	uint64_t nr;        /* pageblocks */
	unsigned order;     /* of a pageblock, in base pages: 2 MiB */
};

/*
 * What one builder call fills: [start_pfn, start_pfn + nr_pages), whole compounds.
 * The descriptor of pfn stands at memmap + (pfn - first_pfn) * variant->size; `variant`
 * must be the one that the builder was made for.
 */
struct memmap_job {
	const struct memmap_variant *variant;
	void *memmap;
	uint64_t first_pfn;
	uint64_t start_pfn, nr_pages;
	unsigned order;  /* of a compound; 0 = none */
	uint64_t stored; /* descriptors a builder stores per compound */
	uint64_t from;   /* huge pages: so many of them are there already; else 0 */
	enum zone_type zone;
	unsigned nid;
	const struct dev_pagemap *pgmap; /* zone device alone, else NULL */
	struct pageblock_map *pageblocks;
};

/*
 * A builder fills the job's descriptors, drains included, and returns how many it
 * stored. It knows nothing of time. An empty job returns 0 and touches nothing.
 * `backend` is for the builders that call through the table (stamp); others ignore it.
 */
struct copy_backend;
typedef uint64_t (*memmap_builder)(const struct memmap_job *job,
                                   const struct copy_backend *backend);

#endif
