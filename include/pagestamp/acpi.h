/* SPDX-License-Identifier: BSD-2-Clause */
/* What all ACPI tables have in common (ACPI 6.5, 5.2.6). */
#ifndef PAGESTAMP_ACPI_H
#define PAGESTAMP_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACPI_HEADER_SIZE 36u

/*
 * Signature, length (at least `least`, at most the `size` bytes at hand) and checksum.
 * True with the table's own length in `*length`; false with one reason in `why`.
 */
bool acpi_table_check(const void *bytes, size_t size, const char *signature, size_t least,
                      size_t *length, char *why, size_t why_size);

/* One structure of the list that makes up a table's body. */
struct acpi_structure {
	const uint8_t *at;
	size_t length; /* of the whole structure, within the table */
	unsigned type;
};

enum acpi_step {
	ACPI_STRUCTURE, /* *out is the next one, *offset behind it */
	ACPI_END,
	ACPI_BAD, /* a length of 0, shorter than its own header, or beyond the table; see `why` */
};

/* How a structure begins: the bytes of its type, what is reserved, the bytes of its length. */
enum acpi_form {
	ACPI_FORM_1_1,   /* SRAT, MADT */
	ACPI_FORM_1_1_2, /* CEDT */
	ACPI_FORM_2_2,   /* NFIT */
	ACPI_FORM_2_2_4, /* HMAT */
};

/*
 * Steps through a checked table from `*offset`. Lengths drive it: ACPI lets every
 * structure grow.
 */
enum acpi_step acpi_next(const uint8_t *table, size_t length, enum acpi_form form, size_t *offset,
                         struct acpi_structure *out, char *why, size_t why_size);

/* Whether a structure has the `least` bytes that its type needs; else one reason in `why`. */
bool acpi_long_enough(const uint8_t *table, const struct acpi_structure *structure, size_t least,
                      char *why, size_t why_size);

#endif
