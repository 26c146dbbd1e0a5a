/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary 16-byte stores, which every x86-64 CPU has. */
#include "mm/template.h"

#define STORE "movdqa"
#include "arch/x86_64/copy/xmm.h"

static ALWAYS_INLINE void copy_movdqa_xmm(void *dst, const void *src)
{
	copy_vector(dst, src);
}

static void stamp_movdqa_xmm(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_vector(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_movdqa_xmm(void)
{
}

DEFINE_COPY_BACKEND(movdqa_xmm, .stamp_down = stamp_down, .name = "movdqa-xmm",
                    .instruction = "movdqa xmm", .block_bytes = 16, .align = 16);
