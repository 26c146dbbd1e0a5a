/* SPDX-License-Identifier: BSD-2-Clause */
/* The system resource affinity table (ACPI 6.5, 5.2.16): which node an address belongs to. */
#ifndef PAGESTAMP_SRAT_H
#define PAGESTAMP_SRAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An enabled memory affinity structure. It says whose an address would be, not that
 * there is memory: hot-plug entries reach far beyond it. Never size RAM from this.
 */
struct srat_memory {
	uint64_t base, length;
	uint32_t domain;
	bool non_volatile;
};

struct srat {
	struct srat_memory *memory;
	size_t nr;
	unsigned nodes; /* distinct proximity domains of enabled memory, processors, initiators */
	/* Enabled generic initiators: devices that reach memory as a processor does. */
	unsigned initiators;
};

/* Refused whole, with one reason, as nfit_parse() does. Entries that are not enabled are no
 * entries. */
bool srat_parse(const void *bytes, size_t size, struct srat *out, char *why, size_t why_size);
void srat_free(struct srat *srat);

/* The proximity domain of an address; false when the table does not say. */
bool srat_domain(const struct srat *srat, uint64_t address, uint32_t *domain);

#endif
