/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/hmat.h>

#include <pagestamp/acpi.h>

#include "discover/array.h"
#include "discover/le.h"

#include <stdio.h>

#define HMAT_HEADER_SIZE 40u
#define LOCALITY_SIZE    32u /* before its lists */
#define UNITS_KNOWN      2u  /* from this revision on: picoseconds and MB/s */
#define NOTHING_SAID     0u
#define NOT_REACHABLE    0xffffu
#define MEMORY_OF_ITSELF 0u /* in bits 0 to 3 of the flags: else a level of cache */
#define NR_DATA_TYPES    6u

enum { LOCALITY = 1 };

/* Of a data type: the figures that it gives, from first on. */
static const struct {
	enum hmat_figure first;
	unsigned nr;
} gives[NR_DATA_TYPES] = {
	{HMAT_READ_LATENCY, 2},   {HMAT_READ_LATENCY, 1},   {HMAT_WRITE_LATENCY, 1},
	{HMAT_READ_BANDWIDTH, 2}, {HMAT_READ_BANDWIDTH, 1}, {HMAT_WRITE_BANDWIDTH, 1},
};

static bool add_entries(struct hmat *hmat, uint32_t initiator, uint32_t target, unsigned type,
                        uint64_t value)
{
	for (unsigned i = 0; i < gives[type].nr; i++) {
		struct hmat_entry *grown = array_grow(hmat->entry, hmat->nr, sizeof(*grown));

		if (!grown)
			return false;
		hmat->entry = grown;
		grown[hmat->nr++] =
			(struct hmat_entry){initiator, target, gives[type].first + i, value};
	}
	return true;
}

/* Its matrix: a row for each initiator, a column for each target, 16 bits each. */
static bool read_locality(const struct acpi_structure *structure, struct hmat *out, char *why,
                          size_t why_size)
{
	const uint8_t *at = structure->at;
	uint64_t initiators = le32(at + 12), targets = le32(at + 16), base = le64(at + 24);
	const uint8_t *initiator = at + LOCALITY_SIZE, *target, *matrix;
	unsigned type = at[9];

	/* The first test keeps the second from overflowing. */
	if (initiators > structure->length / 4 || targets > structure->length / 4 ||
	    LOCALITY_SIZE + 4 * (initiators + targets) + 2 * initiators * targets >
	            structure->length) {
		snprintf(why, why_size, "HMAT: %lu initiators and %lu targets in %lu bytes",
		         (unsigned long)initiators, (unsigned long)targets,
		         (unsigned long)structure->length);
		return false;
	}
	if ((at[8] & 0xf) != MEMORY_OF_ITSELF || type >= NR_DATA_TYPES)
		return true;
	target = initiator + 4 * initiators;
	matrix = target + 4 * targets;
	for (size_t i = 0; i < initiators; i++)
		for (size_t t = 0; t < targets; t++) {
			uint64_t value = le16(matrix + 2 * (i * targets + t));

			if (value == NOTHING_SAID || value == NOT_REACHABLE ||
			    base > UINT64_MAX / value || base == 0)
				continue;
			if (!add_entries(out, le32(initiator + 4 * i), le32(target + 4 * t), type,
			                 value * base)) {
				snprintf(why, why_size, "HMAT: out of memory");
				return false;
			}
		}
	return true;
}

static bool read_structures(const uint8_t *table, size_t length, struct hmat *out, char *why,
                            size_t why_size)
{
	size_t offset = HMAT_HEADER_SIZE;
	struct acpi_structure structure;
	enum acpi_step step;

	while ((step = acpi_next(table, length, ACPI_FORM_2_2_4, &offset, &structure, why,
	                         why_size)) == ACPI_STRUCTURE) {
		if (structure.type != LOCALITY)
			continue;
		if (!acpi_long_enough(table, &structure, LOCALITY_SIZE, why, why_size) ||
		    !read_locality(&structure, out, why, why_size))
			return false;
	}
	return step == ACPI_END;
}

static bool units_known(const uint8_t *table, char *why, size_t why_size)
{
	if (table[8] >= UNITS_KNOWN)
		return true;
	snprintf(why, why_size, "HMAT: revision %u counts in other units", table[8]);
	return false;
}

bool hmat_parse(const void *bytes, size_t size, struct hmat *out, char *why, size_t why_size)
{
	size_t length;

	*out = (struct hmat){0};
	if (acpi_table_check(bytes, size, "HMAT", HMAT_HEADER_SIZE, &length, why, why_size) &&
	    units_known(bytes, why, why_size) && read_structures(bytes, length, out, why, why_size))
		return true;
	hmat_free(out);
	return false;
}

void hmat_free(struct hmat *hmat)
{
	free(hmat->entry);
	*hmat = (struct hmat){0};
}

/* The entry of the least value, or the greatest; the first of equals. */
static const struct hmat_entry *best(const struct hmat *hmat, uint32_t target,
                                     enum hmat_figure figure, bool least)
{
	const struct hmat_entry *best = NULL;

	for (size_t i = 0; i < hmat->nr; i++) {
		const struct hmat_entry *entry = &hmat->entry[i];

		if (entry->target == target && entry->figure == figure &&
		    (!best || (least ? entry->value < best->value : entry->value > best->value)))
			best = entry;
	}
	return best;
}

bool hmat_nearest(const struct hmat *hmat, uint32_t target, struct hmat_view *out)
{
	const struct hmat_entry *nearest = best(hmat, target, HMAT_READ_LATENCY, true);

	*out = (struct hmat_view){0};
	if (!nearest)
		nearest = best(hmat, target, HMAT_READ_BANDWIDTH, false);
	if (!nearest)
		return false;
	out->initiator = nearest->initiator;
	for (size_t i = hmat->nr; i-- > 0;)
		if (hmat->entry[i].target == target && hmat->entry[i].initiator == out->initiator)
			out->value[hmat->entry[i].figure] = hmat->entry[i].value;
	return true;
}
