/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/arch.h>
#include <pagestamp/hugepages.h>
#include <pagestamp/pools.h>
#include <pagestamp/window.h>
#include <stdio.h>

static bool tell(struct results *results, const struct hugetlb_log *log)
{
	for (size_t i = 0; i < log->nr; i++)
		if (!results_skip(results, NULL, log->line[i], "hugepages="))
			return false;
	return !log->lost;
}

static bool set_aside(const struct hugepage_shares *pools)
{
	for (size_t i = 0; i < pools->nr; i++)
		for (size_t k = 0; k < pools->share[i].nr_extents; k++) {
			const struct hugepage_extent *extent = &pools->share[i].extent[k];

			if (!backing_set_aside(extent->base,
			                       extent->pages * pools->share[i].page_bytes))
				return false;
		}
	return true;
}

bool pools_find(struct results *results, char *why, size_t why_size)
{
	const struct options *options = results->options;
	const struct hugepage_system system = {
		.sizes = hugepage_sizes(results->arch, options->variant.page_shift),
		.node = results->memory.node,
		.nr_nodes = results->memory.nr_nodes,
		.node_alloc = true,
	};
	const uint64_t begin = counter_begin();
	struct hugepages asked;
	bool ok;

	ok = hugepages_setup(options->hugepages, options->nr_hugepages, &system, &asked, why,
	                     why_size) &&
	     hugepages_alloc(&results->memory, &asked, &results->pools, why, why_size);
	results->pools_ticks = counter_end() - begin;
	if (ok && !(tell(results, &asked.log) && tell(results, &results->pools.log) &&
	            set_aside(&results->pools))) {
		snprintf(why, why_size, "no memory for the huge page pools");
		ok = false;
	}
	hugepages_free(&asked);
	return ok;
}
