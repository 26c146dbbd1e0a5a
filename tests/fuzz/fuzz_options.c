/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/options.c discover/option_values.c discover/console.c discover/number.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/options.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct options options, again;
	char why[OPTIONS_WHY_SIZE] = "", *text = malloc(size + 1);

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (options_parse(text, OPTIONS_TYPED, &options, why, sizeof(why))) {
		/* the effective options are options, and stay what they are */
		ALWAYS(options_parse(options.effective, OPTIONS_TYPED, &again, why, sizeof(why)));
		ALWAYS(strcmp(options.effective, again.effective) == 0);
		ALWAYS(options.experiments == again.experiments &&
		       options.nr_writes == again.nr_writes && options.map == again.map);
		options_free(&again);
	} else {
		ALWAYS(strstr(why, ";") && !strchr(why, '\n'));
	}
	options_free(&options);
	free(text);
	return 0;
}
