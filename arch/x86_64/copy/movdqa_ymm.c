/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary 32-byte stores: two a descriptor. */
#include "arch/x86_64/copy/usable.h"
#include "mm/template.h"

#define STORE "vmovdqa"
#include "arch/x86_64/copy/ymm.h"

static ALWAYS_INLINE void copy_movdqa_ymm(void *dst, const void *src)
{
	copy_vector(dst, src);
}

static void stamp_movdqa_ymm(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_vector(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_movdqa_ymm(void)
{
	vector_leave();
}

DEFINE_COPY_BACKEND(movdqa_ymm, .stamp_down = stamp_down, .name = "movdqa-ymm",
                    .instruction = "vmovdqa ymm", .block_bytes = 32, .align = 32,
                    .missing = missing_avx2);
