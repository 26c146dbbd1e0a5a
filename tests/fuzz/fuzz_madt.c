/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/madt.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/madt.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_acpi_table("APIC", data, size);
	struct madt madt;
	char why[160] = "";

	if (!madt_parse(data, size, &madt, why, sizeof(why)))
		ALWAYS(why[0] && !madt.cpu && !madt.nr && !madt.enabled);
	madt_free(&madt);
	if (table && madt_parse(table, size, &madt, why, sizeof(why))) {
		size_t enabled = 0;

		ALWAYS(madt.nr <= size / 8);
		for (size_t i = 0; i < madt.nr; i++) {
			enabled += madt.cpu[i].enabled;
			for (size_t k = 0; k < i; k++)
				ALWAYS(madt.cpu[k].id != madt.cpu[i].id);
		}
		ALWAYS(enabled == madt.enabled);
	}
	madt_free(&madt);
	free(table);
	return 0;
}
