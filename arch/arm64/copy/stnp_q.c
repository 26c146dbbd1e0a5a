/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of 128-bit registers with the non-temporal hint. */
#include "mm/template.h"

#define STORE "stnp"
#include "arch/arm64/copy/quads.h"
#include "arch/arm64/copy/pattern.h"

static ALWAYS_INLINE void copy_stnp_q(void *dst, const void *src)
{
	copy_quads(dst, src);
}

static void stamp_stnp_q(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_quads(dst, image, delta, n);
}

static void stamp_sized_stnp_q(void *dst, const uint64_t *image, const uint64_t *delta,
                               unsigned size, size_t n)
{
	stamp_by_pattern(dst, image, delta, size, n, PATTERN_PAIR, store_turns);
}

static ALWAYS_INLINE void drain_stnp_q(void)
{
	__asm__ volatile("dmb ishst" : : : "memory");
}

DEFINE_COPY_BACKEND(stnp_q, .stamp_down = stamp_down, .stamp_sized = stamp_sized_stnp_q,
                    .name = "stnp-q", .instruction = "stnp q, q", .streaming = true,
                    .block_bytes = 32);
