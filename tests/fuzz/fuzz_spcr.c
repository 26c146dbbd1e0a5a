/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/spcr.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/spcr.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_acpi_table("SPCR", data, size);
	struct spcr spcr;
	char why[160] = "", text[64];

	if (!spcr_parse(data, size, &spcr, why, sizeof(why)))
		ALWAYS(why[0] && !spcr.address);
	if (table && spcr_parse(table, size, &spcr, why, sizeof(why))) {
		ALWAYS(!spcr.io || (spcr.address <= 0xffff && spcr.stride == 1));
		ALWAYS(spcr.stride && 8 % spcr.stride == 0);
		ALWAYS(spcr.access_bits >= 8 && 64 % spcr.access_bits == 0);
		spcr_describe(&spcr, text, sizeof(text));
		ALWAYS(text[0] && strlen(text) < sizeof(text) - 1); /* whole */
	}
	free(table);
	return 0;
}
