/* SPDX-License-Identifier: BSD-2-Clause */
/* The multiple APIC description table (ACPI 6.5, 5.2.12): which CPUs there are. */
#ifndef PAGESTAMP_MADT_H
#define PAGESTAMP_MADT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct madt_cpu {
	uint64_t id;  /* x86-64: APIC or x2APIC id; arm64: MPIDR */
	uint32_t uid; /* ACPI's own, as in the SRAT's GICC affinity */
	bool enabled; /* else only "online capable": it may come later */
};

struct madt {
	struct madt_cpu *cpu; /* each id once, in the table's order */
	size_t nr;
	size_t enabled; /* how many of them are */
};

/*
 * Local APIC, local x2APIC and GICC structures. One that is neither enabled nor online
 * capable is no CPU; nor is an id of all ones (Linux: acpi_parse_lapic(),
 * acpi_parse_x2apic()). A CPU that stands in the table twice, as APIC and as x2APIC, is
 * one. Refused whole, with one reason, as nfit_parse() does.
 */
bool madt_parse(const void *bytes, size_t size, struct madt *out, char *why, size_t why_size);
void madt_free(struct madt *madt);

#endif
