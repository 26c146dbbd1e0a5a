/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a backend may use: the CPU must have the instruction, and the state it works on
 * must be on while it runs. At CPL 0 the window turns on all that CPUID lists, whatever
 * firmware left off (window.c); in a process only what the kernel turned on is usable.
 */
#ifndef X86_64_COPY_USABLE_H
#define X86_64_COPY_USABLE_H

#include "arch/x86_64/cpuid.h"
#include "arch/x86_64/registers.h"
#include <stddef.h>

/* XCR0: SSE and the upper halves; opmasks, upper halves of zmm0-15, zmm16-31. */
#define STATE_AVX    0x06u
#define STATE_AVX512 (STATE_AVX | 0xe0u)

static inline bool state_usable(uint64_t state)
{
	const uint32_t xsave = 1u << 26, osxsave = 1u << 27;
	uint32_t features = cpuid(1, 0).ecx;
	uint16_t cs;

	__asm__("mov %%cs, %0" : "=r"(cs));
	if ((cs & 3) == 0)
		return features & xsave && (cpuid(0xd, 0).eax & state) == state;
	return features & osxsave && (xgetbv() & state) == state;
}

/* For 32-byte stores AVX would do; adding 8-byte deltas to 32 bytes takes AVX2. */
static inline const char *missing_avx2(void)
{
	if (!(cpuid(7, 0).ebx >> 5 & 1))
		return "no AVX2";
	return state_usable(STATE_AVX) ? NULL : "AVX is off";
}

static inline const char *missing_avx512f(void)
{
	if (!(cpuid(7, 0).ebx >> 16 & 1))
		return "no AVX-512F";
	return state_usable(STATE_AVX512) ? NULL : "AVX-512 is off";
}

#endif
