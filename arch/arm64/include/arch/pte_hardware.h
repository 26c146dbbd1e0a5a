/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ARCH_PTE_HARDWARE_H
#define ARCH_PTE_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Does an access through an old entry make it young, or is it a fault? FEAT_HAFDBS. To a
 * Linux process the field reads as 0: it is not told.
 */
static inline bool arch_hardware_sets_young(void)
{
	uint64_t mmfr1;

	__asm__("mrs %0, id_aa64mmfr1_el1" : "=r"(mmfr1));
	return mmfr1 & 0xf;
}

/* As Linux (cpu_has_hw_af()): old where that costs no fault. */
static inline bool arch_wants_old_prefaulted_pte(void)
{
	return arch_hardware_sets_young();
}

#endif
