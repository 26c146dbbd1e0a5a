/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary pairs, spelt out: what a compiler may not turn into anything else. */
#include "mm/template.h"

#define STORE "stp"
#include "arch/arm64/copy/pairs.h"

static ALWAYS_INLINE void copy_stp(void *dst, const void *src)
{
	copy_pairs(dst, src);
}

static void stamp_stp(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_pairs(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_stp(void)
{
}

DEFINE_COPY_BACKEND(stp, .stamp_down = stamp_down, .name = "stp", .instruction = "stp x, x",
                    .block_bytes = 16);
