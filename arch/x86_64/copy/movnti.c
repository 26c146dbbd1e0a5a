/* SPDX-License-Identifier: BSD-2-Clause */
/* Streaming 8-byte stores: no vector state, and memcpy_nt()'s own way on x86-64. */
#include "mm/stamp_sized.h"
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

static ALWAYS_INLINE void walk_copy_movnti(void *dst, const void *src, size_t size)
{
	memcpy_nt(dst, src, size);
}

static ALWAYS_INLINE void store_words_movnti(uint64_t *to, const uint64_t *word, unsigned words)
{
#pragma GCC unroll 12
	for (unsigned w = 0; w < words; w++)
		movnti8(to + w, word + w);
}

DEFINE_STAMP_SIZED(movnti)

DEFINE_COPY_BACKEND_OF_EVERY_SIZE(movnti, .stamp_down = stamp_down, .name = "movnti",
                                  .instruction = "movnti r64", .streaming = true, .block_bytes = 8);
