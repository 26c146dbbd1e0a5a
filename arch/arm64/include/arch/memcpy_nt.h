/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Streaming copy by STNP, whose non-temporal hint is the architecture's only one for
 * general registers (Arm ARM, "Load/Store Non-temporal pair"). Its stores are
 * ordinary ones to the memory model, so the drain is a store barrier.
 */
#ifndef ARCH_MEMCPY_NT_H
#define ARCH_MEMCPY_NT_H

#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#define ARCH_HAS_MEMCPY_NT

static ALWAYS_INLINE void stnp16(void *dst, const void *src)
{
	const uint64_t *word = src;

	__asm__ volatile("stnp %1, %2, %0"
	                 : "=Ump"(*(__uint128_t *)dst)
	                 : "r"(word[0]), "r"(word[1]));
}

static ALWAYS_INLINE void arch_memcpy_nt(void *dst, const void *src, size_t n)
{
	char *to = dst;
	const char *from = src;

#pragma GCC unroll 6
	for (; n >= 16; n -= 16, to += 16, from += 16)
		stnp16(to, from);
	/* No non-temporal store is narrower than a pair of 32-bit registers. */
	if (n >= 8) {
		uint32_t pair[2];

		__builtin_memcpy(pair, from, 8);
		__asm__ volatile("stnp %w1, %w2, %0"
		                 : "=Ump"(*(uint64_t *)to)
		                 : "r"(pair[0]), "r"(pair[1]));
		n -= 8;
		to += 8;
		from += 8;
	}
	if (n)
		__builtin_memcpy(to, from, 4);
}

static ALWAYS_INLINE void arch_memcpy_nt_drain(void)
{
	__asm__ volatile("dmb ishst" : : : "memory");
}

#endif
