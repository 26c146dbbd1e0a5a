/* SPDX-License-Identifier: BSD-2-Clause */
/* MOVDIR64B: a line read from memory anywhere and written as one 64-byte direct store. */
#include "arch/x86_64/copy/usable.h"
#include "mm/stamp_block.h"
#include "mm/template.h"

static ALWAYS_INLINE void copy_movdir64b(void *dst, const void *src)
{
	__asm__ volatile("movdir64b (%1), %0" : : "r"(dst), "r"(src) : "memory");
}

static ALWAYS_INLINE void copy_lines(void *dst, const void *src, size_t bytes)
{
	const char *from = src;

	for (char *to = dst, *end = to + bytes; to != end; to += 64, from += 64)
		copy_movdir64b(to, from);
}

static void stamp_movdir64b(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	if (delta) {
		stamp_from_block(dst, image, delta, n, copy_lines);
		return;
	}
	for (char *to = dst, *end = to + 64 * n; to != end; to += 64)
		copy_movdir64b(to, image);
}

static ALWAYS_INLINE void drain_movdir64b(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

static const char *missing_movdir64b(void)
{
	return cpuid(7, 0).ecx >> 28 & 1 ? NULL : "no MOVDIR64B";
}

DEFINE_COPY_BACKEND(movdir64b, .name = "movdir64b", .instruction = "movdir64b", .streaming = true,
                    .block_bytes = 64, .align = 64, .missing = missing_movdir64b);
