/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordinary 8-byte moves into lines that were asked for, to be written, eight lines
 * ahead. The last requests go past the memmap's end: a prefetch never faults.
 */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"

#define STORE      "movq"
#define BESIDE(at) "prefetchw 512+" at "(%[dst])\n\t"
#include "arch/x86_64/copy/gpr.h"

static ALWAYS_INLINE void copy_prefetchw(void *dst, const void *src)
{
	__asm__ volatile("prefetchw %0" : : "m"(((const char *)dst)[512]));
	copy_gpr(dst, src);
}

static void stamp_prefetchw(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_gpr(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_prefetchw(void)
{
}

static const char *missing_prefetchw(void)
{
	return cpuid(0x80000001, 0).ecx >> 8 & 1 ? NULL : "no PREFETCHW";
}

DEFINE_COPY_BACKEND(prefetchw, .name = "prefetchw", .instruction = "prefetchw, mov r64",
                    .block_bytes = 8, .missing = missing_prefetchw);
