/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware's stage 1 translation of low addresses, as it stands. The window uses
 * MAIR and SCTLR exactly as they are, of TCR it may change T0SZ (paging.h), and TTBR0
 * will point to another top table.
 */
#include "paging.h"
#include "sysreg.h"

#include <pagestamp/arch.h>

#include <stdio.h>

/* A descriptor's bits; the same in both layouts but for AP[1] and the execute-never bits. */
#define DESC_VALID         (1ull << 0)
#define DESC_TABLE_OR_PAGE (1ull << 1)
#define DESC_ATTR(index)   ((uint64_t)(index) << 2)
#define DESC_AP1           (1ull << 6) /* EL1: also EL0. EL2, E2H = 0: reserved, one */
#define DESC_READ_ONLY     (1ull << 7)
#define DESC_SH_INNER      (3ull << 8)
#define DESC_AF            (1ull << 10)
#define DESC_PXN           (1ull << 53) /* EL2, E2H = 0: reserved, zero */
#define DESC_UXN           (1ull << 54) /* EL2, E2H = 0: XN */

#define DESC_ADDRESS 0x0000fffffffff000ull

#define TOP_SLOTS 512

#define MAIR_WRITE_BACK 0xff /* inner and outer write-back, read and write allocate */

#define SCTLR_M  (1ull << 0)
#define SCTLR_C  (1ull << 2)
#define SCTLR_EE (1ull << 25)

/* What both layouts of TCR say, of the half that TTBR0 translates. */
struct tcr {
	uint64_t raw;
	unsigned t0sz, granule, inner, outer, pa_size;
	bool disabled, lpa2;
};

static struct tcr read_tcr(void)
{
	uint64_t raw = READ_OWN(tcr);
	struct tcr tcr = {
		.raw = raw,
		.t0sz = (unsigned)bits(raw, 0, 6),
		.inner = (unsigned)bits(raw, 8, 2),
		.outer = (unsigned)bits(raw, 10, 2),
		.granule = (unsigned)bits(raw, 14, 2),
	};

	if (own_is_el2()) {
		tcr.pa_size = (unsigned)bits(raw, 16, 3);
		tcr.lpa2 = bits(raw, 32, 1);
	} else {
		tcr.pa_size = (unsigned)bits(raw, 32, 3);
		tcr.lpa2 = bits(raw, 59, 1);
		tcr.disabled = bits(raw, 7, 1);
	}
	return tcr;
}

/* The index of a write-back attribute, 8 = there is none. */
static unsigned write_back_index(uint64_t mair)
{
	unsigned index = 0;

	while (index < 8 && bits(mair, 8 * index, 8) != MAIR_WRITE_BACK)
		index++;
	return index;
}

static const char *unusable(const struct tcr *tcr, uint64_t sctlr)
{
	if (current_el() != 1 && current_el() != 2)
		return "the program runs neither at EL1 nor at EL2";
	if (!(sctlr & SCTLR_M) || tcr->disabled)
		return "the MMU is off";
	if (!(sctlr & SCTLR_C))
		return "the data cache is off";
	if (sctlr & SCTLR_EE)
		return "tables are big-endian";
	if (tcr->granule != 0)
		return "the granule is not 4K";
	if (tcr->lpa2 || tcr->t0sz < 16)
		return "52-bit addresses (LPA2) are not supported";
	if (tcr->t0sz > 33)
		return "the address space has fewer than 3 levels";
	/* Tables are written through the cache; a walker that bypasses it would not see them. */
	if (tcr->inner == 0 || tcr->outer == 0)
		return "table walks are not cacheable";
	return NULL;
}

static void set_attributes(struct arch_paging *out, unsigned attribute)
{
	bool el2 = own_is_el2();
	uint64_t common = DESC_VALID | DESC_ATTR(attribute) | DESC_SH_INNER | DESC_AF | DESC_UXN |
	                  (el2 ? DESC_AP1 : DESC_PXN);

	for (unsigned writable = 0; writable < 2; writable++) {
		uint64_t leaf = common | (writable ? 0 : DESC_READ_ONLY);

		out->leaf_bits[0][writable] = leaf | DESC_TABLE_OR_PAGE;
		out->leaf_bits[1][writable] = leaf;
	}
	out->table_bits = DESC_VALID | DESC_TABLE_OR_PAGE;
	out->address_mask = DESC_ADDRESS;
	out->encryption = 0;
}

/* What an output address may be: the CPU's limit and TCR's. Without LPA2 48 bits at most. */
static unsigned output_bits(const struct tcr *tcr)
{
	static const unsigned sizes[8] = {32, 36, 40, 42, 44, 48, 48, 48};
	unsigned cpu = (unsigned)bits(READ_SYSREG(id_aa64mmfr0_el1), 0, 4);

	return sizes[cpu < tcr->pa_size ? cpu : tcr->pa_size];
}

bool arch_paging_probe(struct arch_paging *out, char *why, size_t why_size)
{
	struct tcr tcr = read_tcr();
	uint64_t sctlr = READ_OWN(sctlr), mair = READ_OWN(mair);
	unsigned va_bits = 64 - tcr.t0sz, attribute = write_back_index(mair);
	const char *reason = unusable(&tcr, sctlr);

	if (reason) {
		snprintf(why, why_size, "%s (EL%u, SCTLR 0x%llx, TCR 0x%llx)", reason, current_el(),
		         (unsigned long long)sctlr, (unsigned long long)tcr.raw);
		return false;
	}
	if (attribute == 8) {
		snprintf(why, why_size, "no write-back attribute in MAIR 0x%llx",
		         (unsigned long long)mair);
		return false;
	}

	out->root = READ_OWN(ttbr0) & 0x0000fffffffffffeull; /* without ASID and CnP */
	out->levels = (va_bits - 12 + 8) / 9;
	out->top_entries = 1u << (va_bits - 12 - 9 * (out->levels - 1));
	/* Behind the firmware's slots, else among them, but a null pointer shall fault. */
	out->hole_first = out->top_entries < TOP_SLOTS ? out->top_entries : 1;
	out->hole_last = TOP_SLOTS - 1;
	out->pa_bits = output_bits(&tcr);
	set_attributes(out, attribute);
	return true;
}

uintptr_t arch_slot_address(const struct arch_paging *paging, unsigned slot)
{
	return (uintptr_t)slot << (12 + 9 * (paging->levels - 1));
}

#define PAR_FAULT 1ull

bool arch_address_mapped(uint64_t va)
{
	if (own_is_el2())
		__asm__ volatile("at s1e2r, %0" ::"r"(va) : "memory");
	else
		__asm__ volatile("at s1e1r, %0" ::"r"(va) : "memory");
	isb();
	return !(READ_SYSREG(par_el1) & PAR_FAULT);
}
