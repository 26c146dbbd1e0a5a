/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary pairs, spelt out: what a compiler may not turn into anything else. */
#include "mm/template.h"

static ALWAYS_INLINE void copy_stp(void *dst, const void *src)
{
	uint64_t a, b, c, d, e, f, g, h;

	__asm__ volatile("ldp %0, %1, [%9]\n\tldp %2, %3, [%9, #16]\n\t"
	                 "ldp %4, %5, [%9, #32]\n\tldp %6, %7, [%9, #48]\n\t"
	                 "stp %0, %1, [%8]\n\tstp %2, %3, [%8, #16]\n\t"
	                 "stp %4, %5, [%8, #32]\n\tstp %6, %7, [%8, #48]"
	                 : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d), "=&r"(e), "=&r"(f), "=&r"(g),
	                   "=&r"(h)
	                 : "r"(dst), "r"(src)
	                 : "memory");
}

static ALWAYS_INLINE void drain_stp(void)
{
}

#define STORE "stp"
#include "arch/arm64/copy/stamp_pairs.h"

static void stamp_stp(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_pairs(dst, image, delta, n);
}

DEFINE_COPY_BACKEND(stp, .name = "stp", .instruction = "ldp/stp x, x", .block_bytes = 16);
