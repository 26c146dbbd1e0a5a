/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/ranges.c discover/nfit.c discover/efi_map.c discover/srat.c */
/* links: discover/range_about.c discover/hmat.c discover/cedt.c */
/* links: discover/acpi.c discover/number.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/ranges.h>

#define STRIDE 40u

/* The next table: two bytes of length, and so many of it as there are. */
static uint8_t *take(const char *signature, const uint8_t **data, size_t *size, size_t *length)
{
	uint8_t *table;

	*length = 0;
	if (*size < 2)
		return NULL;
	*length = (*data)[0] | (size_t)(*data)[1] << 8;
	*data += 2;
	*size -= 2;
	if (*length > *size)
		*length = *size;
	table = fuzz_acpi_table(signature, *data, *length);
	*data += *length;
	*size -= *length;
	return table;
}

static void check(const struct pmem_ranges *ranges, const struct range_notes *notes)
{
	uint64_t end = 0;

	for (size_t i = 0; i < ranges->nr; i++) {
		const struct pmem_range *range = &ranges->item[i];

		ALWAYS(range->size && range->base % 4096 == 0 && range->size % 4096 == 0);
		ALWAYS(range->base + range->size <= PHYSICAL_LIMIT);
		ALWAYS(range->id[0] && range->source[0] && range->content == CONTENT_UNREAD);
		ALWAYS(strlen(range->about) < sizeof(range->about) - 1);
		/* virtual disks lie where the memory map has anything, even what is a range */
		if (range->kind == RANGE_VIRTUAL)
			continue;
		ALWAYS(range->base >= end);
		end = range->base + range->size;
	}
	for (size_t i = 0; i < notes->nr; i++)
		ALWAYS(notes->item[i].what[0] && notes->item[i].why[0]);
}

/* NFIT, SRAT, HMAT and CEDT, each with its length before it; the rest is the memory map. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct range_sources sources = {0};
	struct pmem_ranges ranges;
	struct range_notes notes;
	size_t nfit_size, srat_size, hmat_size, cedt_size;
	uint8_t *nfit = take("NFIT", &data, &size, &nfit_size);
	uint8_t *srat = take("SRAT", &data, &size, &srat_size);
	uint8_t *hmat = take("HMAT", &data, &size, &hmat_size);
	uint8_t *cedt = take("CEDT", &data, &size, &cedt_size);
	char why[512];

	if (nfit)
		nfit_parse(nfit, nfit_size, &sources.nfit, why, sizeof(why));
	if (srat)
		srat_parse(srat, srat_size, &sources.srat, why, sizeof(why));
	if (hmat)
		hmat_parse(hmat, hmat_size, &sources.hmat, why, sizeof(why));
	if (cedt)
		cedt_parse(cedt, cedt_size, &sources.cedt, why, sizeof(why));
	if (efi_map_parse(data, size - size % STRIDE, STRIDE, &sources.efi, why, sizeof(why)) &&
	    ranges_build(&sources, &ranges, &notes, why, sizeof(why))) {
		check(&ranges, &notes);
		ranges_free(&ranges, &notes);
	}
	nfit_free(&sources.nfit);
	srat_free(&sources.srat);
	hmat_free(&sources.hmat);
	cedt_free(&sources.cedt);
	efi_map_free(&sources.efi);
	free(nfit);
	free(srat);
	free(hmat);
	free(cedt);
	return 0;
}
