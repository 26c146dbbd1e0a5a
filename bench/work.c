/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/work.h"
#include "bench/timed.h"
#include <inttypes.h>
#include <stdio.h>

struct run *run_of(const struct work *work, size_t cell)
{
	return &work->lab->results->run[work->first_run + cell];
}

memmap_builder builder_of(const struct work *work, const struct cell *cell)
{
	const struct memmap_kind *kind = memmap_kind_of(cell->experiment);
	struct memmap_variant variant = *cell->variant;

	if (cell->descending)
		return kind->stamp_down;
	variant.trace_page_ref = work->lab->results->options->variant.trace_page_ref;
	return kind_builder(kind, cell->method, cell->backend, &variant);
}

void report_fault(struct work *work, const char *during)
{
	const struct window_fault *fault = &work->memmap.arena.fault;

	printf("fault in %s, %s: %s at 0x%" PRIx64 ", address 0x%" PRIx64 ", %s\n%s\n", work->name,
	       during, fault->what, fault->pc, fault->address, fault->write ? "write" : "read",
	       fault->registers);
	results_fail(work->lab->results, "%s in %s, %s", fault->what, work->name, during);
}

void cell_label(const struct cell *cell, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s%s", method_name(cell->method), cell->backend ? " " : "",
	         cell->automatic ? "auto: " : "", cell->backend ? cell->backend->name : "");
}

bool build_part(struct work *work, size_t i, uint64_t index, uint64_t nr, struct timing *timing)
{
	const struct cell *cell = &run_of(work, i)->cell;
	char label[48];

	if (timed_build(&work->memmap.arena, index, nr, builder_of(work, cell), cell->backend,
	                timing))
		return true;
	cell_label(cell, label, sizeof(label));
	report_fault(work, label);
	return false;
}

bool build_all(struct work *work, size_t i, struct timing *timing)
{
	return build_part(work, i, 0, work->group->geometry.nr_pages, timing);
}
