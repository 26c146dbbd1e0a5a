/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/plan.h"
#include "bench/plan_parts.h"
#include "mm/memmap.h"
#include "mm/vmemmap.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wants_experiment(const struct options *options, enum experiment_id id)
{
	return options->experiments & 1u << id;
}

/*
 * Fills the group's geometry and, for map=dev, its consent. False with a reason when
 * it cannot be run.
 */
static bool group_prepare(const struct plan *plan, struct group *group,
                          const struct options *options, char *why, size_t size)
{
	const struct pmem_range *range = group->range;
	bool keep_namespace = false;

	if (range->kind == RANGE_VIRTUAL) {
		snprintf(why, size, "a virtual disk, not memory that a kernel makes a memmap for");
		return false;
	}
	if (group->map_dev) {
		if (consent_judge(range, options, group->experiment, &group->device, why, size) !=
		    CONSENT_GIVEN)
			return false;
		keep_namespace = consented_keeps_namespace(group->device);
	}
	if (!geometry_for(range, group->experiment, &plan->variant, group->map_dev, keep_namespace,
	                  &group->geometry)) {
		snprintf(why, size, "not one whole page of %" PRIu64 " KiB fits in %" PRIu64 " KiB",
		         group->geometry.align >> 10, range->size >> 10);
		return false;
	}
	if (!page_nid_fits(range->node, &plan->variant)) {
		snprintf(why, size, "node %" PRIu32 " does not fit into the descriptor's flags",
		         range->node);
		return false;
	}
	if (!page_section_fits(group->geometry.start_pfn + group->geometry.nr_pages - 1,
	                       &plan->variant)) {
		snprintf(why, size, "its section numbers do not fit into the descriptor's flags");
		return false;
	}
	if (group->map_dev && options->dest_offset) {
		snprintf(why, size,
		         "dest_offset moves descriptors in RAM; on a device they stand "
		         "where a kernel looks for them");
		return false;
	}
	group->dest_offset = options->dest_offset;
	group->optimised = !options->dax_vmemmap_full && !options->dest_offset &&
	                   vmemmap_can_optimise(&group->geometry, &plan->variant, group->map_dev);
	if (group->optimised &&
	    vmemmap_mappings(&group->geometry, &plan->variant) > window_mapping_limit()) {
		snprintf(why, size,
		         "the kernel allows a process %" PRIu64
		         " mappings, and aliasing takes more",
		         window_mapping_limit());
		return false;
	}
	group->stored = vmemmap_stored_bytes(&group->geometry, &plan->variant, group->optimised) /
	                plan->variant.size;
	return true;
}

static bool add_group(struct plan *plan, struct results *results, enum experiment_id experiment,
                      const struct pmem_range *range, bool map_dev)
{
	struct group *group = plan_new_group(plan);
	struct geometry *g;
	char why[192];

	if (!group)
		return false;
	*group = (struct group){.experiment = experiment, .range = range, .map_dev = map_dev};
	if (!group_prepare(plan, group, results->options, why, sizeof(why))) {
		consent_free(group->device);
		return results_skip(results, NULL, why, "%s %s map=%s", experiment_name(experiment),
		                    range->id, map_dev ? "dev" : "mem");
	}
	g = &group->geometry;
	group->segment = calloc(1, sizeof(*group->segment));
	if (!group->segment || !plan_add_cells(plan, group, results))
		return false;
	group->nr_segments = 1;
	*group->segment = (struct segment){g->start_pfn, g->nr_pages, group->stored, 0};
	group->first_on_device = true;
	for (size_t i = 0; i < plan->nr_groups; i++)
		if (plan->group[i].map_dev && plan->group[i].range == range)
			group->first_on_device = false;
	plan->nr_groups++;
	return true;
}

static bool add_device_groups(struct plan *plan, struct results *results,
                              enum experiment_id experiment)
{
	const struct options *options = results->options;

