/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordinary 8-byte moves, then the line written back: durable as streaming stores are,
 * and, on CPUs that keep the line, still cached for the next toucher.
 */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"

#define STORE      "movq"
#define BESIDE(at) "clwb " at "(%[dst])\n\t"
#include "arch/x86_64/copy/gpr.h"

static ALWAYS_INLINE void copy_movq_clwb(void *dst, const void *src)
{
	copy_gpr(dst, src);
	__asm__ volatile("clwb %0" : "+m"(*(char *)dst) : : "memory");
}

static void stamp_movq_clwb(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_gpr(dst, image, delta, n);
}

/* CLWB is ordered by nothing less. */
static ALWAYS_INLINE void drain_movq_clwb(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

static const char *missing_movq_clwb(void)
{
	return cpuid(7, 0).ebx >> 24 & 1 ? NULL : "no CLWB";
}

/* One CLWB is one line: a descriptor that lies across two would be half written back. */
DEFINE_COPY_BACKEND(movq_clwb, .stamp_down = stamp_down, .name = "movq-clwb",
                    .instruction = "mov r64, clwb", .block_bytes = 8, .align = 64,
                    .missing = missing_movq_clwb);
