/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/madt.h>

#include <pagestamp/acpi.h>

#include "discover/array.h"
#include "discover/le.h"

#include <stdio.h>

#define MADT_HEADER_SIZE 44u

enum { LOCAL_APIC = 0, LOCAL_X2APIC = 9, GICC = 11 };

/* GICC since ACPI 5.1: before, it had no MPIDR, and no server was made with it. */
enum { LOCAL_APIC_SIZE = 8, LOCAL_X2APIC_SIZE = 16, GICC_SIZE = 76 };

enum {
	ENABLED = 1 << 0,
	APIC_ONLINE_CAPABLE = 1 << 1,
	GICC_ONLINE_CAPABLE = 1 << 3,
};

static size_t least_of(unsigned type)
{
	switch (type) {
	case LOCAL_APIC:
		return LOCAL_APIC_SIZE;
	case LOCAL_X2APIC:
		return LOCAL_X2APIC_SIZE;
	case GICC:
		return GICC_SIZE;
	default:
		return 0;
	}
}

/* False: the structure is no CPU. */
static bool read_cpu(const struct acpi_structure *structure, struct madt_cpu *out)
{
	const uint8_t *at = structure->at;
	uint32_t flags, capable = APIC_ONLINE_CAPABLE;
	uint64_t none;

	switch (structure->type) {
	case LOCAL_APIC:
		*out = (struct madt_cpu){.id = at[3], .uid = at[2]};
		flags = le32(at + 4);
		none = 0xff;
		break;
	case LOCAL_X2APIC:
		*out = (struct madt_cpu){.id = le32(at + 4), .uid = le32(at + 12)};
		flags = le32(at + 8);
		none = UINT32_MAX;
		break;
	default:
		*out = (struct madt_cpu){.id = le64(at + 68), .uid = le32(at + 8)};
		flags = le32(at + 12);
		none = UINT64_MAX;
		capable = GICC_ONLINE_CAPABLE;
		break;
	}
	out->enabled = flags & ENABLED;
	return flags & (ENABLED | capable) && out->id != none;
}

static bool add_cpu(struct madt *madt, const struct madt_cpu *cpu)
{
	struct madt_cpu *grown;

	for (size_t i = 0; i < madt->nr; i++) {
		if (madt->cpu[i].id != cpu->id)
			continue;
		madt->enabled += cpu->enabled && !madt->cpu[i].enabled;
		madt->cpu[i].enabled |= cpu->enabled;
		return true;
	}
	grown = array_grow(madt->cpu, madt->nr, sizeof(*grown));
	if (!grown)
		return false;
	madt->cpu = grown;
	grown[madt->nr++] = *cpu;
	madt->enabled += cpu->enabled;
	return true;
}

static bool read_structures(const uint8_t *table, size_t length, struct madt *out, char *why,
                            size_t why_size)
{
	size_t offset = MADT_HEADER_SIZE;
	struct acpi_structure structure;
	enum acpi_step step;

	while ((step = acpi_next(table, length, ACPI_FORM_1_1, &offset, &structure, why,
	                         why_size)) == ACPI_STRUCTURE) {
		size_t least = least_of(structure.type);
		struct madt_cpu cpu;

		if (!least)
			continue;
		if (!acpi_long_enough(table, &structure, least, why, why_size))
			return false;
		if (read_cpu(&structure, &cpu) && !add_cpu(out, &cpu)) {
			snprintf(why, why_size, "APIC: out of memory");
			return false;
		}
	}
	return step == ACPI_END;
}

bool madt_parse(const void *bytes, size_t size, struct madt *out, char *why, size_t why_size)
{
	size_t length;

	*out = (struct madt){0};
	if (acpi_table_check(bytes, size, "APIC", MADT_HEADER_SIZE, &length, why, why_size) &&
	    read_structures(bytes, length, out, why, why_size))
		return true;
	madt_free(out);
	return false;
}

void madt_free(struct madt *madt)
{
	free(madt->cpu);
	*madt = (struct madt){0};
}
