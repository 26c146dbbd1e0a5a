/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary 8-byte moves, spelt out: what a compiler may not turn into anything else. */
#include "mm/template.h"

#define STORE "movq"
#include "arch/x86_64/copy/gpr.h"

static ALWAYS_INLINE void copy_movq(void *dst, const void *src)
{
	copy_gpr(dst, src);
}

static void stamp_movq(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_gpr(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_movq(void)
{
}

DEFINE_COPY_BACKEND(movq, .stamp_down = stamp_down, .name = "movq", .instruction = "mov r64",
                    .block_bytes = 8);
