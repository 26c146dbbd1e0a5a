/* SPDX-License-Identifier: BSD-2-Clause */
/* REP MOVSB, a byte string: what compilers and libraries emit where CPUs are told to be fast at it.
 */
#include "mm/stamp_block.h"
#include "mm/template.h"

static ALWAYS_INLINE void copy_string(void *dst, const void *src, size_t bytes)
{
	size_t count = bytes;

	__asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(count) : : "memory");
}

static ALWAYS_INLINE void copy_rep_movsb(void *dst, const void *src)
{
	copy_string(dst, src, 64);
}

static void stamp_rep_movsb(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_from_block(dst, image, delta, n, copy_string);
}

static ALWAYS_INLINE void drain_rep_movsb(void)
{
}

DEFINE_COPY_BACKEND(rep_movsb, .name = "rep-movsb", .instruction = "rep movsb", .block_bytes = 1);
