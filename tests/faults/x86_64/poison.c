/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * QEMU's memory has no poison on x86-64: this is a machine check as a CPU raises it for a
 * load, its bank filled first. A CPU would not let a program fill it.
 */
#include "tests/faults/poison.h"
#include "arch/x86_64/registers.h"

#define BANK 2
/* Valid, uncorrected, enabled, with an address, signaled, action required; a data load. */
#define STATUS (1ull << 63 | 7ull << 60 | 1ull << 58 | 3ull << 55 | 0x134)

static uint64_t line;

static void machine_check(void *arg)
{
	(void)arg;
	wrmsr(MSR_MC0_ADDR + 4 * BANK, line);
	wrmsr(MSR_MC0_STATUS + 4 * BANK, STATUS);
	__asm__ volatile("int $18" : : : "memory");
}

bool poison_view(uintptr_t va, const struct pmem_range *range, uint64_t offset, uint64_t size,
                 void (**fn)(void *arg))
{
	(void)va;
	line = range->base + offset + (size > POISON_AT ? POISON_AT : 0);
	*fn = machine_check;
	return true;
}
