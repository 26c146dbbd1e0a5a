/* SPDX-License-Identifier: BSD-2-Clause */
/* The NVDIMM firmware interface table (ACPI 6.5, 5.2.26): which addresses are persistent memory. */
#ifndef PAGESTAMP_NFIT_H
#define PAGESTAMP_NFIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nfit_kind {
	NFIT_PERSISTENT,
	NFIT_VOLATILE,
	NFIT_CONTROL,
	NFIT_BLOCK_WINDOW,
	NFIT_VIRTUAL_DISK,
	NFIT_VIRTUAL_CD,
	NFIT_PERSISTENT_VIRTUAL_DISK,
	NFIT_PERSISTENT_VIRTUAL_CD,
	NFIT_UNKNOWN, /* a GUID that nobody told us of */
};

/* NVDIMM state flags of the region-mapping structure (Linux: ACPI_NFIT_MEM_*). */
enum nfit_state {
	NFIT_SAVE_FAILED = 1 << 0,
	NFIT_RESTORE_FAILED = 1 << 1,
	NFIT_FLUSH_FAILED = 1 << 2,
	NFIT_NOT_ARMED = 1 << 3,
	NFIT_HEALTH_EVENTS = 1 << 4, /* SMART or health events before this boot */
	NFIT_MAP_FAILED = 1 << 6,
};

/* A system-physical-address range structure, as the table has it: sense is the caller's to judge.
 */
struct nfit_range {
	uint16_t index;
	uint16_t flags;
	enum nfit_kind kind;
	bool domain_valid;
	uint32_t domain; /* proximity domain, 0 unless valid */
	uint64_t base, length;
	uint64_t attributes; /* EFI_MEMORY_* */
	unsigned state;      /* nfit_state bits of all NVDIMMs that back it */
};

/* A region-mapping structure: one NVDIMM's part in a range. */
struct nfit_mapping {
	uint32_t handle;      /* of the NVDIMM, as ACPI and ndctl have it */
	uint16_t physical_id; /* its SMBIOS memory device's handle */
	uint16_t range;       /* nfit_range's index; 0 = of no range */
	uint16_t ways;        /* NVDIMMs interleaved here; 0 and 1 = not interleaved */
	uint64_t length;      /* bytes of the NVDIMM's in the range */
	uint64_t dpa;         /* where they begin on it */
	uint16_t state;       /* nfit_state */
};

struct nfit {
	struct nfit_range *range;
	size_t nr;
	struct nfit_mapping *mapping; /* in the table's order */
	size_t nr_mappings;
};

/*
 * A table that is truncated, has a bad checksum or a structure whose length cannot be
 * is refused whole, with one reason. Structures of other types are stepped over.
 */
bool nfit_parse(const void *bytes, size_t size, struct nfit *out, char *why, size_t why_size);
void nfit_free(struct nfit *nfit);

/* The mappings of the range with this index: how many, and the most ways that one says. */
struct nfit_interleave {
	size_t nvdimms;
	unsigned ways;
};
struct nfit_interleave nfit_interleave_of(const struct nfit *nfit, uint16_t index);

/* "persistent memory", "volatile memory", ... */
const char *nfit_kind_name(enum nfit_kind kind);

#endif
