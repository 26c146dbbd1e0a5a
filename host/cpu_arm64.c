/* SPDX-License-Identifier: BSD-2-Clause */
/* MIDR and the feature registers are emulated by Linux for processes; EL and caches are not. */
#include "host/cpu.h"

#include <pagestamp/arch.h>
#include <stdio.h>
#include <sys/auxv.h>

const char arch_name[] = "arm64";

void host_cpu_describe(struct machine *out)
{
	unsigned long midr = 0, dczid;

	if (getauxval(AT_HWCAP) & 1ul << 11) /* HWCAP_CPUID: the registers can be read */
		__asm__("mrs %0, midr_el1" : "=r"(midr));
	if (midr) {
		snprintf(out->midr, sizeof(out->midr), "0x%lx", midr);
		snprintf(out->cpu, sizeof(out->cpu), "implementer 0x%02lx part 0x%03lx",
		         midr >> 24 & 0xff, midr >> 4 & 0xfff);
	}
	__asm__("mrs %0, dczid_el0" : "=r"(dczid));
	if (dczid & 0x10)
		snprintf(out->features, sizeof(out->features), "asimd dczva-prohibited");
	else
		snprintf(out->features, sizeof(out->features), "asimd dczva=%lu",
		         4ul << (dczid & 0xf));
}
