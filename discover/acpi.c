/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/acpi.h>

#include "discover/le.h"

#include <stdio.h>
#include <string.h>

bool acpi_table_check(const void *bytes, size_t size, const char *signature, size_t least,
                      size_t *length, char *why, size_t why_size)
{
	const uint8_t *table = bytes;
	uint8_t sum = 0;

	if (size < ACPI_HEADER_SIZE) {
		snprintf(why, why_size, "%s truncated: %lu bytes", signature, (unsigned long)size);
		return false;
	}
	if (memcmp(table, signature, 4) != 0) {
		snprintf(why, why_size, "%s has another signature", signature);
		return false;
	}
	*length = le32(table + 4);
	if (*length < least) {
		snprintf(why, why_size, "%s says it has %lu bytes, fewer than its header",
		         signature, (unsigned long)*length);
		return false;
	}
	if (*length > size) {
		snprintf(why, why_size, "%s truncated: %lu of %lu bytes", signature,
		         (unsigned long)size, (unsigned long)*length);
		return false;
	}
	for (size_t i = 0; i < *length; i++)
		sum = (uint8_t)(sum + table[i]);
	if (sum != 0) {
		snprintf(why, why_size, "%s has a bad checksum", signature);
		return false;
	}
	return true;
}

enum acpi_step acpi_next(const uint8_t *table, size_t length, enum acpi_form form, size_t *offset,
                         struct acpi_structure *out, char *why, size_t why_size)
{
	static const uint8_t header[] = {[ACPI_FORM_1_1] = 2,
	                                 [ACPI_FORM_1_1_2] = 4,
	                                 [ACPI_FORM_2_2] = 4,
	                                 [ACPI_FORM_2_2_4] = 8};
	const uint8_t *at = table + *offset;
	size_t left = length - *offset;

	if (left == 0)
		return ACPI_END;
	if (left < header[form]) {
		snprintf(why, why_size, "%.4s: %lu stray bytes at its end", (const char *)table,
		         (unsigned long)left);
		return ACPI_BAD;
	}
	out->at = at;
	out->type = form <= ACPI_FORM_1_1_2 ? at[0] : le16(at);
	out->length = form == ACPI_FORM_1_1     ? at[1]
	              : form == ACPI_FORM_2_2_4 ? le32(at + 4)
	                                        : le16(at + 2);
	if (out->length < header[form] || out->length > left) {
		snprintf(why, why_size, "%.4s: structure of type %u at 0x%lx has length %lu",
		         (const char *)table, out->type, (unsigned long)*offset,
		         (unsigned long)out->length);
		return ACPI_BAD;
	}
	*offset += out->length;
	return ACPI_STRUCTURE;
}

bool acpi_long_enough(const uint8_t *table, const struct acpi_structure *structure, size_t least,
                      char *why, size_t why_size)
{
	if (structure->length >= least)
		return true;
	snprintf(why, why_size, "%.4s: structure of type %u has length %lu, its least is %lu",
	         (const char *)table, structure->type, (unsigned long)structure->length,
	         (unsigned long)least);
	return false;
}
