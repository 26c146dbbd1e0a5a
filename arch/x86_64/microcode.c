/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/x86_64/microcode.h"
#include "arch/x86_64/cpuid.h"
#include "arch/x86_64/registers.h"

#include <pagestamp/arch.h>
#include <stdio.h>

static void read_revision(void *arg)
{
	uint32_t *revision = arg;

	if (cpuid_raw(0, 0).ebx == 0x756e6547) { /* "Genu"ineIntel: loaded by CPUID, upper half */
		wrmsr(MSR_MICROCODE, 0);
		cpuid_raw(1, 0);
		*revision = rdmsr(MSR_MICROCODE) >> 32;
	} else {
		*revision = (uint32_t)rdmsr(MSR_MICROCODE);
	}
}

void describe_microcode(char *out, size_t size)
{
	struct window_fault fault;
	struct arch_paging paging;
	uint32_t revision = 0;
	char why[8];

	/* Not every hypervisor has this register: read it where a fault does no harm. */
	out[0] = '\0';
	if (arch_paging_probe(&paging, why, sizeof(why)) &&
	    arch_window_run(paging.root, read_revision, &revision, &fault) && revision)
		snprintf(out, size, "0x%x", (unsigned)revision);
}
