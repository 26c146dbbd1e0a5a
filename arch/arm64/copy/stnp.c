/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs with the non-temporal hint: memcpy_nt()'s own way on arm64. */
#include "mm/template.h"
#include <pagestamp/memcpy_nt.h>

#define STORE "stnp"
#include "arch/arm64/copy/pairs.h"

static ALWAYS_INLINE void copy_stnp(void *dst, const void *src)
{
	memcpy_nt(dst, src, 64);
}

static void stamp_stnp(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_pairs(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_stnp(void)
{
	memcpy_nt_drain();
}

DEFINE_COPY_BACKEND(stnp, .stamp_down = stamp_down, .name = "stnp", .instruction = "stnp x, x",
                    .streaming = true, .block_bytes = 16);
