/* SPDX-License-Identifier: BSD-2-Clause */
/* Streaming 64-byte stores: a whole line each. */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"

#define STORE "vmovntdq"
#include "arch/x86_64/copy/zmm.h"

static ALWAYS_INLINE void copy_movntdq_zmm(void *dst, const void *src)
{
	copy_vector(dst, src);
}

static void stamp_movntdq_zmm(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_vector(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_movntdq_zmm(void)
{
	vector_leave();
	__asm__ volatile("sfence" : : : "memory");
}

DEFINE_COPY_BACKEND(movntdq_zmm, .stamp_down = stamp_down, .name = "movntdq-zmm",
                    .instruction = "vmovntdq zmm", .streaming = true, .block_bytes = 64,
                    .align = 64, .missing = missing_avx512f);
