/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/paging.h"
#include "arch/x86_64/cpuid.h"
#include "arch/x86_64/registers.h"

#include <pagestamp/arch.h>
#include <stdio.h>

#define PTE_PRESENT  (1ull << 0)
#define PTE_WRITABLE (1ull << 1)
#define PTE_PWT      (1ull << 3)
#define PTE_PCD      (1ull << 4)
#define PTE_ACCESSED (1ull << 5)
#define PTE_DIRTY    (1ull << 6)
#define PTE_LARGE    (1ull << 7)
#define PTE_NX       (1ull << 63)

#define PAT_WB 6

static unsigned paging_levels(void)
{
	return read_cr4() & CR4_LA57 ? 5 : 4;
}

/* Where a CPU with SME or SEV has the bit, in use or not; 0 = no such CPU. */
static uint64_t encryption_bit(void)
{
	struct cpuid r = cpuid(0x8000001f, 0);

	return r.eax & 3 ? 1ull << (r.ebx & 63) : 0;
}

/* The entry by which the firmware maps an address; not present: it does not. */
static uint64_t firmware_leaf(uintptr_t va, uint64_t address_mask)
{
	uint64_t table = read_cr3() & address_mask;

	for (unsigned level = paging_levels() - 1;; level--) {
		const uint64_t *entries = (const uint64_t *)(uintptr_t)table;
		uint64_t entry = entries[(va >> (12 + 9 * level)) % 512];

		if (level == 0 || !(entry & PTE_PRESENT) || (level <= 2 && entry & PTE_LARGE))
			return entry;
		table = entry & address_mask;
	}
}

bool arch_address_mapped(uint64_t va)
{
	const unsigned bits = 12 + 9 * paging_levels();
	const uint64_t mask = CR3_ADDRESS & ~encryption_bit();

	return va >> (bits - 1) == 0 && firmware_leaf(va, mask) & PTE_PRESENT;
}

uint64_t paging_encryption(void)
{
	uint64_t bit = encryption_bit();

	/* Seen in the tables, not read from an MSR that a hypervisor may lack. */
	return bit ? firmware_leaf((uintptr_t)&bit, CR3_ADDRESS & ~bit) & bit : 0;
}

/* The PWT and PCD bits for write-back. Without the PAT bit: its place differs by level. */
static bool write_back_bits(uint64_t pat, uint64_t *bits)
{
	for (unsigned i = 0; i < 4; i++)
		if ((pat >> (8 * i) & 7) == PAT_WB) {
			*bits = (i & 1 ? PTE_PWT : 0) | (i & 2 ? PTE_PCD : 0);
			return true;
		}
	return false;
}

bool arch_paging_probe(struct arch_paging *out, char *why, size_t why_size)
{
	uint64_t encryption = paging_encryption();
	uint64_t nx = rdmsr(MSR_EFER) & EFER_NXE ? PTE_NX : 0;
	uint64_t pat = rdmsr(MSR_PAT), write_back;
	unsigned pa_bits = cpuid(0x80000008, 0).eax & 0xff;

	if (!write_back_bits(pat, &write_back)) {
		snprintf(why, why_size, "IA32_PAT is 0x%016llx: no write-back in entries 0 to 3",
		         (unsigned long long)pat);
		return false;
	}
	if (!pa_bits || pa_bits > 52)
		pa_bits = 36;
	/* What lies above it are attributes too, or nothing. */
	while (encryption_bit() && pa_bits > 36 && encryption_bit() < 1ull << pa_bits)
		pa_bits--;

	*out = (struct arch_paging){
		.root = read_cr3() & CR3_ADDRESS & ~encryption,
		.levels = paging_levels(),
		.top_entries = 512,
		/* Firmware maps the lower half, by identity. */
		.hole_first = 256,
		.hole_last = 511,
		.pa_bits = pa_bits,
		.table_bits = PTE_PRESENT | PTE_WRITABLE | PTE_ACCESSED | encryption,
		.address_mask = CR3_ADDRESS & ~encryption,
		.encryption = encryption,
	};
	for (unsigned level = 0; level < 2; level++) {
		uint64_t bits = PTE_PRESENT | PTE_ACCESSED | nx | write_back | encryption |
		                (level ? PTE_LARGE : 0);

		out->leaf_bits[level][false] = bits;
		out->leaf_bits[level][true] = bits | PTE_WRITABLE | PTE_DIRTY;
	}
	return true;
}

uintptr_t arch_slot_address(const struct arch_paging *paging, unsigned slot)
{
	unsigned shift = 12 + 9 * (paging->levels - 1);
	unsigned unused = 64 - shift - 9;

	return (uintptr_t)((int64_t)((uint64_t)slot << shift << unused) >> unused);
}

void arch_tlb_flush(void)
{
	uint64_t cr4 = read_cr4();

	if (cr4 & CR4_PGE) {
		write_cr4(cr4 & ~CR4_PGE);
		write_cr4(cr4);
	} else {
		write_cr3(read_cr3());
	}
}
