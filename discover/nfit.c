/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/nfit.h>

#include <pagestamp/acpi.h>

#include "discover/array.h"
#include "discover/le.h"

#include <stdio.h>

#define NFIT_HEADER_SIZE 40u

enum { SPA_RANGE = 0, REGION_MAPPING = 1 };

/* Without the location cookie of ACPI 6.4; with it 64. */
#define SPA_RANGE_SIZE      56u
#define REGION_MAPPING_SIZE 48u

#define SPA_DOMAIN_VALID 2u

/* GUIDs as they stand in memory: the first three fields little-endian. */
static const struct {
	uint8_t guid[16];
	const char *name;
} kinds[] = {
	[NFIT_PERSISTENT] = {{0x79, 0xd3, 0xf0, 0x66, 0xf3, 0xb4, 0x74, 0x40, 0xac, 0x43, 0x0d,
                              0x33, 0x18, 0xb7, 0x8c, 0xdb},
                             "persistent memory"},
	[NFIT_VOLATILE] = {{0x4f, 0x94, 0x05, 0x73, 0xda, 0xfd, 0xe3, 0x44, 0xb1, 0x6c, 0x3f, 0x22,
                            0xd2, 0x52, 0xe5, 0xd0},
                           "volatile memory"},
	[NFIT_CONTROL] = {{0xf6, 0x01, 0xf7, 0x92, 0xb4, 0x13, 0x5d, 0x40, 0x91, 0x0b, 0x29, 0x93,
                           0x67, 0xe8, 0x23, 0x4c},
                          "NVDIMM control region"},
	[NFIT_BLOCK_WINDOW] = {{0x30, 0x05, 0xaf, 0x91, 0x86, 0x5d, 0x0e, 0x47, 0xa6, 0xb0, 0x0a,
                                0x2d, 0xb9, 0x40, 0x82, 0x49},
                               "block data window"},
	[NFIT_VIRTUAL_DISK] = {{0x5a, 0x53, 0xab, 0x77, 0xfc, 0x45, 0x4b, 0x62, 0x55, 0x60, 0xf7,
                                0xb2, 0x81, 0xd1, 0xf9, 0x6e},
                               "virtual disk"},
	[NFIT_VIRTUAL_CD] = {{0x30, 0xbd, 0x5a, 0x3d, 0x75, 0x41, 0xce, 0x87, 0x6d, 0x64, 0xd2,
                              0xad, 0xe5, 0x23, 0xc4, 0xbb},
                             "virtual CD"},
	[NFIT_PERSISTENT_VIRTUAL_DISK] = {{0xc9, 0x02, 0xea, 0x5c, 0x07, 0x4d, 0xd3, 0x69, 0x26,
                                           0x9f, 0x44, 0x96, 0xfb, 0xe0, 0x96, 0xf9},
                                          "persistent virtual disk"},
	[NFIT_PERSISTENT_VIRTUAL_CD] = {{0x88, 0x81, 0x01, 0x08, 0xcd, 0x42, 0x48, 0xbb, 0x10, 0x0f,
                                         0x53, 0x87, 0xd5, 0x3d, 0xed, 0x3d},
                                        "persistent virtual CD"},
	[NFIT_UNKNOWN] = {{0}, "memory of an unknown GUID"},
};

const char *nfit_kind_name(enum nfit_kind kind)
{
	return kinds[kind].name;
}

static enum nfit_kind kind_of(const uint8_t *guid)
{
	unsigned kind = 0;

	while (kind < NFIT_UNKNOWN && memcmp(guid, kinds[kind].guid, 16) != 0)
		kind++;
	return (enum nfit_kind)kind;
}

static void read_range(const uint8_t *at, struct nfit_range *out)
{
	*out = (struct nfit_range){
		.index = le16(at + 4),
		.flags = le16(at + 6),
		.kind = kind_of(at + 16),
		.base = le64(at + 32),
		.length = le64(at + 40),
		.attributes = le64(at + 48),
	};
	out->domain_valid = out->flags & SPA_DOMAIN_VALID;
	out->domain = out->domain_valid ? le32(at + 12) : 0;
}

static void read_mapping(const uint8_t *at, struct nfit_mapping *out)
{
	*out = (struct nfit_mapping){
		.handle = le32(at + 4),
		.physical_id = le16(at + 8),
		.range = le16(at + 12),
		.length = le64(at + 16),
		.dpa = le64(at + 32),
		.ways = le16(at + 42),
		.state = le16(at + 44),
	};
}

/* False: out of memory. */
static bool add(struct nfit *nfit, const struct acpi_structure *structure)
{
	void *grown;

	if (structure->type == SPA_RANGE) {
		grown = array_grow(nfit->range, nfit->nr, sizeof(*nfit->range));
		if (!grown)
			return false;
		nfit->range = grown;
		read_range(structure->at, &nfit->range[nfit->nr++]);
	} else {
		grown = array_grow(nfit->mapping, nfit->nr_mappings, sizeof(*nfit->mapping));
		if (!grown)
			return false;
		nfit->mapping = grown;
		read_mapping(structure->at, &nfit->mapping[nfit->nr_mappings++]);
	}
	return true;
}

static bool read_structures(const uint8_t *table, size_t length, struct nfit *out, char *why,
                            size_t why_size)
{
	static const size_t least[] = {
		[SPA_RANGE] = SPA_RANGE_SIZE, [REGION_MAPPING] = REGION_MAPPING_SIZE};
	size_t offset = NFIT_HEADER_SIZE;
	struct acpi_structure structure;
	enum acpi_step step;

	while ((step = acpi_next(table, length, ACPI_FORM_2_2, &offset, &structure, why,
	                         why_size)) == ACPI_STRUCTURE) {
		if (structure.type > REGION_MAPPING)
			continue;
		if (!acpi_long_enough(table, &structure, least[structure.type], why, why_size))
			return false;
		if (!add(out, &structure)) {
			snprintf(why, why_size, "NFIT: out of memory");
			return false;
		}
	}
	return step == ACPI_END;
}

/* Mappings may stand before their ranges. A range of index 0 is none: "of no range". */
static void gather_state(struct nfit *nfit)
{
	for (size_t m = 0; m < nfit->nr_mappings; m++)
		for (size_t i = 0; i < nfit->nr && nfit->mapping[m].range; i++)
			if (nfit->range[i].index == nfit->mapping[m].range)
				nfit->range[i].state |= nfit->mapping[m].state;
}

bool nfit_parse(const void *bytes, size_t size, struct nfit *out, char *why, size_t why_size)
{
	size_t length;

	*out = (struct nfit){0};
	if (acpi_table_check(bytes, size, "NFIT", NFIT_HEADER_SIZE, &length, why, why_size) &&
	    read_structures(bytes, length, out, why, why_size)) {
		gather_state(out);
		return true;
	}
	nfit_free(out);
	return false;
}

void nfit_free(struct nfit *nfit)
{
	free(nfit->range);
	free(nfit->mapping);
	*nfit = (struct nfit){0};
}

struct nfit_interleave nfit_interleave_of(const struct nfit *nfit, uint16_t index)
{
	struct nfit_interleave found = {0};

	for (size_t i = 0; i < nfit->nr_mappings && index; i++) {
		if (nfit->mapping[i].range != index)
			continue;
		found.nvdimms++;
		if (nfit->mapping[i].ways > found.ways)
			found.ways = nfit->mapping[i].ways;
	}
	return found;
}
