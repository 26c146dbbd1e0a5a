/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_MEMMAP_OPEN_H
#define BENCH_MEMMAP_OPEN_H

#include "bench/plan.h"
#include "bench/timed.h"
#include "mm/vmemmap.h"

/* A group's memmap, backed and mapped: what its cells build. */
struct open_memmap {
	struct arena arena;
	struct vmemmap vmemmap;
	struct backing backing;
	uint64_t remap_ticks; /* HVO: views put in place of the vmemmap pages behind the first */
};

/*
 * False with a failure in the results: too little RAM, no memory for tables. With hugetlb
 * and HVO the views are put in place, huge page by huge page; where that fails (or
 * hvo_fail= wants it to) the page keeps its own vmemmap, and group->pool counts both.
 * `name` is for messages. memmap_close() in any case.
 */
bool memmap_open(struct results *results, const struct plan *plan, const struct group *group,
                 const char *name, struct open_memmap *out);
void memmap_close(struct open_memmap *memmap);

#endif
