/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/smbios.h>

#include "discover/le.h"

#include <stdbool.h>
#include <string.h>

enum { OEM_STRINGS = 11, MEMORY_DEVICE = 17, END_OF_TABLE = 127 };

#define HEADER_SIZE 4u
/* Of a memory device: the number of its device locator among its strings. */
#define LOCATOR_AT 0x10u

struct structure {
	const uint8_t *at;          /* `length` bytes */
	const char *strings, *last; /* each ends in a NUL before `last` */
	uint8_t length;
};

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

/* The structure at `*at`, which moves behind it; false at the table's end, or where it is broken.
 */
static bool next(const char **at, const char *end, struct structure *out)
{
	const uint8_t *header = (const uint8_t *)*at;

	if ((size_t)(end - *at) < HEADER_SIZE || header[0] == END_OF_TABLE)
		return false;
	if (header[1] < HEADER_SIZE || header[1] > end - *at)
		return false;
	out->at = header;
	out->length = header[1];
	out->strings = *at + out->length;
	out->last = double_nul(out->strings, end);
	if (!out->last)
		return false;
	*at = out->last + 2;
	return true;
}

const char *smbios_oem_string(const void *table, size_t size, const char *prefix)
{
	const char *at = table, *end = at + size;
	struct structure structure;

	while (next(&at, end, &structure)) {
		if (structure.at[0] != OEM_STRINGS)
			continue;
		for (const char *s = structure.strings; s < structure.last; s += strlen(s) + 1)
			if (strncmp(s, prefix, strlen(prefix)) == 0)
				return s + strlen(prefix);
	}
	return NULL;
}

const char *smbios_dimm_name(const void *table, size_t size, uint16_t handle)
{
	const char *at = table, *end = at + size;
	struct structure structure;

	while (next(&at, end, &structure)) {
		const char *s = structure.strings;
		unsigned number;

		if (structure.at[0] != MEMORY_DEVICE || le16(structure.at + 2) != handle ||
		    structure.length <= LOCATOR_AT)
			continue;
		number = structure.at[LOCATOR_AT]; /* from 1; 0 = none */
		while (number > 1 && s < structure.last) {
			s += strlen(s) + 1;
			number--;
		}
		return number == 1 && s < structure.last && *s ? s : NULL;
	}
	return NULL;
}
