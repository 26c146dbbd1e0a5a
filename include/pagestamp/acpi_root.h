/* SPDX-License-Identifier: BSD-2-Clause */
/* From the RSDP to a table (ACPI 6.5, 5.2.5 to 5.2.8), whatever firmware put there. */
#ifndef PAGESTAMP_ACPI_ROOT_H
#define PAGESTAMP_ACPI_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RSDP_SIZE 36u /* of revision 2; revision 1 has the first 20 bytes alone */

/* The bytes [address, address + size) of physical memory; NULL: there are none. */
struct acpi_memory {
	const uint8_t *(*at)(void *ctx, uint64_t address, size_t size);
	void *ctx;
};

/* Where the root tables are; 0 = the RSDP does not say. */
struct acpi_root {
	uint64_t rsdt, xsdt;
};

/*
 * An RSDP, of which at most `size` bytes are looked at. Revision 1 gives the RSDT; from
 * revision 2 on an XSDT as well, whose address counts only when the checksum of the whole
 * is right. False: not an RSDP, too short, or the checksum of its first 20 bytes is wrong.
 */
bool acpi_root_read(const uint8_t *rsdp, size_t size, struct acpi_root *out);

/*
 * The index-th table with this signature that the XSDT names, or, where the XSDT is no
 * table (signature, length, checksum), the RSDT. An entry is passed over when it is 0,
 * when there is no memory, or when the length there is less than a header or more than
 * 64 MiB; the table's own checksum is its parser's to judge. False: none such.
 */
bool acpi_root_table(const struct acpi_root *root, const struct acpi_memory *memory,
                     const char signature[4], size_t index, const uint8_t **table, size_t *length);

#endif
