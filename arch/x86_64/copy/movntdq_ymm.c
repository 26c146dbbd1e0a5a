/* SPDX-License-Identifier: BSD-2-Clause */
/* Streaming 32-byte stores. */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"

#define STORE "vmovntdq"
#include "arch/x86_64/copy/ymm.h"
#include "arch/x86_64/copy/pattern.h"

static ALWAYS_INLINE void copy_movntdq_ymm(void *dst, const void *src)
{
	copy_vector(dst, src);
}

static void stamp_movntdq_ymm(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_vector(dst, image, delta, n);
}

static void stamp_sized_movntdq_ymm(void *dst, const uint64_t *image, const uint64_t *delta,
                                    unsigned size, size_t n)
{
	stamp_by_pattern(dst, image, delta, size, n, REGISTER_BYTES, store_turns);
}

static ALWAYS_INLINE void drain_movntdq_ymm(void)
{
	vector_leave();
	__asm__ volatile("sfence" : : : "memory");
}

DEFINE_COPY_BACKEND(movntdq_ymm, .stamp_down = stamp_down, .stamp_sized = stamp_sized_movntdq_ymm,
                    .name = "movntdq-ymm", .instruction = "vmovntdq ymm", .streaming = true,
                    .block_bytes = 32, .align = 32, .missing = missing_avx2);
