/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copy and stamp by four 128-bit registers in pairs, for the including backend's STORE
 * mnemonic. Only v0 to v7 are used, which a caller does not expect back.
 *
 * The image is loaded by wide loads, once a stamp and once a copy. A wide load soon after
 * an 8-byte store into the same bytes may wait until that store is in the cache. In the
 * vmemmap model no word of a template is stored again once it was seeded, so none waits;
 * in the sparse model, which refreshes the section for every page, every copy may.
 */
#include "arch/arm64/copy/stamp_loop.h"
#include "arch/arm64/copy/vector_clobbers.h"
#include <pagestamp/compiler.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_QUADS(at)                                                                            \
	STORE " q0, q1, [%[dst], #" at "]\n\t" STORE " q2, q3, [%[dst], #32+" at "]\n\t"
#define STORE_QUADS_AND_ADVANCE(at)                                                                \
	STORE_QUADS(at)                                                                            \
	"add v0.2d, v0.2d, v4.2d\n\tadd v1.2d, v1.2d, v5.2d\n\t"                                   \
	"add v2.2d, v2.2d, v6.2d\n\tadd v3.2d, v3.2d, v7.2d\n\t"

static ALWAYS_INLINE void copy_quads(void *dst, const void *src)
{
	__asm__ volatile("ldp q0, q1, [%[src]]\n\tldp q2, q3, [%[src], #32]\n\t" STORE_QUADS("0")
	                 :
	                 : [dst] "r"(dst), [src] "r"(src)
	                 : VECTOR_CLOBBERS);
}

static ALWAYS_INLINE void stamp_quads(void *dst, const uint64_t image[8], const uint64_t *delta,
                                      size_t n)
{
	void *to = dst;

	if (!delta)
		__asm__ volatile(
			"ldp q0, q1, [%[image]]\n\tldp q2, q3, [%[image], #32]\n\t" STAMP_LOOP(
				STORE_QUADS)
			: [dst] "+r"(to)
			: STAMP_ENDS(dst, n), [image] "r"(image)
			: VECTOR_CLOBBERS);
	else
		__asm__ volatile(
			"ldp q0, q1, [%[image]]\n\tldp q2, q3, [%[image], #32]\n\t"
			"ldp q4, q5, [%[delta]]\n\tldp q6, q7, [%[delta], #32]\n\t" STAMP_LOOP(
				STORE_QUADS_AND_ADVANCE)
			: [dst] "+r"(to)
			: STAMP_ENDS(dst, n), [image] "r"(image), [delta] "r"(delta)
			: VECTOR_CLOBBERS);
}

/* A row of the table that has no use for it leaves it out. */
static inline void stamp_down(void *dst, const uint64_t image[8], size_t n)
{
	void *to = (char *)dst + 64 * n;

	__asm__ volatile(
		"ldp q0, q1, [%[image]]\n\tldp q2, q3, [%[image], #32]\n\t" STAMP_LOOP_DOWN(
			STORE_QUADS)
		: [dst] "+r"(to)
		: [begin] "r"(dst), [image] "r"(image)
		: VECTOR_CLOBBERS);
}
