/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID is not privileged; the microcode's revision is, and comes from the kernel. */
#include "arch/x86_64/microcode.h"
#include "host/cpu.h"

#include <pagestamp/arch.h>

void describe_microcode(char *out, size_t size)
{
	if (size)
		out[0] = '\0';
}

void host_cpu_describe(struct machine *out)
{
	arch_cpu_describe(out);
}
