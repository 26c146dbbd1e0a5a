/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memcpy_flushcache(): durable once drained, whatever the alignment. Streaming
 * 8-byte stores where the destination allows; ragged ends are copied through the
 * cache and their lines cleaned. memcpy_nt() is built on it.
 */
#ifndef ARCH_MEMCPY_NT_H
#define ARCH_MEMCPY_NT_H

#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#define ARCH_HAS_MEMCPY_NT
#define ARCH_HAS_MEMCPY_FLUSHCACHE

/* Any length and alignment: arch/x86_64/memcpy_flushcache.c */
void memcpy_flushcache_slow(void *dst, const void *src, size_t n);

static ALWAYS_INLINE void movnti8(void *dst, const void *src)
{
	uint64_t word;

	__builtin_memcpy(&word, src, 8);
	__asm__ volatile("movnti %1, %0" : "=m"(*(uint64_t *)dst) : "r"(word));
}

static ALWAYS_INLINE void movnti4(void *dst, const void *src)
{
	uint32_t word;

	__builtin_memcpy(&word, src, 4);
	__asm__ volatile("movnti %1, %0" : "=m"(*(uint32_t *)dst) : "r"(word));
}

static ALWAYS_INLINE void movnti_words(void *dst, const void *src, size_t words)
{
#pragma GCC unroll 12
	for (size_t w = 0; w < words; w++)
		movnti8((char *)dst + 8 * w, (const char *)src + 8 * w);
}

/* Straight-line code for the sizes a descriptor comes in, when n is a constant. */
static ALWAYS_INLINE void memcpy_flushcache(void *dst, const void *src, size_t n)
{
	if (__builtin_constant_p(n) && !((uintptr_t)dst & 7)) {
		switch (n) {
		case 4:
			movnti4(dst, src);
			return;
		case 8:
		case 16:
		case 32:
		case 48:
		case 64:
		case 80:
		case 96:
			movnti_words(dst, src, n / 8);
			return;
		}
	}
	memcpy_flushcache_slow(dst, src, n);
}

static ALWAYS_INLINE void arch_memcpy_nt(void *dst, const void *src, size_t n)
{
	memcpy_flushcache(dst, src, n);
}

static ALWAYS_INLINE void arch_memcpy_nt_drain(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

#endif
