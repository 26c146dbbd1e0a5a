/* SPDX-License-Identifier: BSD-2-Clause */
/* The time-stamp counter. No privileged instruction: the native program uses it too. */
#include "arch/x86_64/cpuid.h"

#include <pagestamp/arch.h>
#include <pagestamp/counter.h>
#include <stdio.h>

const char arch_counter_name[] = "tsc";

static enum { UNKNOWN, ABSENT, PRESENT } rdtscp;

uint64_t counter_begin(void)
{
	uint32_t low, high;

	if (rdtscp == UNKNOWN)
		rdtscp = cpuid(0x80000001, 0).edx >> 27 & 1 ? PRESENT : ABSENT;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

uint64_t counter_end(void)
{
	uint32_t low, high;

	if (rdtscp == PRESENT)
		__asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "ecx", "memory");
	else
		__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

uint64_t arch_counter_declared_hz(char *source, size_t size)
{
	struct cpuid tsc = cpuid(0x15, 0), hypervisor = cpuid(0x40000010, 0);

	/* Leaf 0x15: tsc = crystal * ebx / eax; the crystal may be left out. */
	if (tsc.eax && tsc.ebx && tsc.ecx) {
		snprintf(source, size, "cpuid 0x15");
		return (uint64_t)tsc.ecx * tsc.ebx / tsc.eax;
	}
	if (hypervisor.eax) {
		snprintf(source, size, "cpuid 0x40000010");
		return hypervisor.eax * 1000ull;
	}
	return 0;
}
