/* SPDX-License-Identifier: BSD-2-Clause */
/* links: discover/acpi_root.c discover/acpi.c */
#include "tests/fuzz/fuzz.h"

#include <pagestamp/acpi_root.h>

#define BASE 0x10000u

struct memory {
	const uint8_t *data;
	size_t size;
};

static const uint8_t *at(void *ctx, uint64_t address, size_t size)
{
	const struct memory *memory = ctx;

	if (address < BASE || address - BASE > memory->size ||
	    size > memory->size - (address - BASE))
		return NULL;
	return memory->data + (address - BASE);
}

static void seal(uint8_t *bytes, size_t size, size_t own)
{
	uint8_t sum = 0;

	bytes[own] = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + bytes[i]);
	bytes[own] = (uint8_t)-sum;
}

/* Physical memory from BASE on; its first bytes are the RSDP, the XSDT stands at 64. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	struct memory memory = {copy, size};
	const struct acpi_memory reader = {at, &memory};
	struct acpi_root root;
	const uint8_t *table;
	size_t length;

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	if (size >= 64 + 36) {
		uint32_t xsdt = copy[64 + 4] | (uint32_t)copy[64 + 5] << 8;

		seal(copy, 20, 8);
		seal(copy, RSDP_SIZE, 32);
		memset(copy + 64 + 6, 0, 2);
		if (xsdt >= 36 && xsdt <= size - 64)
			seal(copy + 64, xsdt, 9);
	}
	if (acpi_root_read(copy, size, &root))
		for (size_t i = 0; i < 3; i++)
			if (acpi_root_table(&root, &reader, "NFIT", i, &table, &length))
				ALWAYS(table >= copy && length >= 36 &&
				       length <= size - (size_t)(table - copy) &&
				       memcmp(table, "NFIT", 4) == 0);
	free(copy);
	return 0;
}
