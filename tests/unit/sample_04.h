/* SPDX-License-Identifier: BSD-2-Clause */
/* Sample 04, a server with two NVDIMM-Ns: its NFIT and its memory map. */
#ifndef TESTS_UNIT_SAMPLE_04_H
#define TESTS_UNIT_SAMPLE_04_H

#include "tests/unit/nfit_build.h"

#define SAMPLE_04 "samples/04-nfit-hpe-dl380gen10-2x16g-nvdimm-n.txt"

static inline void sample_04_nfit_line(void *arg, char *text)
{
	struct bytes *table = arg;
	static uint64_t index, base, length, handle, physical_id, size, ways;
	uint8_t *mapping;
	char *colon = strstr(text, ": ");
	uint64_t value = colon ? strtoull(colon + 2, NULL, 16) : 0;

	if (strncmp(text, "SPARange #", 10) == 0)
		index = value;
	else if (strncmp(text, "  Base", 6) == 0)
		base = value;
	else if (strncmp(text, "  Length", 8) == 0)
		length = value;
	else if (strncmp(text, "  attr", 6) == 0)
		put64(nfit_add_range(table, 56, (uint16_t)index, nfit_persistent_guid, base,
		                     length) +
		              48,
		      value);
	else if (strncmp(text, "  NFIT Device Handle", 20) == 0)
		handle = value;
	else if (strncmp(text, "  NVDIMM phys ID", 16) == 0)
		physical_id = value;
	else if (strncmp(text, "  region size", 13) == 0)
		size = value;
	else if (strncmp(text, "  NVDIMM interleave ways", 24) == 0)
		ways = value;
	if (strncmp(text, "  NVDIMM state flags", 20) != 0)
		return;
	mapping = nfit_add_mapping(table, 48, (uint16_t)index, (uint16_t)value);
	put32(mapping + 4, handle);
	put16(mapping + 8, physical_id);
	put64(mapping + 16, size);
	put16(mapping + 42, ways);
}

/* Appends to a table that was begun. */
static inline void sample_04_nfit(struct bytes *table)
{
	each_line(SAMPLE_04, NULL, "# same machine", sample_04_nfit_line, table);
}

static inline void sample_04_map_line(void *arg, char *text)
{
	unsigned base_high, base, end_high, end, type;
	unsigned long long attributes;

	if (sscanf(text, "0x%x_%x - 0x%x_%x Type 0x%x Virt 0x0 Attr 0x%llx", &base_high, &base,
	           &end_high, &end, &type, &attributes) == 6)
		efi_add(arg, type, base, (end - base) / 4096, attributes);
}

static inline void sample_04_map(struct efi_text *efi)
{
	each_line(SAMPLE_04, "# same machine", NULL, sample_04_map_line, efi);
}

#endif
