/* SPDX-License-Identifier: BSD-2-Clause */
/* Streaming 16-byte stores. */
#include "mm/template.h"

#define STORE "movntdq"
#include "arch/x86_64/copy/xmm.h"
#include "arch/x86_64/copy/pattern.h"

static ALWAYS_INLINE void copy_movntdq_xmm(void *dst, const void *src)
{
	copy_vector(dst, src);
}

static void stamp_movntdq_xmm(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_vector(dst, image, delta, n);
}

static void stamp_sized_movntdq_xmm(void *dst, const uint64_t *image, const uint64_t *delta,
                                    unsigned size, size_t n)
{
	stamp_by_pattern(dst, image, delta, size, n, REGISTER_BYTES, store_turns);
}

static ALWAYS_INLINE void drain_movntdq_xmm(void)
{
	__asm__ volatile("sfence" : : : "memory");
}

DEFINE_COPY_BACKEND(movntdq_xmm, .stamp_down = stamp_down, .stamp_sized = stamp_sized_movntdq_xmm,
                    .name = "movntdq-xmm", .instruction = "movntdq xmm", .streaming = true,
                    .block_bytes = 16, .align = 16);
