/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary stores of scalable vectors, of whatever length this CPU has. */
#include "mm/template.h"

#define STORE "st1d"
#include "arch/arm64/copy/sve.h"

static ALWAYS_INLINE void copy_sve_st1(void *dst, const void *src)
{
	copy_sve(dst, src);
}

static void stamp_sve_st1(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_sve(dst, image, delta, n);
}

static ALWAYS_INLINE void drain_sve_st1(void)
{
}

DEFINE_COPY_BACKEND(sve_st1, .name = "sve-st1", .instruction = "st1d z", .block_bytes = 16,
                    .missing = missing_sve);
