/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/smbios.h>

#include "discover/le.h"

#include <string.h>

enum { OEM_STRINGS = 11, MEMORY_DEVICE = 17, END_OF_TABLE = 127 };

#define HEADER_SIZE 4u
/* Entry points. That of SMBIOS 2 has 31 bytes; 2.1 said 30 of it, and firmware still does. */
#define ENTRY_3_SIZE 24u
#define ENTRY_2_SIZE 30u
/* Of a memory device: the number of its device locator among its strings. */
#define LOCATOR_AT 0x10u

/* The first `length` bytes sum to zero, as the entry point's checksum makes them. */
static bool checks(const uint8_t *entry, size_t size, size_t length, size_t least)
{
	uint8_t sum = 0;

	if (length < least || length > size)
		return false;
	for (size_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + entry[i]);
	return sum == 0;
}

bool smbios_entry(const uint8_t *entry, size_t size, uint64_t *address, size_t *length)
{
	if (size >= ENTRY_3_SIZE && memcmp(entry, "_SM3_", 5) == 0 &&
	    checks(entry, size, entry[6], ENTRY_3_SIZE)) {
		*address = le64(entry + 16);
		*length = le32(entry + 12);
		return *address != 0;
	}
	if (size >= ENTRY_2_SIZE && memcmp(entry, "_SM_", 4) == 0 &&
	    checks(entry, size, entry[5], ENTRY_2_SIZE)) {
		*address = le32(entry + 24);
		*length = le16(entry + 22);
		return *address != 0;
	}
	return false;
}

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
