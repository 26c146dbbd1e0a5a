/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libFuzzer harnesses of the parsers in discover/, one file each: `make fuzz`. The files that
 * one links stand in its "links:" comment; tests/fuzz/seeds.py has a function of its name.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a parser promised and did not keep is a finding, like a crash. */
#define ALWAYS(condition)                                                                          \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* A copy with the header that an ACPI table needs to get past its checksum; NULL if too short. */
static inline uint8_t *fuzz_acpi_table(const char *signature, const uint8_t *data, size_t size)
{
	uint8_t *table, sum = 0;

	if (size < 36)
		return NULL;
	table = malloc(size);
	if (!table)
		return NULL;
	memcpy(table, data, size);
	memcpy(table, signature, 4);
	for (unsigned i = 0; i < 4; i++)
		table[4 + i] = (uint8_t)(size >> (8 * i));
	table[9] = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + table[i]);
	table[9] = (uint8_t)-sum;
	return table;
}

#endif
