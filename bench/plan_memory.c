/* SPDX-License-Identifier: BSD-2-Clause */
/* The groups whose pages are RAM: huge page pools, ordinary memory. */
#include "bench/plan_parts.h"
#include "mm/hugetlb_boot.h"
#include "mm/memmap.h"
#include "mm/vmemmap.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What stands where a device's memmap has its range. */
static struct pmem_range *name_memory(struct plan *plan, uint32_t node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static struct pmem_range *name_memory(struct plan *plan, uint32_t node, const char *format, ...)
{
	struct pmem_range **grown = realloc(plan->named, (plan->nr_named + 1) * sizeof(*grown));
	struct pmem_range *range = grown ? calloc(1, sizeof(*range)) : NULL;
	va_list args;

	if (grown)
		plan->named = grown;
	if (!range)
		return NULL;
	grown[plan->nr_named++] = range;
	range->node = node;
	va_start(args, format);
	vsnprintf(range->id, sizeof(range->id), format, args);
	va_end(args);
	return range;
}

static bool add_segment(struct group *group, uint64_t start_pfn, uint64_t nr_pages, uint64_t stored)
{
	struct segment *grown = realloc(group->segment, (group->nr_segments + 1) * sizeof(*grown));

	if (!grown)
		return false;
	group->segment = grown;
	grown[group->nr_segments++] = (struct segment){start_pfn, nr_pages, stored, 0};
	if (!group->geometry.nr_pages)
		group->geometry.start_pfn = group->geometry.base_pfn = start_pfn;
	group->geometry.nr_pages += nr_pages;
	return true;
}

struct size_name {
	char text[8];
};

/* "64K", "2M", "1G": as on a kernel's command line. */
static struct size_name size_name(uint64_t bytes)
{
	static const char units[] = "BKMGT";
	struct size_name name;
	unsigned unit = 0;

	for (; bytes >= 1024 && unit < 4; bytes /= 1024)
		unit++;
	snprintf(name.text, sizeof(name.text), "%u%c", (unsigned)bytes, units[unit]);
	return name;
}

/* What a process may not map in pieces, nobody has to try. */
static bool too_many_views(const struct plan *plan, const struct group *group)
{
	const uint64_t views =
		((uint64_t)plan->variant.size << group->geometry.order) / WINDOW_PAGE;

	return group_has_hvo(group) &&
	       (views + 2) * (group->geometry.nr_pages >> group->geometry.order) >
	               window_mapping_limit();
}

/* NULL, or why descriptors of these pages cannot be built. */
static const char *does_not_fit(const struct plan *plan, const struct group *group)
{
	const struct segment *last =
		group->nr_segments ? &group->segment[group->nr_segments - 1] : NULL;

	if (!last)
		return "no page of it was got";
	if (!page_nid_fits(group->range->node, &plan->variant))
		return "its node does not fit into the descriptor's flags";
	if (!page_section_fits(last->start_pfn + last->nr_pages - 1, &plan->variant))
		return "its section numbers do not fit into the descriptor's flags";
	if (too_many_views(plan, group))
		return "the kernel allows a process fewer mappings than HVO takes";
	return NULL;
}

/* The group as it stands becomes one of the plan's, or is listed as skipped. */
static bool keep_group(struct plan *plan, struct results *results, struct group *group)
{
	const char *why = does_not_fit(plan, group);

	if (why) {
		free(group->segment);
		return results_skip(results, NULL, why, "%s %s", experiment_name(group->experiment),
		                    group->range->id);
	}
	group->first_on_device = true;
	if (!plan_add_cells(plan, group, results))
		return false;
	plan->nr_groups++;
	return true;
}

static bool add_pool(struct plan *plan, struct results *results, struct hugepage_share *pool)
{
	const unsigned page_shift = plan->variant.page_shift;
	const unsigned order = (unsigned)__builtin_ctzll(pool->page_bytes) - page_shift;
	struct group *group = plan_new_group(plan);

	if (!group)
		return false;
	group->experiment = EXP_HUGETLB;
	group->pool = pool;
	group->geometry = (struct geometry){.order = order, .align = pool->page_bytes};
	group->optimised = results->options->hugetlb_free_vmemmap &&
	                   vmemmap_can_optimise(&group->geometry, &plan->variant, false);
	group->stored =
		group->optimised ? hugetlb_reserved_pages(&plan->variant, order) : 1ull << order;
	group->range = name_memory(plan, pool->node, "%s-node%u", size_name(pool->page_bytes).text,
	                           (unsigned)pool->node);
	if (!group->range)
		return false;
	for (size_t i = 0; i < pool->nr_extents; i++)
		if (!add_segment(group, pool->extent[i].base >> page_shift,
		                 pool->extent[i].pages << order, group->stored))
			return false;
	return keep_group(plan, results, group);
}

static bool add_pools(struct plan *plan, struct results *results)
{
	if (!results->pools.nr)
		return results_skip(results, NULL, "hugepages= asks for no page",
		                    "experiment=hugetlb");
	for (size_t i = 0; i < results->pools.nr; i++)
		if (!add_pool(plan, results, &results->pools.share[i]))
			return false;
	return true;
}

/* The ordinary memory of a node, each piece of it a segment. */
static bool add_node(struct plan *plan, struct results *results, uint32_t node)
{
	const unsigned page_shift = plan->variant.page_shift;
	const uint64_t page = 1ull << page_shift;
	struct group *group = plan_new_group(plan);

	if (!group)
		return false;
	group->experiment = EXP_MEMMAP;
	group->geometry = (struct geometry){.align = page};
	group->stored = 1;
	group->range = name_memory(plan, node, "node%u", (unsigned)node);
	if (!group->range)
		return false;
	for (size_t i = 0; i < results->memory.nr; i++) {
		const struct memory_piece *piece = &results->memory.piece[i];
		const uint64_t first = (piece->base + page - 1) >> page_shift;
		const uint64_t end = (piece->base + piece->size) >> page_shift;

		if (piece->node == node && first < end &&
		    !add_segment(group, first, end - first, 1))
			return false;
	}
	return keep_group(plan, results, group);
}

static bool add_nodes(struct plan *plan, struct results *results)
{
	for (size_t i = 0; i < results->memory.nr_nodes; i++)
		if (!add_node(plan, results, results->memory.node[i]))
			return false;
	return true;
}

bool plan_add_memory(struct plan *plan, struct results *results, enum experiment_id experiment)
{
	const struct options *options = results->options;
	const char *why = NULL;

	if (!(options->map & MAP_MEM))
		why = "its descriptors are in RAM: map=mem";
	else if (options->dest_offset || options->descending)
		why = "off-line and descending descriptors are a device's alone";
	if (why)
		return results_skip(results, NULL, why, "experiment=%s",
		                    experiment_name(experiment));
	return experiment == EXP_HUGETLB ? add_pools(plan, results) : add_nodes(plan, results);
}
