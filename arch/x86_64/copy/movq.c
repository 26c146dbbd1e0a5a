/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary 8-byte moves, spelt out: what a compiler may not turn into anything else. */
#include "mm/template.h"

static ALWAYS_INLINE void copy_movq(void *dst, const void *src)
{
#pragma GCC unroll 8
	for (unsigned w = 0; w < 8; w++) {
		uint64_t word;

		__asm__ volatile("movq %1, %0" : "=r"(word) : "m"(((const uint64_t *)src)[w]));
		__asm__ volatile("movq %1, %0" : "=m"(((uint64_t *)dst)[w]) : "r"(word));
	}
}

static ALWAYS_INLINE void drain_movq(void)
{
}

#define STORE "movq"
#include "arch/x86_64/copy/stamp_gpr.h"

static void stamp_movq(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_gpr(dst, image, delta, n);
}

DEFINE_COPY_BACKEND(movq, .name = "movq", .instruction = "mov r64", .block_bytes = 8);
