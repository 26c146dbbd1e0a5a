/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/cedt.h>

#include <pagestamp/acpi.h>

#include "discover/array.h"
#include "discover/le.h"

#include <stdio.h>

#define CEDT_HEADER_SIZE 36u
#define WINDOW_SIZE      36u /* before its list of targets, which has at least one */
#define WINDOW_ALIGN     (256ull << 20)
#define GRANULARITY_MAX  6u /* encoded: 256 bytes << this */

enum { FIXED_MEMORY_WINDOW = 1 };

/* 0: an encoding that there is not. */
static unsigned ways_of(uint8_t encoded)
{
	if (encoded <= 4)
		return 1u << encoded;
	if (encoded >= 8 && encoded <= 10)
		return 3u << (encoded - 8);
	return 0;
}

static bool read_window(const struct acpi_structure *structure, struct cedt_window *out)
{
	const uint8_t *at = structure->at;
	uint32_t granularity = le32(at + 28);

	*out = (struct cedt_window){
		.base = le64(at + 8),
		.size = le64(at + 16),
		.ways = ways_of(at[24]),
		.granularity = 256ull << (granularity & 7),
		.restrictions = le16(at + 32),
	};
	return out->size && out->base % WINDOW_ALIGN == 0 && out->size % WINDOW_ALIGN == 0 &&
	       out->base <= UINT64_MAX - out->size && out->ways && granularity <= GRANULARITY_MAX &&
	       structure->length >= WINDOW_SIZE + 4 * out->ways;
}

static bool read_structures(const uint8_t *table, size_t length, struct cedt *out, char *why,
                            size_t why_size)
{
	size_t offset = CEDT_HEADER_SIZE;
	struct acpi_structure structure;
	enum acpi_step step;

	while ((step = acpi_next(table, length, ACPI_FORM_1_1_2, &offset, &structure, why,
	                         why_size)) == ACPI_STRUCTURE) {
		struct cedt_window window, *grown;

		if (structure.type != FIXED_MEMORY_WINDOW)
			continue;
		if (!acpi_long_enough(table, &structure, WINDOW_SIZE + 4, why, why_size))
			return false;
		if (!read_window(&structure, &window)) {
			out->refused++;
			continue;
		}
		grown = array_grow(out->window, out->nr, sizeof(*grown));
		if (!grown) {
			snprintf(why, why_size, "CEDT: out of memory");
			return false;
		}
		out->window = grown;
		grown[out->nr++] = window;
	}
	return step == ACPI_END;
}

bool cedt_parse(const void *bytes, size_t size, struct cedt *out, char *why, size_t why_size)
{
	size_t length;

	*out = (struct cedt){0};
	if (acpi_table_check(bytes, size, "CEDT", CEDT_HEADER_SIZE, &length, why, why_size) &&
	    read_structures(bytes, length, out, why, why_size))
		return true;
	cedt_free(out);
	return false;
}

void cedt_free(struct cedt *cedt)
{
	free(cedt->window);
	*cedt = (struct cedt){0};
}

bool cedt_describe(const struct cedt *cedt, uint64_t base, uint64_t size, char *out,
                   size_t out_size)
{
	size_t first = 0, touched = 0;

	for (size_t i = 0; i < cedt->nr; i++) {
		const struct cedt_window *window = &cedt->window[i];

		if (base >= window->base + window->size || window->base >= base + size)
			continue;
		if (touched++ == 0)
			first = i;
	}
	if (out_size)
		out[0] = '\0';
	if (touched == 1)
		snprintf(out, out_size, "CXL window %lu", (unsigned long)first);
	else if (touched)
		snprintf(out, out_size, "CXL window %lu and %lu more", (unsigned long)first,
		         (unsigned long)touched - 1);
	return touched;
}
