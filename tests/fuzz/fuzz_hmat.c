/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/hmat.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/hmat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_acpi_table("HMAT", data, size);
	struct hmat hmat;
	struct hmat_view view;
	char why[160] = "";

	if (!hmat_parse(data, size, &hmat, why, sizeof(why)))
		ALWAYS(why[0] && !hmat.entry && !hmat.nr);
	hmat_free(&hmat);
	if (table && hmat_parse(table, size, &hmat, why, sizeof(why))) {
		ALWAYS(hmat.nr <= size);
		for (size_t i = 0; i < hmat.nr; i++)
			ALWAYS(hmat.entry[i].value && hmat.entry[i].figure < HMAT_FIGURES);
		if (hmat.nr && hmat_nearest(&hmat, hmat.entry[0].target, &view))
			ALWAYS(view.value[HMAT_READ_LATENCY] || view.value[HMAT_READ_BANDWIDTH]);
	}
	hmat_free(&hmat);
	free(table);
	return 0;
}
