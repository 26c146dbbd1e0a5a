/* SPDX-License-Identifier: BSD-2-Clause */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double ticks_to_ns(double ticks, uint64_t hz)
{
	return hz ? ticks * (1e9 / (double)hz) : NAN;
}

static double per(double amount, uint64_t n)
{
	return n ? amount / (double)n : NAN;
}

static double instructions(const struct machine *machine, double ns)
{
	return machine_counts_instructions(machine) ? ldexp(ns, -(int)machine->icount_shift) : NAN;
}

struct figures figures_of(const struct results *results, const struct run *run)
{
	uint64_t hz = results->counter.hz, pages = run->cell.geometry.nr_pages;
	uint64_t descriptor = cell_variant(&run->cell)->size;
	const struct statistics *ticks = &run->ticks;
	struct figures f = {
		.first_ns = NAN,
		.ns = {ticks->n, NAN, NAN, NAN, NAN, NAN},
		.ticks_per_page = NAN,
		.ns_per_page = NAN,
		.instructions_per_page = NAN,
		.gb_per_s = NAN,
		.first_ns_per_page = NAN,
		.first_instructions_per_page = NAN,
	};

	if (run->first_known) {
		f.first_ns = ticks_to_ns((double)run->first_ticks, hz);
		f.first_ns_per_page = per(f.first_ns, run->first_written);
		f.first_instructions_per_page =
			instructions(&results->machine, f.first_ns_per_page);
	}
	if (ticks->n) {
		f.ns.min = ticks_to_ns(ticks->min, hz);
		f.ns.median = ticks_to_ns(ticks->median, hz);
		f.ns.mean = ticks_to_ns(ticks->mean, hz);
		f.ns.max = ticks_to_ns(ticks->max, hz);
		if (ticks->n > 1) /* of one sample the spread is unknown, not 0 */
			f.ns.mad = ticks_to_ns(ticks->mad, hz);
		f.ticks_per_page = per(ticks->median, run->written);
		f.ns_per_page = per(f.ns.median, run->written);
		f.instructions_per_page = instructions(&results->machine, f.ns_per_page);
		if (run->written && f.ns.median > 0 && !run->cell.window_pages)
			f.gb_per_s = (double)(run->written * descriptor) / f.ns.median;
	}
	if (run->cell.optimised && pages > run->written)
		f.saved_bytes = (pages - run->written) * descriptor;
	return f;
}

bool machine_is_tcg(const struct machine *machine)
{
	return strncmp(machine->accel, "tcg", 3) == 0 || strstr(machine->hypervisor, "TCG");
}

const char *cell_copy(const struct cell *cell)
{
	if (cell->automatic)
		return "auto";
	return cell->backend ? cell->backend->name : "none";
}

struct touch_text cell_touch(const struct cell *cell)
{
	static const char *const names[] = {"none", "read", "batch", "whole"};
	struct touch_text touch;

	if (cell->touch == TOUCH_BATCH)
		snprintf(touch.text, sizeof(touch.text), "batch:%llu",
		         (unsigned long long)cell->touch_bytes);
	else
		snprintf(touch.text, sizeof(touch.text), "%s", names[cell->touch]);
	return touch;
}

bool machine_counts_instructions(const struct machine *machine)
{
	return strcmp(machine->accel, "tcg-icount") == 0;
}

const struct memmap_variant *cell_variant(const struct cell *cell)
{
	static const struct memmap_variant usual = {.size = 64, .page_shift = 12};

	return cell->variant ? cell->variant : &usual;
}

const char *holes_name(enum pte_holes holes)
{
	static const char *const names[HOLES_NR] = {"none", "every-2nd", "random"};

	return names[holes];
}

void cell_id(const struct cell *cell, char *id, size_t size)
{
	const struct memmap_variant *variant = cell_variant(cell);
	char mapping[48] = "";

	if (cell->window_pages)
		snprintf(mapping, sizeof(mapping), "/%u/%s%s", cell->window_pages,
		         holes_name(cell->holes), cell->contiguous ? "/contiguous" : "");
	snprintf(id, size, "%s/%s/%s/%llu/%s/%s/%s/%s/%s/%s/%s/%u/%s/1/%u/%u%s%s",
	         experiment_name(cell->experiment), cell->range ? cell->range->id : "none",
	         cell->map_dev ? "dev" : "mem", (unsigned long long)cell->geometry.align,
	         method_name(cell->method), cell_copy(cell), variant->sparse ? "sparse" : "vmemmap",
	         variant->mask ? "mask" : "pointer", cell->cold ? "cold" : "warm",
	         cell_touch(cell).text, cell->descending ? "descending" : "ascending",
	         cell->dest_offset, cell->optimised ? "optimised" : "full",
	         1u << variant->page_shift, variant->size, variant->trace_page_ref ? "/trace" : "",
	         mapping);
}

struct compounds compounds_of(const struct pmem_range *range, uint64_t align)
{
	uint64_t end = range->base + range->size;
	uint64_t first = (range->base + align - 1) / align * align;
	uint64_t last = end / align * align;

	if (first >= last)
		return (struct compounds){.lost_head = range->size};
	return (struct compounds){last - first, first - range->base, end - last};
}
