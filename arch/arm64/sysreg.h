/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System registers. Firmware runs us at EL1 or at EL2. At EL2 with HCR_EL2.E2H = 1 the
 * names ending in _EL1 reach EL2's registers, which then have EL1's layout; so only
 * EL2 with E2H = 0 needs the _EL2 names and layouts of its own.
 */
#ifndef ARM64_SYSREG_H
#define ARM64_SYSREG_H

#include <stdbool.h>
#include <stdint.h>

#define READ_SYSREG(name)                                                                          \
	({                                                                                         \
		uint64_t value_;                                                                   \
		__asm__ volatile("mrs %0, " #name : "=r"(value_)::"memory");                       \
		value_;                                                                            \
	})
#define WRITE_SYSREG(name, value)                                                                  \
	__asm__ volatile("msr " #name ", %0" ::"r"((uint64_t)(value)) : "memory")

/* The register of the translation regime that we run in. */
#define READ_OWN(name) (own_is_el2() ? READ_SYSREG(name##_el2) : READ_SYSREG(name##_el1))
#define WRITE_OWN(name, value)                                                                     \
	do {                                                                                       \
		if (own_is_el2())                                                                  \
			WRITE_SYSREG(name##_el2, value);                                           \
		else                                                                               \
			WRITE_SYSREG(name##_el1, value);                                           \
	} while (0)

#define HCR_E2H (1ull << 34)

static inline unsigned current_el(void)
{
	return (unsigned)(READ_SYSREG(CurrentEL) >> 2 & 3);
}

static inline bool own_is_el2(void)
{
	return current_el() == 2 && !(READ_SYSREG(hcr_el2) & HCR_E2H);
}

static inline void isb(void)
{
	__asm__ volatile("isb" ::: "memory");
}

static inline uint64_t bits(uint64_t value, unsigned low, unsigned width)
{
	return value >> low & ((1ull << width) - 1);
}

#endif
