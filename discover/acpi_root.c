/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/acpi_root.h>

#include <pagestamp/acpi.h>

#include "discover/le.h"

#include <string.h>

#define RSDP_1_SIZE 20u
/* An NFIT of a machine full of NVDIMMs is some 100 KiB; beyond this it is no table. */
#define TABLE_MAX (64u << 20)

static bool sums_to_zero(const uint8_t *bytes, size_t size)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum == 0;
}

bool acpi_root_read(const uint8_t *rsdp, size_t size, struct acpi_root *out)
{
	size_t length;

	*out = (struct acpi_root){0};
	if (size < RSDP_1_SIZE || memcmp(rsdp, "RSD PTR ", 8) != 0 ||
	    !sums_to_zero(rsdp, RSDP_1_SIZE))
		return false;
	out->rsdt = le32(rsdp + 16);
	if (rsdp[15] < 2 || size < RSDP_SIZE)
		return true;
	length = le32(rsdp + 20);
	if (length >= RSDP_SIZE && length <= size && sums_to_zero(rsdp, length))
		out->xsdt = le64(rsdp + 24);
	return true;
}

static const uint8_t *table_at(const struct acpi_memory *memory, uint64_t address, size_t *length)
{
	const uint8_t *header = address ? memory->at(memory->ctx, address, ACPI_HEADER_SIZE) : NULL;

	if (!header)
		return NULL;
	*length = le32(header + 4);
	if (*length < ACPI_HEADER_SIZE || *length > TABLE_MAX)
		return NULL;
	return memory->at(memory->ctx, address, *length);
}

static const uint8_t *root_at(const struct acpi_memory *memory, uint64_t address,
                              const char *signature, size_t *length)
{
	const uint8_t *table = table_at(memory, address, length);
	char why[64];

	if (!table || !acpi_table_check(table, *length, signature, ACPI_HEADER_SIZE, length, why,
	                                sizeof(why)))
		return NULL;
	return table;
}

bool acpi_root_table(const struct acpi_root *root, const struct acpi_memory *memory,
                     const char signature[4], size_t index, const uint8_t **table, size_t *length)
{
	size_t root_length, pointer = 8;
	const uint8_t *list = root_at(memory, root->xsdt, "XSDT", &root_length);

	if (!list) {
		list = root_at(memory, root->rsdt, "RSDT", &root_length);
		pointer = 4;
	}
	if (!list)
		return false;
	for (size_t at = ACPI_HEADER_SIZE; at + pointer <= root_length; at += pointer) {
		uint64_t address = pointer == 8 ? le64(list + at) : le32(list + at);
		const uint8_t *found = table_at(memory, address, length);

		if (!found || memcmp(found, signature, 4) != 0 || index-- > 0)
			continue;
		*table = found;
		return true;
	}
	return false;
}
