/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/cedt.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/cedt.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *table = fuzz_acpi_table("CEDT", data, size);
	struct cedt cedt;
	char why[160] = "", text[64];

	if (!cedt_parse(data, size, &cedt, why, sizeof(why)))
		ALWAYS(why[0] && !cedt.window && !cedt.nr);
	cedt_free(&cedt);
	if (table && cedt_parse(table, size, &cedt, why, sizeof(why))) {
		ALWAYS(cedt.nr + cedt.refused <= size / 40);
		for (size_t i = 0; i < cedt.nr; i++) {
			const struct cedt_window *window = &cedt.window[i];

			ALWAYS(window->size && window->base + window->size > window->base);
			ALWAYS(window->ways >= 1 && window->ways <= 16);
			ALWAYS(window->granularity >= 256 && window->granularity <= 16384);
			ALWAYS(cedt_describe(&cedt, window->base, window->size, text,
			                     sizeof(text)) &&
			       strlen(text) < sizeof(text) - 1);
		}
	}
	cedt_free(&cedt);
	free(table);
	return 0;
}
