/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/smbios.h>

#include <stdint.h>
#include <string.h>

enum { OEM_STRINGS = 11, END_OF_TABLE = 127 };

#define HEADER_SIZE 4u

/* The first of two NULs: strings end so, and so does their absence. NULL: not before `end`. */
static const char *double_nul(const char *at, const char *end)
{
	while (end - at >= 2) {
		if (at[0] == '\0' && at[1] == '\0')
			return at;
		at++;
	}
	return NULL;
}

const char *smbios_oem_string(const void *table, size_t size, const char *prefix)
{
	const char *at = table, *end = at + size;

	while ((size_t)(end - at) >= HEADER_SIZE && at[0] != END_OF_TABLE) {
		uint8_t length = (uint8_t)at[1];
		const char *strings = at + length, *last;

		if (length < HEADER_SIZE || length > end - at)
			return NULL;
		last = double_nul(strings, end);
		if (!last)
			return NULL;
		if (at[0] == OEM_STRINGS)
			for (const char *s = strings; s < last; s += strlen(s) + 1)
				if (strncmp(s, prefix, strlen(prefix)) == 0)
					return s + strlen(prefix);
		at = last + 2;
	}
	return NULL;
}
