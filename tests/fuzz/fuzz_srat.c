/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/srat.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/srat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_acpi_table("SRAT", data, size);
	struct srat srat;
	uint32_t domain;
	char why[160] = "";

	if (!srat_parse(data, size, &srat, why, sizeof(why)))
		ALWAYS(why[0] && !srat.memory && !srat.nr && !srat.nodes);
	srat_free(&srat);
	if (table && srat_parse(table, size, &srat, why, sizeof(why))) {
		ALWAYS(srat.nr <= size / 40 && srat.nodes <= size / 16 &&
		       srat.initiators <= size / 32);
		for (size_t i = 0; i < srat.nr; i++)
			ALWAYS(srat.memory[i].length == 0 ||
			       srat_domain(&srat, srat.memory[i].base, &domain));
	}
	srat_free(&srat);
	free(table);
	return 0;
}
