/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FEAT_MOPS: memory copy as three instructions, prologue, main and epilogue, which must
 * stand together. The forward-only kind: source and destination never overlap here.
 */
#include "arch/arm64/sysreg.h"
#include "mm/stamp_block.h"
#include "mm/template.h"

static ALWAYS_INLINE void copy_forward(void *dst, const void *src, size_t bytes)
{
	__asm__ volatile(".arch_extension mops\n\t"
	                 "cpyfp [%0]!, [%1]!, %2!\n\t"
	                 "cpyfm [%0]!, [%1]!, %2!\n\t"
	                 "cpyfe [%0]!, [%1]!, %2!"
	                 : "+r"(dst), "+r"(src), "+r"(bytes)
	                 :
	                 : "memory", "cc");
}

static ALWAYS_INLINE void copy_mops(void *dst, const void *src)
{
	copy_forward(dst, src, 64);
}

static void stamp_mops(void *dst, const uint64_t image[8], const uint64_t *delta, size_t n)
{
	stamp_from_block(dst, image, delta, n, copy_forward);
}

static ALWAYS_INLINE void drain_mops(void)
{
}

/* ID_AA64ISAR2_EL1, by its encoding: assemblers may not know the name. */
static const char *missing_mops(void)
{
	return bits(READ_SYSREG(S3_0_C0_C6_2), 16, 4) ? NULL : "no FEAT_MOPS";
}

DEFINE_COPY_BACKEND(mops, .name = "mops", .instruction = "cpyfp, cpyfm, cpyfe", .block_bytes = 64,
                    .never_run = true, .missing = missing_mops);
