/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/srat.h>

#include <pagestamp/acpi.h>

#include "discover/array.h"
#include "discover/le.h"

#include <stdio.h>

#define SRAT_HEADER_SIZE 48u

enum { LOCAL_APIC = 0, MEMORY = 1, LOCAL_X2APIC = 2, GICC = 3, GENERIC_INITIATOR = 5, KNOWN_TYPES };

#define ENABLED      1u
#define NON_VOLATILE 4u

static const struct {
	size_t least;
	unsigned flags_at, domain_at;
} layout[KNOWN_TYPES] = {
	[LOCAL_APIC] = {16, 4, 2}, /* 8 bits of the domain here, 24 at 9 */
	[MEMORY] = {40, 28, 2},    [LOCAL_X2APIC] = {24, 12, 4},
	[GICC] = {18, 10, 2},      [GENERIC_INITIATOR] = {32, 24, 4},
};

struct domains {
	uint32_t *value;
	size_t nr;
};

static bool count_domain(struct domains *seen, uint32_t domain)
{
	uint32_t *grown;

	for (size_t i = 0; i < seen->nr; i++)
		if (seen->value[i] == domain)
			return true;
	grown = array_grow(seen->value, seen->nr, sizeof(*grown));
	if (!grown)
		return false;
	seen->value = grown;
	grown[seen->nr++] = domain;
	return true;
}

/* Revision 1 had 8-bit domains; what stands in the other bytes there is not one (Linux:
 * acpi_srat_revision). */
static uint32_t domain_of(const struct acpi_structure *structure, uint8_t revision)
{
	const uint8_t *at = structure->at;
	uint32_t domain = le32(at + layout[structure->type].domain_at);

	if (structure->type == LOCAL_APIC)
		domain = at[2] | le16(at + 9) << 8 | (uint32_t)at[11] << 24;
	return revision < 2 && structure->type <= MEMORY ? domain & 0xff : domain;
}

static bool add_memory(struct srat *srat, const uint8_t *at, uint32_t domain)
{
	struct srat_memory *grown = array_grow(srat->memory, srat->nr, sizeof(*grown));

	if (!grown)
		return false;
	srat->memory = grown;
	grown[srat->nr++] = (struct srat_memory){le64(at + 8), le64(at + 16), domain,
	                                         le32(at + 28) & NON_VOLATILE};
	return true;
}

static bool read_structures(const uint8_t *table, size_t length, struct srat *out,
                            struct domains *seen, char *why, size_t why_size)
{
	size_t offset = SRAT_HEADER_SIZE;
	struct acpi_structure structure;
	uint8_t revision = table[8];
	enum acpi_step step;

	while ((step = acpi_next(table, length, ACPI_FORM_1_1, &offset, &structure, why,
	                         why_size)) == ACPI_STRUCTURE) {
		uint32_t domain;

		if (structure.type >= KNOWN_TYPES || !layout[structure.type].least)
			continue;
		if (!acpi_long_enough(table, &structure, layout[structure.type].least, why,
		                      why_size))
			return false;
		if (!(le32(structure.at + layout[structure.type].flags_at) & ENABLED))
			continue;
		domain = domain_of(&structure, revision);
		if (structure.type == GENERIC_INITIATOR)
			out->initiators++;
		if (!count_domain(seen, domain) ||
		    (structure.type == MEMORY && !add_memory(out, structure.at, domain))) {
			snprintf(why, why_size, "SRAT: out of memory");
			return false;
		}
	}
	return step == ACPI_END;
}

bool srat_parse(const void *bytes, size_t size, struct srat *out, char *why, size_t why_size)
{
	struct domains seen = {0};
	size_t length;
	bool good;

	*out = (struct srat){0};
	good = acpi_table_check(bytes, size, "SRAT", SRAT_HEADER_SIZE, &length, why, why_size) &&
	       read_structures(bytes, length, out, &seen, why, why_size);
	out->nodes = (unsigned)seen.nr;
	free(seen.value);
	if (!good)
		srat_free(out);
	return good;
}

void srat_free(struct srat *srat)
{
	free(srat->memory);
	*srat = (struct srat){0};
}

bool srat_domain(const struct srat *srat, uint64_t address, uint32_t *domain)
{
	for (size_t i = 0; i < srat->nr; i++) {
		const struct srat_memory *memory = &srat->memory[i];

		if (address >= memory->base && address - memory->base < memory->length) {
			*domain = memory->domain;
			return true;
		}
	}
	return false;
}