	for (size_t i = 0; i < results->ranges.nr; i++) {
		const struct pmem_range *range = &results->ranges.item[i];

		if (!options_want_range(options, range))
			continue;
		if (options->map & MAP_MEM && !add_group(plan, results, experiment, range, false))
			return false;
		if (options->map & MAP_DEV && !add_group(plan, results, experiment, range, true))
			return false;
	}
	return true;
}

static bool add_groups_of(struct plan *plan, struct results *results, enum experiment_id experiment)
{
	if (experiment != EXP_HUGETLB && experiment != EXP_MEMMAP)
		return add_device_groups(plan, results, experiment);
	return plan_add_memory(plan, results, experiment);
}

void plan_skip_unwanted_ranges(struct results *results)
{
	for (size_t i = 0; i < results->ranges.nr; i++) {
		const struct pmem_range *range = &results->ranges.item[i];

		if (!options_want_range(results->options, range))
			results_skip(results, NULL,
			             results->options->nr_range_names
			                     ? "not named by range="
			                     : "used only when range= names it",
			             "range %s", range->id);
	}
}

/* Why what was asked for is not there: the reason of the first skip whose text has `what` in it. */
static const char *reason_of(const struct results *results, const char *what)
{
	for (size_t i = 0; i < results->nr_skipped; i++)
		if (strstr(results->skipped[i].what, what))
			return results->skipped[i].why;
	return "there is no range";
}

/* What an option demanded and no group does. */
static void fail_unmet_demands(const struct plan *plan, struct results *results)
{
	const struct options *options = results->options;
	bool dev = false;

	for (size_t i = 0; i < plan->nr_groups; i++)
		dev |= plan->group[i].map_dev;
	if (options->map == MAP_DEV && !dev && options->experiments != 1u << EXP_PTE)
		results_fail(results, "map=dev, but no range may be written: %s",
		             reason_of(results, "map=dev"));
	for (enum experiment_id id = 0; id < EXP_PTE; id++) {
		bool runs = false;

		for (size_t i = 0; i < plan->nr_groups; i++)
			runs |= plan->group[i].experiment == id;
		if (options->experiments_explicit && wants_experiment(options, id) && !runs)
			results_fail(results, "experiment=%s cannot run: %s", experiment_name(id),
			             reason_of(results, experiment_name(id)));
	}
}

bool plan_make(struct results *results, struct plan *out)
{
	const struct options *options = results->options;

	*out = (struct plan){.variant = options->variant};
	out->variant.trace_page_ref = false; /* the hook is the timed base's alone */
	memmap_set_page_shift(out->variant.page_shift);
	plan_skip_copies(out, results);
	for (enum experiment_id id = 0; id < EXP_NR; id++) {
		if (id == EXP_PTE)
			continue; /* no memmap of its own to plan: bench/pte.c */
		if (wants_experiment(options, id) && !add_groups_of(out, results, id))
			return false;
	}
	fail_unmet_demands(out, results);
	return true;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->nr_groups; i++) {
		consent_free(plan->group[i].device);
		free(plan->group[i].segment);
		free(plan->group[i].cell);
	}
	free(plan->group);
	for (size_t i = 0; i < plan->nr_named; i++)
		free(plan->named[i]);
	free(plan->named);
	*plan = (struct plan){0};
}

void group_describe(const struct group *group, char *out, size_t size)
{
	const struct geometry *g = &group->geometry;
	int n = snprintf(out, size, "%s %s map=%s: %" PRIu64 " descriptors, ",
	                 experiment_name(group->experiment), group->range->id,
	                 group->map_dev ? "dev" : "mem", g->nr_pages);

	if (n < 0 || (size_t)n >= size)
		return;
	if (group->map_dev)
		snprintf(out + n, size - n, "writes [0x%" PRIx64 ", 0x%" PRIx64 ")",
		         group->range->base + g->store_begin, group->range->base + g->store_end);
	else
		snprintf(out + n, size - n, "writes nothing on it");
}
