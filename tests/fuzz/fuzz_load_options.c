/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/load_options.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/load_options.h>

static void check(enum options_text result, char *text)
{
	ALWAYS((text != NULL) == (result == OPTIONS_TEXT_GIVEN));
	for (const char *c = text; c && *c; c++)
		ALWAYS((*c >= 0x20 && *c < 0x7f) || strchr("\t\r\n", *c));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char why[160], *text;
	enum options_text result = load_options_text(data, size, &text, why, sizeof(why));

	check(result, text);
	result = config_file_options(data, size, &text, why, sizeof(why));
	check(result, text);
	return 0;
}
