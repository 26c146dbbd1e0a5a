/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ARCH_X86_64_CPUID_H
#define ARCH_X86_64_CPUID_H

#include <stdbool.h>
#include <stdint.h>

struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid cpuid_raw(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid r;

	__asm__ volatile("cpuid"
	                 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
	                 : "a"(leaf), "c"(subleaf));
	return r;
}

static inline bool cpuid_hypervisor(void)
{
	return cpuid_raw(1, 0).ecx >> 31;
}

/* Beyond the maximum of its group a CPU answers with some other leaf's data. */
static inline bool cpuid_has(uint32_t leaf)
{
	uint32_t group = leaf & 0xf0000000;
	uint32_t max;

	if (group == 0x40000000 && !cpuid_hypervisor())
		return false;
	max = cpuid_raw(group, 0).eax;
	return max >= leaf && (max & 0xf0000000) == group;
}

/* All zero for a leaf that the CPU does not have. */
static inline struct cpuid cpuid(uint32_t leaf, uint32_t subleaf)
{
	return cpuid_has(leaf) ? cpuid_raw(leaf, subleaf) : (struct cpuid){0, 0, 0, 0};
}

#endif
