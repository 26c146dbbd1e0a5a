/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CLZERO, then the words that are not zero. Kept as a warning: the line goes to memory
 * as zeros and has to come back for its words, some 400 ns a descriptor on Zen 5.
 */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"
#include "mm/zero_words.h"

static ALWAYS_INLINE void clear_line(void *line)
{
	__asm__ volatile("clzero" : : "a"(line) : "memory");
}

static ALWAYS_INLINE void copy_clzero(void *dst, const void *src)
{
	clear_then_words(dst, src, clear_line);
}

static void stamp_clzero(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_over_zeros(dst, image, delta, n, clear_line);
}

/* CLZERO is as weakly ordered as a streaming store. */
static ALWAYS_INLINE void drain_clzero(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

static const char *missing_clzero(void)
{
	return cpuid(0x80000008, 0).ebx & 1 ? NULL : "no CLZERO";
}

DEFINE_COPY_BACKEND(clzero, .name = "clzero", .instruction = "clzero, mov r64", .block_bytes = 64,
                    .align = 64, .slow = true, .missing = missing_clzero);
