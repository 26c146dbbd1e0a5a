/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/nfit.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/nfit.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_acpi_table("NFIT", data, size);
	struct nfit nfit;
	char why[160] = "";

	if (!nfit_parse(data, size, &nfit, why, sizeof(why)))
		ALWAYS(why[0] && !nfit.range && !nfit.nr);
	nfit_free(&nfit);
	if (table && nfit_parse(table, size, &nfit, why, sizeof(why))) {
		ALWAYS(nfit.nr <= size / 56 && nfit.nr_mappings <= size / 48);
		for (size_t i = 0; i < nfit.nr; i++)
			ALWAYS(nfit_kind_name(nfit.range[i].kind)[0] &&
			       nfit_interleave_of(&nfit, nfit.range[i].index).nvdimms <=
			               nfit.nr_mappings);
	}
	nfit_free(&nfit);
	free(table);
	return 0;
}
