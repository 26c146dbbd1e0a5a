/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual count: at EL1 a hypervisor may trap the physical one, and at EL2 the
 * offset between the two is a constant, which a difference does not see.
 */
#include "sysreg.h"

#include <pagestamp/arch.h>
#include <pagestamp/counter.h>

#include <stdio.h>

const char arch_counter_name[] = "cntvct";

/*
 * A read of the counter may be executed out of order; ISB before it waits for every
 * earlier instruction, ISB behind it keeps later ones from starting. ISB does not wait
 * for the store buffer: the DSB at the beginning does, so that stores made before are
 * not paid for by the measured code. It stands before the read and is not measured
 * itself. There is none at the end, where waiting is the backend's drain's business: a
 * cached copy is entitled to leave its last stores in the buffer.
 */
uint64_t counter_begin(void)
{
	uint64_t now;

	__asm__ volatile("dsb sy\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(now)::"memory");
	return now;
}

uint64_t counter_end(void)
{
	uint64_t now;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(now)::"memory");
	return now;
}

uint64_t arch_counter_declared_hz(char *source, size_t size)
{
	snprintf(source, size, "cntfrq");
	/* 32 bits have a meaning; firmware that forgot to set it leaves 0. */
	return READ_SYSREG(cntfrq_el0) & 0xffffffffu;
}
