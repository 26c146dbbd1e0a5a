/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary pairs of 128-bit registers: two stores a descriptor. */
#include "mm/template.h"

#define STORE "stp"
#include "arch/arm64/copy/quads.h"

static ALWAYS_INLINE void copy_stp_q(void *dst, const void *src)
{
	copy_quads(dst, src);
}

static void stamp_stp_q(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_quads(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_stp_q(void)
{
}

DEFINE_COPY_BACKEND(stp_q, .stamp_down = stamp_down, .name = "stp-q", .instruction = "stp q, q",
                    .block_bytes = 32);
