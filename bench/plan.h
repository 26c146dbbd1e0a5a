/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From options and ranges to what will be measured. Everything that cannot run is
 * in results->skipped with its reason before the first figure is taken.
 */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "bench/timed.h"
#include <pagestamp/consent.h>
#include <pagestamp/result.h>

/* Cells that share one memmap and are therefore measured side by side. */
struct group {
	enum experiment_id experiment;
	const struct pmem_range *range;
	bool map_dev, optimised;
	struct geometry geometry;
	struct segment *segment; /* of the memmap; the plan's */
	size_t nr_segments;
	uint64_t stored;             /* descriptors a compound */
	struct hugepage_share *pool; /* hugetlb alone */
	struct consented *device;    /* only with map_dev: the right to write there */
	struct cell *cell;
	size_t nr_cells;
	unsigned dest_offset; /* dest_offset= */
	bool first_on_device; /* no earlier group of this plan writes the same device */
};

/* A huge page pool whose vmemmap is optimised once it is built. */
static inline bool group_has_hvo(const struct group *group)
{
	return group->experiment == EXP_HUGETLB && group->optimised;
}

struct plan {
	struct memmap_variant variant;
	struct pmem_range **named; /* what groups call a range that is none: a pool, a node */
	size_t nr_named;
	struct group *group;
	size_t nr_groups;
};

/*
 * Reads results->options and results->ranges, adds to results->skipped and, where an
 * option demands what cannot be done, to the failures. False = out of memory.
 * The cells live as long as the plan; results point at them.
 */
bool plan_make(struct results *results, struct plan *out);
/* Ranges that range= leaves out, or that are used only when it names them: skipped. */
void plan_skip_unwanted_ranges(struct results *results);

void plan_free(struct plan *plan);

/* One line of a dry run: the bytes of the range that the group would write, or "nothing". */
void group_describe(const struct group *group, char *out, size_t size);

#endif
