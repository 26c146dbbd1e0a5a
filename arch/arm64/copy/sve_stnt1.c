/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores of scalable vectors with the non-temporal hint. */
#include "mm/template.h"

#define STORE "stnt1d"
#include "arch/arm64/copy/sve.h"

static ALWAYS_INLINE void copy_sve_stnt1(void *dst, const void *src)
{
	copy_sve(dst, src);
}

static void stamp_sve_stnt1(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_sve(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_sve_stnt1(void)
{
	__asm__ volatile("dmb ishst" : : : "memory");
}

DEFINE_COPY_BACKEND(sve_stnt1, .name = "sve-stnt1", .instruction = "stnt1d z", .streaming = true,
                    .block_bytes = 16, .missing = missing_sve);
