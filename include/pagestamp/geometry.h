/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which descriptors an experiment builds, and where they stand.
 *
 *   range  |<- lost_head ->|<------------- whole compounds ------------->|<- lost_tail ->|
 *   map=mem                 ^ start_pfn, nr_pages; descriptors in RAM
 *   map=dev  | 8K | 2M: descriptors | dataoff: data pages ...            |
 *
 * Sources of the rules: Linux nd_pfn_init() (dataoff, altmap), ndctl.
 */
#ifndef PAGESTAMP_GEOMETRY_H
#define PAGESTAMP_GEOMETRY_H

#include <pagestamp/options.h>
#include <pagestamp/range.h>

#define DESCRIPTOR_AREA (2ull << 20) /* device offset of the descriptor of device page 0 */

struct geometry {
	unsigned order;                  /* of a compound in base pages: 0, 9 or 18 with 4 KiB */
	uint64_t align;                  /* bytes of a compound */
	uint64_t base_pfn;               /* first page that has a descriptor slot */
	uint64_t start_pfn;              /* first page whose descriptor is built */
	uint64_t nr_pages;               /* pages whose descriptors are built; 0 = nothing fits */
	uint64_t dataoff;                /* map=dev: bytes, else 0 */
	uint64_t store_begin, store_end; /* map=dev: device offsets the descriptors occupy */
	uint64_t lost_head, lost_tail;   /* bytes */
};

/* Of a compound, in base pages of 1 << page_shift. */
unsigned experiment_order(enum experiment_id experiment, unsigned page_shift);

/*
 * `variant` gives the base page and the descriptor's size.
 * map=mem: the whole range from its start, both ends cut to whole compounds.
 * map=dev: the data pages from dataoff on. `keep_namespace` takes dataoff and the size
 * from range->ns; otherwise dataoff is ALIGN(8 KiB + size x pages of the range, max(align,
 * 2 MiB)), where, as in nd_pfn_init(), the address of the data is what is aligned. Pages
 * whose descriptors would not stand below dataoff are lost at the tail.
 * Returns false (with nr_pages 0, and all of the range lost_head) when not one compound fits.
 */
bool geometry_for(const struct pmem_range *range, enum experiment_id experiment,
                  const struct memmap_variant *variant, bool map_dev, bool keep_namespace,
                  struct geometry *out);

/*
 * Does the range hold a namespace that a kernel of this variant would bind for this
 * experiment with map=dev? Namespaces are made for 4 KiB pages and 64-byte descriptors.
 */
bool namespace_matches(const struct pmem_range *range, enum experiment_id experiment,
                       const struct memmap_variant *variant);

#endif
