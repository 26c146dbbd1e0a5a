/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/ranges.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends, with `between` before it unless it is the first. */
__attribute__((format(printf, 4, 5))) static void
append(char *text, size_t size, const char *between, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used) {
		snprintf(text + used, size - used, "%s", between);
		used = strlen(text);
	}
	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

/* The NFIT's range that it was made from; NULL: from none. */
static const struct nfit_range *nfit_range_of(const struct nfit *nfit,
                                              const struct pmem_range *range)
{
	if (range->kind != RANGE_PERSISTENT && range->kind != RANGE_VIRTUAL)
		return NULL;
	for (size_t i = 0; i < nfit->nr; i++)
		if (nfit->range[i].base == range->base && nfit->range[i].length == range->size)
			return &nfit->range[i];
	return NULL;
}

static void add_nvdimms(const struct nfit *nfit, const struct nfit_range *from,
                        struct pmem_range *range)
{
	struct nfit_interleave set = nfit_interleave_of(nfit, from->index);

	if (set.nvdimms)
		append(range->about, sizeof(range->about), "; ", "%lu NVDIMM%s, %u way%s",
		       (unsigned long)set.nvdimms, set.nvdimms == 1 ? "" : "s",
		       set.ways ? set.ways : 1, set.ways > 1 ? "s" : "");
	if (from->state & NFIT_HEALTH_EVENTS)
		append(range->about, sizeof(range->about), "; ", "health events");
}

static void add_speed(const struct hmat_view *view, struct pmem_range *range)
{
	static const char *const way[] = {[HMAT_READ_LATENCY] = "read",
	                                  [HMAT_WRITE_LATENCY] = "write",
	                                  [HMAT_READ_BANDWIDTH] = "read",
	                                  [HMAT_WRITE_BANDWIDTH] = "write"};
	const char *between = ": ";

	append(range->about, sizeof(range->about), "; ", "HMAT from node %lu",
	       (unsigned long)view->initiator);
	for (unsigned i = 0; i < HMAT_FIGURES; i++) {
		bool latency = i <= HMAT_WRITE_LATENCY;
		uint64_t value = view->value[i];

		if (!value)
			continue;
		if (latency)
			value = value / 1000 + (value % 1000 >= 500);
		append(range->about, sizeof(range->about), between, "%s %llu %s", way[i],
		       (unsigned long long)value, latency ? "ns" : "MB/s");
		between = ", ";
	}
}

void range_about(const struct range_sources *sources, struct pmem_range *range)
{
	const struct nfit_range *from = nfit_range_of(&sources->nfit, range);
	struct hmat_view view;
	char windows[64];
	uint32_t domain;

	range->nodes[0] = range->about[0] = '\0';
	if (from && from->domain_valid)
		append(range->nodes, sizeof(range->nodes), ", ", "nfit %lu",
		       (unsigned long)from->domain);
	if (srat_domain(&sources->srat, range->base, &domain))
		append(range->nodes, sizeof(range->nodes), ", ", "srat %lu", (unsigned long)domain);
	if (from)
		add_nvdimms(&sources->nfit, from, range);
	if (cedt_describe(&sources->cedt, range->base, range->size, windows, sizeof(windows)))
		append(range->about, sizeof(range->about), "; ", "%s", windows);
	/* Node 0 by default is nobody's word. */
	if (range->nodes[0] && hmat_nearest(&sources->hmat, range->node, &view))
		add_speed(&view, range);
}
