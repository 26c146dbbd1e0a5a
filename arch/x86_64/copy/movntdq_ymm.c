/* SPDX-License-Identifier: BSD-2-Clause */
/* Streaming 32-byte stores. */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"

#define STORE "vmovntdq"
#include "arch/x86_64/copy/ymm.h"

static ALWAYS_INLINE void copy_movntdq_ymm(void *dst, const void *src)
{
	copy_vector(dst, src);
}

static void stamp_movntdq_ymm(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_vector(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_movntdq_ymm(void)
{
	vector_leave();
	__asm__ volatile("sfence" : : : "memory");
}

DEFINE_COPY_BACKEND(movntdq_ymm, .stamp_down = stamp_down, .name = "movntdq-ymm",
                    .instruction = "vmovntdq ymm", .streaming = true, .block_bytes = 32,
                    .align = 32, .missing = missing_avx2);
