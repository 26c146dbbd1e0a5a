/* SPDX-License-Identifier: BSD-2-Clause */
/* Streaming 8-byte stores: no vector state, and memcpy_nt()'s own way on x86-64. */
#include "mm/template.h"
#include <pagestamp/memcpy_nt.h>

#define STORE "movnti"
#include "arch/x86_64/copy/gpr.h"

static ALWAYS_INLINE void copy_movnti(void *dst, const void *src)
{
	memcpy_nt(dst, src, 64);
}

static void stamp_movnti(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_gpr(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_movnti(void)
{
	memcpy_nt_drain();
}

DEFINE_COPY_BACKEND(movnti, .name = "movnti", .instruction = "movnti r64", .streaming = true,
                    .block_bytes = 8);
