/* SPDX-License-Identifier: BSD-2-Clause */
/* REP MOVSQ, eight words a descriptor. */
#include "mm/stamp_block.h"
#include "mm/template.h"

static ALWAYS_INLINE void copy_string(void *dst, const void *src, size_t bytes)
{
	size_t count = bytes / 8;

	__asm__ volatile("rep movsq" : "+D"(dst), "+S"(src), "+c"(count) : : "memory");
}

static ALWAYS_INLINE void copy_rep_movsq(void *dst, const void *src)
{
	copy_string(dst, src, 64);
}

static void stamp_rep_movsq(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_from_block(dst, image, delta, n, copy_string);
}

static ALWAYS_INLINE void drain_rep_movsq(void)
{
}

DEFINE_COPY_BACKEND(rep_movsq, .name = "rep-movsq", .instruction = "rep movsq", .block_bytes = 8);
