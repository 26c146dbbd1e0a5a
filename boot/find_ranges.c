/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/find_ranges.h"
#include "boot/memory.h"
#include "boot/tell_tables.h"

#include <pagestamp/firmware.h>
#include <pagestamp/ranges.h>
#include <stdio.h>
#include <stdlib.h>

struct tables {
	struct results *results;
	struct found *found;
	struct range_sources sources;
};

static bool read_map(struct tables *t, char *why, size_t why_size)
{
	struct firmware_memory_map raw;
	bool ok;

	if (!firmware_memory_map(&raw)) {
		snprintf(why, why_size, "the firmware gives no memory map");
		return false;
	}
	ok = efi_map_parse(raw.bytes, raw.size, raw.stride, &t->found->map, why, why_size);
	free(raw.bytes);
	if (ok && t->found->map.refused)
		results_skip(t->results, NULL, "empty, misaligned or out of bounds",
		             "memory map: %zu entries", t->found->map.refused);
	t->sources.efi = t->found->map;
	return ok;
}

/* A broken table is no reason to stop: other sources may know the ranges. It is listed. */
static void read_nfit(struct tables *t)
{
	struct firmware_bytes table;
	char why[128];

	if (!firmware_acpi_table("NFIT", 0, &table)) {
		snprintf(t->found->why_none, sizeof(t->found->why_none),
		         "no persistent memory: there is no ACPI NFIT and the memory map lists "
		         "none; memmap=SIZE!START makes a range of RAM");
		return;
	}
	snprintf(t->found->why_none, sizeof(t->found->why_none),
	         "no persistent memory: the ACPI NFIT lists none that can be used; "
	         "memmap=SIZE!START makes a range of RAM");
	if (nfit_parse(table.data, table.size, &t->sources.nfit, why, sizeof(why)))
		return;
	results_skip(t->results, NULL, why, "ACPI NFIT");
	snprintf(t->found->why_none, sizeof(t->found->why_none),
	         "no persistent memory: the ACPI NFIT is refused: %s", why);
}

static void read_srat(struct tables *t)
{
	struct firmware_bytes table;
	char why[128];

	if (!firmware_acpi_table("SRAT", 0, &table))
		return;
	if (!srat_parse(table.data, table.size, &t->sources.srat, why, sizeof(why)))
		results_skip(t->results, NULL, why, "ACPI SRAT");
	t->found->nodes = t->sources.srat.nodes;
}

static void read_hmat(struct tables *t)
{
	struct firmware_bytes table;
	char why[128];

	if (firmware_acpi_table("HMAT", 0, &table) &&
	    !hmat_parse(table.data, table.size, &t->sources.hmat, why, sizeof(why)))
		results_skip(t->results, NULL, why, "ACPI HMAT");
}

static void read_cedt(struct tables *t)
{
	struct firmware_bytes table;
	char why[128];

	if (!firmware_acpi_table("CEDT", 0, &table))
		return;
	if (!cedt_parse(table.data, table.size, &t->sources.cedt, why, sizeof(why)))
		results_skip(t->results, NULL, why, "ACPI CEDT");
	if (t->sources.cedt.refused)
		results_skip(t->results, NULL, "misaligned, empty or of no known interleave",
		             "CEDT: %zu windows", t->sources.cedt.refused);
}

/*
 * RAM that may be written as a range, so that the firmware, which is alive and has it free,
 * puts nothing there meanwhile. What is only read stays as it is.
 */
static bool reserve_ram(const struct options *options, struct pmem_ranges *ranges, char *why,
                        size_t why_size)
{
	for (size_t i = 0; i < ranges->nr; i++) {
		struct pmem_range *range = &ranges->item[i];
		const bool special = range->kind == RANGE_SPECIAL && options->nr_writes &&
		                     options_want_range(options, range);

		if (!special && range->kind != RANGE_MEMMAP)
			continue;
		range->reserved = memory_reserve(range->base, range->size);
		if (range->reserved)
			continue;
		snprintf(why, why_size, "%s: the firmware does not give 0x%llx bytes at 0x%llx",
		         special ? range->id : "memmap=", (unsigned long long)range->size,
		         (unsigned long long)range->base);
		return false;
	}
	return true;
}

bool find_ranges(const struct options *options, struct results *results, struct found *out,
                 char *why, size_t why_size)
{
	struct tables t = {.results = results, .found = out};
	struct range_notes notes = {0};
	bool ok;

	*out = (struct found){0};
	if (!read_map(&t, why, why_size))
		return false;
	read_nfit(&t);
	read_srat(&t);
	read_hmat(&t);
	read_cedt(&t);
	t.sources.memmaps = options->memmaps;
	t.sources.nr_memmaps = options->nr_memmaps;
	ok = ranges_build(&t.sources, &results->ranges, &notes, why, why_size) &&
	     reserve_ram(options, &results->ranges, why, why_size) &&
	     memory_pieces_build(&t.found->map, &t.sources.srat, &results->memory, why, why_size);
	for (size_t i = 0; i < notes.nr; i++)
		results_skip(results, NULL, notes.item[i].why, "%s", notes.item[i].what);
	free(notes.item);
	if (ok && options->list)
		tell_tables(&t.sources, results);
	nfit_free(&t.sources.nfit);
	srat_free(&t.sources.srat);
	hmat_free(&t.sources.hmat);
	cedt_free(&t.sources.cedt);
	return ok;
}

void found_free(struct found *found, const struct pmem_ranges *ranges)
{
	for (size_t i = 0; i < ranges->nr; i++)
		if (ranges->item[i].reserved)
			memory_release(ranges->item[i].base, ranges->item[i].size);
	efi_map_free(&found->map);
}
